// The trajectories of a batch on a GPU.
#pragma once
#include "backend/backend.h"
#include "backend/cuda/queue.h"
#include "backend/cuda/samples.h"

namespace bmsim::cuda {

/// The kernels of kernels/cuda/entry.h.
struct Functions {
  Function start = nullptr, advance = nullptr, window = nullptr, moments = nullptr;
  SampleFunctions samples;
};

constexpr unsigned brief_block = 128;  ///< threads per block of short kernels

class CudaEnsemble : public Ensemble {
 public:
  /// block: threads per block of bm_advance. shared: bytes of shared memory per thread. With mean fields a share is one
  /// block, or several.
  CudaEnsemble(const Driver& driver, Queues& queues, const Functions& functions, const KernelLayout& layout,
               unsigned block, unsigned shared, Batch batch);

  void start() override;
  /// Keeps two launches in flight: returns when the earlier one is done, with its result.
  bool advance(uint64_t blocks) override;
  std::string save() override;
  void restore(std::string_view state) override;
  void window(std::span<const WindowTarget> targets) const override;
  std::optional<bool> diverged() const override;
  std::vector<BundleMoments> moments(std::span<const Bundle> bundles, std::span<const PartUnits> units,
                                     size_t variable) const override;
  std::unique_ptr<Samples> samples(size_t first, size_t paths) override;
  std::vector<int64_t> sums(size_t share) const override;
  double device_seconds() const override { return seconds_; }

 private:
  void launch(Function function, unsigned block, unsigned shared, void** arguments, const char* what) const;
  void launch_advance(void** arguments);
  bmsim_abi::Grid grid() const;
  void finish(unsigned slot);
  template <class Use> void for_each_state(Use use);
  DevicePointer any_diverged() const { return flags_.get() + 2 * sizeof(uint32_t); }

  const Driver& driver_;
  Functions functions_;
  unsigned block_, shared_;
  uint64_t threads_, seed_, done_ = 0;
  uint64_t marks_per_point_, sums_per_share_;
  size_t memory_bytes_, samples_bytes_, path_values_;
  Buffer memory_, parameters_, groups_;
  Buffer flags_;  ///< `more` of each launch in flight; whether any trajectory has diverged
  Buffer marks_, samples_, sums_;
  uint32_t system_blocks_;       ///< number of blocks that form a share with mean fields; else 0
  Buffer field_sums_, arrived_;  ///< for shares of several blocks, see bmsim_abi::SystemBlocks
  size_t shares_;
  mutable Scratch scratch_;
  struct GiveBack {
    Queues* queues;
    void operator()(Queue* queue) const { queues->give_back(std::unique_ptr<Queue>(queue)); }
  };
  std::unique_ptr<Queue, GiveBack> queue_;
  unsigned launches_ = 0;
  double seconds_ = 0;
};

}  // namespace bmsim::cuda
