// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011) for a group of trajectories, or for many draws of one of them.
// key = seed, counter = (draw, stream, trajectory).
#pragma once

// Ten rounds on counters held in the low halves of 64-bit elements; what is left in the high halves is garbage.
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

// Four words for every trajectory of a group of vectors, the first of which is `trajectory`.
BM_FN void draw_words(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, Words<GROUP> out[4]) {
  constexpr int HALVES = sizeof(Vec64) / sizeof(uint64_t) == WIDTH ? 1 : 2;  // 64-bit vectors per vector of lanes
  for (int g = 0; g < GROUP; g++) {
    Vec64 c[2][4];
    for (int half = 0; half < HALVES; half++) {
      Vec64 id;  // half 0 holds the even lanes, half 1 the odd ones
      for (int i = 0; i < WIDTH64; i++) id[i] = (uint64_t)(g * WIDTH + i * HALVES + half);
      id += trajectory;
      c[half][0] = (uint64_t)draw - Vec64{};
      c[half][1] = (uint64_t)stream - Vec64{};
      c[half][2] = id;
      c[half][3] = id >> 32;
      philox(c[half], seed);
    }
    for (int word = 0; word < 4; word++) {
      const Vec64 low = c[0][word] & (0xffffffffull - Vec64{});
      out[word].w[g] = (UVec)(HALVES == 1 ? low : low | (c[HALVES - 1][word] << 32));
    }
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
// The first uniform number of a draw, for every trajectory of a group.
BM_FN void draw_uniforms(uint64_t seed, uint32_t stream, uint32_t draw, uint64_t trajectory, Slot<real>& out) {
  Words<GROUP> words[4];
  draw_words(seed, stream, draw, trajectory, words);
  for (int l = 0; l < LANES; l++) out[l] = uniform((uint32_t)words[0].w[l / WIDTH][l % WIDTH]);
}
// -log of a uniform number on (0, 1] with all 32 bits: a unit exponential, up to 22.9.
template <class X> BM_FN X unit_exponential(X uniform32) { return -log(uniform32); }

constexpr int POOL = 32;              // exponentials drawn at a time for one trajectory
constexpr int POOL_DRAWS = POOL / 4;  // Philox blocks that takes

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
    Lanes<1> u;  // (w + 1/2) / 2^32; in single precision what is lost to rounding is below 2^-24 of u
    u.v[0] = SINGLE ? __builtin_convertvector((IVec)(w >> 1), Vec) * (real)2 + (real)0.5
                    : __builtin_convertvector((IVec)w, Vec) + (real)0.5;
    const Lanes<1> e = unit_exponential(u * (real)2.3283064365386962890625e-10);
    __builtin_memcpy(out + i, &e.v[0], sizeof(Vec));
  }
}

// Unit exponentials of the event noises, for the trajectories of the group a thread works on: drawn 32 at a time, since
// one trajectory's draws fill a vector. The pools are scratch; a trajectory keeps only the number it has used.
struct Pools {
  static constexpr int COUNT = BM_EVENT_NOISES > 0 ? BM_EVENT_NOISES : 1;
  alignas(64) real value[COUNT][LANES][POOL];
  uint32_t filled[COUNT][LANES];  // 1 + number of the batch in `value`, 0 for none

  BM_FN_MEMBER void resume(int, uint64_t, uint32_t, uint64_t, uint32_t) {}
  BM_FN_MEMBER void top_up(int, uint64_t, uint32_t, uint64_t, uint32_t) {}
  BM_FN_MEMBER void reset() { __builtin_memset(filled, 0, sizeof filled); }
  // The next two; `used` is even.
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
  // The same for all trajectories of a mask; what the others get is of no meaning.
  BM_FN_MEMBER void next_all(int noise, uint64_t seed, uint32_t stream, uint64_t trajectory, const Mask<GROUP>& mask,
                             Slot<uint32_t>& used, Slot<real>& first, Slot<real>& second) {
    for (int g = 0; g < GROUP; g++) {
      const int begin = g * WIDTH;
      UVec n = load_numbers(used.lane + begin);
      const IVec empty = n / (uint)POOL + (uint)1 != load_numbers(filled[noise] + begin);
      for (unsigned bits = sign_bits(empty & mask.m[g]); bits != 0; bits &= bits - 1) {
        const int l = begin + __builtin_ctz(bits);
        const uint32_t batch = used.lane[l] / POOL;
        draw_exponentials(seed, stream, batch, trajectory + (uint64_t)l, value[noise][l]);
        filled[noise][l] = batch + 1;
      }
      const UVec place = n % (uint)POOL;
      uint at[WIDTH];
      __builtin_memcpy(at, &place, sizeof at);
      for (int i = 0; i < WIDTH; i++) {
        first.lane[begin + i] = value[noise][begin + i][at[i]];
        second.lane[begin + i] = value[noise][begin + i][at[i] + 1];
      }
      n += (UVec)mask.m[g] & (uint)2;
      const Numbers32 taken = __builtin_convertvector(n, Numbers32);
      __builtin_memcpy(used.lane + begin, &taken, sizeof taken);
    }
  }

 private:
  typedef uint32_t Numbers32 __attribute__((vector_size(4 * WIDTH)));
  BM_FN_MEMBER static UVec load_numbers(const uint32_t* from) {
    Numbers32 numbers;
    __builtin_memcpy(&numbers, from, sizeof numbers);
    return __builtin_convertvector(numbers, UVec);
  }
};
