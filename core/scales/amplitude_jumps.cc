#include "scales/amplitude_jumps.h"

#include <optional>
#include <queue>

#include "model/formula_plugin.h"
#include "model/structure.h"
#include "model/system_plugin.h"
#include "model/walls.h"

namespace bmsim::short_paths {
namespace {

using formula::Enclosure;
using formula::Interval;

constexpr int samples = 256, few_samples = 32;  // along a line
constexpr double narrowest_part = 1e-7;         // of a line
constexpr size_t most_jumps = 256;              // on a line
constexpr size_t looks_at_first_line = 20'000, looks_at_line = 8'000, looks_at_region = 4'000;
constexpr double least_change = 0.01;  // of an amplitude, part of the largest
constexpr size_t spread_states = 4;    // states, spread over the region, through which lines go

constexpr double AmplitudeJumps::*times[] = {
    &AmplitudeJumps::sides,         &AmplitudeJumps::sides_beyond, &AmplitudeJumps::crossing, &AmplitudeJumps::changing,
    &AmplitudeJumps::changing_five, &AmplitudeJumps::pressing,     &AmplitudeJumps::turning,  &AmplitudeJumps::pushed};

/// A jump of a function along a coordinate: two places next to each other, one on each side.
struct Jump {
  double below, above;
};

/// The functions of one component in a region, at one time: amplitudes of a noise, forces, or what is observed.
class Functions {
 public:
  Functions(const Model& model, const ModelValues& values, const Component& component, const Motion& motion,
            const Range& reach, double t)
      : plugin_(*component.plugin),
        values_(values.values[model.index_of(component)].data()),
        motion_(motion),
        reach_(reach),
        t_(t) {
    if (plugin_.state_functions() == nullptr) {  // a potential of one variable
      alone_ = component.variable, moved_ = {component.variable};
      arrays_ = spans_of(values.arrays(model.index_of(component)));
      return;
    }
    const bool observed = plugin_->kind == observed_kind;
    const size_t count = plugin_->kind == amplitude_kind ? motion.variables() : functions().count();
    for (size_t i = 0; i < count; ++i)
      if (observed || functions().acts_on() >> i & 1) moved_.push_back(i);
  }
  bool jumps_with(size_t coordinate) const {
    return std::ranges::any_of(moved_, [&](size_t i) { return jumps_with(i, coordinate); });
  }
  /// Jumps of all functions along a coordinate through a state, in order.
  std::vector<Jump> along(size_t coordinate, const State& through, const Interval& line, size_t looks) {
    std::vector<Jump> jumps;
    for (const size_t i : moved_)
      if (jumps_with(i, coordinate)) add_jumps(i, coordinate, through, line, looks, jumps);
    std::ranges::sort(jumps, {}, &Jump::below);
    const auto is_same = [](const Jump& a, const Jump& b) { return b.below <= a.above; };
    jumps.erase(std::unique(jumps.begin(), jumps.end(), is_same), jumps.end());
    return jumps;
  }
  /// States through which lines meet the jumps: some are spread over the region, others lie at small structures in it.
  std::vector<State> states() {
    std::vector<State> line_states;
    Box region;
    State middle{};
    for (size_t j = 0; j < motion_.size(); ++j) {
      region.push_back({reach_.low[j], reach_.high[j]});
      middle[j] = region[j].middle();
    }
    line_states.push_back(middle);
    if (alone_) return line_states;
    // The most coordinates on which a function that jumps depends, and the most that decide where it jumps.
    size_t decisive = 0, deciding_where = 0;
    for (const size_t i : moved_) {
      size_t with = 0, depends = 0;
      for (size_t j = 0; j < motion_.size(); ++j)
        with += jumps_with(i, j) ? 1 : 0, depends += functions().depends(i, j) ? 1 : 0;
      if (with > 0) decisive = std::max(decisive, depends), deciding_where = std::max(deciding_where, with);
    }
    if (decisive < 2) return line_states;
    for (size_t k = 0; k < spread_states; ++k)
      std::ranges::copy(spread_over(region, k), line_states.emplace_back(middle).begin());
    if (deciding_where < 2) return line_states;
    const std::vector<State> from = line_states;
    for (const size_t i : moved_)
      if (functions().jumps()) add_hidden(i, line_states);
    add_sides(is_amplitude() ? from : std::vector{from[1]}, line_states);
    return line_states;
  }
  std::optional<State> unsure_at{};  ///< a state near which there may be more jumps

 private:
  const StateFunctions& functions() const { return *plugin_.state_functions(); }
  bool is_amplitude() const { return plugin_->kind == amplitude_kind; }
  bool jumps_with(size_t function, size_t coordinate) const {
    if (alone_) return coordinate == *alone_ && !plugin_.has(BM_SMOOTH);
    if (!functions().jumps()) return false;
    const bool by_form = is_amplitude() || (plugin_->kind == BM_POTENTIAL && plugin_.file().empty());
    return by_form ? functions().jumps_with(function, coordinate) : functions().depends(function, coordinate);
  }
  double at(size_t function, const State& state) const {
    if (alone_) return plugin_.force_at(state[*alone_] / motion_.unit(*alone_), t_, values_, arrays_.data());
    std::array<double, 2 * most_variables> few{};
    std::vector<double> many(functions().count() > few.size() ? functions().count() : 0);
    double* const b = many.empty() ? few.data() : many.data();
    functions().add_forces(state.data(), motion_.velocities(state, state).data(), t_, values_, nullptr, b);
    return b[function];
  }
  std::optional<Enclosure> bounds(size_t function, const State& through, std::vector<size_t> varying) const {
    if (alone_) return force_bounds(plugin_, values_, 0, t_, {0});
    return function_bounds(plugin_, function, through.data(), motion_.velocities(through, through).data(), t_, values_,
                           std::move(varying));
  }
  /// Parts of a line in which, by its bounds, a function may jump are halved until they are as short as can be. Without
  /// bounds, the parts lie between samples. Bisection then closes in on the jump.
  void add_jumps(size_t function, size_t coordinate, const State& through, const Interval& line, size_t looks,
                 std::vector<Jump>& jumps) {
    constexpr double remains = 0.25;  // of a change, if it is a jump
    constexpr int halvings = 60;
    State there = through;
    const auto b = [&](double z) {
      there[coordinate] = z;
      return at(function, there);
    };
    std::optional<Enclosure> bound = bounds(function, through, {coordinate});
    std::vector<Interval> parts;
    const int count = bound ? few_samples : samples;
    double size = 0;
    for (int k = 0; k <= count; ++k) {
      const double z = line.low + line.width() * k / count;
      if (const double here = std::abs(b(z)); std::isfinite(here)) size = std::max(size, here);
      if (!bound && k > 0) parts.push_back({z - line.width() / count, z});
    }
    const double least = least_change * size, shortest = narrowest_part * line.width();
    if (bound) {
      JumpingParts jumping = jumping_parts(*bound, line, least, shortest, looks);
      if (jumping.unsure) unsure_at = through, (*unsure_at)[coordinate] = *jumping.unsure;
      parts = std::move(jumping.parts);
    }
    size_t found = 0;
    for (const Interval& part : parts) {
      if (found >= most_jumps) return;
      double low = part.low, high = part.high;
      if (bound) low -= shortest / 4, high += shortest / 4;  // the function may have a third value at the end of a part
      double b_low = b(low), b_high = b(high);
      const double change = std::abs(b_high - b_low);
      if (!(change > least)) continue;
      for (int k = 0; k < halvings; ++k) {
        const double m = low + (high - low) / 2;
        if (!(m > low && m < high)) break;
        const double b_m = b(m);
        if (std::abs(b_m - b_low) > std::abs(b_high - b_m))
          high = m, b_high = b_m;
        else
          low = m, b_low = b_m;
      }
      if (std::abs(b_high - b_low) > remains * change) jumps.push_back({low, high}), ++found;
    }
  }
  /// Adds states at which an amplitude has values beyond those of samples. Parts of the region in which it may have
  /// them are halved.
  void add_hidden(size_t function, std::vector<State>& line_states) {
    State middle{};
    Box region;
    std::vector<size_t> coordinates;
    for (size_t j = 0; j < motion_.size(); ++j) {
      middle[j] = (reach_.low[j] + reach_.high[j]) / 2;
      if (functions().depends(function, j) && reach_.high[j] > reach_.low[j])
        coordinates.push_back(j), region.push_back({reach_.low[j], reach_.high[j]});
    }
    if (coordinates.size() < 2) return;  // lines see everything
    std::optional<Enclosure> f = bounds(function, middle, coordinates);
    if (!f) return;
    double least = infinity, most = -infinity;
    const auto look = [&](const std::vector<double>& place) {
      const double value = f->at(place), change = least_change * std::max(std::abs(least), std::abs(most));
      if (!std::isfinite(value)) return;
      const bool beyond = least <= most && (value < least - change || value > most + change);
      least = std::min(least, value), most = std::max(most, value);
      if (!beyond) return;
      State& found = line_states.emplace_back(middle);
      for (size_t k = 0; k < coordinates.size(); ++k) found[coordinates[k]] = place[k];
    };
    for (size_t k = 0; k < samples; ++k) look(spread_over(region, k));
    struct Part {
      double beyond;
      Box box;
      bool operator<(const Part& other) const { return beyond < other.beyond; }
    };
    const auto beyond = [&](const Box& box) {
      const formula::Enclosed& inside = f->over(box);
      if (!inside.jumps || inside.value.is_empty()) return 0.0;
      const double more = std::max(least - inside.value.low, inside.value.high - most);
      return more > 2 * least_change * std::max(std::abs(least), std::abs(most)) ? more : 0.0;
    };
    const auto part_of = [&](const Box& box, size_t i) { return box[i].width() / region[i].width(); };
    std::priority_queue<Part> open;
    if (const double more = beyond(region); more > 0) open.push({more, region});
    for (size_t looks = looks_at_region; !open.empty(); --looks) {
      Box box = open.top().box;
      const bool may_hide = beyond(box) > 0;
      if (looks == 0) {
        if (!may_hide) return;
        unsure_at = middle;
        for (size_t k = 0; k < coordinates.size(); ++k) (*unsure_at)[coordinates[k]] = box[k].middle();
        return;
      }
      open.pop();
      if (!may_hide) continue;
      size_t side = 0;
      for (size_t i = 1; i < box.size(); ++i)
        if (part_of(box, i) > part_of(box, side)) side = i;
      if (part_of(box, side) <= smallest_structure) continue;
      const Interval whole = box[side];
      for (const Interval half : {Interval{whole.low, whole.middle()}, Interval{whole.middle(), whole.high}}) {
        box[side] = half;
        std::vector<double> place;
        for (const Interval& interval : box) place.push_back(interval.middle());
        look(place);
        if (const double more = beyond(box); more > 0) open.push({more, box});
      }
    }
  }
  /// Adds states on both sides of zeros of what decides between two branches. Newton's method finds the zeros.
  void add_sides(const std::vector<State>& from, std::vector<State>& line_states) const {
    constexpr int steps = 40;
    constexpr double near_by = 1e-7, close = 1e-9;  // parts of the region
    constexpr size_t most_sides = 16;
    const auto argument = [&](const State& state, size_t k) {
      const Side side = functions().sides(state.data(), motion_.velocities(state, state).data(), t_, values_)[k];
      return side.whole ? side.argument - std::round(side.argument) : side.argument;
    };
    const size_t count =
        functions().sides(from[0].data(), motion_.velocities(from[0], from[0]).data(), t_, values_).size();
    for (size_t k = 0; k < std::min(count, most_sides); ++k)
      for (const State& begin : from) {
        State at = begin, last{};
        double moved = infinity;
        for (int step = 0; step < steps && moved > close; ++step) {
          const double here = argument(at, k);
          State slope{};
          double square = 0;
          for (size_t j = 0; j < motion_.size(); ++j) {
            const double width = reach_.width(j);
            if (!(width > 0)) continue;
            State there = at;
            there[j] += near_by * width;
            slope[j] = (argument(there, k) - here) / near_by;
            square += slope[j] * slope[j];
          }
          if (!(square > 0) || !std::isfinite(square) || !std::isfinite(here)) break;
          moved = std::abs(here) / std::sqrt(square), last = slope;
          for (size_t j = 0; j < motion_.size(); ++j)
            at[j] = std::clamp(at[j] - here * slope[j] / square * reach_.width(j), reach_.low[j], reach_.high[j]);
        }
        if (!(moved <= close)) continue;
        for (const double direction : {-1, 1}) {  // at the zero itself the function may have a third value
          State& beside = line_states.emplace_back(at);
          for (size_t j = 0; j < motion_.size(); ++j) {
            if (!(last[j] != 0)) continue;
            const double step = std::copysign(10 * close, last[j]) * reach_.width(j);
            beside[j] = std::clamp(at[j] + direction * step, reach_.low[j], reach_.high[j]);
          }
        }
      }
  }

  const Plugin& plugin_;
  const double* values_;
  const Motion& motion_;
  const Range& reach_;
  double t_;
  std::vector<size_t> moved_;
  std::optional<size_t> alone_{};  ///< the variable of a potential of one variable
  std::vector<bm_numbers> arrays_{};
};

/// Looks along lines through states.
class Search {
 public:
  Search(const Model& model, const ModelValues& values, const Motion& motion, const Range& visited, const Range& reach,
         const State& rates, double t)
      : model_(model), values_(values), motion_(motion), visited_(visited), reach_(reach), rates_(rates), t_(t) {
    for (size_t k = 0; k < model.components().size(); ++k) {
      const Component& component = model.components()[k];
      if ((*component.plugin)->kind != amplitude_kind) continue;
      white_.push_back(model.multiplied_by(component).plugin->has(BM_SIGMA));
      components_.push_back(k);
    }
  }
  AmplitudeJumps find(bool first) {
    if (const Component* seen = model_.observed(); seen != nullptr && seen->plugin->state_functions()->jumps())
      observed_.emplace(model_, values_, *seen, motion_, reach_, t_);
    for (const Component& component : model_.components()) {
      if ((*component.plugin)->kind != BM_POTENTIAL) continue;
      const StateFunctions* functions = component.plugin->state_functions();
      const bool jumps =
          functions != nullptr ? functions->jumps() : model_.is_system() && !component.plugin->has(BM_SMOOTH);
      if (jumps && first) look_through(component);
    }
    of_amplitude_ = true;
    for (noise_ = 0; noise_ < components_.size(); ++noise_) {
      const Component& component = model_.components()[components_[noise_]];
      if (!white_[noise_] || !component.plugin->state_functions()->jumps()) continue;
      if (first || component.plugin->depends_on_time()) look_through(component);
    }
    return result_;
  }

 private:
  void look_through(const Component& component) {
    Functions functions(model_, values_, component, motion_, reach_, t_);
    const std::vector<State> states = functions.states();
    for (size_t k = 0; k < states.size(); ++k) {
      AmplitudeJumps through;  // the longest of its lines: others may cut corners off
      for (size_t j = 0; j < motion_.size(); ++j) {
        if (!functions.jumps_with(j)) continue;
        along_ = {};
        look_along(functions, states[k], j,
                   k == 0               ? Part::all_in_the_middle
                   : k <= spread_states ? Part::all
                                        : Part::beside);
        if (k <= spread_states)
          result_.add(along_);
        else
          through.add_longest(along_);
      }
      result_.add(through);
    }
    if (functions.unsure_at && of_amplitude_) result_.unsure = &component, result_.unsure_at = *functions.unsure_at;
  }
  /// Which jumps of a line are looked at: all; all, with the forces that paths feel there on average; or those next to
  /// the state that the line goes through.
  enum class Part { all, all_in_the_middle, beside };
  void look_along(Functions& functions, const State& through, size_t j, Part part) {
    const bool middle = part == Part::all_in_the_middle;
    constexpr double beyond = 1e-6;  // part of a period, added so that a jump at its end lies between two places
    const double period = j < motion_.variables() && !model_.is_free() ? values_.variables[j].period : 0;
    Interval line{reach_.low[j], reach_.high[j]};
    if (!(line.width() > 0)) return;
    if (period > 0) line.high = line.low + period * (1 + beyond);
    std::vector<Jump> jumps = functions.along(j, through, line, middle ? looks_at_first_line : looks_at_line);
    const size_t count = jumps.size();
    if (count == 0) return;
    std::pair<double, double> room{-infinity, infinity};
    if (j < motion_.variables()) room = between_walls(model_, values_, j);
    const auto at = [&](double z) {
      State there = through;
      there[j] = z;
      return there;
    };
    std::vector<Jump> seen;
    if (of_amplitude_ && observed_ && observed_->jumps_with(j))
      seen = observed_->along(j, through, line, looks_at_line);
    const double same = 1e-9 * line.width();  // jumps no farther apart are one jump
    for (size_t k = 0; k < count; ++k) {
      const Jump& jump = jumps[k];
      const bool is_next =
          (k == 0 || jumps[k - 1].below <= through[j]) && (k + 1 == count || jumps[k + 1].above >= through[j]);
      if (part == Part::beside && !is_next) continue;
      double below = jump.below - room.first, above = room.second - jump.above;
      if (k > 0)
        below = (jump.below - jumps[k - 1].above) / 2;
      else if (period > 0)
        below = (jump.below - jumps[count - 1].above + period) / 2;
      if (k + 1 < count)
        above = (jumps[k + 1].below - jump.above) / 2;
      else if (period > 0)
        above = (jumps[0].below + period - jump.above) / 2;
      if (!(below > 0) || !(above > 0)) continue;
      attempt([&] {
        if (!of_amplitude_) {
          if (k + 1 < count)
            look_at_force(at(jump.above + above), at(jump.below), at(jumps[k + 1].above), j, 2 * above);
          return;
        }
        Beside beside{below, above, infinity, infinity};
        for (const Jump& other : seen) {
          if (jump.below - other.above > same)
            beside.seen_below = std::min(beside.seen_below, jump.below - other.above);
          if (other.below - jump.above > same)
            beside.seen_above = std::min(beside.seen_above, other.below - jump.above);
        }
        look_at_side(at(jump.below), at(jump.above), j, beside, middle);
        if (k + 1 < count) look_at_piece(at(jump.above + above), at(jump.below), j, 2 * above);
        if (k > 0) look_at_piece(at(jump.below - below), at(jump.above), j, 2 * below);
      });
    }
  }
  /// The surroundings of a jump. room: half of the distance to the next jump of the amplitude, or the distance to a
  /// wall. seen: the distance to the next jump of what is observed.
  struct Beside {
    double room_below, room_above, seen_below, seen_above;
  };
  void look_at_side(const State& below, const State& above, size_t j, const Beside& beside, bool middle) {
    const auto [room_below, room_above, seen_below, seen_above] = beside;
    const State normal = normal_at(below, above, j, std::min(room_below, room_above));
    const double width = reach_.width(j);
    const double b_below = std::sqrt(variance_along(normal, below)), b_above = std::sqrt(variance_along(normal, above));
    const double change = b_above - b_below;
    if (change == 0) return;
    double length = std::min(room_below, room_above);
    if (middle)
      length = std::min(length_of_density(below, normal, j, -1, std::min(room_below, width)),
                        length_of_density(above, normal, j, 1, std::min(room_above, width)));
    // What is observed about the jump lies partly where paths are dense, partly where they are not.
    const double part = std::pow(std::min(b_below, b_above) / std::max(b_below, b_above), 2);
    length = std::min(length, change > 0 ? seen_below + part * seen_above : seen_above + part * seen_below);
    const double time = std::pow(length / change, 2);
    if (!(time > 0)) return;
    const bool beyond = below[j] < visited_.low[j] || above[j] > visited_.high[j];
    double& shortest = beyond ? along_.sides_beyond : along_.sides;
    shortest = std::min(shortest, time);
  }
  void look_at_piece(const State& inside, const State& beside, size_t j, double length) {
    constexpr double part = 0.3;  // of the time in which noise spreads paths as widely as they are
    const State push = motion_.blown(inside, t_)[noise_], push_beside = motion_.blown(beside, t_)[noise_];
    const double time = motion_.crossing(j, std::abs(rates_[j]), motion_.blown(beside, t_)).time(length);
    double changing = infinity;
    for (size_t i = 0; i < motion_.size(); ++i) {
      const double more = std::abs(push[i] * push[i] - push_beside[i] * push_beside[i]);
      if (i == j || !(more > 0)) continue;
      const double deviation = visited_.width(i) / 6;
      changing = std::min(changing, part * deviation * deviation / more);
    }
    if (std::isinf(changing)) return;
    along_.crossing = std::min(along_.crossing, time);
    along_.changing = std::min(along_.changing, std::max(time, changing));
    along_.changing_five = std::min(along_.changing_five, std::max(5 * time, changing));
  }
  void look_at_force(const State& inside, const State& below, const State& above, size_t j, double length) {
    constexpr double narrow = 1.0 / 32, weak = 0.03;  // part of the region; work over the piece, part of D
    constexpr double part = 0.05;                     // of the time in which the force takes paths through their range
    if (length > narrow * reach_.width(j)) return;
    const State rate = motion_.rate(inside, t_), rate_below = motion_.rate(below, t_),
                rate_above = motion_.rate(above, t_);
    State normal{};
    normal[j] = 1;
    const double D = variance_along(normal, inside) / 2;
    const bool inertial = j < motion_.variables() && values_.variables[j].inertial;
    for (size_t i = 0; i < motion_.size(); ++i) {
      const double force = std::abs(rate[i] - (rate_below[i] + rate_above[i]) / 2);
      const double deviation = visited_.width(i) / 6;
      if (!(force > 0)) continue;
      if (i == j) {
        if (D > 0 && force * length > weak * D) along_.pressing = std::min(along_.pressing, D / (force * force));
      } else if (inertial && i == place_of_velocity(values_, j)) {
        if (force * length > weak * deviation * deviation) along_.turning = std::min(along_.turning, deviation / force);
      } else {
        const double time = motion_.crossing(j, std::abs(rates_[j]), motion_.blown(inside, t_)).time(length);
        const double changing = part * deviation / force;
        along_.pushed = std::min(along_.pushed, std::max(time, changing));
      }
    }
  }
  /// The normal of the surface of a jump, with 1 as its component along coordinate j.
  State normal_at(const State& below, const State& above, size_t j, double room) const {
    constexpr double before = 1e-3, farthest = 32;         // in units of the room; in units of `before`
    constexpr double least_ratio = 1.5, most_ratio = 2.7;  // of the ways to a plane from two distances
    constexpr int halvings = 24;
    State normal{};
    normal[j] = 1;
    const State push_below = motion_.blown(below, t_)[noise_], push_above = motion_.blown(above, t_)[noise_];
    const double distance = before * std::min(room, reach_.width(j));
    // The way along coordinate i to the other side of the jump, from a distance `from` before it along j; 0 if it is
    // far.
    const auto way = [&](size_t i, double direction, double from) {
      State begin = below;
      begin[j] -= from;
      const auto is_above = [&](double by) {
        State there = begin;
        there[i] += by;
        const State push = motion_.blown(there, t_)[noise_];
        double to_below = 0, to_above = 0;
        for (size_t k = 0; k < motion_.size(); ++k) {
          to_below += std::abs(push[k] - push_below[k]) / motion_.unit(k);
          to_above += std::abs(push[k] - push_above[k]) / motion_.unit(k);
        }
        return to_above < to_below;
      };
      double inside = 0;
      double outside = farthest * from * reach_.width(i) / reach_.width(j);
      if (!(outside > 0) || is_above(0) || !is_above(direction * outside)) return 0.0;
      for (int halving = 0; halving < halvings; ++halving) {
        const double m = (inside + outside) / 2;
        (is_above(direction * m) ? outside : inside) = m;
      }
      return outside;
    };
    for (size_t i = 0; i < motion_.size(); ++i)
      for (const double direction : {-1, 1}) {
        if (i == j) continue;
        const double near = way(i, direction, distance), far = near > 0 ? way(i, direction, 2 * distance) : 0;
        // at a corner, the way from farther off leads to another surface
        if (far > least_ratio * near && far < most_ratio * near) normal[i] = direction * distance / near;
      }
    return normal;
  }
  double variance_along(const State& normal, const State& at) const {
    double sum = 0;
    for (size_t i = 0; i < motion_.size(); ++i) sum += normal[i] * normal[i] * motion_.white_variance(i);
    const std::vector<State> pushes = motion_.blown(at, t_);
    for (size_t k = 0; k < pushes.size(); ++k) {
      double along = 0;
      for (size_t i = 0; white_[k] && i < motion_.size(); ++i) along += normal[i] * pushes[k][i];
      sum += along * along;
    }
    return sum;
  }
  /// The length over which the density changes on one side of a state, but at most `room`.
  double length_of_density(const State& at, const State& normal, size_t j, double direction, double room) const {
    constexpr double growth = 1.1, first = 1e-6, much = 8;  // of a step; part of the room; energy over D
    double h = first * room, away = 0, energy = 0, length = 0;
    while (away < room && std::abs(energy) < much) {
      State there = at;
      there[j] += direction * (away + h / 2);
      const State rate = motion_.rate(there, t_);
      double along = 0;
      for (size_t i = 0; i < motion_.size(); ++i) along += normal[i] * rate[i];
      const double D = variance_along(normal, there) / 2, change = D > 0 ? -direction * along * h / D : 0;
      if (!std::isfinite(change)) break;
      if (std::abs(change) > 0.5 && h > 1e-3 * first * room) {
        h /= 2;
        continue;
      }
      length += std::min(h, room - away) * std::exp(-std::abs(energy + change / 2));
      energy += change, away += h, h *= growth;
    }
    return length;
  }

  const Model& model_;
  const ModelValues& values_;
  const Motion& motion_;
  const Range &visited_, &reach_;
  const State& rates_;
  double t_;
  size_t noise_ = 0;
  bool of_amplitude_ = false;  ///< whether jumps are those of an amplitude; else of a force
  std::vector<size_t> components_;
  std::vector<bool> white_;
  std::optional<Functions> observed_;
  AmplitudeJumps result_, along_;
};

}  // namespace

AmplitudeJumps amplitude_jumps(const Model& model, const ModelValues& values, const Motion& motion,
                               const Range& visited, const Range& reach, const State& rates, double t, bool first) {
  return Search(model, values, motion, visited, reach, rates, t).find(first);
}

void AmplitudeJumps::add_longest(const AmplitudeJumps& other) {
  for (const auto time : times)
    if (const double found = other.*time; std::isfinite(found))
      this->*time = std::isfinite(this->*time) ? std::max(this->*time, found) : found;
}

void AmplitudeJumps::add(const AmplitudeJumps& other) {
  for (const auto time : times) this->*time = std::min(this->*time, other.*time);
  if (other.unsure != nullptr) unsure = other.unsure, unsure_at = other.unsure_at;
}

}  // namespace bmsim::short_paths
