#include "backend/cuda/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

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
#include "error.h"
#include "interruption.h"
#include "nearest_name.h"

namespace bmsim::cuda {

namespace fs = std::filesystem;

namespace {

/// target: "sm_90" for a cubin, "compute_90" for PTX. The words of $BMSIM_CUDA_FLAGS follow.
std::vector<std::string> options(const std::string& target) {
  // Contraction is off, as on the CPU: kernels write fma where they want one. Single-precision division has errors of
  // up to 2 units in the last place: correctly rounded it is a call, which takes registers from all that is around it.
  const char* added = std::getenv("BMSIM_CUDA_FLAGS");
  return words_in(fmt::format(
      "--gpu-architecture={} -std=c++20 -default-device -fmad=false -prec-div=false -w -DBM_REGISTERS={} {}", target,
      Nvrtc::simple_registers, added != nullptr ? added : ""));
}

/// Whether simple_registers are too few for bm_advance, by the assembler's report.
bool lacks_registers(const std::string& report) {
  std::smatch found;
  const std::regex line("Function properties for bm_advance\\s+\\D*(\\d+) bytes stack.*\n.*Used (\\d+) registers");
  return std::regex_search(report, found, line) && std::stoi(found[1]) > Nvrtc::bytes_left &&
         std::stoi(found[2]) <= Nvrtc::simple_registers;
}

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

/// The file of NVRTC; and, as a text, its size and modification time with its name.
struct Toolkit {
  std::string library, identity;
};
Toolkit find_toolkit() {
  const fs::path file = fs::weakly_canonical(find_library());
  const auto changed = fs::last_write_time(file).time_since_epoch().count();
  return {file, fmt::format("{} {} {}\n", file.string(), fs::file_size(file), changed)};
}

void* open_nvrtc() {
  const std::string file = find_toolkit().library;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail_device("cuda: NVRTC '{}' cannot be opened: {}", file, dlerror());
  return library;
}

}  // namespace

Nvrtc::Nvrtc() : library_(open_nvrtc()) { set_flow_callback_ = Symbol{dlsym(library_, "nvrtcSetFlowCallback")}; }

Symbol Nvrtc::symbol(const char* name) const {
  void* address = dlsym(library_, name);
  if (address == nullptr) fail_device("cuda: NVRTC has no symbol '{}'; CUDA 12 or newer is needed", name);
  return {address};
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

std::string why_no_compiler() {
  try {
    const Nvrtc nvrtc;
    return nvrtc.architectures().empty() ? "cuda: NVRTC knows no architecture" : "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string compile_only(const std::string& source) {
  KernelCache& cache = KernelCache::instance();
  const std::string key = digest(fmt::format("{}compiles for the newest\n{}", Nvrtc::identity(), source));
  if (const auto known = cache.load(key)) return *known;
  const Nvrtc nvrtc;
  const int architecture = nvrtc.architectures().back();
  nvrtc.ptx(source, architecture);  // the text is judged without the assembler
  const std::string name = fmt::format("compute_{}", architecture);
  cache.store(key, name);
  return name;
}

}  // namespace bmsim::cuda
