#include "compose/noise_text.h"

#include <fmt/format.h>

#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// Whether a noise has a force that nothing but events changes.
bool has_event_force(const Numbered& noise) { return noise.has(BM_DRIFT) && !noise.has(BM_EVOLVE); }

}  // namespace

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

}  // namespace bmsim
