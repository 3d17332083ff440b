// The drives of models without events, whose trajectories share one clock: evaluated for a block at a time.
#pragma once
#if BM_DRIVES

struct Drives {
  const Parameters& p;
  alignas(64) real value[BLOCK + WIDTH + 1];

  BM_FN_MEMBER explicit Drives(const Parameters& parameters) : p(parameters) {}
  // The force at the end of iteration i of the block, and at its beginning for i = 0.
  BM_FN_MEMBER real at(int i) const { return value[i]; }
  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    for (int first = 0; first <= BLOCK; first += WIDTH) {
      Part phase[BM_DRIVES];
      for (int d = 0; d < BM_DRIVES; d++)
        for (int i = 0; i < WIDTH; i++)
          set_lane(phase[d], i, turn(p.turns_per_step[d], (double)(iteration + (uint64_t)(first + i))));
      store_part(value + first, model_drive(phase, p));
    }
  }
};
#endif
