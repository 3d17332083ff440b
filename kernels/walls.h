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

// What forces of a step that have been turned behind a wall would have moved each variable by in addition.
template <class X, bool HAS = (BM_STICKY != 0)> struct Lack {};
template <class X> struct Lack<X, true> {
  X of[VARIABLES];
  BM_FN_MEMBER Lack() { BM_UNROLL for (int i = 0; i < VARIABLES; i++) of[i] = X((real)0); }
};

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
// After one image at each wall: puts between them what a long jump has taken so far that it still is outside.
template <class Z> BM_FN void fold_rest(Z& z, const Parameters& p) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    if (!has(BM_BOXED, i)) continue;
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
    const auto beyond = is_beyond(z.u[i], above, wall);
    z.u[i] = select(beyond, BY_MOTION ? before_wall(i, z.u[i], wall, p) : wall + wall - z.u[i], z.u[i]);
    turn_velocity(z, i, beyond);
  });
  fold_rest(z, p);
}

// The same of predicted positions of variables without inertia; turned: -1 for those that it has mirrored, else 1. What
// still is outside is set on the wall. Where a jump of several widths ends, the force so has an error of order 0, as
// rare as such jumps: the scheme is of order 1 with it, and without jumps nothing comes so far.
template <class Y, class X> BM_FN void mirror(Y (&u)[VARIABLES], const Parameters& p, X (&turned)[VARIABLES]) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) turned[i] = X((real)1);
  each_wall(p, [&](int i, bool above, real wall) BM_FN_LAMBDA {
    if (is_inertial(i)) return;
    const auto beyond = is_beyond(value_of(u[i]), above, wall);
    u[i] = select(beyond, before_wall(i, u[i], wall, p), u[i]);
    turned[i] = select(beyond, (real)0 - turned[i], turned[i]);
  });
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
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

// Of a path that diffuses from a distance a before a wall, and without the wall would be at b, negative behind it, both
// in deviations of the step: the mean of the side on which it is in the step, 1 before the wall and -1 behind it, by
// the law of a Brownian bridge. Mills' ratio by a fraction with its values at 0 and infinity, to 8e-5.
template <class X> BM_FN X mean_side(const X& a, const X& b) {
  const X way = a + absolute(b);
  const X above = fma(way, way + (real)4.0993841, (real)6.7125782);
  const X below = fma(way, fma(way, way + (real)4.1061796, (real)7.5517176), (real)5.3558626);
  const X mills = quotient(above, below);
  const X met = exp(minimum(a * b * (real)-2, (real)0));
  return select(b > (real)0, (real)1 - met * fma(way, (real)0 - mills, (real)1), (a + b) * mills);
}

// The share of the forces on variable i that moves a path from u0 in a step: unfolded at the walls, a path behind them
// is moved in the other direction. To first order in the force this is the mean of the side on the way, with which the
// law at the wall is right. u: where the path would be without the force f and walls; h: of the step.
template <class X, class H>
BM_FN X share_of_forces(int i, const X& u0, const X& u, const X& f, const H& h, const Parameters& p) {
  constexpr real far = 8;           // deviations squared: exp(-16) of the paths meet the wall from there
  constexpr real weakest = 4e-6;    // square of the motion by the force, in deviations: less makes no error to be seen
  constexpr real strongest = 2.25;  // the same; where it is more, a path that would cross the wall stays
  X share = X((real)1);
  if (!has(BM_WALLED, i) || has(BM_MULTIPLIED, i) || is_inertial(i) || !comes_back(i, p)) return share;
  if (!any(absolute(f) > (real)0)) return share;  // as in a free box
  const real deviation = white_deviation(i, p);
  const auto unit = inverse_root(maximum(h * quotient(deviation * deviation, p.variable[i].h), TINY));
  const X move = f * h * unit;  // all else is in deviations, too
  const auto moves = move * move > X(weakest);
  if (!any(moves)) return share;
  X wall = X((real)0), side = X((real)0);  // the wall that is nearer to the path, and 1 if it is below
  bool found = false;
  each_wall(p, [&](int j, bool above, real place) BM_FN_LAMBDA {
    if (j != i) return;
    const X other = X(above ? (real)-1 : (real)1);
    if (found) {  // the one above, after the one below
      const auto nearer = place - u0 < u - wall;
      wall = select(nearer, X(place), wall), side = select(nearer, other, side);
    } else {
      wall = X(place), side = other, found = true;
    }
  });
  const X from = (u0 - wall) * side * unit, to = (u - wall) * side * unit, by = move * side, end = to + by;
  const auto near = moves && from * minimum(to, end) < far;
  if (!any(near)) return share;
  const X before = maximum(from, (real)0);
  const X mean = mean_side(before, fma(by * (real)0.5, mean_side(before, to), to));
  const X stays = select(end < (real)0, X((real)0), X((real)1));
  return select(near, select(by * by < strongest, mean, stays), share);
}

// Takes from the force on variable i at the end of a step what makes the sum of both ends that share of the forces.
// Constant forces of the only variable are not among these: they are in `constant`. Where noise has an amplitude, all
// of the forces act, or, on a path that is predicted behind a wall (turned), none.
template <class Y, class X>
BM_FN void take_share(int i, Y& there, const Y& f, const X& constant, const X& share, const X& turned) {
  if (!has(BM_WALLED, i)) return;
  const X counts = has(BM_MULTIPLIED, i) ? select(turned < (real)0, X((real)0), X((real)1)) : share;
  there = there - (f + there + constant * (real)2) * ((real)1 - counts);
}

// Sticky walls hold a path for a time l L/D after a step in which they have pushed it by L (l: the adsorption length),
// as in the time change of K. Ito and H. P. McKean (Illinois J. Math. 7, 181, 1963). L is what the step and its
// reflection have moved it by, less forces and noise; so its mean is exact, and L (L/2 - the distance from the wall)
// vanishes, as its mean does for the local time. This makes the scheme of weak order 1 (docs/validation.md). The debt
// of time is paid in whole steps, up to half a step, which the next push takes over. The path stands at the wall while
// it lasts.
BM_FN constexpr int sticky_of(int i) { return index_of(BM_STICKY, i); }
BM_FN real steps_of(WholeStep) { return 1; }
template <class X> BM_FN X steps_of(X fraction) { return fraction; }
template <class X, class L> BM_FN auto is_held(const Motion<X>& z, int i, L length) {
  return z.debt[sticky_of(i)] > X(steps_of(length) * (real)0.5);
}

// Reflects a motion without inertia, and lets sticky walls hold it.
template <class X, class L> BM_FN void stick(Motion<X>& z, L length, const Lack<X>& lack, const Parameters& p) {
  X straight[VARIABLES], push[VARIABLES], place[VARIABLES];
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) straight[i] = z.u[i], push[i] = X((real)0), place[i] = z.u[i];
  reflect<true>(z, p);
  each_sticky_wall(p, [&](int i, bool above, real wall, real adsorption, real opposite) BM_FN_LAMBDA {
    const real deviation = white_deviation(i, p);
    const real steps = (above ? (real)-2 : (real)2) * adsorption / (deviation * deviation);
    const auto near = absolute(z.u[i] - wall) < absolute(z.u[i] - opposite);
    push[i] = select(near, (z.u[i] - straight[i] - lack.of[i]) * steps, push[i]);
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
    fold_rest(z, p);
  }
}

// What events have taken beyond walls.
template <class P> BM_FN void keep_within_walls([[maybe_unused]] P& place, [[maybe_unused]] const Parameters& p) {
  if constexpr (BM_WALLS) reflect<false>(place, p);
}

}  // namespace bmsim_kernel
