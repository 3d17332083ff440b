// White Poissonian noise: eta(t) = sum z_i delta(t - t_i) - a, jumps z_i of one law at rate lambda,
// D = lambda <z^2> / 2, a = lambda <z>. Luczka, Bartussek, Haenggi 1995.
#include <bmsim/plugin.h>

constexpr int exponential = 0, constant = 1, gaussian = 2, two_sided = 3, uniform = 4;  // p.law

// The smaller of exp(-e) and 1 - exp(-e) = 2 exp(-e/2) sinh(e/2), without loss of digits, and never 0.
template <class T> BM_FN T smaller_tail(T e) {
  e = select(e > T(0), e, T(1.5e-8));  // single precision rounds some to 0
  const T root = exp(e * T(-0.5)), q = e * e * T(0.25);
  const T sinhc = fma(q, fma(q, fma(q, fma(q, T(1.0 / 362880), T(1.0 / 5040)), T(1.0 / 120)), T(1.0 / 6)), T(1));
  return select(e < T(0.69314718055994530942), e * root * sinhc, root * root);
}

template <class T, class S, class P> BM_FN T drift(const S&, const P& p) { return T(p.bias); }
template <class T, class S, class P> BM_FN T waiting(const S&, const P& p, T e) { return p.interval * e; }
template <class T, class S, class P> BM_FN T event(S&, const P& p, T e) {
  if (p.law == exponential) return p.zeta * e;
  if (p.law == constant) return T(p.zeta);
  if (p.law == uniform) return p.width * exp(-e);
  const T side = e - T(0.69314718055994530942);  // either sign with probability 1/2
  if (p.law == two_sided) return p.zeta * copysign(log(2 * smaller_tail(e)), side);
  return fma(T(p.sigma), copysign(normal_quantile(smaller_tail(e)), side), T(p.zeta));
}

#ifdef BM_HOST
namespace {

struct Values {
  double lambda, zeta, D, a, law, sigma, compensated;
  double bias, interval, width;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(lambda, "lambda", "1/time", 1, BM_POSITIVE, "rate of the jumps"),
    BM_PARAMETER(zeta, "zeta", "length", 1, BM_ANY,
                 "mean jump; of law two_sided the mean of |z|; the positive root where D and lambda are given"),
    BM_PARAMETER(D, "D_P", "length^2/time", 1, BM_POSITIVE, "intensity lambda <z^2>/2"),
    BM_PARAMETER(a, "a", "length/time", 1, BM_ANY, "mean velocity lambda <z> of the jumps"),
    BM_CHOICE(
        law, "exponential constant gaussian two_sided uniform",
        "of the jumps z, in general D = lambda <z^2>/2 and a = lambda <z>. exponential: D = lambda zeta^2; constant: "
        "z = zeta, D = lambda zeta^2/2; gaussian: normal, D = lambda (zeta^2 + sigma^2)/2; two_sided: exponential to "
        "either side, D = lambda zeta^2, a = 0; uniform: on [0, 2 zeta], D = 2 lambda zeta^2/3"),
    BM_PARAMETER(sigma, "sigma", "length", 1, BM_NOT_NEGATIVE, "standard deviation of the jumps, of law gaussian only"),
    BM_PARAMETER(compensated, "compensated", "", 1, BM_WITHIN(0, 1),
                 "1: a is subtracted, so that the mean is zero; 0: it is not"),
};

// r = <z^2>/(2 zeta^2) of the laws with one parameter; velocity a = lambda <z> and intensity D = lambda <z^2>/2
double r(const Values& v) { return v.law == constant ? 1.0 / 2 : v.law == uniform ? 2.0 / 3 : 1; }
double velocity(const Values& v) { return v.law == two_sided ? 0 : v.lambda * v.zeta; }
double intensity(const Values& v) {
  return v.lambda * (v.law == gaussian ? (v.zeta * v.zeta + v.sigma * v.sigma) / 2 : r(v) * v.zeta * v.zeta);
}
constexpr bm_table parametrisations = {
    BM_GIVEN("lambda zeta",
             "D = r lambda zeta^2, a = lambda zeta. Here and below r = 1, of law constant 1/2, of law uniform 2/3",
             v.a = velocity(v), v.D = intensity(v)),
    BM_GIVEN("D a", "lambda = r a^2/D, zeta = D/(r a)", v.lambda = r(v) * v.a * v.a / v.D, v.zeta = v.D / (r(v) * v.a)),
    BM_GIVEN("lambda D", "zeta = sqrt(D/(r lambda)), a = lambda zeta", v.zeta = sqrt(v.D / (r(v) * v.lambda)),
             v.a = velocity(v)),
    BM_GIVEN("lambda a", "zeta = a/lambda, D = r a zeta", v.zeta = v.a / v.lambda, v.D = intensity(v)),
    BM_GIVEN("zeta D", "lambda = D/(r zeta^2), a = D/(r zeta)", v.lambda = v.D / (r(v) * v.zeta * v.zeta),
             v.a = velocity(v)),
    BM_GIVEN("zeta a", "lambda = a/zeta, D = r a zeta", v.lambda = v.a / v.zeta, v.D = intensity(v)),
};
constexpr bm_table constants = {
    BM_CONSTANT(bias, v.compensated == 1 ? -v.a : 0),
    BM_CONSTANT(interval, 1 / v.lambda),
    BM_CONSTANT(width, 2 * v.zeta),
};

// Linked parameters that are not given are NaN here.
int check(const bm_context* context, const Values& v) {
  const char* const got = parametrisations.entries[context->which].names;
  if (v.compensated != 0 && v.compensated != 1) return BM_REFUSE("compensated must be 0 or 1, got %g", v.compensated);
  if (v.law == two_sided && !isnan(v.a))
    return BM_REFUSE("law two_sided, where a = 0, must be given by lambda zeta | lambda D | zeta D, got %s", got);
  if (v.law == gaussian && !isnan(v.D))
    return BM_REFUSE("law gaussian must be given by lambda zeta | lambda a | zeta a, got %s", got);
  if (v.law != gaussian && v.sigma != 1)
    return BM_REFUSE("sigma must be left out where law is not gaussian, got %g", v.sigma);
  return 0;
}

const char* word_of(const double* values) {
  const char* const laws[] = {"exponential", "constant", "gaussian", "two_sided", "uniform"};
  return laws[static_cast<int>(bm_values<Values>(values).law)];
}
constexpr bm_kicks kicks = {word_of, BM_VALUE(v.lambda), BM_VALUE(v.zeta), BM_VALUE(v.sigma), BM_VALUE(v.a)};
const void* extension(const char* name) { return strcmp(name, BM_KICKS) == 0 ? &kicks : nullptr; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_DRIFT | BM_EVENTS,
             .id = "poisson",
             .version = "1.0",
             .summary = "white Poissonian shot noise",
             .equation = "eta(t) = sum z_i delta(t - t_i) - a, jumps z_i of one law at rate lambda, a = lambda <z>",
             .reference = "J. Luczka, R. Bartussek, P. Haenggi, Europhys. Lett. 31, 431 (1995)",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             .derive = BM_DERIVE(check, parametrisations, constants),
             .time_scale = BM_VALUE(v.interval),
             .mean = BM_VALUE(v.a + v.bias),
             .intensity = BM_VALUE(v.D),
             BM_SOURCE,
             .extension = extension};
#endif
