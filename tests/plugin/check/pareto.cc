// Kicks of +-1 in turn after waiting times of a power law, P(t > s) = (tau/s)^alpha for s > tau: with alpha < 1 there
// is no mean waiting time, and many a wait is longer than any run.
#include <bmsim/plugin.h>

template <class T, class S, class P> BM_FN T waiting(const S&, const P& p, T e) { return p.tau * exp(e * p.inverse); }
template <class T, class S, class P> BM_FN T event(S& s, const P&, T) {
  s.sign = -s.sign;
  return s.sign;
}
template <class T, class S, class P> BM_FN void start(S& s, const P&, T u, T) { s.sign = select(u < 0.5, T(-1), T(1)); }

#ifdef BM_HOST
namespace {

struct Values {
  double alpha, tau;
  double inverse;
};
const bm_parameter parameters[] = {BM_PARAMETER(alpha, "alpha", "", 0.1, BM_POSITIVE, "exponent"),
                                   BM_PARAMETER(tau, "tau", "time", 1, BM_POSITIVE, "shortest waiting time")};
constexpr bm_table constants = {BM_CONSTANT(inverse, 1 / v.alpha)};
const char* const states[] = {"sign"};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_EVENTS | BM_START,
             .id = "pareto",
             .version = "1.0",
             .summary = "kicks after waiting times of a power law",
             .equation = "P(t > s) = (tau/s)^alpha",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(state),
             .derive = BM_DERIVE(constants),
             .time_scale = BM_VALUE(v.tau),
             .mean = BM_VALUE(NAN),
             .intensity = BM_VALUE(NAN),
             BM_SOURCE};
#endif
