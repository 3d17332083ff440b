// Averages over the trajectories of a system, in double and in an order that does not depend on groups or vectors.
#pragma once
#include "motion.h"

namespace bmsim_kernel {

#if BM_FIELDS
class Exchange {
 public:
  // Memory for each group: see bm_kernel_layout.
  static constexpr uint64_t GROUP_BYTES = AVERAGED * LANES * sizeof(real);

  BM_FN_MEMBER Exchange(real* memory, uint64_t groups, const Parameters& p)
      : values_(memory), stride_(groups * LANES), paths_((uint64_t)p.paths) {}
  BM_FN_MEMBER void put(int group, const T (&values)[AVERAGED]) {
    for (int k = 0; k < AVERAGED; k++)
      for (int g = 0; g < GROUP; g++)
        store_vector(values_ + (uint64_t)k * stride_ + (uint64_t)group * LANES + (uint64_t)g * WIDTH, values[k].v[g]);
  }
  BM_FN_MEMBER void average(real (&mean)[AVERAGED]) const {
    for (int k = 0; k < AVERAGED; k++) mean[k] = (real)(sum(values_ + (uint64_t)k * stride_) / (double)paths_);
  }

 private:
  static constexpr int SUMS = 32;
  BM_FN_MEMBER static void store_vector(real* to, const Vec& from) { __builtin_memcpy(to, &from, sizeof from); }
  // SUMS sums of every SUMS-th number, then a tree.
  BM_FN_MEMBER double sum(const real* values) const {
    double sums[SUMS] = {};
    uint64_t i = 0;
    for (; i + SUMS <= paths_; i += SUMS)
      for (int j = 0; j < SUMS; j++) sums[j] += (double)values[i + (uint64_t)j];
    for (int j = 0; i < paths_; i++, j++) sums[j] += (double)values[i];
    for (int half = SUMS / 2; half > 0; half /= 2)
      for (int j = 0; j < half; j++) sums[j] += sums[j + half];
    return sums[0];
  }

  real* values_;  // by field, by trajectory
  uint64_t stride_, paths_;
};
#endif

}  // namespace bmsim_kernel
