// A potential that passes `plugin check`, V(x) = V0 cos(2 pi x/L), and how its copies are broken (statements.inc,
// which the build writes). The device text is the same in all: what is wrong in it comes in through constants.
#include <bmsim/plugin.h>

template <class T> BM_FN T beyond(T u, T half) { return select(u - rint(u) > T(0), half, -half); }
template <class T, class P> BM_FN T energy(T u, const P& p) {
  return p.V0 * cos2pi(p.turns * u) + beyond(u, T(p.step)) + p.kink * absolute(u - rint(u));
}
template <class T, class P> BM_FN T force(T u, const P& p) {
  return p.push * sin2pi(p.turns * u) - beyond(u, T(p.jump)) + p.tilt;
}

#ifdef BM_HOST
#include "copy.h"
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double V0, L;
  double push, turns, step, kink, jump, tilt;
};
double turns = 1, step = 0, kink = 0, tilt = 0, stretch = 1, sign = 1, host = 1;
bool forgetful = false, keeps = false;
unsigned calls = 0;

const bm_parameter parameters[] = {BM_PARAMETER(V0, "V0", "energy", 1, BM_ANY, "amplitude"),
                                   BM_PARAMETER(L, "L", "length", 2, BM_POSITIVE, "period")};
const bm_constant constants[] = {BM_CONSTANT(push), BM_CONSTANT(turns), BM_CONSTANT(step),
                                 BM_CONSTANT(kink), BM_CONSTANT(jump),  BM_CONSTANT(tilt)};

int derive(const bm_context* context, double* values) {
  auto& v = bm_values<Values>(values);
  if (stretch == 0) return BM_REFUSE("no value is good enough");
  v.push = sign * two_pi * turns * v.V0 / v.L + (keeps ? ++calls : 0);
  v.turns = turns;
  v.step = step;
  v.kink = kink;
  v.jump = kink / v.L;
  if (!forgetful) v.tilt = tilt;
  return 0;
}
double energy_at(double u, const double* values, const bm_numbers* arrays) {
  return energy<double>(u, bm_host<Values>(values, arrays));
}
double force_at(double u, const double* values, const bm_numbers* arrays) {
  return host * force<double>(u, bm_host<Values>(values, arrays));
}
double cold(const double*) { return -1; }
double hole(double u, const double*, const bm_numbers*) { return u > 0.2 ? NAN : 0; }
uint32_t flat(const double*, const bm_numbers*, bm_segment* out, uint32_t capacity) {
  if (capacity > 0) out[0] = {-0.5, 0.5, 0};
  return 1;
}
uint32_t gaping(const double*, const bm_numbers*, bm_segment* out, uint32_t capacity) {
  if (capacity > 1) out[0] = {-0.5, 0, 0}, out[1] = {0.1, 0.5, 0};
  return 2;
}
uint32_t halved(const double*, const bm_numbers*, bm_segment* out, uint32_t capacity) {
  if (capacity > 0) out[0] = {-0.5, 0, 0};
  return 1;
}
double nothing(double, const double*, const bm_numbers*) { return 0; }
bm_plugin broken();

}  // namespace

BM_PLUGIN = broken();

namespace {

bm_plugin broken() {
  (void)cold, (void)hole, (void)flat, (void)gaping, (void)halved, (void)nothing;
  bm_plugin d = {BM_HEADER(BM_POTENTIAL, Values),
                 .flags = BM_SMOOTH,
                 .id = "checked",
                 .version = "1.0",
                 .summary = "a potential to check",
                 .equation = "V(x) = V0 cos(2 pi x/L)",
                 .reference = "",
                 BM_LIST(parameter),
                 BM_LIST(constant),
                 .derive = derive,
                 .period = BM_VALUE(stretch * v.L),
                 .energy = energy_at,
                 .force = force_at,
                 BM_SOURCE};
#include "statements.inc"
  return d;
}

}  // namespace
#endif
