#include "engine/transient.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"

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

/// Numbers of one array at one point.
std::vector<double> series_of(const RunOutcome& outcome, const std::string& name, size_t point) {
  for (const Array& array : outcome.arrays)
    if (array.name == name) {
      const auto first = array.values.begin() + static_cast<ptrdiff_t>(point * (intervals + 1));
      return {first, first + intervals + 1};
    }
  fail("internal: the pilot of transient = \"auto\" recorded no {}", name);
}

std::vector<double> growth(const std::vector<double>& series) {
  std::vector<double> differences;
  for (size_t i = 1; i < series.size(); ++i) differences.push_back(series[i] - series[i - 1]);
  return differences;
}

}  // namespace

size_t mser(const std::vector<double>& series) {
  const size_t n = series.size();
  double sum = 0, squares = 0, least = std::numeric_limits<double>::infinity();
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
    for (size_t k = 0; k < variables.size(); ++k) {
      for (const char* cumulant : {"_cumulant_1", "_cumulant_2"})
        cut = std::max(cut, mser(growth(series_of(outcome, variables[k].name + cumulant, i))));
      if (!variables[k].inertial) continue;
      const std::vector<double> speeds = series_of(outcome, velocity_name(plan.model, k) + "_cumulant_2", i);
      cut = std::max(cut, mser({speeds.begin() + 1, speeds.end()}));
    }
    if (2 * cut >= intervals) unsettled.push_back(i);
    // What MSER leaves of the start is as large as the error of the pilot's mean. It falls exponentially: after twice
    // the time it is the square.
    const size_t twice = std::max(cut, std::min(2 * cut, intervals / 2));
    const double fraction = static_cast<double>(twice) / static_cast<double>(intervals);
    set_transient(plan, plan.points[i], std::floor(fraction * plan.points[i].time.steps));
  }
  return unsettled;
}

}  // namespace bmsim
