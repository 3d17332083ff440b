// Which variables are folded: kept within a period, with the whole periods that are taken off counted apart.
#pragma once
#include "model/model.h"

namespace bmsim {

/// Finds the variables whose whole lengths may be taken off without a change of any force or amplitude: alone, or
/// together. Throws Error for a variable of a system whose given period is no period of the forces.
void find_folds(const Model& model, ModelValues& values);
/// Variables are not folded if rates of events change with them, or what events set. Throws Error for one of a system
/// whose period is given. Sets keeps_periods.
void settle_events(const Model& model, ModelValues& values);
/// Variables without a period are not folded if functions that are observed change with them. Throws Error for those
/// with one.
void settle_fields(const Model& model, ModelValues& values);
void settle_observed(const Model& model, ModelValues& values);

}  // namespace bmsim
