// All that a file can hold of a result: axes, a column per quantity, arrays, and texts that say where they come from.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/sweep.h"
#include "observe/arrays.h"
#include "output/table.h"

namespace bmsim {

/// What a column stands for.
struct Meaning {
  std::string symbol;  ///< as a formula writes it
  std::string text;    ///< one line
  std::string unit;    ///< dimension in words, "1" for a pure number
};

/// What label_of says of a column, for people who see no other; a column that a script added has its name for a text.
Meaning meaning_of(const Plan& plan, const std::string& column);

struct Dataset {
  std::vector<SweepAxis> axes;
  Table table;                                             ///< columns of the axes, of other swept names, the rest
  size_t swept = 0;                                        ///< columns that are not measured
  std::vector<Meaning> meanings;                           ///< by column of the table; may be shorter
  std::vector<Array> arrays;                               ///< shape (points, coordinates...)
  std::vector<std::pair<std::string, std::string>> texts;  ///< name and text; table.header is not among them
  /// "": there is none.
  const std::string& text(std::string_view name) const;
};

/// An array as a table: what is swept, its coordinates, "value", and "error" where there is an array NAME_err; a row
/// for every value. Throws Error listing the arrays if there is none of that name.
Table long_form(const Dataset& data, const std::string& array);

/// Axes, columns and arrays with their ranges, and a plot in characters of the first measured column over the first
/// axis.
std::string show_text(const Dataset& data);

/// How two results differ, number by number.
struct Difference {
  size_t numbers = 0;    ///< compared
  size_t different = 0;  ///< of them; nan equals nan
  double largest = 0;    ///< of |a - b|; NaN where one of both is nan
  std::string where;     ///< the column or array that has it
};
/// Throws Error "NAME is missing" where they do not have the same axes, columns, arrays and lengths.
Difference compare(const Dataset& one, const Dataset& other);

}  // namespace bmsim
