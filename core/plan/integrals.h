// Integrals along paths that observables ask for: what a kernel needs to sum them up.
#pragma once
#include <optional>

#include "plan/plan.h"

namespace bmsim {

/// Those of all observables, in the kernel's order.
std::vector<PathIntegral> integrals_of(const EnsemblePlan& plan);
/// Tells the kernel of them. first: number of the functions that are observed before theirs. Throws Error for an
/// integral over what there is not.
void choose_integrals(EnsemblePlan& plan, size_t first);
/// Chooses what stands for the integrands in a step with inertia, when the model has the formulas.
void choose_integral_rules(EnsemblePlan& plan);
/// Throws Error if the method, or the model, does not let an integral be summed up step by step.
void check_integrals(const Plan& plan);
/// Whether all forces but the constant one and drives are -V', always the same, of which potential_functions has V.
bool has_fixed_energy(const Model& model);
/// Throws Error if the model does not define the energies that observables are of. Facts of points are known.
void check_energies(const EnsemblePlan& plan);
/// Makes the transient of a point longer, by less than a period, where observables want whole periods in the window: a
/// whole number to within half a step. Throws Error if it has less than one.
void keep_whole_periods(const EnsemblePlan& plan, Point& point);
/// Their counter at a point; nothing if there are none.
std::optional<Counter> integral_counter(const EnsemblePlan& plan, const Point& point);
/// Throws Error, as formulas do, for formulas of parameters that observables ask for; and their values at a point,
/// which must be finite.
void check_constants(const EnsemblePlan& plan);
std::map<std::string, double, std::less<>> constants_at(const EnsemblePlan& plan, const ModelValues& values);

}  // namespace bmsim
