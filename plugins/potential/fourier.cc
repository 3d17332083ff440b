// Fourier potential: V(x) = V0 sum_n [a_n cos(2 pi n x/L) + b_n sin(2 pi n x/L)], n = 1, 2, ..., period L.
#include <bmsim/plugin.h>

// Horner's scheme for the real part of sum_n (cosine_n - i sine_n) z^n, z = exp(2 pi i u): it stays exact near u = 0,
// where Clenshaw's does not.
template <class T, class P> BM_FN T force(T u, const P& p) {
  const T s = sin2pi(u), c = cos2pi(u);
  T re = T(0), im = T(0);
  BM_UNROLL for (uint32_t i = 0; i < p.sine.count; ++i) {
    const uint32_t n = p.sine.count - 1 - i;
    const T next = i == 0 ? T(p.cosine[n]) : fma(re, c, fma(-im, s, T(p.cosine[n])));
    im = i == 0 ? T(-p.sine[n]) : fma(re, s, fma(im, c, T(-p.sine[n])));
    re = next;
  }
  return re * c - im * s;
}
template <class T, class P> BM_FN T energy(T u, const P& p) {
  T sum = T(0);
  BM_UNROLL for (uint32_t i = 0; i < p.sine.count; ++i) {
    const T n = T(i + 1), turns = n * u - rint(n * u);
    sum += (p.sine[i] * cos2pi(turns) - p.cosine[i] * sin2pi(turns)) * p.per_wave / n;
  }
  return sum;
}

#ifdef BM_HOST
namespace {

constexpr double two_pi = 6.283185307179586476925;

struct Values {
  double V0, L;
  double per_wave;
};
struct Arrays {
  bm_numbers cosine, sine;
};
BM_HOST_POTENTIAL(Values, Arrays)

const bm_parameter parameters[] = {
    BM_PARAMETER(V0, "V0", "energy", 1, BM_ANY, "unit of the coefficients"),
    BM_PARAMETER(L, "L", "length", 1, BM_POSITIVE, "period"),
};
constexpr bm_table constants = {BM_CONSTANT(per_wave, v.L / two_pi)};
const bm_list lists[] = {
    {"a", "a_n", "energy/V0", "coefficients of the cosines, a_1 first", 0, 16},
    {"b", "b_n", "energy/V0", "coefficients of the sines, b_1 first", 0, 16},
};
const bm_array arrays[] = {{"cosine", 0}, {"sine", 0}};  // coefficients of the force

int check(const bm_context* context, const Values&) {
  if (context->lists[0].count + context->lists[1].count == 0) return BM_REFUSE("a or b must be given, got neither");
  return 0;
}
uint32_t array(const bm_context* context, const double* values, uint32_t index, double* out, uint32_t capacity) {
  const auto& v = bm_values<Values>(values);
  const bm_numbers a = context->lists[0], b = context->lists[1];
  const bm_numbers from = index == 0 ? b : a;
  const double unit = (index == 0 ? -v.V0 : v.V0) / v.per_wave;
  const uint32_t count = a.count > b.count ? a.count : b.count;
  for (uint32_t i = 0; i < count && i < capacity; ++i) out[i] = i < from.count ? unit * (i + 1) * from[i] : 0;
  return count;
}

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH,
             .id = "fourier",
             .version = "1.0",
             .summary = "periodic potential given by its Fourier coefficients",
             .equation = "V(x) = V0 sum_n [a_n cos(2 pi n x/L) + b_n sin(2 pi n x/L)], n = 1, 2, ...",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(list),
             BM_LIST(array),
             .derive = BM_DERIVE(check, constants),
             .array = array,
             .period = BM_VALUE(v.L),
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
