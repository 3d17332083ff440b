#include "backend/cuda/samples.h"

#include <algorithm>

namespace bmsim::cuda {

namespace {

constexpr unsigned threads = 256;  // backend/samples.cc adds in the same order
constexpr unsigned sums_bytes = threads * sizeof(double);
constexpr size_t most_shared_cells = 12288;  // 48 KiB, which every GPU has
constexpr size_t least_counted = 8192;       // numbers that make a block's histogram worth while

}  // namespace

DevicePointer Scratch::at_least(size_t slot, size_t bytes) {
  Slot& one = slots_.at(slot);
  if (one.buffer == nullptr || one.bytes < bytes) {
    one.buffer.reset();
    one.buffer = std::make_unique<Buffer>(driver_, bytes, "memory for a reduction");
    one.bytes = bytes;
  }
  return one.buffer->get();
}

CudaSamples::CudaSamples(const Driver& driver, Stream stream, const SampleFunctions& functions, Scratch& scratch,
                         DevicePointer data, uint64_t stride, size_t paths)
    : Samples(paths),
      driver_(driver),
      stream_(stream),
      functions_(functions),
      scratch_(scratch),
      recorded_{data, stride, paths, groups()} {}

template <class Number>
std::vector<Number> CudaSamples::reduce(Function function, size_t blocks, size_t lines, size_t size, size_t out,
                                        std::vector<void*> arguments, unsigned shared) const {
  std::vector<Number> result(size);
  if (size == 0) return result;
  DevicePointer to = scratch_.at_least(0, size * sizeof(Number));
  check(driver_.fill_async(to, 0, size * sizeof(Number) / 4, stream_), "reduction");
  arguments[0] = &recorded_;
  arguments[out] = &to;
  check(driver_.launch(function, static_cast<unsigned>(blocks), static_cast<unsigned>(lines), 1, threads, 1, 1,
                       shared, stream_, arguments.data(), nullptr),
        "reduction");
  check(driver_.stream_synchronize(stream_), "reduction");
  check(driver_.copy_to_host(result.data(), to, size * sizeof(Number)), "reduction");
  return result;
}

std::vector<double> CudaSamples::row(uint32_t row, size_t count) const {
  std::vector<double> numbers(count);
  const DevicePointer from = recorded_.data + row * recorded_.stride * sizeof(double);
  check(driver_.copy_to_host(numbers.data(), from, count * sizeof(double)), "samples");
  return numbers;
}

std::vector<double> CudaSamples::powers(const Rows& rows, const Rows& from, const std::vector<double>& centres,
                                        size_t groups) const {
  DevicePointer to = scratch_.copy_of(1, rows, stream_), begin = from.empty() ? 0 : scratch_.copy_of(2, from, stream_),
                centre = scratch_.copy_of(3, centres, stream_);
  return reduce<double>(functions_.powers, rows.size(), groups, rows.size() * groups * 4, 4,
                        {nullptr, &to, &begin, &centre, nullptr}, sums_bytes);
}

std::vector<double> CudaSamples::absolute(const Rows& rows, uint32_t from, double q) const {
  DevicePointer to = scratch_.copy_of(1, rows, stream_);
  return reduce<double>(functions_.absolute, rows.size(), groups(), rows.size() * groups(), 4,
                        {nullptr, &to, &from, &q, nullptr}, sums_bytes);
}

std::vector<uint64_t> CudaSamples::histogram(const Rows& a, const Bins& of_a, const Rows& b, const Bins& of_b,
                                             size_t per_slot) const {
  const size_t cells = size_t{of_a.count} * of_b.count, slots = (a.size() + per_slot - 1) / per_slot;
  const bool in_shared = cells <= most_shared_cells;
  uint64_t parts = std::clamp<uint64_t>(per_slot * size_of(0) / least_counted, 1, per_slot);
  uint64_t rows = a.size(), length = per_slot;
  uint32_t shared = in_shared ? 1 : 0;
  DevicePointer x = scratch_.copy_of(1, a, stream_), y = b.empty() ? 0 : scratch_.copy_of(2, b, stream_);
  Bins of_x = of_a, of_y = of_b;
  return reduce<uint64_t>(functions_.histogram, slots * parts, groups(), slots * groups() * cells, 9,
                          {nullptr, &x, &of_x, &y, &of_y, &rows, &length, &parts, &shared, nullptr},
                          in_shared ? static_cast<unsigned>(cells * sizeof(uint32_t)) : 0);
}

std::vector<double> CudaSamples::products(const Rows& rows, double centre, size_t lags) const {
  constexpr size_t tile = 16, most_near = 8192;  // rows whose places fit into shared memory
  DevicePointer to = scratch_.copy_of(1, rows, stream_);
  uint64_t count = rows.size(), wanted = lags;
  uint32_t near = count <= most_near ? 1 : 0;
  return reduce<double>(functions_.products, (lags + tile - 1) / tile, groups(), lags * groups(), 6,
                        {nullptr, &to, &count, &centre, &wanted, &near, nullptr},
                        sums_bytes + (near != 0 ? static_cast<unsigned>(count * sizeof(uint32_t)) : 0));
}

std::vector<int64_t> CudaSamples::crossings(const Rows& rows, size_t count) const {
  DevicePointer to = scratch_.copy_of(1, rows, stream_);
  uint64_t places = count;
  return reduce<int64_t>(functions_.crossings, rows.size() - 1, groups(), (rows.size() - 1) * groups() * count, 3,
                         {nullptr, &to, &places, nullptr}, 0);
}

}  // namespace bmsim::cuda
