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
  make_observable({name, {}})->measure({facts, moments({start, end, {}, {}, duration, 1}), {}}, columns, arrays);
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

TEST_CASE("Observables: an unknown name lists the known ones") {
  CHECK(test::message_of([] { make_observable({"speed", {}}); }) ==
        "observe: unknown observable 'speed'; known: velocity, diffusion, velocity_squared, kinetic_energy, peclet, moments, paths, density, correlation, "
        "stroboscope, non_gaussianity");
}
