// What the engine and its kernels share, compiled by both: structs of plain numbers and pointers.
#pragma once
#include "integers.h"

namespace bmsim_abi {

/// A mark that never comes.
constexpr double NEVER = 1e300;
/// Such marks that end every point's list, so that a kernel may look ahead.
constexpr uint32_t SPARE_MARKS = 2;

/// Where the values of a path stand in a row of Layout::path_values numbers. 0: the kernel does not have this one.
/// x / L when the transient ended is number 0; of a path that diverged the step at which that was seen.
/// x / L when the run ended is number 1, NaN where the path diverged, as the passage, the last entry and the growth
/// are.
struct PathValues {
  uint32_t count;      ///< of all values
  uint32_t velocity;   ///< at the end; after it the sum of v^2 over the steps of the window
  uint32_t passage;    ///< steps to the first passage; negative before it
  uint32_t residence;  ///< six: see Residence
  uint32_t growth;     ///< of the tangent vector's logarithm in the window
};
constexpr uint32_t START = 0, END = 1;

/// The six values of a residence, from PathValues::residence on.
struct Residence {
  enum : uint32_t {
    low_time,   ///< steps in the lower state, over stays that have ended within the window
    high_time,  ///< the same of the upper state
    low_left,   ///< how often the lower state was left
    high_left,  ///< how often the upper state was left
    since,      ///< step at which the last stay began
    state,      ///< of the last stay: 1 lower, 2 upper
    count
  };
};

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
  uint64_t path;        ///< as in LaneGroup
  int64_t* occupation;  ///< sums of the share (kernels/occupation.h)
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
  int64_t* occupation;
  uint64_t occupation_values;  ///< numbers for each share
};

}  // namespace bmsim_abi
