#include "backend/cuda/toolkit.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "error.h"

namespace bmsim::cuda {

namespace fs = std::filesystem;

namespace {

/// Directories of CUDA toolkits, the user's choice first.
std::vector<fs::path> toolkits() {
  std::vector<fs::path> found;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(name); value != nullptr && value[0] == '/') found.emplace_back(value);
  found.insert(found.end(), {"/usr/local/cuda", "/opt/cuda", "/usr"});
  return found;
}

/// File that the dynamic linker finds for this name; empty if there is none.
fs::path linked(const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return {};
  link_map* map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : name;
}

#ifdef __aarch64__
constexpr const char* debian_folder = "lib/aarch64-linux-gnu";
#else
constexpr const char* debian_folder = "lib/x86_64-linux-gnu";
#endif

fs::path find_library() {
  std::string last;
  auto exists = [&](const fs::path& file) {
    last = file;
    std::error_code ignored;
    return fs::exists(file, ignored);
  };
  if (const char* chosen = std::getenv("BMSIM_NVRTC"); chosen != nullptr && chosen[0] != '\0') {
    if (exists(chosen)) return chosen;
    if (const fs::path file = linked(chosen); !file.empty()) return file;
  } else {
    for (const auto& toolkit : toolkits())
      for (const char* folder : {"lib64", "lib", debian_folder})
        if (const fs::path file = toolkit / folder / "libnvrtc.so"; exists(file)) return file;
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
      last = name;
      if (const fs::path file = linked(name); !file.empty()) return file;
    }
  }
  fail_device("cuda: NVRTC not found (last tried '{}'); install the CUDA toolkit, or set CUDA_HOME or BMSIM_NVRTC",
              last);
}

}  // namespace

Toolkit find_toolkit() {
  const fs::path file = fs::weakly_canonical(find_library());
  const auto changed = fs::last_write_time(file).time_since_epoch().count();
  return {file, fmt::format("{} {} {}\n", file.string(), fs::file_size(file), changed)};
}

}  // namespace bmsim::cuda
