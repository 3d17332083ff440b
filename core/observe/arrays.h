// What an observable gives beside one number per point: arrays with named coordinates.
#pragma once
#include <string>
#include <vector>

namespace bmsim {

/// One axis of an array.
struct Coordinate {
  std::string name;   ///< "time": unique in a result
  std::string label;  ///< for a picture: "t"
  std::string unit;   ///< dimension in words; "" for a pure number
  std::vector<double> values;
};

/// An array of shape (points, coordinates...), of which `values` has the points one after the other.
struct Array {
  std::string name;  ///< "density"; "density_err" is its standard error
  std::string label;
  std::string unit;
  std::vector<Coordinate> coordinates;
  std::vector<double> values;
};

}  // namespace bmsim
