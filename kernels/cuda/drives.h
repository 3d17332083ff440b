// The drives of models without events, evaluated step by step: the unrolled loop needs each value once.
#pragma once

#if BM_DRIVES
struct Drives {
  const Parameters& p;
  real first[BM_DRIVES];

  BM_FN_MEMBER explicit Drives(const Parameters& parameters) : p(parameters) {}
  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    BM_UNROLL for (int d = 0; d < BM_DRIVES; d++) first[d] = turn(p.turns_per_step[d], (double)iteration);
  }
  // The force at the end of iteration i of the block, and at its beginning for i = 0.
  BM_FN_MEMBER real at(int i) const {
    real phase[BM_DRIVES];
    BM_UNROLL for (int d = 0; d < BM_DRIVES; d++) phase[d] = fma((real)i, (real)p.turns_per_step[d], first[d]);
    return model_drive(phase, p);
  }
};
#endif
