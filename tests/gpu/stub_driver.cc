// A CUDA driver that fails, for the tests of what bmsim says then. STUB_VERSION, STUB_INIT and STUB_DEVICES are what
// its first three calls answer; every other call fails. With STUB_EMPTY it is a library without the driver's functions.
#define STUB_API extern "C" __attribute__((visibility("default")))

#ifdef STUB_EMPTY
STUB_API int stub_of_nothing() { return 0; }
#else
namespace {

int answer(int* out, int value) {
  *out = value;
  return 0;
}

}  // namespace

STUB_API int cuDriverGetVersion(int* version) { return answer(version, STUB_VERSION); }
STUB_API int cuInit(unsigned) { return STUB_INIT; }
STUB_API int cuDeviceGetCount(int* count) { return answer(count, STUB_DEVICES); }
STUB_API int cuGetErrorString(int error, const char** text) {
  *text = error == 100 ? "no CUDA-capable device is detected" : "simulated failure";
  return 0;
}

#define STUB_FAILS(name) \
  STUB_API int name() { return 999; }
STUB_FAILS(cuDeviceGet)
STUB_FAILS(cuDeviceGetName)
STUB_FAILS(cuDeviceGetAttribute)
STUB_FAILS(cuDevicePrimaryCtxRetain)
STUB_FAILS(cuDevicePrimaryCtxRelease_v2)
STUB_FAILS(cuCtxSetCurrent)
STUB_FAILS(cuMemGetInfo_v2)
STUB_FAILS(cuMemAllocAsync)
STUB_FAILS(cuMemFreeAsync)
STUB_FAILS(cuDeviceGetDefaultMemPool)
STUB_FAILS(cuMemPoolGetAttribute)
STUB_FAILS(cuMemPoolSetAttribute)
STUB_FAILS(cuMemAllocHost_v2)
STUB_FAILS(cuMemFreeHost)
STUB_FAILS(cuMemcpyHtoDAsync_v2)
STUB_FAILS(cuMemcpyDtoH_v2)
STUB_FAILS(cuMemcpyDtoHAsync_v2)
STUB_FAILS(cuMemsetD32Async)
STUB_FAILS(cuModuleLoadData)
STUB_FAILS(cuModuleUnload)
STUB_FAILS(cuModuleGetFunction)
STUB_FAILS(cuModuleGetGlobal_v2)
STUB_FAILS(cuFuncGetAttribute)
STUB_FAILS(cuFuncSetAttribute)
STUB_FAILS(cuOccupancyMaxActiveBlocksPerMultiprocessor)
STUB_FAILS(cuLaunchKernel)
STUB_FAILS(cuLaunchCooperativeKernel)
STUB_FAILS(cuStreamCreate)
STUB_FAILS(cuStreamDestroy_v2)
#ifndef STUB_LACKS_ONE
STUB_FAILS(cuStreamSynchronize)
#endif
STUB_FAILS(cuEventCreate)
STUB_FAILS(cuEventDestroy_v2)
STUB_FAILS(cuEventRecord)
STUB_FAILS(cuEventSynchronize)
STUB_FAILS(cuEventElapsedTime)
#endif
