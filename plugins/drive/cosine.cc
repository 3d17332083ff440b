// Harmonic drive: A cos(omega t + phase), period 2 pi / omega.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T force(T phase, const P& p) { return p.amplitude * cos2pi(phase + p.turn); }

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double amplitude, omega, phase;
  double turn;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(amplitude, "A", "force", 1, BM_ANY, "amplitude"),
    BM_PARAMETER(omega, "omega", "radian/time", 1, BM_POSITIVE, "angular frequency"),
    BM_PARAMETER(phase, "phi", "radian", 0, BM_ANY, "phase at t = 0"),
};
const bm_constant constants[] = {BM_CONSTANT(turn)};

int derive(const bm_context*, double* values) {
  auto& v = bm_values<Values>(values);
  v.turn = v.phase / two_pi - rint(v.phase / two_pi);
  return 0;
}
double time_scale(const double* values) { return two_pi / bm_values<Values>(values).omega; }
BM_HOST_FORCE(Values)

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_DRIVE, Values),
             .flags = 0,
             .id = "cosine",
             .version = "1.0",
             .summary = "harmonic drive",
             .equation = "A cos(omega t + phi)",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = derive,
             .time_scale = time_scale,
             .force = force_at,
             BM_SOURCE};
#endif
