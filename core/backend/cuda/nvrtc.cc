#include "backend/cuda/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backend/cache.h"
#include "error.h"

namespace bmsim::cuda {

namespace fs = std::filesystem;

namespace {

constexpr const char* header = "curand_philox4x32_x.h";

/// Folders of CUDA toolkits, the user's choice first.
std::vector<fs::path> toolkits() {
  std::vector<fs::path> found;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(name); value != nullptr && value[0] == '/') found.emplace_back(value);
  found.insert(found.end(), {"/usr/local/cuda", "/opt/cuda", "/usr"});
  return found;
}

void* open_library() {
  std::vector<std::string> names;
  if (const char* chosen = std::getenv("BMSIM_NVRTC"); chosen != nullptr && chosen[0] != '\0') {
    names.emplace_back(chosen);
  } else {
    for (const auto& toolkit : toolkits())
      for (const char* folder : {"lib64", "lib", "lib/x86_64-linux-gnu"})
        names.push_back(toolkit / folder / "libnvrtc.so");
    names.insert(names.end(), {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"});
  }
  for (const auto& name : names)
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  fail_device("cuda: NVRTC not found (last tried '{}'); install the CUDA toolkit, or set CUDA_HOME or BMSIM_NVRTC",
              names.back());
}

std::string find_include(void* symbol) {
  std::vector<fs::path> roots = toolkits();
  if (Dl_info info{}; dladdr(symbol, &info) != 0) {  // beside the library that was opened
    const fs::path folder = fs::weakly_canonical(info.dli_fname).parent_path();
    roots.insert(roots.begin(), {folder.parent_path(), folder.parent_path().parent_path()});
  }
  for (const auto& root : roots)
    if (fs::exists(root / "include" / header)) return root / "include";
  fail_device("cuda: cuRAND's device header '{}' not found; install the CUDA toolkit, or set CUDA_HOME", header);
}

std::vector<std::string> options(int architecture, const std::string& include) {
  // Contraction is off, as on the CPU: kernels write fma where they want one.
  return {fmt::format("--gpu-architecture=sm_{}", architecture),
          "-std=c++20",
          "-default-device",
          "-fmad=false",
          "-w",
          "-I" + include};
}

}  // namespace

Nvrtc::Nvrtc() : library_(open_library()) {
  auto get = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library_, symbol));
    if (function == nullptr) fail_device("cuda: NVRTC has no symbol '{}'; CUDA 12 or newer is needed", symbol);
  };
  get(version_, "nvrtcVersion");
  get(create_, "nvrtcCreateProgram");
  get(compile_, "nvrtcCompileProgram");
  get(log_size_, "nvrtcGetProgramLogSize");
  get(log_, "nvrtcGetProgramLog");
  get(cubin_size_, "nvrtcGetCUBINSize");
  get(cubin_, "nvrtcGetCUBIN");
  get(destroy_, "nvrtcDestroyProgram");
  get(architecture_count_, "nvrtcGetNumSupportedArchs");
  get(architectures_, "nvrtcGetSupportedArchs");
  include_ = find_include(reinterpret_cast<void*>(version_));
}

std::string Nvrtc::identity() const {
  int major = 0, minor = 0;
  version_(&major, &minor);
  return fmt::format("nvrtc {}.{} {}\n", major, minor, fmt::join(options(0, include_), " "));
}

std::vector<int> Nvrtc::architectures() const {
  int count = 0;
  architecture_count_(&count);
  std::vector<int> all(static_cast<size_t>(count));
  architectures_(all.data());
  return all;
}

std::string Nvrtc::compile(const std::string& source, int architecture) const {
  Program program = nullptr;
  create_(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr);
  const std::vector<std::string> words = options(architecture, include_);
  std::vector<const char*> arguments;
  for (const auto& word : words) arguments.push_back(word.c_str());
  const int result = compile_(program, static_cast<int>(arguments.size()), arguments.data());
  size_t size = 0;
  if (result == 0) {
    cubin_size_(program, &size);
    std::string cubin(size, '\0');
    cubin_(program, cubin.data());
    destroy_(&program);
    return cubin;
  }
  log_size_(program, &size);
  std::string log(size, '\0');
  log_(program, log.data());
  destroy_(&program);
  const fs::path kept = KernelCache::instance().directory() / (digest(source) + ".cu");
  std::ofstream(kept) << source;
  std::istringstream lines(log.c_str());
  std::string messages, line;
  for (int n = 0; n < 12 && std::getline(lines, line); ++n) messages += "\n  " + line;
  fail_device("kernel: NVRTC could not compile it; the source is kept in {}{}", kept.string(), messages);
}

}  // namespace bmsim::cuda
