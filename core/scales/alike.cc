#include "scales/alike.h"

#include <algorithm>
#include <cmath>

namespace bmsim {
namespace {

constexpr double width_of_cell = 1.15, apart = 1.3;

bool is_alike(double a, double b) {
  return a == b || (a * b > 0 && std::max(a, b) <= apart * std::min(a, b));  // false for nan
}

}  // namespace

std::vector<double> cell_of(std::vector<double> numbers) {
  // Of numbers that are not whole: the number of the cell, and a fraction for the sign.
  for (double& x : numbers)
    if (x != std::rint(x)) x = std::floor(std::log(std::abs(x)) / std::log(width_of_cell)) + (x > 0 ? 0.25 : 0.75);
  return numbers;
}

bool are_alike(const SystemScales& a, const SystemScales& b) {
  for (const auto scale :
       {&SystemScales::relaxing, &SystemScales::crossing, &SystemScales::diffusing, &SystemScales::bending,
        &SystemScales::blurring, &SystemScales::averaging, &SystemScales::kinks, &SystemScales::kinks_of_velocities,
        &SystemScales::turning, &SystemScales::keeping_phase, &SystemScales::waiting, &SystemScales::over_rate,
        &SystemScales::resolving, &SystemScales::between, &SystemScales::speed, &SystemScales::spread})
    if (!is_alike(a.*scale, b.*scale)) return false;
  return std::ranges::equal(a.extents, b.extents, [](const auto& one, const auto& other) {
    return is_alike(one.rate, other.rate) && is_alike(one.size, other.size);
  });
}

}  // namespace bmsim
