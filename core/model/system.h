// What is particular to systems: to models of several variables, or with formulas that know the whole state.
#pragma once
#include "model/model.h"

namespace bmsim {

/// The rest of evaluate() for a system; `result` has the values of all components already. Finds lengths, checks the
/// potentials of single variables, and finds the variables whose whole periods may be taken off. Throws Error for a
/// period that is no period of the forces.
void evaluate_system(const Model& model, ModelValues& result);

// The parts of evaluate_system() that other models with amplitudes need, too.
/// Computes the values of formulas that depend on numbers of the model.
void place_formulas(const Model& model, ModelValues& values);
/// Notes the first component whose functions of the state may jump, if none is noted yet.
void note_jumps(const Model& model, ModelValues& values);

}  // namespace bmsim
