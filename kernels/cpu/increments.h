// Increments for a group of lanes: decoding one word per lane at a time into increments of standard deviation sd.
#pragma once
#include "increment_laws.h"
#include "random.h"
#include "streams.h"

namespace bmsim_kernel {

struct Increments {
  real sd;
  Words<GROUP> drawn[4];
  Words<GROUP> word;  // unused bits of the current word
  T normal[4];        // Box-Muller only
  Vec table;

  BM_FN_MEMBER explicit Increments(real deviation) : sd(deviation) {
    if constexpr (BM_INCREMENTS == BM_FIVE_POINT) {  // bit 0: zero or not, bit 1: near or far, bit 2: sign
      const real near = (real)0.76536686473017954346 * sd, far = (real)1.8477590650225735123 * sd;
      const real values[8] = {0, near, 0, far, 0, -near, 0, -far};
      for (int i = 0; i < WIDTH; i++) table[i] = values[i % 8];
    }
  }
  BM_FN_MEMBER void draw(uint64_t seed, uint64_t number, uint64_t trajectory) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS) return;
    draw_words(seed, stream_increments(number), (uint32_t)number, trajectory, drawn);
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN)
      for (int i = 0; i < 4; i += 2) {
        const T radius = sqrt(log(uniform(drawn[i])) * (real)-2) * sd;
        const T turn = uniform(drawn[i + 1]);
        normal[i] = radius * cos2pi(turn);
        normal[i + 1] = radius * sin2pi(turn);
      }
  }
  BM_FN_MEMBER void use_word(int number) {
    if constexpr (BM_INCREMENTS == BM_NO_INCREMENTS) return;
    for (int g = 0; g < GROUP; g++) {
      word.w[g] = drawn[number].w[g];
      if constexpr (BM_INCREMENTS == BM_THREE_POINT) word.w[g] = (word.w[g] & (uint)0xffffffffu) >> 3;
    }
    if constexpr (BM_INCREMENTS == BM_GAUSSIAN) normal[0] = normal[number];
  }
  BM_FN_MEMBER T next() {
    T xi;
    for (int g = 0; g < GROUP; g++) {
      if constexpr (BM_INCREMENTS == BM_FIVE_POINT) {
        if constexpr (WIDTH >= 8) {
          xi.v[g] = lookup(table, word.w[g]);
        } else {
          const UVec w = word.w[g];
          const Vec size = (w & (uint)2) != 0 ? broadcast((real)1.8477590650225735123 * sd)
                                              : broadcast((real)0.76536686473017954346 * sd);
          xi.v[g] = (w & (uint)1) != 0 ? ((w & (uint)4) != 0 ? -size : size) : Vec{};
        }
        word.w[g] >>= 3;
      } else if constexpr (BM_INCREMENTS == BM_THREE_POINT) {  // the next digit is the part of 6 w above 2^29
        const UVec six = word.w[g] * (uint)6;
        word.w[g] = six & (((uint)1 << 29) - 1);
        const real size = (real)1.7320508075688772935 * sd;
        xi.v[g] = six < broadcast_bits((uint)1 << 29)
                      ? broadcast(-size)
                      : (six >= broadcast_bits((uint)5 << 29) ? broadcast(size) : Vec{});
      } else if constexpr (BM_INCREMENTS == BM_NEAR_GAUSSIAN) {
        xi.v[g] = __builtin_convertvector(count_bits(word.w[g]) - 16, Vec) * ((real)0.35355339059327376220 * sd);
      } else if constexpr (BM_INCREMENTS == BM_GAUSSIAN) {
        xi.v[g] = normal[0].v[g];
      } else {
        xi.v[g] = Vec{};
      }
    }
    return xi;
  }
};

}  // namespace bmsim_kernel
