// The chunk loop: blocks of iterations of one group.
#pragma once

// Returns whether there is more to do.
BM_FN bool advance(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools) {
  Increments increments(increment_deviation(p));
  Stepper stepper(s, p, launch, pools);
  bool more = true;
  for (uint64_t block = launch.first_block; more && block < launch.first_block + launch.blocks; block++) {
    int step = 0;
    stepper.begin_block(block * BLOCK);
    for (uint32_t draw = 0; more && draw < DRAWS; draw++) {
      increments.draw(launch.seed, block * DRAWS + draw, launch.trajectory);
      if (PER_WORD == 1) stepper.prepare();
      BM_UNROLL_WORDS for (int word = 0; more && word < 4; word++) {
        increments.use_word(word);
        if (PER_WORD > 1) stepper.prepare();
        BM_UNROLL_STEPS for (int i = 0; more && i < PER_WORD; i++) more = stepper.step(increments.next(), step++);
      }
    }
    more = group_any(stepper.end_block() && more);
  }
  stepper.save();
  return more;
}
