#include "engine/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "interruption.h"

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

Reduction::Reduction(const EnsemblePlan& plan, const KernelLayout& layout, bool keep_windows, Receiver receiver)
    : plan_(plan),
      layout_(layout),
      keep_windows_(keep_windows),
      receiver_(std::move(receiver)),
      groups_per_share_((plan.paths + layout.lanes - 1) / layout.lanes),
      paths_(layout.path_values.count),
      rows_(plan.most_marks() * layout.sample_values) {}

// The last group of a share may have spare trajectories.
uint64_t Reduction::paths_of(const Part& part) const {
  return std::min(plan_.paths, (part.first + part.groups) * layout_.lanes) - part.first * layout_.lanes;
}

// Whether every single path of a share is needed in one place.
bool Reduction::keeps_paths() const { return keep_windows_ || plan_.needs.windows || rows_ > 0; }

uint64_t Reduction::groups_per_bundle() const {
  return keeps_paths() || bundle_paths % layout_.lanes != 0 ? 1 : bundle_paths / layout_.lanes;
}

bool Reduction::has_whole_bundles(const Part& part) const {
  const uint64_t first = part.first * layout_.lanes, end = first + paths_of(part);
  return first % bundle_paths == 0 && (end % bundle_paths == 0 || end == plan_.paths);
}

void Reduction::take(Ensemble& ensemble, const std::vector<Part>& parts) {
  const bool on_host = !ensemble.diverged();
  if (on_host && !keeps_paths()) return take_in_slices(ensemble, parts);
  const size_t done = on_host || keep_windows_ || plan_.needs.windows ? 0 : take_on_device(ensemble, parts);
  if (done == parts.size()) return;
  const size_t lanes = layout_.lanes, count = layout_.path_values.count;
  uint64_t whole = 0;
  for (size_t i = done; i < parts.size(); ++i) whole += is_whole(parts[i]) ? parts[i].groups * lanes : 0;
  if (whole * count > room_) memory_ = std::make_unique_for_overwrite<double[]>(room_ = whole * count);
  std::vector<std::shared_ptr<ShareRows>> rows(parts.size());  // of pieces
  std::vector<WindowTarget> targets;                           // of parts
  size_t first = 0, used = 0;
  for (size_t i = 0; i < parts.size(); first += parts[i++].groups * lanes) {
    const Part& part = parts[i];
    if (i < done) continue;
    if (is_whole(part)) {
      targets.push_back({first, part.groups * lanes, memory_.get() + used, whole});
      used += part.groups * lanes;
    } else {
      rows[i] = receiver_.rows(part);
      targets.push_back({first, paths_of(part), rows[i]->value(0).data() + part.first * lanes, plan_.paths});
    }
  }
  ensemble.window(targets);
  for (size_t i = done; i < parts.size(); ++i) {
    check_interruption();
    const Part& part = parts[i];
    const WindowTarget& its = targets[i - done];
    convert(part.share.point, its.to, its.stride, paths_of(part));
    const auto samples = ensemble.samples(its.first, paths_of(part));
    evaluate_formulas(part.share.point, *samples);
    add_sums(ensemble.sums(i));
    if (!is_whole(part))
      give_piece(part, std::move(rows[i]), *samples);
    else if (auto result = complete(part, *samples))
      receiver_.share(part, *std::move(result));
  }
}

// To the script's units; paths_ becomes these values.
void Reduction::convert(size_t point, double* values, size_t stride, size_t paths) {
  const std::vector<double> units = units_of(point);
  for (size_t k = 0; k < units.size(); ++k) {
    const std::span its(values + k * stride, paths);
    if (units[k] != 1)
      for (double& value : its) value *= units[k];
    paths_[k] = its;
  }
}

// On a CPU, where only bundles are wanted: some bundles at a time, so that they stay in its cache.
void Reduction::take_in_slices(Ensemble& ensemble, const std::vector<Part>& parts) {
  constexpr size_t few = 16 * bundle_paths;
  const size_t lanes = layout_.lanes, count = layout_.path_values.count;
  const size_t both = std::lcm(bundle_paths, lanes), slice = both * std::max<size_t>(1, few / both);
  if (slice * count > room_) memory_ = std::make_unique_for_overwrite<double[]>(room_ = slice * count);
  for (size_t i = 0, first = 0; i < parts.size(); first += parts[i++].groups * lanes) {
    const Part& part = parts[i];
    const size_t point = part.share.point, begin = part.first * lanes, end = begin + paths_of(part);
    Piece piece{part, begin, end - begin, is_whole(part) ? nullptr : receiver_.rows(part), {}, ensemble.sums(i)};
    for (size_t from = begin, to = 0; from < end; from = to) {
      check_interruption();
      to = std::min(end, (from / slice + 1) * slice);
      const WindowTarget target{first + (from - begin), to - from, memory_.get(), slice};
      ensemble.window({&target, 1});
      convert(point, memory_.get(), slice, to - from);
      if (!piece.diverged)
        if ((piece.diverged = divergence(point, 0, to - from))) piece.diverged->path += from;
      const Bundles its = bundles_of(point, from, to - from);
      const Piece here{part, from, to - from, nullptr, its, {}};
      if (piece.rows)
        for (const auto& [low, high] : here.in_rows())
          for (size_t k = 0; k < count; ++k)
            std::ranges::copy(paths_[k].subspan(low - from, high - low), piece.rows->value(k).data() + low);
      piece.bundles.add(its);
    }
    if (piece.rows) {
      receiver_.piece(std::move(piece));
      continue;
    }
    add_sums(piece.sums);
    ShareResult result = result_of(point, piece.bundles, std::vector<Window>(variables_of(plan_)),
                                   HostSamples(nullptr, plan_.paths, plan_.paths));
    result.diverged = piece.diverged;
    receiver_.share(part, std::move(result));
  }
}

std::shared_ptr<ShareRows> Reduction::make_rows() const {
  return std::make_shared<ShareRows>(plan_.paths, layout_.path_values.count, rows_);
}

void Reduction::give_piece(const Part& part, std::shared_ptr<ShareRows> rows, const Samples& samples) {
  const size_t first = part.first * layout_.lanes, paths = paths_of(part), point = part.share.point;
  Piece piece{part, first, paths, std::move(rows), {}, std::exchange(sums_, {})};
  for (uint32_t row = 0; row < rows_; ++row) {
    check_interruption();
    std::ranges::copy(samples.row(row, paths), piece.rows->sample(row).begin() + static_cast<ptrdiff_t>(first));
  }
  if (!keeps_paths()) {
    piece.bundles = bundles_of(point, first, paths);
    if ((piece.diverged = divergence(point, 0, paths))) piece.diverged->path += first;
  }
  receiver_.piece(std::move(piece));
}

// The bundles that lie within paths first ... first + paths - 1 of a share, which paths_ has.
Bundles Reduction::bundles_of(size_t point, size_t first, size_t paths) const {
  const size_t begin = (first + bundle_paths - 1) / bundle_paths, last = first + paths;
  const size_t end = (last == plan_.paths ? last + bundle_paths - 1 : last) / bundle_paths;
  const size_t variables = variables_of(plan_);
  Bundles bundles{begin, end > begin ? end - begin : 0};
  if (plan_.needs.moments) bundles.moments.resize(variables);
  if (compares_halves(point)) bundles.halves.resize(variables);
  for (size_t variable = 0; variable < variables; ++variable) {
    const Window window = window_of(point, variable);
    for (size_t path = begin * bundle_paths; path < std::min(plan_.paths, end * bundle_paths); path += bundle_paths) {
      const size_t count = std::min(bundle_paths, plan_.paths - path);
      if (plan_.needs.moments) bundles.moments[variable].push_back(moments(window, path - first, count));
      if (compares_halves(point)) bundles.halves[variable].push_back(halves(window, path - first, count));
    }
  }
  return bundles;
}

ShareResult Reduction::assemble(const std::vector<Piece>& perturbed, const std::vector<Piece>& pieces) {
  kept_.clear();  // of a share that was interrupted
  if (!keeps_paths()) return put_together(pieces);
  std::optional<ShareResult> result;
  for (const std::vector<Piece>* all : {&perturbed, &pieces}) {
    if (all->empty()) continue;
    for (const Piece& piece : *all) add_sums(piece.sums);
    const ShareRows& rows = *all->front().rows;
    for (size_t k = 0; k < paths_.size(); ++k) paths_[k] = rows.value(k);
    result = complete(all->front().part, HostSamples(rows.sample(0).data(), plan_.paths, plan_.paths));
  }
  return *std::move(result);
}

// From the bundles of pieces, and of paths in rows between them.
ShareResult Reduction::put_together(const std::vector<Piece>& pieces) {
  const size_t point = pieces.front().part.share.point;
  const ShareRows& rows = *pieces.front().rows;
  for (size_t k = 0; k < paths_.size(); ++k) paths_[k] = rows.value(k);
  std::vector<const Piece*> of_bundle((plan_.paths + bundle_paths - 1) / bundle_paths, nullptr);
  std::optional<Divergence> diverged;
  for (const Piece& piece : pieces) {
    add_sums(piece.sums);
    std::fill_n(of_bundle.begin() + static_cast<ptrdiff_t>(piece.bundles.first), piece.bundles.count, &piece);
    if (piece.diverged && (!diverged || piece.diverged->path < diverged->path)) diverged = piece.diverged;
  }
  Bundles all{0, of_bundle.size()};
  for (size_t bundle = 0; bundle < of_bundle.size(); ++bundle) {
    const Piece* const from = of_bundle[bundle];
    const size_t path = bundle * bundle_paths;
    std::vector<std::span<const double>> whole;
    Bundles here;
    if (from == nullptr) {
      whole = paths_;
      for (std::span<const double>& values : paths_)
        values = values.subspan(path, std::min(bundle_paths, plan_.paths - path));
      here = bundles_of(point, path, paths_[0].size());
      paths_ = std::move(whole);
    }
    const Bundles& its = from == nullptr ? here : from->bundles;
    const auto add = [&](auto& to, const auto& lists) {
      to.resize(lists.size());
      for (size_t variable = 0; variable < lists.size(); ++variable)
        to[variable].push_back(lists[variable][bundle - its.first]);
    };
    add(all.moments, its.moments);
    add(all.halves, its.halves);
  }
  ShareResult result =
      result_of(point, all, std::vector<Window>(variables_of(plan_)), HostSamples(nullptr, plan_.paths, plan_.paths));
  result.diverged = diverged;
  return result;
}

ShareResult Reduction::result_of(size_t point, const Bundles& bundles, const std::vector<Window>& windows,
                                 const Samples& samples) {
  std::vector<WindowMoments> moments(variables_of(plan_));
  for (size_t variable = 0; variable < bundles.moments.size(); ++variable)
    moments[variable] = together(bundles.moments[variable]);
  ShareResult result = estimate(point, moments, windows, samples);
  for (const std::vector<HalfMoments>& halves : bundles.halves)
    result.halves.push_back(in_time(point, together(halves)));
  return result;
}

double Reduction::length_of(size_t point, size_t variable) const {
  return plan_.points[point].values.variables[variable].length();
}

// What the kernel's values of a path are multiplied by: positions and what counters have units for.
std::vector<double> Reduction::units_of(size_t point) const {
  const size_t variables = variables_of(plan_);
  std::vector<double> units(layout_.path_values.count, 1);
  const size_t places =
      (layout_.path_values.middle > 0 ? layout_.path_values.middle : layout_.path_values.end) + variables;
  for (size_t i = 0; i < places; ++i) units[i] = length_of(point, i % variables);
  if (layout_.path_values.push > 0) units[layout_.path_values.push] = length_of(point, 0);
  size_t number = layout_.path_values.counted;
  if (plan_.kernel.counters.empty()) return units;  // a pilot counts nothing
  for (const Counter& counter : counters_of(plan_, plan_.points[point])) {
    std::copy(counter.units.begin(), counter.units.end(), units.begin() + static_cast<ptrdiff_t>(number));
    number += counter.values.size();
  }
  return units;
}

// A device that is able to reduces the parts with which a batch begins, as long as these are whole shares or have whole
// bundles: how many. The host then gets bundles instead of paths, unless a path diverged.
size_t Reduction::take_on_device(Ensemble& ensemble, const std::vector<Part>& parts) {
  size_t count = 0;
  while (count < parts.size() && (is_whole(parts[count]) || (!keeps_paths() && has_whole_bundles(parts[count]))))
    ++count;
  if (count == 0 || ensemble.diverged().value_or(true)) return 0;
  std::vector<Bundles> bundles = bundles_on(ensemble, std::span(parts).first(count));
  size_t first = 0;
  for (size_t i = 0; i < count; first += parts[i++].groups * layout_.lanes) {
    check_interruption();
    const Part& part = parts[i];
    add_sums(ensemble.sums(i));
    if (is_whole(part)) {
      const auto samples = ensemble.samples(first, plan_.paths);
      evaluate_formulas(part.share.point, *samples);
      receiver_.share(part,
                      result_of(part.share.point, bundles[i], std::vector<Window>(variables_of(plan_)), *samples));
    } else {
      receiver_.piece({part, part.first * layout_.lanes, paths_of(part), receiver_.rows(part), std::move(bundles[i]),
                       std::exchange(sums_, {})});
    }
  }
  return count;
}

// The bundles of the parts with which a batch begins.
std::vector<Bundles> Reduction::bundles_on(Ensemble& device, std::span<const Part> parts) const {
  std::vector<Bundles> all(parts.size());
  std::vector<Bundle> places;
  for (size_t i = 0, first = 0; i < parts.size(); first += parts[i++].groups * layout_.lanes) {
    const size_t begin = parts[i].first * layout_.lanes, paths = paths_of(parts[i]);
    for (size_t path = 0; path < paths; path += bundle_paths)
      places.push_back(
          {first + path, static_cast<uint32_t>(std::min(bundle_paths, paths - path)), static_cast<uint32_t>(i)});
    all[i].first = begin / bundle_paths, all[i].count = (paths + bundle_paths - 1) / bundle_paths;
  }
  const size_t variables = variables_of(plan_);
  for (size_t variable = 0; variable < variables && (plan_.needs.moments || plan_.kernel.halves); ++variable) {
    std::vector<double> units;
    for (const Part& part : parts) {
      const PointTime& time = plan_.points[part.share.point].time;
      units.insert(units.end(), {length_of(part.share.point, variable), time.transient, time.steps});
    }
    const std::vector<BundleMoments> moments = device.moments(places, units, variable);
    for (size_t k = 0; k < places.size(); ++k) {
      const BundleMoments& m = moments[k];
      Bundles& its = all[places[k].part];
      const auto paths = static_cast<double>(places[k].paths);
      if (plan_.needs.moments) {
        its.moments.resize(variables);
        its.moments[variable].push_back(
            {paths, m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11]});
      }
      if (compares_halves(parts[places[k].part].share.point)) {
        its.halves.resize(variables);
        its.halves[variable].push_back(
            {paths, m[12], m[13], m[14], m[15], m[16], m[17], m[18], m[19], m[20], m[21], m[22], m[23]});
      }
    }
  }
  return all;
}

// Ends a whole share. Perturbed paths give nothing yet.
std::optional<ShareResult> Reduction::complete(const Part& part, const Samples& samples) {
  const size_t point = part.share.point;
  std::optional<ShareResult> result;
  if (keep_windows_) {
    for (const std::span<const double> values : paths_) kept_.emplace_back(values.begin(), values.end());
    std::ranges::copy(kept_, paths_.begin());
  }
  const std::optional<Divergence> diverged = divergence(point, 0, plan_.paths);
  if (part.share.perturbed) {
    const Window window = window_of(point, 0);
    perturbed_ends_ = diverged;
    perturbed_.clear();
    sums_.clear();
    for (size_t i = 0; i < window.end.size(); ++i) perturbed_.push_back(window.end[i] - window.start[i]);
  } else {
    std::vector<Window> windows;
    for (size_t variable = 0; variable < variables_of(plan_); ++variable) {
      windows.push_back(window_of(point, variable));
      windows.back().perturbed = perturbed_;
    }
    result = result_of(point, bundles_of(point, 0, plan_.paths), windows, samples);
    result->diverged = perturbed_ends_ ? perturbed_ends_ : diverged;
    if (keep_windows_) {
      result->paths = std::move(kept_);
      result->paths.push_back(perturbed_);
      for (Window& window : windows) window.perturbed = result->paths.back();
      result->windows = std::move(windows);
    }
  }
  kept_.clear();
  return result;
}

bool Reduction::compares_halves(size_t point) const {
  return plan_.kernel.halves && plan_.points[point].time.middle < bmsim_abi::NEVER;
}

// Times in place of steps. All paths of a system are one sample, which has no durations: widenings of systems are added
// up as they are.
HalfMoments Reduction::in_time(size_t point, HalfMoments m) const {
  const double dt = plan_.points[point].time.dt;
  for (double* one : {&m.first, &m.second, &m.widening, &m.first_spread}) *one /= dt;
  if (plan_.together())
    return {.paths = 1, .first = m.first, .second = m.second, .widening = m.widening, .first_spread = m.first_spread};
  for (double* one : {&m.first_squares, &m.second_squares, &m.change_squares, &m.widening_squares,
                      &m.first_with_widening, &m.second_with_widening})
    *one /= dt * dt;
  m.first_time *= dt, m.second_time *= dt;
  return m;
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
                .sum = {},
                .duration = plan_.points[point].window(),
                .steps = plan_.points[point].window_steps(),
                .dt = time.dt,
                .transient_steps = time.transient,
                .total_steps = time.steps};
  if (plan_.model.variables()[variable].inertial) {
    const size_t k = velocity_index(plan_.model, variable);
    window.velocity = paths_[at.velocity + k], window.sum = paths_[at.squares + k];
  }
  if (at.push > 0) window.sum = paths_[at.push];
  if (at.middle > 0)
    window.middle = paths_[at.middle + variable], window.middle_time = paths_[at.middle + variables_of(plan_)];
  size_t number = at.counted;
  for (const Counter& counter : plan_.kernel.counters)
    for (const std::string& value : counter.values) window.counted[counter.name + "." + value] = paths_[number++];
  return window;
}

void Reduction::evaluate_formulas(size_t point, Samples& samples) const {
  const Point& at = plan_.points[point];
  for (size_t k = 0; k < plan_.formulas.size(); ++k) {
    check_interruption();
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

// The first of paths first ... last - 1 of paths_ that has diverged.
std::optional<Divergence> Reduction::divergence(size_t point, size_t first, size_t last) const {
  for (size_t path = first; path < last; ++path)
    if (std::isnan(paths_[layout_.path_values.end][path]))
      return Divergence{point, path, paths_[layout_.path_values.start][path] / length_of(point, 0)};
  return {};
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

ShareResult Reduction::estimate(size_t point, const std::vector<WindowMoments>& moments,
                                const std::vector<Window>& windows, const Samples& samples) {
  ShareResult result;
  for (size_t i = 0; i < plan_.observables.size(); ++i) {
    check_interruption();
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
    result.columns.insert(result.columns.end(), its_columns.begin(), its_columns.end());
    std::move(its_arrays.begin(), its_arrays.end(), std::back_inserter(result.arrays));
  }
  sums_.clear();
  return result;
}

}  // namespace bmsim
