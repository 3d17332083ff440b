// What walls, levels and observables ask of a step: it must be short against the times in which paths come to them, or
// are followed near them.
#pragma once
#include "plan/seen_structure.h"
#include "plan/step_bounds.h"

namespace bmsim {

/// Intensity of the white noise on a variable at this place of it, the others being where their paths begin.
double noise_at(const Plan& plan, const Point& point, size_t variable, double place);
/// The same at a time, and where all variables and velocities are at these.
double noise_at(const Plan& plan, const Point& point, size_t variable, const std::vector<double>& x,
                const std::vector<double>& v, double t);

/// The force on a variable at this place of it, likewise, without drives and noises.
double force_at(const Plan& plan, const Point& point, size_t variable, double place, double t = 0);

/// Whether a force jumps between a place and one beside it, by the force at one that is further away on this side. One
/// that is smooth, or as steep as a root or a logarithm, changes about as much from one place to the next.
bool jumps_at(double force, double beside, double further);

/// scales: of a system.
void add_places(const Plan& plan, const Point& point, const SystemScales* scales, Bounds& bounds);

/// What is narrow of the formula whose crossings of levels are counted.
SeenStructure seen_structure(const Plan& plan, const Point& point, const SystemScales& scales);

/// Averages count the place to which an event sets paths for half of the step after it. Where a formula of an average
/// jumps near there, that must be little of what it is. rate: of events by rates or intervals; of_zeros: of those at
/// zeros.
void add_set_places(const Plan& plan, const Point& point, double rate, double of_zeros, Bounds& bounds);

/// The time in which noise takes paths that all begin at one place to the nearest wall that absorbs, or level of this
/// variable; INFINITY where there is none.
double time_to_end(const Plan& plan, const Point& point, size_t variable);

/// Whether paths are followed to an end, a level or a wall that absorbs, of any variable or formula. And whether they
/// may come to a place of this variable before: there is no end of its own between them and the place.
bool meets_end(const Plan& plan);
bool comes_before_end(const Plan& plan, const Point& point, size_t variable, double place);

/// Whether it matters that a path with inertia passes a place and comes back within a step: a level, a wall at which it
/// ends, or a zero at which an event happens.
bool sees_turns(const Plan& plan);

}  // namespace bmsim
