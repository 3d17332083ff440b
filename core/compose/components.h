// A model's components for the composer: numbered, selected by kind, with the phases they read.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "compose/kernel_options.h"
#include "model/model.h"

namespace bmsim {

/// A component with its number k, which names its parameters (ck) and random streams.
struct Numbered {
  size_t k;
  const Component* component;
  size_t first_phase = 0;  ///< index, among the phases of the model, of the first one that it reads
  const Plugin& plugin() const { return *component->plugin; }
  bool has(uint32_t flag) const { return plugin().has(flag); }
  size_t variable() const { return component->variable; }  ///< index of the variable that it acts on
  bool adds() const { return !component->modulates; }      ///< whether it adds a force; else it modulates the potential
  size_t phases() const { return plugin().phases_wrap().size(); }
  /// Namespace of its text, "noise_poisson". It contains no names of scripts.
  std::string space() const;
  /// Text of a pointer to the phases that it reads: `first`, a pointer to those of the model, moved to its first one.
  /// If it reads none, a null pointer to this type.
  std::string phases_from(std::string_view first, std::string_view type = "real") const;
};

/// All components of a model, in order.
std::vector<Numbered> numbered(const Model& model);
std::vector<Numbered> of_kind(const Model& model, uint32_t kind);
/// The components of a kind that meet a condition.
template <class Condition> std::vector<Numbered> of_kind(const Model& model, uint32_t kind, Condition condition) {
  std::vector<Numbered> components = of_kind(model, kind);
  std::erase_if(components, [&](const Numbered& component) { return !condition(component); });
  return components;
}
/// White Gaussian noises that an amplitude multiplies, in the order of their sources, which follow those of other ones.
std::vector<Numbered> multiplied_noises(const Model& model);
/// Noises other than white ones that are forces and that an amplitude multiplies, in the order of Outside::noise.
std::vector<Numbered> multiplied_forces(const Model& model);
/// Noises that take random numbers at every step: coloured ones, and those with increments of their own.
std::vector<Numbered> step_noises(const Model& model);

/// Number of phases that functions observed at every step read: 0 if only functions of t alone read phases, else all.
size_t observed_phases(const Numbered& functions);

/// Names of a plugin's values by slot. Of formulas kernels read only constants, not what the script has named.
std::vector<std::string> value_names(const Plugin& plugin);
/// The parameter in this slot if it is a choice of words, else null.
const bm_parameter* choice_in(const bm_plugin& plugin, uint32_t slot);

/// White noises that move the quantity that counters look at, within a step.
struct SeenNoise {
  size_t sources;                            ///< number of independent noises
  std::vector<const Component*> multiplied;  ///< noises with an amplitude
  bool spreads;                              ///< how far noise moves the quantity varies between states on one level
};
SeenNoise seen_noise(const Model& model, const KernelOptions::Seen& seen);

}  // namespace bmsim
