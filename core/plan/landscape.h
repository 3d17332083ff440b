// What the choice of steps knows of a point: the potential and the other forces where particles are, the scales of a
// system, what changes with time.
#pragma once
#include <utility>

#include "plan/plan.h"
#include "scales/force_shape.h"

namespace bmsim {

SystemStart start_of(const Point& point);
/// Of a run, to seven digits: the same before its step is chosen, and after.
double rounded_duration(double duration);
double duration_of(const Point& point);
const SystemScales& system_scales(const Plan& plan, const Point& point, ForceShapes& shapes);

/// A particle's surroundings and the shape of its potential.
struct Landscape {
  Landscape(const Plan& plan, const Point& point, ForceShapes& shapes);
  double curvature() const { return around.amplitude * V.curvature + around.slope; }
  const Changes& changes;
  const Surroundings& around;
  const ForceShape& V;
};

/// The slowest relaxation time of a particle in a fixed potential under thermal white noise (scales/relaxation.h),
/// within a period if there is one; 0 if it is not known.
double relaxation_at(const Plan& plan, const Point& point);
/// In the equilibrium of such a particle, the mean of a formula that observables follow, by its number; and the
/// probability that a density gives to what is below a place. NaN if it is not known, as with a period and a force.
double equilibrium_mean(const Plan& plan, const Point& point, size_t formula);
double equilibrium_probability(const Plan& plan, const Point& point, const HalvedDensity& density, double place);

}  // namespace bmsim
