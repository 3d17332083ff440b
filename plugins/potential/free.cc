// No potential: V(x) = 0. It has a period, 1, so that positions can be folded.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T energy(T, const P&) { return T(0); }
template <class T, class P> BM_FN T force(T, const P&) { return T(0); }

#ifdef BM_HOST
namespace {

struct Values {};

uint32_t segments(const double*, const bm_numbers*, bm_segment* out, uint32_t capacity) {
  if (capacity > 0) out[0] = {-0.5, 0.5, 0};
  return 1;
}
double energy_at(double u, const double*, const bm_numbers*) { return energy(u, Values{}); }
double force_at(double u, const double*, const bm_numbers*) { return force(u, Values{}); }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH,
             .id = "free",
             .version = "1.0",
             .summary = "no potential",
             .equation = "V(x) = 0",
             .reference = "",
             .period = BM_VALUE(1),
             .segments = segments,
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
