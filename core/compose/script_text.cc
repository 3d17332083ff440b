#include "compose/texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/events.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

const EventShape& shape_of(const Numbered& event) { return *event.plugin().state_functions()->event(); }

/// Member `set`: moves the place of a trajectory after `count` earlier events. e: the unit exponential of the event.
std::string set_text(const Model& model, const ModelValues& values, const Numbered& event, size_t number) {
  const EventShape& shape = shape_of(event);
  const size_t n = model.variables().size();
  // The first number that is not normal is made of the one that comes with the event.
  const size_t given = std::min(shape.numbers.find_first_of("UE"), shape.numbers.size());
  const auto words =
      static_cast<size_t>(std::ranges::count(shape.numbers, 'N') + static_cast<ptrdiff_t>(shape.numbers.size())) -
      (given < shape.numbers.size() ? 1 : 0);
  std::string body = fmt::format("    real u[{}], f[{}] = {{}};\n", n + shape.numbers.size(),
                                 std::max<size_t>(1, shape.targets.size()));
  for (size_t i = 0; i < n; ++i) body += fmt::format("    u[{0}] = place.u[{0}];\n", i);
  if (words > 0) body += fmt::format("    EventNumbers<{}> numbers(launch, component, l, count);\n", words);
  for (size_t i = 0; i < shape.numbers.size(); ++i) {
    const char law = shape.numbers[i];
    body += fmt::format("    u[{}] = {};\n", n + i,
                        i == given   ? law == 'U' ? "exp(-e)" : "e"
                        : law == 'U' ? "numbers.next_uniform()"
                        : law == 'N' ? "numbers.next_normal()"
                                     : "numbers.next_exponential()");
  }
  body += fmt::format("    {}::set(u, place.v, {}, p.c{}, f);\n", event.space(), event.phases_from("phases_at(place)"),
                      event.k);
  size_t velocity[most_variables] = {};
  for (size_t i = 0, next = 0; i < n; ++i) velocity[i] = model.variables()[i].inertial ? next++ : 0;
  for (size_t k = 0; k < shape.targets.size(); ++k) {
    const auto [i, of_velocity] = shape.targets[k];
    if (of_velocity) {
      body += fmt::format("    place.v[{}] = f[{}];\n", velocity[i], k);
      continue;
    }
    body += fmt::format("    place.u[{0}] = f[{1}] * p.variable[{0}].per_length;\n", i, k);
    const bool folded = values.variables[i].folds_with != VariableValues::unfolded;
    if (folded && !(values.keeps_periods[number] >> i & 1))
      body += fmt::format(
          "    s.periods[{0}][l] = (double)rint(place.u[{0}]);\n    place.u[{0}] -= (real)s.periods[{0}][l];\n", i);
  }
  return fmt::format(
      "  static BM_FN_MEMBER void set(Place& place, Trajectories& s, int l, const Launch& launch, const Parameters& p, "
      "uint32_t count, real e) {{\n{}    (void)s, (void)l, (void)launch, (void)count, (void)e;\n  }}\n",
      body);
}

std::string waiting_text(const Model& model, const Numbered& event) {
  const size_t n = model.variables().size();
  return fmt::format(
      "  struct State {{}};\n"
      "  static constexpr bool SETS = true;\n"
      "  static BM_FN_MEMBER State load(Trajectories&, int) {{ return {{}}; }}\n"
      "  static BM_FN_MEMBER void save(Trajectories&, int, State) {{}}\n"
      "  static BM_FN_MEMBER real event(State&, const Parameters&, real) {{ return 0; }}\n"
      "  static BM_FN_MEMBER void add_jump(real (&)[{0}], real, const Place&, const Parameters&) {{}}\n"
      "  static BM_FN_MEMBER real waiting(State&, const Parameters& p, [[maybe_unused]] real e) {{\n"
      "    const real u[{0}] = {{}}, v[VELOCITIES > 0 ? VELOCITIES : 1] = {{}};\n    real f[1] = {{}};\n"
      "    {1}::forces(u, v, (const real*)0, p.c{2}, f);\n    return {3};\n  }}\n",
      n, event.space(), event.k, shape_of(event).trigger == EventShape::interval ? "f[0]" : "e / f[0]");
}

/// What kernels/crossings.h must know of an event at zeros. crossing: its number among such events.
std::string crossing_text(const Model& model, const Numbered& event, size_t crossing) {
  const EventShape& shape = shape_of(event);
  return fmt::format(
      "  static constexpr int crossing = {};\n  static constexpr uint32_t directions = {};  // UP: 1, DOWN: 2\n"
      "  static constexpr bool diffuses = {}, at_ends = {};\n",
      crossing, (shape.up ? 1 : 0) + (shape.down ? 2 : 0), white_noise_moves(model, shape),
      comes_at_ends(model, shape));
}

/// Function `name`, which computes the triggers of events, and `each_name`, which calls f(event, number) for each.
std::string triggers_text(const Model& model, const std::vector<Numbered>& events, const char* name,
                          const char* each_name) {
  if (events.empty()) return "";
  std::string values, calls;
  for (size_t k = 0; k < events.size(); ++k) {
    values += fmt::format(
        "  {{\n    X f[1] = {{X((real)0)}};\n    {}::forces(u, v, {}, p.c{}, f);\n    trigger[{}] = {};\n  }}\n",
        events[k].space(), events[k].phases_from("phase"), events[k].k, k,
        shape_of(events[k]).trigger == EventShape::interval ? "X((real)1) / f[0]" : "f[0]");
    calls += fmt::format("  f({}(), {});\n", event_type(events[k]), k);
  }
  return fmt::format(
      "template <class X, class V, class H>\n"
      "BM_FN void {}(const X (&u)[{}], const V& v, const H* phase, const Parameters& p, X (&trigger)[{}]) {{\n"
      "{}  (void)u, (void)v, (void)phase, (void)p;\n}}\n"
      "template <class F> BM_FN void {}(F f) {{\n{}}}\n",
      name, model.variables().size(), events.size(), values, each_name, calls);
}

/// Whether clocks count down to events and stop at them. Paths of a system with mean fields share a clock, which no
/// event stops: there, intervals are treated as rates.
bool is_timed(const Model& model, EventShape::Trigger trigger) {
  return model.fields().empty() && (trigger == EventShape::constant_rate || trigger == EventShape::interval);
}

/// The events whose trigger meets a condition.
template <class Condition> std::vector<Numbered> events_where(const Model& model, Condition condition) {
  return of_kind(model, event_kind, [&](const Numbered& event) { return condition(shape_of(event).trigger); });
}

const WallShape& wall_shape(const Numbered& wall) { return *wall.plugin().state_functions()->wall(); }

/// Walls that reflect or hold paths.
std::vector<Numbered> reflecting_walls(const Model& model) {
  return of_kind(model, wall_kind, [](const Numbered& wall) { return !wall_shape(wall).absorbs; });
}

/// Mask of the variables with a wall that reflects, or holds, on this side.
uint32_t walled_on(const Model& model, bool WallShape::*side) {
  uint32_t mask = 0;
  for (const Numbered& wall : reflecting_walls(model))
    if (wall_shape(wall).*side) mask |= 1U << wall.variable();
  return mask;
}
/// Text of the place of a wall, or of the adsorption length, in lengths of the variable.
std::string place_of(const Numbered& wall, size_t function) {
  return fmt::format("at{}[{}] * p.variable[{}].per_length", wall.k, function, wall.variable());
}

/// Statements that compute what place_of reads.
std::string wall_places(const std::vector<Numbered>& walls) {
  std::string text;
  for (const Numbered& wall : walls)
    text += fmt::format("  real at{0}[{1}] = {{}};\n  {2}::forces(none, none, (const real*)0, p.c{0}, at{0});\n",
                        wall.k, wall_shape(wall).holds ? 3 : 2, wall.space());
  return text;
}

/// Text of a function of parameters p and of the f that it calls. Both are unused where there is no wall.
std::string function(const char* name, const std::string& body) {
  return fmt::format(
      "template <class F> BM_FN void {}([[maybe_unused]] const Parameters& p, [[maybe_unused]] F f) {{\n"
      "  [[maybe_unused]] const real none[VARIABLES] = {{}};\n{}}}\n",
      name, body);
}

std::string sticky_walls_text(const Model& model) {
  const std::vector<Numbered> walls = reflecting_walls(model);
  std::string body = wall_places(walls);
  for (const Numbered& wall : walls) {
    const WallShape& shape = wall_shape(wall);
    for (const size_t side : {0, 1}) {
      if (!shape.holds || !(side == 0 ? shape.low : shape.high)) continue;
      std::string opposite = side == 0 ? "(real)1e30" : "(real)-1e30";
      for (const Numbered& other : walls)
        if (other.variable() == wall.variable() && (side == 0 ? wall_shape(other).high : wall_shape(other).low))
          opposite = place_of(other, 1 - side);
      body += fmt::format("  f({}, {}, {}, {}, {});\n", wall.variable(), side == 0 ? "false" : "true",
                          place_of(wall, side), place_of(wall, 2), opposite);
    }
  }
  return function("each_sticky_wall", body);
}

}  // namespace

std::string event_type(const Numbered& event) { return fmt::format("Event{}", event.k); }

std::vector<Numbered> timed_events(const Model& model) {
  return events_where(model, [&](EventShape::Trigger trigger) { return is_timed(model, trigger); });
}
std::vector<Numbered> hazards(const Model& model) {
  return events_where(
      model, [&](EventShape::Trigger trigger) { return trigger != EventShape::zero && !is_timed(model, trigger); });
}
std::vector<Numbered> crossings(const Model& model) {
  return events_where(model, [](EventShape::Trigger trigger) { return trigger == EventShape::zero; });
}

std::string events_text(const Model& model, const ModelValues& values) {
  std::string text;
  size_t number = 0, crossing = 0;
  for (const Numbered& event : of_kind(model, event_kind)) {
    const EventShape::Trigger trigger = shape_of(event).trigger;
    text += fmt::format(
        "struct {} {{\n  static constexpr uint32_t component = {};\n  static constexpr int number = {};\n"
        "  static constexpr bool regular = {};  // at equal intervals\n",
        event_type(event), event.k, number, trigger == EventShape::interval);
    if (trigger == EventShape::zero)
      text += crossing_text(model, event, crossing++);
    else if (is_timed(model, trigger))
      text += waiting_text(model, event);
    text += set_text(model, values, event, number++) + "};\n";
  }
  if (crossing > 0)
    text += fmt::format("constexpr bool DIVIDES_STEPS = {};  // whether some event at zeros comes within a step\n",
                        std::ranges::any_of(crossings(model), [&](const Numbered& event) {
                          return !comes_at_ends(model, shape_of(event));
                        }));
  return text + triggers_text(model, hazards(model), "event_rates", "each_hazard") +
         triggers_text(model, crossings(model), "crossing_values", "each_crossing");
}

uint32_t walled(const Model& model) { return walled_on(model, &WallShape::low) | walled_on(model, &WallShape::high); }
uint32_t between_walls(const Model& model) {
  return walled_on(model, &WallShape::low) & walled_on(model, &WallShape::high);
}

std::string walls_text(const Model& model) {
  const std::vector<Numbered> walls = reflecting_walls(model);
  std::string body = wall_places(walls);
  for (const int side : {0, 1})  // lower walls first
    for (const Numbered& wall : walls)
      if (side == 0 ? wall_shape(wall).low : wall_shape(wall).high)
        body += fmt::format("  f({}, {}, {});\n", wall.variable(), side == 0 ? "false" : "true", place_of(wall, side));
  return function("each_wall", body) + sticky_walls_text(model);
}

}  // namespace bmsim
