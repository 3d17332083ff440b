// Outside influences in models with a common clock, evaluated for a block of steps at a time; and the numbers that some
// noises take at every step.
#pragma once
#include "increment_laws.h"
#include "step.h"

namespace bmsim_kernel {

constexpr double OUTSIDE_OFFSET = BM_METHOD == BM_ABOBA && !BM_COARSE ? 0.5 : 0;  // place within a step, see make_step

#if BM_PHASES && BM_RANDOM_PHASES
struct OutsideTable {
  const Parameters& p;
  const Launch& launch;
  T first[BM_PHASES];
  int run = 0;  // the first iteration of the present run

  BM_FN_MEMBER OutsideTable(const Parameters& parameters, const Launch& now) : p(parameters), launch(now) {}
  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    run = 0;
    for (int k = 0; k < BM_PHASES; k++) {
      Slot<real> begins;
      draw_phases(launch, k, begins);
      first[k] = load(begins) + phase_at(p, k, (double)iteration + OUTSIDE_OFFSET);
    }
  }
  BM_FN_MEMBER void begin_run(int number) { run = number * RUN; }
  BM_FN_MEMBER Outside<T> at(int i) const {
    T phase[BM_PHASES];
    for (int k = 0; k < BM_PHASES; k++) phase[k] = first[k] + (real)(run + i) * (real)p.phase_per_step[k];
    return outside_at(phase, p);
  }
};
#elif BM_PHASES
struct OutsideTable {
  static constexpr int MEMBERS = sizeof(Outside<real>) / sizeof(real);
  const Parameters& p;
  alignas(64) real table[MEMBERS][BLOCK + WIDTH + 1];
  int run = 0;  // the first iteration of the present run

  BM_FN_MEMBER OutsideTable(const Parameters& parameters, const Launch&) : p(parameters) {}
  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    run = 0;
    for (int first = 0; first <= BLOCK; first += WIDTH) {
      Part phase[BM_PHASES];
      for (int k = 0; k < BM_PHASES; k++)
        for (int i = 0; i < WIDTH; i++)
          set_lane(phase[k], i, phase_at(p, k, (double)(iteration + (uint64_t)(first + i)) + OUTSIDE_OFFSET));
      Outside<Part> outside = outside_at(phase, p);
      int row = 0;
      each_member(outside, outside, [&](Part& a, const Part&) { store_part(table[row++] + first, a); });
    }
    for (int k = 0; k < BM_FALLS; k++) {
      const real* force = table[k];
      real* fall = table[BM_FALLS + k];
      constexpr int after = BM_METHOD == BM_ABOBA ? 0 : 1;
      fall[0] = after > 0 ? -(force[0] + force[1]) : -force[0];
      for (int i = 1; i < BLOCK; i++) fall[i] = force[i - 1] - force[i + after];
    }
  }
  BM_FN_MEMBER void begin_run(int number) { run = number * RUN; }
  // Outside influences at the beginning of iteration i of the run, i = RUN being its end; with an offset if the method
  // needs them within the step.
  BM_FN_MEMBER Outside<real> at(int i) const {
    Outside<real> outside;
    int row = 0;
    each_member(outside, outside, [&](real& a, const real&) { a = table[row++][run + i]; });
    return outside;
  }
};
#else
struct OutsideTable {
  const Parameters& p;
  BM_FN_MEMBER OutsideTable(const Parameters& parameters, const Launch&) : p(parameters) {}
  BM_FN_MEMBER void begin_block(uint64_t) {}
  BM_FN_MEMBER void begin_run(int) {}
  BM_FN_MEMBER Outside<real> at(int) const { return outside_at((const real*)0, p); }
};
#endif

// Two words of a draw for each noise and step: a draw serves an even step and the following odd one.
struct StepNumbers {
#if BM_STEP_NUMBERS
  Words<GROUP> drawn[BM_STEP_NUMBERS][4];
  BM_FN_MEMBER void draw(const Launch& launch, uint64_t iteration, Numbers<T>& out) {
    const uint64_t number = iteration / 2;
    const int half = (int)(iteration % 2);
    for (int n = 0; n < BM_STEP_NUMBERS; n++) {
      if (half == 0)
        draw_words(launch.seed, stream_steps(step_component(n), number), (uint32_t)number, launch.trajectory, drawn[n]);
      out.u[n] = uniform(drawn[n][2 * half]);
      out.e[n] = log(uniform(drawn[n][2 * half + 1])) * (real)-1;
    }
  }
#else
  BM_FN_MEMBER void draw(const Launch&, uint64_t, Numbers<T>&) {}
#endif
};

}  // namespace bmsim_kernel
