#include "plan/step_places.h"

#include "model/events.h"
#include "model/walls.h"
#include "numbers.h"
#include "plugin/schema.h"
#include "scales/heavy_tails.h"

namespace bmsim {

namespace {

constexpr Rule between_walls = {{0.02, 0.2}, {0.02, 0.2}, {0.02, 0.2}};  // or between levels
// Between walls that reflect noise whose amplitude changes with the distance from them.
constexpr Rule between_amplitudes = {{0.004, 0.2}, {0.004, 0.2}, {0.004, 0.2}};
constexpr Rule amplitude_changing = {{0.002, 0.1}, {0.002, 0.1}, {0.002, 0.1}};
// From the start to a level, or to a wall at which paths end.
constexpr Rule to_end = {{0.25, 1}, {0.25, 1}, {0.25, 1}};
constexpr Rule to_curved_end = {{0.02, 1}, {0.02, 1}, {0.02, 1}};  // of a formula whose noise changes on the way
constexpr Rule drifting = {{0.04, 1}, {0.04, 1}, {0.04, 1}};       // so that the law of the times shows
constexpr int places = 64;                                         // between two walls, at which noise is looked at
constexpr double nearest_end = 0.02;  // of how far paths go at most: a start that is nearer to an end counts as this
constexpr Rule settling = {{0.2, 1}, {0.2, 1}, {0.1, 1}};  // near a wall, to which a force presses
// Near a wall to which forces press now and then. In a step of 2.5 of this time ⟨x²⟩ in a box is wrong by 0.5 %, in a
// step of 5 by 5 %.
constexpr Rule settling_at_times = {{1, 4}, {1, 4}, {0.2, 4}};
constexpr Rule bouncing = {{0.05, 0.5}, {0.05, 0.5}, {0.02, 0.5}};            // with inertia
constexpr Rule turning_back = {{0.06, 1}, {0.06, 1}, {0.02, 1}};              // with inertia, past a level and back
constexpr Rule starting = {{0.08, 1}, {0.08, 1}, {0.04, 1}};                  // with inertia, to the nearest end
constexpr Rule jumping = {{0.001, 0.1}, {0.001, 0.1}, {0.001, 0.1}};          // of Levy noise, to a level
constexpr Rule following = {{0.0095, 0.01}, {0.0095, 0.01}, {0.0095, 0.01}};  // over a distance (turning_points.cc)
// From where events set paths to a jump of a formula.
constexpr Rule leaving = {{0.04, 0.4}, {0.04, 0.4}, {0.04, 0.4}};
constexpr double diffused = 0.25;  // of d^2/D: in a shorter step few paths come as far as d
constexpr Rule beginning = {{0.05, 1}, {0.05, 1}, {0.02, 1}};

/// What bounds the motion of a variable, or of the formula that is looked at, and how strong the white noise on it is.
struct Room {
  double low = -infinity, high = infinity;  // walls and levels
  double from_start = infinity;   // from the one place where all paths begin to the nearest of these; else infinity
  double from_centre = infinity;  // from the middle of the places where paths begin to the nearest of these
  double D = 0;                   // the largest between low and high
  bool uneven = false;            // whether D changes between them
  bool of_formula = false;
  double reflecting_low = -infinity, reflecting_high = infinity;  // walls that reflect
  /// Adds a place beyond which paths may not go on as they do before it, or to which they are followed.
  void add(double place, double centre, bool one_place) {
    if (std::isinf(place)) return;
    if (one_place) from_start = std::min(from_start, std::abs(place - centre));
    if (place != centre) from_centre = std::min(from_centre, std::abs(place - centre));
    (place <= centre ? low : high) = place <= centre ? std::max(low, place) : std::min(high, place);
  }
};
bool is_one_place(const StartLaw& x) { return x.width == 0 && x.deviation == 0; }

Room room_of(const Plan& plan, const Point& point, size_t variable) {
  Room room;
  const StartLaw& x = point.x[variable];
  const bool one_place = is_one_place(x);
  for (const Component* component : plan.model.walls()) {
    if (component->variable != variable) continue;
    const Walls walls(plan.model, point.values, *component);
    room.low = std::max(room.low, walls.low), room.high = std::min(room.high, walls.high);
    if (component == plan.model.absorbing()) {
      for (const double place : {walls.low, walls.high}) room.add(place, x.centre, one_place);
    } else {
      room.reflecting_low = std::max(room.reflecting_low, walls.low);
      room.reflecting_high = std::min(room.reflecting_high, walls.high);
    }
  }
  for (const auto& observable : plan.observables)
    if (observable->variable() == variable)
      for (const double place : observable->needs().levels) room.add(place, x.centre, one_place);
  double least = infinity;
  const bool two = std::isfinite(room.low) && std::isfinite(room.high);
  for (int k = 0; k <= (two ? places : 0); ++k) {
    const double place = two ? room.low + (room.high - room.low) * k / places : x.centre;
    const double D = noise_at(plan, point, variable, place);
    room.D = std::max(room.D, D), least = std::min(least, D);
  }
  room.uneven = room.D > 1.05 * least;
  return room;
}

/// What bounds a formula. Its noise is the largest at the start of the paths and where one coordinate alone takes it
/// from there to a level. noise: is set to D of positions, then of velocities.
Room room_of_formula(const Plan& plan, const Point& point, const StateFormula& formula, std::vector<double>& noise) {
  const std::vector<VariableValues>& variables = point.values.variables;
  const size_t n = variables.size();
  std::vector<double> state(formula.state_size());
  bool one_place = true;
  std::vector<double> D(formula.state_size());
  noise.assign(formula.state_size(), 0);
  for (size_t i = 0, k = n; i < n; ++i) {
    state[i] = point.x[i].centre / variables[i].length();
    one_place = one_place && is_one_place(point.x[i]);
    const double white_D = white_noise_on(plan.model, point.values, i);
    if (!variables[i].inertial) {
      D[i] = white_D / (variables[i].length() * variables[i].length());
      noise[i] = white_D;
      continue;
    }
    state[k] = point.v[i].centre;
    one_place = one_place && is_one_place(point.v[i]);
    noise[k] = D[k] = white_D / (variables[i].mass * variables[i].mass);
    ++k;
  }
  const std::vector<double> inputs = formula.inputs(point.values);
  const auto intensity = [&](const std::vector<double>& from) {
    const double value = formula.at(inputs, from);
    double sum = 0;
    for (size_t i = 0; i < from.size(); ++i) {
      if (D[i] == 0) continue;
      std::vector<double> shifted = from;
      const double step = 1e-4 * std::max(1.0, std::abs(from[i]));
      shifted[i] += step;
      const double slope = (formula.at(inputs, shifted) - value) / step;
      if (std::isfinite(slope)) sum += slope * slope * D[i];
    }
    return sum;
  };
  const double centre = formula.at(inputs, state);
  Room room;
  for (const auto& observable : plan.observables)
    if (observable->variable() >= n)
      for (const double place : observable->needs().levels) room.add(place, centre, one_place);
  room.D = intensity(state);
  room.of_formula = true;
  double least = room.D;
  for (size_t i = 0; i < state.size(); ++i)
    for (const double direction : {-1, 1}) {
      std::vector<double> shifted = state;
      for (double size = 1e-3; D[i] > 0 && size < 1e3; size *= 1.2) {
        shifted[i] = state[i] + direction * size;
        const double value = formula.at(inputs, shifted);
        if (value > room.low && value < room.high) continue;
        const double D_there = intensity(shifted);
        room.D = std::max(room.D, D_there), least = std::min(least, D_there);
        break;
      }
    }
  room.uneven = room.D > 1.05 * least;
  return room;
}

/// The force that presses paths to a wall. One that jumps at the wall itself counts as on the side where paths are.
double force_into(const Plan& plan, const Point& point, size_t variable, const Room& room, double wall) {
  const double outwards = wall == room.reflecting_high ? 1 : -1;
  const double at_wall = force_at(plan, point, variable, wall);
  double scale = std::min(room.reflecting_high - room.reflecting_low, std::abs(wall - point.x[variable].centre));
  if (!(scale > 0) || std::isinf(scale)) scale = point.values.variables[variable].length();
  const double distance = std::max(1e-6 * scale, 1e-12 * std::abs(wall));
  const double beside = force_at(plan, point, variable, wall - outwards * distance);
  const double further = force_at(plan, point, variable, wall - outwards * 2 * distance);
  return outwards * (jumps_at(at_wall, beside, further) ? beside : at_wall);
}

/// The forces on a variable that change with time: drives at some times, evenly spread over any part of the run, and
/// the mean and variance of noises with states or memory.
struct Varying {
  std::vector<double> times, drives;
  double mean = 0, variance = 0;
  bool varies = false;
};
Varying varying_forces(const Plan& plan, const Point& point, size_t variable) {
  constexpr int looks = 256;
  constexpr double golden = 0.6180339887498949;  // no period of a drive is a multiple of it
  const double duration = point.time.steps * point.time.dt;
  Varying varying;
  for (int k = 0; k < looks; ++k) varying.times.push_back(duration * std::fmod(k * golden, 1.0));
  varying.drives.resize(looks);
  for (size_t k = 0; k < plan.model.components().size(); ++k) {
    const Component& component = plan.model.components()[k];
    const double* values = point.values.values[k].data();
    const Plugin& plugin = *component.plugin;
    if (plugin->kind != observed_kind && plugin.depends_on_time()) varying.varies = true;
    if (component.variable != variable || component.modulates) continue;
    const double scale = plugin.time_scale(values);
    if (plugin->kind == BM_DRIVE) {
      const std::vector<bm_numbers> arrays = spans_of(point.values.arrays(k));
      const bool formula = plugin.file().empty();
      for (int i = 0; i < looks; ++i)
        varying.drives[i] += formula ? plugin.force_at(0, varying.times[i], values, arrays.data())
                                     : plugin.force(std::fmod(varying.times[i] / scale, 1.0), values, arrays.data());
      varying.varies = true;
    } else if (plugin->kind == BM_NOISE && plugin.has(BM_EVOLVE | BM_MODULATES) && !plugin.has(BM_SIGMA)) {
      const double variance = plugin.intensity(values).value_or(0) / scale;
      if (!(std::isfinite(variance) && variance > 0)) continue;
      varying.mean += plugin.mean(values).value_or(0), varying.variance += variance;
      varying.varies = true;
    }
  }
  return varying;
}

/// The constant force that would press paths to a wall half of the time with the mean square of one that varies.
double force_at_times(const Plan& plan, const Point& point, size_t variable, const Varying& varying, double wall,
                      double outwards) {
  double squares = 0;
  const double swing = std::sqrt(varying.variance);
  for (size_t i = 0; i < varying.times.size(); ++i) {
    const double force = force_at(plan, point, variable, wall, varying.times[i]) + varying.drives[i] + varying.mean;
    for (const double swung : {force - swing, force + swing}) {
      const double into = std::max(0.0, outwards * swung);
      if (std::isfinite(into)) squares += into * into;
    }
  }
  return std::sqrt(squares / static_cast<double>(varying.times.size()));
}

/// A step must be short against the time in which a force and noise make the density at a wall; with inertia, against
/// the time of a bounce.
void add_reflections(const Plan& plan, const Point& point, size_t variable, const Room& room, Bounds& bounds) {
  const VariableValues& variable_values = point.values.variables[variable];
  std::optional<Varying> varying;
  for (const double wall : {room.reflecting_low, room.reflecting_high}) {
    if (std::isinf(wall)) continue;
    const double D = noise_at(plan, point, variable, wall), nearby = 1e-3 * std::max(1.0, std::abs(wall));
    const double inside = wall == room.reflecting_high ? wall - nearby : wall + nearby;
    const double D_inside = noise_at(plan, point, variable, inside);
    const double slope = (std::sqrt(D_inside) - std::sqrt(D)) / nearby;  // of b sqrt(D)
    if (!variable_values.inertial && D > D_inside / 2)                   // else it vanishes at the wall
      bounds.add(1 / (2 * slope * slope), amplitude_changing, "the time in which noise changes its own amplitude");
    if (!varying) varying = varying_forces(plan, point, variable);
    if (varying->varies && !variable_values.inertial) {
      const double outwards = wall == room.reflecting_high ? 1 : -1;
      const double pressing = force_at_times(plan, point, variable, *varying, wall, outwards);
      if (pressing > 0)
        bounds.add(D / (pressing * pressing), settling_at_times,
                   "D/f^2 at a wall, to which the force f presses at times");
    }
    const double into = force_into(plan, point, variable, room, wall);
    if (!(into > 0)) continue;
    if (variable_values.inertial)
      bounds.add(std::sqrt(variable_values.mass * D / variable_values.gamma) / into, bouncing,
                 "the time of a bounce at a wall");
    else
      bounds.add(D / (into * into), settling, "D/f^2 at a wall, to which the force f presses");
  }
}

/// The time in which noise takes a path from its start to the nearest end. With inertia the mean square of what noise
/// adds to a displacement is 2D t^3/3m^2.
double time_to_end(const VariableValues& values, const Room& room) {
  if (!(room.D > 0)) return infinity;
  const double square = room.from_start * room.from_start / (2 * room.D);
  return values.inertial ? std::cbrt(3 * square * values.mass * values.mass) : square;
}

/// A step must be short against the time in which noise crosses the space between two walls or levels, or takes a path
/// from its start to one.
void add_ends(const Point& point, const Room& room, double drift, Bounds& bounds) {
  if (!(room.D > 0)) return;
  const auto diffuse = [&](double distance) { return distance * distance / (2 * room.D); };
  const bool reflects = room.low == room.reflecting_low || room.high == room.reflecting_high;
  bounds.add(diffuse(room.high - room.low), room.uneven && reflects ? between_amplitudes : between_walls,
             "the time to diffuse from one wall, or level, to the other");
  if (std::isinf(room.from_start) || room.from_start == 0) return;
  const double farthest = std::min(room.high - room.low, std::sqrt(2 * room.D * point.time.steps * point.time.dt));
  bounds.add(diffuse(std::max(room.from_start, nearest_end * farthest)),
             room.of_formula && room.uneven ? to_curved_end : to_end,
             "the time to diffuse from the start to the nearest end");
  bounds.add(room.from_start / drift, drifting, "the time to drift from the start to the nearest end");
}

/// A path must be followed over the distance that an observable waits for.
void add_threshold(const Observable& observable, double D, Bounds& bounds) {
  bounds.add(std::pow(observable.needs().distance, 2) / (2 * D), following,
             "the time to diffuse over the threshold of turning points");
}

/// A path must be followed over narrow structure of a formula, where a level may lie.
void add_structure(const Plan& plan, const Point& point, const StateFormula& formula, const SystemScales& scales,
                   const Room& room, std::span<const double> noise, Bounds& bounds) {
  if (formula.linear()) return;
  double distance = std::min(room.high - room.low, room.from_centre);
  for (const auto& observable : plan.observables)
    if (const double threshold = observable->needs().distance; threshold > 0) distance = std::min(distance, threshold);
  const SeenStructure found =
      structure_of(formula, plan.model, point.values, scales, noise, room.D, {room.low, room.high});
  bounds.add(distance * distance / (2 * found.D), to_curved_end,
             "the time in which noise takes a formula over what is narrow of it");
}

/// A path must be followed to the nearest end under Levy noise, too: it is not known how often it goes beyond a level
/// within a step and comes back.
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

struct NearbyJump {
  double distance;
  double part;  ///< the average size of the formula over that of the jump
};
/// The nearest jump of each observed formula that has one, along a variable from a state. spread: the length over which
/// paths lie about the place between events, in a density of exp(-distance/spread).
std::vector<NearbyJump> jumps_near(const StateFunctions& observed, const double* values, std::vector<double> x,
                                   const std::vector<double>& v, size_t variable, double spread) {
  constexpr double nearest = 3e-4, farthest = 3, ratio = 1.05;  // of the spread
  constexpr double least_jump = 0.25;                           // part of the range of values
  const double from = x[variable];
  struct Look {
    double distance;
    std::vector<double> f;
  };
  const auto look = [&](double direction, double distance) {
    x[variable] = from + direction * distance * spread;
    std::vector<double> f(observed.count());
    observed.add_forces(x.data(), v.data(), 0, values, nullptr, f.data());
    return Look{distance, std::move(f)};
  };
  std::vector<std::vector<Look>> sides(2);
  for (size_t side = 0; side < 2; ++side) {
    const double direction = side == 0 ? -1 : 1;
    sides[side].push_back(look(direction, 0));
    for (double distance = nearest; distance < farthest; distance *= ratio)
      sides[side].push_back(look(direction, distance));
  }
  std::vector<NearbyJump> jumps;
  for (size_t k = 0; k < observed.count(); ++k) {
    double least = infinity, most = -infinity, size = 0;
    for (const auto& looks : sides)
      for (size_t i = 0; i < looks.size(); ++i) {
        const double until = i + 1 < looks.size() ? std::exp(-looks[i + 1].distance) : 0;
        size += (std::exp(-looks[i].distance) - until) / 2 * std::abs(looks[i].f[k]);
        least = std::min(least, looks[i].f[k]), most = std::max(most, looks[i].f[k]);
      }
    NearbyJump jump{infinity, 0};
    for (const auto& looks : sides)
      for (size_t i = 1; i < looks.size(); ++i) {
        const double change = std::abs(looks[i].f[k] - looks[i - 1].f[k]);
        if (!(change > least_jump * (most - least))) continue;
        if (looks[i].distance * spread < jump.distance) jump = {looks[i].distance * spread, size / change};
        break;
      }
    if (std::isfinite(jump.distance)) jumps.push_back(jump);
  }
  return jumps;
}

}  // namespace

double noise_at(const Plan& plan, const Point& point, size_t variable, double place) {
  if (!plan.model.has_amplitude()) return white_noise_on(plan.model, point.values, variable);
  std::vector<double> x;
  for (size_t i = 0; i < point.values.variables.size(); ++i) x.push_back(i == variable ? place : point.x[i].centre);
  return noise_at(plan, point, variable, x, std::vector<double>(x.size()), 0);
}

double noise_at(const Plan& plan, const Point& point, size_t variable, const std::vector<double>& x,
                const std::vector<double>& velocities, double t) {
  std::vector<double> v = velocities;
  v.resize(v.size() + most_fields);
  double D = white_noise_on(plan.model, point.values, variable);
  for_each_amplitude(plan, point, x, v, t, [&](double intensity, const std::vector<double>& b) {
    if (std::isfinite(b[variable])) D += intensity * b[variable] * b[variable];
  });
  return D;
}

double force_at(const Plan& plan, const Point& point, size_t variable, double place, double t) {
  const std::vector<VariableValues>& variables = point.values.variables;
  std::vector<double> x, v, f(variables.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    x.push_back(i == variable ? place : point.x[i].centre);
    if (variables[i].inertial) v.push_back(point.v[i].centre);
  }
  v.resize(v.size() + most_fields);
  add_forces(plan.model, point.values, x.data(), v.data(), t, f.data());
  return f[variable] + variables[variable].force;
}

bool jumps_at(double force, double beside, double further) {
  const double change = std::abs(force - beside);
  return std::isfinite(change) && change > 100 * std::abs(beside - further) &&
         change > 1e-3 * std::max(std::abs(force), std::abs(beside));
}

bool sees_turns(const Plan& plan) {
  const auto at_level = [](const auto& observable) { return observable->needs().looks == Looks::at_levels; };
  const auto at_zero = [](const Component* event) {
    return event->plugin->state_functions()->event()->trigger == EventShape::zero;
  };
  return plan.model.absorbing() != nullptr || std::ranges::any_of(plan.observables, at_level) ||
         std::ranges::any_of(plan.model.events(), at_zero);
}

SeenStructure seen_structure(const Plan& plan, const Point& point, const SystemScales& scales) {
  const StateFormula* formula = seen_formula(plan);
  if (formula == nullptr || formula->linear()) return {};
  std::vector<double> noise;
  const Room room = room_of_formula(plan, point, *formula, noise);
  return structure_of(*formula, plan.model, point.values, scales, noise, room.D, {room.low, room.high});
}

double time_to_end(const Plan& plan, const Point& point, size_t variable) {
  return time_to_end(point.values.variables[variable], room_of(plan, point, variable));
}

bool comes_before_end(const Plan& plan, const Point& point, size_t variable, double place) {
  const auto has_levels = [](const auto& observable) { return !observable->needs().levels.empty(); };
  if (plan.model.absorbing() == nullptr && std::ranges::none_of(plan.observables, has_levels)) return false;
  const StartLaw& x = point.x[variable];
  const double reach = x.width / 2 + 3 * x.deviation, low = x.centre - reach, high = x.centre + reach;
  if (point.values.variables[variable].period > 0 || (low <= place && place <= high)) return true;
  const auto is_between = [&](double end) {
    return place < low ? place <= end && end < low : high < end && end <= place;
  };
  if (const Component* component = plan.model.absorbing(); component != nullptr && component->variable == variable) {
    const Walls walls(plan.model, point.values, *component);
    if (is_between(walls.low) || is_between(walls.high)) return false;
  }
  return std::ranges::none_of(plan.observables, [&](const auto& observable) {
    const Needs needs = observable->needs();
    return observable->variable() == variable && std::ranges::any_of(needs.levels, is_between);
  });
}

void add_places(const Plan& plan, const Point& point, const SystemScales* scales, Bounds& bounds) {
  for (const auto& observable : plan.observables)
    bounds.add(observable->needs().first_time, beginning, "the first time that was asked for");
  for (size_t i = 0; i < point.values.variables.size(); ++i) {
    const Room room = room_of(plan, point, i);
    const VariableValues& values = point.values.variables[i];
    add_jumps(plan, point, i, room, bounds);
    for (const auto& observable : plan.observables)
      if (observable->variable() == i && room.D > 0 && !values.inertial) add_threshold(*observable, room.D, bounds);
    if (room.D > 0) add_reflections(plan, point, i, room, bounds);
    if (!values.inertial) add_ends(point, room, plan.model.is_free() ? std::abs(values.constant_force) : 0, bounds);
    if (!values.inertial || !(room.D > 0) || !sees_turns(plan)) continue;
    bounds.add(values.mass / values.gamma, turning_back, "m/gamma, in which a path turns and meets a level twice");
    if (room.from_start > 0 && is_one_place(point.v[i])) {
      const double farthest = std::min(values.mass / values.gamma, point.time.steps * point.time.dt);
      bounds.add(std::max(time_to_end(values, room), nearest_end * farthest), starting,
                 "the time in which noise takes a path from its start to the nearest end");
    }
  }
  const StateFormula* formula = seen_formula(plan);
  if (formula == nullptr) return;
  std::vector<double> noise;
  const Room room = room_of_formula(plan, point, *formula, noise);
  add_ends(point, room, 0, bounds);
  if (scales != nullptr) add_structure(plan, point, *formula, *scales, room, noise, bounds);
  for (const auto& observable : plan.observables)  // a run looks at one formula alone
    if (room.D > 0 && observable->variable() >= point.values.variables.size())
      add_threshold(*observable, room.D, bounds);
}

void add_set_places(const Plan& plan, const Point& point, double rate, double of_zeros, Bounds& bounds) {
  const Component* observed = plan.model.observed();
  if (observed == nullptr || !observed->plugin->state_functions()->jumps()) return;
  const std::vector<VariableValues>& variables = point.values.variables;
  std::vector<double> x, v;
  for (size_t i = 0; i < variables.size(); ++i) {
    x.push_back(point.x[i].centre);
    if (variables[i].inertial) v.push_back(point.v[i].centre);
  }
  x.resize(x.size() + most_numbers), v.resize(v.size() + most_fields);
  for (const Component* event : plan.model.events()) {
    const EventFunctions functions(plan.model, point.values, *event);
    const EventShape& shape = functions.shape();
    const double often = shape.trigger == EventShape::zero ? of_zeros : rate;
    if (!shape.numbers.empty() || !(often > 0 && std::isfinite(often))) continue;
    std::vector<double> elsewhere = x;
    for (size_t i = 0; i < variables.size(); ++i) elsewhere[i] += 0.1 + 0.01 * static_cast<double>(i);
    const std::vector<double> set = functions.values(x.data(), v.data(), 0, {}),
                              set_there = functions.values(elsewhere.data(), v.data(), 0, {});
    std::vector<double> after = x;
    for (size_t k = 0; k < shape.targets.size(); ++k)
      if (!shape.targets[k].velocity) after[shape.targets[k].variable] = set[k];
    for (size_t k = 0; k < shape.targets.size(); ++k) {
      const size_t i = shape.targets[k].variable;
      if (shape.targets[k].velocity || variables[i].inertial || set[k] != set_there[k]) continue;
      const double D = noise_at(plan, point, i, set[k]);
      if (!(D > 0 && std::isfinite(D))) continue;
      const double* values = point.values.values[plan.model.index_of(*observed)].data();
      for (const NearbyJump& jump :
           jumps_near(*observed->plugin->state_functions(), values, after, v, i, std::sqrt(D / often))) {
        const double diffusing = std::pow(jump.distance, 2) / D;
        bounds.add(std::max(jump.part / often, diffused * diffusing / leaving.smooth.good), leaving,
                   "the part of paths that a formula with jumps sees where an event sets them, over its rate");
      }
    }
  }
}

}  // namespace bmsim
