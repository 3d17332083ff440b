// A model's components for the composer: numbered, selected by kind, with the phases they read.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"

namespace bmsim {

/// A component with its number k, which names its parameters (ck) and random streams.
struct Numbered {
  size_t k;
  const Component* component;
  size_t first_phase = 0;  ///< index of the first phase it reads, among those of the model
  const Plugin& plugin() const { return *component->plugin; }
  bool has(uint32_t flag) const { return plugin().has(flag); }
  size_t variable() const { return component->variable; }  ///< index of the one that it acts on
  bool adds() const { return !component->modulates; }      ///< adds a force; else it modulates the potential
  size_t phases() const { return plugin().phases_wrap().size(); }
  /// Namespace of its text: "noise_poisson". No name of a script is in it.
  std::string space() const;
};

/// All components of a model, in order.
std::vector<Numbered> numbered(const Model& model);
std::vector<Numbered> of_kind(const Model& model, uint32_t kind);
/// White Gaussian noises that an amplitude multiplies, in the order of their sources, which come after those of the
/// others.
std::vector<Numbered> multiplied_noises(const Model& model);
/// Other noises that are forces and that an amplitude multiplies, in the order of Outside::noise.
std::vector<Numbered> multiplied_forces(const Model& model);
/// Noises that take random numbers at every step: coloured ones, and those with increments of their own.
std::vector<Numbered> step_noises(const Model& model);

/// Phases that the functions observed at every step read: all of them or, if only functions of t alone do, none.
size_t observed_phases(const Numbered& functions);

/// Names of a plugin's values in the order of their slots. Parameters of formulas, of which kernels read only
/// constants, have none of their script's.
std::vector<std::string> value_names(const Plugin& plugin);
/// The parameter in this slot if it is a choice of words, else null.
const bm_parameter* choice_in(const bm_plugin& plugin, uint32_t slot);

}  // namespace bmsim
