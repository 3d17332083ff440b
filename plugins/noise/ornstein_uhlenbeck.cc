// Ornstein-Uhlenbeck noise: dy = -y/tau dt + sqrt(2 D)/tau dW, <y(t) y(s)> = (D/tau) exp(-|t - s|/tau), with the exact
// law over any time h: y exp(-h/tau) + sigma sqrt(1 - exp(-2 h/tau)) N(0, 1), sigma^2 = D/tau. Its mean over h, given
// both ends, is normal with mean (y(0) + y(h)) q/2 and variance sigma^2 (1 - q)/z, z = h/(2 tau), q = tanh(z)/z.
// Gillespie 1996.
#include <bmsim/plugin.h>

// 1 - exp(-x) without loss of digits for small x, the usual case: an error here is an error of tau.
template <class H> BM_FN H relaxed(H x) {
  H sum = fma(x, H(1.0 / 5040), H(-1.0 / 720));
  sum = fma(x, sum, H(1.0 / 120));
  sum = fma(x, sum, H(-1.0 / 24));
  sum = fma(x, sum, H(1.0 / 6));
  sum = fma(x, sum, H(-1.0 / 2));
  return select(x < H(0.25), x * fma(x, sum, H(1)), 1 - exp(-x));
}

template <class T, class S, class P> BM_FN T drift(const S& state, const P&) { return state.y; }
template <class T, class H, class S, class P> BM_FN T evolve(S& state, const P& p, H h, T u, T e) {
  const H x = h * p.rate, z = x * H(0.5), lost = relaxed(x);
  const H spread = p.sigma * sqrt(lost * (2 - lost));
  const T before = state.y;
  state.y = fma(spread, normal(u, e), fma(-lost, state.y, state.y));
  // (1 - q)/z for small z from a continued fraction in which nothing cancels, to 3e-15; for large z from tanh(z).
  const H small = minimum(z, H(0.5)), s = small * small;
  const H fraction =
      small * fma(s, fma(s, H(27), H(2772)), H(45045)) / fma(s, fma(s, fma(s, H(28), H(3150)), H(62370)), H(135135));
  const H large = maximum(z, H(0.5)), q_large = lost / ((2 - lost) * large);
  const auto is_small = z < H(0.5);
  const H q = select(is_small, fma(-small, fraction, H(1)), q_large);
  const H rest = select(is_small, fraction, (1 - q_large) / large);
  // sqrt(2 e) sin(2 pi u) is a second unit normal, independent of normal(u, e).
  return fma(p.sigma * sqrt(rest), sqrt(e + e) * sin2pi(u), (before + state.y) * (q * H(0.5)));
}
template <class T, class S, class P> BM_FN void start(S& state, const P& p, T u, T e) {
  state.y = p.sigma * normal(u, e);
}

#ifdef BM_HOST
namespace {

struct Values {
  double D, sigma, tau;
  double rate;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(D, "D", "length^2/time", 1, BM_NOT_NEGATIVE, "intensity sigma^2 tau"),
    BM_PARAMETER(sigma, "sigma", "force", 1, BM_NOT_NEGATIVE, "standard deviation sqrt(D/tau)"),
    BM_PARAMETER(tau, "tau", "time", 1, BM_POSITIVE, "correlation time"),
};
constexpr bm_table parametrisations = {
    BM_GIVEN("D tau", "sigma = sqrt(D/tau)", v.sigma = sqrt(v.D / v.tau)),
    BM_GIVEN("sigma tau", "D = sigma^2 tau", v.D = v.sigma * v.sigma * v.tau),
};
constexpr bm_table constants = {BM_CONSTANT(rate, 1 / v.tau)};
const char* const states[] = {"y"};

const void* extension(const char* name) { return strcmp(name, BM_COLOURED) == 0 ? states : nullptr; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_DRIFT | BM_EVOLVE | BM_AVERAGE | BM_START | BM_MODULATES,
             .id = "ornstein_uhlenbeck",
             .version = "1.1",
             .summary = "Ornstein-Uhlenbeck noise: Gaussian and exponentially correlated",
             .equation = "dy = -y/tau dt + sqrt(2 D)/tau dW, <y(t) y(s)> = (D/tau) exp(-|t - s|/tau)",
             .reference =
                 "G. E. Uhlenbeck, L. S. Ornstein, Phys. Rev. 36, 823 (1930); "
                 "D. T. Gillespie, Phys. Rev. E 54, 2084 (1996)",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             BM_LIST(state),
             .derive = BM_DERIVE(parametrisations, constants),
             .time_scale = BM_VALUE(v.tau),
             .mean = BM_VALUE(0),
             .intensity = BM_VALUE(v.D),
             BM_SOURCE,
             .extension = extension};
#endif
