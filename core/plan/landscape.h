// What is known of a point when steps are chosen: the potential and the other forces where particles are, the scales of
// a system, and what changes with time.
#pragma once

#include "plan/plan.h"
#include "scales/force_shape.h"

namespace bmsim {

SystemStart start_of(const Point& point);
/// The duration of a run to seven digits: the same before its step is chosen, and after.
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

 private:
  Landscape(const Plan& plan, const Point& point, ForceShapes& shapes, const ForceShapes::Environment& environment);
};

/// The slowest relaxation time of a particle in a fixed potential under thermal white noise (scales/relaxation.h),
/// within a period if there is one; 0 if it is not known.
double relaxation_at(const Plan& plan, const Point& point);
/// The mean of a formula, by its number, in the equilibrium of such a particle. NaN if it is not known, as with a
/// period and a force.
double equilibrium_mean(const Plan& plan, const Point& point, size_t formula);
/// The probability that a density gives to what is below a place, in the same equilibrium; NaN likewise.
double equilibrium_probability(const Plan& plan, const Point& point, const HalvedDensity& density, double place);

}  // namespace bmsim
