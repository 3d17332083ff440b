#include "scales/hidden_states.h"

#include <algorithm>

#include "model/formula_plugin.h"
#include "model/pieces.h"
#include "model/system_plugin.h"

namespace bmsim::short_paths {

using formula::Enclosure;
using formula::Interval;

namespace {

constexpr size_t samples = 256;          // of a region, before it is divided
constexpr size_t few_sides = 3;          // functions of so many coordinates are divided in all of them
constexpr size_t most_looks = 4'000;     // at parts of a region
constexpr size_t looks_at_many = 1'200;  // at parts of a region of more than few_sides
constexpr double great_doubt = 1e5;      // bound over known size; smooth functions of many coordinates leave up to 1e4
constexpr double near_by = 1.0 / 32;     // part of the region over which a peak falls
constexpr double peaked = 3;             // factor by which it falls
constexpr double narrow = 1.0 / 32;      // part of a region, between two zeros

/// A function with its coordinates: those that it depends on.
struct Looked {
  Enclosure bounds;
  std::vector<size_t> coordinates;
  bool reads_fields = false;
};

class Search {
 public:
  Search(const Range& region, size_t size) : size_(size) {
    for (size_t i = 0; i < size; ++i) {
      region_.push_back({region.low[i], region.high[i]});
      middle_[i] = region_[i].middle();
    }
  }
  /// Adds the next mean field: the range of its values, and the value for paths in the middle.
  void add_field(Interval range, double in_the_middle) {
    region_.push_back(range);
    fields_.push_back(in_the_middle);
  }
  const Interval& range(size_t coordinate) const { return region_[coordinate]; }
  const State& middle() const { return middle_; }
  /// If something of a component was found, it most likely explains what bounds leave open elsewhere in the component.
  const HiddenStates& result() {
    for (const GreatDoubt& open : great_doubts_)
      if (std::ranges::count(found_in_, open.component) == 0 && hidden_.unsure == nullptr)
        hidden_.unsure = open.component, hidden_.unsure_at = open.at;
    return hidden_;
  }

  /// Slopes are taken along mean fields if the function depends on some, else along the state.
  void look(Looked looked, Extreme what, const Component& component) {
    Enclosure& f = looked.bounds;
    const std::vector<size_t>& coordinates = looked.coordinates;
    Box region;
    for (const size_t i : coordinates) region.push_back(region_[i]);
    const bool in_fields = coordinates.back() >= size_;
    for (size_t along = 0; along < (what == Extreme::slope ? coordinates.size() : 1); ++along) {
      if (what == Extreme::slope && in_fields && coordinates[along] < size_) continue;
      const formula::Enclosed bounds = f.over(region, along);
      const double bound = size_of(bounds, what);
      double known = 0;
      std::vector<double> largest_at;
      // For most functions a few samples show that no others are needed.
      for (size_t k = 0; k < samples && !(bound <= far_more * known); ++k) {
        const std::vector<double> place = spread_over(region, k);
        const double size = size_at(f, place, what, along);
        if (std::isfinite(size) && size > known) known = size, largest_at = place;
      }
      if (std::isfinite(bound) && is_peak(f, region, largest_at, what, along, known))
        hidden_.at_samples.push_back(place_at(looked, largest_at));
      if (bound <= far_more * known) continue;
      const auto none = [](const formula::Enclosed&, const Box&) { return false; };
      const size_t looks = coordinates.size() > few_sides ? looks_at_many : most_looks;
      const Extremes most = largest(f, region, what, along, known, none, looks);
      if (most.singular) continue;
      if (most.most > far_more * known && what == Extreme::value &&
          !is_peak(f, region, most.at, what, along, most.most))
        continue;  // such as a rate that grows without end
      if (most.most > far_more * known)
        hidden_.found.push_back(place_at(looked, most.at)), found_in_.push_back(&component);
      else if (!most.settled && std::isfinite(most.bound) && most.bound > little_doubt * known)
        doubt(looked, most, component, known);
    }
  }
  /// Looks for zeros of a formula that are near to each other: along its one coordinate; or, if it has several, along
  /// each through places where it is far steeper than samples have shown.
  void look_at_zeros(Looked looked, const Component& component) {
    std::vector<HiddenStates::Place> through = {{middle_, {}}};
    if (looked.coordinates.size() > 1) {
      const size_t found = hidden_.found.size(), at_samples = hidden_.at_samples.size();
      look(looked, Extreme::slope, component);
      through.assign(hidden_.found.begin() + static_cast<ptrdiff_t>(found), hidden_.found.end());
      through.insert(through.end(), hidden_.at_samples.begin() + static_cast<ptrdiff_t>(at_samples),
                     hidden_.at_samples.end());
      hidden_.found.resize(found), hidden_.at_samples.resize(at_samples);  // motion need not be fast there
    }
    for (const HiddenStates::Place& place : through)
      for (size_t side = 0; side < looked.coordinates.size(); ++side) {
        Box line;
        for (const size_t i : looked.coordinates) {
          const double there = i < size_ ? place.at[i] : (place.fields.empty() ? fields_ : place.fields)[i - size_];
          line.push_back({there, there});
        }
        const size_t i = looked.coordinates[side];
        line[side] = region_[i];
        const std::vector<double> zeros = zeros_along(looked.bounds, line, side, most_looks);
        for (size_t k = 1; k < zeros.size(); ++k) {
          const double width = zeros[k] - zeros[k - 1];
          if (width > narrow * region_[i].width()) continue;
          HiddenStates::Window& window = hidden_.windows.emplace_back(HiddenStates::Window{place.at, i, width});
          if (i < size_) window.at[i] = zeros[k - 1] + width / 2;
        }
      }
  }

  /// Looks for the knot at which the force of a table is steepest, if it is far steeper than at samples.
  void look_at_knots(const Model& model, const ModelValues& values, const Component& table) {
    constexpr double beside = 1e-3;  // part of a piece
    const size_t i = table.variable;
    const std::vector<double> knots = knots_of(model, values, table);
    const std::vector<bm_numbers> arrays = spans_of(values.arrays(model.index_of(table)));
    const double* own = values.values[model.index_of(table)].data();
    const auto slope_at = [&](double x, double h) {
      const auto force = [&](double at) {
        return table.plugin->force_at(at / values.variables[i].length(), 0, own, arrays.data());
      };
      return std::abs(force(x + h) - force(x - h)) / (2 * h);
    };
    double known = 0, most = 0, at = 0;
    for (size_t k = 0; k < samples && knots.size() > 2; ++k)
      known = std::max(known, slope_at(spread_over({region_[i]}, k)[0], beside * region_[i].width() / samples));
    for (size_t k = 1; k + 1 < knots.size(); ++k) {
      if (!region_[i].contains(knots[k])) continue;
      const double slope = slope_at(knots[k], beside * std::min(knots[k] - knots[k - 1], knots[k + 1] - knots[k]));
      if (slope > most) most = slope, at = knots[k];
    }
    if (!(most > far_more * known)) return;
    hidden_.found.push_back({middle_, {}});
    hidden_.found.back().at[i] = at;
  }

 private:
  /// Bounds of smooth functions of many coordinates tighten slowly. What they leave open is no reason for a warning,
  /// unless it is far more than for smooth functions.
  void doubt(const Looked& looked, const Extremes& most, const Component& component, double known) {
    if (looked.coordinates.size() <= few_sides)
      hidden_.unsure = &component, hidden_.unsure_at = place_at(looked, most.where).at;
    else if (most.bound < great_doubt * known)
      hidden_.doubtful = &component;
    else
      great_doubts_.push_back({&component, place_at(looked, most.where).at});
  }
  static double size_at(Enclosure& f, const std::vector<double>& place, Extreme what, size_t along) {
    Box point;
    for (const double x : place) point.push_back({x, x});
    return size_of(f.over(point, along), what);
  }
  /// Whether a function is far smaller on both sides of a place.
  static bool is_peak(Enclosure& f, const Box& region, const std::vector<double>& place, Extreme what, size_t along,
                      double size) {
    for (size_t i = 0; i < place.size(); ++i) {
      const double distance = near_by * region[i].width();
      const auto falls = [&](double by) {
        std::vector<double> there = place;
        there[i] += by;
        return size > peaked * size_at(f, there, what, along);
      };
      if (falls(distance) && falls(-distance)) return true;
    }
    return false;
  }
  HiddenStates::Place place_at(const Looked& looked, const std::vector<double>& place) const {
    HiddenStates::Place found{middle_, {}};
    if (looked.reads_fields) found.fields = fields_;
    for (size_t k = 0; k < looked.coordinates.size(); ++k) {
      const size_t i = looked.coordinates[k];
      (i < size_ ? found.at[i] : found.fields[i - size_]) = place[k];
    }
    return found;
  }
  size_t size_;  // of a state
  State middle_{};
  std::vector<double> fields_;  // of paths in the middle
  Box region_;
  HiddenStates hidden_;
  struct GreatDoubt {
    const Component* component;
    State at;
  };
  std::vector<GreatDoubt> great_doubts_;  // of functions of many coordinates
  std::vector<const Component*> found_in_;
};

/// Adds the ranges of all mean fields; returns their number. A field without a bound is only looked at in the middle.
size_t add_fields(const Model& model, const ModelValues& values, size_t size, Search& search) {
  const size_t n = values.variables.size();
  const State middle = search.middle();
  const VelocitiesAndFields there = with_fields(model, values, middle.data() + n, middle.data(), middle.data() + n);
  size_t fields = 0;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    if ((*component.plugin)->kind != field_kind) continue;
    const StateFunctions& functions = *component.plugin->state_functions();
    for (size_t i = 0; i < functions.count(); ++i, ++fields) {
      Box region;
      std::vector<size_t> coordinates;
      for (size_t j = 0; j < size; ++j)
        if (functions.depends(i, j)) coordinates.push_back(j), region.push_back(search.range(j));
      const double in_the_middle = there[size - n + fields];
      std::optional<Enclosure> bounds = function_bounds(*component.plugin, i, middle.data(), middle.data() + n, 0,
                                                        values.values[k].data(), coordinates);
      Interval range{in_the_middle, in_the_middle};
      if (bounds && !coordinates.empty())
        if (const Interval bound = bounds->over(region).value; std::isfinite(bound.width())) range = bound;
      search.add_field(range, in_the_middle);
    }
  }
  return fields;
}

}  // namespace

HiddenStates hidden_states(const Model& model, const ModelValues& values, const Range& region, double t) {
  const size_t n = values.variables.size();
  const size_t size = state_size(values);
  Search search(region, size);
  const State& middle = search.middle();
  const size_t fields = add_fields(model, values, size, search);
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    const uint32_t kind = (*component.plugin)->kind;
    const double* own = values.values[k].data();
    if (kind != BM_POTENTIAL && kind != amplitude_kind && kind != event_kind) continue;
    const StateFunctions* functions = component.plugin->state_functions();
    if (functions == nullptr) {
      std::optional<Enclosure> force = force_bounds(*component.plugin, own, 0, t, {0});
      if (force)
        search.look({*std::move(force), {component.variable}}, Extreme::slope, component);
      else
        search.look_at_knots(model, values, component);
      continue;
    }
    State x = middle;  // then random numbers of events, as 0
    const VelocitiesAndFields v = with_fields(model, values, middle.data() + n, middle.data(), middle.data() + n);
    std::fill(x.begin() + static_cast<ptrdiff_t>(n), x.end(), 0);
    const bool event = kind == event_kind;
    const bool zero = event && functions->event()->trigger == EventShape::zero;
    if (event && functions->event()->trigger == EventShape::interval) continue;
    const size_t count = event ? 1 : kind == amplitude_kind ? std::min(n, functions->count()) : functions->count();
    for (size_t i = 0; i < count; ++i) {
      const auto input = [&](size_t j) { return event && j >= n ? j + functions->event()->numbers.size() : j; };
      std::vector<size_t> coordinates;
      bool reads_fields = false;
      for (size_t j = size; j < size + fields; ++j) reads_fields = reads_fields || functions->depends(i, input(j));
      const auto look = [&] {
        std::vector<size_t> varying;
        for (const size_t j : coordinates) varying.push_back(input(j));
        std::optional<Enclosure> bounds = function_bounds(*component.plugin, i, x.data(), v.data(), t, own, varying);
        if (!bounds) return;
        if (zero)
          search.look_at_zeros({*std::move(bounds), coordinates, reads_fields}, component);
        else
          search.look({*std::move(bounds), coordinates, reads_fields}, event ? Extreme::value : Extreme::slope,
                      component);
      };
      const auto add = [&](size_t from, size_t to) {
        const size_t before = coordinates.size();
        for (size_t j = from; j < to; ++j)
          if (search.range(j).width() > 0 && functions->depends(i, input(j))) coordinates.push_back(j);
        if (coordinates.size() > before) look();
      };
      add(0, size);
      add(size, size + fields);
    }
  }
  return search.result();
}

}  // namespace bmsim::short_paths
