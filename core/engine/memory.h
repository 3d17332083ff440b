// What a run takes of memory, for --dry-run.
#pragma once
#include <string>

#include "engine/plan.h"

namespace bmsim {

/// Bytes of all paths of a plan, and of what is in memory at a time.
struct Memory {
  double per_trajectory = 0;  ///< its state
  double per_recording = 0;   ///< what is recorded of one path: 8 bytes for each mark and value
  double paths = 0;           ///< over all points; with a target or a tolerance those to begin with
  double available = 0;       ///< for one batch
  /// Recordings of all paths of a point, which are put together on the host where a batch has a part of them.
  double per_point = 0;

  double per_path() const { return per_trajectory + per_recording; }
  double all() const { return per_path() * paths; }
  /// Paths in one batch, at least one.
  double in_flight() const;
};

/// per_trajectory: of trajectory_bytes, or Cost. Throws Error as make_backend does.
Memory memory_of(const Plan& plan, double per_trajectory);
/// "memory      0.34 MB of trajectories, 21 B each\n", with what is recorded, and batches where there are several.
std::string memory_text(const Memory& memory);

}  // namespace bmsim
