// Square-wave drive of period 2 pi / omega: A while frac((omega t + phase)/(2 pi)) < duty, else -A. With duty = 1/2 it
// is A sgn sin(omega t + phase).
#include <bmsim/plugin.h>

// The mean over a window of phases, from the part of it in which the drive is A. off: distance of the window's middle
// from the middle of that part of the period. The window may reach into the next period, or span several periods. On
// the host it is 2^-100.
template <class T, class H, class P> BM_FN T force(T phase, H width, const P& p) {
  const H window = maximum(width, H(7.888609052210118e-31)), whole = floor(window), rest = window - whole;
  const T turns = phase + (p.centre + whole * H(0.5)), off = absolute(turns - rint(turns));
  const H reach = (rest + p.duty) * H(0.5), most = minimum(rest, H(p.duty));
  const T inside = maximum(minimum(reach - off, most), H(0)) + maximum(reach - (1 - off), H(0));
  return fma(inside + whole * p.duty, 2 * p.amplitude / window, T(-p.amplitude));
}

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double amplitude, omega, phase, duty;
  double centre;
};
BM_HOST_EDGES(Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(amplitude, "A", "force", 1, BM_ANY, "amplitude"),
    BM_PARAMETER(omega, "omega", "radian/time", 1, BM_POSITIVE, "angular frequency"),
    BM_PARAMETER(phase, "phi", "radian", 0, BM_ANY, "phase at t = 0"),
    BM_PARAMETER(duty, "d", "", 0.5, BM_BETWEEN(0, 1), "fraction of the period with A; the mean is A (2 duty - 1)"),
};
constexpr bm_table constants = {
    BM_CONSTANT(centre, v.phase / two_pi - rint(v.phase / two_pi) - v.duty / 2),
};

constexpr bm_changes changes = {BM_VALUE(v.amplitude == 0 ? INFINITY : two_pi / v.omega * minimum(v.duty, 1 - v.duty))};
const void* extension(const char* name) { return strcmp(name, BM_CHANGES) == 0 ? &changes : nullptr; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_DRIVE, Values),
             .flags = BM_EDGES,
             .id = "square",
             .version = "1.1",
             .summary = "square-wave drive",
             .equation = "A while frac((omega t + phi)/(2 pi)) < duty, else -A",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(constants),
             .time_scale = BM_VALUE(two_pi / v.omega),
             .force = force_at,
             BM_SOURCE,
             .extension = extension};
#endif
