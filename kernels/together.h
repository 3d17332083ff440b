// The chunk loop for trajectories that form one system: all groups of a share make a step, and then meet to average
// what mean fields are made of (Exchange, of the dialect).
#pragma once
#include "exchange.h"
#include "loop.h"

namespace bmsim_kernel {

#if BM_FIELDS
// A group on its way.
struct Member {
  const Launch& launch;
  Increments& increments;
  Stepper& stepper;

  BM_FN_MEMBER void draw(uint64_t block, uint32_t number) {
    increments.draw(launch.seed, block * DRAWS, number, launch.trajectory);
  }
  BM_FN_MEMBER void begin_run(uint64_t block, uint32_t draw, int run) {
    if (SOURCES > 1)
      increments.draw_run(launch.seed, (block * DRAWS + draw) * (BLOCK / DRAWS / RUN) + (uint64_t)run,
                          launch.trajectory);
    stepper.begin_run((int)draw * (BLOCK / DRAWS / RUN) + run);
  }
  // A step; and what follows it, when the mean fields after it are known.
  BM_FN_MEMBER void make(int run, int i) {
    stepper.count_before(i);
    if (i % PER_WORD == 0) increments.use_word((uint32_t)(run * WORDS + i / PER_WORD));
    stepper.make(increments.next(), i);
  }
  BM_FN_MEMBER void arrive(int i, const real (&mean)[AVERAGED]) {
    stepper.fields.advance(mean);
    if (Jump::any(mean)) return stepper.jump(i, Jump(mean));
    stepper.count_after(i);
  }
};

// Averages over the system at the present places of all its groups.
template <class M> BM_FN void meet(M& members, Exchange& exchange, real (&mean)[AVERAGED]) {
  for (int k = 0; k < members.count(); k++) {
    T values[AVERAGED];
    members[k].stepper.field_values_now(values);
    exchange.put(k, values);
  }
  exchange.average(mean);
}

// Advances the groups of a system: members[k] for k < members.count(). Returns whether there is more to do.
template <class M> BM_FN bool advance_together(M& members, Exchange& exchange, uint64_t first_block, uint64_t blocks) {
#define BM_EACH_MEMBER for (int k = 0; k < members.count(); k++)
  real mean[AVERAGED];
  if (first_block == 0) {
    meet(members, exchange, mean);
    BM_EACH_MEMBER members[k].stepper.fields.begin(mean);
    if constexpr (BM_CROSSINGS > 0) BM_EACH_MEMBER members[k].stepper.take_sides();
    if constexpr (BM_HAZARDS > 0) {
      BM_EACH_MEMBER members[k].stepper.first_events();
      meet(members, exchange, mean);
      BM_EACH_MEMBER members[k].stepper.fields.begin(mean);
    }
  }
  bool more = true;
  for (uint64_t block = first_block; more && block < first_block + blocks; block++) {
    BM_EACH_MEMBER members[k].stepper.begin_block(block * BLOCK);
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
      BM_EACH_MEMBER members[k].draw(block, draw);
      BM_NO_UNROLL for (int run = 0; run < BLOCK / DRAWS / RUN; run++) {
        BM_EACH_MEMBER members[k].begin_run(block, draw, run);
        BM_NO_UNROLL for (int i = 0; i < RUN; i++) {
          BM_EACH_MEMBER members[k].make(run, i);
          meet(members, exchange, mean);
          BM_EACH_MEMBER members[k].arrive(i, mean);
          if (Jump::any(mean)) {
            meet(members, exchange, mean);
            BM_EACH_MEMBER members[k].stepper.fields.shift(mean);
          }
          BM_EACH_MEMBER members[k].stepper.finish(i);
          if constexpr (BM_HAZARDS > 0) {
            meet(members, exchange, mean);
            BM_EACH_MEMBER members[k].stepper.fields.shift(mean);
          }
        }
      }
    }
    more = false;
    BM_EACH_MEMBER more = group_any(members[k].stepper.end_block()) || more;
  }
  BM_EACH_MEMBER members[k].stepper.save();
  return more;
#undef BM_EACH_MEMBER
}
#endif

}  // namespace bmsim_kernel
