// Points of a long sweep that share time scales.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>

#include "numbers.h"
#include "scales/alike.h"

using namespace bmsim;

TEST_CASE("Alike: numbers in one cell differ by less than 15 %, and whole numbers are alone") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-8, 8);
  for (int i = 0; i < 20000; ++i) {
    const double a = std::pow(10, exponent(random)), b = a * (1 + 0.3 * exponent(random) / 8);
    const bool together = cell_of({a}) == cell_of({b});
    if (std::abs(std::log(a / b)) > std::log(1.15)) CHECK_FALSE(together);
    CHECK(cell_of({a}) != cell_of({-a}));
  }
  CHECK(cell_of({2}) != cell_of({2.01}));
  CHECK(cell_of({0}) != cell_of({1e-300}));
  CHECK(cell_of({1.5, 3}) == cell_of({1.5, 3}));
  CHECK(cell_of({bmsim::nan, 3}) == cell_of({bmsim::nan, 3}));
  // Of so many numbers in a decade there are 17 or 18 cells.
  std::set<std::vector<double>> cells;
  for (int i = 1; i < 1000; ++i) cells.insert(cell_of({std::pow(10, i / 1000.0)}));
  CHECK(cells.size() >= 17);
  CHECK(cells.size() <= 18);
}

TEST_CASE("Alike: scales that differ by more than 1.3, or of which one is not there") {
  SystemScales a;
  a.relaxing = 1, a.crossing = infinity, a.extents = {{1, 2, 0, 0}};
  SystemScales b = a;
  CHECK(are_alike(a, b));
  b.relaxing = 1.29;
  CHECK(are_alike(a, b));
  b.relaxing = 0.75;
  CHECK_FALSE(are_alike(a, b));
  b = a, b.crossing = 1e9;
  CHECK_FALSE(are_alike(a, b));
  b = a, b.extents[0].size = 3;
  CHECK_FALSE(are_alike(a, b));
  b = a, b.speed = bmsim::nan;
  CHECK_FALSE(are_alike(a, b));
}
