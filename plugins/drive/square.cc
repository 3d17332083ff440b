// Square-wave drive: A while omega t + phase, in turns, is within `duty` of a whole number's beginning, else -A; period
// 2 pi / omega. With duty = 1/2 it is A sgn sin(omega t + phase).
#include <bmsim/plugin.h>

// The part of a window of phases in which the drive is A. off: how far the window's middle is from that of A; the
// window reaches over into the next period, or lasts some whole ones. On the host it has no width: 2^-100.
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
double force_at(double phase, const double* values, const bm_numbers* arrays) {
  return force<double>(phase, 0.0, bm_host<Values>(values, arrays));
}

const bm_parameter parameters[] = {
    BM_PARAMETER(amplitude, "A", "force", 1, BM_ANY, "amplitude"),
    BM_PARAMETER(omega, "omega", "radian/time", 1, BM_POSITIVE, "angular frequency"),
    BM_PARAMETER(phase, "phi", "radian", 0, BM_ANY, "phase at t = 0"),
    BM_PARAMETER(duty, "d", "", 0.5, BM_BETWEEN(0, 1), "part of the period with A; the mean is A (2 duty - 1)"),
};
const bm_constant constants[] = {BM_CONSTANT(centre)};

int derive(const bm_context*, double* values) {
  auto& v = bm_values<Values>(values);
  v.centre = v.phase / two_pi - rint(v.phase / two_pi) - v.duty / 2;
  return 0;
}
double time_scale(const double* values) { return two_pi / bm_values<Values>(values).omega; }

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
             .derive = derive,
             .time_scale = time_scale,
             .force = force_at,
             BM_SOURCE};
#endif
