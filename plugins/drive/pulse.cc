// Pulses: one in each period 2 pi / omega, centred where omega t + phase is a whole number of turns. rectangular: A for
// the time `width`, 0 between; gaussian: A exp(-t^2/(2 width^2)), t from the centre of the nearest pulse.
#include <bmsim/plugin.h>

constexpr int rectangular = 0;  // p.shape
// Steps often divide the period and end on a pulse's edges. All of these must fall on one side, however the phase is
// rounded, or a pulse lasts a step too long or too short: so it comes this part of a turn early.
constexpr double early = 1e-6;

template <class T, class P> BM_FN T force(T phase, const P& p) {
  const T turns = phase + p.turn, off = turns - rint(turns);
  if (p.shape == rectangular) return select(absolute(off) < p.half, T(p.amplitude), T(0));
  return p.amplitude * exp(p.sharpness * off * off);
}

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double amplitude, width, omega, period, phase, shape;
  double turn, half, sharpness;
};
BM_HOST_FORCE(Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(amplitude, "A", "force", 1, BM_ANY, "height of a pulse"),
    BM_PARAMETER(width, "w", "time", 0.5, BM_POSITIVE, "duration; of a gaussian pulse the standard deviation"),
    BM_PARAMETER(omega, "omega", "radian/time", 1, BM_POSITIVE, "angular frequency of the repetition"),
    BM_PARAMETER(period, "P", "time", two_pi, BM_POSITIVE, "time from pulse to pulse"),
    BM_PARAMETER(phase, "phi", "radian", 0, BM_ANY, "phase at t = 0, 0 being the centre of a pulse"),
    BM_CHOICE(shape, "rectangular gaussian", "of a pulse"),
};
const bm_constant constants[] = {BM_CONSTANT(turn), BM_CONSTANT(half), BM_CONSTANT(sharpness)};
const bm_parametrisation parametrisations[] = {{"omega", "period = 2 pi/omega"}, {"period", "omega = 2 pi/period"}};

int derive(const bm_context* context, double* values) {
  auto& v = bm_values<Values>(values);
  if (context->which == 0) v.period = two_pi / v.omega;
  if (context->which == 1) v.omega = two_pi / v.period;
  if (v.shape == rectangular && !(v.width < v.period))
    return BM_REFUSE("width must be less than the period %g, got %g", v.period, v.width);
  if (v.shape != rectangular && !(v.width <= v.period / 8))
    return BM_REFUSE("width of a gaussian pulse must be at most 1/8 of the period %g, got %g", v.period, v.width);
  v.turn = v.phase / two_pi - rint(v.phase / two_pi) + (v.shape == rectangular ? early : 0);
  v.half = v.width / v.period / 2;
  v.sharpness = -0.5 / ((v.width / v.period) * (v.width / v.period));
  return 0;
}
double time_scale(const double* values) { return bm_values<Values>(values).period; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_DRIVE, Values),
             .flags = 0,
             .id = "pulse",
             .version = "1.0",
             .summary = "periodic pulses, rectangular or Gaussian",
             .equation = "A in the pulses |t - n P| < w/2, 0 between; gaussian: A exp[-(t - n P)^2/(2 w^2)]",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             .derive = derive,
             .time_scale = time_scale,
             .force = force_at,
             BM_SOURCE};
#endif
