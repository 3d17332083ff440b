// Kicks and events that take paths to where forces are stiff.
#pragma once
#include "model/model.h"
#include "scales/changes.h"

namespace bmsim {

/// The size that a kick of a noise exceeds with probability exp(-e): by the noise's law, or as one of an exponential
/// law of the same intensity. 0 for noises without kicks of a finite intensity.
double largest_kick(const Plugin& noise, const double* values, double e);

/// 1/|largest eigenvalue of df/dx| where kicks, and events at rates or intervals, take paths from the start: by the
/// largest kicks, or by what an event draws at the ends of its laws, that one path in a thousand meets. INFINITY
/// without any.
double time_after_kicks(const Model& model, const ModelValues& values, const SystemStart& start, double duration);

}  // namespace bmsim
