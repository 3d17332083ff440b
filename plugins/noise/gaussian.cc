// Gaussian white noise: <xi(t) xi(s)> = 2 D delta(t - s); thermal if D = gamma T (gamma = 1 if overdamped).
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T sigma(const P& p) { return T(p.amplitude); }

#ifdef BM_HOST
namespace {

struct Values {
  double D, T;
  double amplitude;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(D, "D", "length^2/time", 1, BM_NOT_NEGATIVE,
                 "intensity; with a mass that of a force, in force^2 time"),
    BM_PARAMETER(T, "T", "energy", 1, BM_NOT_NEGATIVE, "temperature"),
};
constexpr bm_table parametrisations = {
    BM_GIVEN("D", "T = D/gamma", v.T = v.D / context->gamma),
    BM_GIVEN("T", "D = gamma T", v.D = context->gamma * v.T),
};
constexpr bm_table constants = {BM_CONSTANT(amplitude, sqrt(2 * v.D))};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_SIGMA,
             .id = "gaussian",
             .version = "1.0",
             .summary = "Gaussian white noise",
             .equation = "<xi(t) xi(s)> = 2 D delta(t - s)",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             .derive = BM_DERIVE(parametrisations, constants),
             .mean = BM_VALUE(0),
             .intensity = BM_VALUE(v.D),
             BM_SOURCE};
#endif
