// Formulas of recorded numbers, evaluated where they lie: the operations of core/formula/program.cc, in double
// precision.
#pragma once
#include "samples.h"

namespace bmsim_kernel {

#if BM_MARKS && BM_FORMULAS

BM_FN double raised(double base, double exponent) {
  if (exponent == 1) return base;
  if (exponent == 2) return base * base;
  return exponent == -1 ? 1 / base : ::pow(base, exponent);
}

BM_FN double formula_function(uint32_t function, const double* a) {
  switch (function) {
    case of_sin:
      return ::sin(a[0]);
    case of_cos:
      return ::cos(a[0]);
    case of_tan:
      return ::tan(a[0]);
    case of_sinh:
      return ::sinh(a[0]);
    case of_cosh:
      return ::cosh(a[0]);
    case of_tanh:
      return ::tanh(a[0]);
    case of_exp:
      return ::exp(a[0]);
    case of_log:
      return ::log(a[0]);
    case of_sqrt:
      return ::sqrt(a[0]);
    case of_abs:
      return ::fabs(a[0]);
    case of_sign:
      return (double)((a[0] > 0) - (a[0] < 0));
    case of_min:
      return a[0] < a[1] ? a[0] : a[1];
    case of_max:
      return a[0] > a[1] ? a[0] : a[1];
    case of_floor:
      return ::floor(a[0]);
    case of_pow:
      return ::pow(a[0], a[1]);
    case of_atan2:
      return ::atan2(a[0], a[1]);
    case of_mod:
      return a[0] - a[1] * ::floor(a[0] / a[1]);
    case of_if:
      return a[0] != 0 ? a[1] : a[2];
    default:
      return a[0] < a[1] ? a[2] : a[3];  // select
  }
}

// Grid (marks, parts): a thread evaluates the formula on some paths. Operations are the same for all threads.
extern "C" __global__ void bm_formula(Recorded all, FormulaLaunch formula) {
  double slot[FORMULA_SLOTS];
  const double* numbers = all.data + (uint64_t)blockIdx.x * formula.values * all.stride;
  double* values = (double*)numbers + (uint64_t)formula.value * all.stride;
  const uint64_t first = (uint64_t)blockIdx.y * blockDim.x + threadIdx.x;
  for (uint64_t path = first; path < all.paths; path += (uint64_t)gridDim.y * blockDim.x) {
    double result = 0;
    for (uint32_t i = 0; i < formula.count; i++) {
      const FormulaOperation& one = formula.operations[i];
      const FormulaArgument* given = formula.arguments + one.first;
      result = one.number;
      if (one.step == FORMULA_INPUT) {
        result = formula.inputs[one.which];
        if (one.which < formula.recorded) result *= numbers[(uint64_t)one.which * all.stride + path];
      } else if (one.step == FORMULA_SUM) {
        for (uint32_t k = 0; k < one.count; k++) result += given[k].weight * slot[given[k].slot];
      } else if (one.step == FORMULA_PRODUCT) {
        for (uint32_t k = 0; k < one.count; k++) result *= raised(slot[given[k].slot], given[k].weight);
      } else if (one.step == FORMULA_POWER) {
        result = ::pow(slot[given[0].slot], slot[given[1].slot]);
      } else {
        double a[4] = {};  // no function takes more
        for (uint32_t k = 0; k < one.count; k++) a[k] = slot[given[k].slot];
        result = formula_function(one.which, a);
      }
      slot[one.slot] = result;
    }
    values[path] = numbers[path] != numbers[path] ? numbers[path] : result;  // not a number after a divergence
  }
}
#endif

}  // namespace bmsim_kernel
