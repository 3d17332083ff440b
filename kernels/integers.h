// Integers of known size; functions that host and kernels share.
#pragma once
#ifdef __CUDACC_RTC__  // which has no <stdint.h>
typedef unsigned char uint8_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define BM_SHARED_FN __device__ __forceinline__
#else
#include <stdint.h>
#define BM_SHARED_FN inline
#endif
