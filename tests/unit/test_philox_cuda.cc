// Philox of the CUDA dialect, read here as C++, against Random123: both back ends draw the same words.
#include <Random123/philox.h>
#include <doctest/doctest.h>

#include <cstdint>

// CUDA's words that it uses.
#define __device__
#define __forceinline__ inline
struct uint4 {
  uint32_t x, y, z, w;
};
static uint32_t __umulhi(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }

#include "cuda/philox.h"

TEST_CASE("CUDA's Philox: the words of Random123 for counter (draw, stream, trajectory) and key seed") {
  const uint64_t edges[] = {
      0, 1, 0x7fffffffu, 0xfffffff0u, 0xffffffffu, 0x100000000u, 0x85a308d313198a2eu, ~uint64_t{31}};
  uint64_t walk = 0x299f31d0a4093822u;
  for (const uint64_t seed : edges)
    for (const uint64_t trajectory : edges)
      for (const uint64_t edge : edges) {
        walk = walk * 6364136223846793005u + 1442695040888963407u;
        const uint32_t draw = static_cast<uint32_t>(edge), stream = static_cast<uint32_t>(walk >> 32);
        const uint4 words = bmsim_kernel::philox(seed, stream, draw, trajectory);
        const auto wanted = r123::Philox4x32()(
            {{draw, stream, static_cast<uint32_t>(trajectory), static_cast<uint32_t>(trajectory >> 32)}},
            {{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}});
        CHECK((words.x == wanted[0] && words.y == wanted[1] && words.z == wanted[2] && words.w == wanted[3]));
      }
}
