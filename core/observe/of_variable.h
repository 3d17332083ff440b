// Observables of one variable of a system: those of models with one variable, under names that end in the variable's.
#pragma once
#include "observe/observable.h"

namespace bmsim {

/// request: with the word "of", the name of a variable. Throws Error for an observable that systems do not have.
std::unique_ptr<Observable> make_of_variable(const ObservableRequest& request,
                                             std::span<const ObservedVariable> variables);

/// kinds/plane_density.cc: the density of two variables, velocities ("v_x"), or formulas, which "of" names.
std::unique_ptr<Observable> make_plane_density(const ObservableRequest& request,
                                               std::span<const ObservedVariable> variables);

/// Index of a variable that a request names. Throws Error if there is none of that name.
size_t index_of(const ObservableRequest& request, const std::string& name, std::span<const ObservedVariable> variables);

}  // namespace bmsim
