// Piecewise-linear potential: maximum V0 at x = 0, minima V = 0 at -k L and (1 - k) L, period L.
// With the defaults V(x) = 1 - |x| on [-1, 1].
#include <bmsim/plugin.h>

// u - rint(u + shift) is u folded to [-k, 1 - k]; comparing u with the rint alone saves the subtraction.
template <class T, class P> BM_FN T force(T u, const P& p) {
  return select(u < rint(u + p.shift), T(p.force_left), T(p.force_right));
}
template <class T, class P> BM_FN T energy(T u, const P& p) {
  return p.V0 + (u - rint(u + p.shift)) * select(u < rint(u + p.shift), T(p.rise), T(p.fall));
}

#ifdef BM_HOST
namespace {

struct Values {
  double L, V0, k;
  double shift, force_left, force_right, rise, fall;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(L, "L", "length", 2, BM_POSITIVE, "period"),
    BM_PARAMETER(V0, "V0", "energy", 1, BM_ANY, "height of the barrier"),
    BM_PARAMETER(k, "k", "", 0.5, BM_BETWEEN(0, 1), "asymmetry: the part of the period on which V rises"),
};
const bm_constant constants[] = {BM_CONSTANT(shift), BM_CONSTANT(force_left), BM_CONSTANT(force_right),
                                 BM_CONSTANT(rise), BM_CONSTANT(fall)};

int derive(uint32_t, double* values, char*, size_t) {
  auto& v = bm_values<Values>(values);
  v.shift = v.k - 0.5;
  v.rise = v.V0 / v.k;
  v.fall = -v.V0 / (1 - v.k);
  v.force_left = -v.rise / v.L;
  v.force_right = -v.fall / v.L;
  return 0;
}
double period(const double* values) { return bm_values<Values>(values).L; }
uint32_t segments(const double* values, bm_segment* out, uint32_t capacity) {
  const auto& v = bm_values<Values>(values);
  const bm_segment all[] = {{-v.k, 0, -v.force_left}, {0, 1 - v.k, -v.force_right}};
  for (uint32_t i = 0; i < 2 && i < capacity; ++i) out[i] = all[i];
  return 2;
}
double energy_at(double u, const double* values) { return energy(u, bm_values<Values>(values)); }
double force_at(double u, const double* values) { return force(u, bm_values<Values>(values)); }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = 0,
             .id = "piecewise_linear",
             .version = "1.0",
             .summary = "piecewise-linear ratchet potential",
             .equation = "V(x) = V0 (1 + x/(k L)) on [-k L, 0], V0 (1 - x/((1 - k) L)) on [0, (1 - k) L]",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = derive,
             .period = period,
             .segments = segments,
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
