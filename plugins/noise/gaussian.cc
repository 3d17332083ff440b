// Gaussian white noise: <xi(t) xi(s)> = 2 D delta(t - s); thermal where D = gamma T (gamma = 1 where overdamped).
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T sigma(const P& p) { return T(p.amplitude); }

#ifdef BM_HOST
namespace {

struct Values {
  double D, T;
  double amplitude;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(D, "D", "length^2/time", 1, BM_NOT_NEGATIVE, "intensity; of a force where there is a mass"),
    BM_PARAMETER(T, "T", "energy", 1, BM_NOT_NEGATIVE, "temperature"),
};
const bm_constant constants[] = {BM_CONSTANT(amplitude)};
const bm_parametrisation parametrisations[] = {{"D", "T = D/gamma"}, {"T", "D = gamma T"}};

int derive(const bm_context* context, double* values) {
  auto& v = bm_values<Values>(values);
  if (context->which == 0) v.T = v.D / context->gamma;
  if (context->which == 1) v.D = context->gamma * v.T;
  v.amplitude = sqrt(2 * v.D);
  return 0;
}
double mean(const double*) { return 0; }
double intensity(const double* values) { return bm_values<Values>(values).D; }

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
             .derive = derive,
             .mean = mean,
             .intensity = intensity,
             BM_SOURCE};
#endif
