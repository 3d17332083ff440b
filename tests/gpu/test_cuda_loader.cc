// What is said where there is no CUDA driver, a wrong one, or no device. ctest runs this with one_device/ in
// LD_LIBRARY_PATH: there libcuda.so.1 is a stub that claims one device and then fails, on every machine the same.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "../unit/message_of.h"
#include "backend/backend.h"
#include "backend/cuda/driver.h"
#include "backend/cuda/nvrtc.h"

using namespace bmsim;
using bmsim::test::message_of;

namespace {

/// The message for a driver of tests/gpu/CMakeLists.txt; the status must be "device".
std::string message_for(const std::string& library) {
  try {
    cuda::driver(library.c_str());
  } catch (const Error& error) {
    CHECK(error.status() == BM_DEVICE_ERROR);
    return error.what();
  }
  return "no error";
}
std::string stub(const std::string& name) { return std::string(BMSIM_STUB_DIR) + "/" + name + "/libcuda.so.1"; }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// BMSIM_NVRTC, set to a file as long as this lives.
struct ChosenNvrtc {
  explicit ChosenNvrtc(const std::string& file) { setenv("BMSIM_NVRTC", file.c_str(), 1); }
  ~ChosenNvrtc() { unsetenv("BMSIM_NVRTC"); }
};

}  // namespace

TEST_CASE("CUDA driver: a library that is not there") {
  const std::string message = message_for("libcuda_of_nowhere.so.1");
  INFO(message);
  CHECK(message.starts_with("cuda: no driver: libcuda_of_nowhere.so.1: "));
}

TEST_CASE("CUDA driver: a library that is none, and one that lacks a function") {
  CHECK(message_for(stub("empty")) ==
        "cuda: the driver '" + stub("empty") + "' has no symbol 'cuInit'; it is too old or no CUDA driver");
  CHECK(message_for(stub("lacks_one")) == "cuda: the driver '" + stub("lacks_one") +
                                              "' has no symbol 'cuStreamSynchronize'; it is too old or no CUDA driver");
}

TEST_CASE("CUDA driver: one that is too old") {
  CHECK(message_for(stub("old")) == "cuda: the driver must be for CUDA 12.0 or newer, got 11.4");
}

TEST_CASE("CUDA driver: one without a device") {
  CHECK(message_for(stub("no_device")) == "cuda: no device: no CUDA-capable device is detected");
  CHECK(message_for(stub("no_devices")) == "cuda: no device: the driver finds none");
}

TEST_CASE("CUDA driver: after a failure another one can be opened") {
  CHECK(message_for(stub("old")) != "no error");
  CHECK(message_for(stub("one_device")) == "no error");
}

TEST_CASE("Device: a number that does not exist") {
  CHECK(message_of([] { make_backend("cuda:7", 1); }) == "cuda: no device 7: there is 1");
  CHECK(message_of([] { make_backend("cuda:1", 1); }) == "cuda: no device 1: there is 1");
}

TEST_CASE("Device: names that are none") {
  for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda: 1", "cuda:99999999999", "CUDA"}) {
    CAPTURE(name);
    CHECK(
        message_of([&] { make_backend(name, 1); }).starts_with("device: unknown device '" + std::string(name) + "'; "));
  }
  CHECK(message_of([] { make_backend("", 1); }) == "device: unknown device ''; known: auto, cpu, cuda, cuda:N, all");
  CHECK(message_of([] { make_backend("gpu", 1); }) == "device: unknown device 'gpu'; did you mean 'cuda'?");
}

TEST_CASE("Device: one that fails is an error of status device, and auto takes the CPU and says why") {
  try {
    make_backend("cuda", 1);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.status() == BM_DEVICE_ERROR);
    CHECK(std::string(error.what()) == "cuda: device: simulated failure");
  }
  std::string why;
  CHECK(make_backends("auto", 1, &why)[0]->name() == "cpu");
  CHECK(why == "cuda: device: simulated failure");
  CHECK(make_backend("auto", 1)->name() == "cpu");
}

TEST_CASE("NVRTC: a library that is not there, and one that is none") {
  {
    const ChosenNvrtc nowhere("/nowhere/libnvrtc.so");
    CHECK(contains(message_of([] { cuda::Nvrtc(); }), "cuda: NVRTC not found (last tried '/nowhere/libnvrtc.so')"));
  }
  const ChosenNvrtc none(stub("empty"));
  CHECK(message_of([] { cuda::Nvrtc(); }) ==
        "cuda: NVRTC has no symbol 'nvrtcCreateProgram'; CUDA 12 or newer is needed");
}
