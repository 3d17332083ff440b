#include "engine/step_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compose/trajectory.h"
#include "engine/angles.h"

namespace bmsim {

namespace {

constexpr double steps_share = 0.045;  // steps of the check over those of the run
// Where a point's step is above this part of the longest one, its error may be as large with steps twice as long: parts
// of higher order cancel that of second order. There some paths make steps three times as long, too. Default steps are
// shorter.
constexpr double coarse_part = 0.3;
constexpr double thrice = 3;
constexpr double steps_share_beside_thrice = 0.04, steps_share_of_thrice = 0.01;
constexpr uint64_t least_paths_of_thrice = 16;
// Lane groups of the check over those of the run. On a CPU a longer step takes up to 1.5 times as long, because of its
// events.
constexpr double time_share = 0.065;
constexpr uint64_t least_paths = 32;   // fewest whose scatter gives an error
constexpr double brief = 1e8;          // steps: a shorter run may cost twice as much
constexpr double false_alarms = 0.01;  // their probability in a run, over all points and columns
constexpr size_t least_points = 8;     // fewest points that are judged together
// Paths that begin at one place without noise all have one value: nothing scatters beyond rounding. Part of the value
// up to which an error of the step is then as good as none, about what default steps make.
constexpr double allowed_part = 0.01;
constexpr double rounding_part = 1e-6;
// The error of a step so long that motion hardly allows it is not of the order that it is extrapolated with: part of it
// that is in doubt then, over the part that the step is of the longest one. In tilted sines it is too small by 10 to 30
// % at half of the longest step, by 40 % at 0.8 of it, by 55 % at 1.07 of it.
constexpr double doubtful_part = 0.75;
// Share numbers of the check. They differ from those of the run and of step levels (engine/levels.cc), so that all
// ensembles are independent.
constexpr uint64_t first_share = uint64_t{15} << 38, first_share_of_thrice = uint64_t{14} << 38;

/// Ratio of the longer step to the step of the run. With the order of the error it makes the error four times as large.
double longer_by(const Point& point) { return point.error_order == 1 ? 4 : 2; }

/// Whether steps of two lengths do not suffice.
bool is_coarse(const Plan& plan, const Point& point) {
  return !plan.together() && point.error_order != 1 && point.of_longest > coarse_part;
}

/// Number of points, of shares of each, and of their paths, that the cost allows. shares 0: as many as the run has.
struct Size {
  uint64_t points = 0, paths = 0, shares = 0;
};
/// The same where paths are systems, of which whole ones are run again: fewest_parts at every point, or at some.
Size affordable_systems(const Plan& plan) {
  if (plan.replicas < fewest_parts) return {};
  double steps = 0, longer_steps = 0;
  for (const Point& point : plan.points) steps += point.time.steps, longer_steps += point.time.steps / longer_by(point);
  const uint64_t points = plan.points.size();
  if (steps * static_cast<double>(plan.paths * plan.replicas) < brief) return {points, plan.paths, fewest_parts};
  const auto systems =
      static_cast<uint64_t>(steps_share * steps / longer_steps * static_cast<double>(points * plan.replicas));
  if (systems < fewest_parts) return {};
  return {std::min(points, systems / fewest_parts), plan.paths, std::max<uint64_t>(fewest_parts, systems / points)};
}
Size affordable(const Plan& plan, uint64_t lanes) {
  const auto paths = static_cast<double>(plan.paths), points = static_cast<double>(plan.points.size());
  const auto whole = [](double x) { return static_cast<uint64_t>(std::max(0.0, std::floor(x))); };
  if (plan.paths < least_paths) return {};
  double steps = 0, longer_steps = 0;
  for (const Point& point : plan.points) {
    steps += point.time.steps * paths;
    longer_steps += point.time.steps * paths / longer_by(point);
  }
  const double factor = steps / longer_steps;
  const bool coarse = std::ranges::any_of(plan.points, [&](const Point& point) { return is_coarse(plan, point); });
  const double share = coarse ? steps_share_beside_thrice : steps_share;
  if (steps < brief) {
    const double enough = std::max<double>(least_paths, share * factor * paths);
    return {plan.points.size(), whole(enough)};
  }
  const double groups = std::ceil(paths / static_cast<double>(lanes));  // of a point
  const double steps_for_all = share * factor * paths * points;
  const double most_points = std::min({points, std::floor(time_share * points * groups * factor),
                                       std::floor(steps_for_all / static_cast<double>(least_paths))});
  if (most_points < 1) return {};
  uint64_t at_each = whole(steps_for_all / most_points);
  if (most_points == points && at_each >= lanes) at_each -= at_each % lanes;
  if (most_points < points) at_each = std::min(at_each, lanes);
  return {whole(most_points), std::min(at_each, plan.paths)};
}

/// Paths of steps three times as long, at each of so many points that are coarse; 0: too few.
uint64_t affordable_of_thrice(const Plan& plan, uint64_t points, uint64_t lanes) {
  const double paths = steps_share_of_thrice * thrice * static_cast<double>(plan.paths);
  double steps = 0;
  for (const Point& point : plan.points) steps += point.time.steps * static_cast<double>(plan.paths);
  if (steps < brief) return std::max<uint64_t>(least_paths_of_thrice, static_cast<uint64_t>(paths));
  // those that are not coarse, or not checked, leave their part to the others
  auto each = static_cast<uint64_t>(paths * static_cast<double>(plan.points.size()) / static_cast<double>(points));
  each = std::min({each, plan.paths, std::max<uint64_t>(lanes, static_cast<uint64_t>(paths))});
  if (each >= lanes) each -= each % lanes;
  return each < least_paths_of_thrice ? 0 : each;
}

/// Requests for observables that have columns and need no recording: the run's own kernel measures them.
std::vector<ObservableRequest> checked_requests(const Plan& plan) {
  std::vector<ObservableRequest> requests;
  for (size_t i = 0; i < plan.observables.size(); ++i) {
    const Observable& one = *plan.observables[i];
    if (one.columns().empty() || !plan.points[0].marks_of[i].empty()) continue;
    requests.push_back(plan.requests[i]);
  }
  return requests;
}

/// The run's plan at some of its points, with longer steps.
EnsemblePlan with_longer_steps(const Plan& plan, const std::vector<size_t>& points, uint64_t paths, auto longer_by) {
  EnsemblePlan longer = same_model(plan, checked_requests(plan), paths);
  // Clocks of their own end the window anywhere, so that it is the same: an event that comes after a fixed time is in
  // both or in none.
  const bool same_window = has_countdowns(count(plan.model), plan.kernel) && plan.kernel.method != Method::paper;
  for (const size_t i : points) {
    Point point = plan.points[i];
    const PointTime time = point.time;
    const double factor = longer_by(point);
    point.substeps = 1 / factor;
    const double steps = time.steps / factor, transient = time.transient / factor;
    point.time = same_window ? PointTime{time.dt * factor, steps, transient}
                             : PointTime{time.dt * factor, std::max(1.0, std::round(steps)), std::floor(transient)};
    longer.points.push_back(std::move(point));
  }
  for (Point& point : longer.points) set_transient(longer, point, point.time.transient);
  return longer;
}

/// Judges the errors of a column at all points together; adds nothing if chance explains them.
void add_together(StepCheck& check, size_t column, const Estimates& run, double freedom) {
  double squares = 0, excess = 0, count = 0;  // relative to their own errors; excess in standard errors of the run
  const double expected = freedom / (freedom - 2);  // of Student's law
  for (const StepCheck::Seen& one : check.seen) {
    if (one.column != column || !one.scatters) continue;
    const double z = one.error / one.error_of_it, scale = one.error_of_it / run.column(column, one.point).error;
    squares += z * z;
    excess += (z * z - expected) * scale * scale;
    ++count;
  }
  if (count < least_points || squares / count < expected * (1 + 4 * std::sqrt(2 / count))) return;
  const double size = std::sqrt(std::max(0.0, excess / count));
  if (size > 2) check.together.push_back({column, static_cast<size_t>(count), size});
}

/// The same quantile of Student's law from that of the normal law, to first order in 1/freedom.
double student(double z, double freedom) { return z + (z * z * z + z) / (4 * freedom); }

}  // namespace

double normal_quantile_of_tails(double probability) {
  double z = 2;
  for (int i = 0; i < 60; ++i)
    z += (std::erfc(z / std::sqrt(2.0)) - probability) / (std::sqrt(2 / M_PI) * std::exp(-z * z / 2));
  return z;
}

struct StepChecker::Ensemble {
  Ensemble(const Plan& run, std::vector<size_t> points, uint64_t paths, auto longer_by, const RunHooks& run_hooks,
           const Backends& backends, const Kernels& kernels)
      : plan(with_longer_steps(run, points, paths, longer_by)),
        estimates(std::make_unique<Estimates>(plan)),
        turns(turns_of(plan)),
        point(std::move(points)) {
    hooks.journal = run_hooks.journal;
    runner = std::make_unique<Runner>(
        plan, hooks, backends, kernels, outcome,
        [this](size_t i, const ShareResult& share) { estimates->add(i, share.columns, share.arrays, share.pooled); });
    for (const auto& observable : plan.observables)
      for (const std::string& name : observable->columns()) column.push_back(run.column(name));
  }
  Ensemble(const Ensemble&) = delete;
  Ensemble& operator=(const Ensemble&) = delete;
  Runner* begin(const std::vector<Share>& shares, uint64_t first, uint64_t most_shares) {
    const uint64_t offset = first / plan.points.size();
    std::vector<Share> mine;
    for (const Share& share : shares) {
      const auto found = std::find(point.begin(), point.end(), share.point);
      if (found == point.end() || (most_shares > 0 && share.number >= most_shares)) continue;
      mine.push_back({static_cast<uint32_t>(found - point.begin()), offset + share.number});
    }
    runner->begin(mine);
    return runner.get();
  }

  EnsemblePlan plan;
  RunHooks hooks;
  RunOutcome outcome;
  std::unique_ptr<Estimates> estimates;
  std::vector<double> turns;  ///< by column, see angles.h
  std::unique_ptr<Runner> runner;
  std::vector<size_t> point;   ///< index in the run, by point
  std::vector<size_t> column;  ///< index in the run, by column
};

StepChecker::StepChecker(const Plan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels)
    : plan_(plan) {
  if (!plan.options.check_step) why_not_ = "not checked: check_step is false";
  if (!makes_steps(plan.kernel.method)) why_not_ = "method exact makes no steps";
  if (why_not_.empty() && checked_requests(plan).empty())
    why_not_ = "not checked: no observable that is a column of the window";
  if (!why_not_.empty()) return;
  const uint64_t lanes = kernels[0]->layout().lanes;
  const Size size = plan.together() ? affordable_systems(plan) : affordable(plan, lanes);
  if (size.points == 0 || (size.paths < least_paths && !plan.together())) {
    why_not_ = fmt::format("not checked: {} are too few; step_error = true tells",
                           plan.together() ? fmt::format("{} points of {} replicas", plan.points.size(), plan.replicas)
                                           : fmt::format("{} paths", plan.paths));
    return;
  }
  shares_ = size.shares;
  std::vector<size_t> points, coarse;
  for (uint64_t i = 0; i < size.points; ++i) {
    points.push_back((2 * i + 1) * plan.points.size() / (2 * size.points));
    if (is_coarse(plan, plan.points[points.back()])) coarse.push_back(points.back());
  }
  longer_ = std::make_unique<Ensemble>(plan, points, size.paths, longer_by, hooks, backends, kernels);
  const uint64_t paths = coarse.empty() ? 0 : affordable_of_thrice(plan, coarse.size(), lanes);
  const auto by_three = [](const Point&) { return thrice; };
  if (paths > 0) thrice_ = std::make_unique<Ensemble>(plan, coarse, paths, by_three, hooks, backends, kernels);
}
StepChecker::~StepChecker() = default;

std::vector<Runner*> StepChecker::begin(const std::vector<Share>& shares) {
  std::vector<Runner*> all;
  if (longer_) all.push_back(longer_->begin(shares, first_share, shares_));
  if (thrice_) all.push_back(thrice_->begin(shares, first_share_of_thrice, 0));
  return all;
}

/// The error of a step that has parts of second and of fourth order, from steps of three lengths: with e(k) for steps k
/// times as long, 0.6 (e(2) - e(1)) - 0.1 (e(3) - e(1)) = e(1).
StepChecker::Fit StepChecker::fit(size_t c, size_t i, const Estimates& run) const {
  const auto found = std::find(thrice_->point.begin(), thrice_->point.end(), longer_->point[i]);
  if (found == thrice_->point.end()) return {};
  const Estimate& one = run.column(longer_->column[c], longer_->point[i]);
  const Estimate& two = longer_->estimates->column(c, i);
  const Estimate& three = thrice_->estimates->column(c, found - thrice_->point.begin());
  const auto change = [&](const Estimate& other) { return near(other.value - one.value, 0, longer_->turns[c]); };
  return {0.6 * change(two) - 0.1 * change(three), std::hypot(0.5 * one.error, 0.6 * two.error, 0.1 * three.error)};
}

/// Where steps of three lengths tell an error that those of two do not, it is the one seen.
void StepChecker::judge_fit(StepCheck::Seen& seen, const Fit& fit, double z) const {
  if (!std::isfinite(fit.error) || !std::isfinite(fit.of_it)) return;
  const double bound = student(z, static_cast<double>(least_paths_of_thrice)) * fit.of_it + 2 * seen.allowed;
  seen.resolution = std::max(seen.resolution, bound + 1.645 * fit.of_it);
  if (seen.warned || !(std::abs(fit.error) > bound)) return;
  seen.warned = true;
  seen.error = fit.error, seen.error_of_it = fit.of_it;
  seen.doubt = std::hypot(fit.of_it, doubtful_part * plan_.points[seen.point].of_longest * fit.error);
}

StepCheck StepChecker::compare(const Estimates& run) const {
  StepCheck check;
  check.text = why_not_;
  if (!longer_) return check;
  check.steps = longer_->outcome.steps + (thrice_ ? thrice_->outcome.steps : 0);
  constexpr double weight = 3;  // the difference is 4 - 1 times the error of the step, see longer_by
  const size_t points = longer_->point.size() + (thrice_ ? thrice_->point.size() : 0);
  const double cases = static_cast<double>(points * longer_->column.size());
  const double z = normal_quantile_of_tails(false_alarms / cases);
  for (size_t c = 0; c < longer_->column.size(); ++c)
    for (size_t i = 0; i < longer_->point.size(); ++i) {
      const Estimate& other = longer_->estimates->column(c, i);
      const Estimate& measured = run.column(longer_->column[c], longer_->point[i]);
      const double error = near(other.value - measured.value, 0, longer_->turns[c]) / weight,
                   of_it = std::hypot(measured.error, other.error) / weight;
      if (!std::isfinite(error) || !std::isfinite(of_it)) continue;
      const double doubt =
          std::hypot(of_it, doubtful_part * plan_.points[longer_->point[i]].of_longest * std::abs(error));
      if (of_it <= rounding_part * std::abs(measured.value)) {
        const double allowed = std::max(allowed_part * std::abs(measured.value), rounding_part);
        check.seen.push_back({longer_->column[c], longer_->point[i], error, of_it, allowed, doubt, allowed,
                              std::abs(error) > allowed, false});
        continue;
      }
      const double freedom =
          static_cast<double>((plan_.together() ? 1 : longer_->plan.paths) * longer_->estimates->shares(i)) - 1;
      const double bound = student(z, freedom) * of_it + 2 * measured.error;
      const double resolution = bound + 1.645 * of_it;
      StepCheck::Seen seen{longer_->column[c], longer_->point[i],      error, of_it, resolution, doubt,
                           measured.error,     std::abs(error) > bound};
      if (thrice_) judge_fit(seen, fit(c, i, run), z);
      check.seen.push_back(seen);
    }
  for (const size_t column : longer_->column)
    add_together(check, column, run, static_cast<double>(plan_.together() ? shares_ : longer_->plan.paths) - 1);
  for (const Divergence& one : longer_->outcome.diverged) {
    const size_t point = longer_->point[one.point];
    if (std::isfinite(run.column(0, point).value)) check.diverged.push_back(point);
  }
  return check;
}

}  // namespace bmsim
