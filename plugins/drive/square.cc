// Square-wave drive: A while omega t + phase, in turns, is within `duty` of a whole number's beginning, else -A; period
// 2 pi / omega. With duty = 1/2 it is A sgn sin(omega t + phase).
#include <bmsim/plugin.h>

// Steps often divide the period and end on its edges. All of these must fall on one side, however the phase is rounded,
// or A lasts a step too long: so the edges come this part of a turn early.
constexpr double early = 1e-6;

// phase + turn - rint(phase + up) lies within [duty - 1, duty].
template <class T, class P> BM_FN T force(T phase, const P& p) {
  return select(phase + p.turn < rint(phase + p.up), T(p.low), T(p.amplitude));
}

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double amplitude, omega, phase, duty;
  double turn, up, low;
};
BM_HOST_FORCE(Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(amplitude, "A", "force", 1, BM_ANY, "amplitude"),
    BM_PARAMETER(omega, "omega", "radian/time", 1, BM_POSITIVE, "angular frequency"),
    BM_PARAMETER(phase, "phi", "radian", 0, BM_ANY, "phase at t = 0"),
    BM_PARAMETER(duty, "d", "", 0.5, BM_BETWEEN(0, 1), "part of the period with A; the mean is A (2 duty - 1)"),
};
const bm_constant constants[] = {BM_CONSTANT(turn), BM_CONSTANT(up), BM_CONSTANT(low)};

int derive(const bm_context*, double* values) {
  auto& v = bm_values<Values>(values);
  v.turn = v.phase / two_pi - rint(v.phase / two_pi) + early;
  v.up = v.turn + 0.5 - v.duty;
  v.low = -v.amplitude;
  return 0;
}
double time_scale(const double* values) { return two_pi / bm_values<Values>(values).omega; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_DRIVE, Values),
             .flags = 0,
             .id = "square",
             .version = "1.0",
             .summary = "square-wave drive",
             .equation = "A while frac((omega t + phi)/(2 pi)) < duty, else -A",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = derive,
             .time_scale = time_scale,
             .force = force_at,
             BM_SOURCE};
#endif
