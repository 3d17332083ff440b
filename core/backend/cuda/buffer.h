// Memory on a GPU.
#pragma once
#include "backend/cuda/driver.h"

namespace bmsim::cuda {

/// Device memory. The destructor returns it to a pool that the process keeps, since mapping gigabytes anew for every
/// run costs milliseconds; nothing on the device may use it then. Throws Error (status device) if there is not enough,
/// see out_of_memory.h.
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
