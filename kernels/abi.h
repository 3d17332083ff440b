// What the engine and its kernels share, compiled by both: structs of plain numbers and pointers.
#pragma once
#include "integers.h"

namespace bmsim_abi {

/// A mark that never comes.
constexpr double NEVER = 1e300;
/// Such marks that end every point's list, so that a kernel may look ahead.
constexpr uint32_t SPARE_MARKS = 2;

/// Where the values of a path stand in a row of Layout::path_values numbers. x / L when the transient ended is number
/// START; of a path that diverged the step at which that was seen. x / L when the run ended is number END, NaN where
/// the path diverged.
struct PathValues {
  uint32_t count;     ///< of all values
  uint32_t velocity;  ///< at the end; after it the sum of v^2 over the steps of the window; 0: overdamped, has neither
  uint32_t counted;   ///< those of the counters, one after the other (kernels/counter.h)
};
constexpr uint32_t START = 0, END = 1;

/// What a compiled kernel tells of itself. Sizes in bytes.
struct Layout {
  uint64_t lanes;            ///< trajectories of a group, which are advanced together
  uint64_t group_bytes;      ///< state of a group
  uint64_t parameter_bytes;  ///< struct Parameters of a point, with its tables
  uint64_t scratch_bytes;    ///< for each thread of a CPU
  uint64_t shared_bytes;     ///< shared memory for each thread of a GPU
  uint64_t block;            ///< iterations between two foldings; a launch is a whole number of blocks
  uint64_t sample_values;    ///< recorded at every mark: x / L, and v where it is underdamped
  PathValues path_values;
};

/// A group of trajectories that are advanced together.
struct LaneGroup {
  uint32_t point;       ///< its parameters and marks
  uint32_t share;       ///< of those that the batch has a part of
  uint64_t trajectory;  ///< number of its first trajectory, counted over all points
  uint64_t path;        ///< the same, counted in its share of the point
};

/// Where a group is recorded.
struct Recorder {
  const double* marks;  ///< whole steps, ascending, then SPARE_MARKS times NEVER
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
  int64_t* sums;  ///< of the share, where a counter has some
};

/// What the threads of a GPU are given: all groups of a batch.
struct Grid {
  uint32_t* memory;        ///< word w of thread t at [w * threads + t]
  const char* parameters;  ///< Layout::parameter_bytes for each point
  const LaneGroup* groups;
  uint64_t threads;
  uint64_t seed;
};

/// A launch of bm_advance.
struct GridLaunch {
  uint64_t first_block, blocks;
  uint32_t* more;      ///< set to 1 if a trajectory is not at its end
  uint32_t* diverged;  ///< set to 1 if one has diverged
  const double* marks;
  uint64_t marks_per_point;  ///< with the spare ones
  double* samples;
  int64_t* sums;
  uint64_t sums_per_share;
};

}  // namespace bmsim_abi
