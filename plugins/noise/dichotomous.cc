// Dichotomous noise (random telegraph signal): states -Fa and Fb, left at rates mu_a = 1/tau_a and mu_b = 1/tau_b,
// 1/tau = mu_a + mu_b. Zero mean: Fa mu_b = Fb mu_a.
#include <bmsim/plugin.h>

template <class T, class S, class P> BM_FN T drift(const S& state, const P& p) {
  return select(state.up > 0, T(p.Fb), T(p.down));
}
template <class T, class S, class P> BM_FN T waiting(const S& state, const P& p, T e) {
  return e * select(state.up > 0, T(p.tau_b), T(p.tau_a));
}
template <class T, class S, class P> BM_FN T event(S& state, const P&, T) {
  state.up = 1 - state.up;
  return T(0);
}
template <class T, class S, class P> BM_FN void start(S& state, const P& p, T u, T) {
  state.up = select(u < p.occupation, T(1), T(0));
}

#ifdef BM_HOST
namespace {

struct Values {
  double Fa, Fb, tau, mu_a, mu_b;
  double down, tau_a, tau_b, occupation;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(Fa, "F_a", "force", 1, BM_NOT_NEGATIVE, "depth of the lower state -Fa"),
    BM_PARAMETER(Fb, "F_b", "force", 1, BM_NOT_NEGATIVE, "height of the upper state Fb"),
    BM_PARAMETER(tau, "tau", "time", 1, BM_POSITIVE, "correlation time 1/(mu_a + mu_b)"),
    BM_PARAMETER(mu_a, "mu_a", "1/time", 0.5, BM_POSITIVE, "rate of leaving -Fa"),
    BM_PARAMETER(mu_b, "mu_b", "1/time", 0.5, BM_POSITIVE, "rate of leaving Fb"),
};
constexpr bm_table parametrisations = {
    BM_GIVEN("Fa Fb tau", "zero mean: mu_a = Fa/((Fa + Fb) tau), mu_b = Fb/((Fa + Fb) tau)",
             v.mu_a = v.Fa / ((v.Fa + v.Fb) * v.tau), v.mu_b = v.Fb / ((v.Fa + v.Fb) * v.tau)),
    BM_GIVEN("Fa Fb mu_a mu_b", "tau = 1/(mu_a + mu_b); the mean is (Fb mu_a - Fa mu_b) tau",
             v.tau = 1 / (v.mu_a + v.mu_b)),
};
constexpr bm_table constants = {
    BM_CONSTANT(down, -v.Fa),
    BM_CONSTANT(tau_a, 1 / v.mu_a),
    BM_CONSTANT(tau_b, 1 / v.mu_b),
    BM_CONSTANT(occupation, (v.mu_a * v.tau)),
};
const char* const states[] = {"up"};  // 0: -Fa, 1: Fb

int check(const bm_context* context, const Values& v) {
  if (context->which == 0 && !(v.Fa > 0 && v.Fb > 0))
    return BM_REFUSE("zero mean needs Fa > 0 and Fb > 0, got %g and %g", v.Fa, v.Fb);
  return 0;
}
double spread(const Values& v) { return (v.Fa + v.Fb) * v.tau; }

constexpr bm_chain chain = {2, BM_OF_STATE(state == 0 ? -v.Fa : v.Fb), BM_OF_STATE(state == 0 ? v.mu_a : v.mu_b),
                            BM_OF_STATES(state != then)};
const void* extension(const char* name) { return strcmp(name, BM_CHAIN) == 0 ? &chain : nullptr; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_DRIFT | BM_EVENTS | BM_START | BM_MODULATES,
             .id = "dichotomous",
             .version = "1.0",
             .summary = "dichotomous noise, two states -Fa and Fb",
             .equation = "Gamma(t) in {-Fa, Fb}, Pr(-Fa -> Fb) = mu_a, Pr(Fb -> -Fa) = mu_b per unit time",
             .reference = "J. Kula, M. Kostur, J. Luczka, Chem. Phys. 235, 27 (1998)",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             BM_LIST(state),
             .derive = BM_DERIVE(check, parametrisations, constants),
             .time_scale = BM_VALUE(minimum(v.tau_a, v.tau_b)),
             .mean = BM_VALUE((v.Fb * v.mu_a - v.Fa * v.mu_b) * v.tau),
             .intensity = BM_VALUE(v.mu_a * v.mu_b * spread(v) * spread(v) * v.tau),
             BM_SOURCE,
             .extension = extension};
#endif
