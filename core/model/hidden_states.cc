#include "model/hidden_states.h"

#include "model/formula_plugin.h"
#include "model/system_plugin.h"

namespace bmsim::short_paths {

using formula::Enclosure;
using formula::Interval;

namespace {

constexpr size_t samples = 256;       // of a region, before it is divided
constexpr size_t most_divided = 3;    // coordinates of a function that is divided in all of them
constexpr size_t most_looks = 4'000;  // at parts of a region

/// A function, and the coordinates that it depends on.
struct Looked {
  Enclosure bounds;
  std::vector<size_t> of;
};

class Search {
 public:
  Search(const State& low, const State& high, size_t size) {
    for (size_t i = 0; i < size; ++i) middle_[i] = low[i] + (high[i] - low[i]) / 2;
    for (size_t i = 0; i < size; ++i) region_.push_back({low[i], high[i]});
  }
  const State& middle() const { return middle_; }
  const std::vector<State>& found() const { return found_; }

  void look(Looked one, Extreme what) {
    Box region;
    for (const size_t i : one.of) region.push_back(region_[i]);
    for (size_t along = 0; along < (what == Extreme::slope ? one.of.size() : 1); ++along) {
      const formula::Enclosed bounds = one.bounds.over(region, along);
      const double bound = size_of(bounds, what);
      double known = 0;
      // A few samples tell of most functions that no others are needed.
      for (size_t k = 0; k < samples && !(bound <= far_more * known); ++k)
        known = std::max(known, sampled(one.bounds, region, what, along, k));
      if (bound <= far_more * known) continue;
      if (one.of.size() > most_divided) continue;
      const auto none = [](const formula::Enclosed&, const Box&) { return false; };
      const Extremes most = largest(one.bounds, region, what, along, known, none, most_looks);
      if (most.singular || !most.settled || !(most.most > far_more * known)) continue;
      State state = middle_;
      for (size_t i = 0; i < one.of.size(); ++i) state[one.of[i]] = most.at[i];
      found_.push_back(state);
    }
  }

 private:
  static double size_of(const formula::Enclosed& bounds, Extreme what) {
    const Interval& one = what == Extreme::slope ? bounds.slope : bounds.value;
    return one.is_empty() ? INFINITY : one.size();
  }
  /// At place k of a sequence that fills a box evenly (R. L. Kronecker's, of roots of x^(n+1) = x + 1).
  static double sampled(Enclosure& f, const Box& region, Extreme what, size_t along, size_t k) {
    constexpr std::array roots = {1.618033988749895, 1.324717957244746, 1.220744084605760, 1.167303978261419};
    const double root = roots[std::min(region.size(), roots.size()) - 1];
    Box point;
    double part = 1;
    for (const Interval& one : region) {
      part /= root;
      const double in_unit = std::fmod(0.5 + part * static_cast<double>(k + 1), 1), x = one.low + in_unit * one.width();
      point.push_back({x, x});
    }
    const double size = size_of(f.over(point, along), what);
    return std::isfinite(size) ? size : 0;
  }
  State middle_{};
  Box region_;
  std::vector<State> found_;
};

}  // namespace

std::vector<State> hidden_states(const Model& model, const ModelValues& values, const State& low, const State& high,
                                 double t) {
  const size_t n = values.variables.size();
  size_t size = n;
  for (const VariableValues& one : values.variables) size += one.inertial ? 1 : 0;
  Search search(low, high, size);
  const State& middle = search.middle();
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& one = model.components()[k];
    const uint32_t kind = (*one.plugin)->kind;
    const double* own = values.values[k].data();
    if (kind != BM_POTENTIAL && kind != amplitude_kind && kind != event_kind) continue;
    const StateFunctions* functions = one.plugin->state_functions();
    if (functions == nullptr) {
      std::optional<Enclosure> force = force_bounds(*one.plugin, own, 0, t, {0});
      if (force) search.look({*std::move(force), {one.variable}}, Extreme::slope);
      continue;
    }
    State x = middle;  // random numbers of events: 0
    const VelocitiesAndFields v = with_fields(model, values, middle.data() + n, middle.data(), middle.data() + n);
    std::fill(x.begin() + static_cast<ptrdiff_t>(n), x.end(), 0);
    const bool event = kind == event_kind;
    if (event && functions->event()->trigger != EventShape::rate) continue;
    const size_t count = event ? 1 : kind == amplitude_kind ? std::min(n, functions->count()) : functions->count();
    for (size_t i = 0; i < count; ++i) {
      std::vector<size_t> of, varying;
      for (size_t j = 0; j < size; ++j)
        if (functions->depends(i, event && j >= n ? j + functions->event()->numbers.size() : j) && high[j] > low[j])
          of.push_back(j);
      if (of.empty()) continue;
      varying = of;
      if (event)
        for (size_t& j : varying) j += j >= n ? functions->event()->numbers.size() : 0;
      std::optional<Enclosure> bounds = function_bounds(*one.plugin, i, x.data(), v.data(), t, own, varying);
      if (bounds) search.look({*std::move(bounds), of}, event ? Extreme::value : Extreme::slope);
    }
  }
  return search.found();
}

}  // namespace bmsim::short_paths
