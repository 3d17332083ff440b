// A coloured noise that returns its value at the end of a step for its mean over it: right for short steps alone.
#include <bmsim/plugin.h>

template <class T, class S, class P> BM_FN T drift(const S& s, const P&) { return s.y; }
template <class T, class H, class S, class P> BM_FN T evolve(S& s, const P& p, H h, T u, T e) {
  const H kept = exp(-(h / p.tau));
  s.y = fma(sqrt(1 - kept * kept), normal(u, e), kept * s.y);
  return s.y;
}
template <class T, class S, class P> BM_FN void start(S& s, const P&, T u, T e) { s.y = normal(u, e); }

#ifdef BM_HOST
namespace {

struct Values {
  double tau;
};
const bm_parameter parameters[] = {BM_PARAMETER(tau, "tau", "time", 1, BM_POSITIVE, "correlation time")};
const char* const states[] = {"y"};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_DRIFT | BM_EVOLVE | BM_AVERAGE | BM_START,
             .id = "end_for_average",
             .version = "1.0",
             .summary = "a noise to check",
             .equation = "<y(t) y(s)> = exp(-|t - s|/tau)",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(state),
             .time_scale = BM_VALUE(v.tau),
             .mean = BM_VALUE(0),
             .intensity = BM_VALUE(v.tau),
             BM_SOURCE};
#endif
