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

struct Driver {
  Result (*init)(unsigned flags);
  Result (*driver_version)(int* version);
  Result (*device_count)(int* count);
  Result (*device_get)(Device* device, int ordinal);
  Result (*device_name)(char* name, int length, Device device);
  Result (*device_attribute)(int* value, int attribute, Device device);
  Result (*primary_retain)(Context* context, Device device);
  Result (*set_current)(Context context);
  Result (*memory_info)(size_t* free, size_t* total);
  Result (*allocate)(DevicePointer* pointer, size_t bytes, Stream stream);
  Result (*release)(DevicePointer pointer, Stream stream);
  Result (*default_pool)(Pool* pool, Device device);
  Result (*pool_get)(Pool pool, int attribute, void* value);
  Result (*pool_set)(Pool pool, int attribute, void* value);
  Result (*allocate_host)(void** pointer, size_t bytes);
  Result (*release_host)(void* pointer);
  Result (*copy_to_device_async)(DevicePointer to, const void* from, size_t bytes, Stream stream);
  Result (*copy_to_host)(void* to, DevicePointer from, size_t bytes);
  Result (*copy_to_host_async)(void* to, DevicePointer from, size_t bytes, Stream stream);
  Result (*fill_async)(DevicePointer to, unsigned value, size_t words, Stream stream);
  Result (*module_load)(Module* module, const void* image);
  Result (*module_unload)(Module module);
  Result (*module_function)(Function* function, Module module, const char* name);
  Result (*module_global)(DevicePointer* pointer, size_t* bytes, Module module, const char* name);
  Result (*function_attribute)(int* value, int attribute, Function function);
  Result (*set_function_attribute)(Function function, int attribute, int value);
  Result (*active_blocks)(int* blocks, Function function, int block_size, size_t shared_bytes);
  Result (*launch)(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared_bytes, Stream stream, void** arguments, void** extra);
  Result (*launch_cooperative)(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                               unsigned bz, unsigned shared_bytes, Stream stream, void** arguments);
  Result (*stream_create)(Stream* stream, unsigned flags);
  Result (*stream_destroy)(Stream stream);
  Result (*stream_synchronize)(Stream stream);
  Result (*event_create)(Event* event, unsigned flags);
  Result (*event_destroy)(Event event);
  Result (*event_record)(Event event, Stream stream);
  Result (*event_synchronize)(Event event);
  Result (*event_elapsed)(float* milliseconds, Event start, Event end);
  Result (*error_string)(Result error, const char** text);
};

/// The initialised driver. Throws Error (status device) with the reason: library missing, symbol missing, too old, no
/// device. library: file to open, for tests.
const Driver& driver(const char* library = "libcuda.so.1");

/// Throws Error (status device) "cuda: WHAT: reason" if a call failed.
void check(Result result, const char* what);

}  // namespace bmsim::cuda
