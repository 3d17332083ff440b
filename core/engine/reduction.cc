#include "engine/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bmsim {

Reduction::Reduction(const EnsemblePlan& plan, const KernelLayout& layout, const RunHooks& hooks, RunOutcome& outcome,
                     ShareDone done)
    : plan_(plan),
      layout_(layout),
      hooks_(hooks),
      outcome_(outcome),
      done_(std::move(done)),
      groups_per_share_((plan.paths + layout.lanes - 1) / layout.lanes),
      paths_(layout.path_values.count),
      rows_(plan.most_marks() * layout.sample_values) {}

void Reduction::take(const Ensemble& ensemble, const Batch& batch, uint64_t first_group) {
  const bool single_paths = hooks_.window || plan_.needs.windows;
  if (!single_paths && paths_[layout_.path_values.start].empty() && take_on_device(ensemble, batch)) return;
  const size_t lanes = layout_.lanes, all = batch.groups.size() * lanes;
  std::vector<double> values(all * layout_.path_values.count);
  ensemble.window(values);
  for (size_t g = 0; g < batch.groups.size();) {  // share by share
    const size_t point = batch.groups[g].point % plan_.points.size(), first = g * lanes;
    const bool perturbed = point != batch.groups[g].point;
    g = std::min(batch.groups.size(), g + groups_per_share_ - (first_group + g) % groups_per_share_);
    const size_t wanted =
        std::min(g * lanes - first,
                 plan_.paths - paths_[layout_.path_values.start].size());  // the rest of a last group is spare
    const double length = length_of(point);
    for (size_t i = 0; i < layout_.path_values.count; ++i)
      for (size_t path = 0; path < wanted; ++path)
        paths_[i].push_back(values[i * all + first + path] * (i <= layout_.path_values.end ? length : 1));
    const auto samples = ensemble.samples(first, wanted);
    add_sums(ensemble.sums(batch.groups[first / lanes].share));
    if (wanted == plan_.paths) {
      complete(point, perturbed, *samples);
      continue;
    }
    collect(*samples, wanted);
    if (paths_[layout_.path_values.start].size() == plan_.paths)
      complete(point, perturbed, HostSamples(recorded_.data(), plan_.paths, plan_.paths));
  }
}

double Reduction::length_of(size_t point) const {
  const double period = plan_.points[point].values.period;
  return period > 0 ? period : 1;
}

// A device that is able to reduces a batch of whole shares. The host then gets points instead of paths, unless a path
// diverged.
bool Reduction::take_on_device(const Ensemble& ensemble, const Batch& batch) {
  if (batch.groups.size() % groups_per_share_ != 0 || ensemble.diverged().value_or(true)) return false;
  std::vector<double> lengths;
  for (uint64_t g = 0; g < batch.groups.size(); g += groups_per_share_)
    lengths.push_back(length_of(batch.groups[g].point));
  const auto paths = static_cast<double>(plan_.paths);
  std::vector<WindowMoments> moments(lengths.size());
  if (plan_.needs.moments) {
    const auto sums = ensemble.moments(plan_.paths, lengths);
    for (size_t i = 0; i < sums.size(); ++i)
      moments[i] = {paths,      sums[i][0], sums[i][1], sums[i][2], sums[i][3],
                    sums[i][4], sums[i][5], sums[i][6], sums[i][7]};
  }
  for (size_t i = 0; i < moments.size(); ++i) {
    add_sums(ensemble.sums(i));
    const auto samples = ensemble.samples(i * groups_per_share_ * layout_.lanes, plan_.paths);
    estimate(batch.groups[i * groups_per_share_].point, moments[i], {}, *samples);
  }
  return true;
}

void Reduction::complete(size_t point, bool perturbed, const Samples& samples) {
  Window window = window_of(point);
  note_divergence(point);
  if (perturbed) {
    perturbed_.clear();
    sums_.clear();
    for (size_t i = 0; i < window.end.size(); ++i) perturbed_.push_back(window.end[i] - window.start[i]);
  } else {
    window.perturbed = perturbed_;
    estimate(point, plan_.needs.moments ? moments(window) : WindowMoments(), window, samples);
    if (hooks_.window) hooks_.window(point, window);
  }
  for (auto& values : paths_) values.clear();
}

void Reduction::add_sums(const std::vector<int64_t>& sums) {
  sums_.resize(sums.size());
  for (size_t i = 0; i < sums.size(); ++i) sums_[i] += sums[i];
}

Window Reduction::window_of(size_t point) {
  const PointTime& time = plan_.points[point].time;
  const bmsim_abi::PathValues& at = layout_.path_values;
  Window window{.start = paths_[layout_.path_values.start],
                .end = paths_[layout_.path_values.end],
                .velocity = {},
                .squares = {},
                .duration = plan_.points[point].window(),
                .steps = plan_.points[point].window_steps(),
                .dt = time.dt,
                .transient_steps = time.transient,
                .total_steps = time.steps};
  if (at.velocity != 0) window.velocity = paths_[at.velocity], window.squares = paths_[at.squares];
  size_t number = at.counted;
  for (const Counter& counter : plan_.kernel.counters)
    for (const std::string& value : counter.values) window.counted[counter.name + "." + value] = paths_[number++];
  return window;
}

// Appends the recordings of the next `paths` paths of a share that is spread over several batches.
void Reduction::collect(const Samples& samples, size_t paths) {
  const size_t all = plan_.paths, before = paths_[layout_.path_values.start].size() - paths;
  recorded_.resize(rows_ * all);
  for (uint32_t row = 0; row < rows_; ++row) {
    const std::vector<double> numbers = samples.row(row, paths);
    std::copy(numbers.begin(), numbers.end(), recorded_.begin() + static_cast<ptrdiff_t>(row * all + before));
  }
}

Recording Reduction::recording_of(size_t point, size_t observable, const Samples& samples) const {
  const Point& at = plan_.points[point];
  std::vector<double> times;
  for (const uint32_t mark : at.marks_of[observable]) times.push_back(at.marks[mark] * at.time.dt);
  return {samples, std::move(times), at.marks_of[observable], layout_.sample_values, length_of(point)};
}

void Reduction::note_divergence(size_t point) {
  const auto seen = [&](const Divergence& one) { return one.point == point; };
  if (std::any_of(outcome_.diverged.begin(), outcome_.diverged.end(), seen)) return;
  for (size_t path = 0; path < paths_[layout_.path_values.end].size(); ++path)
    if (std::isnan(paths_[layout_.path_values.end][path])) {
      outcome_.diverged.push_back({point, path, paths_[layout_.path_values.start][path] / length_of(point)});
      return;
    }
}

// Sets moments to nan that do not exist under noise with heavy tails: an average over some paths does not estimate
// them.
void Reduction::drop_moments(size_t observable, size_t point, std::vector<Estimate>& columns,
                             std::vector<std::vector<double>>& arrays) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const PointFacts& facts = plan_.points[point].facts;
  if (std::isinf(facts.tail)) return;
  const Observable& one = *plan_.observables[observable];
  const auto names = one.columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!facts.has_moment(one.order(names[i]))) columns[i].value = nan;
    if (!facts.has_moment(one.order(names[i])) || !facts.has_error(one.order(names[i]))) columns[i].error = nan;
  }
  const std::vector<Array> shapes = one.arrays(facts);
  for (size_t i = 0; i < arrays.size(); ++i) {
    const double order = one.order(shapes[i].name);
    if (!facts.has_moment(order) || (shapes[i].name.ends_with("_err") && !facts.has_error(order)))
      std::fill(arrays[i].begin(), arrays[i].end(), nan);
  }
}

void Reduction::estimate(size_t point, const WindowMoments& moments, const Window& window, const Samples& samples) {
  std::vector<Estimate> columns;
  std::vector<std::vector<double>> arrays;
  for (size_t i = 0; i < plan_.observables.size(); ++i) {
    std::vector<Estimate> its_columns;
    std::vector<std::vector<double>> its_arrays;
    const Measured measured{plan_.points[point].facts, moments, recording_of(point, i, samples), window, sums_};
    plan_.observables[i]->measure(measured, its_columns, its_arrays);
    drop_moments(i, point, its_columns, its_arrays);
    columns.insert(columns.end(), its_columns.begin(), its_columns.end());
    std::move(its_arrays.begin(), its_arrays.end(), std::back_inserter(arrays));
  }
  sums_.clear();
  done_(point, columns, arrays);
}

}  // namespace bmsim
