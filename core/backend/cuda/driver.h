// The part of the CUDA driver API that bmsim calls, opened at run time: one binary serves machines with and without a
// GPU. The declarations are the driver's stable binary interface, so that no CUDA header is needed to build.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace bmsim::cuda {

using Result = int;  // CUresult; 0 is success
using Device = int;
using DevicePointer = unsigned long long;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using Pool = struct PoolTag*;

/// The values of CUdevice_attribute and CUfunction_attribute in use.
enum DeviceAttribute : int {
  multiprocessors = 16,
  resident_threads = 39,       // largest number per multiprocessor
  shared_bytes_of_block = 97,  // that a kernel may ask for
  compute_major = 75,
  compute_minor = 76
};
enum FunctionAttribute : int { local_bytes = 3, registers = 4, dynamic_shared = 8 };
/// CUmemPool_attribute; the values are 64-bit numbers of bytes.
enum PoolAttribute : int { release_threshold = 4, reserved_bytes = 5, used_bytes = 7 };
constexpr Result out_of_memory = 2;

/// The multiprocessors of a device.
struct Processors {
  int count = 1, resident_threads = 0;  ///< threads: most on each
  int shared_bytes = 0;                 ///< most of a block
};

/// The address of a symbol in a library, as a pointer to a function of any type.
struct Symbol {
  void* address;
  template <class Function> operator Function*() const { return reinterpret_cast<Function*>(address); }
};

/// The functions of a driver, each with its symbol.
class Driver {
  std::string file_;
  void* library_;
  Symbol symbol(const char* name) const;

 public:
  /// Opens and initialises it. Throws Error (status device): library or symbol missing, too old, no device.
  explicit Driver(const char* file);
  Result (*init)(unsigned flags) = symbol("cuInit");
  Result (*driver_version)(int* version) = symbol("cuDriverGetVersion");
  Result (*device_count)(int* count) = symbol("cuDeviceGetCount");
  Result (*device_get)(Device* device, int ordinal) = symbol("cuDeviceGet");
  Result (*device_name)(char* name, int length, Device device) = symbol("cuDeviceGetName");
  Result (*device_attribute)(int* value, int attribute, Device device) = symbol("cuDeviceGetAttribute");
  Result (*primary_retain)(Context* context, Device device) = symbol("cuDevicePrimaryCtxRetain");
  Result (*set_current)(Context context) = symbol("cuCtxSetCurrent");
  Result (*memory_info)(size_t* free, size_t* total) = symbol("cuMemGetInfo_v2");
  Result (*allocate)(DevicePointer* pointer, size_t bytes, Stream stream) = symbol("cuMemAllocAsync");
  Result (*release)(DevicePointer pointer, Stream stream) = symbol("cuMemFreeAsync");
  Result (*default_pool)(Pool* pool, Device device) = symbol("cuDeviceGetDefaultMemPool");
  Result (*pool_get)(Pool pool, int attribute, void* value) = symbol("cuMemPoolGetAttribute");
  Result (*pool_set)(Pool pool, int attribute, void* value) = symbol("cuMemPoolSetAttribute");
  Result (*allocate_host)(void** pointer, size_t bytes) = symbol("cuMemAllocHost_v2");
  Result (*release_host)(void* pointer) = symbol("cuMemFreeHost");
  Result (*copy_to_device_async)(DevicePointer to, const void* from, size_t bytes,
                                 Stream stream) = symbol("cuMemcpyHtoDAsync_v2");
  Result (*copy_to_host)(void* to, DevicePointer from, size_t bytes) = symbol("cuMemcpyDtoH_v2");
  Result (*copy_to_host_async)(void* to, DevicePointer from, size_t bytes,
                               Stream stream) = symbol("cuMemcpyDtoHAsync_v2");
  Result (*fill_async)(DevicePointer to, unsigned value, size_t words, Stream stream) = symbol("cuMemsetD32Async");
  Result (*module_load)(Module* module, const void* image) = symbol("cuModuleLoadData");
  Result (*module_unload)(Module module) = symbol("cuModuleUnload");
  Result (*module_function)(Function* function, Module module, const char* name) = symbol("cuModuleGetFunction");
  Result (*module_global)(DevicePointer* pointer, size_t* bytes, Module module,
                          const char* name) = symbol("cuModuleGetGlobal_v2");
  Result (*function_attribute)(int* value, int attribute, Function function) = symbol("cuFuncGetAttribute");
  Result (*set_function_attribute)(Function function, int attribute, int value) = symbol("cuFuncSetAttribute");
  Result (*active_blocks)(int* blocks, Function function, int block_size,
                          size_t shared_bytes) = symbol("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  Result (*launch)(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared_bytes, Stream stream, void** arguments, void** extra) = symbol("cuLaunchKernel");
  Result (*launch_cooperative)(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                               unsigned bz, unsigned shared_bytes, Stream stream,
                               void** arguments) = symbol("cuLaunchCooperativeKernel");
  Result (*stream_create)(Stream* stream, unsigned flags) = symbol("cuStreamCreate");
  Result (*stream_destroy)(Stream stream) = symbol("cuStreamDestroy_v2");
  Result (*stream_synchronize)(Stream stream) = symbol("cuStreamSynchronize");
  Result (*event_create)(Event* event, unsigned flags) = symbol("cuEventCreate");
  Result (*event_destroy)(Event event) = symbol("cuEventDestroy_v2");
  Result (*event_record)(Event event, Stream stream) = symbol("cuEventRecord");
  Result (*event_synchronize)(Event event) = symbol("cuEventSynchronize");
  Result (*event_elapsed)(float* milliseconds, Event start, Event end) = symbol("cuEventElapsedTime");
  Result (*error_string)(Result error, const char** text) = symbol("cuGetErrorString");
};

/// The driver of this process. Throws as its constructor does. library: file to open, for tests.
const Driver& driver(const char* library = "libcuda.so.1");

/// Throws Error (status device) "cuda: WHAT: reason" if a call failed.
void check(Result result, const char* what);

}  // namespace bmsim::cuda
