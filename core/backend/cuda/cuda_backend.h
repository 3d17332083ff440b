// The CUDA back end: kernels are cubins built by NVRTC, one thread per trajectory, two launches in flight.
#pragma once
#include "backend/backend.h"
#include "backend/cuda/queue.h"

namespace bmsim {

class CudaBackend : public Backend {
 public:
  /// Throws Error (status device) if there is no such device or no driver.
  explicit CudaBackend(int ordinal);
  /// Number of GPUs. Throws Error (status device) if there is no driver.
  static int count();

  /// Throws Error (status device) if NVRTC is missing or does not compile for this GPU.
  void check_compiler() const;
  std::string name() const override { return name_; }
  std::string kind() const override { return model_; }
  KernelShape shape(uint64_t, bool, bool) const override { return {true, 1}; }
  uint64_t memory_bytes() const override;
  bool queues_launches() const override { return true; }
  std::unique_ptr<Kernel> compile(const std::string& source, const std::string& keep, bool brief) override;
  double recorded_rate(const std::string& source, bool brief) const override;

 private:
  std::string key(const std::string& source) const;
  const cuda::Driver& driver_;
  cuda::Device device_ = 0;
  cuda::Pool pool_ = nullptr;  // of device memory
  cuda::Context context_ = nullptr;
  cuda::Queues* queues_ = nullptr;  // of the context
  std::string name_, model_;
  int architecture_ = 0;  // 90 for sm_90
  cuda::Processors processors_;
};

}  // namespace bmsim
