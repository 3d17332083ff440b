// Which variables are folded: kept within a period, with the whole periods that are taken off counted apart.
#pragma once
#include "model/model.h"

namespace bmsim {

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
