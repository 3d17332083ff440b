// Harmonic potential: V(x) = k x^2 / 2, not periodic.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T energy(T u, const P& p) { return p.half * u * u; }
template <class T, class P> BM_FN T force(T u, const P& p) { return p.minus * u; }

#ifdef BM_HOST
namespace {

struct Values {
  double k;
  double half, minus;
};

const bm_parameter parameters[] = {BM_PARAMETER(k, "k", "energy/length^2", 1, BM_POSITIVE, "stiffness")};
constexpr bm_table constants = {BM_CONSTANT(half, v.k / 2), BM_CONSTANT(minus, -v.k)};
BM_HOST_POTENTIAL(Values)

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH,
             .id = "harmonic",
             .version = "1.0",
             .summary = "harmonic trap",
             .equation = "V(x) = k x^2 / 2",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(constants),
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
