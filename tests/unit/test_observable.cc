// Observables on windows made by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "message_of.h"
#include "observe/observable.h"

using namespace bmsim;

namespace {

Estimate estimate(const char* name, const std::vector<double>& start, const std::vector<double>& end, double duration) {
  std::vector<Estimate> columns;
  std::vector<std::vector<double>> arrays;
  const PointFacts facts{{}, 1, 0, duration, 1, 0, 0, true};
  const HostSamples nothing(nullptr, 0, start.size());
  const WindowMoments of_all = moments({start, end, {}, {}, duration, 1}, 0, start.size());
  const Measured measured{facts, of_all, {nothing, {}, {}, {}}, {}};
  make_observable({name, {}})->measure(measured, columns, arrays);
  return columns.at(0);
}

}  // namespace

TEST_CASE("Mean: s / sqrt(n), and no error from fewer than 12 values") {
  std::vector<double> twelve(12, 3);
  twelve[0] = 1, twelve[11] = 5;
  const Estimate all = mean(twelve);
  CHECK(all.value == 3);
  CHECK(all.error == doctest::Approx(std::sqrt(8.0 / 11 / 12)));
  twelve.pop_back();
  CHECK(std::isnan(mean(twelve).error));
}

TEST_CASE("Mean: a large offset costs no digits") {
  std::vector<double> far(12, 1e9 + 2);
  far[3] = 1e9 + 1, far[4] = 1e9 + 3;
  CHECK(mean(far).value == 1e9 + 2);
  CHECK(mean(far).error == doctest::Approx(std::sqrt(2.0 / 11 / 12)));
}

TEST_CASE("Moments of bundles, put together, are those of all paths, also where bundles lie far apart") {
  const size_t n = 3 * bundle_paths + 17;
  std::vector<double> start(n), end(n), sum(n), middle(n), middle_time(n, 40);
  for (size_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    start[i] = 3 * std::sin(x) + (i < 1500 ? 1000 : -200);
    end[i] = start[i] + 2 * std::cos(3 * x) + std::sin(x) + x / 50;
    sum[i] = std::sin(2 * x) + end[i] / 10, middle[i] = start[i] + std::cos(x);
  }
  const Window window{.start = start,
                      .end = end,
                      .velocity = {},
                      .sum = sum,
                      .duration = 1,
                      .steps = 100,
                      .transient_steps = 0,
                      .total_steps = 100,
                      .middle = middle,
                      .middle_time = middle_time};
  std::vector<WindowMoments> bundles;
  std::vector<HalfMoments> half_bundles;
  for (size_t path = 0; path < n; path += bundle_paths) {
    bundles.push_back(moments(window, path, std::min(bundle_paths, n - path)));
    half_bundles.push_back(halves(window, path, std::min(bundle_paths, n - path)));
  }
  CHECK(bundles.size() == 4);
  // All members are numbers.
  // but_last: numbers that are of each bundle, with its own means.
  const auto check_same = [](const auto& all, const auto& at_once, size_t but_last = 0) {
    typedef std::array<double, sizeof all / sizeof(double)> Numbers;
    const auto numbers = std::bit_cast<Numbers>(all), expected = std::bit_cast<Numbers>(at_once);
    for (size_t i = 0; i + but_last < numbers.size(); ++i) {
      CAPTURE(i);
      CHECK(numbers[i] == doctest::Approx(expected[i]).epsilon(1e-11));
    }
  };
  check_same(together(bundles), moments(window, 0, n));
  check_same(together(half_bundles), halves(window, 0, n), 1);
  double products = 0;
  for (const HalfMoments& one : half_bundles) products += one.product_squares;
  CHECK(together(half_bundles).product_squares == doctest::Approx(products));
}

TEST_CASE("Velocity: displacement over the window's duration") {
  std::vector<double> start(12), end(12);
  for (size_t i = 0; i < 12; ++i) start[i] = static_cast<double>(i), end[i] = start[i] + 4 + (i % 2 == 0 ? 2 : -2);
  const Estimate v = estimate("velocity", start, end, 2);
  CHECK(v.value == 2);
  CHECK(v.error == doctest::Approx(std::sqrt(12.0 / 11 / 12)));
}

TEST_CASE("Diffusion: growth of the unbiased variance over twice the duration") {
  // Var 1 at the start, 4 at the end, in a time 3
  const Estimate D = estimate("diffusion", {-1, 0, 1}, {8, 10, 12}, 3);
  CHECK(D.value == doctest::Approx((4.0 - 1.0) / 6));
  CHECK(std::isnan(D.error));  // of three paths
  CHECK(std::isnan(estimate("diffusion", {0}, {1}, 1).value));
}

TEST_CASE("Peclet number: the jackknife's error, for displacements whose spread goes with their size") {
  const size_t n = 500;
  std::vector<double> start(n), end(n);
  for (size_t i = 0; i < n; ++i) end[i] = -std::log((static_cast<double>(i) + 0.5) / static_cast<double>(n));
  const Estimate all = estimate("peclet", start, end, 2);
  double sum = 0, squares = 0;
  for (size_t without = 0; without < n; ++without) {
    std::vector<double> rest = end;
    rest.erase(rest.begin() + static_cast<ptrdiff_t>(without));
    const double d = estimate("peclet", std::vector<double>(n - 1), rest, 2).value - all.value;
    sum += d;
    squares += d * d;
  }
  CHECK(all.error == doctest::Approx(std::sqrt((squares - sum * sum / n) * (n - 1) / n)).epsilon(0.03));
  std::vector<double> back = end;
  for (double& x : back) x = -x;
  CHECK(estimate("peclet", start, back, 2).value == doctest::Approx(-all.value));
  CHECK(std::isnan(estimate("peclet", start, start, 2).value));  // D = 0
}

TEST_CASE("Observables: an unknown name lists the known ones") {
  CHECK(test::message_of([] {
          make_observable({"speed", {}});
        }).starts_with("observe: unknown observable 'speed'; known: velocity, diffusion, "));
}

namespace {

/// mean, variance, fraction censored of these times in a run of that length; negative: not passed
std::vector<Estimate> passage(const std::vector<double>& times, double end, std::vector<double>* density = nullptr) {
  std::vector<Estimate> columns;
  std::vector<std::vector<double>> arrays;
  const HostSamples nothing(nullptr, 0, times.size());
  Window window{{}, {}, {}, {}, end, 1};
  window.counted["first_passage.time"] = times;
  window.dt = 1;
  const PointFacts facts{{}, 1, 0, end, 1, 0, 0, true};
  make_observable({"first_passage", {{"to", {1}}, {"bins", {4}}}})
      ->measure({facts, {}, {nothing, {}, {}, {}}, window}, columns, arrays);
  if (density != nullptr) *density = arrays.at(1);
  return columns;
}

}  // namespace

TEST_CASE("First passage: censored paths go on at the rate of the late half of the run") {
  std::vector<double> density;
  const auto columns = passage({1.5, 2.5, 6, -1}, 8, &density);
  // one passes in (4, 8), where 2 + 4 are spent: the rate is 1/6; the bias of order 1/4 is taken off the mean of the
  // sums
  CHECK(std::isfinite(columns.at(0).value));
  CHECK(columns.at(2).value == 0.25);
  CHECK(density == std::vector<double>{0.125, 0.125, 0, 0.125});
}

TEST_CASE(
    "First passage: an exponential law's tail is gone on with, a power law's is not, nor what most of it lies beyond") {
  const size_t n = 2000;
  std::vector<double> exponential, power, late;
  for (size_t i = 0; i < n; ++i) {
    const double left = (static_cast<double>(i) + 0.5) / static_cast<double>(n), t = -std::log(left);
    exponential.push_back(t < 3 ? t : -1);
    power.push_back(1 / (left * left) < 1e4 ? 1 / (left * left) : -1);  // 1 % of a free particle's law are left
    late.push_back(t < 0.6 ? t : -1);
  }
  CHECK(passage(exponential, 3).at(0).value == doctest::Approx(1).epsilon(0.02));
  CHECK(std::isnan(passage(power, 1e4).at(0).value));
  CHECK(passage(power, 1e4).at(2).value == doctest::Approx(0.01));
  CHECK(std::isnan(passage(late, 0.6).at(0).value));
}

TEST_CASE(
    "Residence: time over how often the state was left, with the jackknife's error, once it was left often enough") {
  std::vector<Estimate> columns;
  std::vector<std::vector<double>> arrays;
  const size_t n = 24;
  std::vector<double> low(n), left(n), high(n, 5), never(n);
  for (size_t i = 0; i < n; ++i) low[i] = i % 2 == 0 ? 4 : 6, left[i] = i % 2 == 0 ? 1 : 3;
  const HostSamples nothing(nullptr, 0, n);
  Window window{{}, {}, {}, {}, 10, 1};
  const std::vector<double> since(n, 10), neither(n, 3);
  window.counted = {{"residence.low_time", low},    {"residence.low_left", left}, {"residence.high_time", high},
                    {"residence.high_left", never}, {"residence.since", since},   {"residence.state", neither}};
  window.dt = 1;
  make_observable({"residence", {{"from", {0}}, {"to", {1}}}})
      ->measure({{}, {}, {nothing, {}, {}, {}}, window}, columns, arrays);
  CHECK(columns.at(0).value == doctest::Approx(2.5).epsilon(0.01));
  // of 12 pairs: sqrt(sum (t - 2.5 n)^2 / 24 / 23) / 2 = sqrt(24 * 1.5^2 / 24 / 23) / 2
  CHECK(columns.at(0).error == doctest::Approx(1.5 / std::sqrt(23.0) / 2).epsilon(0.01));
  CHECK(std::isnan(columns.at(1).value));
  CHECK(columns.at(2).value == doctest::Approx(0.5).epsilon(0.001));
  CHECK(std::isnan(columns.at(2).error));
  for (double& count : left) count /= 8;  // 6 visits in all
  columns.clear();
  make_observable({"residence", {{"from", {0}}, {"to", {1}}}})
      ->measure({{}, {}, {nothing, {}, {}, {}}, window}, columns, arrays);
  CHECK(std::isnan(columns.at(0).error));
}
