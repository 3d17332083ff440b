// Noise that vanishes at a wall which reflects, as that of dx = (a - x) dt + sqrt(2 D x) dW at 0 (W. Feller, Ann. Math.
// 54, 173, 1951). There the wall does not push: forces alone take a path away from it. A step that went beyond the wall
// and were mirrored would be pushed, and means had an error of order dt^(a/D). So a step that could go beyond has
// another law, with the same mean and variance and no place beyond the wall: of order 1, and of order 2 where the
// square of the noise is in proportion to the distance, as Milstein's (near the wall after L. Andersen, J. Comput.
// Finance 11, 1, 2008).
#pragma once
#include "dual.h"
#include "walls.h"

namespace bmsim_kernel {

// What a step by noise that vanishes at a wall has replaced: 1 for these variables, else 0.
template <class X, bool HAS = (BM_VANISHING != 0)> struct Replaced {};
template <class X> struct Replaced<X, true> { X of[VARIABLES]; };

#if BM_VANISHING
// A function of a normal number z with a mean and a variance that is nowhere negative. Up to a variance of twice the
// squared mean: a shifted square, in proportion to (root + z)^2. Beyond: the excess of z^2 over a threshold, so that
// many are 0, as many paths are at a wall that they hardly leave. The threshold, from the variance, is fitted to 5e-4,
// and the mean of the excess to 7e-7.
template <class X> BM_FN X not_negative(const X& mean, const X& variance, const X& z) {
  constexpr real most = (real)6.2;  // of the logarithm: a variance of 1500 squared means, of which 0.1 % are not 0
  const X part = quotient(mean * mean * (real)2, maximum(variance, TINY));
  const X more = maximum(part - (real)1, (real)0), shift = more + sqrt(more * part), root = sqrt(shift) + z;
  const X shifted = quotient(mean * root * root, shift + (real)1);
  if (!any(part < (real)1)) return shifted;
  const X few = minimum(part, (real)1);
  const X spread = minimum(log(quotient(few + (real)2, few * (real)3)), most), s = sqrt(spread);
  const X threshold = spread * quotient(fma(s, fma(s, X((real)0.45086321), (real)0.74742174), (real)0.75044757),
                                        fma(s, fma(s, X((real)0.23866635), (real)0.31734887), (real)1));
  const X r = sqrt(threshold);
  const X above = fma(r, fma(r, fma(r, X((real)0.062101965), (real)0.40267821), (real)1.1430712), (real)0.999999);
  const X below = fma(r, fma(r, fma(r, X((real)0.12417721), (real)0.79397883), (real)1.6749569), (real)1);
  const X excess = maximum(fma(z, z, (real)0 - threshold), (real)0);
  return select(part < (real)1, mean * excess * exp(threshold * quotient(above, below)), shifted);
}

// The wall of variable i that is nearer to u, and 1 if it is below, else -1.
template <class X> struct NearerWall { X place, side; };
template <class X> BM_FN NearerWall<X> nearer_wall(int i, const X& u, const Parameters& p) {
  NearerWall<X> wall = {X((real)0), X((real)0)};
  bool found = false;
  each_wall(p, [&](int j, bool above, real place) BM_FN_LAMBDA {
    if (j != i) return;
    const X side = X(above ? (real)-1 : (real)1);
    if (found) {  // the one above, after the one below
      const auto nearer = place - u < u - wall.place;
      wall.place = select(nearer, X(place), wall.place), wall.side = select(nearer, side, wall.side);
    } else {
      wall.place = X(place), wall.side = side, found = true;
    }
  });
  return wall;
}

// Variance of what all noises with amplitudes move variable i by in a step, at a state.
template <class S, class X, class O>
BM_FN X variance_at(int i, const S& state, const White<X>& deviation, const O& outside, const Parameters& p) {
  X variance = X((real)0);
  BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) {
    White<X> alone;
    BM_UNROLL for (int j = 0; j < BM_SOURCES; j++) alone.of[j] = j == k ? deviation.of[j] : X((real)0);
    X push[VARIABLES];
    multiplied_increments(state.u, state.v, outside, p, alone, push);
    variance = fma(push[i], push[i], variance);
  }
  return variance;
}

// from, drifted: the state at the beginning, and after the step without this noise. Replaces the predicted positions u,
// and `multiplied`, what noise moves them by, of paths that might go beyond a wall at which the noise vanishes.
template <template <class> class S, class X, class H, class M, class O>
BM_FN Replaced<X> stay_before_walls(const S<X>& from, const S<X>& drifted, const H (&h)[VARIABLES], const M& noise,
                                    const O& before, const Parameters& p, X (&u)[VARIABLES],
                                    X (&multiplied)[VARIABLES]) {
  constexpr real far = 16;               // variances, of the distance squared: less than 1e-4 of the paths go so far
  constexpr real vanishes = (real)0.01;  // of the variance where the path is
  Replaced<X> replaced;
  X ahead[VARIABLES];  // of the mean, by the noise: as in Ito's equation
  noise_drift(from.u, from.v, before, p, ahead);
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    replaced.of[i] = X((real)0);
    if (!has(BM_VANISHING, i)) continue;
    const X mean = fma(ahead[i], h[i], drifted.u[i]);
    const NearerWall<X> wall = nearer_wall(i, mean, p);
    const X distance = (mean - wall.place) * wall.side;
    S<X> middle = drifted;
    const X half = (from.u[i] + mean) * (real)0.5;
    middle.u[i] = select((half - wall.place) * wall.side > (real)0, half, wall.place);
    const X variance = variance_at(i, middle, noise.deviation, before, p);
    const auto near = distance < (real)0 || distance * distance < variance * far;
    if (!any(near)) continue;
    X pushed[VARIABLES];
    multiplied_increments(middle.u, middle.v, before, p, noise.white, pushed);
    S<X> at = middle;
    at.u[i] = wall.place;
    const auto stays = near && !(variance_at(i, at, noise.deviation, before, p) > variance * vanishes);
    const X normal = pushed[i] * wall.side * inverse_root(maximum(variance, TINY));
    const X away = not_negative(maximum(distance, (real)0), variance, normal);
    const X place = fma(away, wall.side, wall.place);
    u[i] = select(stays, place, u[i]);
    multiplied[i] = select(stays, place - drifted.u[i], multiplied[i]);
    replaced.of[i] = select(stays, X((real)1), X((real)0));
  }
  return replaced;
}
// What replaces the noise is that of the whole step, as at its beginning.
template <class X>
BM_FN void keep_replaced(const Replaced<X>& replaced, const X (&multiplied)[VARIABLES], X (&there)[VARIABLES]) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) there[i] = select(replaced.of[i] > (real)0, multiplied[i], there[i]);
}
#endif

}  // namespace bmsim_kernel
