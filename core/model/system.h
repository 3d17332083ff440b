// The parts of evaluate(), most of which are for models with formulas that know the whole state.
#pragma once
#include "model/model.h"

namespace bmsim {

/// The rest of evaluate() for a system; `result` has the values of all components already. Finds lengths, checks the
/// potentials of single variables, and finds the variables whose whole periods may be taken off. Throws Error for a
/// period that is no period of the forces.
void evaluate_system(const Model& model, ModelValues& result);

/// Computes the values of formulas that depend on numbers of the model.
void place_formulas(const Model& model, ModelValues& values);
/// Notes the first component whose functions of the state may jump, if none is noted yet.
void note_jumps(const Model& model, ModelValues& values);

/// Finds the variables whose whole lengths may be taken off, alone or together, without a change of any force or
/// amplitude. Throws Error for a variable of a system whose given period is no period of the forces.
void find_folds(const Model& model, ModelValues& values);
/// Unfolds variables whose shift changes rates of events, or what events set. Throws Error for one of a system whose
/// period is given. Sets keeps_periods.
void settle_events(const Model& model, ModelValues& values);
/// Unfolds variables whose shift changes mean fields. Throws Error for one whose period is given.
void settle_fields(const Model& model, ModelValues& values);
/// Unfolds variables whose shift changes functions that are observed. Throws Error for one with a period, unless the
/// potential is the free one.
void settle_observed(const Model& model, ModelValues& values);

}  // namespace bmsim
