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

// A table of several columns, each with the same rows, at a row of each trajectory. On a CPU short columns are held in
// vectors.
#if BM_OWN_STEPS
typedef uint32_t Rows;
BM_FN Rows rows_of(real row) { return (uint32_t)row; }
template <unsigned COLUMNS, unsigned ROWS> struct Columns {
  const real* data;
  BM_FN_MEMBER explicit Columns(const Table<COLUMNS * ROWS>& table) : data(table.data) {}
  BM_FN_MEMBER real operator()(uint32_t column, Rows row) const { return __ldg(data + row + column * ROWS); }
};
#else
typedef Words<GROUP> Rows;
BM_FN Rows rows_of(const T& row) {
  Rows rows;
  for (int g = 0; g < GROUP; g++) rows.w[g] = (UVec) __builtin_convertvector(row.v[g], IVec);
  return rows;
}
template <unsigned COLUMNS, unsigned ROWS> struct Columns {
  static constexpr unsigned VECTORS = (ROWS + WIDTH - 1) / WIDTH, MOST = 4;
  const real* data;
  Vec held[VECTORS <= MOST ? COLUMNS : 1][VECTORS <= MOST ? VECTORS : 1];
  BM_FN_MEMBER explicit Columns(const Table<COLUMNS * ROWS>& table) : data(table.data) {
    for (unsigned k = 0; VECTORS <= MOST && k < COLUMNS; k++)
      for (unsigned i = 0; i < VECTORS * WIDTH; i++)
        held[k][i / WIDTH][i % WIDTH] = data[k * ROWS + (i < ROWS ? i : ROWS - 1)];
  }
  BM_FN_MEMBER T operator()(uint32_t column, const Rows& row) const {
    T found;
    for (int g = 0; g < GROUP; g++) {
      if constexpr (VECTORS <= MOST) {
        found.v[g] = lookup(held[column][0], row.w[g]);
        for (unsigned i = 1; i < VECTORS; i++)
          found.v[g] = row.w[g] >= broadcast_bits(i * WIDTH) ? lookup(held[column][i], row.w[g]) : found.v[g];
      } else {
        for (int i = 0; i < WIDTH; i++) found.v[g][i] = data[column * ROWS + (uint32_t)row.w[g][i]];
      }
    }
    return found;
  }
};
template <unsigned N, int G> BM_FN Lanes<G> gather(const Table<N>& table, const Lanes<G>& index) {
  Lanes<G> found;
  for (int g = 0; g < G; g++)
    for (int i = 0; i < WIDTH; i++) found.v[g][i] = table.data[(int32_t)index.v[g][i]];
  return found;
}
#endif

}  // namespace bmsim_kernel
