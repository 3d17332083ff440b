// The contents of a result file: axes, a column per quantity, arrays, and texts on their origin.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/sweep.h"
#include "observe/arrays.h"
#include "output/table.h"
#include "plan/plan.h"

namespace bmsim {

struct Meaning {
  std::string symbol;  ///< as a formula writes it
  std::string text;    ///< one line
  std::string unit;    ///< dimension in words, "1" for a pure number
};

/// The meaning of a column, from label_of, for those who have the file alone. One added by a script means its name.
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

/// Axes, columns, arrays with their ranges, and a plot in characters of a column over the first axis, all printable.
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

struct Label {
  std::string symbol;   ///< as in descriptors: "D_P", "<v^2>"; "D_P (weak)" if another component has "D_P", too
  std::string unit;     ///< "length^2/time"; "" for none
  std::string meaning;  ///< in words; "" if unknown
  std::string role;     ///< "parameter", "observable", "error" (of an observable), "added" (by a script)
};

/// The label of a column, or of a parameter of the model. The symbol of a column that a script has added is its name.
Label label_of(const Plan& plan, std::string_view name);

/// Writes a dimension per axis, with the axis's first name. Axes are variables along their dimension, columns have the
/// dimensions of the axes, arrays also those of their coordinates. Equal coordinates share a dimension; different ones
/// of the same name get a number. Attributes: long_name, symbol, units, bmsim_role, and bmsim_name if netCDF does not
/// allow the name. Throws Error, leaving no partial file.
void write_netcdf(const Dataset& data, const std::string& file, Existing existing);
/// Writes a dataset whose arrays are not copied into `data`. No byte depends on the number of threads that compress it.
void write_netcdf(const Dataset& data, const std::vector<Array>& arrays, const std::string& file, Existing existing,
                  unsigned threads);

/// Throws Error if the file is not netCDF, is damaged, or was not written by bmsim. table.header is the manifest. The
/// file is not trusted: another process reads it, with limits of memory and time. The dataset is consistent: a value
/// for each point in every column, arrays of the shape of their coordinates, names not empty. Texts may hold all but
/// zeros.
Dataset read_netcdf(const std::string& file);
/// Reads texts and table.header alone, without numbers: at once, however large the file is.
Dataset read_netcdf_texts(const std::string& file);

}  // namespace bmsim
