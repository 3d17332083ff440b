// Biharmonic drive: A1 cos(omega t + phase1) + A2 cos(2 omega t + phase2), period 2 pi / omega.
// Borromeo, Haenggi, Marchesoni 2005.
#include <bmsim/plugin.h>

// cos(2 w) = 1 - 2 s^2, sin(2 w) = 2 s c: one sine and one cosine.
template <class T, class P> BM_FN T force(T phase, const P& p) {
  const T s = sin2pi(phase), c = cos2pi(phase);
  return fma(c, T(p.cos1), T(p.cos2)) - s * fma(s, T(p.twice_cos2), fma(c, T(p.twice_sin2), T(p.sin1)));
}

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double A1, A2, omega, phase1, phase2;
  double cos1, sin1, cos2, twice_cos2, twice_sin2;
};
BM_HOST_FORCE(Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(A1, "A_1", "force", 1, BM_ANY, "amplitude of the first harmonic"),
    BM_PARAMETER(A2, "A_2", "force", 1, BM_ANY, "amplitude of the second harmonic"),
    BM_PARAMETER(omega, "omega", "radian/time", 1, BM_POSITIVE, "angular frequency"),
    BM_PARAMETER(phase1, "phi_1", "radian", 0, BM_ANY, "phase of the first harmonic at t = 0"),
    BM_PARAMETER(phase2, "phi_2", "radian", 0, BM_ANY, "phase of the second harmonic at t = 0"),
};
constexpr bm_table constants = {
    BM_CONSTANT(cos1, cos(v.phase1) * v.A1),           BM_CONSTANT(sin1, sin(v.phase1) * v.A1),
    BM_CONSTANT(cos2, cos(v.phase2) * v.A2),           BM_CONSTANT(twice_cos2, 2 * v.cos2),
    BM_CONSTANT(twice_sin2, 2 * v.A2 * sin(v.phase2)),
};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_DRIVE, Values),
             .flags = 0,
             .id = "biharmonic",
             .version = "1.0",
             .summary = "drive of two harmonics",
             .equation = "A1 cos(omega t + phase1) + A2 cos(2 omega t + phase2)",
             .reference = "M. Borromeo, P. Haenggi, F. Marchesoni, J. Phys.: Condens. Matter 17, S3709 (2005)",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(constants),
             .time_scale = BM_VALUE(two_pi / v.omega),
             .force = force_at,
             BM_SOURCE};
#endif
