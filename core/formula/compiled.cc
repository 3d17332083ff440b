#include "formula/compiled.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "formula/functions.h"
#include "formula/parse.h"
#include "formula/waves.h"
#include "numbers.h"

namespace bmsim::formula {
namespace {

double value_at(const Expression& e, double x, double t, const Lookup& parameters) {
  return evaluate(e, [&](std::string_view name) { return name == "x" ? x : name == "t" ? t : parameters(name); });
}
double folded(const Compiled& compiled, double x, const Lookup& parameters) {
  if (!compiled.folded) return x;
  const double L = parameters("L");
  return x - L * std::rint(x / L);
}

/// Whether e has no abs, sign, min, max or floor of x.
bool smooth(const Expression& e) {
  const bool rough = e->kind == Kind::call && find_function(e->name)->rough;
  return !(rough && depends(e, "x")) &&
         std::ranges::all_of(e->items, [](const Item& item) { return smooth(item.expression); });
}

void collect_switches(const Expression& e, std::span<const std::string> names, std::vector<Switch>& found) {
  for (const Item& item : e->items) collect_switches(item.expression, names, found);
  if (e->kind != Kind::call || !find_function(e->name)->rough) return;
  if (std::ranges::none_of(names, [&](const std::string& name) { return depends(e, name); })) return;
  const auto a = [&](size_t k) { return e->items[k].expression; };
  const bool compares = e->items.size() > 1 && e->name != "atan2";  // atan2 jumps where its first argument passes 0
  const Switch added{compares ? a(0) - a(1) : a(0), e->name == "floor"};
  const auto same = [&](const Switch& s) { return s.whole == added.whole && s.argument == added.argument; };
  if (std::ranges::none_of(found, same)) found.push_back(added);
}

/// Writes the texts. The force, which is evaluated at every step, comes first and gets the first constants. subject: of
/// the message that the force is too long.
void write_texts(Compiled& compiled, bool has_energy, std::string_view subject) {
  const Expression x(position_name), scale = compiled.periodic ? x * Expression("L") : x;
  const auto in_u = [&](const Expression& e) { return with_turns_marked(substitute(e, "x", scale)); };
  const Expression formula = in_u(compiled.formula), force = in_u(compiled.force);
  Shared shared;
  collect_phases(formula, shared.phases);
  collect_phases(force, shared.phases);
  compiled.folded = compiled.periodic && !has_period_one(formula);
  compiled.force_text = device_text(force, compiled.folded, shared);
  check_operations(shared.operations, subject);
  compiled.operations = shared.operations;
  if (has_energy) compiled.energy_text = device_text(formula, compiled.folded, shared);
  compiled.constants = std::move(shared.constants);
  compiled.phases = std::move(shared.phases);
}

}  // namespace

Compiled compile_potential(std::string_view text, std::span<const std::string> names, std::string_view subject) {
  const std::string variables[] = {"x", "t"}, optional[] = {"L"};
  Compiled result;
  result.formula = parse(text, variables, names, optional, subject);
  result.force = -derivative(result.formula, "x");
  result.periodic = std::ranges::count(names, "L") > 0;
  write_texts(result, true, fmt::format("{}: V' of {}", subject, shortened(text)));
  result.smooth = smooth(result.formula) && !result.folded;
  return result;
}

Compiled compile_drive(std::string_view text, std::span<const std::string> names, std::string_view subject) {
  const std::string variables[] = {"t"};
  Compiled result;
  result.formula = result.force = parse(text, variables, names, {}, subject);
  write_texts(result, false, fmt::format("{}: {}", subject, shortened(text)));
  return result;
}

std::vector<Switch> switches(const Expression& e) {
  const std::string x = "x";
  return switches(e, std::span(&x, 1));
}
std::vector<Switch> switches(const Expression& e, std::span<const std::string> names) {
  std::vector<Switch> found;
  collect_switches(e, names, found);
  return found;
}

std::vector<double> constant_values(const Compiled& compiled, const Lookup& parameters, std::string_view subject) {
  std::vector<double> values;
  for (const Expression& e : compiled.constants) {
    values.push_back(evaluate(e, parameters));
    if (!std::isfinite(values.back())) fail("{}: {} must be finite, got {}", subject, text(e), values.back());
  }
  return values;
}

std::vector<double> frequencies(const std::vector<Phase>& phases, const Lookup& parameters) {
  std::vector<double> result;
  for (const Phase& phase : phases) result.push_back(evaluate(phase.turns_per_time, parameters));
  return result;
}

double shortest_period(const std::vector<Phase>& phases, const Lookup& parameters) {
  double shortest = infinity;
  const std::vector<double> turns_per_time = frequencies(phases, parameters);
  for (size_t i = 0; i < phases.size(); ++i)
    if (phases[i].reduced && turns_per_time[i] != 0) shortest = std::min(shortest, 1 / std::fabs(turns_per_time[i]));
  return shortest;
}

double energy_at(const Compiled& compiled, double x, double t, const Lookup& parameters) {
  return value_at(compiled.formula, folded(compiled, x, parameters), t, parameters);
}
double force_at(const Compiled& compiled, double x, double t, const Lookup& parameters) {
  return value_at(compiled.force, folded(compiled, x, parameters), t, parameters);
}

}  // namespace bmsim::formula
