// Ratchet potential of two harmonics: V(x) = V0 [sin(2 pi x/L) + b sin(4 pi x/L + phi)], period L.
// Bartussek, Haenggi, Kissner 1994; the SQUID of Zapata, Bartussek, Sols, Haenggi 1996.
#include <bmsim/plugin.h>

// sin(4 pi u) = 2 s c, cos(4 pi u) = 2 c^2 - 1 = 1 - 2 s^2: one sine and one cosine, in the range where they are most
// exact.
template <class T, class P> BM_FN T energy(T u, const P& p) {
  const T s = sin2pi(u), c = cos2pi(u);
  return p.V0 * s + p.even * (1 - 2 * s * s) + 2 * p.odd * s * c;
}
template <class T, class P> BM_FN T force(T u, const P& p) {
  const T s = sin2pi(u), c = cos2pi(u);
  return fma(c, fma(c, T(p.twice_second), fma(s, T(p.quadrature), T(p.first))), T(-p.second));
}

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double V0, L, b, phi;
  double even, odd, first, second, twice_second, quadrature;
};
BM_HOST_POTENTIAL(Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(V0, "V0", "energy", 1, BM_ANY, "amplitude of the first harmonic"),
    BM_PARAMETER(L, "L", "length", 1, BM_POSITIVE, "period"),
    BM_PARAMETER(b, "b", "", 0.25, BM_ANY, "amplitude of the second harmonic over that of the first"),
    BM_PARAMETER(phi, "phi", "radian", 0, BM_ANY, "phase of the second harmonic"),
};
constexpr bm_table constants = {
    BM_CONSTANT(even, sin(v.phi) * (v.V0 * v.b)), BM_CONSTANT(odd, cos(v.phi) * (v.V0 * v.b)),
    BM_CONSTANT(first, -two_pi / v.L * v.V0),     BM_CONSTANT(second, -2 * two_pi / v.L * v.odd),
    BM_CONSTANT(twice_second, 2 * v.second),      BM_CONSTANT(quadrature, 4 * two_pi / v.L * v.even),
};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH,
             .id = "ratchet",
             .version = "1.1",
             .summary = "smooth ratchet potential of two harmonics, as of a SQUID",
             .equation = "V(x) = V0 [sin(2 pi x/L) + b sin(4 pi x/L + phi)]",
             .reference =
                 "R. Bartussek, P. Haenggi, J. G. Kissner, Europhys. Lett. 28, 459 (1994); "
                 "I. Zapata, R. Bartussek, F. Sols, P. Haenggi, Phys. Rev. Lett. 77, 2292 (1996)",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(constants),
             .period = BM_VALUE(v.L),
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
