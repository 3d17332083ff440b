// Results: columns of one number per point, with a header on their origin; CSV and TSV files.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "engine/run.h"

namespace bmsim {

struct Column {
  std::string name;
  std::vector<double> values;  ///< shape (points)
};

struct Table {
  std::vector<Column> columns;
  std::string header;  ///< YAML
  const Column* find(std::string_view name) const;
};

/// Keys and values of r.info, in order.
using Info = std::vector<std::pair<std::string, std::string>>;
Info make_info(const Plan& plan, const RunOutcome& outcome);

/// The YAML header of a file, its manifest: versions, script, model with every fixed parameter, formulas, initial laws,
/// axes, observables with their options, method, dt rule, paths, seed, device.
std::string make_header(const Plan& plan, const Sweep& sweep, const Info& info, const std::string& script);

/// Throws Error if writing a table to this file would fail: unknown suffix, directory missing, not writable. Leaves no
/// file.
void check_output(const std::string& file);
/// Throws Error if the file exists. how: the option that would replace it, "--overwrite".
void check_absent(const std::string& file, std::string_view how);
/// check_output for a file of any suffix.
void check_writable(const std::string& file);
/// Whether the suffix is .nc.
bool is_netcdf(const std::string& file);
/// An unused name in the file's own directory: renaming within a directory is atomic. Removes those that processes of
/// this machine left there when they were killed.
std::string temporary_name(const std::string& file);
/// Writes the text of write_table to a stream.
void write_text(std::ostream& out, const Table& table, char separator);
/// Header as comment lines, one line of column names, a line per point in round-trip precision. Written to a temporary
/// name in the same directory and renamed. Throws Error, leaving no partial file.
void write_table(const Table& table, const std::string& file);

}  // namespace bmsim
