// A noise that passes `plugin check`, +-F in turn with Gaussian jumps at its events, and how its copies are broken
// (statements.inc, which the build writes). The device text is the same in all: what is wrong in it comes in through
// constants.
#include <bmsim/plugin.h>

template <class T, class S, class P> BM_FN T drift(const S& s, const P& p) { return p.F * s.sign + p.bias; }
template <class T, class S, class P> BM_FN T waiting(const S&, const P& p, T e) { return p.tau * p.slower * e; }
template <class T, class S, class P> BM_FN T event(S& s, const P& p, T e) {
  s.sign = -s.sign;
  s.last = e;
  return p.jump * (e - 1);
}
template <class T, class S, class P> BM_FN void start(S& s, const P& p, T u, T) {
  s.sign = select(T(p.idle) > T(0), T(s.sign), select(u < T(0.5), T(-1), T(1)));
}

#ifdef BM_HOST
#include "copy.h"
namespace {

struct Values {
  double F, tau, nu, D;
  double bias, slower, jump, idle;
};
double bias = 0, slower = 1, jump = 0.5, idle = 0, factor = 1, scale = 1;

const bm_parameter parameters[] = {BM_PARAMETER(F, "F", "force", 1, BM_POSITIVE, "height"),
                                   BM_PARAMETER(tau, "tau", "time", 1, BM_POSITIVE, "mean time between events"),
                                   BM_PARAMETER(nu, "nu", "1/time", 1, BM_POSITIVE, "rate of the events"),
                                   BM_PARAMETER(D, "D", "length^2/time", 1, BM_POSITIVE, "intensity of the sign")};
constexpr bm_table parametrisations = {
    BM_GIVEN("F tau", "nu = 1/tau, D = F^2 tau/2", v.nu = 1 / v.tau, v.D = v.F * v.F * v.tau / 2),
    BM_GIVEN("F nu", "tau = 1/nu, D = F^2 tau/2", v.tau = factor / v.nu, v.D = v.F * v.F * v.tau / 2),
    BM_GIVEN("D nu", "F = sqrt(2 D nu)", v.tau = factor / v.nu, v.F = sqrt(2 * v.D / v.tau)),
};
constexpr bm_table constants = {BM_CONSTANT(bias, bias), BM_CONSTANT(slower, slower), BM_CONSTANT(jump, jump),
                                BM_CONSTANT(idle, idle)};
const char* const states[] = {"sign", "last"};

double absent(const double*) { return NAN; }
bm_plugin broken();

}  // namespace

BM_PLUGIN = broken();

namespace {

bm_plugin broken() {
  (void)absent;
  bm_plugin d = {BM_HEADER(BM_NOISE, Values),
                 .flags = BM_DRIFT | BM_EVENTS | BM_START,
                 .id = "checked",
                 .version = "1.0",
                 .summary = "a noise to check",
                 .equation = "+-F in turn",
                 .reference = "",
                 BM_LIST(parameter),
                 BM_LIST(constant),
                 BM_LIST(parametrisation),
                 BM_LIST(state),
                 .derive = BM_DERIVE(parametrisations, constants),
                 .time_scale = BM_VALUE(scale * v.tau),
                 .mean = BM_VALUE(0),
                 .intensity = BM_VALUE(v.D + 0.25 / 2 / v.tau),
                 BM_SOURCE};
#include "statements.inc"
  return d;
}

}  // namespace
#endif
