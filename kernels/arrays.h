// Arrays of a component, beside its parameters: short ones, read at fixed indices; or a table in memory, read at
// indices computed for each trajectory.
#pragma once
#include "group.h"

namespace bmsim_kernel {

template <unsigned N> struct Array {
  static constexpr uint32_t count = N;
  real data[N];
  BM_FN_MEMBER real operator[](uint32_t i) const { return data[i]; }
};
template <> struct Array<0> {
  static constexpr uint32_t count = 0;
  BM_FN_MEMBER real operator[](uint32_t) const { return 0; }
};

template <unsigned N> struct Table {
  static constexpr uint32_t count = N;
  const real* data;
  BM_FN_MEMBER real operator[](uint32_t i) const { return data[i]; }
};
template <unsigned N> BM_FN real gather(const Table<N>& table, real index) { return table.data[(int32_t)index]; }
#if !BM_OWN_STEPS
template <unsigned N, int G> BM_FN Lanes<G> gather(const Table<N>& table, const Lanes<G>& index) {
  Lanes<G> found;
  for (int g = 0; g < G; g++)
    for (int i = 0; i < WIDTH; i++) found.v[g][i] = table.data[(int32_t)index.v[g][i]];
  return found;
}
#endif

}  // namespace bmsim_kernel
