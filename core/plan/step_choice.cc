#include "plan/step_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>

#include "backend/cpu/thread_pool.h"
#include "hypotenuse.h"
#include "interruption.h"
#include "model/events.h"
#include "model/walls.h"
#include "numbers.h"
#include "plan/integrals.h"
#include "plan/landscape.h"
#include "plan/memory.h"
#include "plan/step_places.h"
#include "plan/timing.h"
#include "scales/far_kicks.h"
#include "scales/heavy_tails.h"
#include "scales/kink_times.h"

namespace bmsim {

namespace {

constexpr Rule relaxing = {{0.1, 0.75}, {0.1, 0.75}, {0.02, 0.75}};
constexpr Rule crossing = {{0.1, 2}, {0.02, 2}, {0.02, 2}};
constexpr Rule blurring = {{0.1, 0.5}, {0.1, 0.5}, {0.02, 0.5}};  // of noise with an amplitude
// The time in which noise crosses the structure of its amplitude. In a step of 1.2 of this time the error is up to 10
// %, in one of twice the time up to 30 %.
constexpr Rule averaging = {{0.5, 1.5}, {0.5, 1.5}, {0.1, 1.5}};
// At a kink of an amplitude: densities are wrong by up to 3 % in a step of 0.015 of this time.
constexpr Rule crossing_kinks = {{0.006, 0.4}, {0.006, 0.4}, {0.006, 0.4}};
// What lies beside a jump of an amplitude. The error falls as the root of the step: by euler in 0.001 of this time
// paths are there for less by up to 2 % of what is right, in 0.02 by 8 %; by platen for two thirds of that.
constexpr Rule crossing_sides = {{0.002, 0.04}, {0.002, 0.04}, {0.001, 0.02}};
// A piece in which another coordinate has other noise: joint laws are wrong by some per cent in 0.4 of this time.
constexpr Rule crossing_pieces = {{0.05, 0.25}, {0.05, 0.25}, {0.05, 0.25}};
// Such a piece, by schemes that average an amplitude over a step: they lose noise, in proportion to its root.
constexpr Rule crossing_averaged_pieces = {{0.005, 0.1}, {0.005, 0.1}, {0.005, 0.1}};
// An anti-Ito step averages an amplitude twice, in its noise and in its drift.
constexpr double averaged[] = {1, 1.5, 2};                         // by interpretation
constexpr Rule turning = {{0.06, 0.5}, {0.06, 0.5}, {0.01, 0.5}};  // of a tangent vector by noise with an amplitude
constexpr Rule diffusing = {{0.1, 4}, {0.02, 4}, {0.02, 4}};
// Where rare kicks or events take paths. Under a force x^n paths come back by steps shorter than 2n of this time.
constexpr Rule coming_back = {{1, 3}, {1, 3}, {1, 3}};
constexpr Rule bending = {{0.1, 4}, {0.1, 4}, {0.02, 4}};
constexpr Rule waiting = {{0.1, 1}, {0.1, 1}, {0.1, 1}};  // for events of the script
// Crossing a hump of a rate, by noise or motion: steps of a lattice are then shorter than the hump is wide.
constexpr Rule resolving = {{0.25, 1}, {0.25, 1}, {0.25, 1}};
constexpr Rule changing = {{0.1, 0.5}, {0.1, 0.5}, {0.02, 0.1}};         // with t
constexpr Rule between_jumps = {{0.02, 0.5}, {0.02, 0.5}, {0.02, 0.5}};  // at times
// In systems: heat, a small part of what passes to and fro, has errors of first order.
constexpr Rule dissipating = {{0.015, 0.75}, {0.015, 0.75}, {0.015, 0.75}};
// A force that jumps within a step does the work of its mean on a variable without inertia.
constexpr Rule working = {{0.001, 0.5}, {0.001, 0.5}, {0.001, 0.5}};
constexpr double most_for_changes = 20'000;  // steps of a run, or a period, that what depends on t may ask for
constexpr Rule between_zeros = {{0.05, 1}, {0.05, 1}, {0.02, 0.5}};
constexpr double far_shorter = 1.0 / 3;  // a time so much shorter tells of something that the other has missed
// Underdamped.
constexpr Rule swinging = {{0.3, 1.5}, {0.3, 1.5}, {0.02, 0.5}};
constexpr Rule damping = {{0.25, 2}, {0.25, 2}, {0.02, 1}};
// Underdamped, where a path that comes back counts, or the velocities at the ends of steps.
constexpr Rule swinging_short = {{0.1, 1.5}, {0.1, 1.5}, {0.02, 0.5}};
constexpr Rule damping_short = {{0.1, 2}, {0.1, 2}, {0.02, 1}};
constexpr Rule passing = {{0.5, 3}, {0.1, 3}, {0.02, 2}};
// Where a force jumps.
constexpr Rule pressing = {{0.15, 1}, {0.15, 1}, {0.02, 1}};
// Where a force jumps and presses paths to the kink from both sides before they come to where they end. The step takes
// 4/3 (f^2 h/2D)^(3/2) D/f times the density at the kink from the time that paths spend there: 1.3 % of what a high
// barrier makes it at 0.15 of the time, and twice that where the barrier is one of heat.
constexpr Rule pressing_before_end = {{0.06, 1}, {0.06, 1}, {0.02, 1}};
constexpr Rule reversing = {{0.2, 0.75}, {0.2, 0.75}, {0.02, 0.5}};
// Where a force jumps and narrow parts of the law of positions count: those of heun are wrong by 6 % within a step of a
// jump at 0.11 of this time, by 2 % at half of that. Those of aboba are right.
constexpr Rule halting = {{0.03, 0.75}, {0.03, 0.75}, {0.02, 0.5}};

// Oscillations that are to keep their phase. Their frequencies are too large by (omega dt)^2/24 of them with aboba, and
// by (omega dt)^2/6 with the other methods: wrong by a hundredth of their width.
constexpr Rule keeping_phase = {{0.5, 2.5}, {0.5, 2.5}, {0.25, 1}};
constexpr Rule keeping_phase_by_others = {{0.25, 1.25}, {0.25, 1.25}, {0.25, 1}};

// Oscillations that are to keep their phase, of paths that begin together, far from where heat would take them: their
// mean is known far better than to its width.
constexpr Rule keeping_phase_together = {{0.125, 2.5}, {0.125, 2.5}, {0.06, 1}};
constexpr Rule keeping_phase_together_by_others = {{0.06, 1.25}, {0.06, 1.25}, {0.06, 1}};

// Growth that is measured, without oscillations: a step adds (rate h)^2/6 of it, a thousandth.
constexpr Rule growing_alone = {{0.07, 0.5}, {0.07, 0.5}, {0.02, 0.5}};  // 1/rate
// Oscillations whose growth is measured, with methods other than aboba, which has it exactly. A step h adds
// (omega h)^2/2 of the rate to it, and omega^4 h^3/8: a thousandth each, where the rate does not scatter and no error
// bar shows it.
constexpr Rule turning_while_growing = {{0.04, 0.5}, {0.04, 0.5}, {0.02, 0.5}};  // 1/omega
constexpr Rule growing = {{0.2, 1}, {0.2, 1}, {0.1, 1}};                         // (rate/omega^4)^(1/3)

bool has_first_order_noise(const Plan& plan) {
  return has_events_at_ends(plan.model) || has_first_order_amplitude(plan);
}

/// Whether the work of forces on a variable without inertia counts.
bool sees_work(const Plan& plan, const Point& point) {
  const auto of_forces = [](const PathIntegral& integral) {
    return integral.of == PathIntegral::driving || integral.of == PathIntegral::force;
  };
  return std::ranges::any_of(
             plan.observables,
             [&](const auto& observable) { return std::ranges::any_of(observable->needs().integrals, of_forces); }) &&
         !std::ranges::all_of(point.values.variables, &VariableValues::inertial);
}

/// Whether the velocities at the ends of steps count. With aboba they are too large by (omega dt)^2/8, and under a
/// constant force by (gamma dt/m)^2/24.
bool sees_velocities(const Plan& plan) {
  const Component* observed = plan.model.observed();
  return (observed != nullptr && observed->plugin->state_functions()->reads_velocities()) ||
         std::ranges::any_of(plan.formulas,
                             [](const StateFormula& formula) { return formula.reads_velocities_of() != 0; }) ||
         std::ranges::any_of(plan.observables, [](const auto& observable) { return observable->needs().velocities; }) ||
         std::ranges::any_of(plan.kernel.integrals, [](const KernelOptions::Integral& integral) {
           return integral.rule == KernelOptions::Integral::in_middle;
         });
}

/// time: see SystemScales::keeping_phase.
void add_oscillation(const Plan& plan, double time, bool together, Bounds& bounds) {
  if (std::ranges::none_of(plan.observables, [](const auto& observable) { return observable->needs().coherence; }))
    return;
  const bool aboba = plan.kernel.method == Method::aboba;
  if (together)
    bounds.add(time, aboba ? keeping_phase_together : keeping_phase_together_by_others,
               "sqrt(damping/omega^3) of an oscillation that begins far from equilibrium");
  else
    bounds.add(time, aboba ? keeping_phase : keeping_phase_by_others,
               "sqrt(damping/omega^3) of an oscillation that is to keep its phase");
}

/// Whether paths with inertia begin together, with far more energy than heat gives them.
bool begins_far(const Plan& plan, const Point& point, double curvature, double variance) {
  constexpr double far = 8;  // of the temperature: four deviations
  const VariableValues& particle = point.values.only();
  const StartLaw &x = point.x[0], &v = point.v[0];
  if (x.width > 0 || v.width > 0 || !has_fixed_energy(plan.model)) return false;
  const double force = potential_functions(plan.model, point.values).force(x.centre) + particle.force;
  const double energy = force * force / (2 * curvature) + particle.mass * v.centre * v.centre / 2;
  const double temperature = particle.gamma > 0 ? variance / 2 / particle.gamma : infinity;
  return energy > far * temperature && x.deviation * x.deviation * curvature < energy / far;
}

/// Bounds for a growth that is measured. Under noise that depends on the state it scatters, and turning tells of it.
void add_growth(const Plan& plan, const SystemScales& scales, double duration, Bounds& bounds) {
  const double omega = scales.leading_omega, rate = std::max(std::abs(scales.leading_rate), 1 / duration);
  if (plan.kernel.method != Method::aboba && !plan.model.has_amplitude())
    bounds.add(1 / std::abs(scales.leading_rate), growing_alone, "1/rate of a growth that is measured");
  if (omega <= rate || plan.kernel.method == Method::aboba || plan.model.has_amplitude()) return;
  bounds.add(1 / omega, turning_while_growing, "1/omega of an oscillation whose growth is measured");
  bounds.add(std::cbrt(rate / std::pow(omega, 4)), growing,
             "(rate/omega^4)^(1/3) of an oscillation whose growth is measured");
}

void add_changes(const Plan& plan, const Point& point, const Changes& changes, Bounds& bounds) {
  const bool works = sees_work(plan, point);
  if (works)
    bounds.add(between_edges(plan.model, point.values), working, "the time between edges of a drive that does work");
  for (const Change& change : changes.of) {
    const double least = change.seen / most_for_changes;
    bounds.add(change.time, changing, "the time in which a formula of t changes", least);
    bounds.add(change.between, works ? working : between_jumps, "the time between jumps of a formula of t", least);
  }
}

/// Bounds for pulses. One narrower than a step acts by its mean over the step, and so at another time, by a part of the
/// step. time: that in which such a shift would count.
void add_pulses(const Plan& plan, const Point& point, double time, Bounds& bounds) {
  constexpr Shares of_width = {0.5, 1}, of_time = {0.01, 0.025};
  const double width = narrowest_pulses(plan.model, point.values).width;
  const auto longest = [&](double Shares::*share) { return std::max(of_width.*share * width, of_time.*share * time); };
  if (!std::isfinite(width) || !std::isfinite(time)) return;
  const Shares shares{longest(&Shares::good) / width, longest(&Shares::longest) / width};
  bounds.add(width, {shares, shares, shares}, "the width of a pulse");
}

/// Largest speed to be expected of an underdamped particle.
double largest_speed(const Point& point, const Surroundings& around, const ForceShape& V) {
  const double m = point.values.only().mass, gamma = point.values.only().gamma,
               total = point.time.steps * point.time.dt;
  const auto terminal = [&](double force, double time) {  // the force lasts for `time`, or always
    const double resistance = std::isfinite(time) ? hypotenuse(gamma, m / time) : std::max(gamma, m / total);
    return force > 0 ? force / resistance : 0;
  };
  double v = terminal(around.constant, infinity) + std::sqrt(2 * around.amplitude * V.height / m);
  for (const auto& force : around.varying) v += terminal(force.force, force.time);
  if (gamma > 0) v += 3 * std::sqrt(around.variance / 2 / gamma / m);
  return v + std::abs(point.v[0].centre) + point.v[0].width / 2;
}

/// Whether an observable sees more of a path than how far it went.
bool sees_places(const Plan& plan) {
  return std::ranges::any_of(plan.observables, [](const auto& observable) {
    const Needs needs = observable->needs();
    return !(needs.moments || needs.windows) || !needs.formulas.empty();
  });
}

bool sees_narrowly(const Plan& plan) {
  const Component* observed = plan.model.observed();
  return (observed != nullptr && observed->plugin->state_functions()->jumps()) ||
         std::ranges::any_of(plan.observables, [](const auto& observable) { return observable->needs().narrow_parts; });
}

/// The time in which noise other than white takes a path without inertia off a kink, to which a force f brings it back.
/// room: the distance between kinks.
double time_off_kink(const Plan& plan, const Point& point, double f, double room) {
  constexpr double smallest_layer = 1e-5;  // part of the room between kinks
  double longest = 0;
  const auto& components = plan.model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const Plugin& noise = *components[k].plugin;
    const double* values = point.values.values[k].data();
    if (noise->kind != BM_NOISE || noise.has(BM_SIGMA) || noise.has(BM_EVOLVE | BM_MODULATES)) continue;
    if (has_heavy_tails(noise, values)) {
      const double alpha = *number_of(noise, values, "alpha"), scale = number_of(noise, values, "scale").value_or(0);
      // With an index near 1 noise and force hardly change their ratio with time: the force's way counts.
      const double by_force = std::isfinite(room) ? smallest_layer * room / f : 0;
      longest = std::max({longest, levy_time_at_jump(scale, alpha, f), by_force});
      continue;
    }
    const double wait = noise.time_scale(values), D = noise.intensity(values).value_or(0);
    if (std::isfinite(wait) && D > 0) longest = std::max(longest, kick_time_at_jump(D, wait, f));
  }
  return longest;
}

/// A step must be short against the time in which noise crosses the layer into which a force presses paths on both
/// sides of a kink of V; with inertia, in which they are turned round there. Where other forces or noises move paths,
/// too, heat that takes none over a barrier changes only how they lie in the layer, which not every observable sees.
void add_kinks(const Plan& plan, const Point& point, const Landscape& landscape, Bounds& bounds) {
  constexpr double out_of_reach = 30;                  // of heat, in its units: exp(-30)
  if (plan.kernel.method == Method::adaptive) return;  // its steps are short there
  const Surroundings& around = landscape.around;
  const VariableValues& particle = point.values.only();
  const double seen_length =
      sees_places(plan) || around.varying.empty() || std::isinf(landscape.V.length) ? 0 : landscape.V.length;
  for (const Jump& kink : landscape.V.jumps) {
    const double D = noise_at(plan, point, 0, kink.x), T = D / particle.gamma;
    const double weakest = T / std::min(landscape.V.room, std::sqrt(T / landscape.curvature()));
    for (const double tilt : {around.steady, around.steady - around.swing, around.steady + around.swing}) {
      JumpForces forces =
          forces_at_jump(tilt - around.amplitude * kink.left, tilt - around.amplitude * kink.right, weakest);
      const double f = std::sqrt(forces.square()), energy = f * seen_length / out_of_reach;
      if (!(f > 0)) continue;
      if (particle.inertial) {
        const double v = D > 0 ? std::sqrt(std::max(T, energy) / particle.mass) : 0;
        forces.larger /= particle.mass, forces.smaller /= particle.mass;
        bounds.add(turning_time(forces, v, particle.gamma / particle.mass), reversing,
                   "the time in which a kink of V turns thermal motion round, or heats it");
        continue;
      }
      if (D > 0)
        bounds.add(std::max(D, energy) / (f * f),
                   kink.right > kink.left && comes_before_end(plan, point, 0, kink.x) ? pressing_before_end : pressing,
                   "D/f^2 at a kink of V, with the force f beside it");
      else if (sees_places(plan))
        bounds.add(time_off_kink(plan, point, f, landscape.V.room), pressing,
                   "the time in which noise takes paths off a kink of V");
    }
  }
}

void add_jumps_of_amplitudes(const Plan& plan, const SystemScales& scales, Bounds& bounds) {
  const bool narrowly = sees_narrowly(plan);
  const double sides =
      narrowly ? std::min(scales.sides_of_amplitudes, scales.sides_beyond) : scales.sides_of_amplitudes;
  bounds.add(sides, crossing_sides, "the time in which noise crosses what lies beside a jump of its amplitude");
  const bool averages = plan.kernel.method == Method::heun || plan.kernel.method == Method::platen;
  bounds.add(averages   ? scales.crossing_of_amplitudes
             : narrowly ? scales.changing_in_pieces
                        : scales.changing_in_wide_pieces,
             averages ? crossing_averaged_pieces : crossing_pieces,
             "the time in which paths cross a piece between two jumps of an amplitude");
}

void add_far_kicks(const Plan& plan, const Point& point, Bounds& bounds) {
  if (plan.kernel.method == Method::adaptive || !may_be_far(plan.model, point.values)) return;
  bounds.add(time_after_kicks(plan.model, point.values, start_of(point), duration_of(point)), coming_back,
             "1/max|eigenvalue of df/dx| where kicks and events take paths");
}

void add_events(const Plan& plan, const Point& point, const SystemScales& scales, Bounds& bounds) {
  bounds.add(scales.waiting, waiting, "1/the highest rate of an event");
  bounds.add(scales.resolving, resolving, "the time in which paths cross what is narrow of the rate of an event");
  bounds.add(scales.between, between_zeros, "the time between events at zeros");
  add_set_places(plan, point, 1 / scales.waiting, 1 / scales.between, bounds);
}

StepAdvice advise_system(const Plan& plan, const Point& point, ForceShapes& shapes) {
  const SystemScales& scales = system_scales(plan, point, shapes);
  Bounds bounds(plan.kernel.method, !plan.smooth, has_first_order_noise(plan));
  const double duration = duration_of(point);
  add_changes(plan, point, shapes.changes(plan.model, point.values, start_of(point), duration), bounds);
  bounds.add(scales.blurring, blurring, "the time in which noise changes its own amplitude");
  bounds.add(scales.averaging, averaging, "the time in which noise crosses the structure of its amplitude");
  add_jumps_of_amplitudes(plan, scales, bounds);
  add_far_kicks(plan, point, bounds);
  if (sees_narrowly(plan)) {
    bounds.add(scales.kinks, crossing_kinks, "the time in which noise crosses a kink of its amplitude");
    if (sees_velocities(plan))
      bounds.add(scales.kinks_of_velocities, crossing_kinks, "the time in which noise crosses a kink of its amplitude");
  }
  if (std::ranges::any_of(plan.observables, [](const auto& observable) { return observable->needs().smooth; })) {
    bounds.add(scales.turning, turning, "the time in which noise with an amplitude turns the tangent vector");
    add_growth(plan, scales, duration, bounds);
  }
  add_oscillation(plan, scales.keeping_phase, false, bounds);
  add_pulses(plan, point, scales.relaxing, bounds);
  // heat, entropy production and integrals over positions
  const bool heats = std::ranges::any_of(plan.observables, [](const auto& observable) {
    return observable->needs().energies >= Needs::heat ||
           std::ranges::any_of(observable->needs().integrals, [](const PathIntegral& integral) {
             return integral.of == PathIntegral::of_formula && integral.over != "t";
           });
  });
  bounds.add(scales.relaxing, heats ? dissipating : relaxing, "1/max|eigenvalue of df/dx|");
  bounds.add(scales.crossing, crossing, "the time in which the motion changes df/dx");
  bounds.add(scales.diffusing, diffusing, "the time in which the noise changes df/dx");
  bounds.add(scales.bending, bending, "the time in which what lies beyond a bend changes the force");
  if (plan.kernel.method != Method::adaptive) {
    for (const OwnJump& jump : scales.own_jumps)
      if (jump.left > 0 && jump.right < 0 && comes_before_end(plan, point, jump.variable, jump.x))
        bounds.add(jump.D / forces_at_jump(jump.left, jump.right, 0).square(), pressing_before_end,
                   "D/f^2 where a force jumps, with the force f beside it");
    bounds.add(scales.pushed_in_pieces, crossing_pieces,
               "the time in which paths cross a piece between two jumps of a force");
    bounds.add(scales.pressing, pressing, "D/f^2 where a force jumps, with the force f beside it");
    bounds.add(scales.reversing, reversing,
               "the time in which a jump of the force turns thermal motion round, or heats it");
    if (sees_narrowly(plan) && plan.kernel.method != Method::aboba)
      bounds.add(scales.halting, halting, "the time in which a jump of the force turns thermal motion round");
  }
  add_events(plan, point, scales, bounds);
  add_places(plan, point, &scales, bounds);
  return bounds.advice;
}

double speed_of(const Plan& plan, const Point& point, ForceShapes& shapes) {
  check_interruption();
  if (plan.model.is_system()) return system_scales(plan, point, shapes).speed;
  const Landscape landscape(plan, point, shapes);
  const Surroundings& around = landscape.around;
  const ForceShape& V = landscape.V;
  return point.values.only().inertial ? largest_speed(point, around, V) : around.amplitude * V.force + around.force;
}

/// Largest |x| at which paths begin; at least 1. Periodic variables are folded.
double farthest_start(const Point& point, size_t i) {
  if (point.values.variables[i].period > 0) return 1;
  return std::max(1.0, std::abs(point.x[i].centre) + point.x[i].width / 2);
}

}  // namespace

std::string rounded(double x) { return fmt::format("{:g}", std::stod(fmt::format("{:.1e}", x))); }

StepAdvice advise(const Plan& plan, const Point& point, ForceShapes& shapes) {
  check_interruption();
  if (plan.model.is_system()) return advise_system(plan, point, shapes);
  const Landscape landscape(plan, point, shapes);
  const Surroundings& around = landscape.around;
  const ForceShape& V = landscape.V;
  Bounds bounds(plan.kernel.method, V.kinks, has_first_order_noise(plan));
  add_changes(plan, point, landscape.changes, bounds);
  bounds.add(1 / around.blurring, blurring, "the time in which noise changes its own amplitude");
  if (!point.values.only().inertial) {
    const bool narrowly = sees_narrowly(plan);
    const double times = narrowly ? averaged[static_cast<size_t>(plan.model.interpretation())] : 1;
    bounds.add(1 / (times * around.averaging), averaging,
               "the time in which noise crosses the structure of its amplitude");
    if (narrowly)
      bounds.add(1 / around.kinks, crossing_kinks, "the time in which noise crosses a kink of its amplitude");
  }
  if (plan.model.has_white_amplitude()) {  // it may have structure further away, or in v
    const SystemScales& scales = system_scales(plan, point, shapes);
    const double hidden = scales.hidden_blurring;
    if (hidden * around.blurring < far_shorter)
      bounds.add(hidden, blurring, "the time in which noise changes its own amplitude");
    add_jumps_of_amplitudes(plan, scales, bounds);
  }
  add_far_kicks(plan, point, bounds);
  add_places(plan, point, nullptr, bounds);
  add_kinks(plan, point, landscape, bounds);
  if (!plan.model.events().empty()) add_events(plan, point, system_scales(plan, point, shapes), bounds);
  const double curvature = landscape.curvature();
  if (point.values.only().inertial) {
    const double m = point.values.only().mass;
    const bool velocities = sees_velocities(plan), turns = sees_turns(plan);
    bounds.add(std::sqrt(m / curvature), velocities || turns ? swinging_short : swinging, "sqrt(m/max|V''|)");
    bounds.add(m / point.values.only().gamma, velocities ? damping_short : damping, "m/gamma");
    bounds.add(V.length / largest_speed(point, around, V), passing, "the time to pass the smallest structure of V");
    const double omega = std::sqrt(curvature / m), rate = point.values.only().gamma / (2 * m);
    if (rate < omega)
      add_oscillation(plan, std::sqrt(std::max(rate, 1 / duration_of(point)) / std::pow(omega, 3)),
                      begins_far(plan, point, curvature, around.variance), bounds);
    add_pulses(plan, point, std::min(std::sqrt(m / curvature), m / point.values.only().gamma), bounds);
    return bounds.advice;
  }
  bounds.add(1 / curvature, relaxing, "1/max|V''|");
  bounds.add(1 / (around.amplitude * V.crossing + around.force / V.length), crossing,
             "the time to pass the smallest structure of V");
  bounds.add(V.length * V.length / around.variance, diffusing, "the time to diffuse over the smallest structure of V");
  const double passing_alone = V.length / (around.amplitude * V.force + around.constant);
  add_pulses(plan, point, std::min({1 / curvature, passing_alone, V.length * V.length / around.variance}), bounds);
  return bounds.advice;
}

bool passes_over_rates(const Plan& plan, const Point& point, ForceShapes& shapes) {
  if (plan.model.events().empty()) return false;
  const double over = system_scales(plan, point, shapes).over_rate;
  return over > 0 && point.time.dt > 1.2 * resolving.smooth.good * over;
}

bool meets_end_early(const Plan& plan, const Point& point, size_t variable, ForceShapes& shapes) {
  const double time = time_to_end(plan, point, variable);
  if (std::isinf(time)) return false;
  return plan.model.is_system() || time * Landscape(plan, point, shapes).curvature() < 1;
}

void find_scales(const Plan& plan, const std::vector<double>& durations, ForceShapes& shapes) {
  if (!plan.model.is_system() || plan.points.size() == 1) return;
  std::vector<SystemPlace> places;
  for (size_t i = 0; i < plan.points.size(); ++i)
    if (std::isfinite(durations[i]))
      places.push_back({plan.points[i].values, start_of(plan.points[i]), rounded_duration(durations[i])});
  const bool all_given =
      !plan.options.check_step && plan.options.method != "auto" && plan.options.precision != "auto" &&
      std::ranges::all_of(plan.points, [](const Point& point) { return point.asked.dt || point.asked.spp; });
  std::exception_ptr end;
  const auto check = interruption_check();
  const auto with_all_cores = [&](size_t count, const std::function<void(size_t)>& find) {
    Patience patience("the choice of steps", count);
    std::mutex mutex;
    size_t done = 0;
    ThreadPool(threads_of_rank(plan.execution.threads)).run(count, [&](size_t i, unsigned) {
      const InterruptionScope heard(check);
      try {
        check_interruption();
        find(i);
      } catch (const Interruption&) {
        const std::lock_guard lock(mutex);
        end = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      patience.done(done++);
    });
  };
  shapes.find_systems(plan.model, places, all_given ? ForceShapes::Looked::at_some : ForceShapes::Looked::at_unlike,
                      with_all_cores);
  if (end) std::rethrow_exception(end);
}

bool varies(const Model& model) {
  return std::ranges::any_of(model.components(), [](const Component& component) {
    return (*component.plugin)->kind != observed_kind && component.plugin->depends_on_time();
  });
}

void find_speeds(Plan& plan, ForceShapes& shapes) {
  if (!plan.options.check_transient || plan.options.random_phases) return;
  if (!varies(plan.model)) return;
  Patience patience("the choice of halves", plan.points.size());
  for (size_t i = 0; i < plan.points.size(); ++i) {
    plan.points[i].fastest = speed_of(plan, plan.points[i], shapes);
    patience.done(i);
  }
}

std::vector<Reach> reaches_of(const Plan& plan, const Point& point, ForceShapes& shapes) {
  check_interruption();
  std::vector<Reach> reaches(point.values.variables.size());
  size_t velocity = reaches.size();
  for (size_t i = 0; i < reaches.size(); ++i) {
    const VariableValues& variable = point.values.variables[i];
    Reach& reach = reaches[i];
    reach.farthest = farthest_start(point, i);
    if (plan.model.is_system()) {
      const SystemScales& scales = system_scales(plan, point, shapes);
      const double spread = variable.inertial ? 0 : scales.spread * variable.length();
      reach.D = white_noise_on(plan.model, point.values, i);
      if (reach.D == 0 && plan.model.has_amplitude()) reach.D = spread * spread / 2;
      reach.speed = scales.extents[i].rate;
      if (!(variable.period > 0)) reach.farthest = std::max(reach.farthest, scales.extents[i].size);
      if (!variable.inertial) continue;
      reach.acceleration = scales.extents[velocity].rate;
      reach.fastest = scales.extents[velocity].size;
      ++velocity;
      continue;
    }
    const Landscape landscape(plan, point, shapes);
    const double force = landscape.around.amplitude * landscape.V.force + landscape.around.force;
    reach.farthest = std::max(reach.farthest, landscape.V.place);  // where forces that change with time take paths
    reach.D = landscape.around.variance / 2;
    reach.speed = variable.inertial ? largest_speed(point, landscape.around, landscape.V) : force;
    if (!variable.inertial) continue;
    reach.fastest = reach.speed;
    reach.acceleration = force / variable.mass;
    // the friction of aboba is a factor of v
    if (plan.kernel.method != Method::aboba) reach.acceleration += variable.gamma * reach.fastest / variable.mass;
  }
  return reaches;
}

double steepest_change(const Plan& plan, const Point& point, ForceShapes& shapes) {
  double steepest = 0;
  for (const Change& change : shapes.changes(plan.model, point.values, start_of(point), duration_of(point)).of)
    steepest = std::max(steepest, change.steepness);
  return steepest;
}

}  // namespace bmsim
