#include "backend/cuda/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/cache.h"
#include "backend/cuda/ensemble.h"
#include "backend/cuda/nvrtc.h"
#include "error.h"

namespace bmsim {

using cuda::check;

namespace {

/// Block sizes to choose from, the largest first, or $BMSIM_CUDA_BLOCK: multiples of 32. No result depends on it.
std::vector<unsigned> block_sizes() {
  if (const char* asked = std::getenv("BMSIM_CUDA_BLOCK")) {
    const unsigned long block = std::strtoul(asked, nullptr, 10);
    if (block == 0 || block % 32 != 0 || block > 1024)
      fail_device("cuda: BMSIM_CUDA_BLOCK must be a multiple of 32 up to 1024, got '{}'", asked);
    return {static_cast<unsigned>(block)};
  }
  return {1024, 768, 512, 384, 256, 128, 64};  // the four schedulers of a multiprocessor get equally many warps
}

/// Context of a device, and its queues. They stay until the process ends, since making a context takes 0.1 s.
std::pair<cuda::Context, cuda::Queues*> context_of(const cuda::Driver& driver, cuda::Device device) {
  struct Kept {
    explicit Kept(const cuda::Driver& driver) : queues(driver) {}
    cuda::Context context = nullptr;
    cuda::Queues queues;
  };
  static std::mutex one_at_a_time;
  static auto& kept_by_device = *new std::map<cuda::Device, Kept>;  // never deleted: the driver may be gone by then
  const std::lock_guard lock(one_at_a_time);
  Kept& kept = kept_by_device.try_emplace(device, driver).first->second;
  if (kept.context == nullptr) check(driver.primary_retain(&kept.context, device), "context");
  return {kept.context, &kept.queues};
}

class CudaKernel : public Kernel {
 public:
  /// The thread's current context must be that of the device.
  CudaKernel(const cuda::Driver& driver, cuda::Context context, cuda::Queues& queues, const std::string& cubin,
             std::string key, const cuda::Processors& processors)
      : driver_(driver),
        context_(context),
        queues_(queues),
        module_{driver, context},
        key_(std::move(key)),
        processors_(processors) {
    check(driver.module_load(&module_.handle, cubin.data()), "module");
    check(driver.module_function(&functions_.start, module_.handle, "bm_start"), "kernel bm_start");
    check(driver.module_function(&functions_.advance, module_.handle, "bm_advance"), "kernel bm_advance");
    check(driver.module_function(&functions_.window, module_.handle, "bm_window"), "kernel bm_window");
    check(driver.module_function(&functions_.moments, module_.handle, "bm_moments"), "kernel bm_moments");
    cuda::DevicePointer layout = 0;
    size_t bytes = 0;
    check(driver.module_global(&layout, &bytes, module_.handle, "bm_layout"), "layout");
    check(driver.copy_to_host(&layout_, layout, sizeof layout_), "layout");
    if (layout_.marks > 0) find_reductions();
    shared_bytes_ = static_cast<unsigned>(layout_.shared_bytes);
    for (const cuda::Function function : {functions_.start, functions_.advance})
      check(driver.set_function_attribute(function, cuda::dynamic_shared, processors.shared_bytes), "shared memory");
    check(driver.function_attribute(&registers_, cuda::registers, functions_.advance), "registers");
    check(driver.function_attribute(&local_bytes_, cuda::local_bytes, functions_.advance), "local memory");
  }

  const KernelLayout& layout() const override { return layout_; }
  void record_rate(double rate) const override { KernelCache::instance().keep_rate(key_, rate); }
  std::unique_ptr<Ensemble> ensemble(Batch batch) override {
    check(driver_.set_current(context_), "context");
    unsigned block = 0;
    if (layout_.fields > 0) {
      const auto [threads, active] = system_block(batch.groups_per_share);
      block = threads;
      describe(block, active);
    } else {
      block = block_size(32 * batch.groups.size());
    }
    return std::make_unique<cuda::CudaEnsemble>(driver_, queues_, functions_, layout_, block, shared_bytes_,
                                                std::move(batch));
  }

  Pace pace() const override {
    constexpr int block = 128;
    check(driver_.set_current(context_), "context");
    return {static_cast<uint64_t>(std::max(active_blocks(block), 1) * block / 32 * processors_.count), 1e12};
  }

  uint64_t most_groups(uint64_t groups_per_share) const override {
    if (layout_.fields == 0) return UINT64_MAX;
    check(driver_.set_current(context_), "context");
    const auto [block, active] = system_block(groups_per_share);
    const uint64_t blocks = 32 * groups_per_share / block;
    if (blocks == 1) return UINT64_MAX;
    const uint64_t shares = static_cast<uint64_t>(active * processors_.count) / blocks;
    if (shares == 0)
      fail_device(
          "cuda: paths: with mean fields all {} paths of a system must be at work at once, and this GPU has room for "
          "{}: "
          "give fewer paths, or device = \"cpu\"",
          32 * groups_per_share, static_cast<uint64_t>(active * processors_.count) * block);
    return shares * groups_per_share;
  }

 private:
  // Finds the functions over recordings, which a kernel without marks lacks.
  void find_reductions() {
    cuda::SampleFunctions& samples = functions_.samples;
    const std::pair<const char*, cuda::Function*> reductions[] = {
        {"bm_powers", &samples.powers},     {"bm_absolute", &samples.absolute},   {"bm_histogram", &samples.histogram},
        {"bm_products", &samples.products}, {"bm_crossings", &samples.crossings}, {"bm_formula", &samples.formula}};
    for (const auto& [name, function] : reductions)
      if (function != &samples.formula || layout_.formulas > 0)
        check(driver_.module_function(function, module_.handle, name), name);
  }
  // Number of blocks of bm_advance, with so many threads each, that are at work on a multiprocessor at once.
  int active_blocks(unsigned threads) const {
    const size_t shared = size_t{shared_bytes_} * threads;
    if (shared > static_cast<size_t>(processors_.shared_bytes)) return 0;
    int active = 0;
    check(driver_.active_blocks(&active, functions_.advance, static_cast<int>(threads), shared), "occupancy");
    return active;
  }
  // Threads of a block of a system with mean fields: the whole system if that fits, else the largest part of it; and
  // how many blocks are active on a multiprocessor.
  std::pair<unsigned, int> system_block(uint64_t groups) const {
    for (uint64_t warps = std::min<uint64_t>(groups, 32); warps > 0; --warps) {
      if (groups % warps != 0) continue;
      const auto block = static_cast<unsigned>(32 * warps);
      if (const int active = active_blocks(block); active > 0) return {block, active};
    }
    fail_device("cuda: fields: a kernel of {} registers does not fit", registers_);
  }

  // Block size for which the busiest multiprocessor takes the least time. Among equal ones it is that with the fewest
  // threads there, then the largest. All blocks last equally long and run in rounds of as many as fit. The duration of
  // a round is proportional to its threads, but no less than for `few` threads: with fewer, nothing hides the latency
  // of instructions. Several blocks on a multiprocessor drift apart, so that the last one runs alone in the end: 1 %
  // more for every doubling. With BMSIM_CUDA_BLOCK on an H200, ten kernels and 1.3e5 to 1e6 trajectories, this choice
  // takes on average 0.3 % more time than the best size.
  unsigned block_size(uint64_t threads) {
    unsigned best = 128;
    int best_active = 0;
    constexpr uint64_t few = 640;
    constexpr double drift = 0.01;
    std::pair<double, uint64_t> least{std::numeric_limits<double>::max(), 0};
    const auto processors = static_cast<uint64_t>(processors_.count);
    for (const unsigned block : block_sizes()) {
      const auto active = static_cast<uint64_t>(active_blocks(block));
      if (active == 0) continue;
      const uint64_t blocks = (threads + block - 1) / block, rounds = blocks / (processors * active);
      const uint64_t rest =
          (blocks % (processors * active) + processors - 1) / processors;  // on one multiprocessor, in the last round
      const auto round = [&](uint64_t resident) { return resident == 0 ? 0 : std::max(few, resident * block); };
      const double apart = std::log2(static_cast<double>(rounds > 0 ? active : rest));
      const std::pair work{static_cast<double>(rounds * round(active) + round(rest)) * (1 + drift * apart),
                           (rounds * active + rest) * block};
      if (work < least) least = work, best = block, best_active = static_cast<int>(active);
    }
    if (threads >= described_) describe(best, best_active), described_ = threads;
    return best;
  }

  void describe(unsigned block, int active_blocks) {
    details = fmt::format(
        "{} registers, {} bytes of local memory, {} bytes of shared memory per thread; blocks of {} threads, {} of {} "
        "warps active per multiprocessor",
        registers_, local_bytes_, shared_bytes_, block, active_blocks * static_cast<int>(block) / 32,
        processors_.resident_threads / 32);
  }

  struct LoadedModule {
    LoadedModule(const cuda::Driver& d, cuda::Context c) : driver(d), context(c) {}
    ~LoadedModule() {
      driver.set_current(context);
      driver.module_unload(handle);
    }
    LoadedModule(const LoadedModule&) = delete;
    LoadedModule& operator=(const LoadedModule&) = delete;
    const cuda::Driver& driver;
    cuda::Context context;
    cuda::Module handle = nullptr;
  };

  const cuda::Driver& driver_;
  cuda::Context context_;
  cuda::Queues& queues_;
  LoadedModule module_;
  std::string key_;
  cuda::Functions functions_{};
  KernelLayout layout_;
  unsigned shared_bytes_ = 0;  // per thread
  uint64_t described_ = 0;     // threads of the largest ensemble, which `details` describes
  int registers_ = 0, local_bytes_ = 0;
  cuda::Processors processors_;
};

}  // namespace

int CudaBackend::count() {
  int count = 0;
  check(cuda::driver().device_count(&count), "devices");
  return count;
}

CudaBackend::CudaBackend(int ordinal) : driver_(cuda::driver()) {
  const int gpus = count();
  if (ordinal < 0 || ordinal >= gpus)
    fail_device("cuda: no device {}: there {} {}", ordinal, gpus == 1 ? "is" : "are", gpus);
  check(driver_.device_get(&device_, ordinal), "device");
  std::array<char, 256> text{};
  check(driver_.device_name(text.data(), static_cast<int>(text.size()), device_), "device name");
  model_ = text.data();
  name_ = fmt::format("cuda:{} ({})", ordinal, model_);
  int major = 0, minor = 0;
  check(driver_.device_attribute(&major, cuda::compute_major, device_), "compute capability");
  check(driver_.device_attribute(&minor, cuda::compute_minor, device_), "compute capability");
  check(driver_.device_attribute(&processors_.count, cuda::multiprocessors, device_), "multiprocessors");
  check(driver_.device_attribute(&processors_.resident_threads, cuda::resident_threads, device_), "resident threads");
  check(driver_.device_attribute(&processors_.shared_bytes, cuda::shared_bytes_of_block, device_), "shared memory");
  architecture_ = 10 * major + minor;
  std::tie(context_, queues_) = context_of(driver_, device_);
  check(driver_.set_current(context_), "context");
  check(driver_.default_pool(&pool_, device_), "memory");
  uint64_t everything = std::numeric_limits<uint64_t>::max();  // freed memory stays in the pool
  check(driver_.pool_set(pool_, cuda::release_threshold, &everything), "memory");
}

void CudaBackend::check_compiler() const {
  KernelCache& cache = KernelCache::instance();
  const std::string name = digest(fmt::format("{}compiles for sm_{}\n", cuda::Nvrtc::identity(), architecture_));
  if (cache.load(name)) return;
  const std::vector<int> known = cuda::Nvrtc().architectures();
  if (std::ranges::count(known, architecture_) == 0)
    fail_device("cuda: NVRTC does not compile for sm_{}", architecture_);
  cache.store(name, "yes");
}

uint64_t CudaBackend::memory_bytes() const {
  size_t free = 0, total = 0;
  uint64_t reserved = 0, used = 0;
  check(driver_.set_current(context_), "context");
  check(driver_.memory_info(&free, &total), "memory");
  check(driver_.pool_get(pool_, cuda::reserved_bytes, &reserved), "memory");
  check(driver_.pool_get(pool_, cuda::used_bytes, &used), "memory");
  return (free + reserved - used) / 10 * 6;  // the two doubles of the window per trajectory come on top
}

std::string CudaBackend::key(const std::string& source) const {
  return digest(fmt::format("{}sm_{}\n{}", cuda::Nvrtc::identity(), architecture_, source));
}

double CudaBackend::recorded_rate(const std::string& source, bool) const {
  return KernelCache::instance().rate(key(source));
}

std::unique_ptr<Kernel> CudaBackend::compile(const std::string& source, const std::string& keep, bool) {
  KernelCache& cache = KernelCache::instance();
  const std::string name = key(source);
  auto cubin = cache.load(name);
  const bool cached = cubin.has_value();
  if (!cached) {
    cubin = cuda::Nvrtc().compile(source, architecture_);
    cache.store(name, *cubin);
  }
  check(driver_.set_current(context_), "context");
  auto kernel = std::make_unique<CudaKernel>(driver_, context_, *queues_, *cubin, name, processors_);
  kernel->cached = cached;
  if (!keep.empty()) {
    kernel->source = keep_file(keep, name, ".cu", source);
    keep_file(keep, name, ".cubin", *cubin);
    keep_file(keep, name, ".ptx", cuda::Nvrtc().ptx(source, architecture_));
  }
  return kernel;
}

}  // namespace bmsim
