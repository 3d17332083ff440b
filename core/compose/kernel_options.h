// What a kernel is compiled for, apart from the model's components.
#pragma once
#include <string_view>
#include <vector>

#include "backend/counter.h"

namespace bmsim {

enum class Method { heun, platen, euler, paper, aboba, exact, adaptive };
enum class Increments { none, five_point, three_point, near_gaussian, gaussian };
enum class Precision { single_precision, double_precision };
constexpr size_t bytes_of_real(Precision precision) {
  return precision == Precision::single_precision ? sizeof(float) : sizeof(double);
}

/// The device language: vectors of SIMD lanes, or one thread per trajectory.
enum class Dialect { cpu, cuda };

struct KernelOptions {
  Method method = Method::heun;
  Increments increments = Increments::none;
  Precision precision = Precision::single_precision;
  Dialect dialect = Dialect::cpu;
  int group = 6;                    ///< SIMD vectors per group of lanes (CPU)
  bool squares = false;             ///< adds up v^2
  bool marks = false;               ///< records paths at given steps
  bool coarse = false;              ///< makes steps of twice the length on the same noise (kernels/coarse.h)
  bool random_phases = false;       ///< every trajectory begins at phases of its own
  std::vector<Counter> counters{};  ///< their parameters: of any point
};

std::string_view method_name(Method method);
std::string_view increments_name(Increments increments);
/// As the kernel text calls them: "BM_HEUN", "BM_FIVE_POINT".
std::string_view method_macro(Method method);
std::string_view increments_macro(Increments increments);
/// Throw Error with the nearest name, or all. "auto" is not among them: see engine/plan.h.
Method method_of(std::string_view name);
Increments increments_of(std::string_view name);
Precision precision_of(std::string_view name);

}  // namespace bmsim
