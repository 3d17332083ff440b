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
const bm_constant constants[] = {BM_CONSTANT(half), BM_CONSTANT(minus)};

int derive(const bm_context*, double* values) {
  auto& v = bm_values<Values>(values);
  v.half = v.k / 2;
  v.minus = -v.k;
  return 0;
}
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
             .derive = derive,
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
