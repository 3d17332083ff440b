// Results: columns of one number per point, with a header that says where they come from; CSV and TSV files.
#pragma once
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

/// The YAML header of a file: versions, script, model with every fixed parameter, method, dt rule, paths, seed, device.
/// "run: path 7 of point 3 (poisson.D = 1) is not finite by step 4000: ...".
std::string divergence_text(const Sweep& sweep, const Divergence& one);
std::string make_header(const Plan& plan, const Sweep& sweep, const Info& info, const std::string& script);

/// Throws Error if writing a table to this file would fail: unknown suffix, directory missing, not writable. Leaves no
/// file.
void check_output(const std::string& file);
/// Header as comment lines, one line of column names, a line per point in round-trip precision. Written to a temporary
/// name in the same directory and renamed. Throws Error, leaving no partial file.
void write_table(const Table& table, const std::string& file);

}  // namespace bmsim
