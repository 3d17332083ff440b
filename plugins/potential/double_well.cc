// Double well: V(x) = -a x^2/2 + b x^4/4, minima at +-x0 = +-sqrt(a/b), barrier V0 = a^2/(4 b) between them; not
// periodic. Up to a constant, V = V0 [(x/x0)^2 - 1]^2.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T energy(T u, const P& p) {
  const T square = u * u;
  return square * fma(square, T(p.quarter), T(p.half));
}
template <class T, class P> BM_FN T force(T u, const P& p) { return u * fma(u * u, T(p.minus), T(p.a)); }

#ifdef BM_HOST
namespace {

struct Values {
  double a, b, V0, x0;
  double half, quarter, minus;
};
BM_HOST_POTENTIAL(Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(a, "a", "energy/length^2", 1, BM_POSITIVE, "curvature at the barrier"),
    BM_PARAMETER(b, "b", "energy/length^4", 1, BM_POSITIVE, "coefficient of x^4/4"),
    BM_PARAMETER(V0, "V0", "energy", 0.25, BM_POSITIVE, "height of the barrier, a^2/(4 b)"),
    BM_PARAMETER(x0, "x0", "length", 1, BM_POSITIVE, "distance of the minima from the barrier, sqrt(a/b)"),
};
constexpr bm_table parametrisations = {
    BM_GIVEN("a b", "V0 = a^2/(4 b), x0 = sqrt(a/b)", v.V0 = v.a * v.a / (4 * v.b), v.x0 = sqrt(v.a / v.b)),
    BM_GIVEN("V0 x0", "a = 4 V0/x0^2, b = 4 V0/x0^4", v.a = 4 * v.V0 / (v.x0 * v.x0), v.b = v.a / (v.x0 * v.x0)),
};
constexpr bm_table constants = {
    BM_CONSTANT(half, -v.a / 2),
    BM_CONSTANT(quarter, v.b / 4),
    BM_CONSTANT(minus, -v.b),
};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH,
             .id = "double_well",
             .version = "1.0",
             .summary = "symmetric quartic double well",
             .equation = "V(x) = -a x^2/2 + b x^4/4",
             .reference =
                 "H. A. Kramers, Physica 7, 284 (1940); "
                 "L. Gammaitoni, P. Haenggi, P. Jung, F. Marchesoni, Rev. Mod. Phys. 70, 223 (1998)",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             .derive = BM_DERIVE(parametrisations, constants),
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
