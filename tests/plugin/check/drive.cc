// A drive that passes `plugin check`, A cos(omega t), and how its copies are broken (statements.inc, which the build
// writes). The device text is the same in all: what is wrong in it comes in through constants.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T force(T phase, const P& p) { return p.A * cos2pi(p.turns * phase); }

#ifdef BM_HOST
#include "copy.h"
namespace {

struct Values {
  double A, omega;
  double turns;
};
double turns = 1, host = 1;

const bm_parameter parameters[] = {BM_PARAMETER(A, "A", "force", 1, BM_ANY, "amplitude"),
                                   BM_PARAMETER(omega, "omega", "radian/time", 1, BM_POSITIVE, "angular frequency")};
constexpr bm_table constants = {BM_CONSTANT(turns, turns)};

double no_time(const double*) { return INFINITY; }
double force_at(double phase, const double* values, const bm_numbers* arrays) {
  return host * force<double>(phase, bm_host<Values>(values, arrays));
}
double pole(double phase, const double*, const bm_numbers*) { return phase > 0.5 ? INFINITY : 0; }
bm_plugin broken();

}  // namespace

BM_PLUGIN = broken();

namespace {

bm_plugin broken() {
  (void)no_time, (void)pole;
  bm_plugin d = {BM_HEADER(BM_DRIVE, Values),
                 .flags = 0,
                 .id = "checked",
                 .version = "1.0",
                 .summary = "a drive to check",
                 .equation = "A cos(omega t)",
                 .reference = "",
                 BM_LIST(parameter),
                 BM_LIST(constant),
                 .derive = BM_DERIVE(constants),
                 .time_scale = BM_VALUE(6.283185307179586 / v.omega),
                 .force = force_at,
                 BM_SOURCE};
#include "statements.inc"
  return d;
}

}  // namespace
#endif
