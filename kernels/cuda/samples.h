// Sums over the recorded paths of a point, computed on the device: the same as core/backend/samples.cc on the host, in
// the same order. Blocks have 256 threads; path groups are the same.
#pragma once
#include "recorded.h"
#include "shared.h"

namespace bmsim_kernel {

#if BM_MARKS

struct Recorded {
  const double* data;  // row r, with one number per path, begins at data[r * stride]
  uint64_t stride, paths, groups;
  BM_FN_MEMBER uint64_t first(uint64_t group) const { return paths * group / groups; }
  BM_FN_MEMBER uint64_t size(uint64_t group) const { return first(group + 1) - first(group); }
  BM_FN_MEMBER const double* part(uint32_t row, uint64_t group) const { return data + row * stride + first(group); }
};
using bmsim_abi::bin_of;
using bmsim_abi::Bins;

// Sum over all threads of a line of a block, returned in its thread 0. The partial sums are in shared memory.
BM_FN double line_sum(double mine) {
  double* partial = bm_shared + threadIdx.y * blockDim.x;
  __syncthreads();
  partial[threadIdx.x] = mine;
  for (uint32_t half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] = partial[threadIdx.x] + partial[threadIdx.x + half];
  }
  return partial[0];
}

// Grid (rows, groups).
extern "C" __global__ void bm_powers(Recorded all, const uint32_t* rows, const uint32_t* from, const double* centres,
                                     double* out) {
  const uint32_t r = blockIdx.x, g = blockIdx.y;
  const double *to = all.part(rows[r], g), *begin = from ? all.part(from[r], g) : nullptr;
  double sum[4] = {0, 0, 0, 0};
  for (uint64_t i = threadIdx.x; i < all.size(g); i += blockDim.x) {
    double powers[4];
    bmsim_abi::set_powers((begin ? to[i] - begin[i] : to[i]) - centres[r], powers);
    BM_UNROLL for (int k = 0; k < 4; k++) sum[k] = sum[k] + powers[k];
  }
  for (int k = 0; k < 4; k++) {
    const double total = line_sum(sum[k]);
    if (threadIdx.x == 0) out[((uint64_t)r * gridDim.y + g) * 4 + k] = total;
  }
}

// Grid (rows, groups).
extern "C" __global__ void bm_absolute(Recorded all, const uint32_t* rows, uint32_t from, double q, double* out) {
  const uint32_t r = blockIdx.x, g = blockIdx.y;
  const double *to = all.part(rows[r], g), *begin = all.part(from, g);
  double sum = 0;
  for (uint64_t i = threadIdx.x; i < all.size(g); i += blockDim.x)
    sum = sum + bmsim_abi::power(::fabs(to[i] - begin[i]), q);
  const double total = line_sum(sum);
  if (threadIdx.x == 0) out[(uint64_t)r * all.groups + g] = total;
}

// Grid (slots * parts, groups): a block counts the rows [first, last) of its slot, several at a time if a group has few
// paths, in shared memory if `shared`. If there is a row `from`, its values are subtracted from those of a.
constexpr uint32_t NO_ROW = 0xffffffff;
extern "C" __global__ void bm_histogram(Recorded all, const uint32_t* a, Bins of_a, const uint32_t* b, Bins of_b,
                                        uint64_t rows, uint64_t per_slot, uint64_t parts, uint32_t shared,
                                        uint32_t from, uint64_t* out) {
  const uint64_t slot = blockIdx.x / parts, part = blockIdx.x % parts, g = blockIdx.y;
  const uint64_t begin = slot * per_slot, in_slot = begin + per_slot < rows ? per_slot : rows - begin;
  const uint64_t first = begin + in_slot * part / parts, last = begin + in_slot * (part + 1) / parts;
  const uint32_t cells = of_a.count * of_b.count;
  uint64_t* counts = out + (slot * all.groups + g) * cells;
  uint32_t* mine = (uint32_t*)bm_shared;
  if (shared) {
    for (uint32_t cell = threadIdx.x; cell < cells; cell += blockDim.x) mine[cell] = 0;
    __syncthreads();
  }
  const uint64_t size = all.size(g);
  const uint32_t width = size < blockDim.x ? ((uint32_t)size + 31) / 32 * 32 : blockDim.x;  // threads of a row
  const uint32_t at_once = blockDim.x / width, line_of_block = threadIdx.x / width;
  for (uint64_t row = first + line_of_block; line_of_block < at_once && row < last; row += at_once) {
    const double *x = all.part(a[row], g), *y = b ? all.part(b[row], g) : nullptr;
    const double* begin = from == NO_ROW ? nullptr : all.part(from, g);
    for (uint64_t i = threadIdx.x % width; i < size; i += width) {
      const uint32_t column = bin_of(begin ? x[i] - begin[i] : x[i], of_a), line = y ? bin_of(y[i], of_b) : 0;
      if (column >= of_a.count || line >= of_b.count) continue;
      const uint32_t cell = line * of_a.count + column;
      if (shared)
        atomicAdd(mine + cell, 1u);
      else
        atomicAdd(counts + cell, (uint64_t)1);
    }
  }
  if (!shared) return;
  __syncthreads();
  for (uint32_t cell = threadIdx.x; cell < cells; cell += blockDim.x)
    if (mine[cell]) atomicAdd(counts + cell, (uint64_t)mine[cell]);
}

// Lagged products: a thread handles LAGS lags, and ORIGINS origins at a time, so that it reads a number once for
// several products. A line of threads handles PRODUCT_THREADS paths at a time, a block has up to PRODUCT_LINES lines,
// and takes a chunk of PRODUCT_CHUNK paths.
constexpr int LAGS = 13, ORIGINS = 8, PRODUCT_LINES = 4, PRODUCT_THREADS = 64, PRODUCT_CHUNK = 1024;
struct LaggedTile {
  double b[LAGS + ORIGINS - 1];  // the numbers by which a tile's origins are multiplied
  double sum[LAGS];
  template <class At> BM_FN_MEMBER void begin(const At& at, uint64_t lag) {
    BM_UNROLL for (int j = 0; j < LAGS - 1; j++) b[j] = at(lag + j);
  }
  template <class At> BM_FN_MEMBER void add(const At& at, uint64_t k, uint64_t lag) {
    double a[ORIGINS];
    BM_UNROLL for (int j = 0; j < ORIGINS; j++) a[j] = at(k + j);
    BM_UNROLL for (int j = LAGS - 1; j < LAGS + ORIGINS - 1; j++) b[j] = at(k + lag + j);
    BM_UNROLL for (int o = 0; o < ORIGINS; o++) {
      BM_UNROLL for (int j = 0; j < LAGS; j++) sum[j] = fma(a[o], b[o + j], sum[j]);
    }
    BM_UNROLL for (int j = 0; j < LAGS - 1; j++) b[j] = b[j + ORIGINS];
  }
};
// Grid (lags / lines / LAGS, groups, chunks), blocks (PRODUCT_THREADS, lines): the lines, each with its own lags, read
// the same paths. Shared memory holds the sums of a block and, if `near`, the numbers of the rows. out: (lags, groups,
// chunks).
extern "C" __global__ void __launch_bounds__(PRODUCT_THREADS* PRODUCT_LINES, 2)
    bm_products(Recorded all, const uint32_t* rows, uint64_t count, double centre, uint64_t first_lag, uint64_t lags,
                uint32_t near, double* out) {
  const uint64_t g = blockIdx.y, chunk = blockIdx.z, size = all.size(g);
  const uint64_t place = ((uint64_t)blockIdx.x * blockDim.y + threadIdx.y) * LAGS, lag = first_lag + place;
  const uint64_t end = (chunk + 1) * PRODUCT_CHUNK < size ? (chunk + 1) * PRODUCT_CHUNK : size;
  uint32_t* table = (uint32_t*)(bm_shared + blockDim.x * blockDim.y);
  for (uint64_t k = threadIdx.y * blockDim.x + threadIdx.x; near && k < count; k += blockDim.x * blockDim.y)
    table[k] = rows[k];
  __syncthreads();
  const uint32_t* row = near ? table : rows;
  LaggedTile tile;
  BM_UNROLL for (int j = 0; j < LAGS; j++) tile.sum[j] = 0;
  for (uint64_t i = chunk * PRODUCT_CHUNK + threadIdx.x; i < end; i += PRODUCT_THREADS) {
    const double* path = all.data + all.first(g) + i;
    const auto inside = [&](uint64_t k) { return path[row[k] * all.stride] - centre; };
    const auto anywhere = [&](uint64_t k) { return k < count ? inside(k) : 0.0; };
    uint64_t k = 0;
    tile.begin(anywhere, lag);
    for (; k + lag + LAGS + ORIGINS - 1 <= count; k += ORIGINS) tile.add(inside, k, lag);
    for (; k + lag < count; k += ORIGINS) tile.add(anywhere, k, lag);
  }
  BM_UNROLL for (int j = 0; j < LAGS; j++) {
    const double sum = line_sum(tile.sum[j]);
    if (threadIdx.x == 0 && place + j < lags) out[((place + j) * all.groups + g) * gridDim.z + chunk] = sum;
  }
}

// Grid (rows - 1, groups): each thread counts for some places.
extern "C" __global__ void bm_crossings(Recorded all, const uint32_t* rows, uint64_t count, int64_t* out) {
  const uint64_t r = blockIdx.x, g = blockIdx.y;
  const double *before = all.part(rows[r], g), *after = all.part(rows[r + 1], g);
  for (uint64_t place = threadIdx.x; place < count; place += blockDim.x) {
    const double offset = 0.5 - (double)place / (double)count;
    double sum = 0;
    for (uint64_t i = 0; i < all.size(g); i++) sum += floor_of(after[i] + offset) - floor_of(before[i] + offset);
    out[(r * all.groups + g) * count + place] = (int64_t)sum;
  }
}
#endif

}  // namespace bmsim_kernel
