// The processes of a run: one, or as many as MPI's launcher has started. MPI itself is in a library that is opened at
// run time (world/mpi/bmsim_mpi.c).
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bmsim {

/// How far a rank is.
struct Tidings {
  double round = 0;  ///< of work, which ranks begin together: a number that grows
  double steps = 0;  ///< done in it
  double seconds_left = 0;
};

/// What every rank has given, in their order.
struct FromRanks {
  std::shared_ptr<const char> bytes;
  std::vector<std::string_view> of;  ///< of each rank, within the bytes
};

class World {
 public:
  /// The world of this process. The first call opens MPI if a launcher has started the process. Throws Error (status
  /// device) if the library for MPI is not there, or does not start.
  static World& instance();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  unsigned rank() const { return rank_; }
  unsigned size() const { return size_; }
  unsigned local_rank() const { return local_rank_; }  ///< among those of the same machine
  unsigned local_size() const { return local_size_; }
  /// The devices of this rank where all were given these: of "all", and of one or more ranks to a machine, its share;
  /// a list as it is. count: of the GPUs of this machine.
  std::string device_for(const std::string& device, int count) const;
  /// MPI's version, on one line; "" without MPI.
  const std::string& version() const { return version_; }

  /// What every rank gives. All ranks must call it, for the same purpose: throws Error if a rank gives another one,
  /// "end" for instance.
  FromRanks gather(const std::string& purpose, std::string mine);
  /// Called by all ranks at the beginning of a round: its number.
  uint64_t begin_round() { return ++rounds_; }
  /// Whether all ranks have called this; each calls it until it is true, and may do something else in between.
  bool all_here();
  /// Tells rank 0 how far this one is. Returns, on rank 0, what was heard of each rank; waits for nothing.
  const std::vector<Tidings>& tidings(const Tidings& mine);
  /// Waits for all ranks to end. Nothing may follow.
  void end();
  /// Ends all processes with this status: at once, or, if it is BM_UNFINISHED, when all have come to this, since each
  /// keeps what it is at, or after half a minute.
  [[noreturn]] void abort(int status);

 private:
  World();
  struct Functions;
  /// At the process's exit, where it has not come to end() or abort(): with status 0 waits for the others to end, too;
  /// with another one ends them.
  void leave(int status);
  void wait_until_all_have_kept();
  FromRanks exchange(std::string mine);
  Functions* functions_ = nullptr;  // null without MPI
  unsigned rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
  std::string version_;
  std::atomic<uint64_t> rounds_{0};
  std::vector<Tidings> heard_;  // by rank
};

}  // namespace bmsim
