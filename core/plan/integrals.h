// Integrals along paths that observables ask for: what a kernel needs to sum them up.
#pragma once
#include <optional>

#include "plan/plan.h"

namespace bmsim {

/// Integrals of all observables, in the kernel's order.
std::vector<PathIntegral> integrals_of(const EnsemblePlan& plan);
/// Tells the kernel of the integrals. first: number of the functions that are observed before the integrands. Throws
/// Error for an integral over something that does not exist.
void choose_integrals(EnsemblePlan& plan, size_t first);
/// Chooses the values that stand for the integrands in a step with inertia, once the model has the formulas.
void choose_integral_rules(EnsemblePlan& plan);
/// Throws Error if the method, or the model, does not let an integral be summed up step by step.
void check_integrals(const Plan& plan);
/// Whether all forces but the constant one and drives are -V' with a fixed V, which potential_functions has.
bool has_fixed_energy(const Model& model);
/// Throws Error if the model does not define the energies that observables need. Facts of points must be known.
void check_energies(const EnsemblePlan& plan);
/// Makes the transient of a point longer, by less than a period, where observables want whole periods in the window. It
/// has a whole number of periods then, to within half a step. Throws Error if it has less than one.
void keep_whole_periods(const EnsemblePlan& plan, Point& point);
/// The counter of integrals at a point; nothing if there are none.
std::optional<Counter> integral_counter(const EnsemblePlan& plan, const Point& point);
/// Throws Error, as formulas do, for bad formulas of parameters that observables ask for.
void check_constants(const EnsemblePlan& plan);
/// Values of these formulas at a point, which must be finite.
std::map<std::string, double, std::less<>> constants_at(const EnsemblePlan& plan, const ModelValues& values);

}  // namespace bmsim
