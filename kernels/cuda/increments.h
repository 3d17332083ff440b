// Increments for one thread: decoding the words of a draw one after the other into increments, each source with its
// standard deviation sd.
#pragma once
#include "increment_laws.h"
#include "motion.h"
#include "near_gaussian.h"
#include "random.h"
#include "shared.h"
#include "streams.h"

namespace bmsim_kernel {

struct Increments {
  real sd[SOURCES];
  uint4 drawn;
  uint32_t word[NUMBERS];                      // unused bits of the words of a run, in the order in which they are used
  real normal[SOURCES], next_normal[SOURCES];  // Box and Muller's two of a word
  real drift = 0;                              // that they contain
  uint32_t law;                                // place of the values of a law of each source in bm_shared, in bytes

  BM_FN_MEMBER Increments([[maybe_unused]] Trajectories& s, const Parameters& p) {
    BM_UNROLL for (int k = 0; k < SOURCES; k++) sd[k] = source_deviation(k, p);
    if constexpr (BM_DRIFT_IN_LAW) drift = load_drift(s, p).of[0];
    if constexpr (LAW_VALUES == 0) return;
    real* values = warp_shared() + LAW_AT;
    law = (uint32_t)((const char*)values - (const char*)bm_shared);
    asm volatile("" : "+r"(law));  // do not compute it anew for every number
    __syncwarp();
    for (uint32_t bits = threadIdx.x % 32; bits < (uint32_t)LAW_VALUES; bits += 32)
      BM_UNROLL for (int k = 0; k < SOURCES; k++) {
        const real xi = BM_INCREMENTS == BM_FIVE_POINT ? five_point(bits, sd[k]) : (real)near_gaussian(bits) * sd[k];
        values[LAW_VALUES * k + bits] = BM_DRIFT_IN_LAW ? xi + drift : xi;
      }
    __syncwarp();
  }

  // One source: draws the words of four runs of steps, or of four steps; begins a run or a step with its word. first:
  // the first draw of the block, in whose number the upper bits are those of all.
  BM_FN_MEMBER void draw(uint64_t seed, uint64_t first, uint32_t number, uint64_t trajectory) {
    static_assert((DRAWS & (DRAWS - 1)) == 0);
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS || SOURCES > 1) return;
    drawn = philox(seed, stream_increments(first), (uint32_t)first + number, trajectory);
  }
  BM_FN_MEMBER void use_word(uint32_t number) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS) return;
    if constexpr (SOURCES > 1) {
      if (number % WORDS != 0) BM_UNROLL for (int i = 0; i + SOURCES < NUMBERS; i++) word[i] = word[i + SOURCES];
    } else {  // words are taken in order, in a loop: moving all of them is less work than selecting one
      begin(word[0], drawn.x);
      drawn.x = drawn.y, drawn.y = drawn.z, drawn.z = drawn.w;
    }
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN) BM_UNROLL for (int k = 0; k < SOURCES; k++) set_normal(k);
  }
  // Several sources: draws what a run of steps needs.
  BM_FN_MEMBER void draw_run(uint64_t seed, uint64_t run, uint64_t trajectory) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS || SOURCES == 1) return;
    if constexpr (NUMBERS == 2) {  // a draw serves two runs
      if (run % 2 == 0)
        drawn = philox(seed, stream_increments(run / 2), (uint32_t)(run / 2), trajectory);
      else
        drawn.x = drawn.z, drawn.y = drawn.w;
      begin(word[0], drawn.x);
      begin(word[1], drawn.y);
      return;
    }
    BM_UNROLL for (int first = 0; first < NUMBERS; first += 4) {
      const uint64_t number = run * ((NUMBERS + 3) / 4) + (uint64_t)(first / 4);
      drawn = philox(seed, stream_increments(number), (uint32_t)number, trajectory);
      BM_UNROLL for (int i = 0; i < 4; i++) if (first + i < NUMBERS) begin(word[first + i], word_of(i));
    }
  }
  // Increments of all sources in the next step.
  BM_FN_MEMBER White<real> next() {
    White<real> white;
    BM_UNROLL for (int k = 0; k < SOURCES; k++) white.of[k] = next(k);
    return white;
  }

 private:
  BM_FN_MEMBER uint32_t word_of(int number) const {
    return number == 0 ? drawn.x : number == 1 ? drawn.y : number == 2 ? drawn.z : drawn.w;
  }
  BM_FN_MEMBER static void begin(uint32_t& word, uint32_t bits) {
    word = BM_INCREMENTS == BM_THREE_POINT  ? bits >> 3
           : BM_INCREMENTS == BM_FIVE_POINT ? bits << 2  // thirty bits, for ten increments, remain
                                            : bits;
  }
  // Bit 0: zero or not, bit 1: near or far, bit 2: sign.
  BM_FN_MEMBER static real five_point(uint32_t bits, real sd) {
    const real near = (real)0.76536686473017954346 * sd, far = (real)1.8477590650225735123 * sd;
    return bits & 1 ? (bits & 4 ? (real)-1 : (real)1) * (bits & 2 ? far : near) : 0;
  }
  // The next increment of source k.
  BM_FN_MEMBER real next([[maybe_unused]] int k) {
    if constexpr (LAW_VALUES > 0) {  // the bits that choose a value, as its offset
      const uint32_t place = law | (word[k] & (LAW_VALUES - 1) * 4) * (uint32_t)(sizeof(real) / 4);
      const real xi = *(const real*)((const char*)bm_shared + place + k * LAW_VALUES * sizeof(real));
      word[k] >>= BM_INCREMENTS == BM_FIVE_POINT ? 3 : 6;
      return xi;
    }
    if constexpr (BM_INCREMENTS == BM_THREE_POINT) {  // the next digit is the part of 6 w above 2^29
      const uint32_t six = word[k] * 6u;
      word[k] = six & ((1u << 29) - 1);
      const real size = (real)1.7320508075688772935 * sd[k];
      return six < (1u << 29) ? -size : six >= (5u << 29) ? size : 0;
    }
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN) {
      const real xi = normal[k];
      normal[k] = next_normal[k];
      return xi;
    }
    return 0;
  }
  // Box and Muller, of the word of source k.
  BM_FN_MEMBER void set_normal(int k) {
    const real radius = sqrt(minus_two_log(radius_number(word[k]))) * sd[k];
    real cosine, sine;
    find_direction(word[k], cosine, sine);
    normal[k] = BM_DRIFT_IN_LAW ? fma(radius, cosine, drift) : radius * cosine;
    next_normal[k] = BM_DRIFT_IN_LAW ? fma(radius, sine, drift) : radius * sine;
  }
};

}  // namespace bmsim_kernel
