// Observables of one variable of a system: the observables of models with one variable, under names that end in the
// name of the variable.
#pragma once
#include "observe/observable.h"

namespace bmsim {

/// request: with the word "of", the name of a variable. Throws Error for an observable that systems do not have.
std::unique_ptr<Observable> make_of_variable(const ObservableRequest& request,
                                             std::span<const ObservedVariable> variables);

/// The density of two variables, velocities ("v_x") or formulas, which "of" names (kinds/plane_density.cc).
std::unique_ptr<Observable> make_plane_density(const ObservableRequest& request,
                                               std::span<const ObservedVariable> variables);

/// Index of a variable that a request names. Throws Error if there is none of that name.
size_t index_of(const ObservableRequest& request, const std::string& name, std::span<const ObservedVariable> variables);

}  // namespace bmsim
