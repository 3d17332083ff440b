// Ring: V(x, y) = V0 [(r/R)^2 - 1]^2 + V1 (r/R)^n cos(n phi), r and phi being polar coordinates: a Mexican hat whose
// trough of radius R has n wells. (r/R)^n cos(n phi) is the real part of ((x + i y)/R)^n.
#include <bmsim/plugin.h>

// power = z^(n - 1), z = (x + i y)/R.
template <class T, class P> BM_FN void raise(const T (&z)[2], const P& p, T (&power)[2]) {
  power[0] = T(1), power[1] = T(0);
  BM_UNROLL for (int i = 0; i < 2; i++) {
    if (i >= p.n) continue;  // n is 1 + the index of its word
    const T real_part = fma(power[0], z[0], -(power[1] * z[1]));
    power[1] = fma(power[0], z[1], power[1] * z[0]);
    power[0] = real_part;
  }
}
template <class T, class P> BM_FN T energy(const T (&x)[2], const P& p) {
  const T z[2] = {x[0] * p.per_R, x[1] * p.per_R};
  T power[2];
  raise(z, p, power);
  const T hat = fma(z[0], z[0], z[1] * z[1]) - 1;
  return p.V0 * hat * hat + p.V1 * (power[0] * z[0] - power[1] * z[1]);
}
template <class T, class P> BM_FN void force(const T (&x)[2], const P& p, T (&f)[2]) {
  const T z[2] = {x[0] * p.per_R, x[1] * p.per_R};
  T power[2];
  raise(z, p, power);
  const T inwards = p.hat * (fma(z[0], z[0], z[1] * z[1]) - 1);
  f[0] = fma(z[0], inwards, power[0] * p.wells);
  f[1] = fma(z[1], inwards, -(power[1] * p.wells));
}

#ifdef BM_HOST
namespace {

struct Values {
  double V0, V1, R, n;
  double per_R, hat, wells;
};
BM_HOST_SEVERAL(2, Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(V0, "V0", "energy", 1, BM_NOT_NEGATIVE, "height of the centre above the ring"),
    BM_PARAMETER(V1, "V1", "energy", 0, BM_ANY, "half the height of the barriers between the wells, if V1 << V0"),
    BM_PARAMETER(R, "R", "length", 1, BM_POSITIVE, "radius of the ring"),
    BM_CHOICE(n, "1 2 3", "number of wells"),
};
constexpr bm_table constants = {
    BM_CONSTANT(per_R, 1 / v.R),
    BM_CONSTANT(hat, -4 * v.V0 / v.R),
    BM_CONSTANT(wells, -(v.n + 1) * v.V1 / v.R),
};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH | BM_SEVERAL,
             .id = "ring",
             .version = "1.0",
             .summary = "Mexican hat in the plane, with wells along its trough",
             .equation = "V(x, y) = V0 [(r/R)^2 - 1]^2 + V1 (r/R)^n cos(n phi), r, phi: polar coordinates",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(constants),
             BM_SOURCE,
             .variable_count = 2,
             .energy_of = energy_of,
             .force_of = force_of};
#endif
