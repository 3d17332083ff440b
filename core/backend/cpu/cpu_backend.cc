#include "backend/cpu/cpu_backend.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>

#include "backend/backend.h"
#include "backend/cache.h"
#include "backend/memory.h"
#include "error.h"
#include "files/new_file.h"
#include "interruption.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

constexpr size_t alignment = 64;

struct AlignedDelete {
  void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{alignment}); }
};
using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;

AlignedBytes aligned_bytes(size_t size) {
  return AlignedBytes(
      static_cast<std::byte*>(::operator new[](std::max(size, alignment), std::align_val_t{alignment})));
}

/// Calls take(bytes). If memory runs out, throws Error with what the bytes were for.
template <class Take> void reserve(std::string_view what, size_t bytes, Take take) {
  try {
    take(bytes);
  } catch (const std::bad_alloc&) {
    fail_out_of_memory("cpu", static_cast<double>(bytes), what, BM_ERROR);
  } catch (const std::length_error&) {
    fail_out_of_memory("cpu", static_cast<double>(bytes), what, BM_ERROR);
  }
}

/// Resizes a vector in pieces that can be interrupted, since resizing takes seconds where memory is large and new.
template <class Value> void resize(std::vector<Value>& values, size_t size) {
  constexpr size_t piece = size_t{1} << 21;
  values.reserve(size);
  while (values.size() < size) {
    check_interruption();
    values.resize(std::min(size, values.size() + piece));
  }
}

using bmsim_abi::Launch;

/// The functions of kernels/cpu/entry.h.
struct Entry {
  void (*layout)(KernelLayout*);
  void (*start)(void*, const void*, const Launch*, void*);
  int (*advance)(void*, const void*, const Launch*, void*);
  void (*window)(void*, double*, uint64_t);
  int (*advance_together)(void*, uint64_t, uint64_t, const void*, const Launch*, void*, void*);  // null without fields
};

class CpuEnsemble : public Ensemble {
 public:
  CpuEnsemble(const Entry& entry, const KernelLayout& layout, ThreadPool& pool, Batch batch)
      : entry_(entry), layout_(layout), pool_(pool), batch_(std::move(batch)) {
    stride_ = (layout.group_bytes + alignment - 1) / alignment * alignment;
    reserve("trajectories", stride_ * batch_.groups.size(), [&](size_t bytes) { memory_ = aligned_bytes(bytes); });
    const size_t scratch = (layout.scratch_bytes + alignment - 1) / alignment * alignment;
    for (unsigned thread = 0; thread < pool.size(); ++thread) scratch_.push_back(aligned_bytes(scratch));
    together_ = layout.fields > 0 ? batch_.groups_per_share : 1;
    for (unsigned thread = 0; thread < pool.size() && layout.fields > 0; ++thread)
      members_.push_back(aligned_bytes(layout.member_bytes * together_));
    for (size_t g = 0; g < batch_.groups.size(); g += together_) active_.push_back(g);
    const size_t values = batch_.marks_per_point * layout.sample_values * batch_.groups.size() * layout.lanes;
    reserve("recordings", values * sizeof(double), [&](size_t) { resize(samples_, values); });
    const size_t all_sums = batch_.sums_per_share * (batch_.groups.back().share + 1);
    reserve("densities", all_sums * sizeof(int64_t), [&](size_t) { resize(sums_, all_sums); });
  }

  void start() override {
    run(batch_.groups.size(), false, [&](size_t g, unsigned thread) {
      const Launch launch = launch_of(g, 0, 0);
      entry_.start(group(g), parameters(g), &launch, scratch_[thread].get());
    });
  }

  bool advance(uint64_t blocks) override {
    std::vector<char> goes_on(active_.size());
    run(active_.size(), done_ > 0, [&](size_t i, unsigned thread) {
      const size_t g = active_[i];
      const Launch launch = launch_of(g, done_, blocks);
      void* const scratch = scratch_[thread].get();
      goes_on[i] = (members_.empty() ? entry_.advance(group(g), parameters(g), &launch, scratch)
                                     : entry_.advance_together(group(g), stride_, together_, parameters(g), &launch,
                                                               scratch, members_[thread].get())) != 0
                       ? 1
                       : 0;
    });
    done_ += blocks;
    std::vector<size_t> rest;
    for (size_t i = 0; i < active_.size(); ++i)
      if (goes_on[i] != 0) rest.push_back(active_[i]);
    active_ = std::move(rest);
    return !active_.empty();
  }

  std::string save() override {
    std::string state;
    if (torn_) return state;
    const uint64_t active = active_.size();
    add_bytes(state, &done_, sizeof done_);
    add_bytes(state, &active, sizeof active);
    add_bytes(state, active_.data(), active * sizeof(size_t));
    add_bytes(state, memory_.get(), stride_ * batch_.groups.size());
    add_bytes(state, samples_.data(), samples_.size() * sizeof(double));
    add_bytes(state, sums_.data(), sums_.size() * sizeof(int64_t));
    return state;
  }

  void restore(std::string_view state) override {
    uint64_t active = 0;
    take_bytes(state, &done_, sizeof done_);
    take_bytes(state, &active, sizeof active);
    if (active > batch_.groups.size()) fail("checkpoint: the state of trajectories is that of another batch");
    active_.resize(active);
    take_bytes(state, active_.data(), active * sizeof(size_t));
    take_bytes(state, memory_.get(), stride_ * batch_.groups.size());
    take_bytes(state, samples_.data(), samples_.size() * sizeof(double));
    take_bytes(state, sums_.data(), sums_.size() * sizeof(int64_t));
    if (!state.empty()) fail("checkpoint: the state of trajectories is that of another batch");
  }

  void window(std::span<const WindowTarget> targets) const override {
    const size_t lanes = layout_.lanes;
    std::vector<double> last;  // of the last group, which may have more trajectories than paths are left
    for (const WindowTarget& target : targets)
      for (size_t i = 0; i < target.paths; i += lanes) {
        void* const trajectories = group((target.first + i) / lanes);
        if (i + lanes <= target.paths) {
          entry_.window(trajectories, target.to + i, target.stride);
          continue;
        }
        last.resize(layout_.path_values.count * lanes);
        entry_.window(trajectories, last.data(), lanes);
        for (size_t k = 0; k < layout_.path_values.count; ++k)
          std::copy_n(&last[k * lanes], target.paths - i, target.to + k * target.stride + i);
      }
  }

  std::vector<int64_t> sums(size_t share) const override {
    const auto first = sums_.begin() + static_cast<ptrdiff_t>(share * batch_.sums_per_share);
    return {first, first + static_cast<ptrdiff_t>(batch_.sums_per_share)};
  }
  std::unique_ptr<Samples> samples(size_t first, size_t paths) override {
    return std::make_unique<HostSamples>(samples_.empty() ? nullptr : samples_.data() + first,
                                         batch_.groups.size() * layout_.lanes, paths);
  }

 private:
  /// Lets the pool work through the tasks. An interruption leaves out tasks that are not begun, unless the state of the
  /// trajectories is worth keeping and somebody keeps it.
  template <class Task> void run(size_t count, bool worth_keeping, Task task) {
    std::exception_ptr interruption;
    std::atomic<bool> over{false};
    pool_.run(count, [&](size_t i, unsigned thread) {
      if (over) return;
      try {
        if (thread == 0) check_interruption();
      } catch (const Interruption& caught) {
        if (!worth_keeping || caught.status() == BM_INTERRUPTED) {
          interruption = std::current_exception();
          over = true;
          return;
        }
      }
      task(i, thread);
    });
    torn_ = over;
    if (interruption) std::rethrow_exception(interruption);
  }
  Launch launch_of(size_t g, uint64_t first_block, uint64_t blocks) {
    const LaneGroup& group = batch_.groups[g];
    Launch launch{.seed = batch_.seed,
                  .trajectory = group.trajectory,
                  .first_block = first_block,
                  .blocks = blocks,
                  .recorder = {},
                  .path = group.path,
                  .sums = sums_.data() + group.share * batch_.sums_per_share};
    if (!batch_.marks.empty())
      launch.recorder = {.marks = &batch_.marks[group.point * (batch_.marks_per_point + bmsim_abi::SPARE_MARKS)],
                         .samples = samples_.empty() ? nullptr : samples_.data() + g * layout_.lanes,
                         .stride = batch_.groups.size() * layout_.lanes};
    return launch;
  }
  std::byte* group(size_t g) const { return memory_.get() + g * stride_; }
  const void* parameters(size_t g) const {
    return &batch_.parameters[batch_.groups[g].point * layout_.parameter_bytes];
  }

  Entry entry_;
  KernelLayout layout_;
  ThreadPool& pool_;
  Batch batch_;
  size_t stride_ = 0;
  AlignedBytes memory_;
  std::vector<AlignedBytes> scratch_, members_;  // by thread; members_: for groups that are advanced together
  size_t together_ = 1;                          // number of groups that are advanced together
  std::vector<double> samples_;
  std::vector<int64_t> sums_;
  std::vector<size_t> active_;  // groups, or first groups of those together, in which some trajectory is not done
  uint64_t done_ = 0;           // blocks
  bool torn_ = false;           // some groups have made fewer blocks
};

class CpuKernel : public Kernel {
 public:
  CpuKernel(const fs::path& object, std::string key, ThreadPool& pool) : key_(std::move(key)), pool_(pool) {
    library_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) fail_device("kernel: cannot load '{}': {}", object.string(), dlerror());
    find(entry_.layout, "bm_kernel_layout");
    find(entry_.start, "bm_kernel_start");
    find(entry_.advance, "bm_kernel_advance");
    find(entry_.window, "bm_kernel_window");
    entry_.layout(&layout_);
    if (layout_.fields > 0) find(entry_.advance_together, "bm_kernel_advance_together");
  }
  ~CpuKernel() override { dlclose(library_); }
  CpuKernel(const CpuKernel&) = delete;
  CpuKernel& operator=(const CpuKernel&) = delete;

  const KernelLayout& layout() const override { return layout_; }
  Pace pace() const override { return {pool_.size(), 1e9 * pool_.size()}; }
  void record_rate(double steps_per_second) const override {
    KernelCache::instance().keep_rate(key_, steps_per_second);
  }
  std::unique_ptr<Ensemble> ensemble(Batch batch) override {
    return std::make_unique<CpuEnsemble>(entry_, layout_, pool_, std::move(batch));
  }

 private:
  template <class Function> void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) fail_device("kernel: no symbol '{}' in it", name);
  }

  std::string key_;
  void* library_ = nullptr;
  Entry entry_{};
  KernelLayout layout_;
  ThreadPool& pool_;
};

/// SIMD vectors of a group that the user asks for; 0 if that is left to the program. Throws Error (status device).
int group_asked_for() {
  const char* text = std::getenv("BMSIM_KERNEL_GROUP");
  if (text == nullptr) return 0;
  constexpr int most = 8;
  int group = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, failed] = std::from_chars(text, end, group);
  if (failed != std::errc() || rest != end || group < 1 || group > most)
    fail_device("BMSIM_KERNEL_GROUP must be a whole number from 1 to {}, got '{}'", most, text);
  return group;
}

}  // namespace

KernelShape CpuBackend::shape(uint64_t paths, bool double_precision, bool brief) const {
  if (const int group = group_asked_for(); group > 0) return {false, group};
  if (brief) return {false, 1};
  // Throughput of a full group relative to the best size. It is multiplied by the used part of the groups of a point.
  struct Speed {
    int group;
    double relative;
  };
#ifdef __aarch64__
  // Calculated by llvm-mca 19 for Neoverse V1 and V2 from the steps of two models, compiled by g++ 12. On N1 and N2,
  // which have half the units for vectors, four would be faster than six by 5 to 10 %.
  static constexpr Speed single_speeds[] = {{6, 1.0}, {4, 0.73}, {3, 0.55}, {2, 0.37}, {1, 0.19}};
  static constexpr Speed double_speeds[] = {{6, 1.0}, {4, 0.68}, {3, 0.51}, {2, 0.34}, {1, 0.17}};
#else
  // Measured with g++ 12 on Zen 5 (tests/bench).
  static constexpr Speed single_speeds[] = {{6, 1.0}, {4, 0.93}, {3, 0.8}, {2, 0.6}, {1, 0.35}};
  static constexpr Speed double_speeds[] = {{8, 1.0}, {6, 0.98}, {4, 0.85}, {2, 0.5}, {1, 0.3}};
#endif
  const std::span<const Speed> speeds = double_precision ? std::span<const Speed>(double_speeds) : single_speeds;
#ifdef __x86_64__
  const uint64_t bytes = __builtin_cpu_supports("avx512dq") ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
#else
  const uint64_t bytes = 16;
#endif
  const uint64_t width = bytes / (double_precision ? 8 : 4);
  int best = 1;
  double best_rate = 0;
  for (const auto& [group, speed] : speeds) {
    const uint64_t lanes = width * static_cast<uint64_t>(group);
    const uint64_t simulated = (paths + lanes - 1) / lanes * lanes;
    const double rate = speed * static_cast<double>(paths) / static_cast<double>(simulated);
    if (rate > best_rate) best_rate = rate, best = group;
  }
  return {false, best};
}

uint64_t CpuBackend::memory_bytes() const { return free_memory() / 2; }

double CpuBackend::recorded_rate(const std::string& source, bool brief) const {
  return KernelCache::instance().rate(digest(Compiler(brief).identity() + source));
}

std::unique_ptr<Kernel> CpuBackend::compile(const std::string& source, const std::string& keep, bool brief) {
  const Compiler compiler(brief);
  KernelCache& cache = KernelCache::instance();
  const std::string key = digest(compiler.identity() + source);
  const auto load = [&](const fs::path& object) {
    auto kernel = std::make_unique<CpuKernel>(object, key, pool_);
    if (keep.empty()) return kernel;
    kernel->source = keep_file(keep, key, ".cc", source);
    keep_file(keep, key, ".so", read_file(object));
    return kernel;
  };
  if (const auto object = cache.find(key)) try {
      auto kernel = load(*object);
      kernel->cached = true;
      return kernel;
    } catch (const Error&) {
      if (fs::exists(*object)) throw;  // else somebody has just removed it
    }
  const auto workshop = cache.workshop();
  const fs::path built = workshop->path() / "kernel.so";
  compiler.compile(source, built, [&] { return cache.keep_source(key, ".cc", source); });
  auto kernel = load(built);
  cache.keep(key, built);  // only after it could be loaded once
  return kernel;
}

}  // namespace bmsim
