// Three-state noise: values -F, 0, F. At rate nu the value is drawn anew from the stationary law, q, 1 - 2 q, q:
// <eta(t) eta(s)> = 2 q F^2 exp(-nu |t - s|). Mankin, Ainsaar, Reiter 1999.
#include <bmsim/plugin.h>

// exp(-e) is uniform, so that e > -log(q) with probability q.
template <class T, class P> BM_FN T draw(T e, const P& p) {
  return select(e < p.zero, T(0), select(e < p.above, T(p.minus), T(p.F)));
}
template <class T, class S, class P> BM_FN T drift(const S& state, const P&) { return state.value; }
template <class T, class S, class P> BM_FN T waiting(const S&, const P& p, T e) { return p.tau * e; }
template <class T, class S, class P> BM_FN T event(S& state, const P& p, T e) {
  state.value = draw(e, p);
  return T(0);
}
template <class T, class S, class P> BM_FN void start(S& state, const P& p, T, T e) { state.value = draw(e, p); }

#ifdef BM_HOST
namespace {

struct Values {
  double F, q, nu, tau;
  double zero, above, minus;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(F, "F", "force", 1, BM_NOT_NEGATIVE, "height of the outer states"),
    BM_PARAMETER(q, "q", "", 1.0 / 3, BM_WITHIN(0, 0.5), "probability of either outer state"),
    BM_PARAMETER(nu, "nu", "1/time", 1, BM_POSITIVE, "rate at which the value is drawn anew"),
    BM_PARAMETER(tau, "tau", "time", 1, BM_POSITIVE, "correlation time 1/nu"),
};
constexpr bm_table parametrisations = {
    BM_GIVEN("nu", "tau = 1/nu", v.tau = 1 / v.nu),
    BM_GIVEN("tau", "nu = 1/tau", v.nu = 1 / v.tau),
};
constexpr bm_table constants = {
    BM_CONSTANT(zero, minimum(-log(2 * v.q), 1e30)),  // finite for q = 0
    BM_CONSTANT(above, minimum(-log(v.q), 1e30)),
    BM_CONSTANT(minus, -v.F),
};
const char* const states[] = {"value"};

constexpr bm_chain chain = {3,
                            BM_OF_STATE(state == 0   ? -v.F
                                        : state == 1 ? 0
                                                     : v.F),
                            BM_OF_STATE(v.nu), BM_OF_STATES(then == 1 ? 1 - 2 * v.q : v.q)};
const void* extension(const char* name) { return strcmp(name, BM_CHAIN) == 0 ? &chain : nullptr; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_DRIFT | BM_EVENTS | BM_START | BM_MODULATES,
             .id = "three_state",
             .version = "1.0",
             .summary = "three-state noise, values -F, 0 and F drawn anew at rate nu",
             .equation =
                 "eta(t) in {-F, 0, F}, at rate nu drawn anew with the probabilities q, 1 - 2 q, q; "
                 "D = 2 q F^2/nu, flatness 1/(2 q)",
             .reference = "R. Mankin, A. Ainsaar, E. Reiter, Phys. Rev. E 60, 1374 (1999)",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             BM_LIST(state),
             .derive = BM_DERIVE(parametrisations, constants),
             .time_scale = BM_VALUE(v.tau),
             .mean = BM_VALUE(0),
             .intensity = BM_VALUE(2 * v.q * v.F * v.F * v.tau),
             BM_SOURCE,
             .extension = extension};
#endif
