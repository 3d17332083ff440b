// Memory on a GPU.
#pragma once
#include "backend/cuda/driver.h"

namespace bmsim::cuda {

/// Device memory, given back at the end to the pool that the process keeps: to map gigabytes anew for every run costs
/// milliseconds. Nothing on the device may use it any more then. Throws Error (status device) when there is none left,
/// see out_of_memory.h.
class Buffer {
 public:
  /// what: it is for, "trajectories".
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
