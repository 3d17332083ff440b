// Exact results by name, for a model at one point.
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
/// Throws Error with the nearest name if there is none of this name.
const Theory& find_theory(std::string_view name);
/// What the theory gives for the model, in the order of its values, under the names of observables where these exist.
std::vector<std::string> quantities_of(const Theory& theory, const Model& model);

struct TheoryOptions {
  std::optional<double> from{};  ///< kramers: a place in the well that is left; none: the lowest well
};

/// The values, one for each of its quantities. Throws Error "theory.stratonovich: noise must be Gaussian and white, got
/// noise.poisson 'kicks'" if the theory does not cover the model.
std::vector<double> evaluate_theory(const Theory& theory, const Model& model, const ModelValues& values,
                                    const TheoryOptions& options = {});

/// What theory "linear" is about, for its functions of time and frequency; and the names of its states, positions
/// before velocities. States beyond these, of coloured noise, have no names. Throws Error as evaluate_theory does.
theory::LinearLaw linear_law(const Model& model, const ModelValues& values);
std::vector<std::string> linear_states(const Model& model);

}  // namespace bmsim
