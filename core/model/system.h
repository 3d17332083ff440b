// Systems: what is particular to models of several variables, or with formulas that know all of the state.
#pragma once
#include "model/model.h"

namespace bmsim {

/// The rest of evaluate() for a system: `result` has the values of all components. Finds lengths, checks the potentials
/// of single variables, and finds the variables whose whole periods may be taken off. Throws Error for a period that is
/// no period of the forces.
void evaluate_system(const Model& model, ModelValues& result);

// The parts of it that other models with amplitudes need, too.
/// Computes the values of formulas that depend on numbers of the model.
void place_formulas(const Model& model, ModelValues& values);
/// Notes a component whose functions of the state may jump.
void note_jumps(const Model& model, ModelValues& values);

}  // namespace bmsim
