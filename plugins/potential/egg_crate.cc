// Egg crate: V(x, y) = V0 [cos(2 pi x/L) + cos(2 pi y/L)]/2 + V1 cos(2 pi x/L) cos(2 pi y/L), a square lattice of
// period L. Without V1 the motions along x and y do not know each other.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T energy(const T (&x)[2], const P& p) {
  const T cx = cos2pi(x[0] * p.per_L), cy = cos2pi(x[1] * p.per_L);
  return p.half_V0 * (cx + cy) + p.V1 * cx * cy;
}
template <class T, class P> BM_FN void force(const T (&x)[2], const P& p, T (&f)[2]) {
  const T u = x[0] * p.per_L, w = x[1] * p.per_L;
  f[0] = sin2pi(u) * fma(cos2pi(w), T(p.coupled), T(p.alone));
  f[1] = sin2pi(w) * fma(cos2pi(u), T(p.coupled), T(p.alone));
}

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double V0, V1, L;
  double per_L, half_V0, alone, coupled;
};
BM_HOST_SEVERAL(2, Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(V0, "V0", "energy", 1, BM_ANY, "difference of the highest and the lowest V along x or y, for V1 = 0"),
    BM_PARAMETER(V1, "V1", "energy", 0, BM_ANY, "coupling of x and y"),
    BM_PARAMETER(L, "L", "length", 1, BM_POSITIVE, "period, along x and along y"),
};
constexpr bm_table constants = {
    BM_CONSTANT(per_L, 1 / v.L),
    BM_CONSTANT(half_V0, v.V0 / 2),
    BM_CONSTANT(alone, two_pi* v.half_V0 / v.L),
    BM_CONSTANT(coupled, two_pi* v.V1 / v.L),
};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH | BM_SEVERAL,
             .id = "egg_crate",
             .version = "1.0",
             .summary = "square lattice in the plane",
             .equation = "V(x, y) = V0 [cos(2 pi x/L) + cos(2 pi y/L)]/2 + V1 cos(2 pi x/L) cos(2 pi y/L)",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(constants),
             .period = BM_VALUE(v.L),
             BM_SOURCE,
             .variable_count = 2,
             .energy_of = energy_of,
             .force_of = force_of};
#endif
