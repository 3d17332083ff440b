// hypotenuse: to the last digit, whatever the size of its arguments.
#include "hypotenuse.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

using bmsim::hypotenuse;

TEST_CASE("hypotenuse: within 1 ulp of the exact root at every size") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> part(-1, 1);
  std::uniform_int_distribution<int> size(-1073, 1022), between(-60, 60);
  for (int n = 0; n < 200000; ++n) {
    const int exponent = size(random);
    const double a = std::ldexp(part(random), exponent), b = std::ldexp(part(random), exponent + between(random));
    if (!std::isfinite(b)) continue;
    const long double exact = std::hypot(static_cast<long double>(a), static_cast<long double>(b));
    const double root = hypotenuse(a, b);
    if (exact > static_cast<long double>(std::numeric_limits<double>::max())) continue;
    const double next = std::nextafter(root, std::numeric_limits<double>::infinity());
    const long double ulp = static_cast<long double>(next) - static_cast<long double>(root);
    CHECK(std::abs(static_cast<long double>(root) - exact) < ulp);
    CHECK(root == hypotenuse(-b, a));
  }
}

TEST_CASE("hypotenuse: known digits, zero, and what is no finite number") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(hypotenuse(3, 4) == 5);
  CHECK(hypotenuse(1, 1) == 0x1.6a09e667f3bcdp+0);
  CHECK(hypotenuse(1, 2) == 0x1.1e3779b97f4a8p+1);
  CHECK(hypotenuse(0, -2) == 2);
  CHECK(hypotenuse(0, 0) == 0);
  CHECK(hypotenuse(-infinity, nan) == infinity);
  CHECK(hypotenuse(nan, infinity) == infinity);
  CHECK(std::isnan(hypotenuse(nan, 1)));
  CHECK(std::isnan(hypotenuse(1, nan)));
}
