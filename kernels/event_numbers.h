// Random numbers of events of the script: what they set may depend on fresh ones at every event.
#pragma once
#include "random.h"
#include "state.h"
#include "streams.h"

namespace bmsim_kernel {

constexpr int MOST_IN_STEP = 100;  // events within a step; where there are more, a path counts as diverged

// A unit exponential of all bits of a word.
BM_FN real exponential_of(uint32_t word) {
  return -log(((real)(int32_t)(word >> 1) * 2 + (real)0.5) * (real)2.3283064365386962890625e-10);
}

// Two unit exponential numbers of an event: draw `count`. The first is what the integral of the rate must reach, 1
// where intervals are equal.
struct Exponentials {
  real first, second;
};
template <class E> BM_FN Exponentials event_exponentials(E event, const Launch& launch, int l, uint32_t count) {
  uint32_t word[4];
  draw_one(launch.seed, stream_events(event.component), count, launch.trajectory + (uint64_t)l, word);
  return {E::regular ? (real)1 : exponential_of(word[0]), exponential_of(word[1])};
}

// The numbers of one event, in turn; WORDS: how many words they need, 2 for a normal one, else 1.
template <int WORDS> struct EventNumbers {
  const Launch& launch;
  uint32_t component, count;  // of the event; how often it has happened before
  uint64_t trajectory;
  uint32_t word[4] = {};
  int used = 0;

  BM_FN_MEMBER EventNumbers(const Launch& now, uint32_t number, int l, uint32_t before)
      : launch(now), component(number), count(before), trajectory(now.trajectory + (uint64_t)l) {}
  BM_FN_MEMBER real next_uniform() { return uniform(next()); }
  BM_FN_MEMBER real next_exponential() { return exponential_of(next()); }
  BM_FN_MEMBER real next_normal() {
    const real turn = next_uniform();
    return normal(turn, next_exponential());
  }

 private:
  BM_FN_MEMBER uint32_t next() {
    if (used % 4 == 0)
      draw_one(launch.seed, stream_start(component), count * (uint32_t)((WORDS + 3) / 4) + (uint32_t)(used / 4),
               trajectory, word);
    return word[used++ % 4];
  }
};

}  // namespace bmsim_kernel
