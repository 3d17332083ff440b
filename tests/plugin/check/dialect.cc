// Every function of the dialect, with T, with values of P and with plain numbers as they are written: on both devices,
// in both precisions, it must compile, and give what it gives on the host.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T force(T phase, const P& p) {
  const T x = phase - rint(phase), y = sin2pi(phase) * T(0.5);
  T sum = x * x;
  sum = sum + minimum(x, 0.3) + minimum(0.3, x) + minimum(x, 1) + minimum(1, x) + minimum(x, p.A) + minimum(p.A, x) +
        minimum(x, y) + minimum(0.25, 1);
  sum = sum + maximum(x, 0.3) + maximum(0.3, x) + maximum(x, 1) + maximum(1, x) + maximum(x, p.A) + maximum(p.A, x) +
        maximum(x, y) + maximum(0.25, 1);
  sum = sum + copysign(x, 0.3) + copysign(0.3, x) + copysign(x, 1) + copysign(1, x) + copysign(x, p.A) +
        copysign(p.A, x) + copysign(x, y) + copysign(0.25, 1);
  sum = sum + fma(x, 0.5, y) + fma(0.5, x, y) + fma(x, y, 0.5) + fma(x, 2, 1) + fma(2, x, 1) + fma(1, 2.5, x);
  sum = sum + fma(p.A, x, 1) + fma(x, p.A, 0.5) + fma(p.A, 2, x) + fma(0.5, p.A, 1);
  sum = sum + select(x < 0.1, x, 1.5) + select(x > 0.2, 1.5, x) + select(x <= y, 1, 2.5) + select(x >= 0, x, y);
  sum = sum + select(p.A > 0, x, 1.5) + select(p.A > 0, 2, x) + select(p.A == 1, x, y) + select(p.A != 1, 1, 2.5);
  sum = sum + select(x < 0.1 && !(y > 0.3), x, y) + select(x < -0.2 || y < 0, x, 1);
  sum = sum + rint(x + 0.3) + rint(0.7) + rint(2) + floor(x) + floor(-0.5) + floor(3) + floor(p.A);
  sum = sum + sqrt(absolute(x)) + sqrt(2.0) + sqrt(2) + absolute(-1.5) + absolute(-1) + absolute(p.A) + sqrt(p.A);
  sum = sum + exp(x) + exp(0.5) + exp(1) + exp(p.A) + log(x + 2) + log(2.0) + log(2) + log(p.A);
  sum = sum + cos2pi(x) + cos2pi(0.125) + cos2pi(1) + cos2pi(p.A) + sin2pi(0.125) + sin2pi(1) + sin2pi(p.A);
  const T u = absolute(x) + 0.25;
  sum = sum + normal(u, absolute(y)) + normal(u, 0.5) + normal(u, 1) + normal(0.25, u) + normal(0.25, 1);
  sum = sum + normal_quantile(u) + normal_quantile(0.3) + normal_quantile(p.half);
  sum += 1;
  sum -= 0.5;
  sum *= 0.25;
  sum /= 2;
  return select(any(x < 2), -sum, 1 - sum / 2 + 0.5 * x);
}

#ifdef BM_HOST
namespace {

struct Values {
  double A, half;
};
BM_HOST_FORCE(Values)

const bm_parameter parameters[] = {BM_PARAMETER(A, "A", "force", 1, BM_POSITIVE, "a number"),
                                   BM_PARAMETER(half, "h", "", 0.5, BM_BETWEEN(0.1, 0.9), "another")};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_DRIVE, Values),
             .flags = 0,
             .id = "dialect",
             .version = "1.0",
             .summary = "every function of the dialect",
             .equation = "a sum of them",
             .reference = "",
             BM_LIST(parameter),
             .time_scale = BM_VALUE(1),
             .force = force_at,
             BM_SOURCE};
#endif
