// White Poissonian noise: eta(t) = sum z_i delta(t - t_i) - a, exponential z_i of mean zeta at rate lambda,
// D = lambda zeta^2, a = lambda zeta. Luczka, Bartussek, Haenggi 1995.
#include <bmsim/plugin.h>

template <class T, class S, class P> BM_FN T drift(const S&, const P& p) { return T(p.bias); }
template <class T, class S, class P> BM_FN T waiting(const S&, const P& p, T e) { return p.interval * e; }
template <class T, class S, class P> BM_FN T event(S&, const P& p, T e) { return p.zeta * e; }

#ifdef BM_HOST
namespace {

struct Values {
  double lambda, zeta, D, a, compensated;
  double bias, interval;
};

const bm_parameter parameters[] = {
    BM_PARAMETER(lambda, "lambda", "1/time", 1, BM_POSITIVE, "rate of the jumps"),
    BM_PARAMETER(zeta, "zeta", "length", 1, BM_ANY, "mean jump; where D and lambda are given, the positive root"),
    BM_PARAMETER(D, "D_P", "length^2/time", 1, BM_POSITIVE, "intensity lambda zeta^2"),
    BM_PARAMETER(a, "a", "length/time", 1, BM_ANY, "mean velocity of the jumps, lambda zeta"),
    BM_PARAMETER(compensated, "compensated", "", 1, BM_WITHIN(0, 1),
                 "1: a is subtracted, so that the mean is zero; 0: it is not"),
};
const bm_constant constants[] = {BM_CONSTANT(bias), BM_CONSTANT(interval)};

enum Which { D_a, lambda_zeta, lambda_D, lambda_a, zeta_D, zeta_a };
const bm_parametrisation parametrisations[] = {
    {"D a", "lambda = a^2/D, zeta = D/a"},
    {"lambda zeta", "D = lambda zeta^2, a = lambda zeta"},
    {"lambda D", "zeta = sqrt(D/lambda), a = lambda zeta"},
    {"lambda a", "zeta = a/lambda, D = a zeta"},
    {"zeta D", "lambda = D/zeta^2, a = D/zeta"},
    {"zeta a", "lambda = a/zeta, D = a zeta"},
};

int derive(uint32_t which, double* values, char* message, size_t capacity) {
  auto& v = bm_values<Values>(values);
  if (v.compensated != 0 && v.compensated != 1) return BM_REFUSE("compensated must be 0 or 1, got %g", v.compensated);
  switch (which) {
    case D_a:
      v.lambda = v.a * v.a / v.D;
      v.zeta = v.D / v.a;
      break;
    case lambda_zeta:
      v.D = v.lambda * v.zeta * v.zeta;
      v.a = v.lambda * v.zeta;
      break;
    case lambda_D:
      v.zeta = sqrt(v.D / v.lambda);
      v.a = v.lambda * v.zeta;
      break;
    case lambda_a:
      v.zeta = v.a / v.lambda;
      v.D = v.a * v.zeta;
      break;
    case zeta_D:
      v.lambda = v.D / (v.zeta * v.zeta);
      v.a = v.D / v.zeta;
      break;
    case zeta_a:
      v.lambda = v.a / v.zeta;
      v.D = v.a * v.zeta;
      break;
    default:
      return BM_REFUSE("unknown parametrisation %u", which);
  }
  v.bias = v.compensated == 1 ? -v.a : 0;
  v.interval = 1 / v.lambda;
  return 0;
}
double time_scale(const double* values) { return bm_values<Values>(values).interval; }

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_DRIFT | BM_EVENTS,
             .id = "poisson",
             .version = "1.0",
             .summary = "white Poissonian shot noise",
             .equation = "eta(t) = sum z_i delta(t - t_i) - a, exponential z_i with mean zeta at rate lambda",
             .reference = "J. Luczka, R. Bartussek, P. Haenggi, Europhys. Lett. 31, 431 (1995)",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(parametrisation),
             .derive = derive,
             .time_scale = time_scale,
             BM_SOURCE};
#endif
