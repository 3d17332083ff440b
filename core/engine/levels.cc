#include "engine/levels.h"

#include <cmath>
#include <deque>
#include <limits>

#include "engine/angles.h"

namespace bmsim {

void ShareSums::add(const std::vector<double>& values, const std::vector<double>& turns) {
  mean.resize(values.size()), squares.resize(values.size());
  ++shares;
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = i < turns.size() ? near(values[i], mean[i], turns[i]) : values[i];
    const double before = value - mean[i];
    mean[i] += before / static_cast<double>(shares);
    squares[i] += before * (value - mean[i]);
  }
}

Estimate ShareSums::at(size_t i) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (shares == 0) return {nan, nan};
  return {mean[i], shares > 1 ? std::sqrt(variance(i) / static_cast<double>(shares)) : nan};
}

struct Levels::Level {
  EnsemblePlan fine_plan, coarse_plan;
  std::unique_ptr<Runner> fine, coarse;
  std::vector<LevelSums> sums;                         // by point
  std::vector<uint64_t> begun;                         // shares so far, by point
  std::vector<std::deque<std::vector<double>>> waits;  // by point: fine shares that wait for their coarse ones
  Halves halves;
  bool in_pairs = false;
};

namespace {

// Offset between the share numbers of two levels, so that levels have independent random numbers.
constexpr uint64_t shares_per_level = uint64_t{1} << 38;

std::vector<double> flat(const std::vector<Estimate>& columns, const std::vector<std::vector<double>>& arrays) {
  std::vector<double> all;
  for (const Estimate& one : columns) all.push_back(one.value);
  for (const auto& array : arrays) all.insert(all.end(), array.begin(), array.end());
  return all;
}

/// Whether runs with steps of two lengths can have the same noise. They cannot if a sum of increments has another law
/// than the increments, if events are rounded to steps or come by the state, or if steps vary in length; and kernels
/// that make two steps at once know no mean fields.
bool shares_noise(const EnsemblePlan& plan) {
  const KernelOptions& kernel = plan.kernel;
  return plan.model.events().empty() && !plan.together() && kernel.method != Method::paper &&
         kernel.method != Method::adaptive &&
         (kernel.increments == Increments::none || kernel.increments == Increments::gaussian);
}

}  // namespace

Levels::Levels(const EnsemblePlan& plan, uint64_t paths, double weight, const RunHooks& hooks, RunOutcome& outcome)
    : plan_(plan),
      paths_per_share_(paths),
      weight_(weight),
      turns_(turns_of(plan)),
      shown_(hooks),
      expected_(std::numeric_limits<double>::quiet_NaN()),
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
  auto& one = levels_[number];
  if (one) return *one;
  one = std::make_unique<Level>();
  Level& level = *one;
  const size_t points = plan_.points.size();
  level.sums.resize(points), level.begun.resize(points), level.waits.resize(points);
  level.halves = Halves(plan_);
  level.fine_plan = refined(plan_, number, paths_per_share_);
  level.fine = std::make_unique<Runner>(level.fine_plan, shown_, compiled_.backends, compiled_.kernels, outcome_,
                                        [this, &level](size_t point, const ShareResult& share) {
                                          level.halves.add(point, share.halves);
                                          std::vector<double> values = flat(share.columns, share.arrays);
                                          if (first_[point].empty()) first_[point] = values;
                                          level.sums[point].alone.add(values, turns_);
                                          if (level.in_pairs) level.waits[point].push_back(std::move(values));
                                        });
  if (number == 0) return level;
  const bool coupled = !coarse_kernels_.empty();
  level.coarse_plan = refined(plan_, coupled ? number : number - 1, paths_per_share_);
  level.coarse_plan.kernel.coarse = coupled;
  if (coupled) level.coarse_plan.kernel.halves = false;
  const Kernels& kernels = coupled ? coarse_kernels_ : compiled_.kernels;
  level.coarse = std::make_unique<Runner>(level.coarse_plan, shown_, compiled_.backends, kernels, outcome_,
                                          [this, &level](size_t point, const ShareResult& share) {
                                            take_pair(level, point, flat(share.columns, share.arrays));
                                          });
  return level;
}

void Levels::take_pair(Level& level, size_t point, const std::vector<double>& coarse) {
  std::vector<double> difference = std::move(level.waits[point].front()), combined = coarse;
  level.waits[point].pop_front();
  for (size_t i = 0; i < coarse.size(); ++i) {
    difference[i] -= coarse[i];
    if (i < turns_.size()) difference[i] = near(difference[i], 0, turns_[i]);
    combined[i] += weight_ * difference[i];
  }
  LevelSums& sums = level.sums[point];
  sums.coarse.add(coarse, turns_);
  sums.difference.add(difference, turns_);
  sums.combined.add(combined, turns_);
}

std::vector<Share> Levels::next_shares(unsigned number, const std::vector<uint64_t>& shares) {
  Level& one = level(number);
  std::vector<Share> all;
  for (uint32_t point = 0; point < shares.size(); ++point) {
    for (uint64_t k = 0; k < shares[point]; ++k)
      all.push_back({point, number * shares_per_level / plan_.points.size() + one.begun[point]++});
    paths_[point] += shares[point] * paths_per_share_;
  }
  return all;
}

double Levels::cost(unsigned level, size_t point, bool pair) const {
  const double fine =
      std::ldexp(plan_.points[point].time.steps, static_cast<int>(level)) * static_cast<double>(paths_per_share_);
  return pair ? fine * (coarse_kernels_.empty() ? 1.5 : 2) : fine;
}

void Levels::forecast_round(const EnsemblePlan& plan, const std::vector<Share>& shares) {
  double steps = 0;
  for (const Share& share : shares)
    steps += plan.points[share.point].time.steps * static_cast<double>(paths_per_share_);
  forecast_.begin(steps);
}

void Levels::run_fine(Level& level, const std::vector<Share>& shares, bool in_pairs) {
  level.in_pairs = in_pairs;
  forecast_round(level.fine_plan, shares);
  level.fine->run_shares(shares);
  for (const Share& share : shares)
    steps_[share.point] += level.fine_plan.points[share.point].time.steps * static_cast<double>(paths_per_share_);
}

void Levels::run_alone(unsigned number, const std::vector<uint64_t>& shares) {
  const auto all = next_shares(number, shares);
  if (!all.empty()) run_fine(level(number), all, false);
}

void Levels::run_pairs(unsigned number, const std::vector<uint64_t>& shares) {
  const auto all = next_shares(number, shares);
  if (all.empty()) return;
  Level& one = level(number);
  run_fine(one, all, true);
  forecast_round(one.coarse_plan, all);
  one.coarse->run_shares(all);
  for (const Share& share : all)
    steps_[share.point] += one.coarse_plan.points[share.point].time.steps / (coarse_kernels_.empty() ? 1 : 2) *
                           static_cast<double>(paths_per_share_);
}

uint64_t Levels::pairs(unsigned number, size_t point) const {
  const auto found = levels_.find(number);
  return found == levels_.end() ? 0 : found->second->sums[point].difference.shares;
}

void Levels::add_halves(unsigned number, size_t point, Halves& to) const {
  const auto found = levels_.find(number);
  if (found != levels_.end()) to.add(point, found->second->halves.at(point));
}

const LevelSums& Levels::at(unsigned number, size_t point) const { return levels_.at(number)->sums[point]; }

}  // namespace bmsim
