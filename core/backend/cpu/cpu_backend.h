// The CPU back end: kernels are shared objects made by the system's compiler, groups of SIMD lanes spread over threads.
#pragma once
#include "backend/backend.h"
#include "backend/cpu/compiler.h"
#include "backend/cpu/thread_pool.h"

namespace bmsim {

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(unsigned threads) : pool_(threads) {}
  std::string name() const override { return "cpu"; }
  std::string kind() const override { return "cpu"; }
  KernelShape shape(uint64_t paths, bool double_precision, bool brief) const override;
  uint64_t memory_bytes() const override;
  bool queues_launches() const override { return false; }
  std::unique_ptr<Kernel> compile(const std::string& source, const std::string& keep, bool brief) override;
  double recorded_rate(const std::string& source, bool brief) const override;

 private:
  ThreadPool pool_;
};

}  // namespace bmsim
