// The kernels' portable Philox against cuRAND's device header, compiled here for the host: both back ends draw the same
// words.
#include <doctest/doctest.h>

#include <cstdint>

struct uint4 {
  unsigned x, y, z, w;
};
struct uint2 {
  unsigned x, y;
};
#define QUALIFIERS static inline
#include <curand_philox4x32_x.h>

#include "random.h"
#include "streams.h"

namespace device = bmsim_kernel;

namespace {

unsigned low(uint64_t a) { return static_cast<unsigned>(a); }
unsigned high(uint64_t a) { return static_cast<unsigned>(a >> 32); }

// Words for the 32-bit edges of every counter and key, and for a walk through what is between them.
const uint64_t edges[] = {
    0, 1, 0x7fffffffu, 0xfffffff0u, 0xffffffffu, 0x100000000u, 0x85a308d313198a2eu, ~uint64_t{31}};

}  // namespace

TEST_CASE("portable Philox: the words of cuRAND's header, for counter (draw, stream, trajectory) and key seed") {
  uint64_t walk = 0x299f31d0a4093822u;
  int compared = 0;
  for (const uint64_t seed : edges)
    for (const uint64_t first : edges)
      for (const uint64_t edge : edges) {
        walk = walk * 6364136223846793005u + 1442695040888963407u;
        const uint32_t draw = low(edge), stream = high(walk);
        device::Words<device::GROUP> words[4];
        device::draw_words(seed, stream, draw, first, words);
        for (int lane = 0; lane < device::LANES; ++lane) {
          const uint64_t id = first + static_cast<uint64_t>(lane);
          const uint4 wanted = curand_Philox4x32_10({draw, stream, low(id), high(id)}, {low(seed), high(seed)});
          const unsigned by_word[4] = {wanted.x, wanted.y, wanted.z, wanted.w};
          const int vector = lane / device::WIDTH, place = lane % device::WIDTH;
          for (int word = 0; word < 4; ++word) {
            REQUIRE(static_cast<unsigned>(words[word].w[vector][place]) == by_word[word]);
            ++compared;
          }
        }
      }
  CHECK(compared == 512 * 4 * device::LANES);
}
