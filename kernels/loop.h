// The chunk loop: blocks of iterations of one group.
#pragma once

// Returns whether there is more to do.
BM_FN bool advance(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools) {
  Increments increments(increment_deviation(p));
  Stepper stepper(s, p, launch, pools);
  bool more = true;
  for (uint64_t block = launch.first_block; more && block < launch.first_block + launch.blocks; block++) {
    stepper.begin_block(block * BLOCK);
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
      increments.draw(launch.seed, block * DRAWS + draw, launch.trajectory);
      if (PER_WORD == 1) stepper.prepare();
      BM_UNROLL_WORDS for (int word = 0; word < 4; word++) {
        increments.use_word(word);
        if (PER_WORD > 1) stepper.prepare();
        stepper.begin_word((int)(4 * draw + (uint32_t)word) * PER_WORD);
        BM_UNROLL_STEPS for (int i = 0; i < PER_WORD; i++) stepper.step(increments.next(), i);
      }
    }
    more = group_any(stepper.end_block());
  }
  stepper.save();
  record_rest(s, launch);
  return more;
}
