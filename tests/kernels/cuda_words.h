// CUDA's words and functions for a C++ compiler that reads the CUDA dialect of kernels/ and generates no code from it.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__
#define __launch_bounds__(...)

struct BmDim {
  unsigned x, y, z;
};
extern const BmDim threadIdx, blockIdx, blockDim, gridDim;
struct uint4 {
  unsigned x, y, z, w;
};
unsigned __umulhi(unsigned a, unsigned b);
void __syncthreads();
void __syncwarp(unsigned mask = 0xffffffffu);
int __any_sync(unsigned mask, int predicate);
float __shfl_xor_sync(unsigned mask, float value, int lanes);
double __shfl_xor_sync(unsigned mask, double value, int lanes);
void __threadfence();
int __all_sync(unsigned mask, int predicate);
template <class X, class Y> X atomicAdd(X* to, Y what);
double __dadd_rn(double a, double b), __dsub_rn(double a, double b), __dmul_rn(double a, double b);
long long __double_as_longlong(double);
double __longlong_as_double(long long);
double __fma_rn(double a, double b, double c), __dsqrt_rn(double a), __ddiv_rn(double a, double b);
float __fadd_rn(float a, float b), __fsub_rn(float a, float b), __fmul_rn(float a, float b);
float __fmaf_rn(float a, float b, float c), __fsqrt_rn(float a), __fdiv_rn(float a, float b);
double __longlong_as_double(long long a);
float __int_as_float(int a);
int __double2hiint(double a);
double __hiloint2double(int high, int low);
int __float_as_int(float a);
template <class X> X __ldg(const X* a);
template <class X> void __stcs(X* a, X b);
template <class X> void __stcg(X* a, X b);
