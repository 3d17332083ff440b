// Averages over the trajectories of a system, which is one block of threads, or several that meet in global memory. The
// order of sums depends on the system's size and on its division into blocks, which its size decides.
#pragma once
#include "motion.h"
#include "shared.h"

namespace bmsim_kernel {

#if BM_FIELDS
BM_FN real warp_sum(real x) {
  BM_UNROLL for (int apart = 16; apart > 0; apart /= 2) x += __shfl_xor_sync(0xffffffffu, x, apart);
  return x;
}

class Exchange {
 public:
  BM_FN_MEMBER Exchange(const Parameters& p, const Launch& launch, const SystemBlocks& blocks, uint32_t share)
      : blocks_(blocks), share_(share), per_path_((real)(1 / p.paths)) {
    counts_ = launch.path < (uint64_t)p.paths ? (real)1 : (real)0;  // the rest of the last warp is spare
  }
  BM_FN_MEMBER void put(int, const real (&values)[AVERAGED]) {
    BM_UNROLL for (int k = 0; k < AVERAGED; k++) mine_[k] = counts_ != 0 ? values[k] : 0;
  }
  // Sums of two rounds lie apart, so that no warp overwrites what another has still to read.
  BM_FN_MEMBER void average(real (&mean)[AVERAGED]) {
    const uint32_t lane = threadIdx.x % 32;
    real* own = warp_shared() + FIELD_AT + side_ * AVERAGED;
    BM_UNROLL for (int k = 0; k < AVERAGED; k++) {
      const real sum = warp_sum(mine_[k]);
      if (lane == 0) own[k] = sum;
    }
    __syncthreads();
    const real* first = (const real*)bm_shared + FIELD_AT;
    if (blocks_.count == 1) {
      of_block(first + side_ * AVERAGED, mean);
    } else {
      if (threadIdx.x < 32) {
        of_block(first + side_ * AVERAGED, mean);
        of_system(mean);
        BM_UNROLL for (int k = 0; k < AVERAGED; k++) if (lane == 0)((real*)first)[2 * AVERAGED + k] = mean[k];
      }
      __syncthreads();
      BM_UNROLL for (int k = 0; k < AVERAGED; k++) mean[k] = first[2 * AVERAGED + k];
    }
    BM_UNROLL for (int k = 0; k < AVERAGED; k++) mean[k] *= per_path_;
    side_ = 1 - side_;
  }

 private:
  // Sums of the block from those of its warps.
  BM_FN_MEMBER void of_block(const real* sums, real (&total)[AVERAGED]) const {
    const uint32_t warp = threadIdx.x % 32;
    BM_UNROLL for (int k = 0; k < AVERAGED; k++) total[k] =
        warp_sum(warp < blockDim.x / 32 ? sums[warp * WARP_REALS + k] : 0);
  }
  // Sums of the system from those of its blocks: by one warp of each, which waits for all others.
  BM_FN_MEMBER void of_system(real (&total)[AVERAGED]) {
    const uint32_t lane = threadIdx.x % 32, block = blockIdx.x % blocks_.count;
    volatile real* sums = (volatile real*)blocks_.sums + (uint64_t)(2 * share_ + side_) * AVERAGED * blocks_.count;
    BM_UNROLL for (int k = 0; k < AVERAGED; k++) if (lane == 0) sums[k * blocks_.count + block] = total[k];
    if (lane == 0) {
      volatile uint32_t* arrived = blocks_.arrived + share_;
      awaited_ += blocks_.count;
      __threadfence();
      atomicAdd((uint32_t*)arrived, 1u);
      while (*arrived < awaited_) {
      }
      __threadfence();
    }
    __syncwarp();
    BM_UNROLL for (int k = 0; k < AVERAGED; k++) {
      real sum = 0;
      for (uint32_t i = lane; i < blocks_.count; i += 32) sum += sums[k * blocks_.count + i];
      total[k] = warp_sum(sum);
    }
  }

  const SystemBlocks& blocks_;
  uint32_t share_, awaited_ = 0, side_ = 0;
  real counts_, per_path_, mine_[AVERAGED];
};
#endif

}  // namespace bmsim_kernel
