// The path within a step, for events at zeros of a formula (crossings.h): the parabola that has its ends, and the
// change of its velocity, plus the mean of a Brownian bridge. What noise moves has the bridge's scatter there.
#pragma once
#include "jumps.h"
#include "levels.h"
#include "local.h"

namespace bmsim_kernel {

#if BM_CROSSINGS

class WithinStep {
 protected:
  BM_FN_MEMBER explicit WithinStep(const Parameters& p) : p_(p) {}
  BM_FN_MEMBER void set_slopes(const Fields& fields) {
    if constexpr (BM_FIELDS > 0)
      BM_UNROLL for (int k = 0; k < BM_PHASES; k++) per_step_[k] = (real)p_.phase_per_step[k];
    fields.set_slopes(per_step_);
  }

  template <class X>
  BM_FN_MEMBER void values(const Motion<X>& z, const Local<X>& local, X (&value)[BM_CROSSINGS]) const {
    crossing_values(z.u, z.v, local.phases(), p_, value);
  }
  // Change of a phase per step.
  BM_FN_MEMBER real per_step(int phase) const {
    return BM_FIELDS > 0 ? per_step_[phase] : (real)p_.phase_per_step[phase];
  }
  template <class L>
  BM_FN_MEMBER void advance_phases([[maybe_unused]] L& local, [[maybe_unused]] const Part& steps) const {
    if constexpr (BM_PHASES > 0) {
      BM_UNROLL for (int k = 0; k < BM_PHASES; k++) local.phase[k] = fma(steps, per_step(k), local.phase[k]);
      local.outside = outside_at(local.phase, p_);
    }
  }
  // All that acts from outside, with noises as they are there.
  template <class L, class X>
  BM_FN_MEMBER Outside<X> acting(const L& local, [[maybe_unused]] const Motion<X>& z,
                                 [[maybe_unused]] const Factors<X>& factors) const {
    Outside<X> outside = local.outside;
    if constexpr (BM_METHOD == BM_ABOBA && BM_PHASES > 0) outside = outside_at(local.phase, p_);
    if constexpr (BM_EVOLVING > 0) add_present(outside, z.evolving, p_);
    if constexpr (BM_FACTORS > 0) add_factors(outside, factors);
    return outside;
  }
  // Changes per step by all that is not white noise.
  template <class D>
  BM_FN_MEMBER Stage<Part> rates(const Motion<Part>& z, const Outside<Part>& outside,
                                 const PerVariable<D>& drift) const {
    Part f[VARIABLES];
    Stage<Part> rate;
    begin_forces(drift, outside, f);
    model_forces(z.u, z.v, outside, p_, f);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      const VariableParameters& q = p_.variable[i];
      if (is_inertial(i)) {
        const int k = velocity_of(i);
        rate.u[i] = z.v[k] * (q.per_length * p_.dt);
        rate.v[k] = fma(z.v[k], -q.gamma, f[i]) * (q.per_mass * p_.dt);
      } else {
        if constexpr (DRIVEN_START) f[i] = f[i] + Part(outside.force[0]);
        rate.u[i] = f[i] * q.h;
        if constexpr (!DRIFT_IN_FORCES) rate.u[i] = rate.u[i] + Part(drift.of[i]);
      }
    }
    return rate;
  }
  // What a path is away from a straight line at the fraction f of a step, in units of f (1 - f): of parabolas that
  // begin with the rates there, or, of what noise moves, have the change of the rates.
  template <class D>
  BM_FN_MEMBER Stage<Part> bend_of(const Motion<Part>& begin, const Local<Part>& before, const Motion<Part>& end,
                                   const Local<Part>& after, const Part& length, const PerVariable<D>& drift,
                                   const Factors<Part>& factors) const {
    const Stage<Part> first = rates(begin, acting(before, begin, factors), drift);
    const Stage<Part> last = rates(end, acting(after, end, factors), drift);
    Stage<Part> bend;
    const auto bent = [&](bool noisy, bool walled, const Part& from, const Part& to, const Part& rate,
                          const Part& last_rate) BM_FN_LAMBDA {
      if (walled) return Part((real)0);
      return noisy ? (rate - last_rate) * (length * (real)0.5) : fma(rate, length, from - to);
    };
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      const bool noisy = has(BM_WHITE | BM_MULTIPLIED, i), walled = has(BM_WALLED, i);
      bend.u[i] = bent(noisy && !is_inertial(i), walled, begin.u[i], end.u[i], first.u[i], last.u[i]);
      if (is_inertial(i)) {
        const int k = velocity_of(i);
        bend.v[k] = bent(noisy, walled, Part(begin.v[k]), Part(end.v[k]), first.v[k], last.v[k]);
      }
    }
    return bend;
  }
  BM_FN_MEMBER static Stage<Part> on_way(const Motion<Part>& begin, const Motion<Part>& end, const Stage<Part>& bend,
                                         const Part& f) {
    Stage<Part> place;
    const Part away = f * ((real)1 - f);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) place.u[i] =
        fma(bend.u[i], away, fma(end.u[i] - begin.u[i], f, begin.u[i]));
    BM_UNROLL for (int k = 0; k < VELOCITIES; k++) place.v[k] =
        fma(bend.v[k], away, fma(end.v[k] - begin.v[k], f, begin.v[k]));
    return place;
  }
  // The fraction of a step at which formula k is 0, or just beyond it, for the trajectories of a mask. Trials are at
  // the zero of the parabola through both ends of what is left and the end before (D. E. Muller, Math. Tables Aids
  // Comput. 10, 208, 1956), of the line at first, and now and then in the middle. Where the step begins at a zero
  // (slack > 0) it is the formula over the fraction that is followed, whose value at the beginning is the formula's
  // slope.
  template <class L, class M>
  BM_FN_MEMBER Part zero(int k, const M& mine, const Motion<Part>& begin, const L& local, const Motion<Part>& end,
                         const Stage<Part>& bend, const Part& length, const Part& at_end, const Part& slack,
                         const Part& rest_at) const {
    const auto from_zero = slack > (real)0;
    const Part sign = select(begin.crossing[k] < (real)0, Part((real)1), Part((real)-1));
    Part low = Part((real)0), high = Part((real)1), third = low, above = (at_end - rest_at) * sign;
    Part below = absolute(begin.crossing[k]) * select(from_zero, length * ((real)-1 / AHEAD), (real)-1), other = below;
    const Part enough = (above - below) * PRECISE, aim = enough * (real)0.5;
    auto open = mine & (above > enough);
    BM_NO_UNROLL for (int trial = 0; trial < TRIALS; trial++) {
      const Part width = high - low, slope = (above - below) / maximum(width, TINY);
      const Part apart = (third - low) * (third - high);
      const Part curvature = select(absolute(apart) > TINY, fma(slope, low - third, other - below) / apart, (real)0);
      const Part first = fma(curvature, (real)0 - width, slope), to_go = aim - below;
      const Part last = sqrt(maximum(fma(curvature * (real)4, to_go, first * first), (real)0));
      Part f = fma(to_go, (real)2 / maximum(first + last, TINY), low);
      if (trial % 4 == 3) f = (low + high) * (real)0.5;
      f = minimum(maximum(f, low), high);
      const Part value = (formula_at(k, begin, local, end, bend, length, f) - rest_at) * sign;
      const Part followed = select(from_zero, value / maximum(f, TINY), value);
      // a trajectory that has found its zero does not notice how long others search
      const auto beyond = open & (followed >= (real)0), before = open & (followed < (real)0);
      third = select(beyond, high, select(before, low, third));
      other = select(beyond, above, select(before, below, other));
      below = select(before, followed, below);
      above = select(beyond, followed, above);
      low = select(before, f, low);
      high = select(beyond, f, high);
      open = open & (above > enough);
      if (!any(open)) break;
    }
    return high;
  }
  template <class L>
  BM_FN_MEMBER Part formula_at(int k, const Motion<Part>& begin, [[maybe_unused]] const L& local,
                               const Motion<Part>& end, const Stage<Part>& bend, [[maybe_unused]] const Part& length,
                               const Part& f) const {
    const Stage<Part> place = on_way(begin, end, bend, f);
    Part value[BM_CROSSINGS];
    if constexpr (BM_PHASES > 0) {
      Part phase[PHASES];
      BM_UNROLL for (int j = 0; j < BM_PHASES; j++) phase[j] = fma(f * length, per_step(j), local.phase[j]);
      crossing_values(place.u, place.v, phase, p_, value);
    } else {
      crossing_values(place.u, place.v, (const real*)0, p_, value);
    }
    Part mine = value[0];
    BM_UNROLL for (int j = 1; j < BM_CROSSINGS; j++) mine = j == k ? value[j] : mine;
    return mine;
  }
  // At a zero a path that passes it fast is more likely than a slow one, in proportion to the speed of the formula, u.
  // Gives the scatter that changes u, in its direction, the law u [g(u - m) - g(u + m)], u > 0, where g is the normal
  // law and m the mean: that of the distance of a three-dimensional normal point from 0.
  template <class D>
  BM_FN_MEMBER void weigh(White<Part>& white, const Part& energy, const Motion<Part>& z, const Local<Part>& local,
                          const Part& which, const Motion<Part>& begin, const Outside<Part>& outside,
                          const Part& length, const Part& size, const PerVariable<D>& drift,
                          const Factors<Part>& factors) const {
    const auto speed = [&](const Motion<Part>& at) {
      Part here[BM_CROSSINGS], ahead[BM_CROSSINGS];
      values(at, local, here);
      look_ahead(at, local, drift, factors, ahead);
      Part change = Part((real)0);
      BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) {
        const Part up = ahead[k] - here[k];
        change = select(which == (real)k, select(begin.crossing[k] < (real)0, up, (real)0 - up), change);
      }
      return change;
    };
    const Part mean = speed(z);
    Part along[BM_SOURCES], squares = Part((real)0), sum = Part((real)0);
    BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) {
      White<Part> one;
      BM_UNROLL for (int j = 0; j < BM_SOURCES; j++) one.of[j] = Part(j == k ? source_deviation(k, p_) : (real)0);
      Motion<Part> moved = z;
      scatter(moved, one, outside, length, size);
      along[k] = speed(moved) - mean;
      squares = fma(along[k], along[k], squares);
      sum = fma(along[k], white.of[k] * ((real)1 / maximum(source_deviation(k, p_), TINY)), sum);
    }
    const Part u = sqrt(fma(mean + sum, mean + sum, squares * energy * (real)2));
    const Part more = (u - mean - sum) / maximum(squares, TINY);
    BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) white.of[k] =
        fma(select(squares > (real)0, along[k] * more, (real)0), source_deviation(k, p_), white.of[k]);
  }
  // Adds the scatter of what noise moves within a step of this length.
  template <class X>
  BM_FN_MEMBER void scatter(Motion<X>& z, const White<X>& fresh, const Outside<X>& outside, const X& length,
                            const X& size) const {
    X xi[VARIABLES];
    [[maybe_unused]] X multiplied[VARIABLES];
    white_increments(fresh, p_, xi);
    if constexpr (BM_MULTIPLIED) multiplied_increments(z.u, z.v, outside, p_, of_step(fresh, length), multiplied);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      X change = X((real)0);
      if (has(BM_WHITE, i)) change = xi[i] * shrink(i, length, p_);
      if (has(BM_MULTIPLIED, i)) change = change + multiplied[i];
      if (is_inertial(i))
        z.v[velocity_of(i)] = fma(change, size, z.v[velocity_of(i)]);
      else
        z.u[i] = fma(change, size, z.u[i]);
    }
  }
  // The sums of v^2 in the part of a step before an event.
  BM_FN_MEMBER void add_squares([[maybe_unused]] Motion<Part>& z, [[maybe_unused]] const Motion<Part>& begin,
                                [[maybe_unused]] const Part& steps) const {
    if constexpr (BM_SQUARES) BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
        if (!is_inertial(i)) continue;
        const int k = velocity_of(i);
        const Part mean = fma(z.v[k], z.v[k], begin.v[k] * begin.v[k]) * (real)0.5;
        const real unit = BM_METHOD == BM_ABOBA ? (real)1 / p_.variable[i].square : (real)1;
        z.squares[k] = fma((mean - constant_square(i, p_)) * steps, Part(unit), begin.squares[k]);
      }
  }
  // The formulas a little later, on the way that the path takes from there.
  template <class D>
  BM_FN_MEMBER void look_ahead(const Motion<Part>& z, const Local<Part>& local, const PerVariable<D>& drift,
                               const Factors<Part>& factors, Part (&value)[BM_CROSSINGS]) const {
    const Stage<Part> rate = rates(z, acting(local, z, factors), drift);
    Motion<Part> ahead = z;
    Local<Part> later = local;
    advance_phases(later, Part(AHEAD));
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) ahead.u[i] = fma(rate.u[i], AHEAD, z.u[i]);
    BM_UNROLL for (int k = 0; k < VELOCITIES; k++) ahead.v[k] = fma(rate.v[k], AHEAD, z.v[k]);
    values(ahead, later, value);
  }
  // The rest of a step, from `from`; end: what has come of the whole step without the event.
  template <class D>
  BM_FN_MEMBER void make_rest(Motion<Part>& z, const Motion<Part>& from, const Local<Part>& local,
                              const Motion<Part>& end, const Local<Part>& after, const Part& rest,
                              const White<Part>& white, const PerVariable<D>& drift,
                              const Factors<Part>& factors) const {
    Outside<Part> first = acting(local, from, factors), last = acting(after, end, factors);
    if constexpr (BM_METHOD == BM_ABOBA) {
      if constexpr (BM_PHASES > 0) {
        Local<Part> middle = local;
        advance_phases(middle, rest * (real)0.5);
        const Outside<Part> begun = acting(middle, from, factors), ended = acting(middle, end, factors);
        first = begun, last = ended;
      }
      each_member(first, last, [](Part& a, const Part& b) { a = (a + b) * (real)0.5; });
      last = first;
    }
    const Numbers<Part> none{};  // noises with increments of their own have events at the ends of steps alone
    Counters::before_step(z, rest, first, last, p_);
    Push<Part> push;
    move(z, rest, white, none, drift, first, last, p_, push);
    if constexpr (BM_WALLS) bounce(z, rest, drift, last, p_);
    if constexpr (!BM_FIELDS) Counters::after_step(z, rest, last, p_);
    BM_UNROLL for (int k = 0; k < BM_EVOLVING; k++) z.evolving[k] = end.evolving[k];
  }

  // By how much a path is taken for nearer to a zero, see levels.h: by the deviation of its formula in a step from
  // there on.
  template <class E, class X>
  BM_FN_MEMBER auto overshoot_of(E, [[maybe_unused]] const Motion<X>& z, [[maybe_unused]] const Local<X>& local) const {
    if constexpr (!E::diffuses) {
      return (real)0;
    } else {
      const X deviation =
          deviation_of(z.u, z.v, local.outside, BM_WHITE, p_, [&](const auto& u, const auto& v) BM_FN_LAMBDA {
            Dual<X> value[BM_CROSSINGS];
            crossing_values(u, v, local.phases(), p_, value);
            return value[E::crossing];
          });
      return deviation * (real)overshoot_of_walk(BM_SOURCES);
    }
  }

  const Parameters& p_;

 private:
  static constexpr real PRECISE = (real)(SINGLE ? 3e-7 : 1e-14);  // of a formula's change in a step: a zero is found
  static constexpr int TRIALS = 48;                               // of a zero
  static constexpr real AHEAD = (real)0.125;                      // steps
  real per_step_[PHASES];                                         // with mean fields
};

#endif

}  // namespace bmsim_kernel
