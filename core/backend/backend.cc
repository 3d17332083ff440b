// Chooses the back end from the name of a device.
#include "backend/backend.h"

#include <charconv>

#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/cuda_backend.h"
#include "error.h"
#include "nearest_name.h"

namespace bmsim {

namespace {

/// N of "cuda:N", 0 for "cuda"; -1 if the name is neither.
int cuda_ordinal(const std::string& device) {
  if (device == "cuda") return 0;
  int ordinal = -1;
  constexpr std::string_view prefix = "cuda:";
  if (!device.starts_with(prefix)) return -1;
  const char* end = device.data() + device.size();
  const auto parsed = std::from_chars(device.data() + prefix.size(), end, ordinal);
  return parsed.ec == std::errc() && parsed.ptr == end ? ordinal : -1;
}

}  // namespace

std::unique_ptr<Backend> make_backend(const std::string& device, unsigned threads, std::string* why) {
  if (device == "cpu") return std::make_unique<CpuBackend>(threads);
  if (device == "auto") {
    try {
      auto backend = std::make_unique<CudaBackend>(0);
      backend->check_compiler();
      return backend;
    } catch (const Error& error) {
      if (why != nullptr) *why = error.what();
      return std::make_unique<CpuBackend>(threads);
    }
  }
  if (const int ordinal = cuda_ordinal(device); ordinal >= 0) return std::make_unique<CudaBackend>(ordinal);
  const std::vector<std::string> known = {"auto", "cpu", "cuda", "cuda:N"};
  fail_device("device: unknown device '{}'{}", device, suggestion(device, known));
}

}  // namespace bmsim
