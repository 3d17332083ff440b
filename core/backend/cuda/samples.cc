#include "backend/cuda/samples.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace bmsim::cuda {

namespace {

constexpr size_t sums_bytes = 256 * sizeof(double);
constexpr size_t most_shared_cells = 12288;  // 48 KiB, which every GPU has
constexpr size_t least_counted = 2048;  // fewest numbers, and no fewer than its cells, for which one per block pays

/// Threads of a block that adds up as many numbers: those of backend/samples.cc, without those that would add zeros.
size_t threads_for(size_t numbers) { return std::clamp<size_t>(std::bit_ceil(numbers), 32, 256); }

}  // namespace

DevicePointer Scratch::at_least(size_t slot, size_t bytes) {
  Slot& cached = slots_.at(slot);
  if (cached.buffer == nullptr || cached.bytes < bytes) {
    cached.buffer.reset();
    cached.buffer = std::make_unique<Buffer>(driver_, bytes, "sums over recordings");
    cached.bytes = bytes;
  }
  return cached.buffer->get();
}

CudaSamples::CudaSamples(const Driver& driver, Queue& queue, const SampleFunctions& functions, Scratch& scratch,
                         DevicePointer data, uint64_t stride, size_t paths)
    : Samples(paths),
      driver_(driver),
      queue_(queue),
      functions_(functions),
      scratch_(scratch),
      recorded_{data, stride, paths, groups()} {}

template <class Number>
std::vector<Number> CudaSamples::reduce(Function function, const Grid& grid, size_t size, size_t out,
                                        std::vector<void*> arguments, size_t shared) const {
  std::vector<Number> result(size);
  if (size == 0) return result;
  DevicePointer to = scratch_.at_least(0, size * sizeof(Number));
  check(driver_.fill_async(to, 0, size * sizeof(Number) / 4, queue_.stream), "reduction");
  arguments[0] = &recorded_;
  arguments[out] = &to;
  const auto n = [](size_t number) { return static_cast<unsigned>(number); };
  check(driver_.launch(function, n(grid.x), n(grid.y), n(grid.z), n(grid.threads), n(grid.lines), 1, n(shared),
                       queue_.stream, arguments.data(), nullptr),
        "reduction");
  const size_t bytes = size * sizeof(Number);
  const bool small = bytes <= Queue::room_bytes;
  if (small) check(driver_.copy_to_host_async(queue_.room, to, bytes, queue_.stream), "reduction");
  check(driver_.stream_synchronize(queue_.stream), "reduction");
  if (small)
    std::memcpy(result.data(), queue_.room, bytes);
  else
    check(driver_.copy_to_host(result.data(), to, bytes), "reduction");
  return result;
}

void CudaSamples::evaluate(const RecordedFormula& formula, size_t marks) {
  if (marks == 0) return;
  const auto address = [](DevicePointer pointer, auto number) { return reinterpret_cast<decltype(number)*>(pointer); };
  bmsim_abi::FormulaLaunch launch{
      .operations = address(on_device(1, formula.operations), bmsim_abi::FormulaOperation()),
      .arguments = address(on_device(2, formula.arguments), bmsim_abi::FormulaArgument()),
      .inputs = address(on_device(3, formula.inputs), double()),
      .count = static_cast<uint32_t>(formula.operations.size()),
      .recorded = formula.recorded,
      .values = formula.values,
      .value = formula.value};
  constexpr unsigned threads = 256;
  constexpr size_t most_parts = 65535;
  const size_t parts = std::min((paths() + threads - 1) / threads, most_parts);
  void* arguments[] = {&recorded_, &launch};
  check(driver_.launch(functions_.formula, static_cast<unsigned>(marks), static_cast<unsigned>(parts), 1, threads, 1, 1,
                       0, queue_.stream, arguments, nullptr),
        "formulas");
  check(driver_.stream_synchronize(queue_.stream), "formulas");
}

std::vector<double> CudaSamples::row(uint32_t row, size_t count) const {
  std::vector<double> numbers(count);
  const DevicePointer from = recorded_.data + row * recorded_.stride * sizeof(double);
  check(driver_.copy_to_host(numbers.data(), from, count * sizeof(double)), "samples");
  return numbers;
}

std::vector<double> CudaSamples::powers(const Rows& rows, const Rows& from, const std::vector<double>& centres,
                                        size_t groups) const {
  DevicePointer to = on_device(1, rows), begin = from.empty() ? 0 : on_device(2, from), centre = on_device(3, centres);
  return reduce<double>(functions_.powers, {.x = rows.size(), .y = groups, .threads = threads_for(largest_group())},
                        rows.size() * groups * 4, 4, {nullptr, &to, &begin, &centre, nullptr}, sums_bytes);
}

std::vector<double> CudaSamples::absolute(const Rows& rows, uint32_t from, double q) const {
  DevicePointer to = on_device(1, rows);
  return reduce<double>(functions_.absolute, {.x = rows.size(), .y = groups(), .threads = threads_for(largest_group())},
                        rows.size() * groups(), 4, {nullptr, &to, &from, &q, nullptr}, sums_bytes);
}

std::vector<uint64_t> CudaSamples::histogram(const Rows& a, const Bins& of_a, const Rows& b, const Bins& of_b,
                                             size_t per_slot, uint32_t from) const {
  const size_t cells = size_t{of_a.count} * of_b.count, slots = (a.size() + per_slot - 1) / per_slot;
  const bool in_shared = cells <= most_shared_cells;
  const size_t least = in_shared ? std::max(least_counted, cells) : least_counted;
  uint64_t parts = std::clamp<uint64_t>(per_slot * size_of(0) / least, 1, per_slot);
  uint64_t rows = a.size(), length = per_slot;
  uint32_t shared = in_shared ? 1 : 0;
  DevicePointer x = on_device(1, a), y = b.empty() ? 0 : on_device(2, b);
  Bins of_x = of_a, of_y = of_b;
  return reduce<uint64_t>(functions_.histogram, {.x = slots * parts, .y = groups()}, slots * groups() * cells, 10,
                          {nullptr, &x, &of_x, &y, &of_y, &rows, &length, &parts, &shared, &from, nullptr},
                          in_shared ? cells * sizeof(uint32_t) : 0);
}

std::vector<double> CudaSamples::products(const Rows& rows, double centre, size_t lags) const {
  constexpr size_t lags_of_thread = 13, most_lines = 4;            // LAGS and PRODUCT_LINES of kernels/cuda/samples.h
  constexpr size_t most_near = 8192, most_sums = size_t{1} << 22;  // rows that fit into shared memory; sums at a time
  const size_t chunks = (largest_group() + product_chunk - 1) / product_chunk;
  const size_t at_once = std::clamp<size_t>(most_sums / (groups() * chunks), 1, lags);
  DevicePointer to = on_device(1, rows);
  uint64_t count = rows.size();
  uint32_t near = count <= most_near ? 1 : 0;
  std::vector<double> results;
  results.reserve(lags * groups());
  for (uint64_t first = 0; first < lags; first += at_once) {
    uint64_t lags_now = std::min<uint64_t>(at_once, lags - first);
    const size_t tiles = (lags_now + lags_of_thread - 1) / lags_of_thread, lines = std::min(tiles, most_lines);
    const Grid grid{
        .x = (tiles + lines - 1) / lines, .y = groups(), .z = chunks, .threads = product_threads, .lines = lines};
    const size_t shared = product_threads * lines * sizeof(double) + (near != 0 ? count * sizeof(uint32_t) : 0);
    const auto sums = reduce<double>(functions_.products, grid, lags_now * groups() * chunks, 7,
                                     {nullptr, &to, &count, &centre, &first, &lags_now, &near, nullptr}, shared);
    for (size_t i = 0; i < sums.size(); i += chunks) {
      double sum = 0;
      for (size_t chunk = 0; chunk < chunks; ++chunk) sum += sums[i + chunk];
      results.push_back(sum);
    }
  }
  return results;
}

std::vector<int64_t> CudaSamples::crossings(const Rows& rows, size_t count) const {
  DevicePointer to = on_device(1, rows);
  uint64_t places = count;
  const Grid grid{.x = rows.size() - 1, .y = groups()};
  return reduce<int64_t>(functions_.crossings, grid, grid.x * grid.y * count, 3, {nullptr, &to, &places, nullptr}, 0);
}

}  // namespace bmsim::cuda
