// The assembler copies the files in; CMake rebuilds this object when one of them changes.
#include "compose/kernel_texts.h"

#define BM_STRING_(x) #x
#define BM_STRING(x) BM_STRING_(x)
#define BM_KERNEL(symbol, path)                                                                                 \
  __asm__(".pushsection .rodata\nbm_text_" #symbol ":\n.incbin \"" BMSIM_KERNELS "/" path "\"\nbm_end_" #symbol \
          ":\n.byte 0\n.popsection\n");                                                                         \
  extern "C" {                                                                                                  \
  extern const char symbol##_begin[] __asm__("bm_text_" #symbol);                                               \
  extern const char symbol##_end[] __asm__("bm_end_" #symbol);                                                  \
  }                                                                                                             \
  const bmsim::KernelText bmsim::kernel::symbol{"kernels/" path,                                                \
                                                {symbol##_begin, static_cast<size_t>(symbol##_end - symbol##_begin)}};

BM_KERNEL(cpu_simd, "cpu/simd.h")
BM_KERNEL(cpu_lanes, "cpu/lanes.h")
BM_KERNEL(cpu_group, "cpu/group.h")
BM_KERNEL(cuda_scalar, "cuda/scalar.h")
BM_KERNEL(cuda_math, "cuda/math.h")
BM_KERNEL(cuda_random, "cuda/random.h")
BM_KERNEL(cuda_increments, "cuda/increments.h")
BM_KERNEL(cuda_clock, "cuda/clock.h")
BM_KERNEL(cuda_samples, "cuda/samples.h")
BM_KERNEL(cuda_entry, "cuda/entry.h")
BM_KERNEL(math, "math.h")
BM_KERNEL(cpu_exponents, "cpu/exponents.h")
BM_KERNEL(cpu_clock, "cpu/clock.h")
BM_KERNEL(cpu_random, "cpu/random.h")
BM_KERNEL(cpu_increments, "cpu/increments.h")
BM_KERNEL(cpu_entry, "cpu/entry.h")
BM_KERNEL(streams, "streams.h")
BM_KERNEL(state, "state.h")
BM_KERNEL(increments, "increments.h")
BM_KERNEL(integrators, "integrators.h")
BM_KERNEL(cuda_shared, "cuda/shared.h")
BM_KERNEL(methods, "methods.h")
BM_KERNEL(arrays, "arrays.h")
BM_KERNEL(start, "start.h")
BM_KERNEL(outside, "outside.h")
BM_KERNEL(motion, "motion.h")
BM_KERNEL(levels, "levels.h")
BM_KERNEL(inertial, "inertial.h")
BM_KERNEL(step, "step.h")
BM_KERNEL(coarse, "coarse.h")
BM_KERNEL(local, "local.h")
BM_KERNEL(events, "events.h")
BM_KERNEL(own_clocks, "own_clocks.h")
BM_KERNEL(common_clock, "common_clock.h")
BM_KERNEL(occupation, "occupation.h")
BM_KERNEL(exact_clock, "exact_clock.h")
BM_KERNEL(adaptive_clock, "adaptive_clock.h")
BM_KERNEL(loop, "loop.h")
