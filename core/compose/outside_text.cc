#include "compose/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "compose/trajectory.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// The member of Outside that a noise or a drive adds to: the force on its variable, the factor of the potential, or a
/// noise that amplitudes multiply. forced: mask of the variables with a force.
std::string member(const Model& model, const Numbered& component, uint32_t forced) {
  if (!component.adds()) return "amplitude";
  if (model.amplitude_of(*component.component) != nullptr) {
    const std::vector<Numbered> multiplied = multiplied_forces(model);
    const auto found = std::ranges::find(multiplied, component.k, &Numbered::k);
    return fmt::format("noise[{}]", found - multiplied.begin());
  }
  return fmt::format("force[{}]", std::popcount(forced & ((1U << component.variable()) - 1)));
}

/// Text that loads the states of a coloured noise from y, from index `first` on, and text that saves them there.
struct States {
  std::string loads, saves;
  States(const Numbered& noise, size_t first) {
    for (uint32_t i = 0; i < noise.plugin()->state_count; ++i) {
      loads += fmt::format("{}y[{}]", i == 0 ? "" : ", ", first + i);
      saves += fmt::format("    y[{}] = s.{};\n", first + i, noise.plugin()->states[i]);
    }
  }
};

std::string constant_drift(const Numbered& noise) {
  return fmt::format("{0}::drift<real>({0}::State<real>{{}}, p.c{1})", noise.space(), noise.k);
}

/// Whether a noise has a force that nothing but events changes.
bool has_event_force(const Numbered& noise) { return noise.has(BM_DRIFT) && !noise.has(BM_EVOLVE); }

}  // namespace

bool drift_is_outside(const Model& model) {
  bool forced = false;
  for (const Numbered& component : numbered(model)) {
    if (!component.adds() || model.amplitude_of(*component.component) != nullptr) continue;
    const bool changes = component.plugin()->kind == BM_DRIVE || component.has(BM_EVOLVE);
    if (component.has(BM_DRIFT) && !changes && component.plugin()->state_count > 0) return false;
    forced = forced || changes;
  }
  return !model.is_system() && model.underdamped() && forced;
}

std::string outside_text(const Model& model) {
  const uint32_t forced = count(model).forced;
  std::map<std::string, std::string> sums;  // by member: "force[0]", "amplitude"
  for (int i = 0; i < std::popcount(forced); ++i) sums[fmt::format("force[{}]", i)] = "";
  sums["amplitude"] = "(real)1";
  if (drift_is_outside(model)) {
    std::string& force = sums["force[0]"];
    force = "p.variable[0].force";
    for (const Numbered& noise : of_kind(model, BM_NOISE))
      if (is_constant_force(model, noise)) force += " + " + constant_drift(noise);
  }
  for (const Numbered& drive : of_kind(model, BM_DRIVE)) {
    std::string& sum = sums[member(model, drive, forced)];
    sum += fmt::format("{}{}::force<X>({}{}, p.c{})", sum.empty() ? "" : " + ", drive.space(),
                       drive.plugin().reads_phases() ? fmt::format("phase + {}", drive.first_phase)
                                                     : fmt::format("phase[{}]", drive.first_phase),
                       drive.has(BM_EDGES) ? fmt::format(", step_width(p, {})", drive.first_phase) : "", drive.k);
  }
  std::string text;
  size_t n = 0;
  for (const Numbered& noise : multiplied_forces(model)) {
    const bool constant = !noise.has(BM_EVOLVE) && noise.plugin()->state_count == 0;
    text += fmt::format("  outside.noise[{}] = X({});\n", n++, constant ? constant_drift(noise) : "(real)0");
  }
  for (const auto& [name, sum] : sums)
    text += fmt::format("  if constexpr ({}) outside.{} = X({});\n", name == "amplitude" ? "BM_MODULATED" : "BM_FORCED",
                        name, sum.empty() ? "(real)0" : sum);
  text += "  if constexpr (BM_FALLS > 0) BM_UNROLL for (int i = 0; i < BM_FALLS; i++) outside.fall[i] = X((real)0);\n";
  for (size_t i = 0; i < count(model).potential_phases; ++i)
    text += fmt::format("  outside.phase[{0}] = phase[{0}];\n", i);
  for (const Numbered& functions : of_kind(model, observed_kind)) {
    for (size_t i = 0; i < observed_phases(functions); ++i)
      text += fmt::format("  outside.observed[{}] = phase[{}];\n", i, functions.first_phase + i);
    if (functions.plugin().state_functions()->timed() > 0)
      text += fmt::format("  {}::timed(phase + {}, p.c{}, outside.timed);\n", functions.space(), functions.first_phase,
                          functions.k);
  }
  return fmt::format(
      "template <class X> BM_FN Outside<X> outside_at(const X* phase, const Parameters& p) {{\n  Outside<X> outside;\n"
      "{}  (void)phase, (void)p;\n  return outside;\n}}\n",
      text);
}

std::string step_text(const Model& model) {
  const std::vector<Numbered> noises = step_noises(model);
  if (noises.empty()) return "";
  std::string components, add, present, evolve, add_averages, increments;
  const uint32_t forced = count(model).forced;
  size_t state = 0, average = 0;
  for (size_t n = 0; n < noises.size(); ++n) {
    const Numbered& noise = noises[n];
    components += fmt::format("{}{}u", n == 0 ? "" : ", ", noise.k);
    if (noise.has(BM_INCREMENT))
      increments +=
          fmt::format("  {3}sum = sum + {0}::increment<X>(p.c{1}, h, numbers.u[{2}], numbers.e[{2}]);\n", noise.space(),
                      noise.k, n, model.is_system() ? fmt::format("if (variable == {}) ", noise.variable()) : "");
    if (!noise.has(BM_EVOLVE)) continue;
    const States states(noise, state);
    state += noise.plugin()->state_count;
    const std::string force =
        fmt::format("  outside.{0} = outside.{0} + {1}::drift<X>({1}::State<X>{{{2}}}, p.c{3});\n",
                    member(model, noise, forced), noise.space(), states.loads, noise.k);
    if (noise.has(BM_DRIFT)) present += force;
    std::string keep;
    if (noise.has(BM_AVERAGE)) {
      keep = fmt::format("average[{}] = ", average);
      add_averages +=
          fmt::format("  outside.{0} = outside.{0} + average[{1}];\n", member(model, noise, forced), average++);
    } else {
      add += force;
    }
    evolve += fmt::format(
        "  {{ {0}::State<X> s{{{1}}};\n    {5}{0}::evolve<X>(s, p.c{2}, h, numbers.u[{3}], numbers.e[{3}]);\n{4}  }}\n",
        noise.space(), states.loads, noise.k, n, states.saves, keep);
  }
  return fmt::format(
      "BM_FN uint32_t step_component(int n) {{ const uint32_t all[] = {{{}}}; return all[n]; }}\n"
      "template <class X> BM_FN void add_evolving(Outside<X>& outside, const X* y, const Parameters& p) {{\n"
      "{}  (void)outside, (void)y, (void)p;\n}}\n"
      "template <class X> BM_FN void add_present(Outside<X>& outside, const X* y, const Parameters& p) {{\n"
      "{}  (void)outside, (void)y, (void)p;\n}}\n"
      "template <class X> BM_FN void add_averages(Outside<X>& outside, const X* average) {{\n"
      "{}  (void)outside, (void)average;\n}}\n"
      "template <class X, class H>\n"
      "BM_FN void evolve_noises(X* y, X* average, H h, const Numbers<X>& numbers, const Parameters& p) {{\n"
      "{}  (void)y, (void)average, (void)h, (void)numbers, (void)p;\n}}\n"
      "template <class X, class H> BM_FN X own_increments([[maybe_unused]] int variable, H h, const Numbers<X>& "
      "numbers, const Parameters& p) {{\n"
      "  X sum = X((real)0);\n{}  (void)h, (void)numbers, (void)p;\n  return sum;\n}}\n",
      components, add, present, add_averages, evolve, increments);
}

bool is_constant_force(const Model& model, const Numbered& noise) {
  return has_event_force(noise) && noise.adds() && model.amplitude_of(*noise.component) == nullptr;
}

std::string present_force(const Numbered& noise) {
  return fmt::format("{0}::drift<real>(Noise{1}::load(s, l), p.c{1})", noise.space(), noise.k);
}

std::string factors_text(const Model& model) {
  std::string values, adds, potential;
  size_t k = 0;
  for (const Numbered& noise : of_kind(model, BM_NOISE))
    if (has_event_force(noise) && !noise.adds()) potential += fmt::format(" + {}", present_force(noise));
  const auto factor = [&](const std::string& value, const std::string& member) {
    values += fmt::format("  if (k == {}) return {};\n", k, value);
    adds += fmt::format("  outside.{0} = outside.{0} + factors.of[{1}];\n", member, k++);
  };
  if (!potential.empty()) factor("(real)0" + potential, "amplitude");
  size_t n = 0;
  for (const Numbered& noise : multiplied_forces(model)) {
    const std::string member = fmt::format("noise[{}]", n++);
    if (has_event_force(noise) && noise.plugin()->state_count > 0) factor(present_force(noise), member);
  }
  return fmt::format(
      "BM_FN real model_factor(int k, Trajectories& s, const Parameters& p, int l) {{\n"
      "{}  (void)k, (void)s, (void)p, (void)l;\n  return 0;\n}}\n"
      "template <class X, class F> BM_FN void add_factors(Outside<X>& outside, const F& factors) {{\n"
      "{}  (void)outside, (void)factors;\n}}\n",
      values, adds);
}

std::string jump_text(const Model& model, const Numbered& noise) {
  const size_t n = model.variables().size();
  std::string body;
  if (const Component* found = model.amplitude_of(*noise.component)) {
    const Numbered amplitude = numbered(model)[model.index_of(*found)];
    body = fmt::format("    real b[{}];\n    {}::forces(at.u, at.v, {}, p.c{}, b);\n", 2 * n, amplitude.space(),
                       amplitude.phases_from("at.phase"), amplitude.k);
    for (size_t i = 0; i < n; ++i)
      if (amplitude.plugin().state_functions()->acts_on() >> i & 1)
        body += fmt::format("    jump[{0}] += size * b[{0}];\n", i);
  } else {
    body = fmt::format("    jump[{}] += size;\n", noise.variable());
  }
  return fmt::format(
      "  static BM_FN_MEMBER void add_jump(real (&jump)[{}], real size, const Place& at, const Parameters& p) {{\n"
      "{}    (void)jump, (void)size, (void)at, (void)p;\n  }}\n",
      n, body);
}

std::string exact_events_text(const Numbered& noise, size_t first_state) {
  std::string loads, saves;
  for (uint32_t i = 0; i < noise.plugin()->state_count; ++i) {
    const std::string slot = fmt::format("s.state[{}]", first_state + i);
    loads += fmt::format("{}load_slot({})", i == 0 ? "" : ", ", slot);
    saves +=
        fmt::format("    store({0}, select(fires, state.{1}, load_slot({0})));\n", slot, noise.plugin()->states[i]);
  }
  const std::string space = noise.space();
  return fmt::format(
      "  static BM_FN_MEMBER {0}::State<T> load_all(Trajectories& s) {{ (void)s; return {{{1}}}; }}\n"
      "  static BM_FN_MEMBER T waiting_all(Trajectories& s, const Parameters& p, T e) {{\n"
      "    return {0}::waiting<T>(load_all(s), p.c{2}, e);\n"
      "  }}\n"
      "  template <class M> static BM_FN_MEMBER T event_all(Trajectories& s, const Parameters& p, const M& fires, T e) "
      "{{\n"
      "    {0}::State<T> state = load_all(s);\n"
      "    const T jump = {0}::event<T>(state, p.c{2}, e);\n"
      "{3}"
      "    (void)fires;\n"
      "    return jump;\n"
      "  }}\n",
      space, loads, noise.k, saves);
}

std::string exact_drift_text(const std::vector<Numbered>& noises) {
  std::string sum;
  for (const Numbered& noise : noises)
    if (noise.has(BM_DRIFT))
      sum += fmt::format("  sum = sum + {0}::drift<T>(Noise{1}::load_all(s), p.c{1});\n", noise.space(), noise.k);
  return fmt::format(
      "#if BM_DRIFT_VARIES\n"
      "BM_FN T exact_drift(Trajectories& s, const Parameters& p) {{\n"
      "  T sum = T(p.variable[0].force);\n"
      "{}"
      "  return sum * p.variable[0].h;\n"
      "}}\n"
      "#else\n"
      "BM_FN real exact_drift(Trajectories& s, const Parameters& p) {{ return model_drift(0, s, p, 0) * "
      "p.variable[0].h; }}\n"
      "#endif\n",
      sum);
}

std::string walk_state_text(const std::vector<Numbered>& noises, const std::vector<size_t>& states) {
  std::string sum;
  size_t n = 0, first = 0, stride = 1;
  for (const Numbered& noise : noises) {
    if (!noise.has(BM_EVENTS)) continue;
    const size_t count = states[n++];
    if (count > 1) {
      sum +=
          fmt::format("  const T value{0} = {1}::drift<T>(Noise{0}::load_all(s), p.c{0});\n", noise.k, noise.space());
      for (size_t i = 1; i < count; ++i)
        sum += fmt::format("  state = state + select(value{} == p.walk.force[{}], (real){}, T((real)0));\n", noise.k,
                           first + i, i * stride);
    }
    first += count;
    stride *= count;
  }
  return fmt::format(
      "BM_FN T walk_state(Trajectories& s, const Parameters& p) {{\n"
      "  T state = T((real)0);\n"
      "{}"
      "  (void)s, (void)p;\n  return state;\n"
      "}}\n",
      sum);
}

}  // namespace bmsim
