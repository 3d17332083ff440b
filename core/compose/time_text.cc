#include "compose/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "compose/noise_text.h"
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

}  // namespace bmsim
