#include "backend/cuda/driver.h"

#include <dlfcn.h>

#include <optional>

#include "error.h"

namespace bmsim::cuda {

namespace {

constexpr int oldest_driver = 12000;  // CUDA 12.0: C++20 in the run-time compiler

void* open_driver(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail_device("cuda: no driver: {}", dlerror());
  return library;
}

}  // namespace

Symbol Driver::symbol(const char* name) const {
  void* address = dlsym(library_, name);
  if (address == nullptr)
    fail_device("cuda: the driver '{}' has no symbol '{}'; it is too old or no CUDA driver", file_, name);
  return {address};
}

Driver::Driver(const char* file) : file_(file), library_(open_driver(file)) {
  int version = 0, count = 0;
  driver_version(&version);
  if (version < oldest_driver)
    fail_device("cuda: the driver must be for CUDA {}.0 or newer, got {}.{}", oldest_driver / 1000, version / 1000,
                version % 1000 / 10);
  if (const Result result = init(0); result != 0) {
    const char* text = "unknown error";
    error_string(result, &text);
    fail_device("cuda: no device: {}", text);
  }
  device_count(&count);
  if (count == 0) fail_device("cuda: no device: the driver finds none");
}

const Driver& driver(const char* library) {
  static const std::string usual = "libcuda.so.1";
  if (library == usual) {
    static const Driver opened(usual.c_str());
    return opened;
  }
  thread_local std::optional<Driver> other;
  return other.emplace(library);
}

void check(Result result, const char* what) {
  if (result == 0) return;
  const char* text = "unknown error";
  driver().error_string(result, &text);
  if (result == out_of_memory) fail_device("cuda: {}: out of device memory; lower paths, or memory =", what);
  fail_device("cuda: {}: {}", what, text);
}

}  // namespace bmsim::cuda
