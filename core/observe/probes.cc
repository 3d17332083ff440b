#include "observe/probes.h"

#include <fmt/format.h>

#include <algorithm>

#include "numbers.h"

namespace bmsim {

namespace {

constexpr size_t most_times = 16;  // of recorded paths
constexpr const char* moment_names[] = {"mean", "variance"};

Coordinate times_of(size_t count) { return {"time", "t", "time", std::vector<double>(count)}; }

/// The positions or velocities at Axis::ends.
std::vector<double> places_of(const Axis& axis, const Coordinate& centres) {
  const double half = (centres.values[1] - centres.values[0]) / 2;
  std::vector<double> ends;
  for (const size_t end : axis.ends()) ends.push_back(centres.values[end - 1] + half);
  return ends;
}

}  // namespace

std::vector<Array> with_errors(const Array& values, std::vector<Array> before) {
  before.push_back(values);
  before.push_back(values);
  before.back().name += "_err";
  return before;
}

void give_probes(const std::vector<Grouped>& values, const Measured& measured) {
  if (measured.probes == nullptr) return;
  for (const Grouped& probe : values) {
    measured.probes->push_back(probe.value);
    measured.probes->push_back(probe.error);
  }
}

void add_probes_below(const std::string& name, const Axis& axis, Coordinate centres, size_t times,
                      std::vector<Array>& probes) {
  std::vector<double> ends = places_of(axis, centres);
  std::vector<Coordinate> coordinates;
  if (times > 0) coordinates.push_back(times_of(times));
  coordinates.push_back({centres.name, centres.label + " <", centres.unit, std::move(ends)});
  probes = with_errors({name + "_below_" + centres.name, "probability", "", coordinates, {}}, std::move(probes));
}

void add_halved(const Axis& axis, const Coordinate& centres, size_t cells, std::vector<HalvedDensity>& densities) {
  if (cells <= Recording::most_halved)
    densities.push_back({centres.label, places_of(axis, centres), axis.variable == Variable::v, axis.folded});
}

std::vector<Array> probes_of_paths(const std::string& name, size_t times, bool velocities) {
  std::vector<Array> probes;
  for (const char* variable : {"x", "v"}) {
    if (*variable == 'v' && !velocities) continue;
    for (const char* moment : moment_names)
      probes = with_errors({fmt::format("{}_{}_{}", name, moment, variable),
                            fmt::format("{} of {}", moment, variable),
                            "",
                            {times_of(times)},
                            {}},
                           std::move(probes));
  }
  return probes;
}

void give_probes_of_paths(const Measured& measured) {
  const size_t times = measured.recording.times().size(), count = std::min(times, most_times);
  std::vector<size_t> indices;
  for (size_t i = 0; i < count; ++i) indices.push_back(count == 1 ? times - 1 : i * (times - 1) / (count - 1));
  for (const Variable variable : {Variable::x, Variable::v}) {
    if (!measured.recording.has(variable)) continue;
    const Grouped cumulants = measured.recording.at(indices).cumulants(variable);
    for (size_t order = 0; order < std::size(moment_names); ++order) {
      Grouped moment{std::vector<double>(times, nan), std::vector<double>(times, nan)};
      for (size_t i = 0; i < count; ++i) {
        moment.value[indices[i]] = cumulants.value[4 * i + order];
        moment.error[indices[i]] = cumulants.error[4 * i + order];
      }
      give_probes({moment}, measured);
    }
  }
}

double order_of_probe(const std::string& probe) {
  return probe.find("_variance") != probe.npos ? 2 : probe.find("_mean") != probe.npos ? 1 : 0;
}

}  // namespace bmsim
