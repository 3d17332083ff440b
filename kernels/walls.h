// Walls that reflect variables. each_wall(p, f) of model.h calls f(variable, whether the wall is above, its place) for
// each.
//
// White noise crosses a wall and comes back many times in a step. A mirrored step of Brownian motion has the law of the
// reflected motion, exactly for one wall and no force; with forces the scheme is of weak order 1 (M. Bossy, E. Gobet,
// D. Talay, J. Appl. Probab. 41, 877, 2004). To set what is beyond a wall on the wall would be of order 1/2. Forces act
// with the mean of the side on which a path is in the step, which takes away the largest part of the error. What no
// noise moves does not come back: a force that presses it to a wall holds it there.
#pragma once
#include "dual.h"
#include "motion.h"

namespace bmsim_kernel {

// What walls have pushed each variable by in a step.
template <class X, bool HAS = (BM_STICKY != 0)> struct Push {};
template <class X> struct Push<X, true> {
  X of[VARIABLES];
  BM_FN_MEMBER Push() { BM_UNROLL for (int i = 0; i < VARIABLES; i++) of[i] = X((real)0); }
};

// Whether steps of variable i that end beyond a wall have the law of Brownian motion there (reflect_by_law).
BM_FN constexpr bool by_law(int i) {
  return has(BM_WALLED, i) && has(BM_WHITE, i) && !has(BM_MULTIPLIED, i) && !is_inertial(i);
}

template <class X> BM_FN auto is_beyond(const X& u, bool above, real wall) { return above ? u > wall : u < wall; }

// The walls of a variable that has two. each_wall has come to the lower ones before: after an image at both, nothing is
// above the higher one.
struct Box {
  real low, high;
};
BM_FN Box box_of(int i, const Parameters& p) {
  Box box = {};
  each_wall(p, [&](int j, bool above, real wall) BM_FN_LAMBDA {
    if (j == i) (above ? box.high : box.low) = wall;
  });
  return box;
}
// Mirrors u at both walls in turn until it is between them. Returns whether that was an odd number of times. What is
// subtracted are whole pairs of images, again and again: of a very large number the first quotient is not exact. Of
// such a number only the digits that it has decide the place. What is not finite becomes nan, and diverges.
template <class X> BM_RARE auto fold(X& u, const Box& box) {
  const real width = box.high - box.low, period = width + width;
  constexpr int MOST = SINGLE ? 16 : 64;  // times: each takes off all digits but the last
  X y = u - box.low;
  BM_NO_UNROLL for (int k = 0; k < MOST && any(y < (real)0 || y > period); k++) y = fma(floor(y / period), -period, y);
  const auto odd = y > width;
  y = box.low + select(odd, period - y, y);
  y = select(y < box.low, X(box.low), y);
  u = select(y > box.high, X(box.high), y);
  return odd;
}
template <class Z, class M> BM_FN void turn_velocity(Z& z, int i, const M& mask) {
  if constexpr (VELOCITIES > 0) {
    auto& v = z.v[velocity_of(i)];
    if (is_inertial(i)) v = select(mask, (real)0 - v, v);
  }
}
// u mirrored once at each wall of variable i.
template <class X> BM_FN X mirrored(int i, X u, const Parameters& p) {
  each_wall(p, [&](int j, bool above, real wall) BM_FN_LAMBDA {
    if (j != i) return;
    const X image = wall + wall - u;
    u = above ? minimum(u, image) : maximum(u, image);
  });
  return u;
}
// The same as often as it takes.
template <class X> BM_FN X folded(int i, const X& u, const Parameters& p) {
  if (!has(BM_BOXED, i)) return mirrored(i, u, p);
  const Box box = box_of(i, p);
  const real both = (box.high - box.low) * 2, per_both = (real)1 / both;
  const X turns = fma(u, per_both, -box.low * per_both);
  return fma(absolute(turns - rint(turns)), both, X(box.low));
}
// After one image at each wall: puts between them what a long jump has taken so far that it still is outside.
template <bool BY_MOTION, class Z> BM_FN void fold_rest(Z& z, const Parameters& p) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    if (!has(BM_BOXED, i) || (BY_MOTION && by_law(i))) continue;
    const Box box = box_of(i, p);
    if (__builtin_expect(any_below(z.u[i], box.low), 0)) {
      const auto outside = z.u[i] < box.low;
      auto inside = z.u[i];
      const auto odd = fold(inside, box);
      z.u[i] = select(outside, inside, z.u[i]);
      turn_velocity(z, i, odd && outside);
    }
  }
}
// Whether a step of variable i crosses a wall and comes back, as noise does. What else moves a variable without inertia
// holds it at the wall.
BM_FN bool comes_back(int i, const Parameters& p) {
  return is_inertial(i) || has(BM_MULTIPLIED, i) || BM_OWN_INCREMENTS || (BM_GATHERED_IMPULSES && has(BM_KICKED, i)) ||
         white_deviation(i, p) > 0;
}
template <class X> BM_FN X before_wall(int i, const X& beyond, real wall, const Parameters& p) {
  return comes_back(i, p) ? wall + wall - beyond : X(wall);
}
// Puts what is beyond a wall as far before it, or, BY_MOTION, on the wall where it does not come back, and turns its
// velocity. z: a Motion or a Place.
template <bool BY_MOTION, class Z> BM_FN void reflect(Z& z, const Parameters& p) {
  each_wall(p, [&](int i, bool above, real wall) BM_FN_LAMBDA {
    if (BY_MOTION && by_law(i)) return;
    const auto beyond = is_beyond(z.u[i], above, wall);
    z.u[i] = select(beyond, BY_MOTION ? before_wall(i, z.u[i], wall, p) : wall + wall - z.u[i], z.u[i]);
    turn_velocity(z, i, beyond);
  });
  fold_rest<BY_MOTION>(z, p);
}

// The same of predicted positions of variables without inertia; turned: -1 for those that it has mirrored, else 1. What
// still is outside is set on the wall. Where a jump of several widths ends, the force so has an error of order 0, as
// rare as such jumps: the scheme is of order 1 with it, and without jumps nothing comes so far.
template <class Y, class X> BM_FN void mirror(Y (&u)[VARIABLES], const Parameters& p, X (&turned)[VARIABLES]) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) turned[i] = X((real)1);
  each_wall(p, [&](int i, bool above, real wall) BM_FN_LAMBDA {
    if (is_inertial(i) || by_law(i)) return;
    const auto beyond = is_beyond(value_of(u[i]), above, wall);
    u[i] = select(beyond, before_wall(i, u[i], wall, p), u[i]);
    turned[i] = select(beyond, (real)0 - turned[i], turned[i]);
  });
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    if (by_law(i)) u[i] = moved_from(u[i], mirrored(i, value_of(u[i]), p));
    if (!has(BM_BOXED, i) || is_inertial(i)) continue;
    const X low = X(box_of(i, p).low);
    u[i] = select(value_of(u[i]) < low, moved_from(u[i], low), u[i]);
  }
}

// Forces on variables with inertia that are not the same on both sides of a wall (BM_BEHIND): a path is behind it until
// the end of the step, and the force on it is the one as far before the wall. u: where forces are computed.
template <class Y> BM_FN void bring_before_walls(Y (&u)[VARIABLES], const Parameters& p) {
  each_wall(p, [&](int i, bool above, real wall) BM_FN_LAMBDA {
    if (!has(BM_BEHIND, i)) return;
    u[i] = select(is_beyond(value_of(u[i]), above, wall), wall + wall - u[i], u[i]);
  });
}

// Where a path is that diffuses for a step from a distance before a wall, with a drift that moves it by `move` away
// from the wall, and would be at `depth` behind it; noise: what it would have gone to the wall by noise, in deviations
// of the step. The paths that would be behind the wall keep their order, and have the law of the reflected motion:
//   exp(2 move x) N(-x - distance - move) = N(-depth - distance - move)
// in deviations (J. M. Harrison, Brownian Motion and Stochastic Flow Systems, 1985, section 1.9; N: the normal law).
// Without a drift x is the mirrored place. Here to second order in the drift; Mills' ratio is a fraction, above/below,
// with its values at 0 and infinity, to 8e-5. For a constant force the mean distance from the wall is right to 0.1, 0.6
// and 5 % where a step's move is 0.3, 0.6 and 1.6 deviations. twice: 2 move, and bending: 2 move^2, in deviations.
template <class X> BM_FN X place_of_reflected(const X& depth, const X& noise, const X& twice, const X& bending) {
  constexpr real lowest = -1;  // the fraction is of use from there
  const X z = maximum(noise, lowest);
  const X above = fma(z, z + (real)4.0993841, (real)6.7125782);
  const X below = fma(z, fma(z, z + (real)4.1061796, (real)7.5517176), (real)5.3558626);
  const X share = reciprocal(maximum(fma(-twice, above, below), below * (real)0.1));
  const X bend = fma(z, above, -below) * (above * share) * share * (depth * bending);
  const X x = depth * (below * share);
  return fma(x, maximum(bend, (real)-0.5), x);
}

// Puts the end u of a step of variable i, whose white noise has no amplitude, before the wall beyond which it is. from:
// where the step began; move: by forces in the step. Where no noise moves it, it stays at the wall. What may be the
// same in all steps comes first: compilers take it out of their loop.
template <class X, class H>
BM_FN void reflect_by_law(int i, X& u, const X& from, const X& move, const H& h, const Parameters& p) {
  const real deviation = white_deviation(i, p);
  const auto variance = h * quotient(deviation * deviation, p.variable[i].h);
  const auto unit = inverse_root(maximum(variance, TINY));
  const X by = move * unit, twice = by + by, bending = twice * by * unit;
  if (!has(BM_PRESSED, i)) {
    u = folded(i, u, p);
    return;
  }
  // In a box places are relative to its middle.
  Box box = {};
  real wall = 0;
  bool is_above = false;
  each_wall(p, [&](int j, bool above, real place) BM_FN_LAMBDA {
    if (j != i) return;
    (above ? box.high : box.low) = place;
    wall = place, is_above = above;
  });
  const real middle = (box.low + box.high) * (real)0.5, half = (box.high - box.low) * (real)0.5;
  const X off = u - middle;
  const X depth = has(BM_BOXED, i) ? absolute(off) - half : is_above ? u - wall : wall - u;
  const auto beyond = depth > (real)0;
  if (!any(beyond)) return;
  const X noise = (u - from - move) * unit;
  X x, place;
  if (has(BM_BOXED, i)) {
    const X side = copysign(X((real)1), off);
    x = place_of_reflected(depth, X(noise * side), X(-twice * side), bending);
    place = fma(side, half - (deviation > 0 ? x : X((real)0)), X(middle));
    const auto further = beyond && !(x <= half + half);
    if (__builtin_expect(any(further), 0)) {
      X folded_place = place;
      fold(folded_place, box);
      place = select(further, folded_place, place);
    }
  } else {
    x = place_of_reflected(depth, is_above ? noise : -noise, is_above ? -twice : twice, bending);
    x = deviation > 0 ? x : X((real)0);
    place = is_above ? wall - x : wall + x;
  }
  u = select(beyond, place, u);
}

// The same of all variables; force, constant: their mean in the step.
template <class Y, class X, class H>
BM_FN void reflect_by_law(Y (&u)[VARIABLES], const Y (&from)[VARIABLES], const X (&force)[VARIABLES], const X& constant,
                          const H (&h)[VARIABLES], const Parameters& p, [[maybe_unused]] Push<X>& push) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    if (!by_law(i)) continue;
    const X straight = value_of(u[i]);
    X end = straight;
    reflect_by_law(i, end, value_of(from[i]), X((force[i] + constant) * h[i]), h[i], p);
    if constexpr (BM_STICKY) push.of[i] = end - straight;
    u[i] = moved_from(u[i], end);
  }
}

// Where noise has an amplitude, all of the forces at the end of a step act, or, on a path that is predicted behind a
// wall (turned), none at both ends. Constant forces of the only variable are not among these: they are in `constant`.
template <class Y, class X> BM_FN void take_turned(int i, Y& there, const Y& f, const X& constant, const X& turned) {
  if (!has(BM_WALLED, i) || !has(BM_MULTIPLIED, i)) return;
  const X counts = select(turned < (real)0, X((real)0), X((real)1));
  there = there - (f + there + constant * (real)2) * ((real)1 - counts);
}

// Sticky walls hold a path for a time l L/D after a step in which they have pushed it by L (l: the adsorption length),
// as in the time change of K. Ito and H. P. McKean (Illinois J. Math. 7, 181, 1963). L is what its
// reflection has moved it by; so its mean is exact, and L (L/2 - the distance from the wall) vanishes where no force
// acts, as its mean does for the local time. This makes the scheme of weak order 1 (docs/validation.md). The debt
// of time is paid in whole steps, up to half a step, which the next push takes over. The path stands at the wall while
// it lasts.
BM_FN constexpr int sticky_of(int i) { return index_of(BM_STICKY, i); }
BM_FN real steps_of(WholeStep) { return 1; }
template <class X> BM_FN X steps_of(X fraction) { return fraction; }
template <class X, class L> BM_FN auto is_held(const Motion<X>& z, int i, L length) {
  return z.debt[sticky_of(i)] > X(steps_of(length) * (real)0.5);
}

// Reflects a motion without inertia, and lets sticky walls hold it.
template <class X, class L> BM_FN void stick(Motion<X>& z, L length, const Push<X>& pushed, const Parameters& p) {
  X straight[VARIABLES], push[VARIABLES], place[VARIABLES];
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) straight[i] = z.u[i], push[i] = X((real)0), place[i] = z.u[i];
  reflect<true>(z, p);
  each_sticky_wall(p, [&](int i, bool above, real wall, real adsorption, real opposite) BM_FN_LAMBDA {
    const real deviation = white_deviation(i, p);
    const real steps = (above ? (real)-2 : (real)2) * adsorption / (deviation * deviation);
    const auto near = absolute(z.u[i] - wall) < absolute(z.u[i] - opposite);
    push[i] = select(near, pushed.of[i] * steps, push[i]);
    place[i] = select(near, X(wall), place[i]);
  });
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    if (!has(BM_STICKY, i)) continue;
    X &debt = z.debt[sticky_of(i)], &beyond = z.beyond[sticky_of(i)];
    const auto held = is_held(z, i, length);
    debt = select(held, debt - steps_of(length), debt + push[i]);
    const auto stays = is_held(z, i, length);
    beyond = select(held, beyond, z.u[i]);
    z.u[i] = select(stays, select(held, straight[i], place[i]), beyond);
  }
}

// Reflects a motion after a step of this length. With inertia it has met the wall within the step, and since then the
// forces at the wall have acted on it in the other direction; where they depend on velocities, also on other variables.
template <class X, class L, class D, class O>
BM_FN void bounce(Motion<X>& z, L length, const PerVariable<D>& drift, const O& after, const Parameters& p) {
  if constexpr ((BM_WALLED & BM_INERTIAL) == 0) {
    reflect<true>(z, p);
  } else {
    bool some = false;
    each_wall(p,
              [&](int i, bool above, real wall) BM_FN_LAMBDA { some = any(is_beyond(z.u[i], above, wall)) || some; });
    if (!some) return;
    Motion<X> mirrored = z;
    reflect<true>(mirrored, p);
    X f[VARIABLES], straight[VARIABLES];  // with velocities after and before the bounce
    begin_forces(drift, after, f);
    begin_forces(drift, after, straight);
    model_forces(mirrored.u, mirrored.v, after, p, f);
    model_forces(mirrored.u, z.v, after, p, straight);
    each_wall(p, [&](int i, bool above, real wall) BM_FN_LAMBDA {
      const auto beyond = is_beyond(z.u[i], above, wall);
      if (!is_inertial(i)) {
        z.u[i] = select(beyond, mirrored.u[i], z.u[i]);
        return;
      }
      X &u = z.u[i], &v = z.v[velocity_of(i)];
      const X force = (f[i] + straight[i]) * (real)0.5;
      const X a = force * p.variable[i].per_mass, step = X(time_of(length, p));
      // since then; a particle that hardly moves has met it at any time
      const X way = absolute(u - wall), speed = absolute(v) * p.variable[i].per_length;
      const X since = select(way < speed * step, way / maximum(speed, TINY), step);
      const X back = fma(a * since * since, p.variable[i].per_length, wall + wall - u);
      u = select(beyond, select(is_beyond(back, above, wall), X(wall), back), u);
      v = select(beyond, fma(a * (real)2, since, (real)0 - v), v);
      const X bounced = select(beyond, since, X((real)0));
      BM_UNROLL for (int j = 0; j < VARIABLES; j++) {
        if (j == i) continue;
        const X change = (f[j] - straight[j]) * bounced;
        if (is_inertial(j))
          z.v[velocity_of(j)] = fma(change, X(p.variable[j].per_mass), z.v[velocity_of(j)]);
        else
          z.u[j] = fma(change, X(p.variable[j].h / p.dt), z.u[j]);
      }
    });
    fold_rest<true>(z, p);
  }
}

// What events have taken beyond walls.
template <class P> BM_FN void keep_within_walls([[maybe_unused]] P& place, [[maybe_unused]] const Parameters& p) {
  if constexpr (BM_WALLS) reflect<false>(place, p);
}

}  // namespace bmsim_kernel
