#include "backend/backend.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/cuda_backend.h"
#include "error.h"
#include "nearest_name.h"

namespace bmsim {

namespace {

/// N of "cuda:N", 0 for "cuda"; -1 if the name is neither.
int cuda_ordinal(const std::string& device) {
  if (device == "cuda") return 0;
  int ordinal = -1;
  constexpr std::string_view prefix = "cuda:";
  if (!device.starts_with(prefix)) return -1;
  const char* end = device.data() + device.size();
  const auto parsed = std::from_chars(device.data() + prefix.size(), end, ordinal);
  return parsed.ec == std::errc() && parsed.ptr == end ? ordinal : -1;
}

[[noreturn]] void fail_unknown(const std::string& device) {
  const std::vector<std::string> known = {"auto", "cpu", "cuda", "cuda:N", "all"};
  fail_device("device: unknown device '{}'{}", device, suggestion(device, known));
}

std::unique_ptr<Backend> backend_of(const std::string& device, unsigned threads, std::string* why) {
  if (device == "cpu") return std::make_unique<CpuBackend>(threads);
  if (device == "auto") {
    try {
      auto backend = std::make_unique<CudaBackend>(0);
      backend->check_compiler();
      return backend;
    } catch (const Error& error) {
      if (why != nullptr) *why = error.what();
      return std::make_unique<CpuBackend>(threads);
    }
  }
  if (const int ordinal = cuda_ordinal(device); ordinal >= 0) return std::make_unique<CudaBackend>(ordinal);
  fail_unknown(device);
}

/// The names of a list: "cuda:0", "cuda:2".
std::vector<std::string> names_in(const std::string& device) {
  std::vector<std::string> names;
  if (device == "all") {
    for (int i = 0; i < CudaBackend::count(); ++i) names.push_back(fmt::format("cuda:{}", i));
    if (names.empty()) fail_device("device: all: there is no GPU");
    return names;
  }
  for (size_t from = 0; from <= device.size();) {
    const size_t end = std::min(device.find(',', from), device.size());
    names.push_back(device.substr(from, end - from));
    from = end + 1;
  }
  if (names.size() > 1 && std::ranges::count(names, "auto") > 0)
    fail_device("device: auto is one device; a list has names like cpu and cuda:N, got '{}'", device);
  return names;
}

/// Threads of each of several workers on the CPU.
unsigned threads_of_each(unsigned threads, size_t workers) {
  if (workers == 1) return threads;
  const unsigned total = threads > 0 ? threads : available_cores();
  return std::max(1U, total / static_cast<unsigned>(workers));
}

}  // namespace

unsigned available_cores() {
  constexpr int most = 1 << 16;
  cpu_set_t* set = CPU_ALLOC(most);
  const size_t size = CPU_ALLOC_SIZE(most);
  const int count = set != nullptr && sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
  CPU_FREE(set);
  return count > 0 ? static_cast<unsigned>(count) : std::max(1U, std::thread::hardware_concurrency());
}

std::vector<std::unique_ptr<Backend>> make_backends(const std::string& device, unsigned threads, std::string* why) {
  std::vector<std::unique_ptr<Backend>> backends;
  const std::vector<std::string> names = names_in(device);
  for (const std::string& name : names) {
    backends.push_back(backend_of(name, threads_of_each(threads, names.size()), why));
    const Backend &first = *backends.front(), &last = *backends.back();
    if (last.kind() != first.kind())
      fail_device("device: {} and {} differ, so would their results; list devices of one kind", first.name(),
                  last.name());
  }
  return backends;
}

std::unique_ptr<Backend> make_backend(const std::string& device, unsigned threads) {
  return backend_of(names_in(device).front(), threads, nullptr);
}

int gpu_count() {
  try {
    return CudaBackend::count();
  } catch (const Error&) {
    return 0;
  }
}

size_t device_count(const std::string& device) { return names_in(device).size(); }

void check_device_names(const std::string& device) {
  if (device == "all") return;
  for (const std::string& name : names_in(device))
    if (name != "auto" && name != "cpu" && cuda_ordinal(name) < 0) fail_unknown(name);
}

}  // namespace bmsim
