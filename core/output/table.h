// Results: columns of one number per point, with a header on their origin; CSV and TSV files.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run.h"
#include "files/new_file.h"
#include "plan/memory.h"

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

/// Whether the suffix tells the format: .csv, .tsv or .nc.
bool has_known_suffix(const std::string& file);
/// Throws Error if a table cannot be written to this file, and leaves none. A stream without a suffix gets CSV.
void check_output(const std::string& file);
/// Throws Error if the file exists. how: the option that would replace the file, "--overwrite".
void check_absent(const std::string& file, std::string_view how);
/// Whether the suffix is .nc.
bool is_netcdf(const std::string& file);
/// Passes a table as text to `write`, in pieces: header comments, column names, a line per point in full precision.
void write_text(const Table& table, char separator, const std::function<void(std::string_view)>& write);
/// Writes a table to a file, as write_text does. Throws Error, leaving no partial file.
void write_table(const Table& table, const std::string& file, Existing existing);

/// Most bytes that results take in a file with this suffix: .nc is compressed; .csv and .tsv have no arrays.
double output_bytes(const ResultSize& size, const std::string& file);
/// Warns if a file of so many bytes may be too large for the disk that it is to be on, or for the limit of the size of
/// a file (ulimit -f). Throws Error if it is too large whatever its numbers are.
void check_space(const std::string& file, double bytes);

}  // namespace bmsim
