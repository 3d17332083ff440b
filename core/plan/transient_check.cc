#include "plan/transient_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "compose/composer.h"
#include "compose/texts.h"
#include "observe/jackknife.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr uint64_t fewest_for_scatter = 32;      // fewest paths whose scatter gives an error
constexpr double false_alarms_of_start = 0.003;  // their probability in a run, over all points and variables
// A standard error below this part of what is compared is rounding and no scatter, in single and in double precision.
constexpr double single_rounding_part = 1e-6, double_rounding_part = 1e-12;
// Steps of a window beside which a block of iterations is short. Paths with clocks of their own are looked at when a
// block begins. That is at an event more often than time is, which shifts the halves by a part of a step. Few paths do
// not see it in shorter windows: with an event in every step, and so many steps for the root of the number of paths, it
// is less than a third of a standard error.
constexpr double least_steps = 1024, fewest_steps = 256, steps_for_root = 8;
// A correlation counts if more paths make it than this part of the square of the quantile: 1.8 for one comparison, 4.6
// for two thousand. If values have a normal law, a third of the paths make it.
constexpr double of_quantile = 0.2;
// From this correlation between halves on, paths remember throughout the window: memory would fade in more than twice a
// half. And the least missing part of a diffusion coefficient that matters.
constexpr double remembered = 0.75, least_missing = 0.02;

/// Which of the observables that take the window for a stationary state: all, those made of the growth of variances, or
/// those that are not averages alone.
enum class Checked { all, spreads, velocities };
/// By variable: whether such an observable is of it. One of several variables, or of a formula, is of all.
std::vector<bool> checked_variables(const EnsemblePlan& plan, Checked kind = Checked::all) {
  const size_t variables = plan.model.variables().size();
  std::vector<bool> checked(variables);
  for (const auto& observable : plan.observables) {
    if (!observable->of_stationary_state()) continue;
    if (kind == Checked::spreads && !observable->of_spread()) continue;
    if (kind == Checked::velocities && !observable->halved().empty()) continue;
    const size_t variable = observable->variable();
    if (variable < variables && observable->needs().formulas.empty() && !observable->needs().windows)
      checked[variable] = true;
    else
      checked.assign(variables, true);
  }
  return checked;
}

bool has_chance(const Model& model) {
  return !model.events().empty() || std::ranges::any_of(model.components(), [](const Component& component) {
    return (*component.plugin)->kind == BM_NOISE;
  });
}

bool too_few(const Plan& plan) {
  return plan.together() ? plan.replicas < fewest_parts : plan.paths < fewest_for_scatter;
}

std::string why_not(const Plan& plan) {
  if (!plan.options.check_transient) return "not checked: check_transient is false";
  if (plan.model.absorbing() != nullptr) return "not checked: paths end at walls";
  if (plan.kernel.method == Method::adaptive) return "not checked: steps of method adaptive depend on the place";
  // Half of a step's events at a boundary come before it, and the middle divides no step.
  if (!hazards(plan.model).empty()) return "not checked: events come at rates that change, or at intervals";
  if (!has_chance(plan.model)) return "not checked: without noise paths do not forget their start";
  const std::vector<bool> checked = checked_variables(plan);
  if (std::ranges::count(checked, true) == 0)
    return "not checked: no observable takes the window for a stationary state";
  if (too_few(plan))
    return fmt::format("not checked: {} are too few", plan.together() ? fmt::format("{} replicas", plan.replicas)
                                                                      : fmt::format("{} paths", plan.paths));
  return "";
}

/// Steps of a window that paths with clocks of their own need. Several shares of a point may have any number of paths.
double steps_for_own_clocks(const EnsemblePlan& plan) {
  if (plan.pools || plan.together()) return least_steps;
  return std::clamp(steps_for_root * std::sqrt(static_cast<double>(plan.paths)), fewest_steps, least_steps);
}

/// Periods, in steps, of what depends on time at a point. irregular: something that depends on time has no period.
struct Rhythm {
  std::vector<double> periods{};
  bool irregular = false;
};
Rhythm rhythm_of(const EnsemblePlan& plan, const Point& point) {
  Rhythm rhythm;
  const auto& components = plan.model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const Plugin& plugin = *components[k].plugin;
    if (plugin->kind == observed_kind) continue;
    const StateFunctions* functions = plugin.state_functions();
    if (functions != nullptr && functions->event() != nullptr && functions->event()->trigger == EventShape::interval)
      rhythm.irregular = true;
    const std::vector<double> turns = plugin.frequencies(point.values.values[k].data());
    const std::vector<bool> wraps = plugin.phases_wrap();
    const std::vector<int> fields = plugin.phases_of_fields();
    for (size_t i = 0; i < wraps.size(); ++i) {
      if (fields[i] >= 0) continue;
      if (!wraps[i])
        rhythm.irregular = true;
      else if (turns[i] != 0 && !plan.kernel.random_phases)
        rhythm.periods.push_back(1 / std::abs(turns[i]) / point.time.dt);
    }
  }
  return rhythm;
}

/// Steps by which the halves differ from whole periods.
struct Misfit {
  double first = 0, second = 0;
};
Misfit misfit_of(const Rhythm& rhythm, const PointTime& time) {
  Misfit misfit;
  const auto odd = [](double steps, double period) { return std::abs(steps - std::round(steps / period) * period); };
  for (const double period : rhythm.periods) {
    misfit.first = std::max(misfit.first, odd(time.middle - time.transient, period));
    misfit.second = std::max(misfit.second, odd(time.steps - time.middle, period));
  }
  return misfit;
}

bool scatters(const EnsemblePlan& plan, const Point& point) {
  const auto is_noisy = [&](const Component& component) {
    const double* values = point.values.values[plan.model.index_of(component)].data();
    return (*component.plugin)->kind == BM_NOISE && component.plugin->intensity(values).value_or(1) != 0;
  };
  return !plan.model.events().empty() || std::ranges::any_of(plan.model.components(), is_noisy);
}

/// The difference between the lengths of both halves, as a part of their mean. Variances of displacements need not grow
/// in proportion to time: those of bound particles do not grow at all, others faster.
double uneven(const HalfMoments& m) {
  const double total = m.first_time + m.second_time;
  return total > 0 ? 2 * std::abs(m.second_time - m.first_time) / total : 0;
}

std::string nothing_to_compare(const Plan& plan) {
  const Point& point = plan.points[0];
  if (std::isfinite(point.facts.tail)) return "velocities under noise with heavy tails have no standard error";
  if (rhythm_of(plan, point).irregular) return "forces depend on time, without a period";
  if (!scatters(plan, point)) return "without noise paths do not forget their start";
  if (point.time.middle < bmsim_abi::NEVER) return "no velocity that scatters";
  return "the window is too short";
}

/// Whether averages are compared. Formulas of t alone would differ between halves. So do driven ones, unless both
/// halves are whole periods.
bool compares_averages(const Plan& plan, const Misfit& misfit) {
  const Component* observed = plan.model.observed();
  if (observed != nullptr && observed->plugin->depends_on_time()) return false;
  constexpr double rounding = 1e-6;  // steps
  return misfit.first <= rounding && misfit.second <= rounding;
}

/// Whether all paths forget what they began with: not if they begin on a grid, or at phases of their own.
bool begins_alike(const Plan& plan, const Point& point) {
  const PointFacts& facts = point.facts;
  bool alike = !plan.kernel.random_phases;
  for (size_t i = 0; i < facts.variables(); ++i)
    alike = alike && facts.variable(i).grid_x.empty() && facts.variable(i).grid_v.empty();
  return alike;
}

void compare_memory(const Plan& plan, TransientCheck::Of quantity, size_t variable, size_t point, const HalfMoments& m,
                    std::vector<TransientCheck::Memory>& memories) {
  const double products = (m.first_squares + m.second_squares - m.change_squares) / 2;
  const double correlation = products / std::sqrt(m.first_squares * m.second_squares);
  if (!std::isfinite(correlation) || m.paths < 4) return;
  TransientCheck::Memory memory{quantity, variable, point, correlation, 0, 0, 0, 0, false, false};
  memory.shared = m.product_squares > 0 ? products * products / m.product_squares : 0;
  if (correlation > 0) {
    const double dt = plan.points[point].time.dt, before = plan.points[point].time.transient * dt;
    const double window = m.first_time + m.second_time;
    const auto lasts = [&](double r) { return r < 1 ? window / 2 / halves_in_memory(r) : INFINITY; };
    memory.lasts = lasts(correlation);
    // In units of the smaller scatter of both: where few paths have changed in one half, they were fewer in the other.
    memory.lasts_at_least = lasts(products / std::min(m.first_squares, m.second_squares));
    // Var x grows as 2 D (1 - exp(-t/lasts)): the mean over the window lacks this part of D.
    memory.missing = std::isfinite(memory.lasts) ? memory.lasts / window * std::exp(-before / memory.lasts) *
                                                       -std::expm1(-window / memory.lasts)
                                                 : 1;
  }
  memories.push_back(memory);
}

/// Whether a step's noise on a variable is less than a unit in the last place of what it is added to: of its velocity,
/// or of a position within a period, or where a step leads from it.
bool rounds_noise_away(const Plan& plan, const Point& point, size_t variable, double velocity) {
  const VariableFacts& facts = point.facts.variable(variable);
  const double unit = plan.kernel.precision == Precision::single_precision ? std::numeric_limits<float>::epsilon()
                                                                           : std::numeric_limits<double>::epsilon();
  const double dt = point.time.dt, kick = std::sqrt(2 * facts.thermal * dt);
  if (facts.thermal == 0 || !std::isfinite(kick)) return false;
  if (facts.mass > 0) return unit * std::abs(velocity) > kick / facts.mass;
  return unit * std::max(point.values.variables[variable].length(), std::abs(velocity) * dt) > kick;
}

/// Densities that are compared: none where paths end, or nothing scatters.
std::vector<HalvedDensity> compared_densities(const Plan& plan) {
  if (!plan.options.check_transient || plan.model.absorbing() != nullptr || !has_chance(plan.model) || too_few(plan))
    return {};
  return halved_densities(plan);
}

/// Compares the probabilities of densities below a few places: those where the probability over the whole window is
/// nearest to 0.1, 0.3, 0.5, 0.7 and 0.9.
void compare_densities(const std::vector<HalvedDensity>& densities, size_t point, std::span<const HalfMoments> moments,
                       size_t first, std::vector<TransientCheck::Seen>& seen) {
  constexpr double parts[] = {0.1, 0.3, 0.5, 0.7, 0.9}, least = 0.02;
  size_t number = 0;  // among the places of all densities
  for (const HalvedDensity& density : densities) {
    const size_t begin = number, end = begin + density.places.size();
    number = end;
    const auto probability = [&](size_t k) { return (moments[first + k].first + moments[first + k].second) / 2; };
    size_t last = end;
    for (const double part : parts) {
      size_t nearest = begin;
      for (size_t k = begin; k < end; ++k)
        if (std::abs(probability(k) - part) < std::abs(probability(nearest) - part)) nearest = k;
      const HalfMoments& m = moments[first + nearest];
      if (nearest == last || m.paths < fewest_parts || std::min(probability(nearest), 1 - probability(nearest)) < least)
        continue;
      last = nearest;
      const double error = std::sqrt(m.change_squares / (m.paths * (m.paths - 1)));
      if (error > 0)
        seen.push_back(
            {TransientCheck::density, nearest, point, m.first, m.second, (m.second - m.first) / error, false});
    }
  }
}

/// Whether a correlation that is more than chance matters. Of displacements it does if a diffusion coefficient lacks
/// more than two standard errors; of other quantities, if there is next to no fading.
bool matters(const TransientCheck::Memory& memory, double paths) {
  if (memory.of != TransientCheck::diffusion) return memory.correlation > remembered;
  const double error = std::sqrt(2 / paths);  // of a variance, relative
  return memory.missing > std::max(least_missing, 2 * error) * (1 - memory.missing);
}

}  // namespace

std::vector<HalvedSum> halved_sums(const EnsemblePlan& plan) {
  std::vector<HalvedSum> sums;
  for (const auto& observable : plan.observables) std::ranges::move(observable->halved(), std::back_inserter(sums));
  return sums;
}

std::vector<HalvedDensity> halved_densities(const EnsemblePlan& plan) {
  std::vector<HalvedDensity> densities;
  for (const auto& observable : plan.observables)
    std::ranges::move(observable->halved_densities(plan.points[0].facts), std::back_inserter(densities));
  return densities;
}

std::string name_of_probability(const EnsemblePlan& plan, size_t place) {
  for (const HalvedDensity& density : halved_densities(plan)) {
    if (place < density.places.size()) return fmt::format("P({} < {:.4g})", density.variable, density.places[place]);
    place -= density.places.size();
  }
  return "";
}

// The correlation of halves of length y, in times of fading, is (1 - exp(-y))^2 / (2 (y - 1 + exp(-y))), from 1 to 0.
double halves_in_memory(double correlation) {
  const auto correlation_at = [](double y) {
    if (y < 1e-4) return 1 - 2 * y / 3;
    const double gone = -std::expm1(-y);
    return gone * gone / (2 * (y - gone));
  };
  double low = 1e-12, high = 1e12;
  for (int i = 0; i < 100; ++i) {
    const double y = std::sqrt(low * high);
    double& end = correlation_at(y) > correlation ? low : high;
    if (end == y) break;
    end = y;
  }
  return low;
}

Halves::Halves(const EnsemblePlan& plan) {
  const std::vector<HalvedDensity> densities = halved_densities(plan);
  if (!plan.kernel.halves && densities.empty()) return;
  numbers_ = plan.model.variables().size() + halved_sums(plan).size();
  for (const HalvedDensity& density : densities) numbers_ += density.places.size();
  moments_.resize(plan.points.size() * numbers_);
}
void Halves::add(size_t point, std::span<const HalfMoments> moments) {
  for (size_t i = 0; i < moments.size(); ++i) add_paths(moments_[point * numbers_ + i], moments[i]);
}
void Halves::forget(size_t point) {
  std::ranges::fill(std::span(moments_).subspan(point * numbers_, numbers_), HalfMoments());
}

void choose_halves(Plan& plan) {
  plan.kernel.halves = why_not(plan).empty();
  for (Point& point : plan.points) place_middle(plan, point);
  plan.kernel.halves =
      std::ranges::any_of(plan.points, [](const Point& point) { return point.time.middle < bmsim_abi::NEVER; });
}

void place_middle(const EnsemblePlan& plan, Point& point) {
  PointTime& time = point.time;
  time.middle = bmsim_abi::NEVER;
  if (!plan.kernel.halves || std::isfinite(point.facts.tail) || !scatters(plan, point)) return;
  const bool own_clocks = makes_steps(plan.kernel.method) && plan.kernel.method != Method::paper &&
                          (has_events(plan.model) || !plan.model.events().empty());
  const double window = time.steps - time.transient;
  if (window < (own_clocks ? steps_for_own_clocks(plan) * point.substeps : 2 * point.substeps)) return;
  const Rhythm rhythm = rhythm_of(plan, point);
  if (rhythm.irregular) return;
  double half = window / 2;
  if (!rhythm.periods.empty()) {
    const double period = std::ranges::max(rhythm.periods);
    half = std::floor(std::round(window / period) / 2) * period;
    if (half == 0) return;
  }
  const double unit = point.substeps >= 1 ? point.substeps : 1;
  half = std::round(half / unit) * unit;
  if (half > 0 && half < window) time.middle = time.transient + half;
}

TransientCheck check_transient(const Plan& plan, const Halves& halves) {
  TransientCheck check;
  check.text = why_not(plan);
  const std::vector<HalvedDensity> densities = compared_densities(plan);
  const bool moves = check.text.empty();  // motion is compared, not densities alone
  if (!moves && densities.empty()) return check;
  const std::vector<bool> checked = checked_variables(plan), spreads = checked_variables(plan, Checked::spreads),
                          velocities = checked_variables(plan, Checked::velocities);
  const size_t averages = halved_sums(plan).size();
  const double no_scatter =
      plan.kernel.precision == Precision::single_precision ? single_rounding_part : double_rounding_part;
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const PointTime& time = plan.points[i].time;
    const Rhythm rhythm = rhythm_of(plan, plan.points[i]);
    if (scatters(plan, plan.points[i]) && !rhythm.irregular && rhythm.periods.empty())
      compare_densities(densities, i, halves.at(i), checked.size() + averages, check.seen);
    if (!moves || !(time.middle < bmsim_abi::NEVER)) continue;
    const Misfit misfit = misfit_of(rhythm, time);
    const bool has_averages = averages > 0 && compares_averages(plan, misfit);
    const double allowed = plan.points[i].fastest *
                           (misfit.first / (time.middle - time.transient) + misfit.second / (time.steps - time.middle));
    const bool alike = begins_alike(plan, plan.points[i]);
    // explained: a difference for which there are other reasons
    const auto compare = [&](TransientCheck::Of quantity, size_t k, double first, double second, double squares,
                             double explained) {
      const double n = halves.at(i)[k + (quantity == TransientCheck::average ? checked.size() : 0)].paths;
      const double change = second - first, error = std::sqrt(squares / (n * (n - 1)));
      if (!std::isfinite(change) || !std::isfinite(error)) return false;
      if (error <= no_scatter * std::max(std::abs(first), std::abs(second))) return false;
      const double z = std::copysign(std::max(0.0, std::abs(change) - explained), change) / error;
      check.seen.push_back({quantity, k, i, first, second, z, false});
      return true;
    };
    for (size_t k = 0; k < checked.size(); ++k) {
      const HalfMoments& m = halves.at(i)[k];
      if (!checked[k] || m.paths < fewest_parts) continue;
      // A velocity that is no result of the run says nothing about its results, which are compared themselves.
      const bool scatter = (velocities[k] || !has_averages) &&
                           compare(TransientCheck::velocity, k, m.first, m.second, m.change_squares, allowed);
      const bool has_squares = plan.points[i].facts.of(k).knows_error(2, plan.paths);
      if (scatter && has_squares && alike && velocities[k])
        compare_memory(plan, TransientCheck::velocity, k, i, m, check.memory);
      if (!spreads[k] || !has_squares) continue;
      const double first = m.first_spread / 2, second = first + m.widening / 2;
      const bool spread = compare(TransientCheck::diffusion, k, first, second, m.widening_squares / 4,
                                  std::max(first, second) * uneven(m));
      if (spread && !plan.together()) compare_memory(plan, TransientCheck::diffusion, k, i, m, check.memory);
    }
    for (size_t k = 0; has_averages && k < averages; ++k) {
      const HalfMoments& m = halves.at(i)[checked.size() + k];
      if (m.paths < fewest_parts) continue;
      if (compare(TransientCheck::average, k, m.first, m.second, m.change_squares, 0) && alike)
        compare_memory(plan, TransientCheck::average, k, i, m, check.memory);
    }
  }
  if (check.seen.empty()) {
    if (moves) check.text = "not checked: " + nothing_to_compare(plan);
    return check;
  }
  const auto paths = [&](const auto& comparison) {
    const size_t first = comparison.of == TransientCheck::average   ? checked.size()
                         : comparison.of == TransientCheck::density ? checked.size() + averages
                                                                    : 0;
    return halves.at(comparison.point)[first + comparison.variable].paths;
  };
  const double quantile = normal_quantile_of_tails(false_alarms_of_start / static_cast<double>(check.seen.size()));
  for (TransientCheck::Seen& seen : check.seen) {
    seen.warned = std::abs(seen.z) > student(quantile, paths(seen) - 1);
    if (seen.of == TransientCheck::average || seen.of == TransientCheck::density) continue;
    seen.rounding =
        rounds_noise_away(plan, plan.points[seen.point], seen.variable, halves.at(seen.point)[seen.variable].second);
  }
  for (TransientCheck::Memory& memory : check.memory) {
    const double z = std::atanh(std::min(memory.correlation, 1 - 1e-12)) * std::sqrt(paths(memory) - 3);
    // If independent halves have heavy tails, a path or two that are far off in both can make a correlation near 1.
    // That is rare at one point, and happens in a sweep of many.
    memory.seen = z > quantile && memory.shared > quantile * quantile * of_quantile;
    memory.warned = memory.seen && matters(memory, paths(memory));
  }
  return check;
}

}  // namespace bmsim
