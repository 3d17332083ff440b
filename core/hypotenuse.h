// The root of a sum of squares, with the same digits everywhere: std::hypot of the GNU C library has other last digits
// on processors that fuse multiplications and additions.
#pragma once
#include <algorithm>
#include <cmath>

namespace bmsim {

/// sqrt(a^2 + b^2) with an error below 1 ulp (C. F. Borges, ACM Trans. Math. Softw. 47, 9, 2020).
inline double hypotenuse(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::hypot(a, b);
  const double larger = std::max(std::abs(a), std::abs(b)), smaller = std::min(std::abs(a), std::abs(b));
  constexpr double large = 0x1p+500, small = 0x1p-460;  // squares of numbers between them are normal numbers
  if (larger > large) return hypotenuse(a * 0x1p-600, b * 0x1p-600) * 0x1p+600;
  if (smaller <= larger * 0x1p-54) return larger;
  if (smaller < small) return hypotenuse(a * 0x1p+600, b * 0x1p+600) * 0x1p-600;
  const double root = std::sqrt(larger * larger + smaller * smaller);
  double excess;  // of the root's square, as exact as numbers of this precision can say it
  if (root <= 2 * smaller) {
    const double rest = root - smaller;
    excess = larger * (2 * rest - larger) + (rest - 2 * (larger - smaller)) * rest;
  } else {
    const double rest = root - larger;
    excess = 2 * rest * (larger - 2 * smaller) + ((4 * rest - smaller) * smaller + rest * rest);
  }
  return root - excess / (2 * root);
}

}  // namespace bmsim
