#include "engine/reduction.h"

#include <algorithm>
#include <cmath>

namespace bmsim {

Reduction::Reduction(const Plan& plan, const KernelLayout& layout, const RunHooks& hooks, RunOutcome& outcome)
    : plan_(plan), layout_(layout), hooks_(hooks), outcome_(outcome), paths_(layout.path_values) {
  outcome_.estimates.resize(plan.observables.size(), std::vector<Estimate>(plan.points.size()));
}

void Reduction::take(const Ensemble& ensemble, const Batch& batch) {
  if (!hooks_.window && paths_[0].empty() && take_on_device(ensemble, batch)) return;
  const size_t lanes = layout_.lanes, all = batch.groups.size() * lanes;
  std::vector<double> values(all * layout_.path_values);
  ensemble.window(values);
  for (size_t g = 0; g < batch.groups.size(); ++g) {
    const uint64_t wanted =
        std::min<uint64_t>(lanes, plan_.options.paths - paths_[0].size());  // the rest of a last group is spare
    const double length = length_of(batch.groups[g].point);
    for (size_t i = 0; i < layout_.path_values; ++i)
      for (size_t l = 0; l < wanted; ++l) paths_[i].push_back(values[i * all + g * lanes + l] * (i < 2 ? length : 1));
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
}

void Reduction::note_divergence(size_t point) {
  for (size_t path = 0; path < paths_[1].size(); ++path)
    if (std::isnan(paths_[1][path])) {
      outcome_.diverged.push_back({point, path, paths_[0][path] / length_of(point)});
      return;
    }
}

void Reduction::estimate(size_t point, const WindowMoments& moments) {
  const Point& at = plan_.points[point];
  for (size_t i = 0; i < plan_.observables.size(); ++i)
    outcome_.estimates[i][point] = plan_.observables[i]->estimate(moments, at.window(), at.window_steps());
}

}  // namespace bmsim
