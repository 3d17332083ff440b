// Single precision by the special function unit. The absolute error is below 2^-20 for sine and cosine in [-1/2, 1/2]
// turns and for the logarithm near 1. The polynomials of math.h, which double precision uses, would cost several times
// as much.
#pragma once
#include "math.h"

namespace bmsim_kernel {

BM_FN float sin_of_radians(float x) {
  float r;
  asm("sin.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
BM_FN float cos_of_radians(float x) {
  float r;
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
BM_FN float sin2pi(float x) { return sin_of_radians(6.2831853071795864769f * x); }
BM_FN float cos2pi(float x) { return cos_of_radians(6.2831853071795864769f * x); }
constexpr float LOG_2 = 0.69314718055994530942f;
BM_FN float log2(float x) {
  float r;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
BM_FN float log(float x) { return log2(x) * LOG_2; }
BM_FN float exp(float x) {
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x * 1.4426950408889634074f));
  return r;
}
BM_FN float quotient(float x, float y) {
  float r;
  asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
  return r;
}
BM_FN float reciprocal(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
BM_FN float inverse_root(float x) {
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}

}  // namespace bmsim_kernel
