#include "engine/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bmsim {

namespace {

size_t variables_of(const EnsemblePlan& plan) { return plan.model.variables().size(); }

/// Index of the velocity of a variable with inertia among all velocities.
size_t velocity_index(const Model& model, size_t variable) {
  size_t index = 0;
  for (size_t i = 0; i < variable; ++i) index += model.variables()[i].inertial ? 1 : 0;
  return index;
}

}  // namespace

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

void Reduction::take(Ensemble& ensemble, const Batch& batch, uint64_t first_group) {
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
    const std::vector<double> units = units_of(point);
    for (size_t i = 0; i < layout_.path_values.count; ++i) {
      const double unit = units[i];
      for (size_t path = 0; path < wanted; ++path) paths_[i].push_back(values[i * all + first + path] * unit);
    }
    const auto samples = ensemble.samples(first, wanted);
    evaluate_formulas(point, *samples);
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

double Reduction::length_of(size_t point, size_t variable) const {
  return plan_.points[point].values.variables[variable].length();
}

// What the kernel's values of a path are multiplied by: positions and what counters have units for.
std::vector<double> Reduction::units_of(size_t point) const {
  const size_t variables = variables_of(plan_);
  std::vector<double> units(layout_.path_values.count, 1);
  for (size_t i = 0; i < layout_.path_values.end + variables; ++i) units[i] = length_of(point, i % variables);
  size_t number = layout_.path_values.counted;
  if (plan_.kernel.counters.empty()) return units;  // a pilot counts nothing
  for (const Counter& counter : counters_of(plan_, plan_.points[point])) {
    std::copy(counter.units.begin(), counter.units.end(), units.begin() + static_cast<ptrdiff_t>(number));
    number += counter.values.size();
  }
  return units;
}

// A device that is able to reduces a batch of whole shares. The host then gets points instead of paths, unless a path
// diverged.
bool Reduction::take_on_device(Ensemble& ensemble, const Batch& batch) {
  if (batch.groups.size() % groups_per_share_ != 0 || ensemble.diverged().value_or(true)) return false;
  const size_t shares = batch.groups.size() / groups_per_share_, variables = variables_of(plan_);
  const auto point_of = [&](size_t share) { return batch.groups[share * groups_per_share_].point; };
  const auto paths = static_cast<double>(plan_.paths);
  std::vector<std::vector<WindowMoments>> moments(shares, std::vector<WindowMoments>(variables));
  for (size_t variable = 0; variable < variables && plan_.needs.moments; ++variable) {
    std::vector<double> lengths;
    for (size_t i = 0; i < shares; ++i) lengths.push_back(length_of(point_of(i), variable));
    const auto sums = ensemble.moments(plan_.paths, lengths, variable);
    for (size_t i = 0; i < shares; ++i)
      moments[i][variable] = {paths,      sums[i][0], sums[i][1], sums[i][2], sums[i][3],
                              sums[i][4], sums[i][5], sums[i][6], sums[i][7]};
  }
  for (size_t i = 0; i < shares; ++i) {
    add_sums(ensemble.sums(i));
    const auto samples = ensemble.samples(i * groups_per_share_ * layout_.lanes, plan_.paths);
    evaluate_formulas(point_of(i), *samples);
    estimate(point_of(i), moments[i], std::vector<Window>(variables), *samples);
  }
  return true;
}

void Reduction::complete(size_t point, bool perturbed, const Samples& samples) {
  note_divergence(point);
  if (perturbed) {
    const Window window = window_of(point, 0);
    perturbed_.clear();
    sums_.clear();
    for (size_t i = 0; i < window.end.size(); ++i) perturbed_.push_back(window.end[i] - window.start[i]);
  } else {
    std::vector<Window> windows;
    std::vector<WindowMoments> all_moments;
    for (size_t variable = 0; variable < variables_of(plan_); ++variable) {
      windows.push_back(window_of(point, variable));
      windows.back().perturbed = perturbed_;
      all_moments.push_back(plan_.needs.moments ? moments(windows.back()) : WindowMoments());
    }
    estimate(point, all_moments, windows, samples);
    if (hooks_.window) hooks_.window(point, windows);
  }
  for (auto& values : paths_) values.clear();
}

void Reduction::add_sums(const std::vector<int64_t>& sums) {
  sums_.resize(sums.size());
  for (size_t i = 0; i < sums.size(); ++i) sums_[i] += sums[i];
}

Window Reduction::window_of(size_t point, size_t variable) const {
  const PointTime& time = plan_.points[point].time;
  const bmsim_abi::PathValues& at = layout_.path_values;
  Window window{.start = paths_[at.start + variable],
                .end = paths_[at.end + variable],
                .velocity = {},
                .squares = {},
                .duration = plan_.points[point].window(),
                .steps = plan_.points[point].window_steps(),
                .dt = time.dt,
                .transient_steps = time.transient,
                .total_steps = time.steps};
  if (plan_.model.variables()[variable].inertial) {
    const size_t k = velocity_index(plan_.model, variable);
    window.velocity = paths_[at.velocity + k], window.squares = paths_[at.squares + k];
  }
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

void Reduction::evaluate_formulas(size_t point, Samples& samples) const {
  const Point& at = plan_.points[point];
  for (size_t k = 0; k < plan_.formulas.size(); ++k) {
    const StateFormula& formula = plan_.formulas[k];
    const std::vector<double> inputs = formula.inputs(at.values);
    const auto on_host = [&](std::span<const double* const> numbers, size_t count, double* values) {
      formula.evaluate(inputs, numbers, count, values);
    };
    const auto recorded = static_cast<uint32_t>(formula.state_size());
    samples.evaluate({on_host, formula.operations().operations, formula.operations().arguments, inputs, recorded,
                      static_cast<uint32_t>(layout_.sample_values), static_cast<uint32_t>(recorded + k)},
                     at.marks.size());
  }
}

Recording Reduction::recording_of(size_t point, size_t observable, const Samples& samples) const {
  const Point& at = plan_.points[point];
  std::vector<double> times;
  for (const uint32_t mark : at.marks_of[observable]) times.push_back(at.marks[mark] * at.time.dt);
  const size_t variable = plan_.observables[observable]->variable(), variables = variables_of(plan_);
  SampleValues values{layout_.sample_values, variable, 0, {}};
  if (variable >= variables)
    values.x = plan_.formulas[0].state_size() + (variable - variables);
  else if (plan_.model.variables()[variable].inertial)
    values.v = variables + velocity_index(plan_.model, variable);
  for (size_t i = 0; i < variables; ++i) values.lengths.push_back(length_of(point, i));
  return {samples, std::move(times), at.marks_of[observable], std::move(values)};
}

void Reduction::note_divergence(size_t point) {
  const auto seen = [&](const Divergence& one) { return one.point == point; };
  if (std::any_of(outcome_.diverged.begin(), outcome_.diverged.end(), seen)) return;
  for (size_t path = 0; path < paths_[layout_.path_values.end].size(); ++path)
    if (std::isnan(paths_[layout_.path_values.end][path])) {
      outcome_.diverged.push_back({point, path, paths_[layout_.path_values.start][path] / length_of(point, 0)});
      return;
    }
}

// Sets moments to nan that do not exist under noise with heavy tails: an average over some paths does not estimate
// them. And errors of moments that these paths are too few for.
void Reduction::drop_moments(size_t observable, size_t point, std::vector<Estimate>& columns,
                             std::vector<std::vector<double>>& arrays) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Observable& one = *plan_.observables[observable];
  const PointFacts facts = plan_.points[point].facts.of(one.variable());
  if (std::isinf(facts.tail) && facts.fewest_for_squares == 0) return;
  const auto has_error = [&](double order) {
    return facts.has_error(order) && static_cast<double>(plan_.paths) >= facts.fewest_for_order(order);
  };
  const auto names = one.columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!facts.has_moment(one.order(names[i]))) columns[i].value = nan;
    if (!facts.has_moment(one.order(names[i])) || !has_error(one.order(names[i]))) columns[i].error = nan;
  }
  const std::vector<Array> shapes = one.arrays(plan_.points[point].facts);
  for (size_t i = 0; i < arrays.size(); ++i) {
    const double order = one.order(shapes[i].name);
    if (!facts.has_moment(order) || (shapes[i].name.ends_with("_err") && !has_error(order)))
      std::fill(arrays[i].begin(), arrays[i].end(), nan);
  }
}

// Paths of one system do not know errors; estimates.h has them from the scatter of systems.
void Reduction::forget_errors(size_t observable, size_t point, std::vector<Estimate>& columns,
                              std::vector<std::vector<double>>& arrays) const {
  for (Estimate& one : columns) one.error = 0;
  const std::vector<Array> shapes = plan_.observables[observable]->arrays(plan_.points[point].facts);
  for (size_t i = 0; i < arrays.size(); ++i)
    if (shapes[i].name.ends_with("_err")) std::ranges::fill(arrays[i], 0);
}

void Reduction::estimate(size_t point, const std::vector<WindowMoments>& moments, const std::vector<Window>& windows,
                         const Samples& samples) {
  std::vector<Estimate> columns;
  std::vector<std::vector<double>> arrays;
  for (size_t i = 0; i < plan_.observables.size(); ++i) {
    std::vector<Estimate> its_columns;
    std::vector<std::vector<double>> its_arrays;
    const size_t of = plan_.observables[i]->variable(), variable = of < windows.size() ? of : 0;
    const Measured measured{plan_.points[point].facts.of(of),
                            moments[variable],
                            recording_of(point, i, samples),
                            windows[variable],
                            sums_,
                            windows};
    plan_.observables[i]->measure(measured, its_columns, its_arrays);
    if (plan_.together()) forget_errors(i, point, its_columns, its_arrays);
    drop_moments(i, point, its_columns, its_arrays);
    columns.insert(columns.end(), its_columns.begin(), its_columns.end());
    std::move(its_arrays.begin(), its_arrays.end(), std::back_inserter(arrays));
  }
  sums_.clear();
  done_(point, columns, arrays);
}

}  // namespace bmsim
