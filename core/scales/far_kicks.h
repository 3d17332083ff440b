// Kicks and events that take paths to where forces are stiff.
#pragma once
#include "model/model.h"
#include "scales/changes.h"

namespace bmsim {

/// The size that a kick of a noise exceeds with probability exp(-e). An unknown law of sizes is taken as an exponential
/// one of the same intensity. 0 for noises without kicks, or without a finite intensity.
double largest_kick(const Plugin& noise, const double* values, double e);

/// 1/|largest eigenvalue of df/dx| where kicks, and events at rates or intervals, take paths from the start. Kicks are
/// the largest, and numbers that events draw the most extreme, that one path in a thousand meets. INFINITY without
/// kicks and events.
double time_after_kicks(const Model& model, const ModelValues& values, const SystemStart& start, double duration);

}  // namespace bmsim
