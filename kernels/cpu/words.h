// How the kernel text is compiled for a CPU: functions, loops, and whether a trajectory has steps of its own.
#pragma once
#define BM_FN static inline __attribute__((always_inline))
#define BM_RARE static __attribute__((noinline))
#define BM_RARE_MEMBER __attribute__((noinline))
#define BM_SELDOM  // for what is seldom read
#define BM_FN_MEMBER inline __attribute__((always_inline))
#define BM_FN_LAMBDA __attribute__((always_inline))
#define BM_CONSTANT static const  // numbers that all threads read
// Groups are arrays of vectors: loops over them are unrolled, so that they stay in registers instead of memory.
#ifdef __clang__
#define BM_UNROLL _Pragma("unroll")
#else
#define BM_UNROLL _Pragma("GCC unroll 16")
#endif
#define BM_OWN_STEPS 0  // whole groups are stepped together
#define BM_NO_UNROLL
#define BM_UNROLL_STEPS  // a step of a whole group is long enough
