// Gaussian white noise: <xi(t) xi(s)> = 2 D delta(t - s); D = T when overdamped (gamma = 1).
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T sigma(const P& p) { return T(p.intensity); }

#ifdef BM_HOST
namespace {

struct Values {
  double D, T;
  double intensity;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(D, "D", "length^2/time", 1, BM_NOT_NEGATIVE, "intensity"),
    BM_PARAMETER(T, "T", "energy", 1, BM_NOT_NEGATIVE, "temperature"),
};
const bm_constant constants[] = {BM_CONSTANT(intensity)};
const bm_parametrisation parametrisations[] = {{"D", "T = D, as gamma = 1"}, {"T", "D = T, as gamma = 1"}};

int derive(uint32_t which, double* values, char*, size_t) {
  auto& v = bm_values<Values>(values);
  if (which == 0) v.T = v.D;
  if (which == 1) v.D = v.T;
  v.intensity = sqrt(2 * v.D);
  return 0;
}

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
             BM_SOURCE};
#endif
