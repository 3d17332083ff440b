// The processes of a run: one, or those of MPI's launcher. MPI is behind a library opened at run time (world/mpi).
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bmsim {

/// How far a rank has got.
struct Tidings {
  double round = 0;  ///< number of a round of work, which all ranks begin together; it grows
  double steps = 0;  ///< done in the round
  double seconds_left = 0;
};

/// What all ranks have given, in the order of ranks.
struct FromRanks {
  std::shared_ptr<const char> bytes;
  std::vector<std::string_view> of;  ///< by rank: what it has given, within the bytes
};

class World {
 public:
  /// The world of this process. The first call opens MPI if a launcher has started it. Throws Error (status device).
  static World& instance();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  unsigned rank() const { return rank_; }
  unsigned size() const { return size_; }
  unsigned local_rank() const { return local_rank_; }  ///< among the ranks of the same machine
  unsigned local_size() const { return local_size_; }
  /// The devices of this rank if all ranks were given `device`: its share of "all"; one GPU in turn for "auto" and
  /// "cuda"; a list as it is. A rank that is alone on its machine gets `device`. count: the GPUs of this machine.
  std::string device_for(const std::string& device, int count) const;
  /// MPI's version, on one line; "" without MPI.
  const std::string& version() const { return version_; }

  /// What every rank gives. All ranks must call it, for the same purpose: throws Error if one is at another.
  FromRanks gather(const std::string& purpose, std::string own_bytes);
  /// The number of a new round. All ranks call it at the beginning of a round.
  uint64_t begin_round() { return ++rounds_; }
  /// Whether all ranks have called this. Each calls it until it is true, and may do something else in between.
  bool all_here();
  /// Tells rank 0 how far this rank has got. Returns what rank 0 has heard from each rank, by rank. Waits for nothing.
  const std::vector<Tidings>& tidings(const Tidings& own);
  /// Waits for all ranks to end. Nothing may follow.
  void end();
  /// Ends all processes with this status: at once; but with BM_UNFINISHED when all have come to this call, since each
  /// keeps its work before, or after half a minute.
  [[noreturn]] void abort(int status);

 private:
  World();
  struct Functions;
  /// Called at exit without end() or abort(). Waits for the others to end if the status is 0; else ends them.
  void leave(int status);
  void wait_until_all_have_kept();
  FromRanks exchange(std::string own_bytes);
  Functions* functions_ = nullptr;  // null without MPI
  unsigned rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
  std::string version_;
  std::atomic<uint64_t> rounds_{0};
  std::vector<Tidings> heard_;  // by rank
};

}  // namespace bmsim
