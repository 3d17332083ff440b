// Estimates that are not linear, from many small shares; what tells how long paths remember.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "engine/estimates.h"
#include "engine/run.h"
#include "plan/transient_check.h"

using namespace bmsim;

TEST_CASE("pooled numbers: a ratio of means over small shares has the bias and the error of all paths") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  PoolSums sums;
  double of_ratios = 0;
  constexpr size_t shares = 4000, paths = 8;
  for (size_t k = 0; k < shares; ++k) {
    double a = 0, b = 0;
    for (size_t i = 0; i < paths; ++i) a += (2 + normal(random)) / paths, b += (1 + 0.5 * normal(random)) / paths;
    sums.add({{a, b}});
    of_ratios += a / b / shares;
  }
  const Estimate ratio = sums.of(0, paths).function([](const std::vector<double>& x) { return x[0] / x[1]; });
  CHECK(ratio.error == doctest::Approx(std::sqrt((1 + 4 * 0.25) / (shares * paths))).epsilon(0.05));
  CHECK(std::abs(ratio.value - 2) < 4 * ratio.error);
  CHECK(of_ratios - 2 > 5 * ratio.error);
  PoolSums few;
  few.add({{1, 2}});
  few.add({{3, 4}});
  CHECK(few.of(0, 1).covariance.empty());
  CHECK(few.of(0, 1).mean == std::vector<double>{2, 3});
  CHECK(few.of(0, 1, 2).of(0, 1) == 1);
}

TEST_CASE("check of memory: the length of halves from their correlation") {
  for (const double y : {0.01, 0.3, 1.0, 5.0, 100.0}) {
    const double gone = 1 - std::exp(-y);
    CHECK(halves_in_memory(gone * gone / (2 * (y - gone))) == doctest::Approx(y).epsilon(1e-6));
  }
}

TEST_CASE("transient = \"auto\": what still moves") {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  size_t alarms = 0;
  for (int run = 0; run < 1000; ++run) {
    std::vector<double> series(100);
    for (double& one : series) one = normal(random);
    alarms += still_moves(series) ? 1 : 0;
  }
  CHECK(alarms < 4);
  std::vector<double> falls(100);
  for (size_t i = 0; i < falls.size(); ++i)
    falls[i] = 3 * std::exp(-0.02 * static_cast<double>(i)) + 0.3 * normal(random);
  CHECK(still_moves(falls));
}
