// Increments for a group of lanes: decoding one word per lane at a time into increments, each source with its standard
// deviation sd.
#pragma once
#include "increment_laws.h"
#include "motion.h"
#include "near_gaussian.h"
#include "random.h"
#include "streams.h"

namespace bmsim_kernel {

// Vectors that hold the values of a law; of the near-Gaussian one, the positive values.
constexpr int LAW_VECTORS = BM_INCREMENTS == BM_NEAR_GAUSSIAN && WIDTH < 32 ? 32 / WIDTH : 1;

struct Increments {
  real sd[SOURCES];
  Words<GROUP> drawn[4];
  Words<GROUP> word[NUMBERS];               // unused bits of the words of a run
  T normal[SOURCES], next_normal[SOURCES];  // of a word, Box-Muller only
  uint32_t used = 0;                        // of `word`, if there are several sources
  Vec table[SOURCES][LAW_VECTORS];

  BM_FN_MEMBER Increments(Trajectories&, const Parameters& p) {
    for (int k = 0; k < SOURCES; k++) {
      sd[k] = source_deviation(k, p);
      if constexpr (BM_INCREMENTS == BM_FIVE_POINT) {  // bit 0: zero or not, bit 1: near or far, bit 2: sign
        const real near = (real)0.76536686473017954346 * sd[k], far = (real)1.8477590650225735123 * sd[k];
        const real values[8] = {0, near, 0, far, 0, -near, 0, -far};
        for (int i = 0; i < WIDTH; i++) table[k][0][i] = values[i % 8];
      }
      if constexpr (BM_INCREMENTS == BM_NEAR_GAUSSIAN)
        for (int i = 0; i < 32; i++) table[k][i / WIDTH][i % WIDTH] = (real)NEAR_GAUSSIAN[i] * sd[k];
    }
  }
  // One source: draws the words of four runs of steps, or of four steps; begins a run or a step with its word.
  BM_FN_MEMBER void draw(uint64_t seed, uint64_t first, uint32_t number_in_block, uint64_t trajectory) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS || SOURCES > 1) return;
    const uint64_t number = first + number_in_block;
    draw_words(seed, stream_increments(number), (uint32_t)number, trajectory, drawn);
  }
  BM_FN_MEMBER void use_word(uint32_t number) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS) return;
    if constexpr (SOURCES > 1)
      used = number % WORDS * SOURCES;
    else
      begin(0, number);
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN)
      for (int k = 0; k < SOURCES; k++) set_normal(k);
  }
  // Several sources: draws what a run of steps needs.
  BM_FN_MEMBER void draw_run(uint64_t seed, uint64_t run, uint64_t trajectory) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS || SOURCES == 1) return;
    if constexpr (NUMBERS == 2) {  // a draw serves two runs
      if (run % 2 == 0) draw_words(seed, stream_increments(run / 2), (uint32_t)(run / 2), trajectory, drawn);
      begin(0, run % 2 == 0 ? 0 : 2);
      begin(1, run % 2 == 0 ? 1 : 3);
      return;
    }
    for (int first = 0; first < NUMBERS; first += 4) {
      const uint64_t number = run * ((NUMBERS + 3) / 4) + (uint64_t)(first / 4);
      draw_words(seed, stream_increments(number), (uint32_t)number, trajectory, drawn);
      for (int i = 0; i < 4 && first + i < NUMBERS; i++) begin(first + i, i);
    }
  }
  // Increments of all sources in the next step.
  BM_FN_MEMBER White<T> next() {
    White<T> white;
    BM_UNROLL for (int k = 0; k < SOURCES; k++) white.of[k] = next(SOURCES > 1 ? used + (uint32_t)k : 0, k);
    return white;
  }

 private:
  // word[k]: word `number` of the draw.
  BM_FN_MEMBER void begin(int k, uint32_t number) {
    for (int g = 0; g < GROUP; g++) {
      word[k].w[g] = drawn[number].w[g];
      if constexpr (BM_INCREMENTS == BM_THREE_POINT) word[k].w[g] = (word[k].w[g] & (uint)0xffffffffu) >> 3;
      if constexpr (BM_INCREMENTS == BM_NEAR_GAUSSIAN) {  // the first sign, bit 2, becomes the highest bit of a lane
        if (!SINGLE) word[k].w[g] |= word[k].w[g] << 16 << 16;
        word[k].w[g] = rotate_right(word[k].w[g], 3);
      }
    }
  }
  // Box and Muller, of the word of a source.
  BM_FN_MEMBER void set_normal(int source) {
    const Words<GROUP>& bits = word[SOURCES > 1 ? used + (uint32_t)source : 0];
    const T radius = sqrt(log(radius_number(bits)) * (real)-2) * sd[source];
    T cosine, sine;
    find_direction(bits, cosine, sine);
    normal[source] = radius * cosine;
    next_normal[source] = radius * sine;
  }
  // The next increment of a source, from word k.
  BM_FN_MEMBER T next(uint32_t k, int source) {
    T xi;
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN) {
      xi = normal[source];
      normal[source] = next_normal[source];
      return xi;
    }
    Words<GROUP>& bits = word[k];
    for (int g = 0; g < GROUP; g++) {
      if constexpr (BM_INCREMENTS == BM_FIVE_POINT) {
        const UVec w = bits.w[g];
        bits.w[g] = w >> 3;
        if constexpr (WIDTH >= 8) {
          xi.v[g] = lookup(table[source][0], w);
        } else {
          const Vec size = (w & (uint)2) != 0 ? broadcast((real)1.8477590650225735123 * sd[source])
                                              : broadcast((real)0.76536686473017954346 * sd[source]);
          xi.v[g] = (w & (uint)1) != 0 ? ((w & (uint)4) != 0 ? -size : size) : Vec{};
        }
      } else if constexpr (BM_INCREMENTS == BM_THREE_POINT) {  // the next digit is the part of 6 w above 2^29
        const UVec six = bits.w[g] * (uint)6;
        bits.w[g] = six & (((uint)1 << 29) - 1);
        const real size = (real)1.7320508075688772935 * sd[source];
        xi.v[g] = six < broadcast_bits((uint)1 << 29)
                      ? broadcast(-size)
                      : (six >= broadcast_bits((uint)5 << 29) ? broadcast(size) : Vec{});
      } else if constexpr (BM_INCREMENTS == BM_NEAR_GAUSSIAN) {
        const UVec w = bits.w[g];
        bits.w[g] = rotate_right(w, 6);
        xi.v[g] = (Vec)((UVec)lookup<LAW_VECTORS>(table[source], w) ^ (w & broadcast_bits(BM_SIGN_BIT)));
      } else {
        xi.v[g] = Vec{};
      }
    }
    return xi;
  }
};

}  // namespace bmsim_kernel
