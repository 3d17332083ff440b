// Memory that a run needs: told by --dry-run, and compared with what there is before the run. Threads that it may use.
#pragma once
#include <string>

#include "plan/plan.h"

namespace bmsim {

class Backend;

/// Memory of a plan, in bytes: of all paths, and of one batch.
struct Memory {
  double per_trajectory = 0;  ///< state of one trajectory
  double per_recording = 0;   ///< recording of one path: 8 bytes for each mark and value
  double paths = 0;           ///< of all points; with a target or a tolerance, those of the first round
  double available = 0;       ///< for one batch
  /// Recordings of all paths of a point, which are collected on the host if a batch holds only a part of them.
  double per_point = 0;

  double per_path() const { return per_trajectory + per_recording; }
  double total_bytes() const { return per_path() * paths; }
  /// Paths in one batch, at least one.
  double in_flight() const;
};

/// Memory of a plan. per_trajectory: from trajectory_bytes or Cost. Throws Error as make_backend does.
Memory memory_of(const Plan& plan, double per_trajectory);
/// How many numbers the results of a plan have: its table, with what is swept, and its arrays.
struct ResultSize {
  double swept = 0, columns = 0, arrays = 0;
};
ResultSize result_size(const Plan& plan, const Sweep& sweep);
/// Bytes on this computer for so many points like the first of a plan.
double bytes_of_points(const Plan& plan, size_t points);
/// Bytes on this computer for results while they are gathered and written.
double bytes_of_results(const EnsemblePlan& plan, const ResultSize& size);
/// Bytes that batches on a device may take: what the run was given, or else what the device has. On this computer they
/// leave room for the results, and for what is collected of a point that takes several batches.
uint64_t memory_for_batches(const EnsemblePlan& plan, const Backend& backend);
/// Throws Error if all points of the sweep, some of which the plan has, do not fit into the free memory with their
/// results; or if the recording of one path does not.
void check_fits(const Plan& plan, const Sweep& sweep);
/// Throws Error if recordings of a batch, and of a point in several batches, do not fit into memory beside results.
void check_recordings(const Plan& plan);
/// "memory      0.34 MB of trajectories, 21 B each\n", with recordings, and with batches if there are several.
std::string memory_text(const Memory& memory);

/// Number of threads of this process. asked: 0 means all cores, or among several ranks an equal share of the machine's.
unsigned threads_of_rank(unsigned asked);

}  // namespace bmsim
