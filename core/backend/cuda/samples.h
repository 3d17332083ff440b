// Recordings of the trajectories of a batch on a GPU, reduced there.
#pragma once
#include <array>
#include <memory>

#include "backend/cuda/queue.h"
#include "backend/samples.h"

namespace bmsim::cuda {

/// The kernels of kernels/cuda/samples.h; null if nothing is recorded.
struct SampleFunctions {
  Function powers = nullptr, absolute = nullptr, histogram = nullptr, products = nullptr, crossings = nullptr;
  Function formula = nullptr;  // of kernels/cuda/formulas.h; null if there is none
};

/// Device memory for arguments and results of reductions, reused between them.
class Scratch {
 public:
  explicit Scratch(const Driver& driver) : driver_(driver) {}
  /// At least `bytes` bytes; the previous content may be lost.
  DevicePointer at_least(size_t slot, size_t bytes);
  template <class Number> DevicePointer copy_of(size_t slot, std::span<const Number> numbers, Stream stream) {
    const DevicePointer to = at_least(slot, numbers.size() * sizeof(Number));
    if (!numbers.empty())
      check(driver_.copy_to_device_async(to, numbers.data(), numbers.size() * sizeof(Number), stream), "reduction");
    return to;
  }

 private:
  struct Slot {
    std::unique_ptr<Buffer> buffer;
    size_t bytes = 0;
  };
  const Driver& driver_;
  std::array<Slot, 4> slots_;
};

class CudaSamples : public Samples {
 public:
  /// data: of the first path; row r begins at data + 8 r stride.
  CudaSamples(const Driver& driver, Queue& queue, const SampleFunctions& functions, Scratch& scratch,
              DevicePointer data, uint64_t stride, size_t paths);
  void evaluate(const RecordedFormula& formula, size_t marks) override;
  std::vector<double> row(uint32_t row, size_t count) const override;
  std::vector<double> powers(const Rows& rows, const Rows& from, const std::vector<double>& centres,
                             size_t groups) const override;
  std::vector<double> absolute(const Rows& rows, uint32_t from, double q) const override;
  std::vector<uint64_t> histogram(const Rows& a, const Bins& of_a, const Rows& b, const Bins& of_b, size_t per_slot,
                                  uint32_t from) const override;
  std::vector<double> products(const Rows& rows, double centre, size_t lags) const override;
  std::vector<int64_t> crossings(const Rows& rows, size_t count) const override;

 private:
  /// As kernels/cuda/samples.h has it.
  struct Recorded {
    DevicePointer data;
    uint64_t stride, paths, groups;
  };
  struct Grid {
    size_t x, y, z = 1;
    size_t threads = 256, lines = 1;  ///< of a block; backend/samples.cc adds in the same order
  };
  /// Runs a kernel that writes `size` numbers to the address in arguments[out].
  template <class Number>
  std::vector<Number> reduce(Function function, const Grid& grid, size_t size, size_t out, std::vector<void*> arguments,
                             size_t shared) const;

  template <class Number> DevicePointer on_device(size_t slot, const std::vector<Number>& numbers) const {
    return scratch_.copy_of(slot, std::span(numbers), queue_.stream);
  }
  template <class Number> DevicePointer on_device(size_t slot, std::span<const Number> numbers) const {
    return scratch_.copy_of(slot, numbers, queue_.stream);
  }
  size_t largest_group() const { return (paths() + groups() - 1) / groups(); }

  const Driver& driver_;
  Queue& queue_;
  SampleFunctions functions_;
  Scratch& scratch_;
  mutable Recorded recorded_;
};

}  // namespace bmsim::cuda
