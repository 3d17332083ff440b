#include "engine/levels.h"

#include <cmath>
#include <deque>

#include "hypotenuse.h"
#include "numbers.h"

namespace bmsim {

void ShareSums::add(const ShareValues& share, const std::vector<double>& turns) {
  const std::vector<double>& values = share.values;
  pool.add(share.pooled);
  mean.resize(values.size()), squares.resize(values.size());
  ++shares;
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = i < turns.size() ? unwrapped(values[i], mean[i], turns[i]) : values[i];
    const double before = value - mean[i];
    mean[i] += before / static_cast<double>(shares);
    squares[i] += before * (value - mean[i]);
  }
}

Estimate ShareSums::at(size_t i) const {
  if (shares == 0) return {nan, nan};
  return {mean[i], shares > 1 ? std::sqrt(variance(i) / static_cast<double>(shares)) : nan};
}

struct Levels::Level {
  EnsemblePlan fine_plan, coarse_plan;
  std::unique_ptr<Runner> fine, coarse;
  std::vector<LevelSums> sums;  // by point
  std::vector<uint64_t> begun;  // number of shares so far, by point
  struct Waiting {
    std::deque<ShareValues> fine, coarse;  // shares that wait for their partner in a pair
  };
  std::vector<Waiting> waiting;  // by point
  Halves halves;
  bool in_pairs = false;
};

namespace {

// Offset between the share numbers of two levels, so that levels have independent random numbers.
constexpr uint64_t shares_per_level = uint64_t{1} << 38;

ShareValues flat(const ShareResult& share) {
  ShareValues flattened{{}, share.pooled};
  std::vector<double>& values = flattened.values;
  for (const Estimate& estimate : share.columns) values.push_back(estimate.value);
  for (const auto& array : share.arrays) values.insert(values.end(), array.begin(), array.end());
  return flattened;
}

/// Whether runs with steps of two lengths can have the same noise. They cannot if a sum of increments has another law
/// than an increment, if events are rounded to steps or depend on the state, or if steps vary in length. Kernels that
/// make two steps at once have no mean fields, either.
bool shares_noise(const EnsemblePlan& plan) {
  const KernelOptions& kernel = plan.kernel;
  return plan.model.events().empty() && !plan.together() && kernel.method != Method::paper &&
         kernel.method != Method::adaptive &&
         (kernel.increments == Increments::none || kernel.increments == Increments::gaussian);
}

}  // namespace

Levels::Levels(const EnsemblePlan& plan, uint64_t paths, double weight, const RunHooks& hooks, RunOutcome& outcome,
               unsigned at_once)
    : plan_(plan),
      paths_per_share_(paths),
      weight_(weight),
      at_once_(at_once),
      turns_(turns_of(plan)),
      pooled_(plan),
      shown_(hooks),
      expected_(nan),
      forecast_([this] { return expected_; }, hooks.progress),
      outcome_(outcome),
      first_(plan.points.size()),
      paths_(plan.points.size()),
      steps_(plan.points.size()) {
  if (hooks.progress) shown_.progress = [this](const Progress& progress) { forecast_.tell(progress); };
  EnsemblePlan shape = refined(plan, 0, paths);
  compiled_ = compile(shape, outcome);
  if (!shares_noise(shape)) return;
  shape.kernel.coarse = true, shape.kernel.halves = false;
  coarse_kernels_ = compile_for(shape, compiled_.backends, outcome);
}
Levels::~Levels() = default;

Levels::Level& Levels::level(unsigned number) {
  std::unique_ptr<Level>& slot = levels_[number];
  if (slot) return *slot;
  slot = std::make_unique<Level>();
  Level& level = *slot;
  const size_t points = plan_.points.size();
  level.sums.resize(points), level.begun.resize(points), level.waiting.resize(points);
  level.halves = Halves(plan_);
  level.fine_plan = refined(plan_, number, paths_per_share_);
  if (side_by_side()) level.fine_plan.execution.at_once = 2 * at_once_;
  level.fine = std::make_unique<Runner>(level.fine_plan, shown_, compiled_.backends, compiled_.kernels, outcome_,
                                        [this, &level](size_t point, const ShareResult& share) {
                                          level.halves.add(point, share.halves);
                                          ShareValues values = flat(share);
                                          if (first_[point].empty()) first_[point] = values.values;
                                          level.sums[point].alone.add(values, turns_);
                                          if (!level.in_pairs) return;
                                          level.waiting[point].fine.push_back(std::move(values));
                                          take_pairs(level, point);
                                        });
  if (number == 0) return level;
  const bool coupled = !coarse_kernels_.empty();
  level.coarse_plan = refined(plan_, coupled ? number : number - 1, paths_per_share_);
  level.coarse_plan.kernel.coarse = coupled;
  level.coarse_plan.execution.at_once = level.fine_plan.execution.at_once;
  if (coupled) level.coarse_plan.kernel.halves = false;
  const Kernels& kernels = coupled ? coarse_kernels_ : compiled_.kernels;
  level.coarse = std::make_unique<Runner>(level.coarse_plan, shown_, compiled_.backends, kernels, outcome_,
                                          [this, &level](size_t point, const ShareResult& share) {
                                            level.waiting[point].coarse.push_back(flat(share));
                                            take_pairs(level, point);
                                          });
  return level;
}

void Levels::take_pairs(Level& level, size_t point) {
  auto& [fine, coarse] = level.waiting[point];
  LevelSums& sums = level.sums[point];
  while (!fine.empty() && !coarse.empty()) {
    ShareValues difference = std::move(fine.front()), combined = coarse.front();
    const auto combine = [&](double& change, double& sum, double turn) {
      change = unwrapped(change - sum, 0, turn);
      sum += weight_ * change;
    };
    for (size_t i = 0; i < combined.values.size(); ++i)
      combine(difference.values[i], combined.values[i], i < turns_.size() ? turns_[i] : 0);
    for (size_t k = 0; k < combined.pooled.size(); ++k)
      for (size_t i = 0; i < combined.pooled[k].size(); ++i) combine(difference.pooled[k][i], combined.pooled[k][i], 0);
    sums.coarse.add(coarse.front(), turns_);
    sums.difference.add(difference, turns_);
    sums.combined.add(combined, turns_);
    fine.pop_front(), coarse.pop_front();
  }
}

std::vector<Share> Levels::next_shares(unsigned number, const std::vector<uint64_t>& shares) {
  std::vector<uint64_t>& begun = level(number).begun;
  std::vector<Share> next;
  for (uint32_t point = 0; point < shares.size(); ++point) {
    for (uint64_t k = 0; k < shares[point]; ++k)
      next.push_back({point, number * shares_per_level / plan_.points.size() + begun[point]++});
    paths_[point] += shares[point] * paths_per_share_;
  }
  return next;
}

double Levels::cost(unsigned level, size_t point, bool pair) const {
  const double fine =
      std::ldexp(plan_.points[point].time.steps, static_cast<int>(level)) * static_cast<double>(paths_per_share_);
  return pair ? fine * (coarse_kernels_.empty() ? 1.5 : 2) : fine;
}

double Levels::steps_of(const EnsemblePlan& plan, const std::vector<Share>& shares) const {
  double steps = 0;
  for (const Share& share : shares)
    steps += plan.points[share.point].time.steps * static_cast<double>(paths_per_share_);
  return steps;
}

void Levels::count(const EnsemblePlan& plan, const std::vector<Share>& shares) {
  for (const Share& share : shares)
    steps_[share.point] +=
        plan.points[share.point].time.steps / (plan.kernel.coarse ? 2 : 1) * static_cast<double>(paths_per_share_);
}

bool Levels::side_by_side() const { return at_once_ > 0 && compiled_.backends[0]->queues_launches(); }

// Runs a round of runners that have begun it, in which they make this number of steps.
void Levels::run(const std::vector<Runner*>& runners, double steps) {
  forecast_.begin(steps);
  Runner::run_round(runners);
}

void Levels::run_alone(unsigned number, const std::vector<uint64_t>& shares) {
  const auto next = next_shares(number, shares);
  if (next.empty()) return;
  Level& current = level(number);
  current.in_pairs = false;
  current.fine->begin(next);
  run({current.fine.get()}, steps_of(current.fine_plan, next));
  count(current.fine_plan, next);
}

void Levels::run_pairs(const std::map<unsigned, std::vector<uint64_t>>& shares) {
  std::vector<Runner*> runners;
  double steps = 0;
  for (const auto& [number, shares_of_level] : shares) {
    const auto next = next_shares(number, shares_of_level);
    if (next.empty()) continue;
    Level& current = level(number);
    current.in_pairs = true;
    const std::pair<Runner*, const EnsemblePlan*> runs[] = {{current.fine.get(), &current.fine_plan},
                                                            {current.coarse.get(), &current.coarse_plan}};
    for (const auto& [runner, plan] : runs) {
      runner->begin(next);
      runners.push_back(runner);
      steps += steps_of(*plan, next);
      count(*plan, next);
      if (!side_by_side()) run(std::exchange(runners, {}), std::exchange(steps, 0));
    }
  }
  if (!runners.empty()) run(runners, steps);
}

uint64_t Levels::pairs(unsigned number, size_t point) const {
  const auto found = levels_.find(number);
  return found == levels_.end() ? 0 : found->second->sums[point].difference.shares;
}

void Levels::add_halves(unsigned number, size_t point, Halves& to) const {
  const auto found = levels_.find(number);
  if (found != levels_.end()) to.add(point, found->second->halves.at(point));
}

// Means of the pooled numbers of all shares. Their paths count as those of a single run, so that the functions of them
// remove what noise adds to a square.
Pooled Levels::pooled(const ShareSums& sums, size_t i) const {
  return sums.pool.of(pooled_.observable(i), static_cast<double>(paths_per_share_), 2);
}

double Levels::value(size_t point, size_t i, std::vector<double> numbers) const {
  const Pooled plain{.mean = std::move(numbers), .paths = infinity};
  const auto estimate = pooled_.estimate(i, point, plain);
  return estimate ? estimate->value : nan;
}

Estimate Levels::estimate(const ShareSums& sums, size_t point, size_t i) const { return sum({&sums}, point, i); }

Estimate Levels::sum(const std::vector<const ShareSums*>& parts, size_t point, size_t i) const {
  Estimate linear = parts[0]->at(i);
  for (size_t k = 1; k < parts.size(); ++k) {
    const Estimate more = parts[k]->at(i);
    linear = {linear.value + more.value, hypotenuse(linear.error, more.error)};
  }
  if (!pooled_.pooled(i)) return linear;
  Pooled total = pooled(*parts[0], i);
  for (size_t k = 1; k < parts.size(); ++k) {
    const Pooled more = pooled(*parts[k], i);
    for (size_t n = 0; n < total.mean.size() && n < more.mean.size(); ++n) total.mean[n] += more.mean[n];
    if (more.covariance.size() != total.covariance.size()) total.covariance.clear();
    for (size_t n = 0; n < total.covariance.size(); ++n) total.covariance[n] += more.covariance[n];
  }
  return pooled_.estimate(i, point, total).value_or(linear);
}

Estimate Levels::difference(const LevelSums& pairs, size_t point, size_t i) const {
  if (!pooled_.pooled(i)) return pairs.difference.at(i);
  Pooled fine = pooled(pairs.difference, i);
  const std::vector<double> coarse = pooled(pairs.coarse, i).mean;
  if (coarse.empty()) return pairs.difference.at(i);
  for (size_t n = 0; n < coarse.size(); ++n) fine.mean[n] += coarse[n];
  const auto error = pooled_.estimate(i, point, fine);
  const double change = value(point, i, fine.mean) - value(point, i, coarse);
  return {i < turns_.size() ? unwrapped(change, 0, turns_[i]) : change, error ? error->error : nan};
}

double Levels::variance(const ShareSums& sums, size_t point, size_t i) const {
  if (!pooled_.pooled(i)) return sums.variance(i);
  const double error = estimate(sums, point, i).error;
  return error * error * static_cast<double>(sums.shares);
}
double Levels::variance_of_difference(const LevelSums& pairs, size_t point, size_t i) const {
  if (!pooled_.pooled(i)) return pairs.difference.variance(i);
  const double error = difference(pairs, point, i).error;
  return error * error * static_cast<double>(pairs.difference.shares);
}

const LevelSums& Levels::at(unsigned number, size_t point) const { return levels_.at(number)->sums[point]; }

}  // namespace bmsim
