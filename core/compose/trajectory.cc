#include "compose/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "compose/components.h"
#include "compose/texts.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

using Fields = std::vector<TrajectoryField>;
constexpr FieldType real = FieldType::real, number = FieldType::number, word = FieldType::word, byte = FieldType::byte;

TrajectoryField scalar(FieldType type, const char* name, const char* meaning, bool has = true) {
  return {type, name, meaning, has ? size_t{1} : 0};
}
TrajectoryField array(FieldType type, const char* name, const char* meaning, size_t count) {
  return {type, name, meaning, count, true};
}

/// Whether a coarse run keeps gathered steps between launches, as it does with clocks of its own (kernels/coarse.h).
bool keeps_gathered(const Counts& n, const KernelOptions& options) { return options.coarse && n.events > 0; }

/// Fields that sticky walls need for every path; none in models without sticky walls.
Fields held_fields(const Counts& n) {
  const auto variables = static_cast<size_t>(std::popcount(n.sticky));
  if (variables == 0) return {};
  return {array(real, "debt", "steps that it is still held at a sticky wall, or, near 0, what these lack", variables),
          array(real, "beyond", "x / L where it goes on then", variables)};
}

/// Numbers that are seldom used (apart() in kernels/state.h).
Fields kept_apart(const KernelOptions& options, const Counts& n) {
  Fields fields = {
      array(number, "window_middle", "x / L near the middle of the window", options.halves ? n.variables : 0),
      scalar(number, "middle_time", "when that was, in steps; 0 before it", options.halves)};
  for (const Counter& counter : options.counters)
    for (TrajectoryField field : counter.apart) {
      field.name = counter.name + "_" + field.name;
      fields.push_back(field);
    }
  return fields;
}

/// Fields kept between launches, after those of kept_apart() and around the states of counters, which are structs of
/// their own. They are sorted by size, so that there is no padding.
Fields kept_before_counters(const KernelOptions& options, const Counts& n) {
  const bool countdowns = has_countdowns(n, options);
  return {
      array(number, "periods", "whole periods that folding has taken off: x / L = position + periods", n.variables),
      array(number, "window_start",
            "x / L when the transient ended; of a diverged trajectory the step at which that was seen", n.variables),
      scalar(number, "lag",
             "iterations done minus steps made; with methods exact, walk and adaptive minus the steps made",
             countdowns || options.method == Method::walk),
      array(number, "hazard_left", "what the integrals of the events' rates must still reach", n.hazards),
      array(number, "squares", "sum of v^2 over the steps of the window", options.squares ? n.velocities : 0),
      scalar(number, "push",
             "x / L gained in the window by all but V; of a walk minus what V gave, on average over the noise",
             sums_push(options))};
}
Fields kept_after_counters(const Model& model, const KernelOptions& options, const Counts& n) {
  const bool countdowns = has_countdowns(n, options);
  const size_t events = countdowns ? std::max<size_t>(n.events, 1) : 0;
  const bool gathered = keeps_gathered(n, options), walks = options.method == Method::walk;
  Fields fields = {array(real, "position", "x / L, folded into [-1/2, 1/2] where the model is periodic", n.variables),
                   array(real, "velocity", "", n.velocities),
                   scalar(real, "walk_at", "1 + mode + 4 times the piece (walk_clock.h); 0 at the start", walks),
                   scalar(real, "walk_along", "place on the piece, or length that it lands in", walks),
                   scalar(real, "next", "steps until the next event, mark, or end of transient or run", countdowns),
                   scalar(real, "waited", "value of `next` when it was last set", countdowns),
                   array(real, "due", "steps from the last setting of `next` to the next event of each noise", events),
                   array(word, "used", "unit exponentials drawn so far for each noise", events),
                   array(word, "hazard_count", "how often the same events have happened", n.hazards),
                   array(real, "crossing", "on which sides of the zeros of events it is", n.crossings),
                   array(word, "crossing_count", "how often the same events have happened", n.crossings),
                   scalar(real, "gathered_steps", "fine steps since the last coarse one", gathered),
                   array(real, "gathered", "sums of increments since the last coarse step", gathered ? n.variables : 0),
                   array(real, "gathered_source", "the same for white noise that amplitudes multiply",
                         gathered && n.multiplied > 0 ? n.sources : 0),
                   array(real, "gathered_impulse", "the same for increments with a law of their own",
                         gathered && gathers_impulses(model, n, options) ? n.variables : 0),
                   array(real, "gathered_evolving", "present states of coloured noises", gathered ? n.evolving : 0),
                   array(real, "gathered_average", "integrals of coloured noises since the last coarse step",
                         gathered ? n.averages : 0),
                   array(real, "state", "states of noises with events", n.states),
                   array(real, "evolving", "states of coloured noises", n.evolving),
                   array(real, "field", "mean fields", n.fields),
                   array(real, "field_before", "the same a step ago", n.fields),
                   scalar(word, "mark", "marks passed so far", options.marks),
                   scalar(byte, "stage", "TRANSIENT, MEASURED, DONE, or DIVERGED")};
  const Fields held = held_fields(n);
  fields.insert(fields.begin(), held.begin(), held.end());
  return fields;
}

const char* word_of(FieldType type) {
  return type == real ? "real" : type == number ? "double" : type == word ? "uint32_t" : "uint8_t";
}

std::string declaration(const TrajectoryField& field, const std::string& type) {
  const std::string comment = field.meaning.empty() ? "" : "  // " + field.meaning;
  if (field.count == 0) return fmt::format("  static constexpr Absent {} = {{}};\n", field.name);
  return fmt::format("  {} {}{};{}\n", type, field.name, field.array ? fmt::format("[{}]", field.count) : "", comment);
}

/// Constants: the place of every field among those kept apart, AT_RESIDENCE_SINCE, and their number, APART.
std::string apart_text(const Fields& fields) {
  std::string text = "enum : int {";
  size_t count = 0;
  for (const TrajectoryField& field : fields) {
    std::string name = field.name;
    std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c); });
    text += fmt::format(" AT_{} = {},", name, count);
    count += field.count;
  }
  return text + fmt::format(" APART = {} }};\n", count);
}

std::string kept_text(const Fields& fields) {
  std::string text;
  for (const TrajectoryField& field : fields) text += declaration(field, fmt::format("Slot<{}>", word_of(field.type)));
  return text;
}

/// Calls f(field, "name") for every existing member, with "name[i]" for the elements of arrays.
template <class F> void each_place(const Fields& fields, F f) {
  for (const TrajectoryField& field : fields)
    for (size_t i = 0; i < field.count; ++i) f(field, field.array ? fmt::format("{}[{}]", field.name, i) : field.name);
}

/// Text of a struct of values for any number of lanes, and of each_member(a, b, f): f(a.m, b.m) for every member m.
std::string members_text(const char* name, const Fields& fields) {
  std::string members, calls;
  for (const TrajectoryField& field : fields) members += declaration(field, "X");
  each_place(fields,
             [&](const TrajectoryField&, const std::string& at) { calls += fmt::format("  f(a.{0}, b.{0});\n", at); });
  return fmt::format(
      "template <class X> struct {0} {{\n{1}}};\n"
      "template <class A, class B, class F> BM_FN void each_member({0}<A>& a, B& b, F f) {{\n{2}"
      "  (void)a, (void)b, (void)f;\n}}\n",
      name, members, calls);
}

/// Members of Motion, each with the field of Trajectories that keeps it; "" for one that every launch begins with 0.
struct MotionFields {
  Fields fields;
  std::vector<std::string> kept;
  void add(const TrajectoryField& field, const std::string& keeper) {
    fields.push_back(field);
    kept.push_back(keeper);
  }
};
MotionFields motion_fields(const KernelOptions& options, const Counts& n) {
  MotionFields motion;
  motion.add(array(real, "u", "x / L", n.variables), "position");
  motion.add(array(real, "v", "", n.velocities), "velocity");
  motion.add(array(real, "squares", "sum of v^2 in this block", options.squares ? n.velocities : 0), "");
  motion.add(array(real, "hazard", "integrals of the rates of events in this block", n.hazards), "");
  motion.add(array(real, "crossing", "on which sides of the zeros of events it is", n.crossings), "crossing");
  for (const Counter& counter : options.counters)
    for (const TrajectoryField& field : counter.motion) {
      const bool keeps = std::ranges::any_of(counter.state, [&](const TrajectoryField& state) {
        return state.name == field.name && state.type == field.type;
      });
      motion.add(field, keeps ? counter.name + "." + field.name : "");
    }
  motion.add(array(real, "evolving", "states of coloured noises", n.evolving), "evolving");
  for (const TrajectoryField& field : held_fields(n)) motion.add(field, field.name);
  return motion;
}

std::string motion_text(const MotionFields& motion) {
  std::string load, save;
  for (size_t i = 0; i < motion.fields.size(); ++i)
    each_place({motion.fields[i]}, [&](const TrajectoryField& field, const std::string& at) {
      const std::string keeper = motion.kept[i].empty() ? "" : "s." + motion.kept[i] + at.substr(field.name.size());
      load += fmt::format("  z.{} = {};\n", at, keeper.empty() ? "T((real)0)" : fmt::format("load({})", keeper));
      if (!keeper.empty()) save += fmt::format("  store({}, z.{});\n", keeper, at);
    });
  return members_text("Motion", motion.fields) +
         fmt::format(
             "BM_FN Motion<T> load_motion(Trajectories& s) {{\n  Motion<T> z;\n{}  return z;\n}}\n"
             "BM_FN void save_motion(Trajectories& s, const Motion<T>& z) {{\n{}}}\n",
             load, save);
}

/// Structs of a counter: its state, and the indices of its values; FirstPassageState, FirstPassageValues.
std::string counter_text(const Counter& counter) {
  std::string names;
  for (const std::string& value : counter.values) names += value + ", ";
  return fmt::format("struct {0}State {{\n{1}}};\nstruct {0}Values {{\n  enum : uint32_t {{ {2}count }};\n}};\n",
                     counter.type, kept_text(counter.state), names);
}

}  // namespace

Counts count(const Model& model) {
  Counts n;
  n.variables = model.variables().size();
  for (size_t i = 0; i < n.variables; ++i)
    if (model.variables()[i].inertial) n.inertial |= 1U << i, ++n.velocities;
  bool potential_varies = false;
  for (const Numbered& noise : of_kind(model, BM_NOISE)) {
    const uint32_t states = noise.plugin()->state_count;
    const bool coloured = noise.has(BM_EVOLVE);
    n.events += noise.has(BM_EVENTS) ? 1 : 0;
    (coloured ? n.evolving : n.states) += states;
    n.averages += noise.has(BM_AVERAGE) ? 1 : 0;
    n.own_increments = n.own_increments || noise.has(BM_INCREMENT);
    const Component* amplitude = model.amplitude_of(*noise.component);
    const uint32_t all_variables = (1U << n.variables) - 1;
    const uint32_t acts_on =
        amplitude == nullptr ? 1U << noise.variable() : amplitude->plugin->state_functions()->acts_on() & all_variables;
    if (noise.has(BM_SIGMA)) (amplitude == nullptr ? n.white : n.multiplied) |= acts_on;
    if (noise.has(BM_EVENTS)) n.kicked |= acts_on;
    if (noise.has(BM_EVENTS) && amplitude != nullptr) n.kick_phases += amplitude->plugin->phases_wrap().size();
    n.modulated = n.modulated || !noise.adds();
    if (coloured && noise.adds() && amplitude == nullptr) n.forced |= acts_on;
    if (!noise.has(BM_DRIFT) || coloured || states == 0) continue;
    if (amplitude != nullptr)
      ++n.factors;
    else if (noise.adds())
      n.drift_varies = true;
    else
      potential_varies = true;
  }
  n.factors += potential_varies ? 1 : 0;
  n.multiplied_forces = multiplied_forces(model).size();
  for (const Numbered& drive : of_kind(model, BM_DRIVE))
    if (drive.adds())
      n.forced |= 1U << drive.variable();
    else
      n.modulated = true;
  for (const Numbered& component : numbered(model)) n.phases += component.phases();
  n.sources = static_cast<size_t>(std::popcount(n.white)) + multiplied_noises(model).size();
  for (const uint32_t kind : {uint32_t{BM_POTENTIAL}, amplitude_kind, event_kind})
    for (const Numbered& component : of_kind(model, kind)) n.potential_phases += component.phases();
  n.fields = model.fields().size();
  n.timed_events = timed_events(model).size();
  n.hazards = hazards(model).size();
  n.crossings = crossings(model).size();
  n.events += n.timed_events;
  for (const Numbered& event : of_kind(model, event_kind)) n.kick_phases += event.phases();
  for (const Numbered& functions : of_kind(model, observed_kind))
    n.observed_phases += observed_phases(functions), n.timed += functions.plugin().state_functions()->timed();
  n.step_noises = step_noises(model).size();
  for (const Component* wall : model.walls())
    if (wall->plugin->state_functions()->wall()->holds) n.sticky |= 1U << wall->variable;
  return n;
}

bool has_countdowns(const Counts& n, const KernelOptions& options) {
  return options.method != Method::walk && (n.events > 0 || options.method == Method::adaptive);
}

bool knows_falls(const KernelOptions& options, const Counts& n) {
  const bool works = std::ranges::any_of(options.integrals, [&](const KernelOptions::Integral& integral) {
    return integral.of == KernelOptions::Integral::driving && integral.over < static_cast<int>(n.variables);
  });
  return works && n.phases > 0 && n.events + n.hazards + n.crossings == 0 && !options.random_phases &&
         !options.coarse && !has_countdowns(n, options);
}

bool gathers_impulses(const Model& model, const Counts& n, const KernelOptions& options) {
  return options.coarse && n.own_increments && model.underdamped() && options.method == Method::aboba;
}

std::string trajectory_text(const Model& model, const KernelOptions& options) {
  const Counts n = count(model);
  std::string text, counters;
  for (const Counter& counter : options.counters) {
    text += counter_text(counter);
    if (!counter.state.empty()) counters += fmt::format("  {}State {};\n", counter.type, counter.name);
  }
  const Fields apart = kept_apart(options, n);
  text += apart_text(apart);
  text += "// State of a lane group between launches.\nstruct Trajectories {\n" + kept_text(apart) +
          kept_text(kept_before_counters(options, n)) + counters + kept_text(kept_after_counters(model, options, n)) +
          "};\n";
  text +=
      "// One trajectory, or a group or part of one, on its way: position, velocity, and all that changes from step to "
      "step.\n" +
      motion_text(motion_fields(options, n));
  text +=
      "// What acts from outside at one time, beside white noise: drives, coloured noises, and what multiplies or "
      "moves the potential.\n" +
      members_text(
          "Outside",
          {array(real, "force", "on the variables that have one", static_cast<size_t>(std::popcount(n.forced))),
           array(real, "fall", "force a step ago less that a step from now (outside_table.h)",
                 knows_falls(options, n) ? static_cast<size_t>(std::popcount(n.forced)) : 0),
           scalar(real, "amplitude", "factor of the potential: 1 + modulating noises and drives", n.modulated),
           array(real, "noise", "noises that amplitudes multiply, except white ones", n.multiplied_forces),
           array(real, "phase", "phases of a potential that depends on time", n.potential_phases),
           array(real, "observed", "phases of formulas that observables follow", n.observed_phases),
           array(real, "timed", "what they have of t alone", n.timed)});
  text += "// The numbers that coloured noises and those with increments of their own take at every step.\n" +
          members_text("Numbers", {array(real, "u", "uniform numbers", n.step_noises),
                                   array(real, "e", "unit exponentials", n.step_noises)});
  text +=
      "// What fine steps have gathered since the last coarse one (coarse.h).\n" +
      members_text(
          "Gathered",
          {scalar(real, "length", "fine steps, up to 2"), array(real, "increment", "increments of u or v", n.variables),
           array(real, "source", "increments of white noise that amplitudes multiply",
                 n.multiplied > 0 ? n.sources : 0),
           array(real, "impulse", "increments with a law of their own",
                 gathers_impulses(model, n, options) ? n.variables : 0),
           array(real, "evolving", "present states of coloured noises; those in the motion are of the last coarse step",
                 n.evolving),
           array(real, "average", "integrals of coloured noises", n.averages)});
  return text;
}

size_t trajectory_bytes(const Model& model, const KernelOptions& options) {
  const Counts n = count(model);
  size_t bytes = 0;
  const auto add = [&](const Fields& fields) {
    for (const TrajectoryField& field : fields)
      bytes += field.count * bytes_of(field.type, bytes_of_real(options.precision));
  };
  add(kept_apart(options, n));
  add(kept_before_counters(options, n));
  for (const Counter& counter : options.counters) add(counter.state);
  add(kept_after_counters(model, options, n));
  return bytes;
}

}  // namespace bmsim
