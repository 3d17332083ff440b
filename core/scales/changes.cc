#include "scales/changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "model/events.h"
#include "model/formula_plugin.h"
#include "model/structure.h"
#include "model/system_plugin.h"
#include "model/walls.h"
#include "numbers.h"
#include "plugin/state_functions.h"

namespace bmsim {
namespace {

constexpr size_t intervals = 2048;       // before any is halved
constexpr size_t most_samples = 12'000;  // a limit for formulas that change everywhere
constexpr size_t most_times = 48, few_times = 16;
constexpr double fine = 1.0 / 32;   // intervals in which functions change by less, as a part of their range, stay whole
constexpr double at_once = 1e-8;    // intervals shorter than this part of the time stay whole, too
constexpr double far_back = 0.25;   // part of its range by which a function jumps there and back, in a pulse
constexpr double steep = 3e-4;      // part of the time: a slope that covers the range in less is a jump
constexpr double nothing = 1e-6;    // a function with a smaller range, as a part of its size, is constant
constexpr double apart = 1.0 / 12;  // part of their range by which functions differ between times to look at
constexpr size_t most_looks = 20'000;  // at parts of the time, for what samples have missed
constexpr std::array offsets = {0.0, 0.618, -0.853, 0.271, -0.409};  // in units of initial width plus length

/// The functions of t that one component has at several states, evaluated together.
using Functions = std::function<std::vector<double>(double t)>;
/// Bounds of every function, as functions of t.
using FunctionBounds = std::vector<formula::Enclosure>;

struct Sample {
  double t;
  std::vector<double> f;
};
struct Interval {
  Sample from, to;
  double length() const { return to.t - from.t; }
};

/// The course of functions in time, sampled more closely where they change.
class Course {
 public:
  /// beside: the functions at neighbouring states.
  Course(const Functions& functions, const Functions& beside, FunctionBounds& bounds, double duration)
      : functions_(functions), beside_(beside), duration_(duration) {
    for (size_t i = 0; i <= intervals; ++i) add(duration * static_cast<double>(i) / static_cast<double>(intervals));
    for (const double t : hidden_times(bounds)) add(t);
    std::ranges::sort(samples_, {}, &Sample::t);
    std::vector<Interval> open;
    for (size_t i = 0; i + 1 < samples_.size(); ++i) open.push_back({samples_[i], samples_[i + 1]});
    while (!open.empty()) {
      std::vector<Interval> halves;
      for (const Interval& interval : open) {
        if (samples_.size() >= most_samples || interval.length() <= at_once * duration ||
            !differ(interval.from, interval.to, fine))
          continue;
        const Sample middle = add(interval.from.t + interval.length() / 2);
        halves.push_back({interval.from, middle});
        halves.push_back({middle, interval.to});
      }
      open = std::move(halves);
    }
    std::ranges::sort(samples_, {}, &Sample::t);
  }

  /// Sets the times of a change.
  void measure(Change& change, bool periodic) const {
    change.time = change.between = infinity;
    change.steepness = 0;
    double first = -infinity, last = periodic ? -infinity : 0;  // ends of jumps
    const auto note_gap = [&](double from, double to) {
      if (to - from > at_once * duration_) change.between = std::min(change.between, to - from);
    };
    for (size_t i = 1; i < samples_.size(); ++i) {
      double time = infinity;
      const bool jump = jumps(samples_[i - 1], samples_[i], time);
      change.time = std::min(change.time, time);
      change.steepness = std::max(change.steepness, (periodic ? duration_ : samples_[i].t) / time);
      if (!jump) continue;
      note_gap(last, samples_[i - 1].t);
      if (std::isinf(first)) first = samples_[i - 1].t;
      last = samples_[i].t;
    }
    if (std::isinf(first)) return;
    for (size_t k = 0; k < least_.size(); ++k)
      if (changes(k)) note_gap(0, shortest_pulse(k, periodic));
    note_gap(last, periodic ? first + duration_ : duration_);
    change.steepness = std::max(change.steepness, (periodic ? duration_ : last) / change.between);
  }
  /// A time near which functions may change far faster than samples show; nothing if bounds exclude it everywhere.
  std::optional<double> unsure() const { return unsure_; }
  /// Times at which functions differ, and those at which each is smallest and largest.
  std::vector<double> times() const {
    std::vector<double> times;
    const Sample* last = nullptr;
    for (size_t i = 0; i < samples_.size(); ++i) {
      if (last != nullptr && !differ(*last, samples_[i], apart)) continue;
      if (last != nullptr && differ(samples_[i - 1], samples_[i], apart))
        times.push_back(samples_[i - 1].t);  // before a jump
      times.push_back(samples_[i].t);
      last = &samples_[i];
    }
    if (times.size() > most_times) {
      for (size_t i = 0; i < most_times; ++i) times[i] = times[i * times.size() / most_times];
      times.resize(most_times);
    }
    for (size_t k = 0; k < least_.size(); ++k) {
      if (!changes(k)) continue;
      times.push_back(least_at_[k]);
      times.push_back(most_at_[k]);
    }
    return times;
  }

 private:
  /// Times that show what samples have missed, by the bounds of functions.
  std::vector<double> hidden_times(FunctionBounds& bounds) {
    std::vector<double> times, sampled;
    for (const Sample& sample : samples_) sampled.push_back(sample.t);
    for (size_t k = 0; k < bounds.size(); ++k) {
      const double size = std::max(std::abs(most_[k]), std::abs(least_[k]));
      const double seen = changes(k) ? fine * range(k) : nothing * size;
      const HiddenPieces pieces = hidden_pieces(bounds[k], sampled, seen, most_looks);
      times.insert(times.end(), pieces.at.begin(), pieces.at.end());
      if (pieces.unsure) unsure_ = pieces.unsure;
      double steepest = 0;
      for (size_t i = 1; i < samples_.size(); ++i)
        if (const double change = std::abs(samples_[i].f[k] - samples_[i - 1].f[k]); std::isfinite(change))
          steepest = std::max(steepest, change * static_cast<double>(intervals) / duration_);
      const auto negligible = [&](const formula::Enclosed& there, const Box&) { return there.value.width() <= seen; };
      const Extremes found = largest(bounds[k], {{0, duration_}}, Extreme::slope, 0, steepest, negligible, most_looks);
      if (!found.settled && !found.singular && found.bound > little_doubt * std::max(found.most, steepest))
        unsure_ = found.where[0];
      if (!(found.most > far_more * steepest)) continue;
      for (const auto& place : found.places) times.push_back(place[0]);
    }
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }
  double range(size_t k) const { return most_[k] - least_[k]; }
  /// The shortest rise of a pulse that is too short to be flat between its two jumps; INFINITY without such pulses.
  double shortest_pulse(size_t k, bool periodic) const {
    double shortest = infinity, begin = 0, end = 0, there = 0, back = 0;  // there, back: changes so far
    const double least = far_back * range(k);
    const auto go_on = [&](const Sample& a, const Sample& b, double later) {
      const double change = b.f[k] - a.f[k];
      double time = infinity;
      if (!jumps(a, b, time)) {
        there = back = 0;
      } else if (there * change >= 0 && back == 0) {
        if (there == 0) begin = a.t + later;
        there += change, end = b.t + later;
      } else if (std::abs(there) < least || change * back < 0) {
        begin = a.t + later, end = b.t + later, there = change, back = 0;
      } else {
        back += change;
        if (std::abs(back) >= least) shortest = std::min(shortest, end - begin);
      }
    };
    for (int turn = 0; turn < (periodic ? 2 : 1); ++turn)
      for (size_t i = 1; i < samples_.size(); ++i)
        if (samples_[i].t > samples_[i - 1].t) go_on(samples_[i - 1], samples_[i], turn * duration_);
    return shortest;
  }
  bool changes(size_t k) const { return range(k) > nothing * std::max(std::abs(most_[k]), std::abs(least_[k])); }
  /// Whether functions jump between two samples. Of several functions two must jump. One is enough if it also jumps at
  /// the neighbouring state: a moving kink of V is at one place at a time. Lowers `shortest` to the time in which a
  /// function that does not jump would change over its range.
  bool jumps(const Sample& a, const Sample& b, double& shortest) const {
    size_t count = 0, jumping = 0;
    for (size_t k = 0; k < a.f.size(); ++k) {
      const double change = std::abs(b.f[k] - a.f[k]);
      if (!changes(k) || !std::isfinite(change)) continue;
      const double time = range(k) * (b.t - a.t) / change;
      if (time < steep * duration_)
        ++count, jumping = k;
      else
        shortest = std::min(shortest, time);
    }
    if (count >= std::min<size_t>(2, a.f.size())) return true;
    if (count == 0 || b.t - a.t > at_once * duration_) return false;
    const double change = b.f[jumping] - a.f[jumping], beside = beside_(b.t)[jumping] - beside_(a.t)[jumping];
    return std::abs(beside - change) < far_back * std::abs(change);
  }
  /// Whether some function differs by more than a part of its range.
  bool differ(const Sample& a, const Sample& b, double part) const {
    for (size_t k = 0; k < a.f.size(); ++k)
      if (changes(k) && std::abs(a.f[k] - b.f[k]) > part * range(k)) return true;
    return false;
  }
  const Sample& add(double t) {
    samples_.push_back({t, functions_(t)});
    const Sample& sample = samples_.back();
    const size_t count = sample.f.size();
    if (least_.empty()) {
      least_.resize(count, infinity), most_.resize(count, -infinity);
      least_at_.resize(count), most_at_.resize(count);
    }
    for (size_t k = 0; k < count; ++k) {
      if (!std::isfinite(sample.f[k])) continue;
      if (sample.f[k] < least_[k]) least_[k] = sample.f[k], least_at_[k] = t;
      if (sample.f[k] > most_[k]) most_[k] = sample.f[k], most_at_[k] = t;
    }
    return sample;
  }

  const Functions &functions_, &beside_;
  double duration_;
  std::optional<double> unsure_;
  std::vector<Sample> samples_;
  std::vector<double> least_, most_, least_at_, most_at_;  // by function
};

constexpr size_t few = 3;  // places for functions of all variables

/// A place: a state as functions of the state read it.
struct Place {
  std::vector<double> x, v;
};
std::vector<Place> places_of(const ModelValues& values, const SystemStart& start, size_t count) {
  std::vector<Place> places(count);
  for (size_t j = 0; j < count; ++j)
    for (size_t i = 0; i < values.variables.size(); ++i) {
      const VariableValues& variable = values.variables[i];
      // the order differs between variables, so that differences of variables vary, too
      const double at = offsets[(j * (1 + i % (offsets.size() - 1)) + i) % offsets.size()];
      places[j].x.push_back(start.x[i] + at * (start.x_width[i] + variable.length()));
      if (variable.inertial) places[j].v.push_back(start.v[i] + at * (start.v_width[i] + 1));
    }
  return places;
}
/// places_of() and more places, all moved by a shift in lengths.
std::vector<Place> places_with(const std::vector<Place>& more, const ModelValues& values, const SystemStart& start,
                               size_t count, double shift = 0) {
  std::vector<Place> places = places_of(values, start, count);
  places.insert(places.end(), more.begin(), more.end());
  for (Place& place : places)
    for (size_t i = 0; shift != 0 && i < place.x.size(); ++i) place.x[i] += shift * values.variables[i].length();
  return places;
}

/// Places at which a function changes with t by more than `least` of its size, if it does so in a few parts of a region
/// only. They are the middles of the largest such parts. The last side of the region is the time.
std::vector<std::vector<double>> far_changes(formula::Enclosure& f, const Box& region, double least) {
  constexpr size_t most_parts = 4000, most_found = 4;
  const size_t sides = region.size() - 1;
  const double duration = region[sides].high;
  std::vector<std::vector<double>> found;
  double size = 0;
  std::vector<Box> open = {region};
  for (size_t looked_at = 0; !open.empty() && found.size() < most_found;) {
    std::vector<Box> next;
    for (const Box& box : open) {
      if (looked_at++ == most_parts) return found;
      const formula::Enclosed& bounds = f.over(box, sides);
      if (bounds.value.is_empty()) continue;
      if (!bounds.jumps && !(bounds.slope.size() * duration > least * size)) continue;
      std::vector<double> middle;
      for (size_t j = 0; j < sides; ++j) middle.push_back(box[j].middle());
      Box line = box;
      for (size_t j = 0; j < sides; ++j) line[j] = {middle[j], middle[j]};
      if (const formula::Interval there = f.over(line, sides).value; std::isfinite(there.width())) {
        size = std::max(size, there.size());
        if (there.width() > least * size) {
          found.push_back(middle);
          if (found.size() == most_found) return found;
          continue;
        }
      }
      size_t widest = 0;
      const auto part = [&](size_t j) { return box[j].width() / region[j].width(); };
      for (size_t j = 1; j < sides; ++j)
        if (part(j) > part(widest)) widest = j;
      if (!(part(widest) > smallest_structure)) continue;
      next.insert(next.end(), {box, box});
      next[next.size() - 2][widest].high = next.back()[widest].low = middle[widest];
    }
    open = std::move(next);
  }
  return found;
}

/// Places at which, by their bounds, functions may change with t far more than at all places_of().
std::vector<Place> places_of_change(const Model& model, const ModelValues& values, size_t k, const SystemStart& start,
                                    double duration) {
  constexpr size_t candidates = 128;
  constexpr double reach = 2;   // in units of initial width plus length
  constexpr double far = 1000;  // in these units, for functions that do not change with t within reach
  constexpr double far_more_there = 1000, nothing_there = 1e-9;
  const Component& component = model.components()[k];
  const uint32_t kind = (*component.plugin)->kind;
  const StateFunctions* functions = component.plugin->state_functions();
  if (kind == BM_DRIVE || (kind != BM_POTENTIAL && kind != amplitude_kind && kind != event_kind)) return {};
  const size_t n = values.variables.size();
  const double* own = values.values[k].data();
  const std::vector<Place> known = places_of(values, start, functions == nullptr ? offsets.size() : few);
  const auto side_of = [&](size_t i, double lengths) -> formula::Interval {
    const VariableValues& variable = values.variables[i];
    const auto [low, high] = between_walls(model, values, i);
    const double away = variable.period > 0 ? variable.period / 2 : lengths * (start.x_width[i] + variable.length());
    const double centre = variable.period > 0 ? 0 : start.x[i];
    return {std::max(low, centre - away), std::min(high, centre + away)};
  };
  std::vector<Place> found;
  const size_t count = functions == nullptr || kind == event_kind ? 1 : functions->count();
  for (size_t i = 0; i < count; ++i) {
    std::vector<size_t> variables;  // on which function i depends
    for (size_t j = 0; j < n; ++j)
      if (functions == nullptr ? j == component.variable : functions->depends(i, j)) variables.push_back(j);
    if (variables.empty()) continue;
    std::optional<formula::Enclosure> f = [&] {
      if (functions == nullptr) return force_bounds(*component.plugin, own, 0, 0, {0, 1});
      std::vector<double> x = start.x;
      x.resize(n + most_numbers);
      std::vector<size_t> varying = variables;
      varying.push_back(time_varies);
      const auto v = with_fields(model, values, start.v.data(), start.x.data(), start.v.data());
      return function_bounds(*component.plugin, i, x.data(), v.data(), 0, own, varying);
    }();
    if (!f || !f->depends(variables.size())) continue;
    double size = 0;
    const auto change_at = [&](const std::vector<double>& x) {
      Box box;
      for (const size_t j : variables) box.push_back({x[j], x[j]});
      box.push_back({0, duration});
      const formula::Interval value = f->over(box).value;
      if (value.is_empty() || !std::isfinite(value.width())) return 0.0;
      size = std::max(size, value.size());
      return value.width();
    };
    const auto place_at = [&](const std::vector<double>& x) {
      Place place = known[0];
      for (size_t j = 0; j < variables.size(); ++j) place.x[variables[j]] = x[j];
      return place;
    };
    double most = 0;
    for (const Place& place : known) most = std::max(most, change_at(place.x));
    Box within_reach;
    for (const size_t j : variables) within_reach.push_back(side_of(j, reach));
    std::optional<Place> best;
    double enough = most;
    for (size_t c = 0; c < candidates; ++c) {
      const Place place = place_at(spread_over(within_reach, c));
      const double change = change_at(place.x);
      if (!(change > far_more_there * most && change > enough && change > nothing_there * size)) continue;
      best = place, enough = change;
    }
    if (best) found.push_back(*best);
    if (best || most > nothing_there * size) continue;
    Box everywhere;
    for (const size_t j : variables) everywhere.push_back(side_of(j, far));
    everywhere.push_back({0, duration});
    for (const std::vector<double>& x : far_changes(*f, everywhere, nothing_there)) found.push_back(place_at(x));
  }
  return found;
}

/// The functions of a component at places_of() and more places, moved by a shift in lengths; none of other kinds.
Functions functions_of(const Model& model, const ModelValues& values, size_t k, const SystemStart& start,
                       const std::vector<Place>& more, double shift = 0) {
  const Component& component = model.components()[k];
  const uint32_t kind = (*component.plugin)->kind;
  const double* own = values.values[k].data();
  if (kind == BM_DRIVE)
    return [&component, own](double t) { return std::vector{component.plugin->force_at(0, t, own, nullptr)}; };
  const StateFunctions* functions = component.plugin->state_functions();
  if (kind == BM_POTENTIAL && functions == nullptr)
    return [&component, own, length = values.variables[component.variable].length(),
            places = places_with(more, values, start, offsets.size(), shift)](double t) {
      std::vector<double> f;
      for (const Place& place : places)
        f.push_back(component.plugin->force_at(place.x[component.variable] / length, t, own, nullptr));
      return f;
    };
  const auto at_all_places = [&model, &values, places = places_with(more, values, start, few, shift)](const auto& add) {
    std::vector<double> results;
    for (const Place& place : places)
      add(place.x.data(), with_fields(model, values, place.v.data(), place.x.data(), place.v.data()).data(), results);
    return results;
  };
  if (kind == event_kind)
    return [at_all_places, event = EventFunctions(model, values, component)](double t) {
      return at_all_places([&](const double* x, const double* v, std::vector<double>& results) {
        results.push_back(event.trigger(x, v, t));
      });
    };
  if (kind != BM_POTENTIAL && kind != amplitude_kind) return {};
  return [at_all_places, functions, own](double t) {
    return at_all_places([&](const double* x, const double* v, std::vector<double>& results) {
      std::vector<double> f(functions->count());
      functions->add_forces(x, v, t, own, nullptr, f.data());
      results.insert(results.end(), f.begin(), f.end());
    });
  };
}

/// Bounds of functions_of(), in their order; functions without bounds are left out.
FunctionBounds bounds_of(const Model& model, const ModelValues& values, size_t k, const SystemStart& start,
                         const std::vector<Place>& more) {
  const Component& component = model.components()[k];
  const uint32_t kind = (*component.plugin)->kind;
  const double* own = values.values[k].data();
  FunctionBounds known;
  const auto add = [&](std::optional<formula::Enclosure> bounds) {
    if (bounds) known.push_back(*std::move(bounds));
  };
  const StateFunctions* functions = component.plugin->state_functions();
  if (kind == BM_DRIVE) {
    add(force_bounds(*component.plugin, own, 0, 0, {1}));
  } else if (functions == nullptr) {
    for (const Place& place : places_with(more, values, start, offsets.size()))
      add(force_bounds(*component.plugin, own,
                       place.x[component.variable] / values.variables[component.variable].length(), 0, {1}));
  } else {
    for (const Place& place : places_with(more, values, start, few))
      for (size_t i = 0; i < (kind == event_kind ? 1 : functions->count()); ++i) {
        std::vector<double> x = place.x;
        x.resize(x.size() + most_numbers);
        const auto v = with_fields(model, values, place.v.data(), place.x.data(), place.v.data());
        add(function_bounds(*component.plugin, i, x.data(), v.data(), 0, own, {time_varies}));
      }
  }
  return known;
}

/// The period of a component whose phases are angles: the common period of all phases if it is few of the longest ones,
/// else a few of the longest. Infinite for components that read the time itself.
double period_in_time(const Plugin& plugin, const double* values) {
  constexpr int most_together = 12, periods = 4;
  constexpr double equal = 1e-9;
  const std::vector<double> turns = plugin.frequencies(values);
  const std::vector<bool> angle = plugin.phases_wrap();
  const std::vector<int> field = plugin.phases_of_fields();
  std::vector<double> rates;
  for (size_t i = 0; i < turns.size(); ++i) {
    if (field[i] >= 0 || turns[i] == 0) continue;
    if (!angle[i]) return infinity;
    rates.push_back(std::abs(turns[i]));
  }
  if (rates.empty()) return infinity;
  const double longest = 1 / std::ranges::min(rates);
  for (int n = 1; n <= most_together; ++n)
    if (std::ranges::all_of(rates, [&](double rate) {
          const double count = n * longest * rate;
          return std::abs(count - std::rint(count)) <= equal * count;
        }))
      return n * longest;
  return periods * longest;
}

}  // namespace

Changes changes_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration) {
  Changes changes;
  if (!(duration > 0 && std::isfinite(duration))) return changes;
  std::vector<double>& times = changes.times;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Plugin& plugin = *model.components()[k].plugin;
    if (!plugin.file().empty() || !plugin.depends_on_time()) continue;  // plugins from files tell their time scale
    const double period = period_in_time(plugin, values.values[k].data());
    const double seen = std::min(duration, period);
    const std::vector<Place> active = places_of_change(model, values, k, start, seen);
    const Functions functions = functions_of(model, values, k, start, active);
    if (!functions) continue;
    FunctionBounds bounds = bounds_of(model, values, k, start, active);
    constexpr double next_to_it = 1e-4;  // lengths
    const Functions beside = functions_of(model, values, k, start, active, next_to_it);
    const Course course(functions, beside, bounds, seen);
    course.measure(changes.of.emplace_back(Change{0, 0, seen}), period <= duration);
    if (const auto t = course.unsure())
      changes.unsure = formula_of(model, model.components()[k]), changes.unsure_at = *t;
    const std::vector<double> more = course.times();
    times.insert(times.end(), more.begin(), more.end());
    for (size_t i = 1; i <= few_times; ++i) times.push_back(seen * static_cast<double>(i) / few_times);
  }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return changes;
}

double between_edges(const Model& model, const ModelValues& values) {
  constexpr size_t phases = 16384;
  double shortest = infinity;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    const double* own = values.values[k].data();
    if ((*component.plugin)->kind != BM_DRIVE || !component.plugin->has(BM_EDGES) ||
        values.variables[component.variable].inertial)
      continue;
    const std::vector<bm_numbers> arrays = spans_of(values.arrays(k));
    std::vector<double> force;  // at phases where no jump is to be expected
    for (size_t i = 0; i <= phases; ++i)
      force.push_back(component.plugin->force((static_cast<double>(i) + 0.382) / phases, own, arrays.data()));
    const auto [least, most] = std::ranges::minmax(force);
    std::vector<size_t> edges;
    for (size_t i = 0; i < phases; ++i)
      if (std::abs(force[i + 1] - force[i]) > 0.1 * (most - least)) edges.push_back(i);
    for (size_t i = 0; i < edges.size(); ++i) {
      const size_t next = i + 1 < edges.size() ? edges[i + 1] : edges[0] + phases;
      const double turns = static_cast<double>(next - edges[i]) / phases;
      shortest = std::min(shortest, turns * component.plugin->time_scale(own));
    }
    const double declared = component.plugin->shortest_change(own);  // may be too short for the phases to see
    if (declared * phases < 2 * component.plugin->time_scale(own)) shortest = std::min(shortest, declared);
  }
  return shortest;
}

Pulses narrowest_pulses(const Model& model, const ModelValues& values) {
  Pulses narrowest{infinity, infinity};
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    const double* own = values.values[k].data();
    if ((*component.plugin)->kind != BM_DRIVE) continue;
    const double width = component.plugin->shortest_change(own);
    narrowest = {std::min(narrowest.width, width),
                 std::min(narrowest.turns, width / component.plugin->time_scale(own))};
  }
  return narrowest;
}

}  // namespace bmsim
