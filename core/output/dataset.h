// The contents of a result file: axes, a column per quantity, arrays, and texts on their origin.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/sweep.h"
#include "observe/arrays.h"
#include "output/table.h"

namespace bmsim {

struct Meaning {
  std::string symbol;  ///< as a formula writes it
  std::string text;    ///< one line
  std::string unit;    ///< dimension in words, "1" for a pure number
};

/// The meaning of a column, from label_of, in words for those who have the file alone. The text of a column that a
/// script added is its name.
Meaning meaning_of(const Plan& plan, const std::string& column);

struct Dataset {
  std::vector<SweepAxis> axes;
  Table table;                                             ///< columns of the axes, of other swept names, the rest
  size_t swept = 0;                                        ///< columns that are not measured
  std::vector<Meaning> meanings;                           ///< by column of the table; may be shorter
  std::vector<Array> arrays;                               ///< shape (points, coordinates...)
  std::vector<std::pair<std::string, std::string>> texts;  ///< name and text; table.header is not among them
  /// The text of this name, "" if there is none.
  const std::string& text(std::string_view name) const;
};

/// An array as a table: the swept names, its coordinates, "value", and "error" if there is an array NAME_err; one row
/// per value. Throws Error with a list of the arrays if there is none of that name.
Table long_form(const Dataset& data, const std::string& array);

/// The table with printable names and header, as a terminal or another program gets it of a file from elsewhere.
Table printable_table(const Dataset& data);

/// Axes, columns and arrays with their ranges, and a plot in characters of the first measured column over the first
/// axis. It is printable whatever the dataset holds.
std::string show_text(const Dataset& data);

/// How two results differ, number by number.
struct Difference {
  size_t numbers = 0;    ///< how many were compared
  size_t different = 0;  ///< how many of these differ; nan equals nan
  double largest = 0;    ///< the largest |a - b|; NaN if one of the two is nan
  std::string where;     ///< the column or array that has the largest difference
};
/// Throws Error, such as "NAME is missing", unless axes, columns, arrays and lengths are the same.
Difference compare(const Dataset& reference, const Dataset& other);

}  // namespace bmsim
