// The run to a tolerance.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "engine/step_error.h"
#include "hypotenuse.h"

namespace bmsim {

namespace {

constexpr uint64_t pilot_shares = 16;
constexpr unsigned pilot_levels = 3, most_levels = 14, most_diverging = 9;
constexpr double fastest = 4;  // largest growth of a level's shares between checks: variances are only estimates

// Cost of a share, in steps of level 0. Both runs of a pair cost the same: they follow all clocks.
double cost_of_share(unsigned level, bool pair) { return std::ldexp(pair ? 2.0 : 1.0, static_cast<int>(level)); }

class PointLevels {
 public:
  PointLevels(const Plan& plan, const Levels& levels, size_t point)
      : levels_(levels), point_(point), order_(order_of_errors(plan)), tolerances_(plan.options.tolerances) {
    for (const Target& tolerance : tolerances_) columns_.push_back(plan.column(tolerance.column));
  }

  unsigned finest() const { return finest_; }
  unsigned coarsest() const { return coarsest_; }

  Estimate value(size_t i) const {
    std::vector<const ShareSums*> parts = {&alone(coarsest_)};
    for (unsigned l = coarsest_ + 1; l <= finest_; ++l) parts.push_back(&levels_.at(l, point_).difference);
    return levels_.sum(parts, point_, i);
  }
  /// Error of the step, from the difference that the finest level makes.
  Estimate step_error(size_t i) const {
    const Estimate last = difference(finest_, i);
    return {-last.value * finer(), last.error * finer()};
  }
  Estimate extrapolated(size_t i) const {
    const Estimate sum = value(i), step = step_error(i);
    if (coarsest_ == finest_) return {sum.value - step.value, sum.error + step.error};  // from partly the same paths
    const double last = difference(finest_, i).error,
                 rest = std::sqrt(std::max(0.0, sum.error * sum.error - last * last));
    return {sum.value - step.value, hypotenuse(rest, last * (1 + finer()))};
  }

  bool finite() const {
    return std::ranges::all_of(columns_, [&](size_t i) { return std::isfinite(value(i).error); });
  }
  bool step_reached() const {
    for (size_t c = 0; c < columns_.size(); ++c)
      if (!(bias(columns_[c]) <= part(c))) return false;
    return true;
  }
  bool reached() const {
    for (size_t c = 0; c < columns_.size(); ++c)
      if (!(value(columns_[c]).error <= part(c))) return false;
    return step_reached();
  }
  void refine() { ++finest_; }

  /// Chooses the coarsest level and sets the number of shares of every level.
  void allocate() {
    double least = INFINITY;
    const unsigned first = first_finite();
    coarsest_ = std::max(coarsest_, first);
    for (unsigned l = first; l <= finest_; ++l)
      if (const double cost = cost_from(l); cost < least) least = cost, coarsest_ = l;
    wanted_.assign(finest_ + 1, 0);
    for (unsigned l = coarsest_; l <= finest_; ++l)
      for (size_t c = 0; c < columns_.size(); ++c)
        wanted_[l] = std::max(wanted_[l], std::ceil(shares_of(c, l, coarsest_)));
  }
  /// Steps that the point is expected to need still.
  double left() const {
    double steps = 0;
    for (unsigned l = coarsest_; l < wanted_.size(); ++l)
      steps += std::max(0.0, wanted_[l] - static_cast<double>(done(l))) * levels_.cost(l, point_, l > coarsest_);
    return step_reached() ? steps : steps + pilot_shares * levels_.cost(finest_ + 1, point_, true);
  }
  /// The number of shares to add to a level now; 0 if it has enough.
  uint64_t more(unsigned level) const {
    if (level >= wanted_.size() || level < coarsest_) return 0;
    const auto have = static_cast<double>(done(level));
    const double next = std::min(wanted_[level], std::ceil(fastest * have));
    return next > have ? static_cast<uint64_t>(next - have) : 0;
  }

 private:
  const ShareSums& alone(unsigned l) const { return levels_.at(l, point_).alone; }
  Estimate difference(unsigned l, size_t i) const { return levels_.difference(levels_.at(l, point_), point_, i); }
  uint64_t done(unsigned l) const { return l == coarsest_ ? alone(l).shares : levels_.at(l, point_).difference.shares; }
  double finer() const { return 1 / (std::exp2(order_) - 1); }
  /// Bound that tolerance c sets for each kind of error.
  double part(size_t c) const {
    return std::max(tolerances_[c].absolute, tolerances_[c].relative * std::abs(value(columns_[c]).value)) /
           std::sqrt(2.0);
  }
  /// Estimated error of the step; infinite unless the differences of two levels are known.
  double bias(size_t i) const {
    const unsigned first = first_finite();
    double most = finest_ < first + 2 ? INFINITY : 0;
    for (unsigned l = finest_; l > first && l + 3 > finest_; --l)
      most = std::max(most, std::abs(difference(l, i).value) * std::exp2(-order_ * (finest_ - l)));
    return most * finer();
  }
  unsigned first_finite() const {
    unsigned l = 0;
    const auto finite = [&] {
      return std::ranges::all_of(columns_,
                                 [&](size_t i) { return std::isfinite(levels_.estimate(alone(l), point_, i).error); });
    };
    while (l < finest_ && !finite()) ++l;
    return l;
  }
  double root(size_t c, unsigned l, unsigned coarsest) const {  // sqrt(variance * cost)
    const double variance = l == coarsest ? levels_.variance(alone(l), point_, columns_[c])
                                          : levels_.variance_of_difference(levels_.at(l, point_), point_, columns_[c]);
    return std::sqrt(variance * cost_of_share(l, l > coarsest));
  }
  double sum_of_roots(size_t c, unsigned coarsest) const {
    double sum = 0;
    for (unsigned l = coarsest; l <= finest_; ++l) sum += root(c, l, coarsest);
    return sum;
  }
  double cost_from(unsigned coarsest) const {
    double most = 0;
    for (size_t c = 0; c < columns_.size(); ++c) most = std::max(most, sum_of_roots(c, coarsest) / part(c));
    return most;
  }
  /// The number of shares that tolerance c requires of level l.
  double shares_of(size_t c, unsigned l, unsigned coarsest) const {
    return root(c, l, coarsest) / cost_of_share(l, l > coarsest) * sum_of_roots(c, coarsest) / (part(c) * part(c));
  }

  const Levels& levels_;
  size_t point_;
  double order_;
  std::vector<Target> tolerances_;
  std::vector<size_t> columns_;  // of the tolerances
  unsigned coarsest_ = 0, finest_ = pilot_levels - 1;
  std::vector<double> wanted_;  // shares, by level
};

class Search {
 public:
  Search(const Plan& plan, const RunHooks& hooks, RunOutcome& outcome)
      : plan_(plan), paths_((plan.paths + pilot_shares - 1) / pilot_shares), levels_(plan, paths_, 0, hooks, outcome) {
    for (size_t i = 0; i < plan.points.size(); ++i) points_.emplace_back(plan, levels_, i);
    stopped_.resize(points_.size());
    left_.resize(points_.size());
  }

  void run() {
    const std::vector<uint64_t> pilot(points_.size(), pilot_shares);
    levels_.run_alone(0, pilot);
    for (unsigned l = 1; l < pilot_levels; ++l) levels_.run_pairs({{l, pilot}});
    while (round()) {
    }
    levels_.end_progress();
  }

  const Levels& levels() const { return levels_; }
  Levels& levels() { return levels_; }
  const PointLevels& at(size_t point) const { return points_[point]; }
  const std::vector<bool>& stopped() const { return stopped_; }  ///< points that need no more paths

 private:
  /// Runs more shares of the points that need them; false if there are none.
  bool round() {
    Round next;
    for (size_t i = 0; i < points_.size(); ++i) {
      if (!stopped_[i]) stopped_[i] = !plan_point(i, next);
      if (stopped_[i]) left_[i] = 0;
    }
    if (next.empty()) return false;
    levels_.expect(std::accumulate(left_.begin(), left_.end(), 0.0));
    for (const auto& [level, shares] : next.alone) levels_.run_alone(level, shares);
    for (const auto& [level, shares] : next.pairs) levels_.run_pairs({{level, shares}});
    return true;
  }

  struct Round {
    std::map<unsigned, std::vector<uint64_t>> alone, pairs;
    bool empty() const { return alone.empty() && pairs.empty(); }
  };
  void add(Round& next, unsigned level, size_t point, bool pair, uint64_t shares) {
    std::vector<uint64_t>& by_point = (pair ? next.pairs : next.alone)[level];
    by_point.resize(points_.size());
    by_point[point] += shares;
  }

  /// Adds the shares that a point needs. False if it needs none, since it has reached its tolerances or never will.
  bool plan_point(size_t i, Round& next) {
    PointLevels& point = points_[i];
    point.allocate();
    uint64_t left = plan_.limit > levels_.paths(i) ? (plan_.limit - levels_.paths(i)) / paths_ : 0;
    const double most_steps = static_cast<double>(left) * levels_.cost(point.finest(), i, true);
    left_[i] = point.finite() ? std::min(point.left(), most_steps) : 0;
    bool any = false;
    const auto take = [&](unsigned level, bool pair, uint64_t shares) {
      shares = std::min(shares, left);
      left -= shares;
      if (shares > 0) add(next, level, i, pair, shares), any = true;
    };
    if (point.finite())
      for (unsigned l = point.finest() + 1; l-- > point.coarsest();) take(l, l > point.coarsest(), point.more(l));
    if (any || left == 0) return any;
    if (point.finite() && point.step_reached()) return false;
    // A default step may be a little too long. Paths that run away with its 256th part do so with any.
    const AskedTime& asked = plan_.points[i].asked;
    const unsigned most = point.finite() || asked.dt || asked.spp ? most_levels : most_diverging;
    if (point.finest() + 1 >= most || left < pilot_shares) return false;
    take(point.finest() + 1, true, pilot_shares);
    point.refine();
    return true;
  }

  const Plan& plan_;
  uint64_t paths_;  // of a share
  Levels levels_;
  std::vector<PointLevels> points_;
  std::vector<bool> stopped_;
  std::vector<double> left_;  // by point: steps that it is expected to need still
};

}  // namespace

RunOutcome run_to_tolerance(const Plan& plan, const RunHooks& hooks) {
  RunOutcome outcome;
  std::optional<InterruptionScope> heard(std::in_place, check_of(hooks));
  Search search(plan, hooks, outcome);
  const auto started = Clock::now();
  try {
    search.run();
  } catch (const Interruption& end) {
    keep_finished(end, search.stopped(), outcome);
  }
  heard.reset();
  outcome.seconds = seconds_since(started);
  fill_outcome(
      plan, search.levels(), [&](size_t point, size_t i) { return search.at(point).value(i); },
      [&](size_t point, size_t i) { return search.at(point).step_error(i); },
      [&](size_t point, size_t i) { return search.at(point).extrapolated(i); }, outcome);
  Halves halves(plan);
  for (size_t i = 0; i < plan.points.size(); ++i)
    for (unsigned level = search.at(i).coarsest(); finished(outcome, i) && level <= search.at(i).finest(); ++level)
      search.levels().add_halves(level, i, halves);
  outcome.transient_check = check_transient(plan, halves);
  Choice dt{"dt", {}}, levels{"levels", {}}, cost{"cost", {}};
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const PointLevels& point = search.at(i);
    if (!finished(outcome, i)) {
      for (Choice* choice : {&dt, &levels, &cost}) choice->values.push_back(std::nan(""));
      outcome.paths.push_back(0);
      outcome.reached.push_back(false);
      continue;
    }
    dt.values.push_back(std::ldexp(plan.points[i].time.dt, -static_cast<int>(point.finest())));
    levels.values.push_back(point.finest() - point.coarsest() + 1);
    cost.values.push_back(search.levels().steps(i));
    outcome.paths.push_back(search.levels().paths(i));
    outcome.reached.push_back(point.finite() && point.reached());
  }
  std::erase_if(outcome.diverged, [&](const Divergence& divergence) {  // with coarse steps only
    return search.at(divergence.point).finite();
  });
  outcome.choices = {std::move(dt), std::move(levels), std::move(cost)};
  outcome.steps_per_second = (outcome.steps - outcome.steps_known) / outcome.seconds;
  outcome.kernel_details = search.levels().kernel().details;
  return outcome;
}

}  // namespace bmsim
