// Kicks and events that take paths to where forces are stiff.
#pragma once
#include "model/model.h"
#include "scales/changes.h"

namespace bmsim {

/// Whether there are events, or a noise with kicks, and a variable that they may take far.
bool may_be_far(const Model& model, const ModelValues& values);
/// 1/|largest eigenvalue of df/dx| where kicks, and events at rates or intervals, take paths from the start. Kicks are
/// the largest, and numbers that events draw the most extreme, that one path in a thousand meets. INFINITY if they find
/// no stiff force.
double time_after_kicks(const Model& model, const ModelValues& values, const SystemStart& start, double duration);

}  // namespace bmsim
