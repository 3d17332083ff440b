// What walls, levels and observables ask of a step: to be short against the times in which paths come to them.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/seen.h"
#include "plan/step_choice.h"
#include "plugin/state_functions.h"

namespace bmsim {

/// Steps as fractions of a time scale: with an error of about 1 %, and the longest that make sense.
struct Shares {
  double good, longest;
};
/// Fractions for methods of second order, for these methods where V has kinks, and for euler.
struct Rule {
  Shares smooth, kinked, euler;
};

class Bounds {
 public:
  /// first_order: the scheme is of first order whatever V is.
  Bounds(Method method, bool kinks, bool first_order)
      : first_order_(method == Method::euler || first_order), kinks_(kinks) {
    advice.good.dt = advice.finest.dt = advice.longest.dt = std::numeric_limits<double>::infinity();
  }
  /// least: a good step need not be shorter.
  void add(double time, const Rule& rule, const char* what, double least = 0) {
    if (!(time > 0 && std::isfinite(time))) return;
    const Shares& shares = first_order_ ? rule.euler : kinks_ ? rule.kinked : rule.smooth;
    lower(advice.good, {std::max(shares.good * time, least), time, what});
    lower(advice.finest, {shares.good * time, time, what});
    lower(advice.longest, {shares.longest * time, time, what});
  }
  StepAdvice advice;

 private:
  static void lower(StepBound& bound, const StepBound& other) {
    if (other.dt < bound.dt) bound = other;
  }
  bool first_order_, kinks_;
};

/// Intensity of the white noise on a variable when it is at this place, and the others where their paths begin.
double noise_at(const Plan& plan, const Point& point, size_t variable, double place);
/// Intensity of the white noise on a variable, given all variables and velocities, at a time.
double noise_at(const Plan& plan, const Point& point, size_t variable, const std::vector<double>& x,
                const std::vector<double>& v, double t);

/// use(D, b) for each white noise with amplitudes: b are these, by variable. v: velocities, then mean fields.
template <class Use>
void for_each_amplitude(const Plan& plan, const Point& point, const std::vector<double>& x,
                        const std::vector<double>& v, double t, Use use) {
  for (const Component& noise : plan.model.components()) {
    const Component* amplitude = plan.model.amplitude_of(noise);
    if (amplitude == nullptr || !noise.plugin->has(BM_SIGMA)) continue;
    std::vector<double> b(2 * most_variables);
    amplitude->plugin->state_functions()->add_forces(
        x.data(), v.data(), t, point.values.values[plan.model.index_of(*amplitude)].data(), nullptr, b.data());
    use(noise.plugin->intensity(point.values.values[plan.model.index_of(noise)].data()).value_or(0), b);
  }
}

/// The force on a variable, without drives and noises, when it is at this place and the others where their paths begin.
double force_at(const Plan& plan, const Point& point, size_t variable, double place, double t = 0);

/// Whether a force jumps between a place and one beside it. further: the force at a place further away on the same side
/// as `beside`. A force that is smooth, or as steep as a root, changes about as much from one place to the next.
bool jumps_at(double force, double beside, double further);

/// Adds bounds of walls, levels and observables at a point. scales: those of a system, else null.
void add_places(const Plan& plan, const Point& point, const SystemScales* scales, Bounds& bounds);

/// Narrow structure of the formula whose crossings of levels are counted.
SeenStructure seen_structure(const Plan& plan, const Point& point, const SystemScales& scales);

/// Adds a bound for averages, which count the place to which an event sets paths for half of the step after it. Where a
/// formula of an average jumps near there, that must be a small part of the average. rate: of events by rates or
/// intervals; of_zeros: of events at zeros.
void add_set_places(const Plan& plan, const Point& point, double rate, double of_zeros, Bounds& bounds);

/// The time in which noise takes paths from one place to the nearest absorbing wall or level; INFINITY for none.
double time_to_end(const Plan& plan, const Point& point, size_t variable);

/// Whether paths may come to a place of this variable before they meet an end: no end lies between them and the place.
bool comes_before_end(const Plan& plan, const Point& point, size_t variable, double place);

/// Whether it matters that a path passes a level, an absorbing wall or a zero and comes back within a step.
bool sees_turns(const Plan& plan);

}  // namespace bmsim
