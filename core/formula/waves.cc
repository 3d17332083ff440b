// Arguments of sin and cos in turns; the phases and the period that follow from them.
#include "formula/waves.h"

#include <algorithm>
#include <cmath>

#include "formula/lower.h"

namespace bmsim::formula {
namespace {

void add_phase(const Expression& frequency, std::vector<Phase>& phases) {
  const bool backward = frequency->kind == Kind::sum ? frequency->items.front().weight < 0 : frequency->number < 0;
  const Expression f = backward ? -frequency : frequency;
  for (const Phase& phase : phases)
    if (whole_multiple(f, phase.turns_per_time) != 0) return;
  const auto multiple = [&](const Phase& phase) { return whole_multiple(phase.turns_per_time, f) != 0; };
  const auto first = std::ranges::find_if(phases, multiple);
  if (first == phases.end()) {
    phases.push_back({f, true});
    return;
  }
  *first = {f, true};
  phases.erase(std::remove_if(first + 1, phases.end(), multiple), phases.end());
}

/// `up_to_sign`: e may also change sign after one period, as sin(pi x) does.
bool has_period_one(const Expression& e, bool up_to_sign) {
  if (e->kind == Kind::name) return e->name != position_name;
  if (is_wave(e)) {
    const double multiple = up_to_sign || e->name == "tan" ? 0.5 : 1;
    return std::ranges::all_of(terms(turns(e->items[0].expression).waves), [&](const Item& item) {
      const bool is_x = item.expression->kind == Kind::name && item.expression->name == position_name;
      const double count = item.weight / multiple;
      return is_x ? count == std::rint(count) : has_period_one(item.expression, false);
    });
  }
  return std::ranges::all_of(e->items, [&](const Item& item) {
    const bool even = e->kind == Kind::product && item.weight == 2 * std::rint(item.weight / 2);
    const bool odd = e->kind == Kind::product && item.weight == std::rint(item.weight);
    return has_period_one(item.expression, even || (odd && up_to_sign) || (e->kind == Kind::call && e->name == "abs"));
  });
}

}  // namespace

bool is_constant(const Expression& e) {
  if (e->kind == Kind::name)
    return e->name != position_name && e->name != "t" && !e->name.starts_with("u:") && !e->name.starts_with("v:") &&
           !e->name.starts_with("w:") && !e->name.starts_with("f:");
  return std::ranges::all_of(e->items, [](const Item& item) { return is_constant(item.expression); });
}
bool is_wave(const Expression& e) {
  return e->kind == Kind::call && (e->name == "sin" || e->name == "cos" || e->name == "tan");
}

Split split(const Expression& e) {
  if (is_constant(e)) return {e, 1};
  if (e->kind != Kind::product) return {1, e};
  std::vector<Item> constant, other;
  for (const Item& item : e->items) (is_constant(item.expression) ? constant : other).push_back(item);
  return {product(e->number, constant), product(1, other)};
}

Turns turns(const Expression& argument) {
  const Expression all = distribute(1 / (2 * Expression("pi")), argument, is_constant);
  Turns result;
  result.offset = all->kind == Kind::sum || all->kind == Kind::number ? all->number : 0;
  for (const Item& item : terms(all)) {
    const Expression term = item.weight * item.expression;
    const Split parts = split(term);
    if (is_number(parts.other, 1))
      result.offset = result.offset + term;
    else if (parts.other->kind == Kind::name && parts.other->name == "t")
      result.frequency = result.frequency + parts.constant;
    else
      result.waves = result.waves + term;
  }
  return result;
}

double whole_multiple(const Expression& e, const Expression& of) {
  const auto leading = [](const Expression& one) {
    return one->kind == Kind::number ? one->number : terms(one).front().weight;
  };
  const double n = std::rint(leading(e) / leading(of));
  return n * of == e ? n : 0;
}

void collect_phases(const Expression& e, std::vector<Phase>& phases) {
  for (const Item& item : e->items) collect_phases(item.expression, phases);
  if (!is_wave(e)) return;
  const Turns parts = turns(e->items[0].expression);
  if (!is_number(parts.frequency, 0)) add_phase(parts.frequency, phases);
}

bool has_period_one(const Expression& e) { return has_period_one(e, false); }

}  // namespace bmsim::formula
