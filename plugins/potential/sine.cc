// Sine potential: V(x) = V0 sin(2 pi x / L + phase), period L.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T energy(T u, const P& p) { return p.V0 * sin2pi(u + p.turn); }
template <class T, class P> BM_FN T force(T u, const P& p) { return p.force0 * cos2pi(u + p.turn); }

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double V0, L, phase;
  double force0, turn;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(V0, "V0", "energy", 1, BM_ANY, "amplitude: half the height of the barrier"),
    BM_PARAMETER(L, "L", "length", 1, BM_POSITIVE, "period"),
    BM_PARAMETER(phase, "phi", "radian", 0, BM_ANY, "phase"),
};
constexpr bm_table constants = {
    BM_CONSTANT(force0, (-two_pi * v.V0 / v.L)),
    BM_CONSTANT(turn, v.phase / two_pi - rint(v.phase / two_pi)),
};
BM_HOST_POTENTIAL(Values)

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH,
             .id = "sine",
             .version = "1.0",
             .summary = "sine potential",
             .equation = "V(x) = V0 sin(2 pi x / L + phi)",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(constants),
             .period = BM_VALUE(v.L),
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
