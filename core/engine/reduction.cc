#include "engine/reduction.h"

#include <algorithm>
#include <cmath>

namespace bmsim {

Reduction::Reduction(const Plan& plan, const KernelLayout& layout, const RunHooks& hooks, RunOutcome& outcome)
    : plan_(plan),
      layout_(layout),
      hooks_(hooks),
      outcome_(outcome),
      paths_(layout.path_values),
      recorded_(plan.points[0].marks.size() * layout.sample_values()) {
  size_t columns = 0;
  for (const auto& observable : plan.observables) {
    columns += observable->columns().size();
    for (Array& array : observable->arrays(plan.points[0].facts)) outcome_.arrays.push_back(std::move(array));
  }
  outcome_.estimates.resize(columns, std::vector<Estimate>(plan.points.size()));
  for (Array& array : outcome_.arrays) {
    size_t size = plan.points.size();
    for (const Coordinate& coordinate : array.coordinates) size *= coordinate.values.size();
    array.values.resize(size);
  }
}

void Reduction::take(const Ensemble& ensemble, const Batch& batch) {
  if (!hooks_.window && recorded_.empty() && paths_[0].empty() && take_on_device(ensemble, batch)) return;
  const size_t lanes = layout_.lanes, all = batch.groups.size() * lanes;
  std::vector<double> values(all * layout_.path_values);
  ensemble.window(values);
  const std::vector<double> samples = recorded_.empty() ? std::vector<double>() : ensemble.samples();
  for (size_t g = 0; g < batch.groups.size(); ++g) {
    const uint64_t wanted =
        std::min<uint64_t>(lanes, plan_.options.paths - paths_[0].size());  // the rest of a last group is spare
    const double length = length_of(batch.groups[g].point);
    for (size_t i = 0; i < layout_.path_values; ++i)
      for (size_t l = 0; l < wanted; ++l) paths_[i].push_back(values[i * all + g * lanes + l] * (i < 2 ? length : 1));
    collect(samples, g, batch.groups.size(), wanted, length);
    if (paths_[0].size() == plan_.options.paths) complete(batch.groups[g].point);
  }
}

double Reduction::length_of(size_t point) const {
  const double period = plan_.points[point].values.period;
  return period > 0 ? period : 1;
}

// The device reduces a batch of whole points, if it can; the host then sees points, not paths, unless one diverged.
bool Reduction::take_on_device(const Ensemble& ensemble, const Batch& batch) {
  const uint64_t per_point = (plan_.options.paths + layout_.lanes - 1) / layout_.lanes;
  if (batch.groups.size() % per_point != 0) return false;
  std::vector<double> lengths;
  for (uint64_t g = 0; g < batch.groups.size(); g += per_point) lengths.push_back(length_of(batch.groups[g].point));
  const auto sums = ensemble.moments(plan_.options.paths, lengths);
  if (std::any_of(sums.begin(), sums.end(), [](const PointMoments& m) { return std::isnan(m[0]); })) return false;
  for (size_t i = 0; i < sums.size(); ++i)
    estimate(batch.groups[i * per_point].point, {static_cast<double>(plan_.options.paths), sums[i][0], sums[i][1],
                                                 sums[i][2], sums[i][3], sums[i][4], sums[i][5]});
  return !sums.empty();
}

void Reduction::complete(size_t point) {
  Window window{paths_[0], paths_[1], {}, {}, plan_.points[point].window(), plan_.points[point].window_steps()};
  if (paths_.size() > 2) window.velocity = paths_[2], window.squares = paths_[3];
  note_divergence(point);
  estimate(point, moments(window));
  if (hooks_.window) hooks_.window(point, window);
  for (auto& values : paths_) values.clear();
  for (auto& values : recorded_) values.clear();
}

void Reduction::collect(const std::vector<double>& samples, size_t group, size_t groups, size_t wanted, double length) {
  const size_t lanes = layout_.lanes, values = layout_.sample_values();
  for (size_t row = 0; row < recorded_.size(); ++row)
    for (size_t l = 0; l < wanted; ++l)
      recorded_[row].push_back(samples[(row * groups + group) * lanes + l] * (row % values == 0 ? length : 1));
}

Recording Reduction::recording_of(size_t point, size_t observable) const {
  const Point& at = plan_.points[point];
  const size_t values = layout_.sample_values();
  Recording recording;
  recording.paths = plan_.options.paths;
  for (const size_t mark : at.marks_of[observable]) {
    recording.times.push_back(at.marks[mark] * at.time.dt);
    recording.x.emplace_back(recorded_[mark * values]);
    if (values > 1) recording.v.emplace_back(recorded_[mark * values + 1]);
  }
  return recording;
}

void Reduction::note_divergence(size_t point) {
  for (size_t path = 0; path < paths_[1].size(); ++path)
    if (std::isnan(paths_[1][path])) {
      outcome_.diverged.push_back({point, path, paths_[0][path] / length_of(point)});
      return;
    }
}

void Reduction::estimate(size_t point, const WindowMoments& moments) {
  size_t column = 0, array = 0;
  for (size_t i = 0; i < plan_.observables.size(); ++i) {
    std::vector<Estimate> columns;
    std::vector<std::vector<double>> arrays;
    plan_.observables[i]->measure({plan_.points[point].facts, moments, recording_of(point, i)}, columns, arrays);
    for (const Estimate& one : columns) outcome_.estimates[column++][point] = one;
    for (const auto& values : arrays) {
      std::vector<double>& all = outcome_.arrays[array++].values;
      std::copy(values.begin(), values.end(), all.begin() + static_cast<ptrdiff_t>(point * values.size()));
    }
  }
}

}  // namespace bmsim
