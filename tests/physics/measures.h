// What physics tests take from samples, beside ensemble.h: runs by the clock, cumulants, fractions of a law.
#pragma once
#include <algorithm>
#include <cmath>

#include "ensemble.h"

namespace bmsim::test {

inline RunOptions timed_run(double dt, double time, double transient, uint64_t paths) {
  RunOptions run = options();
  run.dt = dt;
  run.time = time;
  run.transient = transient;
  run.paths = paths;
  return run;
}

/// Of two independent estimates.
inline Estimate difference(const Estimate& a, const Estimate& b) {
  return {a.value - b.value, std::hypot(a.error, b.error)};
}

inline std::vector<double> displacements(const Sample& run) {
  std::vector<double> d(run.start.size());
  for (size_t i = 0; i < d.size(); ++i) d[i] = run.end[i] - run.start[i];
  return d;
}

/// Cumulants with standard errors, from those of equal batches: k-statistics (Fisher 1929), unbiased in each batch.
struct BatchedCumulants {
  Estimate mean, variance, third, fourth;
};
inline BatchedCumulants cumulants(const std::vector<double>& x, size_t batches = 64) {
  std::vector<double> k[4];
  const size_t size = x.size() / batches;
  const double n = static_cast<double>(size);
  for (size_t b = 0; b < batches; ++b) {
    const auto* first = &x[b * size];
    double centre = 0, m2 = 0, m3 = 0, m4 = 0;  // central moments
    for (size_t i = 0; i < size; ++i) centre += first[i] / n;
    for (size_t i = 0; i < size; ++i) {
      const double d = first[i] - centre, square = d * d;
      m2 += square / n;
      m3 += d * square / n;
      m4 += square * square / n;
    }
    k[0].push_back(centre);
    k[1].push_back(m2 * n / (n - 1));
    k[2].push_back(m3 * n * n / ((n - 1) * (n - 2)));
    k[3].push_back(n * n * ((n + 1) * m4 - 3 * (n - 1) * m2 * m2) / ((n - 1) * (n - 2) * (n - 3)));
  }
  return {mean(k[0]), mean(k[1]), mean(k[2]), mean(k[3])};
}

/// Largest difference between the fraction of x below a value and law(value), times the root of their number: above
/// 2.28 once in 16000 samples of the law, as often as 4 standard errors (Kolmogorov 1933).
template <class Law> double kolmogorov_smirnov(std::vector<double> x, Law law) {
  std::sort(x.begin(), x.end());
  const double n = static_cast<double>(x.size());
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double expected = law(x[i]), below = static_cast<double>(i) / n;
    largest = std::max({largest, expected - below, below + 1 / n - expected});
  }
  return largest * std::sqrt(n);
}
constexpr double kolmogorov_bound = 2.28;

/// Distribution function of the normal law.
inline double normal_law(double x, double centre, double variance) {
  return std::erfc((centre - x) / std::sqrt(2 * variance)) / 2;
}

}  // namespace bmsim::test
