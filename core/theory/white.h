// The master equation of a model under white noise and noise that jumps.
#pragma once
#include "theory/content.h"
#include "theory/master.h"

namespace bmsim::theory {

/// States are all combinations of the values of the jumping noises. Throws Error if there are more than 64.
MasterEquation master_equation(const Content& content);

/// By shooting, or by harmonics if the model has Levy noise or kicks that are not exponential. Throws Error if there is
/// neither Gaussian noise (D > 0) nor Levy noise of alpha > 1.
double master_velocity(const Content& content);

}  // namespace bmsim::theory
