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
constexpr bm_table constants = {BM_CONSTANT(turn, v.phase / two_pi - rint(v.phase / two_pi))};
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
             .derive = BM_DERIVE(constants),
             .time_scale = BM_VALUE(two_pi / v.omega),
             .force = force_at,
             BM_SOURCE};
#endif
