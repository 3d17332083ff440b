// Finds where the transient of every point ends, with a pilot run.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/run.h"
#include "error.h"
#include "numbers.h"

namespace bmsim {

namespace {

constexpr size_t intervals = 128;
constexpr uint64_t most_paths = 512;

EnsemblePlan pilot_of(const Plan& plan) {
  EnsemblePlan pilot = same_model(plan, {{"moments", {{"count", {static_cast<double>(intervals + 1)}}}}},
                                  plan.together() ? plan.paths : std::min(plan.paths, most_paths));
  if (plan.together()) pilot.replicas = std::min(plan.replicas, std::max<uint64_t>(1, most_paths / plan.paths));
  pilot.execution.keep_source.clear();
  pilot.kernel.squares = pilot.kernel.push = pilot.kernel.halves = false;
  pilot.kernel.counters.clear();
  pilot.kernel.marks = true;
  pilot.points = plan.points;
  for (Point& point : pilot.points) set_transient(pilot, point, 0);
  return pilot;
}

std::vector<double> series_of(const RunOutcome& outcome, const std::string& name, size_t point) {
  const auto array = std::ranges::find(outcome.arrays, name, &Array::name);
  if (array == outcome.arrays.end()) fail("internal: the pilot of transient = \"auto\" recorded no {}", name);
  const auto first = array->values.begin() + static_cast<ptrdiff_t>(point * (intervals + 1));
  return {first, first + intervals + 1};
}

std::vector<double> growth(const std::vector<double>& series) {
  std::vector<double> differences;
  for (size_t i = 1; i < series.size(); ++i) differences.push_back(series[i] - series[i - 1]);
  return differences;
}

}  // namespace

size_t mser(const std::vector<double>& series) {
  const size_t n = series.size();
  double sum = 0, squares = 0, least = infinity;
  const double about = n > 0 ? series.back() : 0;  // so that no digits are lost
  size_t best = 0;
  for (size_t kept = 1; kept <= n; ++kept) {
    const double y = series[n - kept] - about, m = static_cast<double>(kept);
    sum += y;
    squares += y * y;
    const double error = (squares - sum * sum / m) / (m * m);
    if (2 * kept >= n && error <= least) least = error, best = n - kept;
  }
  return best;
}

bool still_moves(std::span<const double> series) {
  constexpr size_t batches = 8;          // in each half: their means are independent where single values are not
  constexpr double fewest_errors = 4.5;  // Student's law of 14 degrees: one false alarm in 2000
  const size_t size = series.size() / (2 * batches);
  if (size == 0) return false;
  std::array<double, 2> mean_of_half{};
  std::array<double, 2 * batches> means{};
  for (size_t b = 0; b < means.size(); ++b) {
    const std::span<const double> batch = series.subspan(series.size() - (means.size() - b) * size, size);
    means[b] = std::accumulate(batch.begin(), batch.end(), 0.0) / static_cast<double>(size);
    mean_of_half[b / batches] += means[b] / batches;
  }
  double squares = 0;
  for (size_t b = 0; b < means.size(); ++b) {
    const double deviation = means[b] - mean_of_half[b / batches];
    squares += deviation * deviation;
  }
  const double error = std::sqrt(2 * squares / (batches * (means.size() - 2)));
  return std::abs(mean_of_half[1] - mean_of_half[0]) > fewest_errors * error;
}

std::vector<size_t> find_transients(Plan& plan, const RunHooks& hooks) {
  const EnsemblePlan pilot = pilot_of(plan);
  RunHooks quiet;
  quiet.interrupted = hooks.interrupted;
  quiet.journal = hooks.journal;
  const RunOutcome outcome = run_once(pilot, quiet);
  std::vector<size_t> unsettled;
  for (size_t i = 0; i < plan.points.size(); ++i) {
    size_t cut = 0;
    const auto& variables = plan.model.variables();
    std::vector<std::vector<double>> all_series;
    for (size_t k = 0; k < variables.size(); ++k) {
      for (const char* cumulant : {"_cumulant_1", "_cumulant_2"})
        all_series.push_back(growth(series_of(outcome, variables[k].name + cumulant, i)));
      if (!variables[k].inertial) continue;
      const std::vector<double> speeds = series_of(outcome, velocity_name(plan.model, k) + "_cumulant_2", i);
      all_series.emplace_back(speeds.begin() + 1, speeds.end());
    }
    for (const auto& series : all_series) cut = std::max(cut, mser(series));
    // What MSER leaves of the start is as large as the error of the pilot's mean. It falls exponentially, so that after
    // twice the time only its square is left.
    const size_t twice = std::max(cut, std::min(2 * cut, intervals / 2));
    // If both halves of the rest differ, something is slower than the run.
    const auto moves = [&](const std::vector<double>& series) { return still_moves(std::span(series).subspan(twice)); };
    if (2 * cut >= intervals || std::ranges::any_of(all_series, moves)) unsettled.push_back(i);
    const double fraction = static_cast<double>(twice) / static_cast<double>(intervals);
    set_transient(plan, plan.points[i], std::floor(fraction * plan.points[i].time.steps));
  }
  return unsettled;
}

}  // namespace bmsim
