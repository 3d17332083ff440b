// Arguments of sin and cos in turns; the phases and the period that follow from them.
#include "formula/waves.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formula/lower.h"

namespace bmsim::formula {
namespace {

void add_phase(const Expression& frequency, std::vector<Phase>& phases) {
  const Expression f = is_negative(frequency) ? -frequency : frequency;
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

/// up_to_sign: whether e may also change its sign after one period, as sin(pi x) does.
bool has_period_one(const Expression& e, bool up_to_sign) {
  if (e->kind == Kind::name) return e->name != position_name;
  if (is_wave(e)) {
    const double multiple = up_to_sign || e->name == "tan" ? 0.5 : 1;
    return std::ranges::all_of(terms(turns(e->items[0].expression).waves), [&](const Item& item) {
      const bool is_x = item.expression->kind == Kind::name && item.expression->name == position_name;
      const double count = item.weight / multiple;
      return is_x ? is_integer(count) : has_period_one(item.expression, false);
    });
  }
  return std::ranges::all_of(e->items, [&](const Item& item) {
    const bool even = e->kind == Kind::product && is_integer(item.weight / 2);
    const bool whole = e->kind == Kind::product && is_integer(item.weight);
    return has_period_one(item.expression,
                          even || (whole && up_to_sign) || (e->kind == Kind::call && e->name == "abs"));
  });
}

/// Whether e has a floor of something that depends on t.
bool counts_turns(const Expression& e) {
  if (e->kind == Kind::call && e->name == "floor" && depends(e, "t")) return true;
  return std::ranges::any_of(e->items, [](const Item& item) { return counts_turns(item.expression); });
}

/// The number among the terms of e.
double number_in(const Expression& e) { return e->kind == Kind::sum || e->kind == Kind::number ? e->number : 0; }

/// floor(floor(y)/n + m/n) is floor(y/n + m/n), for integers n > 0 and m.
Expression without_inner_floor(const Expression& argument) {
  const Expression flat = distribute(1, argument, is_constant);
  const std::vector<Item> list = terms(flat);
  if (list.size() != 1) return argument;
  const Split parts = split(list[0].weight * list[0].expression);
  const double offset = number_in(flat);
  if (parts.constant->kind != Kind::number || parts.varying->kind != Kind::call || parts.varying->name != "floor")
    return argument;
  const double n = 1 / parts.constant->number;
  if (!(n >= 1 && is_integer(n) && is_integer(offset * n))) return argument;
  return parts.constant * without_inner_floor(parts.varying->items[0].expression) + offset;
}

/// flat: a sum that no constants are multiplied by.
Turns parts_of(const Expression& flat) {
  Turns result;
  result.offset = number_in(flat);
  for (const Item& item : terms(flat)) {
    const Expression term = item.weight * item.expression;
    const Split parts = split(term);
    if (is_number(parts.varying, 1))
      result.offset = result.offset + term;
    else if (parts.varying->kind == Kind::name && parts.varying->name == "t")
      result.frequency = result.frequency + parts.constant;
    else
      result.waves = result.waves + term;
  }
  return result;
}

/// The term as a constant times the floor of what grows with t.
std::optional<Floor> floor_of_time(const Item& item) {
  const Split parts = split(item.weight * item.expression);
  if (parts.varying->kind != Kind::call || parts.varying->name != "floor") return {};
  Floor floor{parts.constant,
              parts_of(distribute(1, without_inner_floor(parts.varying->items[0].expression), is_constant))};
  if (is_number(floor.argument.frequency, 0) || depends(floor.argument.waves, "t")) return {};
  return floor;
}

/// Whether a sum is 0 up to the rounding of numbers like P * (1/P), if its terms are of the size of `beside`.
bool vanishes(const Expression& sum, const Expression& beside) {
  constexpr double rounding = 1e-12;
  const auto largest = [](const Expression& e) {
    double size = std::abs(number_in(e));
    for (const Item& term : terms(e)) size = std::max(size, std::abs(term.weight));
    return size;
  };
  return largest(sum) <= rounding * largest(beside);
}

/// A flat sum; its floors and the growth that they take back become one marked term.
Expression marked_sum(const Expression& flat) {
  const Expression t("t");
  Expression growth = 0, taken_back = 0, size = 0;  // with t: of terms in t alone; of all floors; of one floor
  const Expression offset = number_in(flat);
  Expression whole_turns = 0;
  std::vector<Item> floors, others;
  for (const Item& item : terms(flat)) {
    const Split parts = split(item.weight * item.expression);
    if (parts.varying->kind == Kind::name && parts.varying->name == "t") {
      growth = growth + parts.constant;
    } else if (const std::optional<Floor> floor = floor_of_time(item)) {
      size = floor->factor * floor->argument.frequency;
      taken_back = taken_back + size;
      const Turns& inside = floor->argument;
      const Expression rest = is_number(inside.offset, 0) ? inside.offset : without_whole(inside.offset);
      whole_turns = whole_turns + floor->factor * (inside.offset - rest);
      floors.push_back({floor->factor * call("floor", {inside.frequency * t + inside.waves + rest})});
    } else {
      others.push_back({with_turns_marked(item.expression), item.weight});
    }
  }
  const Expression rest = distribute(1, growth + taken_back, is_constant);
  const bool periodic = vanishes(rest, size);
  others.push_back({offset});
  if (floors.empty() || (is_number(growth, 0) && !periodic)) {  // floor(t) alone counts turns
    for (const Item& item : terms(flat))
      if (split(item.expression).varying->name == "t" || floor_of_time(item)) others.push_back(item);
    return sum(0, others);
  }
  others.push_back({whole_turns});
  floors.push_back({-taken_back * t});
  Node marked{Kind::group, 0, {}, {}};
  marked.items.push_back({sum(0, floors)});
  others.push_back({Expression(std::move(marked))});
  if (!periodic) others.push_back({rest * t});
  return sum(0, others);
}

}  // namespace

bool is_constant(const Expression& e) {
  if (e->kind == Kind::name)
    return e->name != position_name && e->name != "t" && !e->name.starts_with("u:") && !e->name.starts_with("v:") &&
           !e->name.starts_with("w:") && !e->name.starts_with("f:");
  return std::ranges::all_of(e->items, [](const Item& item) { return is_constant(item.expression); });
}
bool is_literal(const Expression& e) {
  if (e->kind == Kind::name) return e->name == "pi";
  return std::ranges::all_of(e->items, [](const Item& item) { return is_literal(item.expression); });
}
Expression without_whole(const Expression& turns) {
  if (is_literal(turns)) {
    const double value = evaluate(turns, {});
    return value - std::rint(value);
  }
  return turns - call("floor", {turns + 0.5});
}
bool is_wave(const Expression& e) {
  return e->kind == Kind::call && (e->name == "sin" || e->name == "cos" || e->name == "tan");
}

Split split(const Expression& e) {
  if (is_constant(e)) return {e, 1};
  if (e->kind != Kind::product) return {1, e};
  std::vector<Item> constant, varying;
  for (const Item& item : e->items) (is_constant(item.expression) ? constant : varying).push_back(item);
  return {product(e->number, constant), product(1, varying)};
}

Turns turns(const Expression& argument) {
  return parts_of(distribute(1 / (2 * Expression("pi")), argument, is_constant));
}

double whole_multiple(const Expression& e, const Expression& unit) {
  const auto leading = [](const Expression& a) {
    return a->kind == Kind::number ? a->number : terms(a).front().weight;
  };
  const double n = std::rint(leading(e) / leading(unit));
  return n * unit == e ? n : 0;
}

Expression with_turns_marked(const Expression& e) {
  if (!counts_turns(e)) return e;
  if (e->kind == Kind::sum) return marked_sum(distribute(1, e, is_constant));
  return rebuilt(e, with_turns_marked);
}

bool is_marked(const Expression& e) { return e->kind == Kind::group && e->items[0].expression->kind == Kind::sum; }

std::vector<Floor> marked_floors(const Expression& e) {
  std::vector<Floor> floors;
  for (const Item& item : e->items[0].expression->items)
    if (const std::optional<Floor> floor = floor_of_time(item)) floors.push_back(*floor);
  return floors;
}

void collect_phases(const Expression& e, std::vector<Phase>& phases) {
  for (const Item& item : e->items) collect_phases(item.expression, phases);
  if (is_marked(e))
    for (const Floor& floor : marked_floors(e)) add_phase(floor.argument.frequency, phases);
  if (!is_wave(e)) return;
  const Turns parts = turns(e->items[0].expression);
  if (!is_number(parts.frequency, 0)) add_phase(parts.frequency, phases);
}

bool has_period_one(const Expression& e) { return has_period_one(e, false); }

}  // namespace bmsim::formula
