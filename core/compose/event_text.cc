#include "compose/event_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/events.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

const EventShape& shape_of(const Numbered& event) { return *event.plugin().state_functions()->event(); }

/// Member `set`: moves the place of a trajectory for which the event has happened `count` times before. e: a unit
/// exponential number that comes with the event.
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

/// Function `name`, which computes the triggers of these events, and function `each_name`, which calls f(event, number)
/// for each of them.
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

}  // namespace bmsim
