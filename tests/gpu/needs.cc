// bmsim_test_needs cuda|gpus|nvrtc PROGRAM [ARGUMENT...]: runs a test that needs a GPU, several, or CUDA's run-time
// compiler. Where this machine has none it ends with status 77, which ctest reports as skipped, and says why.
#include <fmt/format.h>
#include <unistd.h>

#include <string_view>

#include "backend/backend.h"
#include "backend/cuda/nvrtc.h"
#include "error.h"

namespace {

constexpr int usage = 2, skipped = 77;

void look_for(std::string_view what) {
  const bmsim::cuda::Nvrtc compiler;  // without it a GPU is of no use either
  if (what == "cuda") bmsim::make_backend("cuda", 1);
  if (what == "gpus" && bmsim::gpu_count() < 2) bmsim::fail_device("there are {} GPUs", bmsim::gpu_count());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 2 ? argv[1] : "";
  if (what != "cuda" && what != "gpus" && what != "nvrtc") {
    fmt::print(stderr, "usage: {} cuda|gpus|nvrtc PROGRAM [ARGUMENT...]\n", argv[0]);
    return usage;
  }
  try {
    look_for(what);
  } catch (const bmsim::Error& error) {
    fmt::print("skipped: {}\n", error.what());
    return skipped;
  }
  execv(argv[2], argv + 2);
  fmt::print(stderr, "cannot run '{}'\n", argv[2]);
  return usage;
}
