// Memory of a GPU; and its streams, with what launches in them need. Making one takes a millisecond: ensembles use them
// one after another, over all runs of the process.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "backend/cuda/driver.h"

namespace bmsim::cuda {

/// A stream, with the events and flags for two launches in flight.
struct Queue {
  explicit Queue(const Driver& driver);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  const Driver& driver;
  Stream stream = nullptr;
  Event before[2] = {}, after[2] = {};
  uint32_t* more = nullptr;  ///< pinned, one word per launch in flight
  void* room = nullptr;      ///< pinned, for results
  static constexpr size_t room_bytes = 1 << 20;

 private:
  void release();
};

/// Queues of a GPU that no ensemble uses, and how long the GPU was at work.
class Queues {
 public:
  explicit Queues(const Driver& driver) : driver_(driver) {}
  /// The thread's current context is that of the device.
  std::unique_ptr<Queue> take();
  /// Waits for what is in the queue.
  void give_back(std::unique_ptr<Queue> queue);
  /// Seconds between two events that have come, without time that was counted for a launch in another queue.
  double seconds_between(Event before, Event after);

 private:
  const Driver& driver_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Queue>> idle_;
  size_t in_use_ = 0;
  Event origin_ = nullptr;   // of times; recorded whenever the first queue is taken
  float counted_until_ = 0;  // ms
};

/// Device memory. The destructor returns it to a pool of the process, since mapping gigabytes anew for every run costs
/// milliseconds; nothing on the device may use it then. Throws Error (status device) if there is not enough.
class Buffer {
 public:
  /// what: its use, "trajectories".
  Buffer(const Driver& driver, size_t bytes, const char* what);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  DevicePointer get() const { return pointer_; }

 private:
  const Driver& driver_;
  DevicePointer pointer_ = 0;
};

}  // namespace bmsim::cuda
