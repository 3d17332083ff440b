// Increments for one thread: decoding the words of a draw one after the other into increments of standard deviation sd.
#pragma once
#include "increment_laws.h"
#include "random.h"
#include "shared.h"
#include "streams.h"

namespace bmsim_kernel {

struct Increments {
  real sd, near, far, unit, zero;
  uint4 drawn;
  uint32_t word;  // unused bits of the current word
  real normal[4];
  const char* law;  // the eight values of the five-point law, in shared memory

  BM_FN_MEMBER explicit Increments(real deviation)
      : sd(deviation),
        near((real)0.76536686473017954346 * deviation),
        far((real)1.8477590650225735123 * deviation),
        unit((real)0.35355339059327376220 * deviation),
        zero((real)-16 * unit) {
    if constexpr (BM_INCREMENTS != BM_FIVE_POINT) return;
    real* values = warp_shared() + RING_REALS + OUTSIDE_REALS;
    law = (const char*)values;
    __syncwarp();  // bit 0: zero or not, bit 1: near or far, bit 2: sign
    const uint32_t lane = threadIdx.x % 32;
    if (lane < 8) values[lane] = lane & 1 ? (lane & 4 ? (real)-1 : (real)1) * (lane & 2 ? far : near) : 0;
    __syncwarp();
  }

  BM_FN_MEMBER void draw(uint64_t seed, uint64_t number, uint64_t trajectory) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS) return;
    drawn = philox(seed, stream_increments(number), (uint32_t)number, trajectory);
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN) {
      pair(drawn.x, drawn.y, normal[0], normal[1]);
      pair(drawn.z, drawn.w, normal[2], normal[3]);
    }
  }
  BM_FN_MEMBER void use_word(int number) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS) return;
    // Words are taken in order, in a loop: moving all of them is less work than selecting one.
    if constexpr (PER_WORD > 1) {
      word = drawn.x, drawn.x = drawn.y, drawn.y = drawn.z, drawn.z = drawn.w;
    } else {
      word = number == 0 ? drawn.x : number == 1 ? drawn.y : number == 2 ? drawn.z : drawn.w;
    }
    if constexpr (BM_INCREMENTS == BM_THREE_POINT) word >>= 3;
    if constexpr (BM_INCREMENTS == BM_FIVE_POINT) word <<= 2;  // thirty bits, for ten increments, remain
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN)
      normal[0] = number == 0 ? normal[0] : number == 1 ? normal[1] : number == 2 ? normal[2] : normal[3];
  }
  BM_FN_MEMBER real next() {
    if constexpr (BM_INCREMENTS == BM_FIVE_POINT) {
      const real xi = *(const real*)(law + (word & 28) * (sizeof(real) / 4));  // 28: mask of three bits, as an offset
      word >>= 3;
      return xi;
    }
    if constexpr (BM_INCREMENTS == BM_THREE_POINT) {  // the next digit is the part of 6 w above 2^29
      const uint32_t six = word * 6u;
      word = six & ((1u << 29) - 1);
      const real size = (real)1.7320508075688772935 * sd;
      return six < (1u << 29) ? -size : six >= (5u << 29) ? size : 0;
    }
    if constexpr (BM_INCREMENTS == BM_NEAR_GAUSSIAN) return fma((real)__popc(word), unit, zero);
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN) return normal[0];
    return 0;
  }

 private:
  // Box and Muller
  BM_FN_MEMBER void pair(uint32_t a, uint32_t b, real& first, real& second) {
    const real radius = sqrt(log(uniform(a)) * (real)-2) * sd, turn = uniform(b);
    first = radius * cos2pi(turn);
    second = radius * sin2pi(turn);
  }
};

}  // namespace bmsim_kernel
