// Options that a kernel is compiled for, apart from the components of the model.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "backend/counter.h"

namespace bmsim {

/// walk: what users know as exact, for models with white noise.
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
  int block_threads = 0;    ///< with mean fields on a GPU: threads of a block, for which registers must suffice
  bool rare_events = true;  ///< on a GPU most warps have no event in a few steps (kernels/own_clocks.h: quiet)
  bool squares = false;     ///< sum v^2 along paths
  bool push = false;        ///< sum the displacement by all but V along paths, if the method makes no steps
  bool marks = false;       ///< record paths at marks
  size_t formulas = 0;      ///< of recorded numbers, with room for their values at every mark
  bool halves = false;      ///< keep where paths are in the middle of the window (plan/transient_check.h)
  bool coarse = false;      ///< make steps of twice the length on the same noise (kernels/coarse.h)
  /// Masks of the variables without inertia that walls reflect: noise with an amplitude vanishes at a wall of these
  /// (kernels/vanishing.h), or some amplitude is not defined beyond it.
  uint32_t vanishing = 0, one_sided = 0;
  /// Mask of the variables with inertia on which forces are others behind a wall than before it (kernels/walls.h).
  uint32_t behind = 0;
  bool random_phases = false;  ///< drives begin at random phases, for every trajectory
  /// What counters look at for crossings of levels (kernels/seen.h): the positions of a variable, or a formula.
  struct Seen {
    enum Of { variable, linear_formula, formula } of = variable;  ///< formula: the model's last observed function
    size_t index = 0;                                             ///< of the variable
    uint32_t variables = 1, velocities = 0;  ///< masks: it contains these variables, and the velocities of these
  } seen{};
  /// An integral along every path (kernels/counters/integral.h): of the next of the model's observed functions, from
  /// first_integrand on; of the force from outside, of all forces, or of the velocity that it is over.
  struct Integral {
    enum Of { formula, driving, force, velocity } of = formula;
    int over = -1;  ///< time; else a variable's index, or the number of variables plus the index of a velocity
    /// What stands for the integrand in a step (kernels/counters/integral.h): its mean at both ends; in either half of
    /// the motion that at this half's end; in the middle of the motion; there, along the change of the velocity.
    enum Rule { at_ends, in_motion, in_middle, in_kick } rule = at_ends;
    bool encloses_areas = false;  ///< over a velocity: whether the integrand reads something else that noise moves
  };
  std::vector<Integral> integrals{};
  size_t first_integrand = 0;
  size_t at_events = 0;             ///< the observed function whose values before and after events count
  std::vector<Counter> counters{};  ///< with the parameters of any point
  std::vector<double> levels{};     ///< of x, which a walk has edges at (compose/walk_tables.h)
};

inline bool sums_push(const KernelOptions& options) { return options.push && !makes_steps(options.method); }

std::string_view method_name(Method method);
std::string_view increments_name(Increments increments);
/// Macros of the kernel text: "BM_HEUN", "BM_FIVE_POINT".
std::string_view method_macro(Method method);
std::string_view increments_macro(Increments increments);
/// The option of this name. An unknown name throws Error with the nearest name, or all names. Methods and increments do
/// not include "auto", see plan/plan.h.
Method method_of(std::string_view name);
Increments increments_of(std::string_view name);
Precision precision_of(std::string_view name);
const char* precision_name(Precision precision);  ///< "single", "double"

}  // namespace bmsim
