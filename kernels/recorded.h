// What sums over recorded paths are made of, for the host (core/backend/samples.cc, which includes <math.h> before) and
// for a GPU (cuda/samples.h).
#pragma once
#include "integers.h"

namespace bmsim_abi {

/// Bins of a histogram: bin number (value - from) * scale. If folded, value - floor(value + 1/2), in [-1/2, 1/2), takes
/// the place of the value.
struct Bins {
  double from = 0, scale = 1;
  uint32_t count = 1, folded = 0;
};

/// Index of the bin; bins.count if the value is in none.
BM_SHARED_FN uint32_t bin_of(double value, const Bins& bins) {
  if (bins.folded != 0) value -= ::floor(value + 0.5);
  const double place = (value - bins.from) * bins.scale;
  return place >= 0 && place < (double)bins.count ? (uint32_t)place : bins.count;
}

/// Powers 1 to 4.
BM_SHARED_FN void set_powers(double d, double (&powers)[4]) {
  const double d2 = d * d;
  powers[0] = d, powers[1] = d2, powers[2] = d2 * d, powers[3] = d2 * d2;
}

/// d^q for d >= 0 and q > 0, with the same bits everywhere: 2^(q log2 d), relative error below 10^-14 (q log2 d).
BM_SHARED_FN double power(double d, double q) {
  if (!(d > 0)) return d;
  int exponent = 0;
  double m = ::frexp(d, &exponent);  // in [1/2, 1)
  if (m < 0.70710678118654752) m = 2 * m, exponent = exponent - 1;
  const double s = (m - 1) / (m + 1), s2 = s * s;
  double sum = 0;
  for (int k = 23; k > 0; k -= 2) sum = sum * s2 + 1.0 / k;
  const double y = q * (exponent + s * sum * 2.8853900817779268);  // 2 / ln 2
  const double whole = ::rint(y), r = (y - whole) * 0.69314718055994531;
  double e = 1;
  for (int k = 16; k > 0; k--) e = 1 + e * r / k;
  return ::ldexp(e, (int)whole);
}

}  // namespace bmsim_abi
