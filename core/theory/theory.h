// Exact results by name, for a model at one point of a sweep.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "theory/linear.h"

namespace bmsim {

struct Theory {
  std::string_view name;
  std::string_view doc;
};

/// poisson_velocity, dichotomous_velocity, stratonovich, lifson_jackson, kramers, master, inertial, linear, torus; and
/// auto, which is the one of these that is exact for the model, with NAN for quantities that it does not give.
std::span<const Theory> theories();
/// Throws Error, with the nearest name, if there is no theory of this name.
const Theory& find_theory(std::string_view name);
/// Names of what the theory gives for the model, in the order of its values: those of observables where these exist.
std::vector<std::string> quantities_of(const Theory& theory, const Model& model);

struct TheoryOptions {
  std::optional<double> from{};  ///< kramers: a place in the well that is left; empty: the lowest well
};

/// The values, one for each of the quantities. Throws Error "theory.stratonovich: noise must be Gaussian and white, got
/// noise.poisson 'kicks'" if the theory does not cover the model.
std::vector<double> evaluate_theory(const Theory& theory, const Model& model, const ModelValues& values,
                                    const TheoryOptions& options = {});

/// The law behind theory "linear", for its functions of time and frequency. Throws Error as evaluate_theory does.
theory::LinearLaw linear_law(const Model& model, const ModelValues& values);
/// Names of its states, positions before velocities: "x", "v_x"; "v" where the model is no system. The states after
/// these, of coloured noise, have no names.
std::vector<std::string> linear_states(const Model& model);

}  // namespace bmsim
