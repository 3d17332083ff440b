// Observables on windows made by hand.
#include <doctest/doctest.h>

#include <cmath>

#include "message_of.h"
#include "observe/observable.h"

using namespace bmsim;

namespace {

Estimate estimate(const char* name, const std::vector<double>& start, const std::vector<double>& end, double duration) {
  std::vector<Estimate> columns;
  std::vector<std::vector<double>> arrays;
  const PointFacts facts{1, 0, duration, 1, 0, 0, 0, 1};
  const HostSamples nothing(nullptr, 0, start.size());
  const Measured measured{facts, moments({start, end, {}, {}, duration, 1}), {nothing, {}, {}, 1, 1}, {}};
  make_observable({name, {}})->measure(measured, columns, arrays);
  return columns.at(0);
}

}  // namespace

TEST_CASE("Mean: s / sqrt(n), and no error from one value") {
  const Estimate three = mean(std::vector<double>{1, 2, 6});
  CHECK(three.value == 3);
  CHECK(three.error == doctest::Approx(std::sqrt(7.0 / 3)));  // s^2 = (4 + 1 + 9) / 2
  CHECK(std::isnan(mean(std::vector<double>{5}).error));
}

TEST_CASE("Mean: a large offset costs no digits") {
  const Estimate far = mean(std::vector<double>{1e9 + 1, 1e9 + 2, 1e9 + 3});
  CHECK(far.value == 1e9 + 2);
  CHECK(far.error == doctest::Approx(std::sqrt(1.0 / 3)));
}

TEST_CASE("Velocity: displacement over the window's duration") {
  const Estimate v = estimate("velocity", {0, 1, 2}, {2, 5, 8}, 2);
  CHECK(v.value == 2);
  CHECK(v.error == doctest::Approx(std::sqrt(1.0 / 3)));
}

TEST_CASE("Diffusion: growth of the unbiased variance over twice the duration") {
  // Var 1 at the start, 4 at the end, in a time 3
  const Estimate D = estimate("diffusion", {-1, 0, 1}, {8, 10, 12}, 3);
  CHECK(D.value == doctest::Approx((4.0 - 1.0) / 6));
  CHECK(D.error > 0);
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
}

TEST_CASE("Observables: an unknown name lists the known ones") {
  CHECK(test::message_of([] { make_observable({"speed", {}}); })
            .starts_with("observe: unknown observable 'speed'; known: velocity, diffusion, "));
}

TEST_CASE("First passage: censored paths go on at the rate of the late half of the run") {
  std::vector<Estimate> columns;
  std::vector<std::vector<double>> arrays;
  const std::vector<double> times{0.5, 1.5, 6, -1};
  const HostSamples nothing(nullptr, 0, 4);
  Window window{{}, {}, {}, {}, 8, 1};
  window.passage = times;
  const PointFacts facts{1, 0, 8, 1, 0, 0, 0, 1};
  make_observable({"first_passage", {{"to", {1}}, {"bins", {4}}}})->measure({facts, {}, {nothing, {}, {}, 1, 1}, window}, columns, arrays);
  // one passes in (4, 8), where 2 + 4 are spent: the rate is 1/6
  CHECK(columns.at(0).value == doctest::Approx((0.5 + 1.5 + 6 + 8) / 4 + 0.25 * 6));
  CHECK(columns.at(2).value == 0.25);
  CHECK(columns.at(2).error == doctest::Approx(std::sqrt(0.25 * 0.75 / 3)));
  CHECK(arrays.at(1) == std::vector<double>{0.25, 0, 0, 0.125});
}

TEST_CASE("Residence: time over how often the state was left, with the jackknife's error") {
  std::vector<Estimate> columns;
  std::vector<std::vector<double>> arrays;
  const std::vector<double> low{4, 6}, left{1, 3}, high{2, 8}, never{0, 0};
  const HostSamples nothing(nullptr, 0, 2);
  Window window{{}, {}, {}, {}, 10, 1};
  window.low_time = low, window.low_left = left, window.high_time = high, window.high_left = never;
  make_observable({"residence", {{"from", {0}}, {"to", {1}}}})->measure({{}, {}, {nothing, {}, {}, 1, 1}, window}, columns, arrays);
  CHECK(columns.at(0).value == 2.5);
  CHECK(columns.at(0).error == doctest::Approx(1));  // without either path: 2 and 4
  CHECK(std::isnan(columns.at(1).value));
  CHECK(columns.at(2).value == 0.5);
}
