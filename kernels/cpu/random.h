// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011) for a group of trajectories, or for many draws of one of them.
// key = seed, counter = (draw, stream, trajectory).
#pragma once
#include "special.h"

namespace bmsim_kernel {

// Ten rounds on counters in the low halves of 64-bit elements; the high halves become garbage.
BM_FN void philox(Vec64 c[4], uint64_t seed) {
  uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
  for (int round = 0; round < 10; round++) {
    const Vec64 a = multiply_low(c[0], 0xD2511F53u), b = multiply_low(c[2], 0xCD9E8D57u);
    c[0] = (b >> 32) ^ c[1] ^ (uint64_t)k0;
    c[2] = (a >> 32) ^ c[3] ^ (uint64_t)k1;
    c[1] = b;
    c[3] = a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

alignas(64) static const uint64_t EVEN_NUMBERS[8] = {0, 2, 4, 6, 8, 10, 12, 14};
// Four words for every trajectory of a vector, beginning with `trajectory`.
BM_FN void draw_vector(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, UVec out[4]) {
  constexpr int HALVES = sizeof(Vec64) / sizeof(uint64_t) == WIDTH ? 1 : 2;  // 64-bit vectors per vector of lanes
  Vec64 c[2][4];
  for (int half = 0; half < HALVES; half++) {
    Vec64 id;  // half 0 holds the even lanes, half 1 the odd ones
    __builtin_memcpy(&id, EVEN_NUMBERS, sizeof id);
    if (HALVES == 1) id >>= 1;
    id += trajectory + (uint64_t)half;
    c[half][0] = (uint64_t)draw - Vec64{};
    c[half][1] = (uint64_t)stream - Vec64{};
    c[half][2] = id;
    c[half][3] = id >> 32;
    philox(c[half], seed);
  }
  for (int word = 0; word < 4; word++) {
    const Vec64 low = c[0][word] & (0xffffffffull - Vec64{});
    out[word] = (UVec)(HALVES == 1 ? low : low | (c[HALVES - 1][word] << 32));
  }
}
// The same for a group of vectors.
BM_FN void draw_words(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, Words<GROUP> out[4]) {
  for (int g = 0; g < GROUP; g++) {
    UVec words[4];
    draw_vector(seed, stream, draw, trajectory + (uint64_t)(g * WIDTH), words);
    for (int word = 0; word < 4; word++) out[word].w[g] = words[word];
  }
}

// Uniform on (0, 1) from the top 23 (32) bits of a word: never 0, never 1.
BM_FN real uniform(uint32_t word) {
  return SINGLE ? ((real)(int32_t)(word >> 9) + (real)0.5) * (real)1.1920928955078125e-7
                : ((real)word + (real)0.5) * (real)2.3283064365386962890625e-10;
}
BM_FN T uniform(const Words<GROUP>& words) {
  T u;
  for (int g = 0; g < GROUP; g++) {
    const Vec x = __builtin_convertvector((IVec)((words.w[g] & (uint)0xffffffffu) >> (SINGLE ? 9 : 0)), Vec);
    u.v[g] = (x + (real)0.5) * (SINGLE ? (real)1.1920928955078125e-7 : (real)2.3283064365386962890625e-10);
  }
  return u;
}
// A number on (0, 1) from the lower 21 bits of a word, and one of 2048 directions from the upper 11.
BM_FN T radius_number(const Words<GROUP>& words) {
  T u;
  for (int g = 0; g < GROUP; g++) {
    const Vec x = __builtin_convertvector((IVec)(words.w[g] & (uint)0x1fffff), Vec);
    u.v[g] = (x + (real)0.5) * (real)4.76837158203125e-7;
  }
  return u;
}
BM_FN void find_direction(const Words<GROUP>& words, T& cosine, T& sine) {
  T turn;
  for (int g = 0; g < GROUP; g++) {
    const Vec x = __builtin_convertvector((IVec)(words.w[g] >> 21), Vec);
    turn.v[g] = (x - (real)1023.5) * (real)4.8828125e-4;
  }
  cosine = cos_of_turn(turn);
  sine = sin_of_turn(turn);
}
// Four words for one trajectory.
BM_FN void draw_one(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, uint32_t (&word)[4]) {
  Vec64 c[4] = {(uint64_t)draw - Vec64{}, (uint64_t)stream - Vec64{}, trajectory - Vec64{},
                (trajectory >> 32) - Vec64{}};
  philox(c, seed);
  for (int i = 0; i < 4; i++) word[i] = (uint32_t)c[i][0];
}

// The first uniform number of a draw, for every trajectory of a group.
BM_FN void draw_uniforms(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, Slot<real>& out) {
  Words<GROUP> words[4];
  draw_words(seed, stream, draw, trajectory, words);
  for (int l = 0; l < LANES; l++) out[l] = uniform((uint32_t)words[0].w[l / WIDTH][l % WIDTH]);
}
// -log of a uniform number on (0, 1] with all 32 bits: a unit exponential, up to 22.9.
template <class X> BM_FN X unit_exponential(X uniform32) { return -log(uniform32); }
// Four uniform numbers on (0, 1] of all 32 bits for every trajectory of a group.
BM_FN void draw_numbers(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, T (&out)[4]) {
  Words<GROUP> words[4];
  draw_words(seed, stream, draw, trajectory, words);
  for (int i = 0; i < 4; i++)
    for (int g = 0; g < GROUP; g++) {
      const UVec w = words[i].w[g] & (uint)0xffffffffu;
      out[i].v[g] = (SINGLE ? __builtin_convertvector((IVec)(w >> 1), Vec) * (real)2 + (real)0.5
                            : __builtin_convertvector((IVec)w, Vec) + (real)0.5) *
                    (real)2.3283064365386962890625e-10;
    }
}
// Unit exponentials of (w + 1/2) / 2^32; in single precision the relative rounding error of this is below 2^-24.
BM_FN Vec unit_exponentials(UVec w) {
  Lanes<1> u;
  u.v[0] = SINGLE ? __builtin_convertvector((IVec)(w >> 1), Vec) * (real)2 + (real)0.5
                  : __builtin_convertvector((IVec)w, Vec) + (real)0.5;
  return unit_exponential(u * (real)2.3283064365386962890625e-10).v[0];
}

constexpr int POOL = 32;              // exponentials drawn at a time for one trajectory
constexpr int POOL_DRAWS = POOL / 4;  // Philox blocks that this takes

// Exponentials number 32 n ... 32 n + 31 of a trajectory's stream.
__attribute__((noinline)) static void draw_exponentials(uint64_t seed, uint32_t stream, uint32_t n, uint64_t trajectory,
                                                        real* out) {
  alignas(64) uint32_t words[POOL];
  for (int first = 0; first < POOL_DRAWS; first += WIDTH64) {
    Vec64 c[4] = {(uint64_t)(n * POOL_DRAWS + (uint32_t)first) - Vec64{}, (uint64_t)stream - Vec64{},
                  trajectory - Vec64{}, (trajectory >> 32) - Vec64{}};
    for (int i = 0; i < WIDTH64; i++) c[0][i] += (uint64_t)i;
    philox(c, seed);
    const Vec64 low = 0xffffffffull - Vec64{};
    const Vec64 ends[2] = {(c[0] & low) | (c[1] << 32), (c[2] & low) | (c[3] << 32)};  // of the four words of a draw
    Vec64 whole[2];
    interleave(ends[0], ends[1], whole);
    __builtin_memcpy(words + 4 * first, whole, sizeof whole);
  }
  for (int i = 0; i < POOL; i += WIDTH) {
    UVec w;
    for (int l = 0; l < WIDTH; l++) w[l] = words[i + l];
    const Vec e = unit_exponentials(w);
    __builtin_memcpy(out + i, &e, sizeof e);
  }
}

// Unit exponentials of the event noises, for the trajectories of the group a thread works on. They are drawn 32 at a
// time, so that one trajectory's draws fill a vector. The pools are scratch memory; a trajectory keeps only how many it
// has used.
struct Pools {
  static constexpr int COUNT = BM_EVENT_NOISES > 0 ? BM_EVENT_NOISES : 1;
  alignas(64) real value[COUNT][LANES][POOL];
  uint32_t filled[COUNT][LANES];  // 1 + number of the batch in `value`, 0 for none
  // Trajectories that have used equally many draw together, four at a time.
  Slot<real> four[COUNT][4];
  uint32_t held[COUNT];  // 1 + number of the draw in `four`, 0 for none

  BM_FN_MEMBER void resume(int, uint64_t, uint32_t, uint64_t, uint32_t) {}
  BM_FN_MEMBER void top_up(int, uint64_t, uint32_t, uint64_t, uint32_t) {}
  BM_FN_MEMBER void supply(int, uint64_t, uint32_t, uint64_t, uint32_t) {}
  BM_FN_MEMBER void reset() {
    clear(filled);
    clear(held);
  }
  // Takes the next two; `used` is even.
  BM_FN_MEMBER void next(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory, int lane, uint32_t& used,
                         real& first, real& second) {
    const uint32_t batch = used / POOL;
    real* values = value[noise][lane];
    if (filled[noise][lane] != batch + 1) {
      draw_exponentials(seed, stream, batch, trajectory + (uint64_t)lane, values);
      filled[noise][lane] = batch + 1;
    }
    first = values[used % POOL];
    second = values[used % POOL + 1];
    used += 2;
  }
  // The same for all trajectories of a mask; the others get meaningless numbers.
  BM_FN_MEMBER void next_all(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory, const Mask<GROUP>& mask,
                             Slot<uint32_t>& used, T& first, T& second) {
    UVec n[GROUP];
    IVec differ = {};
    for (int g = 0; g < GROUP; g++) n[g] = load_numbers(used.lane + g * WIDTH);
    const uint32_t one = first_of(mask, used);
    for (int g = 0; g < GROUP; g++) differ |= (n[g] != (uint)one) & mask.m[g];
    if (!any_sign_bit(differ)) {
      if (held[noise] != one / 4 + 1) draw_together(noise, seed, stream, one / 4, trajectory);
      first = load(four[noise][one % 4]);
      second = load(four[noise][one % 4 + 1]);
    } else {
      for (int g = 0; g < GROUP; g++)
        next_apart(noise, seed, stream, trajectory, g, sign_bits(mask.m[g]), n[g], first.v[g], second.v[g]);
    }
    for (int g = 0; g < GROUP; g++) {
      const Numbers32 taken = __builtin_convertvector(n[g] + ((UVec)mask.m[g] & (uint)2), Numbers32);
      __builtin_memcpy(used.lane + g * WIDTH, &taken, sizeof taken);
    }
  }

 private:
  // How many the first trajectory of a mask has used.
  BM_FN_MEMBER static uint32_t first_of(const Mask<GROUP>& mask, Slot<uint32_t>& used) {
    for (int g = 0; g < GROUP; g++)
      if (const unsigned bits = sign_bits(mask.m[g]); bits != 0) return used[g * WIDTH + __builtin_ctz(bits)];
    return 0;
  }
  __attribute__((noinline)) void draw_together(int noise, uint64_t seed, uint32_t stream, uint32_t n,
                                               uint64_t trajectory) {
    Words<GROUP> words[4];
    draw_words(seed, stream, n, trajectory, words);
    for (int i = 0; i < 4; i++)
      for (int g = 0; g < GROUP; g++) {
        const Vec e = unit_exponentials(words[i].w[g]);
        __builtin_memcpy(four[noise][i].lane + g * WIDTH, &e, sizeof e);
      }
    held[noise] = n + 1;
  }
  __attribute__((noinline)) void next_apart(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory, int g,
                                            unsigned wanted, UVec used, Vec& first, Vec& second) {
    const int begin = g * WIDTH;
    const IVec empty = used / (uint)POOL + (uint)1 != load_numbers(filled[noise] + begin);
    for (unsigned bits = wanted & sign_bits(empty); bits != 0; bits &= bits - 1) {
      const int i = __builtin_ctz(bits), l = begin + i;
      const uint32_t batch = (uint32_t)used[i] / POOL;
      draw_exponentials(seed, stream, batch, trajectory + (uint64_t)l, value[noise][l]);
      filled[noise][l] = batch + 1;
    }
    const UVec place = used % (uint)POOL;
    for (int i = 0; i < WIDTH; i++) {
      first[i] = value[noise][begin + i][place[i]];
      second[i] = value[noise][begin + i][place[i] + 1];
    }
  }

  typedef uint32_t Numbers32 __attribute__((vector_size(4 * WIDTH)));
  BM_FN_MEMBER static UVec load_numbers(const uint32_t* from) {
    Numbers32 numbers;
    __builtin_memcpy(&numbers, from, sizeof numbers);
    return __builtin_convertvector(numbers, UVec);
  }
};

}  // namespace bmsim_kernel
