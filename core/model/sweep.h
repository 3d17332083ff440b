// Sweep points: the outer product of ordered axes, each of one or several names swept together, and columns set per
// point.
#pragma once
#include <string>
#include <vector>

namespace bmsim {

/// One axis, of one name or of several that are swept together.
struct SweepAxis {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;  ///< by name, all of the same length
  size_t length() const { return values[0].size(); }
};

class Sweep {
 public:
  /// columns[i] belongs to names[i]. All have the same length > 0. The axis that is added first varies slowest.
  /// Throws Error for a name that is taken, an empty axis, a value that is not finite, or more than 10^7 points.
  void add_axis(std::vector<std::string> names, std::vector<std::vector<double>> columns);
  /// Adds one value per point. Throws Error if the count differs from points(), or for a name that is taken.
  void set_column(const std::string& name, std::vector<double> values);

  /// A sweep of one point, with its values.
  Sweep only(size_t point) const;

  size_t points() const { return points_; }
  /// Axes first, in order, then columns.
  const std::vector<std::string>& names() const { return names_; }
  /// values()[i][point] of names()[i].
  const std::vector<std::vector<double>>& values() const { return values_; }
  /// "poisson.D = 1, force = 0"; empty if nothing is swept.
  std::string describe(size_t point) const;
  size_t axis_name_count() const { return axis_names_; }
  /// The axes in order. The first varies slowest: point = (i_0 length_1 + i_1) length_2 + ...
  const std::vector<SweepAxis>& axes() const { return axes_; }

 private:
  void check_new(const std::string& name) const;
  size_t points_ = 1, axis_names_ = 0;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;
  std::vector<SweepAxis> axes_;
};

}  // namespace bmsim
