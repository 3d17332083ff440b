#include "backend/cuda/driver.h"

#include <dlfcn.h>

#include "error.h"

namespace bmsim::cuda {

namespace {

constexpr int oldest_driver = 12000;  // CUDA 12.0: C++20 in the run-time compiler

template <class F> void bind(void* library, F& function, const char* symbol, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, symbol));
  if (function == nullptr)
    fail_device("cuda: the driver '{}' has no symbol '{}'; it is too old or no CUDA driver", name, symbol);
}

void bind_all(Driver& d, void* library, const char* name) {
  auto get = [&](auto& function, const char* symbol) { bind(library, function, symbol, name); };
  get(d.init, "cuInit");
  get(d.driver_version, "cuDriverGetVersion");
  get(d.device_count, "cuDeviceGetCount");
  get(d.device_get, "cuDeviceGet");
  get(d.device_name, "cuDeviceGetName");
  get(d.device_attribute, "cuDeviceGetAttribute");
  get(d.primary_retain, "cuDevicePrimaryCtxRetain");
  get(d.set_current, "cuCtxSetCurrent");
  get(d.memory_info, "cuMemGetInfo_v2");
  get(d.allocate, "cuMemAllocAsync");
  get(d.release, "cuMemFreeAsync");
  get(d.default_pool, "cuDeviceGetDefaultMemPool");
  get(d.pool_get, "cuMemPoolGetAttribute");
  get(d.pool_set, "cuMemPoolSetAttribute");
  get(d.allocate_host, "cuMemAllocHost_v2");
  get(d.release_host, "cuMemFreeHost");
  get(d.copy_to_device_async, "cuMemcpyHtoDAsync_v2");
  get(d.copy_to_host, "cuMemcpyDtoH_v2");
  get(d.copy_to_host_async, "cuMemcpyDtoHAsync_v2");
  get(d.fill_async, "cuMemsetD32Async");
  get(d.module_load, "cuModuleLoadData");
  get(d.module_unload, "cuModuleUnload");
  get(d.module_function, "cuModuleGetFunction");
  get(d.module_global, "cuModuleGetGlobal_v2");
  get(d.function_attribute, "cuFuncGetAttribute");
  get(d.set_function_attribute, "cuFuncSetAttribute");
  get(d.active_blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  get(d.launch, "cuLaunchKernel");
  get(d.launch_cooperative, "cuLaunchCooperativeKernel");
  get(d.stream_create, "cuStreamCreate");
  get(d.stream_destroy, "cuStreamDestroy_v2");
  get(d.stream_synchronize, "cuStreamSynchronize");
  get(d.event_create, "cuEventCreate");
  get(d.event_destroy, "cuEventDestroy_v2");
  get(d.event_record, "cuEventRecord");
  get(d.event_synchronize, "cuEventSynchronize");
  get(d.event_elapsed, "cuEventElapsedTime");
  get(d.error_string, "cuGetErrorString");
}

Driver open(const char* name) {
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail_device("cuda: no driver: {}", dlerror());
  Driver d{};
  bind_all(d, library, name);
  int version = 0, count = 0;
  d.driver_version(&version);
  if (version < oldest_driver)
    fail_device("cuda: the driver must be for CUDA {}.0 or newer, got {}.{}", oldest_driver / 1000, version / 1000,
                version % 1000 / 10);
  if (const Result result = d.init(0); result != 0) {
    const char* text = "unknown error";
    d.error_string(result, &text);
    fail_device("cuda: no device: {}", text);
  }
  d.device_count(&count);
  if (count == 0) fail_device("cuda: no device: the driver finds none");
  return d;
}

}  // namespace

const Driver& driver(const char* library) {
  static const std::string usual = "libcuda.so.1";
  if (library == usual) {
    static const Driver opened = open(usual.c_str());
    return opened;
  }
  thread_local Driver other;
  other = open(library);
  return other;
}

void check(Result result, const char* what) {
  if (result == 0) return;
  const char* text = "unknown error";
  driver().error_string(result, &text);
  if (result == out_of_memory) fail_device("cuda: {}: out of device memory; lower paths, or memory =", what);
  fail_device("cuda: {}: {}", what, text);
}

}  // namespace bmsim::cuda
