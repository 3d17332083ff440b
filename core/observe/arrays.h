// Arrays with named coordinates: what an observable gives beside one number per point.
#pragma once
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

}  // namespace bmsim
