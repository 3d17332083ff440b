// How the kernel text is compiled for a GPU: functions, loops, and whether a trajectory has steps of its own.
#pragma once
#define BM_FN __device__ __forceinline__
#define BM_FN_MEMBER __device__ __forceinline__
#define BM_FN_LAMBDA
#define BM_RARE __device__ __forceinline__
#define BM_RARE_MEMBER __device__ __forceinline__
#define BM_SELDOM volatile                   // for what is seldom read: in shared memory, not in registers
#define BM_CONSTANT static __device__ const  // numbers that all threads read
#define BM_UNROLL _Pragma("unroll")
#define BM_NO_UNROLL _Pragma("unroll 1")
#define BM_UNROLL_STEPS _Pragma("unroll (RUN)")
#define BM_OWN_STEPS 1  // each thread makes steps of the length it needs: nothing is repeated
