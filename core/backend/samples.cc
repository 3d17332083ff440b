// Sums over recorded paths on the host. kernels/cuda/samples.h does the same on a GPU, in the same order.
#include "backend/samples.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "interruption.h"

namespace bmsim {

namespace {

constexpr size_t threads = 256;  // as many partial sums as a block of the GPU's kernels has threads

template <size_t N> double tree_sum(std::array<double, N>& partial) {
  for (size_t half = N / 2; half > 0; half /= 2)
    for (size_t t = 0; t < half; ++t) partial[t] += partial[t + half];
  return partial[0];
}

// Fused multiply-adds, as on a GPU; on x86 a single instruction if the processor has it.
#ifdef __x86_64__
__attribute__((target_clones("default", "fma")))
#endif
void add_products(double* sums, const double* a, const double* b, double centre, size_t count) {
  for (size_t t = 0; t < count; ++t) sums[t] = std::fma(a[t] - centre, b[t] - centre, sums[t]);
}

/// Sums over i < n of the N numbers that f(i, terms) sets.
template <size_t N, class F> std::array<double, N> sums(size_t n, F f) {
  check_interruption();
  std::array<std::array<double, threads>, N> partial{};
  for (size_t i = 0; i < n; ++i) {
    double terms[N];
    f(i, terms);
    for (size_t k = 0; k < N; ++k) partial[k][i % threads] += terms[k];
  }
  std::array<double, N> total{};
  for (size_t k = 0; k < N; ++k) total[k] = tree_sum(partial[k]);
  return total;
}

}  // namespace

void HostSamples::evaluate(const RecordedFormula& formula, size_t marks) {
  std::vector<const double*> numbers(formula.recorded);
  for (size_t mark = 0; mark < marks; ++mark) {
    check_interruption();
    double* first = data_ + mark * formula.values * stride_;
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = first + i * stride_;
    double* values = first + formula.value * stride_;
    formula.on_host(numbers, paths(), values);
    for (size_t path = 0; path < paths(); ++path)
      if (std::isnan(first[path])) values[path] = first[path];
  }
}

std::vector<double> HostSamples::row(uint32_t row, size_t count) const {
  return {data_ + row * stride_, data_ + row * stride_ + count};
}

std::vector<double> HostSamples::powers(const Rows& rows, const Rows& from, const std::vector<double>& centres,
                                        size_t groups) const {
  std::vector<double> all;
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t g = 0; g < groups; ++g) {
      const auto to = part(rows[r], g), begin = from.empty() ? to : part(from[r], g);
      const bool moved = !from.empty();
      const auto four = sums<4>(to.size(), [&](size_t i, double(&powers)[4]) {
        bmsim_abi::set_powers((moved ? to[i] - begin[i] : to[i]) - centres[r], powers);
      });
      all.insert(all.end(), four.begin(), four.end());
    }
  return all;
}

std::vector<double> HostSamples::absolute(const Rows& rows, uint32_t from, double q) const {
  std::vector<double> all;
  for (const uint32_t row : rows)
    for (size_t g = 0; g < groups(); ++g) {
      const auto to = part(row, g), begin = part(from, g);
      all.push_back(sums<1>(to.size(), [&](size_t i, double(&term)[1]) {
        term[0] = bmsim_abi::power(std::abs(to[i] - begin[i]), q);
      })[0]);
    }
  return all;
}

std::vector<uint64_t> HostSamples::histogram(const Rows& a, const Bins& of_a, const Rows& b, const Bins& of_b,
                                             size_t per_slot, uint32_t from) const {
  const size_t cells = size_t{of_a.count} * of_b.count;
  std::vector<uint64_t> all((a.size() + per_slot - 1) / per_slot * groups() * cells);
  for (size_t r = 0; r < a.size(); ++r)
    for (size_t g = 0; g < groups(); ++g) {
      check_interruption();
      uint64_t* counts = &all[(r / per_slot * groups() + g) * cells];
      const auto x = part(a[r], g), y = b.empty() ? x : part(b[r], g);
      const double* begin = from == no_row ? nullptr : part(from, g).data();
      for (size_t i = 0; i < x.size(); ++i) {
        const uint32_t column = bin_of(begin != nullptr ? x[i] - begin[i] : x[i], of_a),
                       line = b.empty() ? 0 : bin_of(y[i], of_b);
        if (column < of_a.count && line < of_b.count) counts[line * of_a.count + column] += 1;
      }
    }
  return all;
}

std::vector<double> HostSamples::products(const Rows& rows, double centre, size_t lags) const {
  std::vector<double> all(lags * groups());
  for (size_t g = 0; g < groups(); ++g)
    for (size_t lag = 0; lag < lags; ++lag)
      for (size_t begin = 0; begin < size_of(g); begin += product_chunk) {
        check_interruption();
        std::array<double, product_threads> partial{};
        const size_t end = std::min(begin + product_chunk, size_of(g));
        for (size_t first = begin; first < end; first += product_threads)
          for (size_t k = 0; k + lag < rows.size(); ++k) {
            const double *a = part(rows[k], g).data() + first, *b = part(rows[k + lag], g).data() + first;
            add_products(partial.data(), a, b, centre, std::min(product_threads, end - first));
          }
        all[lag * groups() + g] += tree_sum(partial);
      }
  return all;
}

std::vector<int64_t> HostSamples::crossings(const Rows& rows, size_t count) const {
  std::vector<int64_t> all((rows.size() - 1) * groups() * count);
  for (size_t r = 0; r + 1 < rows.size(); ++r)
    for (size_t g = 0; g < groups(); ++g) {
      const auto before = part(rows[r], g), after = part(rows[r + 1], g);
      for (size_t place = 0; place < count; ++place) {
        check_interruption();
        const double offset = 0.5 - static_cast<double>(place) / static_cast<double>(count);
        double sum = 0;  // a sum of integers: exact
        for (size_t i = 0; i < before.size(); ++i)
          sum += std::floor(after[i] + offset) - std::floor(before[i] + offset);
        all[(r * groups() + g) * count + place] = static_cast<int64_t>(sum);
      }
    }
  return all;
}

}  // namespace bmsim
