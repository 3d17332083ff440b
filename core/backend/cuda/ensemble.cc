#include "backend/cuda/ensemble.h"

#include <vector>

#include "backend/backend.h"
#include "error.h"

namespace bmsim::cuda {

CudaEnsemble::CudaEnsemble(const Driver& driver, Queues& queues, const Functions& functions, const KernelLayout& layout,
                           unsigned block, unsigned shared, Batch batch)
    : driver_(driver),
      functions_(functions),
      block_(block),
      shared_(shared),
      threads_(32 * batch.groups.size()),
      seed_(batch.seed),
      marks_per_point_(batch.marks.empty() ? 0 : batch.marks_per_point + bmsim_abi::SPARE_MARKS),
      sums_per_share_(batch.sums_per_share),
      memory_bytes_(layout.group_bytes * batch.groups.size()),
      samples_bytes_(batch.marks_per_point * layout.sample_values * threads_ * sizeof(double)),
      path_values_(layout.path_values.count),
      memory_(driver, memory_bytes_, "trajectories"),
      parameters_(driver, batch.parameters.size_bytes(), "parameters"),
      groups_(driver, sizeof(LaneGroup) * batch.groups.size(), "groups"),
      flags_(driver, 3 * sizeof(uint32_t), "flags"),
      marks_(driver, batch.marks.size_bytes(), "marks"),
      samples_(driver, samples_bytes_, "recordings"),
      sums_(driver, sums_per_share_ * (batch.groups.back().share + 1) * sizeof(int64_t), "densities"),
      system_blocks_(layout.fields > 0 ? static_cast<uint32_t>(32 * batch.groups_per_share / block) : 0),
      field_sums_(driver, system_blocks_ > 1 ? 2 * layout.fields * sizeof(double) * threads_ / block : 0, "fields"),
      arrived_(driver, system_blocks_ > 1 ? sizeof(uint32_t) * (batch.groups.back().share + 1) : 0, "fields"),
      shares_(batch.groups.back().share + 1),
      scratch_(driver),
      queue_(queues.take().release(), GiveBack{&queues}) {
  const auto copy = [&](const Buffer& to, const void* from, size_t bytes, const char* what) {
    check(driver.copy_to_device_async(to.get(), from, bytes, queue_->stream), what);
  };
  copy(parameters_, batch.parameters.data(), batch.parameters.size_bytes(), "parameters");
  if (!batch.marks.empty()) copy(marks_, batch.marks.data(), batch.marks.size_bytes(), "marks");
  check(driver.fill_async(any_diverged(), 0, 1, queue_->stream), "flags");
  const size_t words = 2 * sums_per_share_ * (batch.groups.back().share + 1);
  if (words > 0) check(driver.fill_async(sums_.get(), 0, words, queue_->stream), "densities");
  copy(groups_, batch.groups.data(), batch.groups.size() * sizeof(LaneGroup), "groups");
}

// shared: bytes of shared memory per thread.
void CudaEnsemble::launch(Function function, unsigned block, unsigned shared, void** arguments,
                          const char* what) const {
  const auto blocks = static_cast<unsigned>((threads_ + block - 1) / block);
  check(driver_.launch(function, blocks, 1, 1, block, 1, 1, shared * block, queue_->stream, arguments, nullptr), what);
}

namespace {

template <class T> T* address(DevicePointer pointer) { return reinterpret_cast<T*>(pointer); }

}  // namespace

bmsim_abi::Grid CudaEnsemble::grid() const {
  return {.memory = address<uint32_t>(memory_.get()),
          .parameters = address<const char>(parameters_.get()),
          .groups = address<const LaneGroup>(groups_.get()),
          .threads = threads_,
          .seed = seed_};
}

void CudaEnsemble::start() {
  bmsim_abi::Grid kernel_grid = grid();
  void* arguments[] = {&kernel_grid};
  launch(functions_.start, brief_block, shared_, arguments, "start");
}

// All blocks of a share with mean fields must be at work at the same time if there are several.
void CudaEnsemble::launch_advance(void** arguments) {
  if (system_blocks_ <= 1) return launch(functions_.advance, block_, shared_, arguments, "launch");
  check(driver_.fill_async(arrived_.get(), 0, shares_, queue_->stream), "launch");
  check(driver_.launch_cooperative(functions_.advance, static_cast<unsigned>(threads_ / block_), 1, 1, block_, 1, 1,
                                   shared_ * block_, queue_->stream, arguments),
        "launch");
}

bool CudaEnsemble::advance(uint64_t blocks) {
  const unsigned slot = launches_ % 2;
  const DevicePointer more = flags_.get() + slot * sizeof(uint32_t);
  check(driver_.fill_async(more, 0, 1, queue_->stream), "launch");
  check(driver_.event_record(queue_->before[slot], queue_->stream), "launch");
  bmsim_abi::Grid kernel_grid = grid();
  bmsim_abi::GridLaunch grid_launch{
      .first_block = done_,
      .blocks = blocks,
      .more = address<uint32_t>(more),
      .diverged = address<uint32_t>(any_diverged()),
      .marks = address<const double>(marks_.get()),
      .marks_per_point = marks_per_point_,
      .samples = address<double>(samples_.get()),
      .sums = address<int64_t>(sums_.get()),
      .sums_per_share = sums_per_share_,
      .system = {system_blocks_, address<void>(field_sums_.get()), address<uint32_t>(arrived_.get())}};
  void* arguments[] = {&kernel_grid, &grid_launch};
  launch_advance(arguments);
  check(driver_.copy_to_host_async(queue_->more + slot, more, sizeof(uint32_t), queue_->stream), "launch");
  check(driver_.event_record(queue_->after[slot], queue_->stream), "launch");
  done_ += blocks;
  if (launches_++ == 0) return true;
  finish(1 - slot);
  return queue_->more[1 - slot] != 0;
}

// Waits for a launch, and adds its duration on the device: only the time in which no other launch was at work.
void CudaEnsemble::finish(unsigned slot) {
  check(driver_.event_synchronize(queue_->after[slot]), "launch");
  seconds_ += queue_.get_deleter().queues->seconds_between(queue_->before[slot], queue_->after[slot]);
}

// Calls use(address, bytes) for every block of memory that launches change.
template <class Use> void CudaEnsemble::for_each_state(Use use) {
  use(memory_.get(), memory_bytes_);
  use(any_diverged(), sizeof(uint32_t));
  use(samples_.get(), samples_bytes_);
  use(sums_.get(), sums_per_share_ * shares_ * sizeof(int64_t));
}

std::string CudaEnsemble::save() {
  check(driver_.stream_synchronize(queue_->stream), "state");
  std::string state;
  add_bytes(state, &done_, sizeof done_);
  for_each_state([&](DevicePointer from, size_t bytes) {
    const size_t offset = state.size();
    state.resize(offset + bytes);
    if (bytes > 0) check(driver_.copy_to_host(state.data() + offset, from, bytes), "state");
  });
  return state;
}

void CudaEnsemble::restore(std::string_view state) {
  take_bytes(state, &done_, sizeof done_);
  for_each_state([&](DevicePointer to, size_t bytes) {
    if (state.size() < bytes) fail("checkpoint: the state of trajectories is too short");
    if (bytes > 0) check(driver_.copy_to_device_async(to, state.data(), bytes, queue_->stream), "state");
    state.remove_prefix(bytes);
  });
  check(driver_.stream_synchronize(queue_->stream), "state");
  if (!state.empty()) fail("checkpoint: the state of trajectories is that of another batch");
}

void CudaEnsemble::window(std::span<const WindowTarget> targets) const {
  const Buffer buffer(driver_, path_values_ * threads_ * sizeof(double), "memory for windows");
  DevicePointer memory = memory_.get(), to = buffer.get();
  uint64_t threads = threads_;
  void* arguments[] = {&memory, &threads, &to};
  launch(functions_.window, brief_block, 0, arguments, "window");
  check(driver_.stream_synchronize(queue_->stream), "window");
  for (size_t i = 0; i < targets.size();) {
    WindowTarget target = targets[i];  // joined with those that follow it both on the device and on the host
    const auto follows = [&](const WindowTarget& next) {
      return next.first == target.first + target.paths && next.to == target.to + target.paths;
    };
    for (++i; i < targets.size() && follows(targets[i]); ++i) target.paths += targets[i].paths;
    for (size_t k = 0; k < path_values_; ++k)
      check(driver_.copy_to_host(target.to + k * target.stride,
                                 buffer.get() + (k * threads_ + target.first) * sizeof(double),
                                 target.paths * sizeof(double)),
            "window");
  }
}

std::unique_ptr<Samples> CudaEnsemble::samples(size_t first, size_t paths) {
  return std::make_unique<CudaSamples>(driver_, *queue_, functions_.samples, scratch_,
                                       samples_.get() + first * sizeof(double), threads_, paths);
}

std::vector<int64_t> CudaEnsemble::sums(size_t share) const {
  std::vector<int64_t> sums(sums_per_share_);
  if (sums.empty()) return sums;
  check(driver_.stream_synchronize(queue_->stream), "densities");
  const size_t bytes = sums_per_share_ * sizeof(int64_t);
  check(driver_.copy_to_host(sums.data(), sums_.get() + share * bytes, bytes), "densities");
  return sums;
}

std::optional<bool> CudaEnsemble::diverged() const {
  uint32_t flag = 0;
  check(driver_.stream_synchronize(queue_->stream), "flags");
  check(driver_.copy_to_host(&flag, any_diverged(), sizeof flag), "flags");
  return flag != 0;
}

std::vector<BundleMoments> CudaEnsemble::moments(std::span<const Bundle> bundles, std::span<const PartUnits> units,
                                                 size_t variable) const {
  constexpr unsigned threads = 256;  // observe/moments.cc adds in the same order
  std::vector<BundleMoments> moments(bundles.size());
  const Buffer bundle_buffer(driver_, bundles.size_bytes(), "moments"),
      unit_buffer(driver_, units.size_bytes(), "moments");
  const Buffer result(driver_, moments.size() * sizeof(BundleMoments), "moments");
  check(driver_.copy_to_device_async(bundle_buffer.get(), bundles.data(), bundles.size_bytes(), queue_->stream),
        "moments");
  check(driver_.copy_to_device_async(unit_buffer.get(), units.data(), units.size_bytes(), queue_->stream), "moments");
  DevicePointer memory = memory_.get(), place = bundle_buffer.get(), unit = unit_buffer.get(), out = result.get();
  uint64_t trajectories = threads_;
  auto index = static_cast<uint32_t>(variable);
  void* arguments[] = {&memory, &trajectories, &place, &unit, &out, &index};
  check(driver_.launch(functions_.moments, static_cast<unsigned>(moments.size()), 1, 1, threads, 1, 1,
                       threads * sizeof(double), queue_->stream, arguments, nullptr),
        "moments");
  check(driver_.stream_synchronize(queue_->stream), "moments");
  check(driver_.copy_to_host(moments.data(), result.get(), moments.size() * sizeof(BundleMoments)), "moments");
  return moments;
}

}  // namespace bmsim::cuda
