#include "output/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/estimates.h"
#include "plan/landscape.h"
#include "plan/step_choice.h"
#include "plan/transient_check.h"

namespace bmsim {

namespace {

/// "point 3 (force = 1)"
std::string place_of_point(const Sweep& sweep, size_t point) {
  const std::string place = sweep.describe(point);
  return fmt::format("point {}{}", point + 1, place.empty() ? "" : " (" + place + ")");
}

/// " at point 3 (force = 1)"; "" if there is only one point.
std::string at_point_text(const Plan& plan, const Sweep& sweep, size_t point) {
  return plan.points.size() > 1 ? " at " + place_of_point(sweep, point) : "";
}

std::vector<std::string> column_names(const Plan& plan) {
  std::vector<std::string> names;
  for (const auto& observable : plan.observables)
    for (std::string& name : observable->columns()) names.push_back(std::move(name));
  return names;
}

std::string not_reached_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  const auto missed = std::find(outcome.reached.begin(), outcome.reached.end(), false);
  if (missed == outcome.reached.end() || !outcome.finished.empty()) return "";
  const auto point = static_cast<size_t>(missed - outcome.reached.begin());
  const bool target_given = plan.options.tolerances.empty();
  const Target& target = (target_given ? plan.options.targets : plan.options.tolerances).front();
  const size_t column = plan.column(target.column);
  const Estimate& estimate = outcome.estimates[column][point];
  std::string step;
  if (!target_given && std::isfinite(outcome.step_errors[column][point].value))
    step = fmt::format(", of it the step {:.2g} +- {:.2g}", outcome.step_errors[column][point].value,
                       outcome.step_errors[column][point].error);
  return fmt::format(
      "run: the {} was not reached at {} of {} points within limit = {} paths; {}: {} = {:.4g} +- {:.2g}{}",
      target_given ? "target" : "tolerance", std::count(outcome.reached.begin(), outcome.reached.end(), false),
      plan.points.size(), plan.limit, place_of_point(sweep, point), target.column, estimate.value, estimate.error,
      step);
}

/// A part of a point's step, in the option that the script has given: "spp = 800", or "dt = 0.01".
std::string part_of_step(const Point& point, double part) {
  return point.asked.spp ? "spp = " + rounded(*point.asked.spp / part) : "dt = " + rounded(point.time.dt * part);
}

/// A step that would do: this part of a point's step. If that is too long for the motion, errors may have no order at
/// all; the part is then well below the longest step that is not too long, and good for the motion.
std::string shorter_step(const Point& point, double part) {
  constexpr double of_longest = 0.2;
  if (point.step_too_long) part = std::min({part, of_longest / point.of_longest, point.good_step / point.time.dt});
  return part_of_step(point, part);
}

/// The step whose error would be as large as is allowed, if the error is larger than was seen by the doubt. It is at
/// most half of the step that was made: a longer one hardly helps, and the order of long steps is a guess.
std::string good_step(const Plan& plan, const StepCheck::Seen& seen) {
  constexpr double most = 0.5;
  const Point& point = plan.points[seen.point];
  return shorter_step(point,
                      std::min(most, std::pow(seen.allowed / (std::abs(seen.error) + seen.doubt), 1.0 / seen.order)));
}

/// Whether a step is so long that with longer steps a value changes by far more than itself, and that the order of
/// errors, which holds for short steps, would give a step shorter than the motion asks for.
bool is_beyond_orders(const Plan& plan, const StepCheck::Seen& seen) {
  constexpr double far_more = 10;
  const Point& point = plan.points[seen.point];
  const double size = std::abs(seen.error) + seen.doubt;
  if (!point.step_too_long || size < far_more * std::abs(seen.value)) return false;
  return std::pow(seen.allowed / size, 1.0 / seen.order) * point.time.dt < point.good_step;
}

/// What the check of the step has seen of a column, or of the arrays of an observable.
struct Checked {
  std::string name;
  std::vector<const StepCheck::Seen*> seen;  ///< by point
  size_t column = StepCheck::Seen::no_column;
};

/// All columns in their order, then all observables for their arrays.
std::vector<Checked> checked_in(const Plan& plan, const StepCheck& check) {
  std::vector<Checked> checked;
  for (std::string& name : column_names(plan)) checked.push_back({std::move(name), {}, checked.size()});
  const size_t columns = checked.size();
  for (const auto& observable : plan.observables) checked.push_back({observable->name(), {}});
  for (const StepCheck::Seen& seen : check.seen)
    checked[seen.column == StepCheck::Seen::no_column ? columns + seen.observable : seen.column].seen.push_back(&seen);
  return checked;
}

/// "velocity", or "moments: x_cumulant_2 at t = 10" of an array.
std::string name_of(const Checked& checked, const StepCheck::Seen& seen) {
  return seen.what.empty() ? checked.name : checked.name + ": " + seen.what;
}

/// Adds a warning for every column or observable that layers at kinks of V, or at jumps of amplitudes, make wrong:
/// about the point with the largest error.
void add_layer_warnings(const Plan& plan, const Sweep& sweep, const StepCheck& check,
                        std::vector<std::string>& warnings) {
  std::vector<std::string> named;
  for (const StepCheck::Layer& layer : check.layers) {
    if (std::ranges::count(named, layer.name) != 0) continue;
    named.push_back(layer.name);
    const StepCheck::Layer* worst = &layer;
    size_t points = 0;
    for (const StepCheck::Layer& other : check.layers)
      if (other.name == layer.name && ++points && other.standard_errors > worst->standard_errors) worst = &other;
    warnings.push_back(fmt::format(
        "run: the step makes an error of {}{} within its noise {}: about {:.2g} of {:.4g}{}, {:.0f} "
        "standard errors; {} would do",
        layer.name, plan.points.size() > 1 ? fmt::format(" at {} of {} points", points, plan.points.size()) : "",
        worst->of_amplitude ? "where an amplitude jumps" : "at a kink of V", worst->error, worst->value,
        at_point_text(plan, sweep, worst->point), worst->standard_errors,
        part_of_step(plan.points[worst->point], worst->part)));
  }
}

void add_step_warnings(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome,
                       std::vector<std::string>& warnings) {
  const StepCheck& check = outcome.step_check;
  for (const Checked& checked : checked_in(plan, check)) {
    const StepCheck::Seen* worst = nullptr;
    double most = 0;
    size_t warned = 0;
    for (const StepCheck::Seen* seen : checked.seen) {
      if (!seen->warned) continue;
      ++warned;
      const double size = std::abs(seen->error) / seen->allowed;
      if (size > most) most = size, worst = seen;
    }
    if (worst == nullptr) {
      for (const StepCheck::Together& together : check.together)
        if (together.column == checked.column)
          warnings.push_back(fmt::format(
              "run: the step makes errors of {} of about {:.1f} standard errors, by {} points taken together; "
              "step_error = true measures them",
              checked.name, together.standard_errors, together.points));
      continue;
    }
    const std::string name = name_of(checked, *worst);
    const std::string where = plan.points.size() > 1
                                  ? fmt::format(" at {} of {} points checked, the largest", warned, checked.seen.size())
                                  : "";
    const std::string place = at_point_text(plan, sweep, worst->point);
    if (is_beyond_orders(plan, *worst)) {
      const Point& point = plan.points[worst->point];
      warnings.push_back(fmt::format(
          "run: the step is far too long for {}{}: longer steps change it{} by far more than it is itself; {} is good "
          "for the motion",
          name, where, place, part_of_step(point, point.good_step / point.time.dt)));
      continue;
    }
    if (!worst->scatters) {
      warnings.push_back(
          fmt::format("run: the step makes an error of {}{}: {:.2g} of {:.4g}{}, where paths do not scatter; {} would "
                      "make it {:.2g}, step_error = true measures it",
                      name, where, worst->error, worst->value, place, good_step(plan, *worst), worst->allowed));
      continue;
    }
    warnings.push_back(
        fmt::format("run: the step makes an error of {}{}: {:.2g} +- {:.1g} of {:.4g}{}, {:.0f} standard errors; {} "
                    "would bring it below the "
                    "standard error, step_error = true measures it",
                    name, where, worst->error, worst->doubt, worst->value, place, most, good_step(plan, *worst)));
  }
  add_layer_warnings(plan, sweep, check, warnings);
  if (!check.diverged.empty()) {
    constexpr double safe = 0.25;
    const size_t point = check.diverged.front();
    warnings.push_back(fmt::format(
        "run: the step is near its limit of stability at {}: with steps about {} times as long paths diverge; {} would "
        "do",
        place_of_point(sweep, point), plan.points[point].error_order <= 1 ? "4" : "2",
        shorter_step(plan.points[point], safe)));
  }
}

/// The largest difference between the halves of the window; null if nothing was compared.
const TransientCheck::Seen* worst_of(const TransientCheck& check) {
  const auto smaller = [](const auto& a, const auto& b) { return std::abs(a.z) < std::abs(b.z); };
  const auto worst = std::ranges::max_element(check.seen, smaller);
  return worst == check.seen.end() ? nullptr : &*worst;
}

template <class Compared> std::string name_of(const Plan& plan, const Compared& compared) {
  if (compared.of == TransientCheck::average) return halved_sums(plan)[compared.variable].column;
  if (compared.of == TransientCheck::density) return name_of_probability(plan, compared.variable);
  const std::string& variable = plan.model.variables()[compared.variable].name;
  if (compared.of == TransientCheck::diffusion) return fmt::format("Var(d{})/(2 time)", variable);
  return plan.model.is_system() ? "velocity_" + variable : "velocity";
}

/// A run that would do: its length over that of memory, and the part of it that is the transient.
struct Longer {
  double times, transient;
};
/// The run in whose errors the start is lost. z: of a difference between the halves of the window of the present run.
/// 0: the effect of the start is at first as large as the scatter of single paths.
Longer enough_for(const Point& point, double paths, double lasts, double z, double transient) {
  constexpr double least = 20, of_error = 0.25, step = 0.05, most_transient = 0.5, more = 1.2;
  const double window = point.window() / lasts, before = point.time.transient * point.time.dt / lasts;
  // z is about the difference of the mean values of exp(-t) over both halves.
  const double decays = -std::expm1(-window / 2), both = 2 / window * std::exp(-before) * decays * decays;
  double start = std::sqrt(paths);  // over the error of a mean over paths
  // An error falls with the root of the window as soon as this is longer than memory.
  if (z != 0) start = std::max(start, std::abs(z) / 2 / both * std::sqrt(std::min(1.0, window / 2)));
  Longer longer{least, transient};
  while (true) {
    const double measured = (1 - longer.transient) * longer.times;
    if (start * std::exp(-longer.transient * longer.times) / measured / std::sqrt(2 / measured) <= of_error)
      return longer;
    if (longer.transient + step <= most_transient)
      longer.transient = std::round((longer.transient + step) / step) * step;
    else
      longer.times *= more;
  }
}

/// The length of a run that is long enough beside memory, in words.
std::string enough_text(const Plan& plan, const Point& point, double paths, double lasts, double z) {
  constexpr double usual = 0.1, most = 1e6;
  const bool finds = plan.options.find_transient;
  const double given = finds ? usual : std::max(usual, plan.options.transient);
  const Longer longer = enough_for(point, paths, std::min(lasts, most * point.window()), z, given);
  const bool says = !finds && longer.transient > plan.options.transient;
  return fmt::format("a time of about {:.2g}{} would do", lasts * longer.times,
                     says ? fmt::format(" with transient = {:.2g}", longer.transient) : "");
}

/// How long paths remember, and what run would do. z: of the difference between both halves, 0 if they agree.
std::string memory_text(const Plan& plan, const RunOutcome& outcome, TransientCheck::Of kind, size_t index,
                        const TransientCheck::Memory* memory, double z) {
  constexpr double most = 1000, least = 20;  // windows
  const Point& point = plan.points[index];
  const double window = point.window();
  const auto paths = static_cast<double>(outcome.paths.empty() ? plan.paths : outcome.paths[index]);
  const bool moves = z != 0;
  const double seen = memory == nullptr ? 0 : moves ? memory->lasts_at_least : memory->lasts;
  // A path that is bound for longer than the run, or not bound yet, does not show how long that lasts. V may tell.
  const bool in_wells = kind != TransientCheck::diffusion && (point.facts.period == 0 || point.facts.force == 0);
  const double by_shape = in_wells ? relaxation_at(plan, point) : 0;
  if (by_shape > (seen < most * window ? seen : 0) && by_shape > window / least)
    return fmt::format("by the shape of V what paths remember lasts about {:.2g}, and {}", by_shape,
                       enough_text(plan, point, paths, by_shape, z));
  if (memory == nullptr) return "";
  if (seen < most * window)
    return fmt::format("what paths remember lasts about {:.2g}{}, and {}", seen, moves ? " or longer" : "",
                       enough_text(plan, point, paths, seen, z));
  if (!moves) return "no fading is seen, and no longer time may help";
  return fmt::format(
      "no fading is seen, so that what paths remember lasts longer than the window of {:.3g}; a time of {:.2g} is the "
      "least that would do",
      window, least * window);
}

std::string transient_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  const TransientCheck& check = outcome.transient_check;
  const TransientCheck::Seen* const worst = worst_of(check);
  if (worst == nullptr || !worst->warned) return "";
  std::vector<bool> warned(plan.points.size()), checked(plan.points.size());
  for (const TransientCheck::Seen& seen : check.seen) {
    checked[seen.point] = true;
    if (seen.warned) warned[seen.point] = true;
  }
  const std::string where =
      plan.points.size() > 1 ? fmt::format(" at {} of {} points checked, most at {}", std::ranges::count(warned, true),
                                           std::ranges::count(checked, true), place_of_point(sweep, worst->point))
                             : "";
  if (worst->rounding)
    return fmt::format(
        "run: rounding takes the noise away{}: what a step adds to {} is less than a digit of single precision, and {} "
        "= {:.4g} in the first half of the window and {:.4g} in the second; precision = \"double\" would do",
        where, plan.model.variables()[worst->variable].inertial ? "velocities" : "positions", name_of(plan, *worst),
        worst->first, worst->second);
  const TransientCheck::Memory* remembered = nullptr;
  for (const TransientCheck::Memory& candidate : check.memory)
    if (candidate.seen && candidate.of == worst->of && candidate.variable == worst->variable &&
        candidate.point == worst->point)
      remembered = &candidate;
  std::string memory = memory_text(plan, outcome, worst->of, worst->point, remembered, worst->z);
  if (!memory.empty()) memory = ": " + memory;
  return fmt::format(
      "run: the start is still in the results{}: {} = {:.4g} in the first half of the window and {:.4g} in the second, "
      "a difference of {:.1f} standard errors; give a longer transient, or more {}{}",
      where, name_of(plan, *worst), worst->first, worst->second, std::abs(worst->z),
      plan.points[worst->point].asked.time ? "time" : "periods", memory);
}

/// The strongest memory of those that the rule selects; null if there is none that matters.
template <class Rule> const TransientCheck::Memory* most_remembered(const TransientCheck& check, Rule rule) {
  const TransientCheck::Memory* most = nullptr;
  for (const TransientCheck::Memory& memory : check.memory)
    if (memory.warned && rule(memory) && (most == nullptr || memory.correlation > most->correlation)) most = &memory;
  return most;
}

/// An average or a probability that is compared with the equilibrium of V: its estimate, and its mean there.
struct Settled {
  Estimate estimate;
  double mean = 0;
};
Settled settled(const Plan& plan, const RunOutcome& outcome, const TransientCheck::Seen& seen) {
  const Point& point = plan.points[seen.point];
  if (seen.of == TransientCheck::average)
    return {outcome.estimates[plan.column(halved_sums(plan)[seen.variable].column)][seen.point],
            equilibrium_mean(plan, point, seen.variable)};
  const double error = std::abs((seen.second - seen.first) / seen.z) / 2;  // NaN without a difference
  size_t place = seen.variable;
  for (const HalvedDensity& density : halved_densities(plan)) {
    if (place < density.places.size())
      return {{(seen.first + seen.second) / 2, error},
              equilibrium_probability(plan, point, density, density.places[place])};
    place -= density.places.size();
  }
  return {};
}

/// A warning where paths hardly move from well to well in this run, so that averages or densities are not those of the
/// equilibrium of V; "" for none. Both halves of the window agree then, and no correlation shows it.
std::string wells_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  constexpr size_t most_points = 8;
  constexpr double many_errors = 5, importance = 0.02, short_window = 1;  // the last in relaxation times
  if (plan.together()) return "";
  size_t formulas = 0;
  for (const auto& observable : plan.observables) formulas += observable->needs().formulas.size();
  const bool has_averages = formulas == halved_sums(plan).size();
  const auto counts = [&](const TransientCheck::Seen& seen) {
    return seen.of == TransientCheck::density || (seen.of == TransientCheck::average && has_averages);
  };
  const size_t points = plan.points.size(), looked_at = std::min(points, most_points);
  for (size_t n = 0; n < looked_at; ++n) {
    const size_t i = (2 * n + 1) * points / (2 * looked_at);
    const Point& point = plan.points[i];
    const auto is_here = [&](const TransientCheck::Seen& seen) { return seen.point == i && counts(seen); };
    const auto& compared = outcome.transient_check.seen;
    if (std::ranges::none_of(compared, is_here) || relaxation_at(plan, point) < short_window * point.window()) continue;
    for (const TransientCheck::Seen& seen : compared) {
      if (!is_here(seen)) continue;
      const auto [estimate, mean] = settled(plan, outcome, seen);
      const double off = std::abs(estimate.value - mean);
      const double whole = seen.of == TransientCheck::density ? 1 : std::max(std::abs(mean), std::abs(estimate.value));
      if (!(off > many_errors * estimate.error && off > importance * whole)) continue;
      return fmt::format(
          "run: paths have not been everywhere{}: {} = {:.4g} +- {:.2g}, and {:.4g} in the equilibrium of V: {}",
          at_point_text(plan, sweep, i), name_of(plan, seen), estimate.value, estimate.error, mean,
          memory_text(plan, outcome, seen.of, i, nullptr, 0));
    }
  }
  return "";
}

void add_memory_warnings(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome,
                         std::vector<std::string>& warnings) {
  const TransientCheck& check = outcome.transient_check;
  const auto* const spread =
      most_remembered(check, [](const auto& memory) { return memory.of == TransientCheck::diffusion; });
  if (spread != nullptr)
    warnings.push_back(
        fmt::format("run: {} still grows{}: displacements in the two halves of the window have a correlation of {:.3g} "
                    "along single "
                    "paths, and it has no limit in this run: {}; observe.moments shows how Var({}) grows",
                    name_of(plan, *spread), at_point_text(plan, sweep, spread->point), spread->correlation,
                    memory_text(plan, outcome, spread->of, spread->point, spread, 0),
                    plan.model.variables()[spread->variable].name));
  const TransientCheck::Seen* const worst = worst_of(check);
  if (spread != nullptr || (worst != nullptr && worst->warned)) return;
  const auto* const mean = most_remembered(check, [](const auto&) { return true; });
  if (mean == nullptr) warnings.push_back(wells_text(plan, sweep, outcome));
  if (mean != nullptr)
    warnings.push_back(fmt::format(
        "run: paths remember their start throughout the run{}: {} in the two halves of the window has a correlation of "
        "{:.3g} along single paths, and its mean depends on the states in which they begin: {}",
        at_point_text(plan, sweep, mean->point), name_of(plan, *mean), mean->correlation,
        memory_text(plan, outcome, mean->of, mean->point, mean, 0)));
}

}  // namespace

std::string divergence_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  const Divergence& divergence = outcome.diverged.front();
  const std::string points =
      plan.points.size() > 1 ? fmt::format(" at {} of {} points", outcome.diverged.size(), plan.points.size()) : "";
  const Point& point = plan.points[divergence.point];
  if (std::isfinite(point.facts.tail) && !point.step_too_long)
    return fmt::format(
        "run: paths diverge{}, whose estimates are nan: path {} of {} is not finite by step {:.0f}; Levy noise takes "
        "paths to where forces change within less than dt = {:.3g}, and a smaller step only makes that rarer; give "
        "walls, or forces that grow no faster than the distance far away",
        points, divergence.path + 1, place_of_point(sweep, divergence.point), divergence.step, point.time.dt);
  const char* events = plan.model.events().empty() ? "" : ", or see whether events follow each other without end";
  return fmt::format(
      "run: paths diverge{}, whose estimates are nan: path {} of {} is not finite by step {:.0f}; give a smaller step "
      "than dt = {:.3g}{}",
      points, divergence.path + 1, place_of_point(sweep, divergence.point), divergence.step,
      plan.points[divergence.point].time.dt, events);
}

std::string unsettled_text(const Plan& plan, const Sweep& sweep, const std::vector<size_t>& points) {
  if (points.empty()) return "";
  return fmt::format(
      "run: the transient takes half of the run or more, or is longer than it, at {} of {} points, {} among them; give "
      "more time",
      points.size(), plan.points.size(), place_of_point(sweep, points[0]));
}

namespace {

std::string interrupted_text(const Plan& plan, const RunOutcome& outcome) {
  if (complete(outcome)) return "";
  const auto count = std::ranges::count(outcome.finished, true);
  std::string text = fmt::format("run: interrupted: {} of {} points are finished", count, plan.points.size());
  if (!outcome.reached.empty())
    text = fmt::format("run: interrupted: {} of {} points have estimates, {} have reached what was asked for", count,
                       plan.points.size(), std::ranges::count(outcome.reached, true));
  return text + (std::cmp_less(count, plan.points.size()) ? "; the others are nan" : "");
}

}  // namespace

std::vector<std::string> warnings_of(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  std::vector<std::string> warnings = plan.warnings;
  if (!outcome.diverged.empty()) warnings.push_back(divergence_text(plan, sweep, outcome));
  warnings.insert(warnings.end(), outcome.warnings.begin(), outcome.warnings.end());
  add_step_warnings(plan, sweep, outcome, warnings);
  warnings.push_back(transient_text(plan, sweep, outcome));
  add_memory_warnings(plan, sweep, outcome, warnings);
  warnings.push_back(not_reached_text(plan, sweep, outcome));
  for (std::string& text : observable_warnings(plan, outcome.estimates, outcome.arrays, outcome.finished))
    warnings.push_back(std::move(text));
  warnings.push_back(interrupted_text(plan, outcome));
  std::erase(warnings, "");
  return warnings;
}

std::string transient_check_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  const TransientCheck& check = outcome.transient_check;
  const TransientCheck::Seen* const worst = worst_of(check);
  if (worst == nullptr) return check.text;
  return fmt::format("{}: halves of the window differ most{}: {:.4g} and {:.4g}, by {:.1f} standard errors",
                     name_of(plan, *worst), at_point_text(plan, sweep, worst->point), worst->first, worst->second,
                     std::abs(worst->z));
}

std::string step_check_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  const StepCheck& check = outcome.step_check;
  if (check.seen.empty()) return check.text;
  std::string text;
  for (const Checked& checked : checked_in(plan, check)) {
    const StepCheck::Seen* largest = nullptr;
    double most = 0, least_seen = 0;  // in standard errors
    for (const StepCheck::Seen* seen : checked.seen) {
      if (largest == nullptr || std::abs(seen->error) / seen->allowed > most)
        largest = seen, most = std::abs(seen->error) / seen->allowed;
      if (seen->scatters) least_seen = std::max(least_seen, seen->resolution / seen->allowed);
    }
    if (largest == nullptr) continue;
    const std::string place = at_point_text(plan, sweep, largest->point);
    text += fmt::format("{}{}: largest step error seen {:.2g}", text.empty() ? "" : "; ", name_of(checked, *largest),
                        largest->error);
    if (largest->scatters)
      text += fmt::format(" +- {:.1g}{}, {:.1f} standard errors; 95 % of those above {:.1f} would have been seen",
                          largest->doubt, place, most, least_seen);
    else
      text += place + ", where paths do not scatter";
  }
  return text;
}

std::vector<Column> step_check_columns(const Plan& plan, const StepCheck& check) {
  const std::vector<std::string> names = column_names(plan);
  std::vector<Column> columns;
  for (size_t c = 0; c < names.size(); ++c) {
    const std::vector<double> none(plan.points.size(), std::nan(""));
    Column error{names[c] + "_step_seen", none}, doubt{names[c] + "_step_seen_err", none};
    Column resolution{names[c] + "_step_resolution", none};
    for (const StepCheck::Seen& seen : check.seen) {
      if (seen.column != c) continue;
      error.values[seen.point] = seen.error;
      doubt.values[seen.point] = seen.doubt;
      resolution.values[seen.point] = seen.resolution;
    }
    for (Column* column : {&error, &doubt, &resolution}) columns.push_back(std::move(*column));
  }
  return columns;
}

std::vector<double> step_warning_marks(const Plan& plan, const StepCheck& check) {
  std::vector<double> marks(plan.points.size());
  for (size_t i = 0; i < marks.size(); ++i) marks[i] = plan.points[i].step_too_long ? 1 : 0;
  for (const StepCheck::Seen& seen : check.seen)
    if (seen.warned) marks[seen.point] = 1;
  for (const StepCheck::Layer& layer : check.layers) marks[layer.point] = 1;
  for (const size_t point : check.diverged) marks[point] = 1;
  return marks;
}

}  // namespace bmsim
