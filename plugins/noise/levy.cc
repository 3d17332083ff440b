// Levy noise: white, with increments over h that are alpha-stable (S1 of Samorodnitsky and Taqqu) with the scale
// scale h^(1/alpha): characteristic function exp{-h scale^alpha |k|^alpha [1 - i beta sgn(k) tan(pi alpha/2)]}, and
// exp{-h scale |k| [1 + i beta (2/pi) sgn(k) log|k|]} for alpha = 1. Chambers, Mallows, Stuck 1976.
#include <bmsim/plugin.h>

// sin(x)/x for |x| <= pi/2, q = x^2
template <class T> BM_FN T sinc(T q) {
  T sum = fma(q, T(1.0 / 6227020800), T(-1.0 / 39916800));
  sum = fma(q, sum, T(1.0 / 362880));
  sum = fma(q, sum, T(-1.0 / 5040));
  sum = fma(q, sum, T(1.0 / 120));
  sum = fma(q, sum, T(-1.0 / 6));
  return fma(q, sum, T(1));
}
// (exp(eps d) - 1)/eps, which is d for eps = 0
template <class T, class P> BM_FN T growth(T d, T power, const P& p) {
  const T y = p.eps * d;
  T sum = fma(y, T(1.0 / 5040), T(1.0 / 720));
  sum = fma(y, sum, T(1.0 / 120));
  sum = fma(y, sum, T(1.0 / 24));
  sum = fma(y, sum, T(1.0 / 6));
  sum = fma(y, sum, T(1.0 / 2));
  return select(absolute(y) < T(0.25), d * fma(y, sum, T(1)), (power - 1) * p.per_eps);
}

// With eps = 1 - alpha, phi uniform on (-pi/2, pi/2) and e a unit exponential, the law of scale 1 is that of
//   [sin(alpha phi) + b cos(alpha phi)]/cos(phi) Z^(eps/alpha),  Z = [cos(eps phi) + b sin(eps phi)]/(e cos(phi)),
// b = beta tan(pi alpha/2). Both terms diverge at alpha = 1. Minus b (parametrisation S0) the law is continuous there,
// and so is its computation: skew = eps b, sin(eps phi)/eps and [Z^(eps/alpha) - 1]/eps stay finite.
template <class T, class H, class P> BM_FN T increment(const P& p, H h, T u, T e) {
  const H log_scale = fma(log(maximum(h, H(1e-30))), H(p.inverse), H(p.log_scale));     // of scale h^(1/alpha)
  const T near = minimum(u, 1 - u), half_turns = select(near > T(0), near, T(1.5e-8));  // from the end of the range
  const T wait = select(e > T(0), e, T(1.5e-8));  // single precision rounds some u to 1, some e to 0
  const T phi = T(3.14159265358979323846) * (u - T(0.5)), edge = T(3.14159265358979323846) * half_turns;
  const T cosine = edge * sinc(edge * edge), tangent = copysign(cos2pi(T(0.5) * half_turns), phi) / cosine;
  const T turned = p.eps * phi, s = phi * sinc(turned * turned), c = cos2pi(p.half_eps * (u - T(0.5)));
  const T top = maximum(fma(T(p.skew), s, c), p.least * cosine);  // less only by rounding
  const T d = log(top / (cosine * wait)) * p.inverse;
  const T power = exp(minimum(p.eps * d, T(60)));
  if (p.skew == 0) return exp(log_scale) * ((tangent * c - p.eps * s) * power);
  const T rest = p.eps * s * fma(T(p.skew), s / (1 + c), T(1));  // sin(eps phi) + skew [1 - cos(eps phi)]/eps
  const T x = fma(tangent * top - rest, power, p.skew * growth(d, power, p));
  return exp(log_scale) * (x + fma(log_scale, H(p.log_shift), H(p.shift)));
}

#ifdef BM_HOST
namespace {

constexpr double half_pi = 1.570796326794896619231;

struct Values {
  double alpha, beta, scale;
  double eps, half_eps, per_eps, inverse, log_scale, skew, least, shift, log_shift;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(alpha, "alpha", "", 1.5, BM_ABOVE_TO(0, 2),
                 "stability index: 2 is Gaussian, 1 with beta = 0 is Cauchy's law; below 1/2 use double precision"),
    BM_PARAMETER(beta, "beta", "", 0, BM_WITHIN(-1, 1), "skewness; without effect for alpha = 2"),
    BM_PARAMETER(scale, "sigma", "length/time^(1/alpha)", 1, BM_POSITIVE, "scale; for alpha = 2, D = scale^2"),
};
constexpr bm_table constants = {
    BM_CONSTANT(eps, 1 - v.alpha),
    BM_CONSTANT(half_eps, v.eps / 2),
    BM_CONSTANT(per_eps, v.eps == 0 ? 0 : 1 / v.eps),
    BM_CONSTANT(inverse, 1 / v.alpha),
    BM_CONSTANT(log_scale, log(v.scale)),
    BM_CONSTANT(least, v.eps == 0 ? 1 / half_pi : v.eps / sin(half_pi * v.eps)),
    BM_CONSTANT(skew, (v.alpha == 2 ? 0 : v.beta) * v.least * cos(half_pi * v.eps)),
    BM_CONSTANT(shift, v.eps == 0 ? 0 : v.skew / v.eps),
    BM_CONSTANT(log_shift, v.eps == 0 ? v.skew : 0),
};
int check(const bm_context* context, const Values& v) {
  const double off = fabs(1 - v.alpha);
  if (off != 0 && off < 1e-4 && v.beta != 0)
    return BM_REFUSE(
        "alpha must be 1 or at least 0.0001 away where beta is not 0, as beta tan(pi alpha/2) diverges, "
        "got %.10g",
        v.alpha);
  return 0;
}

constexpr bm_stable stable = {BM_VALUE(v.alpha), BM_VALUE(v.beta), BM_VALUE(v.scale)};
const void* extension(const char* name) { return strcmp(name, BM_STABLE) == 0 ? &stable : nullptr; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_INCREMENT,
             .id = "levy",
             .version = "1.0",
             .summary = "Levy noise: white, with alpha-stable increments",
             .equation =
                 "<exp(i k dL)> = exp{-h scale^alpha |k|^alpha [1 - i beta sgn(k) tan(pi alpha/2)]}; alpha = 1: "
                 "exp{-h scale |k| [1 + i beta (2/pi) sgn(k) log|k|]}",
             .reference =
                 "J. M. Chambers, C. L. Mallows, B. W. Stuck, J. Am. Stat. Assoc. 71, 340 (1976); "
                 "A. Janicki, A. Weron, Simulation and Chaotic Behavior of alpha-Stable Stochastic Processes "
                 "(Dekker, 1994)",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(check, constants),
             .mean = BM_VALUE(v.alpha > 1 ? 0 : NAN),
             .intensity = BM_VALUE(v.alpha == 2 ? v.scale * v.scale : NAN),
             BM_SOURCE,
             .extension = extension};
#endif
