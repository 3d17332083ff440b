// The files of kernels/, carried inside the library.
#pragma once
#include <string_view>

namespace bmsim {

struct KernelText {
  std::string_view name;  ///< "kernels/loop.h", for messages
  std::string_view text;
};

namespace kernel {
extern const KernelText cpu_simd, cpu_lanes, cpu_group, cpu_exponents, cpu_random, cpu_drives, cpu_increments,
    cpu_entry;
extern const KernelText cuda_scalar, cuda_math, cuda_random, cuda_increments, cuda_drives, cuda_entry;
extern const KernelText math, streams, state, increments, integrators, position, events, own_clocks, common_clock, loop;
}  // namespace kernel

}  // namespace bmsim
