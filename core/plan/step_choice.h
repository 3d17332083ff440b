// Bounds on the step, from the time scales of the motion, before anything is run.
#pragma once
#include <string>
#include <vector>

#include "plan/plan.h"
#include "scales/force_shape.h"

namespace bmsim {

/// A bound on the step, INFINITY for none, and the time scale that it is a fraction of.
struct StepBound {
  double dt = 0;
  double time = 0;        ///< the time scale
  const char* what = "";  ///< its name: "1/max|V''|"
};

struct StepAdvice {
  StepBound good;     ///< the error of the step is about 1 % or less
  StepBound finest;   ///< as good, even where something changes within a small part of the run
  StepBound longest;  ///< a longer step is unstable or jumps over the structure of V
};

/// Bounds at a point whose values and initial laws are known. Time scales:
///   overdamped    1/max|V''|, l/v, l^2/2D
///   underdamped   sqrt(m/max|V''|), m/gamma, l/v
/// Here l is the length of the smallest structure of V, v the largest speed, D the intensity of all white Gaussian
/// noise.
StepAdvice advise(const Plan& plan, const Point& point, ForceShapes& shapes);

/// Whether steps of a point take paths over what is narrow of the rate of an event.
bool passes_over_rates(const Plan& plan, const Point& point, ForceShapes& shapes);

/// Finds the time scales of a system at all points, whose runs have these durations, with all cores, for `shapes`.
void find_scales(const Plan& plan, const std::vector<double>& durations, ForceShapes& shapes);

/// Whether paths that all begin at one place may meet a wall that absorbs, or a level up to which they are followed, by
/// diffusion, before forces have spread them: in less than 1/max|V''|. In systems that time is not known, so always.
bool meets_end_early(const Plan& plan, const Point& point, size_t variable, ForceShapes& shapes);

/// How far a variable goes, and how fast, in its own units. Tells how its steps are rounded (plan/timing.h).
struct Reach {
  double farthest = 1;      ///< largest |x|, at least 1; 1 where whole periods are taken off
  double speed = 0;         ///< largest rate of change without white noise
  double D = 0;             ///< of white noise on x, or with inertia on the force
  double fastest = 0;       ///< largest |v| of a variable with inertia
  double acceleration = 0;  ///< its largest rate of change without white noise
};
std::vector<Reach> reaches_of(const Plan& plan, const Point& point, ForceShapes& shapes);
/// The largest Change::steepness of a formula.
double steepest_change(const Plan& plan, const Point& point, ForceShapes& shapes);

/// Whether forces or noise change with t by themselves.
bool varies(const Model& model);
/// Sets the largest speed of the motion at every point, where something depends on time.
void find_speeds(Plan& plan, ForceShapes& shapes);

/// Sets the order of the step's error and the kinks at every point, and marks the points whose step is too long for the
/// motion. Returns one warning for each kind of bound. (plan/step_doubts.cc)
std::vector<std::string> check_steps(Plan& plan, const Sweep& sweep, ForceShapes& shapes);

/// A warning where a formula may have structure that was not found, "" for none. (plan/step_doubts.cc)
std::string check_structure(const Plan& plan, const Sweep& sweep, ForceShapes& shapes);

/// What to say where that is not sure of formulas of more than three coordinates; "" for nothing. (plan/step_doubts.cc)
std::string doubts_of_structure(const Plan& plan, ForceShapes& shapes);

/// Text of a step or a number of steps for messages: to two digits, without an exponent if that is shorter.
std::string rounded(double x);

}  // namespace bmsim
