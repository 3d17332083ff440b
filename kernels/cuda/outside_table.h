// Outside influences in models with a common clock: a warp evaluates them for a block of steps at once, one step per
// thread, and keeps them in shared memory; and the numbers that some noises take at every step.
#pragma once
#include "increment_laws.h"
#include "shared.h"
#include "step.h"

namespace bmsim_kernel {

constexpr double OUTSIDE_OFFSET = BM_METHOD == BM_ABOBA && !BM_COARSE ? 0.5 : 0;  // place within a step, see make_step

struct OutsideTable {
  const Parameters& p;
  const Launch& launch;
  real first[PHASES];
  real* table;
  int run = 0, place = 0;  // of the present run: its first iteration, and where that is in a row

  BM_FN_MEMBER OutsideTable(const Parameters& parameters, const Launch& now) : p(parameters), launch(now) {
    table = warp_shared() + RING_REALS;
  }
  BM_FN_MEMBER void begin_block([[maybe_unused]] uint64_t iteration) {
    begin_run(0);
    BM_UNROLL for (int k = 0; k < BM_PHASES; k++) {
      first[k] = phase_at(p, k, (double)iteration + OUTSIDE_OFFSET);
      if constexpr (BM_RANDOM_PHASES) {
        Slot<real> begins;
        draw_phases(launch, k, begins);
        first[k] += begins[0];
      }
    }
    if constexpr (!SHARED_OUTSIDE) return;
    __syncwarp();
    for_each(OUTSIDE_PLACES, [&](int i) {
      const int runs_before = OUTSIDE_RUN == BLOCK ? 0 : i / OUTSIDE_STRIDE;
      Outside<real> outside = evaluate(i - runs_before * (OUTSIDE_STRIDE - OUTSIDE_RUN));
      int row = 0;
      each_member(outside, outside, [&](real a, real) {
        if (row < BM_FALLS || row >= 2 * BM_FALLS) table[row * OUTSIDE_ROW + i] = a;
        row++;
      });
    });
    __syncwarp();
    if constexpr (BM_FALLS == 0) return;
    for_each(BLOCK, [&](int i) {
      BM_UNROLL for (int k = 0; k < BM_FALLS; k++) {
        const real* force = table + k * OUTSIDE_ROW;
        constexpr int after = BM_METHOD == BM_ABOBA ? 0 : 1;
        const real before = i > 0 ? force[place_of(i - 1)] : after > 0 ? -force[0] : 0;
        table[(BM_FALLS + k) * OUTSIDE_ROW + place_of(i)] = before - force[place_of(i) + after];
      }
    });
    __syncwarp();
  }
  BM_FN_MEMBER void begin_run(int number) {
    run = number * RUN;
    place = number * (OUTSIDE_RUN == RUN ? OUTSIDE_STRIDE : RUN);
  }
  // Outside influences at the beginning of iteration i of the run, i = RUN being its end; with an offset if the method
  // needs them within the step.
  BM_FN_MEMBER Outside<real> at(int i) const {
    if (!SHARED_OUTSIDE) return evaluate(run + i);
    Outside<real> outside;
    int row = 0;
    each_member(outside, outside, [&](real& a, real) { a = table[row++ * OUTSIDE_ROW + place + i]; });
    return outside;
  }

 private:
  // f(i) for all i < count, by the threads of the warp. (Where all make equally many rounds, no branch divides them.)
  template <class F> BM_FN_MEMBER static void for_each(int count, F f) {
    BM_UNROLL for (int first = 0; first < count; first += 32) {
      const int i = first + (int)(threadIdx.x % 32);
      if (i < count) f(i);
    }
  }
  // Where iteration i of the block is in a row.
  BM_FN_MEMBER static int place_of(int i) { return OUTSIDE_RUN == BLOCK ? i : i / RUN * OUTSIDE_STRIDE + i % RUN; }
  BM_FN_MEMBER Outside<real> evaluate([[maybe_unused]] int i) const {
    real phase[PHASES];
    BM_UNROLL for (int k = 0; k < BM_PHASES; k++) phase[k] = fma((real)i, (real)p.phase_per_step[k], first[k]);
    return outside_at(phase, p);
  }
};

// Two words of a draw for each noise and step: a draw serves an even step and the following odd one.
struct StepNumbers {
#if BM_STEP_NUMBERS
  uint4 drawn[BM_STEP_NUMBERS];
  BM_FN_MEMBER void draw(const Launch& launch, uint64_t iteration, Numbers<T>& out) {
    const uint64_t number = iteration / 2;
    const bool odd = iteration % 2 != 0;
    BM_UNROLL for (int n = 0; n < BM_STEP_NUMBERS; n++) {
      if (!odd)
        drawn[n] = philox(launch.seed, stream_steps(step_component(n), number), (uint32_t)number, launch.trajectory);
      out.u[n] = uniform(odd ? drawn[n].z : drawn[n].x);
      out.e[n] = -log(uniform(odd ? drawn[n].w : drawn[n].y));
    }
  }
#else
  BM_FN_MEMBER void draw(const Launch&, uint64_t, Numbers<T>&) {}
#endif
};

}  // namespace bmsim_kernel
