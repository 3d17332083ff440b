#include "backend/cuda/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <regex>
#include <sstream>
#include <tuple>
#include <utility>

#include "backend/cache.h"
#include "backend/cuda/toolkit.h"
#include "error.h"
#include "interruption.h"

namespace bmsim::cuda {

namespace fs = std::filesystem;

namespace {

/// target: "sm_90" for a cubin, "compute_90" for PTX. The words of $BMSIM_CUDA_FLAGS follow.
std::vector<std::string> options(const std::string& target) {
  // Contraction is off, as on the CPU: kernels write fma where they want one. Single-precision division has errors of
  // up to 2 units in the last place: correctly rounded it is a call, which takes registers from all that is around it.
  std::vector<std::string> compiler_options = {"--gpu-architecture=" + target,
                                               "-std=c++20",
                                               "-default-device",
                                               "-fmad=false",
                                               "-prec-div=false",
                                               "-w",
                                               fmt::format("-DBM_REGISTERS={}", Nvrtc::simple_registers)};
  const char* added = std::getenv("BMSIM_CUDA_FLAGS");
  std::istringstream words(added != nullptr ? added : "");
  for (std::string word; words >> word;) compiler_options.push_back(word);
  return compiler_options;
}

/// Whether simple_registers are too few for bm_advance, by the assembler's report.
bool lacks_registers(const std::string& report) {
  std::smatch found;
  const std::regex line("Function properties for bm_advance\\s+\\D*(\\d+) bytes stack.*\n.*Used (\\d+) registers");
  return std::regex_search(report, found, line) && std::stoi(found[1]) > Nvrtc::bytes_left &&
         std::stoi(found[2]) <= Nvrtc::simple_registers;
}

}  // namespace

Nvrtc::Nvrtc() {
  const std::string file = find_toolkit().library;
  library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) fail_device("cuda: NVRTC '{}' cannot be opened: {}", file, dlerror());
  auto get = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library_, symbol));
    if (function == nullptr) fail_device("cuda: NVRTC has no symbol '{}'; CUDA 12 or newer is needed", symbol);
  };
  get(create_, "nvrtcCreateProgram");
  get(compile_, "nvrtcCompileProgram");
  get(log_size_, "nvrtcGetProgramLogSize");
  get(log_, "nvrtcGetProgramLog");
  get(cubin_size_, "nvrtcGetCUBINSize");
  get(cubin_, "nvrtcGetCUBIN");
  get(ptx_size_, "nvrtcGetPTXSize");
  get(ptx_, "nvrtcGetPTX");
  get(destroy_, "nvrtcDestroyProgram");
  set_flow_callback_ = reinterpret_cast<decltype(set_flow_callback_)>(dlsym(library_, "nvrtcSetFlowCallback"));
  get(architecture_count_, "nvrtcGetNumSupportedArchs");
  get(architectures_, "nvrtcGetSupportedArchs");
}

std::string Nvrtc::identity() { return find_toolkit().identity + fmt::format("{}\n", fmt::join(options("sm"), " ")); }

std::vector<int> Nvrtc::architectures() const {
  int count = 0;
  architecture_count_(&count);
  std::vector<int> capabilities(static_cast<size_t>(count));
  architectures_(capabilities.data());
  return capabilities;
}

class Nvrtc::Compilation {
 public:
  Compilation(const Nvrtc& library, const std::string& source, const std::vector<std::string>& words)
      : library_(library) {
    if (library.create_(&program_, source.c_str(), "kernel.cu", 0, nullptr, nullptr) != 0)
      fail_device("kernel: NVRTC could not start on it");
    std::vector<const char*> arguments;
    arguments.reserve(words.size());
    for (const auto& word : words) arguments.push_back(word.c_str());
    if (library.set_flow_callback_ != nullptr) library.set_flow_callback_(program_, &Compilation::ends, this);
    done_ = library.compile_(program_, static_cast<int>(arguments.size()), arguments.data()) == 0;
    if (!interruption_) return;
    library_.destroy_(&program_);
    std::rethrow_exception(interruption_);
  }
  ~Compilation() { library_.destroy_(&program_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  bool done() const { return done_; }
  std::string log() const { return output(library_.log_size_, library_.log_).c_str(); }  // without the final zero
  std::string output(int (*size_of)(Program, size_t*), int (*get)(Program, char*)) const {
    size_t size = 0;
    size_of(program_, &size);
    std::string text(size, '\0');
    if (get(program_, text.data()) != 0) fail_device("kernel: NVRTC has no output for it");
    return text;
  }

 private:
  /// NVRTC calls this now and then, in any thread; 1 ends the compilation.
  static int ends(void* compilation, void*) {
    auto& self = *static_cast<Compilation*>(compilation);
    const std::lock_guard lock(self.mutex_);
    try {
      if (self.check_ && !self.interruption_) self.check_();
    } catch (...) {
      self.interruption_ = std::current_exception();
    }
    return self.interruption_ ? 1 : 0;
  }

  const Nvrtc& library_;
  Program program_ = nullptr;
  bool done_ = false;
  const InterruptionCheck check_ = interruption_check();
  std::mutex mutex_;
  std::exception_ptr interruption_;
};

std::string Nvrtc::compile(const std::string& source, int architecture, std::string* log) const {
  std::vector<std::string> words = options(fmt::format("sm_{}", architecture));
  words.emplace_back("--ptxas-options=-v");
  const auto compiled = [&] {
    const Compilation compilation(*this, source, words);
    check(compilation, source, architecture);
    return std::pair(compilation.output(cubin_size_, cubin_), compilation.log());
  };
  auto [cubin, report] = compiled();
  if (lacks_registers(report)) {
    words.emplace_back("-UBM_REGISTERS");
    std::tie(cubin, report) = compiled();
  }
  if (log != nullptr) *log = report;
  return cubin;
}

std::string Nvrtc::ptx(const std::string& source, int architecture) const {
  const Compilation compilation(*this, source, options(fmt::format("compute_{}", architecture)));
  check(compilation, source, architecture);
  return compilation.output(ptx_size_, ptx_).c_str();  // without the final zero
}

void Nvrtc::check(const Compilation& compilation, const std::string& source, int architecture) const {
  if (compilation.done()) return;
  const std::vector<int> known = architectures();
  if (std::ranges::count(known, architecture) == 0)
    fail_device("cuda: this NVRTC does not compile for sm_{}; it knows sm_{}", architecture, fmt::join(known, ", sm_"));
  std::istringstream lines(compilation.log());
  std::string messages, line;
  for (int n = 0; n < 12 && std::getline(lines, line); ++n) messages += "\n  " + line;
  fail_device("kernel: NVRTC could not compile it; {}{}",
              KernelCache::instance().keep_source(digest(source), ".cu", source), messages);
}

}  // namespace bmsim::cuda
