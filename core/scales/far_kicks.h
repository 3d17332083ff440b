// Kicks and events that take paths to where forces are stiff.
#pragma once
#include "model/model.h"
#include "scales/changes.h"

namespace bmsim {

/// 1/|largest eigenvalue of df/dx| where kicks, and events at rates or intervals, take paths from the start. Kicks are
/// the largest, and numbers that events draw the most extreme, that one path in a thousand meets. INFINITY without
/// kicks and events.
double time_after_kicks(const Model& model, const ModelValues& values, const SystemStart& start, double duration);

}  // namespace bmsim
