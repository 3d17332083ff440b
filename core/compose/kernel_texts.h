// The files of kernels/, carried inside the library.
#pragma once
#include <string_view>

namespace bmsim {

struct KernelText {
  std::string_view name;  ///< "kernels/loop.h", for messages
  std::string_view text;
};

namespace kernel {
extern const KernelText cpu_simd, cpu_lanes, cpu_group, cpu_exponents, cpu_random, cpu_clock, cpu_increments, cpu_entry;
extern const KernelText cuda_scalar, cuda_shared, cuda_math, cuda_random, cuda_increments, cuda_clock, cuda_samples,
    cuda_entry;
extern const KernelText methods, math, arrays, streams, state, start, outside, motion, levels, increments, integrators,
    inertial, step, coarse, local, events, own_clocks, common_clock, occupation, exact_clock, adaptive_clock, loop;
}  // namespace kernel

}  // namespace bmsim
