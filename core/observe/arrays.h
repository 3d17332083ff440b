// Arrays with named coordinates: what an observable gives besides one number per point.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace bmsim {

/// One axis of an array.
struct Coordinate {
  std::string name;   ///< "time": unique in a result
  std::string label;  ///< for plots: "t"
  std::string unit;   ///< unit in words; "" for a pure number
  std::vector<double> values;
};

/// An array of shape (points, coordinates...), with `values` point after point.
struct Array {
  std::string name;  ///< "density"; "density_err" is its standard error
  std::string label;
  std::string unit;
  std::vector<Coordinate> coordinates;
  std::vector<double> values;
};

/// Centres of `count` bins of this width, the first of which begins at `from`.
inline std::vector<double> bin_centres(double from, double width, size_t count) {
  std::vector<double> centres(count);
  for (size_t i = 0; i < count; ++i) centres[i] = from + (static_cast<double>(i) + 0.5) * width;
  return centres;
}

/// Unit of a density over positions and velocities: "1/length", "time/length^2". lengths: number of positions and
/// velocities together; times: number of velocities.
inline std::string density_unit(size_t lengths, size_t times) {
  const auto power = [](const char* unit, size_t n) {
    return n == 0 ? std::string("1") : n == 1 ? std::string(unit) : unit + ("^" + std::to_string(n));
  };
  return lengths == 0 ? "" : power("time", times) + "/" + power("length", lengths);
}

}  // namespace bmsim
