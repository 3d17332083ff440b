// Structs of plain numbers and pointers that the engine and its kernels share; both compile them.
#pragma once
#include "integers.h"

namespace bmsim_abi {

/// A mark that is never reached.
constexpr double NEVER = 1e300;
/// Number of such marks at the end of every point's list, so that a kernel may look ahead.
constexpr uint32_t SPARE_MARKS = 2;

/// Paths whose moments are added up in one sum, see moments.h.
constexpr uint32_t BUNDLE_PATHS = 1024;

/// Some of a batch's trajectories: a bundle of a part of it, or fewer if it is the last one of a share.
struct Bundle {
  uint64_t first;        ///< index of the first trajectory in the batch
  uint32_t paths, part;  ///< how many; which part of the batch they belong to
};
/// Of a part of a batch and one of its variables.
struct PartUnits {
  double length;            ///< unit of its u
  double transient, total;  ///< steps before the window; steps of the run
};

/// Indices of the values of a path; Layout::path_values has those of a kernel. Each has one value for every variable.
struct PathValues {
  uint32_t count;     ///< number of values
  uint32_t start;     ///< x / L at the end of the transient; if the path diverged, the step at which that was noticed
  uint32_t end;       ///< x / L at the end of the run; NaN if the path diverged
  uint32_t middle;    ///< x / L near the middle of the window, and then when that was, in steps; 0: not known
  uint32_t velocity;  ///< final v of the variables with inertia; 0: there is none
  uint32_t squares;   ///< sum of v^2 over the steps of the window; 0: there is no variable with inertia
  uint32_t push;      ///< displacement / L by all but V in the window; 0: not known
  uint32_t counted;   ///< first value of the counters (kernels/counter.h)
};

/// Properties of a compiled kernel. Sizes in bytes.
struct Layout {
  uint64_t lanes;            ///< trajectories of a group
  uint64_t group_bytes;      ///< state of a group
  uint64_t parameter_bytes;  ///< struct Parameters of a point, with its tables
  uint64_t scratch_bytes;    ///< for each thread of a CPU
  uint64_t shared_bytes;     ///< shared memory for each thread of a GPU
  uint64_t block;            ///< iterations between two foldings; a launch is a whole number of blocks
  uint64_t fields;           ///< averages over a system, > 0 with mean fields: the groups of a share advance together
  uint64_t member_bytes;     ///< for each group of a share, while it is advanced with others, on a CPU
  uint64_t sample_values;    ///< numbers at every mark: x / L of every variable, v if it has inertia, and formulas
  uint64_t marks;            ///< 1 if paths are recorded: a GPU has functions over recordings
  uint64_t formulas;         ///< of recorded numbers: a GPU has a function that evaluates them
  PathValues path_values;
};

/// A group of trajectories that are advanced together.
struct LaneGroup {
  uint32_t point;       ///< index of its parameters and marks
  uint32_t share;       ///< index of its share among those in the batch
  uint64_t trajectory;  ///< index of its first trajectory, over all points
  uint64_t path;        ///< the same, within its share of the point
};

/// Marks of a group, and where its recordings go.
struct Recorder {
  const double* marks;  ///< whole steps, ascending, followed by SPARE_MARKS times NEVER
  double* samples;      ///< value i of mark k and lane l is at [(k * sample_values + i) * stride + l]
  uint64_t stride;
};

/// Some blocks of iterations of one group.
struct Launch {
  uint64_t seed;
  uint64_t trajectory;   ///< as in LaneGroup
  uint64_t first_block;  ///< blocks done before this launch
  uint64_t blocks;
  Recorder recorder;
  uint64_t path;  ///< as in LaneGroup
  int64_t* sums;  ///< sums of the share, if a counter keeps some
};

/// The functions that formulas know, in the order of core/formula/functions.cc.
#define BM_FORMULA_FUNCTIONS(f)                                                                                   \
  f(sin) f(cos) f(tan) f(sinh) f(cosh) f(tanh) f(exp) f(log) f(sqrt) f(abs) f(sign) f(min) f(max) f(floor) f(pow) \
      f(atan2) f(mod) f(if) f(select)
#define BM_FORMULA_FUNCTION(name) of_##name,
enum FormulaFunction : uint32_t { BM_FORMULA_FUNCTIONS(BM_FORMULA_FUNCTION) formula_functions };
#undef BM_FORMULA_FUNCTION

/// One operation of a formula of recorded numbers. Of sums and products: number, then weights times or powers of the
/// arguments.
enum FormulaStep : uint32_t { FORMULA_INPUT, FORMULA_SUM, FORMULA_PRODUCT, FORMULA_POWER, FORMULA_CALL };
struct FormulaOperation {
  uint32_t step;
  uint32_t which;         ///< the input, or the function
  uint32_t first, count;  ///< of its arguments
  uint32_t slot;          ///< where the result is kept, until nothing needs it any more
  double number;
};
struct FormulaArgument {
  uint32_t slot;
  double weight;
};
/// Slots of a formula on a device.
constexpr uint32_t FORMULA_SLOTS = 64;

/// A formula of the numbers at every mark. Inputs are these, each times inputs[i], and then parameters, inputs[i]
/// alone.
struct FormulaLaunch {
  const FormulaOperation* operations;
  const FormulaArgument* arguments;
  const double* inputs;
  uint32_t count;     ///< of operations
  uint32_t recorded;  ///< numbers at a mark that are no formulas
  uint32_t values;    ///< all numbers at a mark
  uint32_t value;     ///< which of them the formula is
};

/// Blocks of threads that form a system, with mean fields, on a GPU.
struct SystemBlocks {
  uint32_t count;
  void* sums;         ///< of single blocks: by share, twice, by field, by block
  uint32_t* arrived;  ///< by share: how often its blocks have left sums in this launch
};

/// Arguments of all GPU kernels: the groups of a batch.
struct Grid {
  uint32_t* memory;        ///< state of the trajectories: word w of thread t at [w * threads + t]
  const char* parameters;  ///< Layout::parameter_bytes for each point
  const LaneGroup* groups;
  uint64_t threads;
  uint64_t seed;
};

/// A launch of bm_advance.
struct GridLaunch {
  uint64_t first_block, blocks;
  uint32_t* more;      ///< set to 1 if a trajectory has not reached its end
  uint32_t* diverged;  ///< set to 1 if one has diverged
  const double* marks;
  uint64_t marks_per_point;  ///< including the spare ones
  double* samples;
  int64_t* sums;
  uint64_t sums_per_share;
  SystemBlocks system;
};

}  // namespace bmsim_abi
