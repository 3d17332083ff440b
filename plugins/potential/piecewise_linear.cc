// Piecewise-linear potential of period L: maximum V0 at x = 0, minima V = 0 at -k L and (1 - k) L; or straight lines
// through V0 V[i] at the nodes x[i], repeated with the period. With the defaults V(x) = 1 - |x| on [-1, 1].
#include <bmsim/plugin.h>

// u - rint(u + shift) is u folded to [-k, 1 - k]; comparing u with the rint alone saves the subtraction.
template <class T, class P> BM_FN T force(T u, const P& p) {
  if (p.node.count == 0) return select(u < rint(u + p.shift), T(p.force_left), T(p.force_right));
  const T folded = u - rint(u + p.shift);  // to [x[1], x[1] + L]
  T push = T(p.push[0]);
  BM_UNROLL for (uint32_t i = 1; i < p.node.count; ++i) push = select(folded < p.node[i], push, T(p.push[i]));
  return push;
}
template <class T, class P> BM_FN T energy(T u, const P& p) {
  const T folded = u - rint(u + p.shift);
  if (p.node.count == 0) return p.V0 + folded * select(folded < T(0), T(p.rise), T(p.fall));
  T base = T(p.base[0]);
  BM_UNROLL for (uint32_t i = 1; i < p.node.count; ++i) base = select(folded < p.node[i], base, T(p.base[i]));
  return base - p.L * folded * force(u, p);
}

#ifdef BM_HOST
namespace {

struct Values {
  double L, V0, k;
  double shift, force_left, force_right, rise, fall;
};
struct Arrays {
  bm_numbers node, push, base;
};
BM_HOST_POTENTIAL(Values, Arrays)

const bm_parameter parameters[] = {
    BM_PARAMETER(L, "L", "length", 2, BM_POSITIVE, "period"),
    BM_PARAMETER(V0, "V0", "energy", 1, BM_ANY, "height of the barrier; where V is given, the unit of its values"),
    BM_PARAMETER(k, "k", "", 0.5, BM_BETWEEN(0, 1), "asymmetry: the fraction of the period on which V rises"),
};
constexpr bm_table constants = {
    BM_CONSTANT(shift, context->lists[0].count > 0 ? -context->lists[0][0] / v.L - 0.5 : v.k - 0.5),
    BM_CONSTANT(rise, v.V0 / v.k),
    BM_CONSTANT(fall, -v.V0 / (1 - v.k)),
    BM_CONSTANT(force_left, -v.rise / v.L),
    BM_CONSTANT(force_right, -v.fall / v.L),
};
const bm_list lists[] = {
    {"x", "x", "length", "nodes within one period, ascending, instead of k", 0, 64},
    {"V", "V", "energy/V0", "values at the nodes", 0, 64},
};
enum Array { node, push, base };
const bm_array arrays[] = {
    {"node", 0},  // left end of a piece, in units of the period
    {"push", 0},  // the force on it
    {"base", 0},  // V of its line at u = 0
};

int check(const bm_context* context, const Values& v) {
  const bm_numbers x = context->lists[0], V = context->lists[1];
  if (x.count != V.count) return BM_REFUSE("x and V must have the same length, got %u and %u", x.count, V.count);
  if (x.count == 0) return 0;
  if (x.count == 1) return BM_REFUSE("x must have 2 nodes or more, got 1");
  if (v.k != 0.5) return BM_REFUSE("k must be left out where x and V are given, got %g", v.k);
  for (uint32_t i = 1; i < x.count; ++i)
    if (!(x[i] > x[i - 1])) return BM_REFUSE("x must ascend, got %g after %g", x[i], x[i - 1]);
  const double span = x[x.count - 1] - x[0];
  if (!(span < v.L)) return BM_REFUSE("x must span less than the period L = %g, got %g", v.L, span);
  return 0;
}
uint32_t array(const bm_context* context, const double* values, uint32_t index, double* out, uint32_t capacity) {
  const auto& v = bm_values<Values>(values);
  const bm_numbers x = context->lists[0], V = context->lists[1];
  for (uint32_t i = 0; i < x.count && i < capacity; ++i) {
    const bool last = i + 1 == x.count;
    const double right = last ? x[0] + v.L : x[i + 1];
    const double slope = v.V0 * (V[last ? 0 : i + 1] - V[i]) / (right - x[i]);
    out[i] = index == node ? x[i] / v.L : index == push ? -slope : v.V0 * V[i] - slope * x[i];
  }
  return x.count;
}
uint32_t segments(const double* values, const bm_numbers* all, bm_segment* out, uint32_t capacity) {
  const auto p = bm_host<Values, Arrays>(values, all);
  const bm_segment two[] = {{-p.k, 0, -p.force_left}, {0, 1 - p.k, -p.force_right}};
  const uint32_t count = p.node.count > 0 ? p.node.count : 2;
  for (uint32_t i = 0; i < count && i < capacity; ++i)
    out[i] =
        p.node.count == 0 ? two[i] : bm_segment{p.node[i], i + 1 < count ? p.node[i + 1] : p.node[0] + 1, -p.push[i]};
  return count;
}

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = 0,
             .id = "piecewise_linear",
             .version = "1.0",
             .summary = "piecewise-linear potential: a sawtooth, or straight lines between any nodes",
             .equation =
                 "V(x) = V0 (1 + x/(k L)) on [-k L, 0], V0 (1 - x/((1 - k) L)) on [0, (1 - k) L]; "
                 "with x and V: straight lines through V0 V[i] at x[i]",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(list),
             BM_LIST(array),
             .derive = BM_DERIVE(check, constants),
             .array = array,
             .period = BM_VALUE(v.L),
             .segments = segments,
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
