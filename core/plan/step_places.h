// What walls, levels and observables ask of a step: it must be short against the times in which paths come to them, or
// are followed near them.
#pragma once
#include "plan/seen_structure.h"
#include "plan/step_bounds.h"

namespace bmsim {

/// Intensity of the white noise on a variable when it is at this place, and the others where their paths begin.
double noise_at(const Plan& plan, const Point& point, size_t variable, double place);
/// Intensity of the white noise on a variable, given all variables and velocities, at a time.
double noise_at(const Plan& plan, const Point& point, size_t variable, const std::vector<double>& x,
                const std::vector<double>& v, double t);

/// The force on a variable, without drives and noises, when it is at this place and the others where their paths begin.
double force_at(const Plan& plan, const Point& point, size_t variable, double place, double t = 0);

/// Whether a force jumps between a place and one beside it. further: the force at a place further away on the same side
/// as `beside`. A force that is smooth, or as steep as a root or a logarithm, changes about as much from one place to
/// the next.
bool jumps_at(double force, double beside, double further);

/// Adds bounds of walls, levels and observables at a point. scales: those of a system, else null.
void add_places(const Plan& plan, const Point& point, const SystemScales* scales, Bounds& bounds);

/// Narrow structure of the formula whose crossings of levels are counted.
SeenStructure seen_structure(const Plan& plan, const Point& point, const SystemScales& scales);

/// Adds a bound for averages, which count the place to which an event sets paths for half of the step after it. Where a
/// formula of an average jumps near there, that must be a small part of the average. rate: of events by rates or
/// intervals; of_zeros: of events at zeros.
void add_set_places(const Plan& plan, const Point& point, double rate, double of_zeros, Bounds& bounds);

/// The time in which noise takes paths that all begin at one place to the nearest wall that absorbs, or level of this
/// variable; INFINITY where there is none.
double time_to_end(const Plan& plan, const Point& point, size_t variable);

/// Whether paths are followed to an end, a level or a wall that absorbs, of any variable or formula.
bool meets_end(const Plan& plan);
/// Whether paths may come to a place of this variable before they meet an end: no end lies between them and the place.
bool comes_before_end(const Plan& plan, const Point& point, size_t variable, double place);

/// Whether it matters that a path with inertia passes a place and comes back within a step: a level, a wall at which it
/// ends, or a zero at which an event happens.
bool sees_turns(const Plan& plan);

}  // namespace bmsim
