// Tabulated potential: the cubic spline through V0 V[i] at x[i]. periodic: it closes after L; without x the nodes are
// at 0, L/n, 2 L/n, ... bounded: natural, continued beyond the ends by straight lines.
#include <bmsim/plugin.h>

constexpr int periodic = 0;  // p.edges

// The place of u: index of the spline's piece, distance from its left end, and u limited to the table.
template <class T> struct Place { T piece, offset, inside; };
template <class T, class P> BM_FN Place<T> place(T u, const P& p) {
  const T folded = p.edges == periodic ? u - rint(u - p.middle) : u;
  const T inside = minimum(maximum(folded, T(p.first)), T(p.last));
  T piece = T(0), left = T(p.first);
  if (p.node.count == 0) {  // equal pieces
    piece = minimum(maximum(rint(fma(inside, T(p.pieces), T(-0.5))), T(0)), T(p.pieces - 1));
    return {piece, fma(piece, T(p.minus_width), inside), inside};
  }
  // Bisection: the length of node is a power of two, with unreachable numbers at its end.
  BM_UNROLL for (uint32_t i = 0; i < 12; ++i) {
    const uint32_t step = 2048u >> i;
    if (step >= p.node.count) continue;
    const T probe = piece + T(step), node = gather(p.node, probe);
    const auto right = inside >= node;
    piece = select(right, probe, piece);
    left = select(right, node, left);
  }
  return {piece, inside - left, inside};
}

template <class T, class P> BM_FN T force(T u, const P& p) {
  const Place<T> at = place(u, p);
  const T f1 = gather(p.f1, at.piece), f2 = gather(p.f2, at.piece);
  return fma(at.offset, fma(at.offset, f2, f1), gather(p.f0, at.piece));
}
template <class T, class P> BM_FN T energy(T u, const P& p) {
  const Place<T> at = place(u, p);
  const T f0 = gather(p.f0, at.piece), f1 = gather(p.f1, at.piece), f2 = gather(p.f2, at.piece);
  const T work = at.offset * fma(at.offset, fma(at.offset, f2 * T(1.0 / 3), f1 * T(0.5)), f0);
  const T beyond = p.edges == periodic ? T(0) : (u - at.inside) * fma(at.offset, fma(at.offset, f2, f1), f0);
  return gather(p.value, at.piece) - p.unit * (work + beyond);
}

#ifdef BM_HOST
namespace {

constexpr uint32_t most = 4096;

struct Values {
  double V0, L, edges;
  double unit, first, middle, last, pieces, minus_width;
};
struct Arrays {
  bm_numbers node, value, f0, f1, f2;
};
BM_HOST_POTENTIAL(Values, Arrays)

const bm_parameter parameters[] = {
    BM_PARAMETER(V0, "V0", "energy", 1, BM_ANY, "unit of the values"),
    BM_PARAMETER(L, "L", "length", 1, BM_POSITIVE, "period; not used where edges is bounded"),
    BM_CHOICE(edges, "periodic bounded",
              "what continues the table beyond its ends: the table again, or straight lines"),
};
const bm_constant constants[] = {BM_CONSTANT(unit), BM_CONSTANT(first),  BM_CONSTANT(middle),
                                 BM_CONSTANT(last), BM_CONSTANT(pieces), BM_CONSTANT(minus_width)};
const bm_list lists[] = {
    {"V", "V", "energy/V0", "values", 2, most},
    {"x", "x", "length",
     "positions of the values, ascending; where periodic within one period, or left out for even spacing", 0, most},
};
enum Array { node, value, f0, f1, f2 };
const bm_array arrays[] = {{"node", 1},   // left ends of the pieces; none if these are equal
                           {"value", 1},  // V there
                           {"f0", 1},
                           {"f1", 1},
                           {"f2", 1}};  // the force on a piece, a polynomial in the offset

// The spline on its pieces; positions in units of `unit`: L, or 1 if bounded.
struct Spline {
  uint32_t pieces = 0;
  double x[most + 1] = {}, V[most + 1] = {}, bend[most + 1] = {};  // bend: second derivative at the nodes

  Spline(const bm_context* context, const Values& v) {
    const bm_numbers given = context->lists[0], at = context->lists[1];
    const bool closed = v.edges == periodic;
    const uint32_t n = given.count;
    pieces = closed ? n : n - 1;
    for (uint32_t i = 0; i < n; ++i) {
      x[i] = at.count > 0 ? at[i] / v.unit : static_cast<double>(i) / n;
      V[i] = v.V0 * given[i];
      bend[i] = 0;
    }
    if (closed) {
      x[n] = x[0] + 1;
      V[n] = V[0];
    }
    // Continuity of V' is a linear system with a dominant diagonal: every Gauss-Seidel sweep at least halves the error.
    for (int sweep = 0; sweep < 64; ++sweep)
      for (uint32_t i = closed ? 0 : 1; i < pieces; ++i) {
        const uint32_t before = i > 0 ? i - 1 : n - 1, after = i + 1 < n ? i + 1 : 0;
        const double left = width(before), right = width(i);
        const double kink = (V[i + 1] - V[i]) / right - (V[before + 1] - V[before]) / left;
        bend[i] = (6 * kink - left * bend[before] - right * bend[after]) / (2 * (left + right));
      }
    bend[n] = closed ? bend[0] : 0;
  }
  double width(uint32_t i) const { return x[i + 1] - x[i]; }
  /// Coefficients of V in powers of the offset.
  double slope(uint32_t i) const { return (V[i + 1] - V[i]) / width(i) - width(i) * (2 * bend[i] + bend[i + 1]) / 6; }
  double cubic(uint32_t i) const { return (bend[i + 1] - bend[i]) / (6 * width(i)); }
};

int derive(const bm_context* context, double* values) {
  auto& v = bm_values<Values>(values);
  const bm_numbers V = context->lists[0], x = context->lists[1];
  const bool closed = v.edges == periodic;
  if (x.count == 0 && !closed) return BM_REFUSE("x must be given where edges is bounded, got none");
  if (x.count != 0 && x.count != V.count)
    return BM_REFUSE("x and V must have the same length, got %u and %u", x.count, V.count);
  for (uint32_t i = 1; i < x.count; ++i)
    if (!(x[i] > x[i - 1])) return BM_REFUSE("x must ascend, got %g after %g", x[i], x[i - 1]);
  const double span = x.count > 0 ? x[x.count - 1] - x[0] : 0;
  if (closed && !(span < v.L)) return BM_REFUSE("x must span less than the period L = %g, got %g", v.L, span);
  v.unit = closed ? v.L : 1;
  v.first = x.count > 0 ? x[0] / v.unit : 0;
  v.last = closed ? v.first + 1 : x[x.count - 1];
  v.middle = (v.first + v.last) / 2;
  v.pieces = closed ? V.count : V.count - 1;
  v.minus_width = -1 / v.pieces;
  return 0;
}
uint32_t array(const bm_context* context, const double* values, uint32_t index, double* out, uint32_t capacity) {
  const auto& v = bm_values<Values>(values);
  const Spline s(context, v);
  if (index == node) {
    if (context->lists[1].count == 0) return 0;
    uint32_t count = 1;
    while (count < s.pieces) count *= 2;
    for (uint32_t i = 0; i < count && i < capacity; ++i) out[i] = i < s.pieces ? s.x[i] : 1e30;
    return count;
  }
  for (uint32_t i = 0; i < s.pieces && i < capacity; ++i)
    out[i] = index == value ? s.V[i]
             : index == f0  ? -s.slope(i) / v.unit
             : index == f1  ? -s.bend[i] / v.unit
                            : -3 * s.cubic(i) / v.unit;
  return s.pieces;
}

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH,
             .id = "table",
             .version = "1.0",
             .summary = "tabulated potential: a cubic spline",
             .equation = "V(x): the cubic spline through V0 V[i] at x[i], periodic, or natural with straight ends",
             .reference = "C. de Boor, A Practical Guide to Splines (Springer, 1978)",
             BM_LIST(parameter),
             BM_LIST(constant),
             BM_LIST(list),
             BM_LIST(array),
             .derive = derive,
             .array = array,
             .period = BM_VALUE(v.edges == periodic ? v.L : 0),
             .energy = energy_at,
             .force = force_at,
             BM_SOURCE};
#endif
