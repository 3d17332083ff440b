// Observables of one variable of a system: those of models with one variable, under names that end in the variable's.
#pragma once
#include "observe/observable.h"

namespace bmsim {

/// request: with the word "of", the name of a variable. Throws Error for an observable that systems do not have.
std::unique_ptr<Observable> make_of_variable(const ObservableRequest& request,
                                             std::span<const ObservedVariable> variables);

/// kinds/plane_density.cc: the density of two variables, velocities ("v_x"), or formulas, by name.
std::unique_ptr<Observable> make_plane_density(const ObservableRequest& request, const std::array<std::string, 2>& of,
                                               std::span<const ObservedVariable> variables);

/// kinds/entropy_production.cc: with the displacement of this variable.
std::unique_ptr<Observable> make_entropy_production(const ObservableRequest& request, size_t variable,
                                                    const std::string& of);

/// kinds/joint_diffusion.cc: the elements of the diffusion tensor of these variables, by index.
std::unique_ptr<Observable> make_joint_diffusion(std::span<const size_t> of,
                                                 std::span<const ObservedVariable> variables);

}  // namespace bmsim
