// What the host's compiler takes and a kernel's does not: there is no pow in the dialect.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T energy(T u, const P&) { return cos2pi(u); }
template <class T, class P> BM_FN T force(T u, const P& p) { return p.slope * sin2pi(u) + 0 * pow(u, 2); }

#ifdef BM_HOST
namespace {

struct Values {
  double slope;
};
BM_HOST_POTENTIAL(Values)

const bm_parameter parameters[] = {BM_PARAMETER(slope, "s", "force", 6.283185307179586476925,
                                                BM_WITHIN(6.283185307179586, 6.283185307179587), "2 pi")};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH,
             .id = "device_text",
             .version = "1.0",
             .summary = "a potential for the host alone",
             .equation = "V(x) = cos(2 pi x)",
             .reference = "",
             BM_LIST(parameter),
             .period = BM_VALUE(1),
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
