#include "engine/step_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compose/walk_tables.h"
#include "engine/patience.h"
#include "engine/seen.h"
#include "engine/tails.h"
#include "error.h"
#include "interruption.h"
#include "model/events.h"
#include "model/walls.h"

namespace bmsim {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double shortest_in_single = 0.5;      // (p + m) width, below which small probabilities lose digits
constexpr double longest_hold_in_single = 1e6;  // in steps, at sticky walls, which are counted down by one
constexpr double least_motion = 1e-5;           // in a step, in periods, for single precision, whose resolution is 6e-8

/// Steps as fractions of a time scale: with an error of about 1 %, and the longest that make sense.
struct Shares {
  double good, longest;
};
/// Fractions for methods of second order, for these where V has kinks, and for euler.
struct Rule {
  Shares smooth, kinked, euler;
};
constexpr Rule relaxing = {{0.1, 0.75}, {0.1, 0.75}, {0.02, 0.75}};
constexpr Rule crossing = {{0.1, 2}, {0.02, 2}, {0.02, 2}};
constexpr Rule blurring = {{0.1, 0.5}, {0.1, 0.5}, {0.02, 0.5}};  // of noise with an amplitude
constexpr Rule diffusing = {{0.1, 4}, {0.02, 4}, {0.02, 4}};
constexpr Rule between_walls = {{0.02, 0.2}, {0.02, 0.2}, {0.02, 0.2}};  // or levels
// From the start to a level, or to a wall at which paths end.
constexpr Rule to_end = {{0.25, 1}, {0.25, 1}, {0.25, 1}};
constexpr Rule drifting = {{0.04, 1}, {0.04, 1}, {0.04, 1}};                  // so that the law of the times shows
constexpr Rule settling = {{0.1, 1}, {0.1, 1}, {0.1, 1}};                     // near a wall, to which a force presses
constexpr Rule bouncing = {{0.05, 0.5}, {0.05, 0.5}, {0.02, 0.5}};            // with inertia
constexpr Rule turning = {{0.06, 1}, {0.06, 1}, {0.02, 1}};                   // with inertia, past a level and back
constexpr Rule jumping = {{0.001, 0.1}, {0.001, 0.1}, {0.001, 0.1}};          // of Levy noise, to a level
constexpr Rule following = {{0.0095, 0.01}, {0.0095, 0.01}, {0.0095, 0.01}};  // over a distance (turning_points.cc)
constexpr Rule beginning = {{0.05, 1}, {0.05, 1}, {0.02, 1}};
constexpr double nearest_end = 0.02;  // of how far paths go at most: a start that is nearer to an end counts as this
constexpr Rule waiting = {{0.1, 1}, {0.1, 1}, {0.1, 1}};                 // for events of the script
constexpr Rule changing = {{0.1, 0.5}, {0.1, 0.5}, {0.02, 0.1}};         // with t
constexpr Rule between_jumps = {{0.02, 0.5}, {0.02, 0.5}, {0.02, 0.5}};  // at times
// In systems heat, which is a small part of what passes to and fro, has errors of first order.
constexpr Rule dissipating = {{0.015, 0.75}, {0.015, 0.75}, {0.015, 0.75}};
constexpr double most_for_changes = 20'000;  // steps of a run, or a period, that what depends on t may ask for
constexpr Rule between_zeros = {{0.05, 1}, {0.05, 1}, {0.02, 0.5}};
// Underdamped.
constexpr Rule swinging = {{0.3, 1.5}, {0.3, 1.5}, {0.02, 0.5}};
constexpr Rule swinging_past = {{0.1, 1.5}, {0.1, 1.5}, {0.02, 0.5}};  // where a path that comes back counts
constexpr Rule damping = {{0.25, 2}, {0.25, 2}, {0.02, 1}};
constexpr Rule passing = {{0.5, 3}, {0.1, 3}, {0.02, 2}};

/// Whether white noise with an amplitude makes the scheme one of first order.
bool has_first_order_noise(const Plan& plan) {
  return has_events_at_ends(plan.model) || (plan.model.has_white_amplitude() && plan.kernel.method != Method::platen);
}

class Bounds {
 public:
  /// first_order: schemes are of first order whatever V is.
  Bounds(Method method, bool kinks, bool first_order)
      : first_order_(method == Method::euler || first_order), kinks_(kinks) {
    advice.good.dt = advice.finest.dt = advice.longest.dt = infinity;
  }
  /// least: a good step need not be shorter.
  void add(double time, const Rule& rule, const char* what, double least = 0) {
    if (!(time > 0 && std::isfinite(time))) return;
    const Shares& shares = first_order_ ? rule.euler : kinks_ ? rule.kinked : rule.smooth;
    lower(advice.good, {std::max(shares.good * time, least), time, what});
    lower(advice.finest, {shares.good * time, time, what});
    lower(advice.longest, {shares.longest * time, time, what});
  }
  void add(const Changes& changes) {
    for (const Change& one : changes.of) {
      const double least = one.seen / most_for_changes;
      add(one.time, changing, "the time in which a formula of t changes", least);
      add(one.between, between_jumps, "the time between jumps of a formula of t", least);
    }
  }
  StepAdvice advice;

 private:
  static void lower(StepBound& bound, const StepBound& other) {
    if (other.dt < bound.dt) bound = other;
  }
  bool first_order_, kinks_;
};

/// Largest speed to be expected of an underdamped particle.
double largest_speed(const Point& point, const Surroundings& around, const ForceShape& V) {
  const double m = point.values.only().mass, gamma = point.values.only().gamma,
               total = point.time.steps * point.time.dt;
  const auto terminal = [&](double force, double time) {  // the force lasts for `time`, or always
    const double resistance = std::isfinite(time) ? std::hypot(gamma, m / time) : std::max(gamma, m / total);
    return force > 0 ? force / resistance : 0;
  };
  double v = terminal(around.constant, infinity) + std::sqrt(2 * around.amplitude * V.height / m);
  for (const auto& one : around.varying) v += terminal(one.force, one.time);
  if (gamma > 0) v += 3 * std::sqrt(around.variance / 2 / gamma / m);
  return v + std::abs(point.v[0].centre) + point.v[0].width / 2;
}

SystemStart start_of(const Point& point) {
  SystemStart start;
  for (size_t i = 0; i < point.x.size(); ++i) {
    start.x.push_back(point.x[i].centre);
    start.x_width.push_back(point.x[i].width / 2 + point.x[i].deviation);
    start.v.push_back(point.v[i].centre);
    start.v_width.push_back(point.v[i].width / 2 + point.v[i].deviation);
  }
  return start;
}

std::pair<double, double> starts_of(const StartLaw& x) {
  const double reach = x.width / 2 + 3 * x.deviation;
  return {x.centre - reach, x.centre + reach};
}

/// A particle's surroundings and the shape of its potential.
struct Landscape {
  Landscape(const Plan& plan, const Point& point, ForceShapes& shapes)
      : changes(shapes.changes(plan.model, point.values, start_of(point), point.time.steps * point.time.dt)),
        around(plan.model, point.values, changes.times),
        V(shapes.at(plan.model, point.values, around, starts_of(point.x[0]), changes)) {}
  double curvature() const { return around.amplitude * V.curvature + around.slope; }
  const Changes& changes;
  Surroundings around;
  const ForceShape& V;
};

/// At kinks of V the error is of first order. But a particle that diffuses further in a step than it drifts meets a
/// kink at a random place, and the remaining error is of second order.
bool kinks_are_blurred(const Plan& plan, const Point& point, ForceShapes& shapes) {
  if (plan.smooth || plan.model.underdamped() || plan.model.is_system() || plan.kernel.method == Method::euler ||
      plan.kernel.method == Method::paper)
    return false;
  const Landscape landscape(plan, point, shapes);
  const Surroundings& around = landscape.around;
  const ForceShape& V = landscape.V;
  const double speed = around.amplitude * V.force + around.constant;
  return around.variance > speed * speed * point.time.dt;
}

std::string place_of(const Plan& plan, const Sweep& sweep, size_t point) {
  if (plan.points.size() == 1) return "";
  return fmt::format(" at point {} ({})", point + 1, sweep.describe(point));
}

}  // namespace

std::string rounded(double x) { return fmt::format("{:g}", std::stod(fmt::format("{:.1e}", x))); }

namespace {

/// What bounds the motion of a variable, or of the formula that is looked at, and how strong the white noise on it is.
struct Room {
  double low = -infinity, high = infinity;  // walls and levels
  double from_start = infinity;             // of paths that all begin at one place: to the nearest of these
  double D = 0;
  double reflecting_low = -infinity, reflecting_high = infinity;  // those of them that reflect

  /// A path may not go on as it does beyond this place, or is followed to it.
  void add(double place, double centre, bool one_place) {
    if (std::isinf(place)) return;
    if (one_place) from_start = std::min(from_start, std::abs(place - centre));
    (place <= centre ? low : high) = place <= centre ? std::max(low, place) : std::min(high, place);
  }
};
bool is_one_place(const StartLaw& x) { return x.width == 0 && x.deviation == 0; }

Room room_of(const Plan& plan, const Point& point, size_t variable) {
  Room room;
  const StartLaw& x = point.x[variable];
  const bool one_place = is_one_place(x);
  for (const Component* one : plan.model.walls()) {
    if (one->variable != variable) continue;
    const Walls walls(plan.model, point.values, *one);
    room.low = std::max(room.low, walls.low), room.high = std::min(room.high, walls.high);
    if (one == plan.model.absorbing()) {
      for (const double place : {walls.low, walls.high}) room.add(place, x.centre, one_place);
    } else {
      room.reflecting_low = std::max(room.reflecting_low, walls.low);
      room.reflecting_high = std::min(room.reflecting_high, walls.high);
    }
  }
  for (const auto& observable : plan.observables)
    if (observable->variable() == variable)
      for (const double place : observable->needs().levels) room.add(place, x.centre, one_place);
  for (const Component& noise : plan.model.components())
    if (noise.plugin->has(BM_SIGMA) && noise.variable == variable)
      room.D += noise.plugin->intensity(point.values.values[plan.model.index_of(noise)].data()).value_or(0);
  return room;
}

/// The same for a formula, whose noise is that at the start of the paths.
Room room_of_formula(const Plan& plan, const Point& point, const StateFormula& formula) {
  const std::vector<VariableValues>& variables = point.values.variables;
  const size_t n = variables.size();
  std::vector<double> state(formula.state_size());
  bool one_place = true;
  std::vector<double> D(formula.state_size());
  for (size_t i = 0, k = n; i < n; ++i) {
    state[i] = point.x[i].centre / variables[i].length();
    one_place = one_place && is_one_place(point.x[i]);
    const double noise = white_noise_on(plan.model, point.values, i);
    if (!variables[i].inertial) {
      D[i] = noise / (variables[i].length() * variables[i].length());
      continue;
    }
    state[k] = point.v[i].centre;
    one_place = one_place && is_one_place(point.v[i]);
    D[k++] = noise / (variables[i].mass * variables[i].mass);
  }
  const std::vector<double> inputs = formula.inputs(point.values);
  const double centre = formula.at(inputs, state);
  Room room;
  for (size_t i = 0; i < state.size(); ++i) {
    if (D[i] == 0) continue;
    std::vector<double> there = state;
    const double step = 1e-4 * std::max(1.0, std::abs(state[i]));
    there[i] += step;
    const double slope = (formula.at(inputs, there) - centre) / step;
    if (std::isfinite(slope)) room.D += slope * slope * D[i];
  }
  for (const auto& observable : plan.observables)
    if (observable->variable() >= n)
      for (const double place : observable->needs().levels) room.add(place, centre, one_place);
  return room;
}

/// The force on a variable at this place of it, the others being where their paths begin.
double force_at(const Plan& plan, const Point& point, size_t variable, double place) {
  const std::vector<VariableValues>& variables = point.values.variables;
  std::vector<double> x, v, f(variables.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    x.push_back(i == variable ? place : point.x[i].centre);
    if (variables[i].inertial) v.push_back(point.v[i].centre);
  }
  v.resize(v.size() + most_fields);
  add_forces(plan.model, point.values, x.data(), v.data(), 0, f.data());
  return f[variable] + variables[variable].force;
}

/// A step must be short against the time in which a force and noise make the density at a wall; with inertia, of a
/// bounce.
void add_reflections(const Plan& plan, const Point& point, size_t variable, const Room& room, Bounds& bounds) {
  const VariableValues& one = point.values.variables[variable];
  for (const double wall : {room.reflecting_low, room.reflecting_high}) {
    if (std::isinf(wall)) continue;
    const double into = force_at(plan, point, variable, wall) * (wall == room.reflecting_high ? 1 : -1);
    if (!(into > 0)) continue;
    if (one.inertial)
      bounds.add(std::sqrt(one.mass * room.D / one.gamma) / into, bouncing, "the time of a bounce at a wall");
    else
      bounds.add(room.D / (into * into), settling, "D/f^2 at a wall, to which the force f presses");
  }
}

/// A step must be short against the time in which noise crosses the space between two walls or levels, or takes a path
/// from its start to one.
void add_ends(const Point& point, const Room& room, double drift, Bounds& bounds) {
  if (!(room.D > 0)) return;
  const auto diffuse = [&](double distance) { return distance * distance / (2 * room.D); };
  bounds.add(diffuse(room.high - room.low), between_walls, "the time to diffuse from one wall, or level, to the other");
  if (std::isinf(room.from_start) || room.from_start == 0) return;
  const double farthest = std::min(room.high - room.low, std::sqrt(2 * room.D * point.time.steps * point.time.dt));
  bounds.add(diffuse(std::max(room.from_start, nearest_end * farthest)), to_end,
             "the time to diffuse from the start to the nearest end");
  bounds.add(room.from_start / drift, drifting, "the time to drift from the start to the nearest end");
}

/// The same for Levy noise, of which it is not known how often it goes beyond a level within a step and comes back.
void add_jumps(const Plan& plan, const Point& point, size_t variable, const Room& room, Bounds& bounds) {
  const double space = std::min(room.high - room.low, room.from_start);
  if (std::isinf(space) || space == 0 || (room.low == room.reflecting_low && room.high == room.reflecting_high)) return;
  for (const Component& noise : plan.model.components()) {
    const double* values = point.values.values[plan.model.index_of(noise)].data();
    if (noise.variable != variable || !has_heavy_tails(*noise.plugin, values)) continue;
    const double alpha = *number_of(*noise.plugin, values, "alpha");
    if (const auto scale = number_of(*noise.plugin, values, "scale"))
      bounds.add(std::pow(space / *scale, alpha), jumping, "the time in which Levy noise goes to the nearest end");
  }
}

/// Whether it matters that a path with inertia passes a place and comes back within a step: a level, a wall at which it
/// ends, or a zero at which an event happens.
bool sees_turns(const Plan& plan) {
  const auto at_level = [](const auto& one) { return one->needs().looks == Looks::at_levels; };
  const auto at_zero = [](const Component* one) {
    return one->plugin->state_functions()->event()->trigger == EventShape::zero;
  };
  return plan.model.absorbing() != nullptr || std::ranges::any_of(plan.observables, at_level) ||
         std::ranges::any_of(plan.model.events(), at_zero);
}

/// What walls, levels and observables ask of a step.
void add_places(const Plan& plan, const Point& point, Bounds& bounds) {
  for (const auto& observable : plan.observables)
    bounds.add(observable->needs().first_time, beginning, "the first time that was asked for");
  for (size_t i = 0; i < point.values.variables.size(); ++i) {
    const Room room = room_of(plan, point, i);
    const VariableValues& one = point.values.variables[i];
    add_jumps(plan, point, i, room, bounds);
    for (const auto& observable : plan.observables)
      if (observable->variable() == i && room.D > 0 && !one.inertial)
        bounds.add(std::pow(observable->needs().distance, 2) / (2 * room.D), following,
                   "the time to diffuse over the threshold of turning points");
    if (room.D > 0) add_reflections(plan, point, i, room, bounds);
    if (!one.inertial)
      add_ends(point, room, plan.model.is_free() ? std::abs(one.constant_force) : 0, bounds);
    else if (room.D > 0 && sees_turns(plan))
      bounds.add(one.mass / one.gamma, turning, "m/gamma, in which a path turns and meets a level twice");
  }
  if (const StateFormula* formula = seen_formula(plan))
    add_ends(point, room_of_formula(plan, point, *formula), 0, bounds);
}

const SystemScales& system_scales(const Plan& plan, const Point& point, ForceShapes& shapes) {
  return shapes.of_system(plan.model, point.values, start_of(point), point.time.steps * point.time.dt);
}

StepAdvice advise_system(const Plan& plan, const Point& point, ForceShapes& shapes) {
  const SystemScales& scales = system_scales(plan, point, shapes);
  Bounds bounds(plan.kernel.method, !plan.smooth, has_first_order_noise(plan));
  bounds.add(shapes.changes(plan.model, point.values, start_of(point), point.time.steps * point.time.dt));
  bounds.add(scales.blurring, blurring, "the time in which noise changes its own amplitude");
  const bool heats =
      std::ranges::any_of(plan.observables, [](const auto& one) { return one->needs().energies >= Needs::heat; });
  bounds.add(scales.relaxing, heats ? dissipating : relaxing, "1/max|eigenvalue of df/dx|");
  bounds.add(scales.crossing, crossing, "the time in which the motion changes df/dx");
  bounds.add(scales.diffusing, diffusing, "the time in which the noise changes df/dx");
  bounds.add(scales.waiting, waiting, "1/the highest rate of an event");
  bounds.add(scales.between, between_zeros, "the time between events at zeros");
  add_places(plan, point, bounds);
  return bounds.advice;
}

/// About the longest time, in steps, for which a sticky wall holds a path after one step: of a push of six standard
/// deviations.
double longest_hold(const Plan& plan) {
  double longest = 0;
  for (const Point& point : plan.points)
    for (const Component* one : plan.model.walls()) {
      const double D = white_noise_on(plan.model, point.values, one->variable);
      const double length = Walls(plan.model, point.values, *one).length;
      if (length > 0) longest = std::max(longest, 12 * length / std::sqrt(2 * D * point.time.dt));
    }
  return longest;
}

}  // namespace

StepAdvice advise(const Plan& plan, const Point& point, ForceShapes& shapes) {
  check_interruption();
  if (plan.model.is_system()) return advise_system(plan, point, shapes);
  const Landscape landscape(plan, point, shapes);
  const Surroundings& around = landscape.around;
  const ForceShape& V = landscape.V;
  Bounds bounds(plan.kernel.method, V.kinks, has_first_order_noise(plan));
  bounds.add(landscape.changes);
  bounds.add(1 / around.blurring, blurring, "the time in which noise changes its own amplitude");
  add_places(plan, point, bounds);
  if (!plan.model.events().empty()) {
    const SystemScales& scales = system_scales(plan, point, shapes);
    bounds.add(scales.waiting, waiting, "1/the highest rate of an event");
    bounds.add(scales.between, between_zeros, "the time between events at zeros");
  }
  const double curvature = landscape.curvature();
  if (point.values.only().inertial) {
    const double m = point.values.only().mass;
    bounds.add(std::sqrt(m / curvature), sees_turns(plan) ? swinging_past : swinging, "sqrt(m/max|V''|)");
    bounds.add(m / point.values.only().gamma, damping, "m/gamma");
    bounds.add(V.length / largest_speed(point, around, V), passing, "the time to pass the smallest structure of V");
    return bounds.advice;
  }
  bounds.add(1 / curvature, relaxing, "1/max|V''|");
  bounds.add(1 / (around.amplitude * V.crossing + around.force / V.length), crossing,
             "the time to pass the smallest structure of V");
  bounds.add(V.length * V.length / around.variance, diffusing, "the time to diffuse over the smallest structure of V");
  return bounds.advice;
}

bool meets_end_early(const Plan& plan, const Point& point, size_t variable, ForceShapes& shapes) {
  const Room room = room_of(plan, point, variable);
  if (std::isinf(room.from_start) || !(room.D > 0)) return false;
  if (plan.model.is_system()) return true;
  return room.from_start * room.from_start / (2 * room.D) * Landscape(plan, point, shapes).curvature() < 1;
}

namespace {

/// Largest speed without white noise.
double speed_of(const Plan& plan, const Point& point, ForceShapes& shapes) {
  check_interruption();
  if (plan.model.is_system()) return system_scales(plan, point, shapes).speed;
  const Landscape landscape(plan, point, shapes);
  const Surroundings& around = landscape.around;
  const ForceShape& V = landscape.V;
  return point.values.only().inertial ? largest_speed(point, around, V) : around.amplitude * V.force + around.force;
}

/// Largest distance moved in this time, in periods.
double moved_in(const Plan& plan, const Point& point, ForceShapes& shapes, double time) {
  check_interruption();
  if (plan.model.is_system()) {
    const SystemScales& scales = system_scales(plan, point, shapes);
    return std::max(scales.speed * time, scales.spread * std::sqrt(time));
  }
  const VariableValues& only = point.values.only();
  const Landscape landscape(plan, point, shapes);
  const Surroundings& around = landscape.around;
  const ForceShape& V = landscape.V;
  const double speed = only.inertial ? largest_speed(point, around, V) : around.amplitude * V.force + around.force;
  const double noise = only.inertial ? 0 : std::sqrt(around.variance * time);
  return std::max(speed * time, noise) / only.length();
}

}  // namespace

void find_speeds(Plan& plan, ForceShapes& shapes) {
  if (!plan.options.check_transient || plan.options.random_phases) return;
  const bool varies = std::ranges::any_of(plan.model.components(), [](const Component& one) {
    return (*one.plugin)->kind != observed_kind && one.plugin->depends_on_time();
  });
  if (!varies) return;
  Patience patience("the choice of halves", plan.points.size());
  for (size_t i = 0; i < plan.points.size(); ++i) {
    plan.points[i].fastest = speed_of(plan, plan.points[i], shapes);
    patience.done(i);
  }
}

void check_holds(const Plan& plan) {
  const double longest = longest_hold(plan);
  const bool single = plan.kernel.precision == Precision::single_precision;
  if (longest > (single ? 8 * longest_hold_in_single : 1e15))
    fail("run: sticky walls would hold a particle for up to {:.2g} steps, which {} precision cannot count; give {}",
         longest, single ? "single" : "double", single ? "precision = \"double\"" : "a longer step");
}

void choose_precision(Plan& plan, ForceShapes& shapes) {
  const auto set_double = [&](std::string why) {
    plan.kernel.precision = Precision::double_precision;
    plan.options.precision = "double";
    plan.why_precision = std::move(why);
  };
  for (const Point& point : plan.points)
    for (size_t i = 0; i < point.values.variables.size(); ++i)
      if (point.values.variables[i].unfolded_for_formulas)
        return set_double(fmt::format("{} may go far, and is not folded, for the formulas of observables or events",
                                      plan.model.variables()[i].name));
  if (const double longest = longest_hold(plan); longest > longest_hold_in_single)
    return set_double(fmt::format("sticky walls hold a particle for up to {:.2g} steps", longest));
  Patience patience("the choice of precision", plan.points.size());
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const Point& point = plan.points[i];
    if (plan.kernel.method == Method::walk) {
      if (walk_tables(plan.model, point.values, point.time.dt, plan.kernel.levels).shortest < shortest_in_single)
        return set_double("diffusion over a piece of V is fast beside events");
      continue;
    }
    double time = point.time.dt, jump = 0;
    if (plan.kernel.method == Method::exact) {
      double rate = 0;
      const auto& components = plan.model.components();
      for (size_t k = 0; k < components.size(); ++k) {
        if (!components[k].plugin->has(BM_EVENTS)) continue;
        const double* values = point.values.values[k].data();
        const double wait = components[k].plugin->time_scale(values);
        const double D = components[k].plugin->intensity(values).value_or(0);
        rate += 1 / wait;
        if (std::isfinite(D)) jump = std::max(jump, std::sqrt(2 * D * wait));
      }
      time = 1 / rate;
    }
    const double moved = std::max(moved_in(plan, point, shapes, time), jump / point.values.variables[0].length());
    patience.done(i);
    if (!(moved > 0 && moved < least_motion)) continue;
    return set_double(
        fmt::format("a particle moves {:.2g} of a period in a {}, near the resolution of single precision", moved,
                    plan.kernel.method == Method::exact ? "waiting time" : "step"));
  }
}

std::vector<std::string> check_steps(Plan& plan, const Sweep& sweep, ForceShapes& shapes) {
  if (!makes_steps(plan.kernel.method) || plan.kernel.method == Method::adaptive) return {};
  struct Kind {
    StepBound longest;
    size_t worst, points = 0;
    double ratio = 0;
  };
  std::vector<Kind> kinds;
  for (size_t i = 0; i < plan.points.size(); ++i) {
    Point& point = plan.points[i];
    point.error_order = kinks_are_blurred(plan, point, shapes) ? 2 : weak_order(plan);
    if (!plan.options.tolerances.empty() && !point.asked.dt && !point.asked.spp) continue;  // its error is measured
    const StepBound longest = advise(plan, point, shapes).longest;
    const double ratio = point.time.dt / longest.dt;
    point.of_longest = ratio;
    point.step_too_long = ratio > 1;
    if (!point.step_too_long) continue;
    const auto same = [&](const Kind& one) { return std::string_view(one.longest.what) == longest.what; };
    auto kind = std::find_if(kinds.begin(), kinds.end(), same);
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {longest, i});
    ++kind->points;
    if (ratio > kind->ratio) kind->ratio = ratio, kind->worst = i, kind->longest = longest;
  }
  std::vector<std::string> all;
  for (const Kind& kind : kinds) {
    const Point& point = plan.points[kind.worst];
    const double good = advise(plan, point, shapes).finest.dt;
    const std::string would_do = point.asked.spp
                                     ? fmt::format("spp = {}", rounded(*point.asked.spp * point.time.dt / good))
                                     : fmt::format("dt = {}", rounded(good));
    const bool several = plan.points.size() > 1;
    const std::string where = several ? fmt::format(" at {} of {} points", kind.points, plan.points.size()) : "";
    all.push_back(
        fmt::format("run: the step is too long for the motion{}: dt = {:.3g}{}, where {} is {:.2g}; {} would do", where,
                    point.time.dt, place_of(plan, sweep, kind.worst), kind.longest.what, kind.longest.time, would_do));
  }
  return all;
}

}  // namespace bmsim
