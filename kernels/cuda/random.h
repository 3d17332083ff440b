// Random numbers of trajectories, and the pools of unit exponentials.
#pragma once
#include "philox.h"
#include "shared.h"
#include "special.h"

namespace bmsim_kernel {

// Four words for one trajectory.
BM_FN void draw_one(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, uint32_t (&word)[4]) {
  const uint4 drawn = philox(seed, stream, draw, trajectory);
  word[0] = drawn.x, word[1] = drawn.y, word[2] = drawn.z, word[3] = drawn.w;
}

// uniform: on (0, 1) from the top 23 (32) bits of a word, never 0, never 1. unit_exponential: from all 32 bits; near 1
// the error of the logarithm may have either sign. radius_number: on (0, 1) from the lower 21 bits; find_direction: one
// of 2048 from the upper 11.
#if BM_SINGLE
BM_FN float uniform(uint32_t word) { return fma((float)(word >> 9), 1.1920928955078125e-7f, 5.9604644775390625e-8f); }
BM_FN float unit_exponential(uint32_t word) {
  return absolute(log2(fma((float)word, 2.3283064365386962890625e-10f, 1.16415321826934814453125e-10f))) * LOG_2;
}
BM_FN float minus_two_log(float x) { return log2(x) * (-2 * LOG_2); }  // one multiplication, with the bits of two
// Of 1 + a part of 1 whose mantissa are some of the bits: conversions would take the unit of logarithms and waves.
BM_FN float with_mantissa(uint32_t bits, uint32_t some) {
  uint32_t number;
  asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(number) : "r"(bits), "r"(some), "r"(0x3f800000u));
  return __int_as_float((int)number);
}
BM_FN float radius_number(uint32_t word) {
  return fma(with_mantissa(word, 0x1fffffu), 4.0f, 2.384185791015625e-7f - 4);
}
BM_FN void find_direction(uint32_t word, float& cosine, float& sine) {
  const float radians = fma(with_mantissa(word >> 9, 0x7ff000u), 6.2831853071795864769f, -9.4232439795f);
  cosine = cos_of_radians(radians);
  sine = sin_of_radians(radians);
}
#else
BM_FN double radius_number(uint32_t word) {
  return fma((double)(word & 0x1fffffu), 4.76837158203125e-7, 2.384185791015625e-7);
}
BM_FN void find_direction(uint32_t word, double& cosine, double& sine) {
  const double turn = fma((double)(word >> 21), 4.8828125e-4, 2.44140625e-4 - 0.5);
  cosine = cos_of_turn(turn);
  sine = sin_of_turn(turn);
}
BM_FN double minus_two_log(double x) { return log(x) * -2; }
BM_FN double uniform(uint32_t word) {
  return fma((double)word, 2.3283064365386962890625e-10, 1.16415321826934814453125e-10);
}
BM_FN double unit_exponential(uint32_t word) { return -log(uniform(word)); }
#endif

// Four uniform numbers on (0, 1] of all 32 bits.
BM_FN void draw_numbers(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, real (&out)[4]) {
  const uint4 w = philox(seed, stream, draw, trajectory);
  const real scale = (real)2.3283064365386962890625e-10, half = (real)1.16415321826934814453125e-10;
  out[0] = fma((real)w.x, scale, half), out[1] = fma((real)w.y, scale, half);
  out[2] = fma((real)w.z, scale, half), out[3] = fma((real)w.w, scale, half);
}

// The first uniform number of a draw.
BM_FN void draw_uniforms(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, Slot<real>& out) {
  out[0] = uniform(philox(seed, stream, draw, trajectory).x);
}

// Unit exponentials of the event noises, in rings in shared memory that a warp fills together between steps. If they
// were drawn where they are needed, one thread would draw while the others wait.
struct Pools {
  static constexpr int COUNT = BM_EVENT_NOISES > 0 ? BM_EVENT_NOISES : 1;
  static constexpr uint32_t RING = RING_LENGTH;
  static constexpr uint32_t FEWEST = RING_LENGTH / 2;
  uint32_t ring;  // offset in bm_shared, in bytes, of this thread in the rings of its warp, which hold 32 of each pair
  uint32_t ready[COUNT];  // exponentials drawn so far, a multiple of 4

  BM_FN_MEMBER void begin() {
    ring = (uint32_t)(threadIdx.x / 32 * WARP_REALS * sizeof(real) + threadIdx.x % 32 * sizeof(Pair));
    asm volatile("" : "+r"(ring));  // keep this one number: do not compute it anew at every event
    BM_UNROLL for (int noise = 0; noise < COUNT; noise++) ready[noise] = 0;
  }
  struct alignas(2 * sizeof(real)) Pair {
    real first, second;
  };
  // Place of the exponentials n, which is even, and n + 1.
  BM_FN_MEMBER Pair& pair(int noise, uint32_t n) {
    constexpr uint32_t each = 32 * sizeof(Pair) / 2;
    return *(Pair*)((char*)bm_shared + ring + (n & (RING - 2)) * each + (uint32_t)noise * RING * each);
  }
  BM_FN_MEMBER void draw(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory) {
    const uint4 w = philox(seed, stream, ready[noise] / 4, trajectory);
    pair(noise, ready[noise]) = {unit_exponential(w.x), unit_exponential(w.y)};
    pair(noise, ready[noise] + 2) = {unit_exponential(w.z), unit_exponential(w.w)};
    ready[noise] += 4;
  }
  // Resumes after `used` exponentials have been taken.
  BM_FN_MEMBER void resume(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory, uint32_t used) {
    ready[noise] = used / 4 * 4;
    draw(noise, seed, stream, trajectory);
  }
  // Takes the next two; `used` is even.
  BM_FN_MEMBER void next(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory, int, uint32_t& used,
                         real& first, real& second) {
    if (used == ready[noise]) draw(noise, seed, stream, trajectory);
    take(noise, used, first, second);
  }
  // The same, if they are known to be drawn already.
  BM_FN_MEMBER void take(int noise, uint32_t& used, real& first, real& second) {
    uint32_t n = used;
    asm volatile("" : "+r"(n));  // compute the place here, not before the branch that leads here
    const Pair drawn = pair(noise, n);
    first = drawn.first;
    second = drawn.second;
    used += 2;
  }
  // The same if `mask` is set; supply() is called before every second call.
  BM_FN_MEMBER void next_all(int noise, uint64_t, uint32_t, uint64_t, bool mask, Slot<uint32_t>& used, real& first,
                             real& second) {
    if (mask) take(noise, used[0], first, second);
  }
  // Draws four more if there is room: enough for two steps.
  BM_FN_MEMBER void supply(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory, uint32_t used) {
    if (ready[noise] - used <= RING - 4) draw(noise, seed, stream, trajectory);
  }
  // For all threads of a warp together: tops up the rings if one of them is less than half full, or has too few for a
  // plain run.
  BM_FN_MEMBER void top_up(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory, uint32_t used) {
    if (!__any_sync(0xffffffffu, ready[noise] - used < FEWEST)) return;
    if (ready[noise] - used <= RING - 4) draw(noise, seed, stream, trajectory);
  }
};

}  // namespace bmsim_kernel
