// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011). key = seed, counter = (draw, stream, trajectory).
#pragma once
#include "words.h"

namespace bmsim_kernel {

BM_FN uint4 philox(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory) {
  uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
  uint4 c = {draw, stream, (uint32_t)trajectory, (uint32_t)(trajectory >> 32)};
  BM_UNROLL for (int round = 0; round < 10; round++) {
    const uint32_t a = c.x * 0xD2511F53u, b = c.z * 0xCD9E8D57u;
    c = {__umulhi(0xCD9E8D57u, c.z) ^ c.y ^ k0, b, __umulhi(0xD2511F53u, c.x) ^ c.w ^ k1, a};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

}  // namespace bmsim_kernel
