// How long a step may be: from the times on which the motion changes, before anything is run.
#pragma once
#include <string>
#include <vector>

#include "engine/plan.h"
#include "model/force_shape.h"

namespace bmsim {

/// A bound on the step, INFINITY for none, and the time it is derived from.
struct StepBound {
  double dt = 0;
  double time = 0;        ///< on which what `what` says happens
  const char* what = "";  ///< "1/max|V''|"
};

struct StepAdvice {
  StepBound good;     ///< with it the error of the step is about 1 % or less
  StepBound longest;  ///< a step beyond it is unstable or steps over the potential
};

/// Of a point whose values and initial laws are known.
///   overdamped    1/max|V''|, l/v, l^2/2D
///   underdamped   sqrt(m/max|V''|), m/gamma, l/v
/// l being the length of the smallest structure of V, v the largest speed, D the intensity of all white Gaussian noise.
StepAdvice advise(const Plan& plan, const Point& point, ForceShapes& shapes);

/// Single precision where it resolves what a particle moves in a step, or between events where there are no steps; else
/// double, if the script leaves the choice.
void choose_precision(Plan& plan, ForceShapes& shapes);

/// Sets the order of the error of every point's step, and marks the points whose steps are too long for the motion.
/// Returns the warnings about them, one for each kind of bound.
std::vector<std::string> check_steps(Plan& plan, const Sweep& sweep, ForceShapes& shapes);

/// A step or a number of steps for messages: to two digits, without an exponent where that is shorter.
std::string rounded(double x);

}  // namespace bmsim
