#include "engine/reduction.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "interruption.h"
#include "plan/transient_check.h"

namespace bmsim {

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
      if (!piece.diverged) piece.diverged = divergence(point, from);
      const Bundles its = bundles_of(point, from, to - from, from);
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
    ShareResult result = result_of(point, piece.bundles, std::vector<Window>(variable_count()),
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
    piece.bundles = bundles_of(point, first, paths, first);
    piece.diverged = divergence(point, first);
  }
  receiver_.piece(std::move(piece));
}

// Room for what a point needs of so many bundles.
Bundles Reduction::empty_bundles(size_t point, size_t first, size_t count) const {
  Bundles bundles{first, count};
  if (plan_.needs.moments) bundles.moments.resize(variable_count());
  if (compares_halves(point)) bundles.halves.resize(variable_count());
  return bundles;
}

// The bundles that lie within paths first ... first + paths - 1 of a share. paths_ has these, from path `held` on.
Bundles Reduction::bundles_of(size_t point, size_t first, size_t paths, size_t held) const {
  const size_t begin = (first + bundle_paths - 1) / bundle_paths, last = first + paths;
  const size_t end = (last == plan_.paths ? last + bundle_paths - 1 : last) / bundle_paths;
  Bundles bundles = empty_bundles(point, begin, end > begin ? end - begin : 0);
  for (size_t variable = 0; variable < variable_count(); ++variable) {
    const Window window = window_of(point, variable);
    for (size_t path = begin * bundle_paths; path < std::min(plan_.paths, end * bundle_paths); path += bundle_paths) {
      const size_t count = std::min(bundle_paths, plan_.paths - path);
      if (!bundles.moments.empty()) bundles.moments[variable].push_back(moments(window, path - held, count));
      if (!bundles.halves.empty()) bundles.halves[variable].push_back(halves(window, path - held, count));
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
  std::vector<const Piece*> in_order;
  std::optional<Divergence> diverged;
  for (const Piece& piece : pieces) {
    in_order.push_back(&piece);
    add_sums(piece.sums);
    if (piece.diverged && (!diverged || piece.diverged->path < diverged->path)) diverged = piece.diverged;
  }
  std::ranges::sort(in_order, {}, &Piece::first);
  Bundles all;
  size_t done = 0;  // paths
  const auto reduce_rows = [&](size_t to) { all.add(bundles_of(point, done, to - done, 0)); };
  for (const Piece* piece : in_order) {
    if (piece->bundles.count == 0) continue;
    reduce_rows(piece->bundles.first * bundle_paths);
    all.add(piece->bundles);
    done = std::min(plan_.paths, (piece->bundles.first + piece->bundles.count) * bundle_paths);
  }
  reduce_rows(plan_.paths);
  ShareResult result =
      result_of(point, all, std::vector<Window>(variable_count()), HostSamples(nullptr, plan_.paths, plan_.paths));
  result.diverged = diverged;
  return result;
}

ShareResult Reduction::result_of(size_t point, const Bundles& bundles, const std::vector<Window>& windows,
                                 const Samples& samples) {
  std::vector<WindowMoments> moments(variable_count(), unknown_moments);
  for (size_t variable = 0; variable < bundles.moments.size(); ++variable)
    moments[variable] = together(bundles.moments[variable]);
  ShareResult result = estimate(point, moments, windows, samples, std::exchange(sums_, {}));
  const std::vector<HalfMoments> of_densities = std::exchange(result.halves, {});
  for (const std::vector<HalfMoments>& halves : bundles.halves)
    result.halves.push_back(in_time(point, together(halves)));
  if (compares_halves(point) && !windows.empty() && !windows[0].middle_time.empty())
    for (const HalvedSum& one : halved_sums(plan_)) result.halves.push_back(halves_of(point, one, windows[0]));
  if (!of_densities.empty()) {  // which are recorded where halves of paths are not compared, too
    result.halves.resize(variable_count() + halved_sums(plan_).size());
    result.halves.insert(result.halves.end(), of_densities.begin(), of_densities.end());
  }
  return result;
}

double Reduction::length_of(size_t point, size_t variable) const {
  return plan_.points[point].values.variables[variable].length();
}

// What the kernel's values of a path are multiplied by: positions and what counters have units for.
std::vector<double> Reduction::units_of(size_t point) const {
  const size_t variables = variable_count();
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
      receiver_.share(part, result_of(part.share.point, bundles[i], std::vector<Window>(variable_count()), *samples));
    } else {
      receiver_.piece({part, part.first * layout_.lanes, paths_of(part), receiver_.rows(part), std::move(bundles[i]),
                       std::exchange(sums_, {})});
    }
  }
  return count;
}

std::vector<Bundles> Reduction::bundles_on(Ensemble& device, std::span<const Part> parts) const {
  const size_t variables = variable_count();
  std::vector<Bundles> all(parts.size());
  std::vector<Bundle> places;
  for (size_t i = 0, first = 0; i < parts.size(); first += parts[i++].groups * layout_.lanes) {
    const size_t begin = parts[i].first * layout_.lanes, paths = paths_of(parts[i]);
    for (size_t path = 0; path < paths; path += bundle_paths)
      places.push_back(
          {first + path, static_cast<uint32_t>(std::min(bundle_paths, paths - path)), static_cast<uint32_t>(i)});
    all[i] = empty_bundles(parts[i].share.point, begin / bundle_paths, (paths + bundle_paths - 1) / bundle_paths);
  }
  for (size_t variable = 0; variable < variables && (plan_.needs.moments || plan_.kernel.halves); ++variable) {
    std::vector<PartUnits> units;
    for (const Part& part : parts) {
      const PointTime& time = plan_.points[part.share.point].time;
      units.push_back({length_of(part.share.point, variable), time.transient, time.steps});
    }
    const std::vector<BundleMoments> moments = device.moments(places, units, variable);
    for (size_t k = 0; k < places.size(); ++k) {
      Bundles& its = all[places[k].part];
      if (!its.moments.empty()) its.moments[variable].push_back(moments[k].window);
      if (!its.halves.empty()) its.halves[variable].push_back(moments[k].halves);
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
  const std::optional<Divergence> diverged = divergence(point, 0);
  if (part.share.perturbed) {
    const Window window = window_of(point, 0);
    perturbed_ends_ = diverged;
    perturbed_.clear();
    sums_.clear();
    for (size_t i = 0; i < window.end.size(); ++i) perturbed_.push_back(window.end[i] - window.start[i]);
  } else {
    std::vector<Window> windows;
    for (size_t variable = 0; variable < variable_count(); ++variable) {
      windows.push_back(window_of(point, variable));
      windows.back().perturbed = perturbed_;
    }
    result = result_of(point, bundles_of(point, 0, plan_.paths, 0), windows, samples);
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

// Times in place of steps. A system is one sample, which has no durations: widenings are added up as they are.
HalfMoments Reduction::in_time(size_t point, HalfMoments m) const {
  const double dt = plan_.points[point].time.dt;
  for (double* one : {&m.first, &m.second, &m.widening, &m.first_spread}) *one /= dt;
  if (plan_.together())
    return {.paths = 1, .first = m.first, .second = m.second, .widening = m.widening, .first_spread = m.first_spread};
  for (double* one : {&m.first_squares, &m.second_squares, &m.change_squares, &m.widening_squares,
                      &m.first_with_widening, &m.second_with_widening})
    *one /= dt * dt;
  m.product_squares /= dt * dt * dt * dt;
  m.first_time *= dt, m.second_time *= dt;
  return m;
}

// A sum over steps as if it were a position: its velocity, in time, is the average.
HalfMoments Reduction::halves_of(size_t point, const HalvedSum& one, const Window& window) const {
  const double dt = plan_.points[point].time.dt;
  const std::span<const double> sums = window.counted.at(one.sum), halves_of_sums = window.counted.at(one.half);
  const std::vector<double> start(sums.size());
  std::vector<double> middle(halves_of_sums.begin(), halves_of_sums.end()), end(sums.begin(), sums.end());
  for (std::vector<double>* values : {&middle, &end})
    for (double& value : *values) value *= dt;
  Window as_place{
      .start = start, .end = end, .velocity = {}, .sum = {}, .duration = window.duration, .steps = window.steps};
  as_place.transient_steps = window.transient_steps, as_place.total_steps = window.total_steps;
  as_place.middle = middle, as_place.middle_time = window.middle_time;
  std::vector<HalfMoments> bundles;
  for (size_t path = 0; path < sums.size(); path += bundle_paths)
    bundles.push_back(halves(as_place, path, std::min(bundle_paths, sums.size() - path)));
  return in_time(point, together(bundles));
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
    window.middle = paths_[at.middle + variable], window.middle_time = paths_[at.middle + variable_count()];
  size_t number = at.counted;
  for (const Counter& counter : plan_.kernel.counters)
    for (const std::string& value : counter.values) window.counted[counter.name + "." + value] = paths_[number++];
  return window;
}

// The first of the paths in paths_ that has diverged; first: number in the share of the first of them.
std::optional<Divergence> Reduction::divergence(size_t point, size_t first) const {
  const auto ends = paths_[layout_.path_values.end];
  const auto found = std::ranges::find_if(ends, [](double end) { return std::isnan(end); });
  if (found == ends.end()) return {};
  const auto path = static_cast<size_t>(found - ends.begin());
  return Divergence{point, first + path, paths_[layout_.path_values.start][path] / length_of(point, 0)};
}

}  // namespace bmsim
