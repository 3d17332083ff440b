// The slowest relaxation time in a potential, against times that are known.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scales/relaxation.h"

using namespace bmsim;

namespace {

std::vector<double> evenly(double from, double to, int count) {
  std::vector<double> x;
  for (int i = 0; i <= count; ++i) x.push_back(from + (to - from) * i / count);
  return x;
}
double bowl(double x) { return x * x / 2; }
double two_wells(double x) { return x * x * x * x / 4 - x * x / 2; }

}  // namespace

TEST_CASE("relaxation: of a parabola, and between hard ends") {
  const double bound = slowest_relaxation(bowl, evenly(-8, 8, 200), {1.0, 0, 1});
  CHECK(std::abs(bound - 1) < 0.01);
  CHECK(std::abs(slowest_relaxation(bowl, evenly(-8, 8, 200), {1.0, 0, 2}) - 2) < 0.02);
  const double flat = slowest_relaxation([](double) { return 0.0; }, evenly(0, 2, 400), {0.5, 0, 1});
  CHECK(std::abs(flat - 4 / (0.5 * std::numbers::pi * std::numbers::pi)) < 0.02);
}

TEST_CASE("relaxation: over a barrier it is Kramers' time") {
  // Both wells have the curvature 2, the barrier -1 and the height 1/4; either rate empties one.
  constexpr double T = 0.005;  // so low that the corrections of order T are small
  const double kramers = 2 * std::numbers::pi / std::sqrt(2.0) * std::exp(0.25 / T) / 2;
  const double found = slowest_relaxation(two_wells, evenly(-2, 2, 300), {T, 0, 1});
  CHECK(std::abs(found / kramers - 1) < 0.1);
  // With little friction the energy diffuses: action 4 sqrt(2)/3 of a well at the height of the barrier.
  constexpr double gamma = 1e-4, action = 4.0 / 3;
  const double light = std::numbers::pi / std::sqrt(2.0) * T / (gamma * action) * std::exp(0.25 / T);
  CHECK(std::abs(slowest_relaxation(two_wells, evenly(-2, 2, 300), {T, 1, gamma}) / light - 1) < 0.1);
}

TEST_CASE("relaxation: a narrow well between two places of the grid's ends is found where a place is in it") {
  const auto hole = [](double x) { return x * x / 2 - 4 * std::exp(-std::pow((x - 0.8123) / 0.002, 2)); };
  std::vector<double> x = evenly(-4, 4, 100);
  CHECK(slowest_relaxation(hole, x, {0.5, 1, 1}) < 3);
  x.push_back(0.8124);
  std::ranges::sort(x);
  const double found = slowest_relaxation(hole, x, {0.5, 1, 1});
  CHECK(found > 100);
  CHECK(found < 300);
}

TEST_CASE("relaxation: means over Boltzmann's law, also of a well between two places") {
  const auto square = [](double x) { return x * x; };
  CHECK(std::abs(boltzmann_mean(bowl, evenly(-8, 8, 200), 0.5, square) - 0.5) < 0.005);
  const auto hole = [](double x) { return x * x / 2 - 4 * std::exp(-std::pow((x - 0.8123) / 0.002, 2)); };
  std::vector<double> x = evenly(-5, 5, 100);
  x.push_back(0.8124);
  std::ranges::sort(x);
  const auto bound = [](double at) { return std::abs(at - 0.8123) < 0.006 ? 1.0 : 0.0; };
  CHECK(std::abs(boltzmann_mean(hole, x, 0.5, bound) - 0.537) < 0.005);
  CHECK(std::isnan(boltzmann_mean(bowl, evenly(-8, 8, 200), 0, square)));
}

TEST_CASE("relaxation: nothing is known without a temperature or friction") {
  CHECK(slowest_relaxation(bowl, evenly(-8, 8, 200), {0.0, 0, 1}) == 0);
  CHECK(slowest_relaxation(bowl, evenly(-8, 8, 200), {1.0, 1, 0}) == 0);
}
