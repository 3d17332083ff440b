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

/// A part of a point's step, as it was asked for.
std::string part_of_step(const Point& point, double part) {
  return point.asked.spp ? "spp = " + rounded(*point.asked.spp / part) : "dt = " + rounded(point.time.dt * part);
}

/// A part of a point's step that would do. Where the step is too long for the motion it is well below the longest that
/// is not, and no longer than one that is good for the motion: errors there may have no order at all.
std::string shorter_step(const Point& point, double part) {
  constexpr double of_longest = 0.2;
  if (point.step_too_long) part = std::min({part, of_longest / point.of_longest, point.good_step / point.time.dt});
  return part_of_step(point, part);
}

/// The step at which the error of the step would be as large as it may, if it is larger than was seen by the doubt. At
/// most half of the one that was made: what is nearer hardly helps, and of long steps the order is a guess.
std::string good_step(const Plan& plan, const StepCheck::Seen& seen) {
  constexpr double most = 0.5;
  const Point& point = plan.points[seen.point];
  return shorter_step(point,
                      std::min(most, std::pow(seen.allowed / (std::abs(seen.error) + seen.doubt), 1.0 / seen.order)));
}

/// Whether a step is so long that what longer ones give differs by far more than there is, and the order of errors,
/// which holds for short steps, would name a step that is shorter than the motion asks for.
bool is_beyond_orders(const Plan& plan, const StepCheck::Seen& seen) {
  constexpr double far_more = 10;
  const Point& point = plan.points[seen.point];
  const double size = std::abs(seen.error) + seen.doubt;
  if (!point.step_too_long || size < far_more * std::abs(seen.value)) return false;
  return std::pow(seen.allowed / size, 1.0 / seen.order) * point.time.dt < point.good_step;
}

/// What the check of the step says of a column, or of the arrays of an observable.
struct Checked {
  std::string name;
  std::vector<const StepCheck::Seen*> seen;  ///< by point
  size_t column = StepCheck::Seen::no_column;
};

/// Columns in their order, then observables with arrays.
std::vector<Checked> checked_in(const Plan& plan, const StepCheck& check) {
  std::vector<Checked> all;
  for (std::string& name : column_names(plan)) all.push_back({std::move(name), {}, all.size()});
  const size_t columns = all.size();
  for (const auto& observable : plan.observables) all.push_back({observable->name(), {}});
  for (const StepCheck::Seen& one : check.seen)
    all[one.column == StepCheck::Seen::no_column ? columns + one.observable : one.column].seen.push_back(&one);
  return all;
}

/// "velocity", or "moments: x_cumulant_2 at t = 10" of an array.
std::string name_of(const Checked& checked, const StepCheck::Seen& one) {
  return one.what.empty() ? checked.name : checked.name + ": " + one.what;
}

/// Of every column or observable the point at which layers at kinks of V, or at jumps of amplitudes, make the largest
/// error.
void add_layer_warnings(const Plan& plan, const Sweep& sweep, const StepCheck& check, std::vector<std::string>& all) {
  std::vector<std::string> named;
  for (const StepCheck::Layer& one : check.layers) {
    if (std::ranges::count(named, one.name) != 0) continue;
    named.push_back(one.name);
    const StepCheck::Layer* worst = &one;
    size_t points = 0;
    for (const StepCheck::Layer& other : check.layers)
      if (other.name == one.name && ++points && other.standard_errors > worst->standard_errors) worst = &other;
    const bool several = plan.points.size() > 1;
    all.push_back(
        fmt::format("run: the step makes an error of {}{} within its noise {}: about {:.2g} of {:.4g}{}, {:.0f} "
                    "standard errors; {} would do",
                    one.name, several ? fmt::format(" at {} of {} points", points, plan.points.size()) : "",
                    worst->of_amplitude ? "where an amplitude jumps" : "at a kink of V", worst->error, worst->value,
                    several ? " at " + place_of_point(sweep, worst->point) : "", worst->standard_errors,
                    part_of_step(plan.points[worst->point], worst->part)));
  }
}

void add_step_warnings(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome, std::vector<std::string>& all) {
  const StepCheck& check = outcome.step_check;
  for (const Checked& checked : checked_in(plan, check)) {
    const StepCheck::Seen* worst = nullptr;
    double most = 0;
    size_t warned = 0;
    for (const StepCheck::Seen* one : checked.seen) {
      if (!one->warned) continue;
      ++warned;
      const double size = std::abs(one->error) / one->allowed;
      if (size > most) most = size, worst = one;
    }
    if (worst == nullptr) {
      for (const StepCheck::Together& one : check.together)
        if (one.column == checked.column)
          all.push_back(fmt::format(
              "run: the step makes errors of {} of about {:.1f} standard errors, by {} points taken together; "
              "step_error = true measures them",
              checked.name, one.standard_errors, one.points));
      continue;
    }
    const std::string name = name_of(checked, *worst);
    const std::string where = plan.points.size() > 1
                                  ? fmt::format(" at {} of {} points checked, the largest", warned, checked.seen.size())
                                  : "";
    const std::string place = plan.points.size() > 1 ? " at " + place_of_point(sweep, worst->point) : "";
    if (is_beyond_orders(plan, *worst)) {
      const Point& point = plan.points[worst->point];
      all.push_back(fmt::format(
          "run: the step is far too long for {}{}: longer steps change it{} by far more than it is itself; {} is good "
          "for the motion",
          name, where, place, part_of_step(point, point.good_step / point.time.dt)));
      continue;
    }
    if (!worst->scatters) {
      all.push_back(
          fmt::format("run: the step makes an error of {}{}: {:.2g} of {:.4g}{}, where paths do not scatter; {} would "
                      "make it {:.2g}, step_error = true measures it",
                      name, where, worst->error, worst->value, place, good_step(plan, *worst), worst->allowed));
      continue;
    }
    all.push_back(
        fmt::format("run: the step makes an error of {}{}: {:.2g} +- {:.1g} of {:.4g}{}, {:.0f} standard errors; {} "
                    "would bring it below the "
                    "standard error, step_error = true measures it",
                    name, where, worst->error, worst->doubt, worst->value, place, most, good_step(plan, *worst)));
  }
  add_layer_warnings(plan, sweep, check, all);
  if (!check.diverged.empty()) {
    constexpr double safe = 0.25;
    const size_t point = check.diverged.front();
    all.push_back(fmt::format(
        "run: the step is near its limit of stability at {}: with steps about {} times as long paths diverge; {} would "
        "do",
        place_of_point(sweep, point), plan.points[point].error_order <= 1 ? "4" : "2",
        shorter_step(plan.points[point], safe)));
  }
}

/// Of all that was compared, where the halves of the window differ most; null if nothing was.
const TransientCheck::Seen* worst_of(const TransientCheck& check) {
  const auto smaller = [](const auto& a, const auto& b) { return std::abs(a.z) < std::abs(b.z); };
  const auto worst = std::ranges::max_element(check.seen, smaller);
  return worst == check.seen.end() ? nullptr : &*worst;
}

template <class Compared> std::string name_of(const Plan& plan, const Compared& one) {
  if (one.of == TransientCheck::average) return halved_sums(plan)[one.variable].column;
  if (one.of == TransientCheck::density) return name_of_probability(plan, one.variable);
  const std::string& variable = plan.model.variables()[one.variable].name;
  if (one.of == TransientCheck::diffusion) return fmt::format("Var(d{})/(2 time)", variable);
  return plan.model.is_system() ? "velocity_" + variable : "velocity";
}

/// A run that would do: in times of what is remembered, and the part of it that is the transient.
struct Longer {
  double times, transient;
};
/// The start is to be lost in the errors of that run. z: of a difference between the halves of the window of this one;
/// 0: what is left begins as large as the scatter of single paths.
Longer enough_for(const Point& point, double paths, double lasts, double z, double transient) {
  constexpr double least = 20, of_error = 0.25, step = 0.05, most_transient = 0.5, more = 1.2;
  const double window = point.window() / lasts, before = point.time.transient * point.time.dt / lasts;
  // Mean values of exp(-t) over both halves: their difference is what z is of.
  const double decays = -std::expm1(-window / 2), both = 2 / window * std::exp(-before) * decays * decays;
  double start = std::sqrt(paths);  // over the error of a mean over paths
  // An error falls with the root of the window as soon as this is longer than memory.
  if (z != 0) start = std::max(start, std::abs(z) / 2 / both * std::sqrt(std::min(1.0, window / 2)));
  Longer longer{least, transient};
  while (true) {
    const double rest = (1 - longer.transient) * longer.times;
    if (start * std::exp(-longer.transient * longer.times) / rest / std::sqrt(2 / rest) <= of_error) return longer;
    if (longer.transient + step <= most_transient)
      longer.transient = std::round((longer.transient + step) / step) * step;
    else
      longer.times *= more;
  }
}

/// What a time says that is long beside what is remembered.
std::string enough_text(const Plan& plan, const Point& point, double paths, double lasts, double z) {
  constexpr double usual = 0.1, most = 1e6;
  const bool finds = plan.options.find_transient;
  const double given = finds ? usual : std::max(usual, plan.options.transient);
  const Longer longer = enough_for(point, paths, std::min(lasts, most * point.window()), z, given);
  const bool says = !finds && longer.transient > plan.options.transient;
  return fmt::format("a time of about {:.2g}{} would do", lasts * longer.times,
                     says ? fmt::format(" with transient = {:.2g}", longer.transient) : "");
}

/// How long paths remember, and what would do. z: of the difference between both halves, 0 if they agree.
std::string memory_text(const Plan& plan, const RunOutcome& outcome, TransientCheck::Of of, size_t at,
                        const TransientCheck::Memory* one, double z) {
  constexpr double most = 1000, least = 20;  // windows
  const Point& point = plan.points[at];
  const double window = point.window();
  const auto paths = static_cast<double>(outcome.paths.empty() ? plan.paths : outcome.paths[at]);
  const bool moves = z != 0;
  const double seen = one == nullptr ? 0 : moves ? one->lasts_at_least : one->lasts;
  // A path that is bound for longer than the run, or is not yet, has not shown how long that lasts: V may tell.
  const bool in_wells = of != TransientCheck::diffusion && (point.facts.period == 0 || point.facts.force == 0);
  const double by_shape = in_wells ? relaxation_at(plan, point) : 0;
  if (by_shape > (seen < most * window ? seen : 0) && by_shape > window / least)
    return fmt::format("by the shape of V what paths remember lasts about {:.2g}, and {}", by_shape,
                       enough_text(plan, point, paths, by_shape, z));
  if (one == nullptr) return "";
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
  for (const TransientCheck::Seen& one : check.seen) {
    checked[one.point] = true;
    if (one.warned) warned[one.point] = true;
  }
  const std::string where =
      plan.points.size() > 1 ? fmt::format(" at {} of {} points checked, most at {}", std::ranges::count(warned, true),
                                           std::ranges::count(checked, true), place_of_point(sweep, worst->point))
                             : "";
  if (worst->rounding)
    return fmt::format(
        "run: rounding takes the noise away{}: what a step adds to {} is less than a digit of single precision, and {} "
        "= "
        "{:.4g} in the first half of the window and {:.4g} in the second; precision = \"double\" would do",
        where, plan.model.variables()[worst->variable].inertial ? "velocities" : "positions", name_of(plan, *worst),
        worst->first, worst->second);
  const TransientCheck::Memory* remembered = nullptr;
  for (const TransientCheck::Memory& one : check.memory)
    if (one.seen && one.of == worst->of && one.variable == worst->variable && one.point == worst->point)
      remembered = &one;
  std::string memory = memory_text(plan, outcome, worst->of, worst->point, remembered, worst->z);
  if (!memory.empty()) memory = ": " + memory;
  return fmt::format(
      "run: the start is still in the results{}: {} = {:.4g} in the first half of the window and {:.4g} in the second, "
      "a "
      "difference of {:.1f} standard errors; give a longer transient, or more {}{}",
      where, name_of(plan, *worst), worst->first, worst->second, std::abs(worst->z),
      plan.points[worst->point].asked.time ? "time" : "periods", memory);
}

/// Of a kind, what is remembered longest; null if nothing that matters is.
template <class Rule> const TransientCheck::Memory* most_remembered(const TransientCheck& check, Rule rule) {
  const TransientCheck::Memory* most = nullptr;
  for (const TransientCheck::Memory& one : check.memory)
    if (one.warned && rule(one) && (most == nullptr || one.correlation > most->correlation)) most = &one;
  return most;
}

/// What is known of an average or a probability that is compared with the equilibrium of V: its estimate, and the mean
/// there.
struct Settled {
  Estimate estimate;
  double mean = 0;
};
Settled settled(const Plan& plan, const RunOutcome& outcome, const TransientCheck::Seen& one) {
  const Point& point = plan.points[one.point];
  if (one.of == TransientCheck::average)
    return {outcome.estimates[plan.column(halved_sums(plan)[one.variable].column)][one.point],
            equilibrium_mean(plan, point, one.variable)};
  const double error = std::abs((one.second - one.first) / one.z) / 2;  // NaN without a difference
  size_t place = one.variable;
  for (const HalvedDensity& density : halved_densities(plan)) {
    if (place < density.places.size())
      return {{(one.first + one.second) / 2, error},
              equilibrium_probability(plan, point, density, density.places[place])};
    place -= density.places.size();
  }
  return {};
}

/// A warning where averages or densities of paths that hardly move from well to well in this run are not those of the
/// equilibrium of V, "" for none: both halves agree then, and no correlation tells.
std::string wells_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  constexpr size_t most_points = 8;
  constexpr double many_errors = 5, importance = 0.02, short_window = 1;  // the last in relaxation times
  if (plan.together()) return "";
  size_t formulas = 0;
  for (const auto& observable : plan.observables) formulas += observable->needs().formulas.size();
  const bool has_averages = formulas == halved_sums(plan).size();
  const auto counts = [&](const TransientCheck::Seen& one) {
    return one.of == TransientCheck::density || (one.of == TransientCheck::average && has_averages);
  };
  const size_t points = plan.points.size(), looked_at = std::min(points, most_points);
  for (size_t n = 0; n < looked_at; ++n) {
    const size_t i = (2 * n + 1) * points / (2 * looked_at);
    const Point& point = plan.points[i];
    const auto is_here = [&](const TransientCheck::Seen& one) { return one.point == i && counts(one); };
    const auto& seen = outcome.transient_check.seen;
    if (std::ranges::none_of(seen, is_here) || relaxation_at(plan, point) < short_window * point.window()) continue;
    for (const TransientCheck::Seen& one : seen) {
      if (!is_here(one)) continue;
      const auto [estimate, mean] = settled(plan, outcome, one);
      const double off = std::abs(estimate.value - mean);
      const double whole = one.of == TransientCheck::density ? 1 : std::max(std::abs(mean), std::abs(estimate.value));
      if (!(off > many_errors * estimate.error && off > importance * whole)) continue;
      return fmt::format(
          "run: paths have not been everywhere{}: {} = {:.4g} +- {:.2g}, and {:.4g} in the equilibrium of V: {}",
          points > 1 ? " at " + place_of_point(sweep, i) : "", name_of(plan, one), estimate.value, estimate.error, mean,
          memory_text(plan, outcome, one.of, i, nullptr, 0));
    }
  }
  return "";
}

void add_memory_warnings(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome,
                         std::vector<std::string>& all) {
  const TransientCheck& check = outcome.transient_check;
  const auto where = [&](const TransientCheck::Memory& one) {
    return plan.points.size() > 1 ? " at " + place_of_point(sweep, one.point) : "";
  };
  const auto* const spread =
      most_remembered(check, [](const auto& one) { return one.of == TransientCheck::diffusion; });
  if (spread != nullptr)
    all.push_back(
        fmt::format("run: {} still grows{}: displacements in the two halves of the window have a correlation of {:.3g} "
                    "along single "
                    "paths, and it has no limit in this run: {}; observe.moments shows how Var({}) grows",
                    name_of(plan, *spread), where(*spread), spread->correlation,
                    memory_text(plan, outcome, spread->of, spread->point, spread, 0),
                    plan.model.variables()[spread->variable].name));
  const TransientCheck::Seen* const worst = worst_of(check);
  if (spread != nullptr || (worst != nullptr && worst->warned)) return;
  const auto* const mean = most_remembered(check, [](const auto&) { return true; });
  if (mean == nullptr) all.push_back(wells_text(plan, sweep, outcome));
  if (mean != nullptr)
    all.push_back(fmt::format(
        "run: paths remember their start throughout the run{}: {} in the two halves of the window has a correlation of "
        "{:.3g} along single paths, and its mean depends on the states in which they begin: {}",
        where(*mean), name_of(plan, *mean), mean->correlation,
        memory_text(plan, outcome, mean->of, mean->point, mean, 0)));
}

}  // namespace

std::string divergence_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  const Divergence& one = outcome.diverged.front();
  const std::string points =
      plan.points.size() > 1 ? fmt::format(" at {} of {} points", outcome.diverged.size(), plan.points.size()) : "";
  const Point& point = plan.points[one.point];
  if (std::isfinite(point.facts.tail) && !point.step_too_long)
    return fmt::format(
        "run: paths diverge{}, whose estimates are nan: path {} of {} is not finite by step {:.0f}; Levy noise takes "
        "paths to where forces change within less than dt = {:.3g}, and a smaller step only makes that rarer; give "
        "walls, or forces that grow no faster than the distance far away",
        points, one.path + 1, place_of_point(sweep, one.point), one.step, point.time.dt);
  const char* events = plan.model.events().empty() ? "" : ", or see whether events follow each other without end";
  return fmt::format(
      "run: paths diverge{}, whose estimates are nan: path {} of {} is not finite by step {:.0f}; give a smaller step "
      "than dt = {:.3g}{}",
      points, one.path + 1, place_of_point(sweep, one.point), one.step, plan.points[one.point].time.dt, events);
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
  std::vector<std::string> all = plan.warnings;
  if (!outcome.diverged.empty()) all.push_back(divergence_text(plan, sweep, outcome));
  all.insert(all.end(), outcome.warnings.begin(), outcome.warnings.end());
  add_step_warnings(plan, sweep, outcome, all);
  all.push_back(transient_text(plan, sweep, outcome));
  add_memory_warnings(plan, sweep, outcome, all);
  all.push_back(not_reached_text(plan, sweep, outcome));
  for (std::string& text : observable_warnings(plan, outcome.estimates, outcome.arrays, outcome.finished))
    all.push_back(std::move(text));
  all.push_back(interrupted_text(plan, outcome));
  std::erase(all, "");
  return all;
}

std::string transient_check_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  const TransientCheck& check = outcome.transient_check;
  const TransientCheck::Seen* const worst = worst_of(check);
  if (worst == nullptr) return check.text;
  return fmt::format("{}: halves of the window differ most{}: {:.4g} and {:.4g}, by {:.1f} standard errors",
                     name_of(plan, *worst), plan.points.size() > 1 ? " at " + place_of_point(sweep, worst->point) : "",
                     worst->first, worst->second, std::abs(worst->z));
}

std::string step_check_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome) {
  const StepCheck& check = outcome.step_check;
  if (check.seen.empty()) return check.text;
  std::string text;
  for (const Checked& checked : checked_in(plan, check)) {
    const StepCheck::Seen* largest = nullptr;
    double most = 0, least_seen = 0;  // in standard errors
    for (const StepCheck::Seen* one : checked.seen) {
      if (largest == nullptr || std::abs(one->error) / one->allowed > most)
        largest = one, most = std::abs(one->error) / one->allowed;
      if (one->scatters) least_seen = std::max(least_seen, one->resolution / one->allowed);
    }
    if (largest == nullptr) continue;
    const std::string place = plan.points.size() > 1 ? " at " + place_of_point(sweep, largest->point) : "";
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
    Column error{names[c] + "_step_seen", none}, of_it{names[c] + "_step_seen_err", none};
    Column resolution{names[c] + "_step_resolution", none};
    for (const StepCheck::Seen& one : check.seen) {
      if (one.column != c) continue;
      error.values[one.point] = one.error;
      of_it.values[one.point] = one.doubt;
      resolution.values[one.point] = one.resolution;
    }
    for (Column* column : {&error, &of_it, &resolution}) columns.push_back(std::move(*column));
  }
  return columns;
}

std::vector<double> step_warning_marks(const Plan& plan, const StepCheck& check) {
  std::vector<double> marks(plan.points.size());
  for (size_t i = 0; i < marks.size(); ++i) marks[i] = plan.points[i].step_too_long ? 1 : 0;
  for (const StepCheck::Seen& one : check.seen)
    if (one.warned) marks[one.point] = 1;
  for (const StepCheck::Layer& one : check.layers) marks[one.point] = 1;
  for (const size_t point : check.diverged) marks[point] = 1;
  return marks;
}

}  // namespace bmsim
