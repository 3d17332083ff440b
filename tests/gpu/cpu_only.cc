// Gaussian white noise whose device text steps outside the dialect: a vector type of the CPU's compilers.
#include <bmsim/plugin.h>

typedef double Pair __attribute__((vector_size(16)));
template <class T, class P> BM_FN T sigma(const P& p) {
  const Pair pair = {p.s, 0};
  return T(pair[0] + pair[1]);
}

#ifdef BM_HOST
namespace {

struct Values {
  double s;
};

const bm_parameter parameters[] = {BM_PARAMETER(s, "s", "length/time^(1/2)", 1, BM_NOT_NEGATIVE, "intensity")};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_SIGMA,
             .id = "cpu_only",
             .version = "1.0",
             .summary = "a noise for the CPU alone",
             .equation = "s xi(t)",
             .reference = "",
             BM_LIST(parameter),
             BM_SOURCE};
#endif
