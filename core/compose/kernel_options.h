// Options that a kernel is compiled for, besides the components of the model.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "backend/counter.h"

namespace bmsim {

/// walk: for models with white noise; users know it as exact.
enum class Method { heun, platen, euler, paper, aboba, exact, adaptive, walk };
constexpr bool makes_steps(Method method) { return method != Method::exact && method != Method::walk; }
enum class Increments { none, five_point, three_point, near_gaussian, gaussian };
enum class Precision { single_precision, double_precision };
constexpr size_t bytes_of_real(Precision precision) {
  return precision == Precision::single_precision ? sizeof(float) : sizeof(double);
}

/// Language of the kernel text: vectors of SIMD lanes, or one thread per trajectory.
enum class Dialect { cpu, cuda };

struct KernelOptions {
  Method method = Method::heun;
  Increments increments = Increments::none;
  Precision precision = Precision::single_precision;
  Dialect dialect = Dialect::cpu;
  int group = 6;            ///< SIMD vectors per group of lanes (CPU)
  int block_threads = 0;    ///< with mean fields on a GPU: threads of a block, whose registers must suffice for them
  bool rare_events = true;  ///< on a GPU most warps have no event in a few steps (kernels/own_clocks.h: quiet)
  bool squares = false;     ///< sum v^2 along paths
  bool push = false;        ///< sum the displacement by everything but V along paths, if the method makes no steps
  bool marks = false;       ///< record paths at marks
  size_t formulas = 0;      ///< number of recorded formulas, for whose values there is room at every mark
  bool halves = false;      ///< keep where paths are in the middle of the window (plan/transient_check.h)
  bool coarse = false;      ///< make steps of twice the length on the same noise (kernels/coarse.h)
  /// Masks of variables without inertia that walls reflect. vanishing: noise with an amplitude vanishes at a wall
  /// (kernels/vanishing.h). one_sided: some amplitude is not defined beyond a wall. pressed: forces may act on
  /// them.
  uint32_t vanishing = 0, one_sided = 0, pressed = ~uint32_t{0};
  /// Mask of the variables with inertia on which forces differ between both sides of a wall (kernels/walls.h).
  uint32_t behind = 0;
  bool random_phases = false;  ///< drives begin at random phases, different ones for every trajectory
  /// The quantity whose crossings of levels counters count (kernels/seen.h): the position of a variable, or a formula.
  struct Seen {
    enum Of { variable, linear_formula, formula } of = variable;  ///< formula: the model's last observed function
    size_t index = 0;                                             ///< of the variable
    uint32_t variables = 1, velocities = 0;  ///< masks of the variables, and of the velocities, that it contains
  } seen{};
  /// An integral along every path (kernels/counters/integral.h). The integrand is the next of the model's observed
  /// functions, from first_integrand on; the force from outside; all forces; or the velocity that it integrates over.
  struct Integral {
    enum Of { formula, driving, force, velocity } of = formula;
    int over = -1;  ///< -1: over time; else a variable's index, or the number of variables plus the index of a velocity
    /// Value of the integrand in a step (kernels/counters/integral.h). at_ends: the mean of those at both ends.
    /// in_motion: in either half of the motion, that at the end of this half. in_middle: that in the middle of the
    /// motion. in_kick: that in the middle, along the change of the velocity.
    enum Rule { at_ends, in_motion, in_middle, in_kick } rule = at_ends;
    bool encloses_areas = false;  ///< over a velocity: whether the integrand reads something else that noise moves
  };
  std::vector<Integral> integrals{};
  size_t first_integrand = 0;
  size_t at_events = 0;             ///< the observed function whose values before and after events count
  std::vector<Counter> counters{};  ///< with the parameters of any point
  std::vector<double> levels{};     ///< values of x at which a walk has edges (compose/walk_tables.h)
};

inline bool sums_push(const KernelOptions& options) { return options.push && !makes_steps(options.method); }

std::string_view method_name(Method method);
std::string_view increments_name(Increments increments);
/// Macros of the kernel text: "BM_HEUN", "BM_FIVE_POINT".
std::string_view method_macro(Method method);
std::string_view increments_macro(Increments increments);
/// The option of this name. Throws Error with the nearest name or all. "auto" is not among them (plan/plan.h).
Method method_of(std::string_view name);
Increments increments_of(std::string_view name);
Precision precision_of(std::string_view name);
const char* precision_name(Precision precision);  ///< "single", "double"

}  // namespace bmsim
