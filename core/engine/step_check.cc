#include "engine/step_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compose/trajectory.h"

namespace bmsim {

namespace {

constexpr double steps_share = 0.045;  // steps of the check over those of the run
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
constexpr uint64_t first_share = uint64_t{15} << 38;

/// Ratio of the longer step to the step of the run. With the order of the error it makes the error four times as large.
double longer_by(const Point& point) { return point.error_order == 1 ? 4 : 2; }

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
  if (steps < brief) {
    const double enough = std::max<double>(least_paths, steps_share * factor * paths);
    return {plan.points.size(), whole(enough)};
  }
  const double groups = std::ceil(paths / static_cast<double>(lanes));  // of a point
  const double steps_for_all = steps_share * factor * paths * points;
  const double most_points = std::min({points, std::floor(time_share * points * groups * factor),
                                       std::floor(steps_for_all / static_cast<double>(least_paths))});
  if (most_points < 1) return {};
  uint64_t at_each = whole(steps_for_all / most_points);
  if (most_points == points && at_each >= lanes) at_each -= at_each % lanes;
  if (most_points < points) at_each = std::min(at_each, lanes);
  return {whole(most_points), std::min(at_each, plan.paths)};
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

EnsemblePlan with_longer_steps(const Plan& plan, const Size& size) {
  EnsemblePlan longer = same_model(plan, checked_requests(plan), size.paths);
  // Clocks of their own end the window anywhere, so that it is the same: an event that comes after a fixed time is in
  // both or in none.
  const bool same_window = has_countdowns(count(plan.model), plan.kernel) && plan.kernel.method != Method::paper;
  for (uint64_t i = 0; i < size.points; ++i) {
    Point point = plan.points[(2 * i + 1) * plan.points.size() / (2 * size.points)];
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
  EnsemblePlan plan;
  RunHooks hooks;
  RunOutcome outcome;
  std::unique_ptr<Estimates> estimates;
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
  auto longer = std::make_unique<Ensemble>();
  longer->hooks.journal = hooks.journal;
  const Size size = plan.together() ? affordable_systems(plan) : affordable(plan, kernels[0]->layout().lanes);
  if (size.points == 0 || (size.paths < least_paths && !plan.together())) {
    why_not_ = fmt::format("not checked: {} are too few; step_error = true tells",
                           plan.together() ? fmt::format("{} points of {} replicas", plan.points.size(), plan.replicas)
                                           : fmt::format("{} paths", plan.paths));
    return;
  }
  shares_ = size.shares;
  longer->plan = with_longer_steps(plan, size);
  longer->estimates = std::make_unique<Estimates>(longer->plan);
  Estimates& estimates = *longer->estimates;
  longer->runner = std::make_unique<Runner>(
      longer->plan, longer->hooks, backends, kernels, longer->outcome,
      [&estimates](size_t point, const ShareResult& share) { estimates.add(point, share.columns, share.arrays); });
  for (uint64_t i = 0; i < size.points; ++i)
    longer->point.push_back((2 * i + 1) * plan.points.size() / (2 * size.points));
  for (const auto& observable : longer->plan.observables)
    for (const std::string& name : observable->columns()) longer->column.push_back(plan.column(name));
  longer_ = std::move(longer);
}
StepChecker::~StepChecker() = default;

Runner* StepChecker::begin(const std::vector<Share>& shares) {
  if (!longer_) return nullptr;
  const uint64_t offset = first_share / longer_->plan.points.size();
  std::vector<Share> mine;
  for (const Share& share : shares) {
    const auto found = std::find(longer_->point.begin(), longer_->point.end(), share.point);
    if (found == longer_->point.end() || (shares_ > 0 && share.number >= shares_)) continue;
    mine.push_back({static_cast<uint32_t>(found - longer_->point.begin()), offset + share.number});
  }
  longer_->runner->begin(mine);
  return longer_->runner.get();
}

StepCheck StepChecker::compare(const Estimates& run) const {
  StepCheck check;
  check.text = why_not_;
  if (!longer_) return check;
  check.steps = longer_->outcome.steps;
  constexpr double weight = 3;  // the difference is 4 - 1 times the error of the step, see longer_by
  const double cases = static_cast<double>(longer_->point.size() * longer_->column.size());
  const double z = normal_quantile_of_tails(false_alarms / cases);
  for (size_t c = 0; c < longer_->column.size(); ++c)
    for (size_t i = 0; i < longer_->point.size(); ++i) {
      const Estimate& other = longer_->estimates->column(c, i);
      const Estimate& measured = run.column(longer_->column[c], longer_->point[i]);
      const double error = (other.value - measured.value) / weight,
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
      check.seen.push_back({longer_->column[c], longer_->point[i], error, of_it, resolution, doubt, measured.error,
                            std::abs(error) > bound});
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
