// Harmonic bond between two coordinates on a line: V(x, y) = k (y - x - l)^2/2, of rest length l.
#include <bmsim/plugin.h>

template <class T, class P> BM_FN T energy(const T (&x)[2], const P& p) {
  const T stretch = x[1] - x[0] - p.l;
  return p.half_k * stretch * stretch;
}
template <class T, class P> BM_FN void force(const T (&x)[2], const P& p, T (&f)[2]) {
  f[0] = p.k * (x[1] - x[0] - p.l);
  f[1] = -f[0];
}

#ifdef BM_HOST
namespace {

struct Values {
  double k, l;
  double half_k;
};
BM_HOST_SEVERAL(2, Values)

const bm_parameter parameters[] = {
    BM_PARAMETER(k, "k", "energy/length^2", 1, BM_NOT_NEGATIVE, "stiffness"),
    BM_PARAMETER(l, "l", "length", 0, BM_ANY, "rest length: y - x without a force"),
};
constexpr bm_table constants = {BM_CONSTANT(half_k, v.k / 2)};

}  // namespace

BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values),
             .flags = BM_SMOOTH | BM_SEVERAL,
             .id = "bond",
             .version = "1.0",
             .summary = "harmonic bond between two coordinates on a line",
             .equation = "V(x, y) = k (y - x - l)^2/2",
             .reference = "",
             BM_LIST(parameter),
             BM_LIST(constant),
             .derive = BM_DERIVE(constants),
             BM_SOURCE,
             .variable_count = 2,
             .energy_of = energy_of,
             .force_of = force_of};
#endif
