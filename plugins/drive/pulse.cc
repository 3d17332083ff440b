// Pulses: one in each period 2 pi / omega, centred where omega t + phase is a whole number of turns. rectangular: A for
// the time `width`, 0 between; gaussian: A exp(-t^2/(2 width^2)), t from the centre of the nearest pulse.
#include <bmsim/plugin.h>

constexpr int rectangular = 0;  // p.shape

// Half of the error function, to 1e-7: Abramowitz and Stegun 7.1.26.
template <class T> BM_FN T half_erf(T x) {
  const T z = absolute(x), t = T(1) / fma(z, T(0.3275911), T(1));
  const T sum =
      fma(t, fma(t, fma(t, fma(t, T(1.061405429), T(-1.453152027)), T(1.421413741)), T(-0.284496736)), T(0.254829592));
  return copysign(fma(sum * t * exp(z * z * T(-1)), T(-0.5), T(0.5)), x);
}

// The mean over a window of phases. Of rectangular pulses from the part of the window that is within pulses; of
// Gaussian ones, where they are narrower than the window, from the part of a pulse that is within the window, and else
// the force at the phase, of which sums over steps are exact then. The window may reach into the next period, or span
// several periods. On the host it is 2^-100.
template <class T, class H, class P> BM_FN T force(T phase, H width, const P& p) {
  const bool is_box = p.shape == rectangular, resolved = !is_box && !(width > p.filled);
  const H window = maximum(width, H(7.888609052210118e-31)), whole = resolved ? H(0) : floor(window);
  const T turns = phase + (p.turn + whole * H(0.5)), off = absolute(turns - rint(turns));
  if (resolved) return p.amplitude * exp(p.sharpness * off * off);
  if (!is_box) {
    const H half = (window - whole) * H(0.5), scale = H(p.per_root);
    const T near = half_erf((off + half) * scale) - half_erf((off - half) * scale);
    const T next = half_erf((1 - off + half) * scale) - half_erf((1 - off - half) * scale);
    return (near + next + whole) * (p.impulse / window);
  }
  const H rest = window - whole, reach = (rest + p.filled) * H(0.5), most = minimum(rest, H(p.filled));
  const T inside = maximum(minimum(reach - off, most), H(0)) + maximum(reach - (1 - off), H(0));
  return (inside + whole * p.filled) * (p.amplitude / window);
}

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double amplitude, width, omega, period, phase, shape;
  double turn, filled, sharpness, per_root, impulse;
};
BM_HOST_EDGES(Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(amplitude, "A", "force", 1, BM_ANY, "height of a pulse"),
    BM_PARAMETER(width, "w", "time", 0.5, BM_POSITIVE, "duration; of a gaussian pulse the standard deviation"),
    BM_PARAMETER(omega, "omega", "radian/time", 1, BM_POSITIVE, "angular frequency of the repetition"),
    BM_PARAMETER(period, "P", "time", two_pi, BM_POSITIVE, "time from pulse to pulse"),
    BM_PARAMETER(phase, "phi", "radian", 0, BM_ANY, "phase at t = 0, 0 being the centre of a pulse"),
    BM_CHOICE(shape, "rectangular gaussian", "shape of a pulse"),
};
constexpr bm_table parametrisations = {
    BM_GIVEN("omega", "period = 2 pi/omega", v.period = two_pi / v.omega),
    BM_GIVEN("period", "omega = 2 pi/period", v.omega = two_pi / v.period),
};
constexpr bm_table constants = {
    BM_CONSTANT(turn, v.phase / two_pi - rint(v.phase / two_pi)),
    BM_CONSTANT(filled, v.width / v.period),
    BM_CONSTANT(sharpness, -0.5 / ((v.width / v.period) * (v.width / v.period))),
    BM_CONSTANT(per_root, sqrt(0.5) * v.period / v.width),
    BM_CONSTANT(impulse, sqrt(two_pi) * v.amplitude * v.width / v.period),
};
int check(const bm_context* context, const Values& v) {
  if (v.shape == rectangular && !(v.width < v.period))
    return BM_REFUSE("width must be less than the period %g, got %g", v.period, v.width);
  if (v.shape != rectangular && !(v.width <= v.period / 8))
    return BM_REFUSE("width of a gaussian pulse must be at most 1/8 of the period %g, got %g", v.period, v.width);
  return 0;
}

constexpr bm_changes changes = {BM_VALUE(v.amplitude == 0 ? INFINITY : v.width)};
const void* extension(const char* name) { return strcmp(name, BM_CHANGES) == 0 ? &changes : nullptr; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_DRIVE, Values),
             .flags = BM_EDGES,
             .id = "pulse",
             .version = "1.2",
             .summary = "periodic pulses, rectangular or Gaussian",
             .equation = "A in the pulses |t - n P| < w/2, 0 between; gaussian: A exp[-(t - n P)^2/(2 w^2)]",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             .derive = BM_DERIVE(parametrisations, check, constants),
             .time_scale = BM_VALUE(v.period),
             .force = force_at,
             BM_SOURCE,
             .extension = extension};
#endif
