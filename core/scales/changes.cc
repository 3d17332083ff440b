#include "scales/changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "model/events.h"
#include "model/fields.h"
#include "model/formula_plugin.h"
#include "model/structure.h"
#include "model/system_plugin.h"
#include "model/walls.h"
#include "numbers.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr size_t intervals = 2048;       // before any is halved
constexpr size_t most_samples = 12'000;  // also of formulas that change everywhere
constexpr size_t most_times = 48, few_times = 16;
constexpr double fine = 1.0 / 32;      // part of its range by which a function changes in an interval that is kept
constexpr double at_once = 1e-8;       // part of the time below which intervals are kept, too
constexpr double far_back = 0.25;      // part of its range by which a function jumps there and back, in a pulse
constexpr double steep = 3e-4;         // part of the time: a function that would change over its range in it jumps
constexpr double nothing = 1e-6;       // part of its size by which a function does not change
constexpr double apart = 1.0 / 12;     // part of their range by which functions differ between times to look at
constexpr size_t most_looks = 20'000;  // at parts of the time, for what samples have missed
constexpr std::array places = {0.0, 0.618, -0.853, 0.271, -0.409};  // in the width of initial laws and a length

/// Functions of t, all at once: of one component, at some states.
using Functions = std::function<std::vector<double>(double t)>;
/// Bounds of each of them, as functions of t.
using FunctionBounds = std::vector<formula::Enclosure>;

struct Sample {
  double t;
  std::vector<double> f;
};
struct Interval {
  Sample from, to;
  double length() const { return to.t - from.t; }
};

/// The course of functions in time, known at closely spaced times where they change.
class Course {
 public:
  /// beside: the same functions at states next to those.
  Course(const Functions& functions, const Functions& beside, FunctionBounds& bounds, double duration)
      : functions_(functions), beside_(beside), duration_(duration) {
    for (size_t i = 0; i <= intervals; ++i) add(duration * static_cast<double>(i) / static_cast<double>(intervals));
    for (const double t : hidden_times(bounds)) add(t);
    std::ranges::sort(all_, {}, &Sample::t);
    std::vector<Interval> open;
    for (size_t i = 0; i + 1 < all_.size(); ++i) open.push_back({all_[i], all_[i + 1]});
    while (!open.empty()) {
      std::vector<Interval> halves;
      for (const Interval& one : open) {
        if (all_.size() >= most_samples || one.length() <= at_once * duration || !differ(one.from, one.to, fine))
          continue;
        const Sample middle = add(one.from.t + one.length() / 2);
        halves.push_back({one.from, middle});
        halves.push_back({middle, one.to});
      }
      open = std::move(halves);
    }
    std::ranges::sort(all_, {}, &Sample::t);
  }

  /// Sets the times of a change.
  void measure(Change& change, bool periodic) const {
    change.time = change.between = infinity;
    change.steepness = 0;
    double first = -infinity, last = periodic ? -infinity : 0;  // ends of jumps
    const auto note_gap = [&](double from, double to) {
      if (to - from > at_once * duration_) change.between = std::min(change.between, to - from);
    };
    for (size_t i = 1; i < all_.size(); ++i) {
      double time = infinity;
      const bool jump = jumps(all_[i - 1], all_[i], time);
      change.time = std::min(change.time, time);
      change.steepness = std::max(change.steepness, (periodic ? duration_ : all_[i].t) / time);
      if (!jump) continue;
      note_gap(last, all_[i - 1].t);
      if (std::isinf(first)) first = all_[i - 1].t;
      last = all_[i].t;
    }
    if (std::isfinite(first))
      for (size_t k = 0; k < least_.size(); ++k)
        if (changes(k)) note_gap(0, shortest_pulse(k, periodic));
    if (std::isinf(first)) return;
    note_gap(last, periodic ? first + duration_ : duration_);
    change.steepness = std::max(change.steepness, (periodic ? duration_ : last) / change.between);
  }
  /// A time near which functions may change far faster than was seen, if it is not sure that they do not.
  std::optional<double> unsure() const { return unsure_; }
  /// Times at which functions differ, and where each is smallest and largest.
  std::vector<double> times() const {
    std::vector<double> times;
    const Sample* last = nullptr;
    for (size_t i = 0; i < all_.size(); ++i) {
      if (last != nullptr && !differ(*last, all_[i], apart)) continue;
      if (last != nullptr && differ(all_[i - 1], all_[i], apart)) times.push_back(all_[i - 1].t);  // before a jump
      times.push_back(all_[i].t);
      last = &all_[i];
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
  /// Times that show what samples have missed of functions of which bounds are known.
  std::vector<double> hidden_times(FunctionBounds& bounds) {
    std::vector<double> times, sampled;
    for (const Sample& one : all_) sampled.push_back(one.t);
    for (size_t k = 0; k < bounds.size(); ++k) {
      const double size = std::max(std::abs(most_[k]), std::abs(least_[k]));
      const double seen = changes(k) ? fine * range(k) : nothing * size;
      const HiddenPieces pieces = hidden_pieces(bounds[k], sampled, seen, most_looks);
      times.insert(times.end(), pieces.at.begin(), pieces.at.end());
      if (pieces.unsure) unsure_ = pieces.unsure;
      double steepest = 0;
      for (size_t i = 1; i < all_.size(); ++i)
        if (const double change = std::abs(all_[i].f[k] - all_[i - 1].f[k]); std::isfinite(change))
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
  /// The shortest time in which a function jumps there, before it jumps back at once: of pulses that are too short to
  /// be flat between two jumps; INFINITY without any.
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
      for (size_t i = 1; i < all_.size(); ++i)
        if (all_[i].t > all_[i - 1].t) go_on(all_[i - 1], all_[i], turn * duration_);
    return shortest;
  }
  bool changes(size_t k) const { return range(k) > nothing * std::max(std::abs(most_[k]), std::abs(least_[k])); }
  /// Whether functions jump between two samples: more than one, if there are several, or one at a state beside it, too,
  /// since a kink of V that moves is at one place at a time. Lowers `shortest` to the time in which another would
  /// change over its range.
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
  /// Whether a function differs by more than a part of its range.
  bool differ(const Sample& a, const Sample& b, double part) const {
    for (size_t k = 0; k < a.f.size(); ++k)
      if (changes(k) && std::abs(a.f[k] - b.f[k]) > part * range(k)) return true;
    return false;
  }
  const Sample& add(double t) {
    all_.push_back({t, functions_(t)});
    const Sample& one = all_.back();
    const size_t count = one.f.size();
    if (least_.empty()) {
      least_.resize(count, infinity), most_.resize(count, -infinity);
      least_at_.resize(count), most_at_.resize(count);
    }
    for (size_t k = 0; k < count; ++k) {
      if (!std::isfinite(one.f[k])) continue;
      if (one.f[k] < least_[k]) least_[k] = one.f[k], least_at_[k] = t;
      if (one.f[k] > most_[k]) most_[k] = one.f[k], most_at_[k] = t;
    }
    return one;
  }

  const Functions &functions_, &beside_;
  double duration_;
  std::optional<double> unsure_;
  std::vector<Sample> all_;
  std::vector<double> least_, most_, least_at_, most_at_;  // by function
};

constexpr size_t few = 3;  // states, of functions of all variables

/// A state as functions of it take it.
struct Place {
  std::vector<double> x, v;
};
std::vector<Place> places_of(const ModelValues& values, const SystemStart& start, size_t count) {
  std::vector<Place> all(count);
  for (size_t j = 0; j < count; ++j)
    for (size_t i = 0; i < values.variables.size(); ++i) {
      const VariableValues& one = values.variables[i];
      // another order for every variable, so that differences of variables vary, too
      const double at = places[(j * (1 + i % (places.size() - 1)) + i) % places.size()];
      all[j].x.push_back(start.x[i] + at * (start.x_width[i] + one.length()));
      if (one.inertial) all[j].v.push_back(start.v[i] + at * (start.v_width[i] + 1));
    }
  return all;
}

/// Middles of the widest parts of a region of space, the last side of which is the time, in the middle of which a
/// function changes with t by more than `least` of its size: of a function that changes with t in few parts only.
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

/// Places at which functions of t may change far more than at all others that are looked at, as bounds say: of what
/// happens in a part of space only.
std::vector<Place> places_of_change(const Model& model, const ModelValues& values, size_t k, const SystemStart& start,
                                    double duration) {
  constexpr size_t candidates = 128;
  constexpr double reach = 2;   // in the width of initial laws and a length
  constexpr double far = 1000;  // the same, for functions that do not change with t within reach
  constexpr double far_more_there = 1000, nothing_there = 1e-9;
  const Component& one = model.components()[k];
  const uint32_t kind = (*one.plugin)->kind;
  const StateFunctions* functions = one.plugin->state_functions();
  if (kind == BM_DRIVE || (kind != BM_POTENTIAL && kind != amplitude_kind && kind != event_kind)) return {};
  const size_t n = values.variables.size();
  const double* own = values.values[k].data();
  const std::vector<Place> known = places_of(values, start, functions == nullptr ? places.size() : few);
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
    std::vector<size_t> of;  // the variables
    for (size_t j = 0; j < n; ++j)
      if (functions == nullptr ? j == one.variable : functions->depends(i, j)) of.push_back(j);
    if (of.empty()) continue;
    std::optional<formula::Enclosure> f = [&] {
      if (functions == nullptr) return force_bounds(*one.plugin, own, 0, 0, {0, 1});
      std::vector<double> x = start.x;
      x.resize(n + most_numbers);
      std::vector<size_t> varying = of;
      varying.push_back(time_varies);
      const auto v = with_fields(model, values, start.v.data(), start.x.data(), start.v.data());
      return function_bounds(*one.plugin, i, x.data(), v.data(), 0, own, varying);
    }();
    if (!f || !f->depends(of.size())) continue;
    double size = 0;
    const auto change_at = [&](const std::vector<double>& x) {
      Box box;
      for (const size_t j : of) box.push_back({x[j], x[j]});
      box.push_back({0, duration});
      const formula::Interval value = f->over(box).value;
      if (value.is_empty() || !std::isfinite(value.width())) return 0.0;
      size = std::max(size, value.size());
      return value.width();
    };
    double most = 0;
    for (const Place& place : known) most = std::max(most, change_at(place.x));
    const Place* best = nullptr;
    std::vector<Place> all;
    for (size_t c = 0; c < candidates; ++c) {
      Place& place = all.emplace_back(known[0]);
      Box sides;
      for (const size_t j : of) sides.push_back(side_of(j, reach));
      const std::vector<double> there = spread_over(sides, c);
      for (size_t j = 0; j < of.size(); ++j) place.x[of[j]] = there[j];
    }
    double enough = most;
    for (const Place& place : all) {
      const double change = change_at(place.x);
      if (!(change > far_more_there * most && change > enough && change > nothing_there * size)) continue;
      best = &place, enough = change;
    }
    if (best != nullptr) found.push_back(*best);
    if (best != nullptr || most > nothing_there * size) continue;
    Box everywhere;
    for (const size_t j : of) everywhere.push_back(side_of(j, far));
    everywhere.push_back({0, duration});
    for (const std::vector<double>& there : far_changes(*f, everywhere, nothing_there)) {
      Place& place = found.emplace_back(known[0]);
      for (size_t j = 0; j < of.size(); ++j) place.x[of[j]] = there[j];
    }
  }
  return found;
}

/// The functions of a component at some states, and at others, moved by a shift in lengths; none if none depends on t.
Functions functions_of(const Model& model, const ModelValues& values, size_t k, const SystemStart& start,
                       const std::vector<Place>& more, double shift = 0) {
  const Component& one = model.components()[k];
  const uint32_t kind = (*one.plugin)->kind;
  const double* own = values.values[k].data();
  const auto places_with_more = [&](size_t count) {
    std::vector<Place> all = places_of(values, start, count);
    all.insert(all.end(), more.begin(), more.end());
    for (Place& place : all)
      for (size_t i = 0; shift != 0 && i < place.x.size(); ++i) place.x[i] += shift * values.variables[i].length();
    return all;
  };
  if (kind == BM_DRIVE) return [&one, own](double t) { return std::vector{one.plugin->force_at(0, t, own, nullptr)}; };
  const StateFunctions* functions = one.plugin->state_functions();
  if (kind == BM_POTENTIAL && functions == nullptr)
    return [&one, own, length = values.variables[one.variable].length(),
            where = places_with_more(places.size())](double t) {
      std::vector<double> f;
      for (const Place& place : where)
        f.push_back(one.plugin->force_at(place.x[one.variable] / length, t, own, nullptr));
      return f;
    };
  const auto each = [&model, &values, where = places_with_more(few)](const auto& add) {
    std::vector<double> all;
    for (const Place& place : where)
      add(place.x.data(), with_fields(model, values, place.v.data(), place.x.data(), place.v.data()).data(), all);
    return all;
  };
  if (kind == event_kind)
    return [each, event = EventFunctions(model, values, one)](double t) {
      return each(
          [&](const double* x, const double* v, std::vector<double>& all) { all.push_back(event.trigger(x, v, t)); });
    };
  if (kind != BM_POTENTIAL && kind != amplitude_kind) return {};
  return [each, functions, own](double t) {
    return each([&](const double* x, const double* v, std::vector<double>& all) {
      std::vector<double> f(functions->count());
      functions->add_forces(x, v, t, own, nullptr, f.data());
      all.insert(all.end(), f.begin(), f.end());
    });
  };
}

/// Bounds of functions_of(), in the same order; none where they are not known.
FunctionBounds bounds_of(const Model& model, const ModelValues& values, size_t k, const SystemStart& start,
                         const std::vector<Place>& more) {
  const Component& one = model.components()[k];
  const uint32_t kind = (*one.plugin)->kind;
  const double* own = values.values[k].data();
  FunctionBounds all;
  const auto places_with_more = [&](size_t count) {
    std::vector<Place> where = places_of(values, start, count);
    where.insert(where.end(), more.begin(), more.end());
    return where;
  };
  const auto add = [&](std::optional<formula::Enclosure> bounds) {
    if (bounds) all.push_back(*std::move(bounds));
  };
  const StateFunctions* functions = one.plugin->state_functions();
  if (kind == BM_DRIVE) {
    add(force_bounds(*one.plugin, own, 0, 0, {1}));
  } else if (functions == nullptr) {
    for (const Place& place : places_with_more(places.size()))
      add(force_bounds(*one.plugin, own, place.x[one.variable] / values.variables[one.variable].length(), 0, {1}));
  } else {
    for (const Place& place : places_with_more(few))
      for (size_t i = 0; i < (kind == event_kind ? 1 : functions->count()); ++i) {
        std::vector<double> x = place.x;
        x.resize(x.size() + most_numbers);
        const auto v = with_fields(model, values, place.v.data(), place.x.data(), place.v.data());
        add(function_bounds(*one.plugin, i, x.data(), v.data(), 0, own, {time_varies}));
      }
  }
  return all;
}

/// The period of a component whose phases are angles: of all together if few of the longest ones make it, else some of
/// these. Infinite for components that read the time itself.
double period_in_time(const Plugin& plugin, const double* values) {
  constexpr int few_together = 12, some = 4;
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
  for (int n = 1; n <= few_together; ++n)
    if (std::ranges::all_of(rates, [&](double rate) {
          const double count = n * longest * rate;
          return std::abs(count - std::rint(count)) <= equal * count;
        }))
      return n * longest;
  return some * longest;
}

}  // namespace

Changes changes_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration) {
  Changes changes;
  if (!(duration > 0 && std::isfinite(duration))) return changes;
  std::vector<double>& times = changes.times;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Plugin& plugin = *model.components()[k].plugin;
    if (!plugin.file().empty() || !plugin.depends_on_time()) continue;  // plugins of files tell their time scale
    const double period = period_in_time(plugin, values.values[k].data());
    const double seen = std::min(duration, period);
    const std::vector<Place> others = places_of_change(model, values, k, start, seen);
    const Functions functions = functions_of(model, values, k, start, others);
    if (!functions) continue;
    FunctionBounds bounds = bounds_of(model, values, k, start, others);
    constexpr double next_to_it = 1e-4;  // lengths
    const Functions beside = functions_of(model, values, k, start, others, next_to_it);
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
    const Component& one = model.components()[k];
    const double* own = values.values[k].data();
    if ((*one.plugin)->kind != BM_DRIVE || !one.plugin->has(BM_EDGES) || values.variables[one.variable].inertial)
      continue;
    const std::vector<bm_numbers> arrays = spans_of(values.arrays[k]);
    std::vector<double> force;  // at phases where no jump is to be expected
    for (size_t i = 0; i <= phases; ++i)
      force.push_back(one.plugin->force((static_cast<double>(i) + 0.382) / phases, own, arrays.data()));
    const auto [least, most] = std::ranges::minmax(force);
    std::vector<size_t> edges;
    for (size_t i = 0; i < phases; ++i)
      if (std::abs(force[i + 1] - force[i]) > 0.1 * (most - least)) edges.push_back(i);
    for (size_t i = 0; i < edges.size(); ++i) {
      const size_t next = i + 1 < edges.size() ? edges[i + 1] : edges[0] + phases;
      const double turns = static_cast<double>(next - edges[i]) / phases;
      shortest = std::min(shortest, turns * one.plugin->time_scale(own));
    }
    const double declared = one.plugin->shortest_change(own);  // which may be too short for the phases
    if (declared * phases < 2 * one.plugin->time_scale(own)) shortest = std::min(shortest, declared);
  }
  return shortest;
}

Pulses narrowest_pulses(const Model& model, const ModelValues& values) {
  Pulses narrowest{infinity, infinity};
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& one = model.components()[k];
    const double* own = values.values[k].data();
    if ((*one.plugin)->kind != BM_DRIVE) continue;
    const double width = one.plugin->shortest_change(own);
    narrowest = {std::min(narrowest.width, width), std::min(narrowest.turns, width / one.plugin->time_scale(own))};
  }
  return narrowest;
}

}  // namespace bmsim
