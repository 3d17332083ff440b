#include "output/table.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <sstream>

#include "backend/memory.h"
#include "backend/warn.h"
#include "error.h"
#include "output/netcdf_program.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

char separator_of(const std::string& file) {
  const std::string suffix = fs::path(file).extension().string();
  if (suffix == ".csv" || (suffix != ".tsv" && is_stream(file))) return ',';
  if (suffix == ".tsv") return '\t';
  fail("output: a table needs the suffix .csv or .tsv, got '{}'", file);
}

/// Puts quotes around names that a spreadsheet or R would misread.
std::string quoted(const std::string& name, char separator) {
  if (name.find_first_of(std::string("\"\n") + separator) == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

constexpr double unlimited = std::numeric_limits<double>::infinity();

double on_disk(const std::string& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return unlimited;
  struct statvfs disk {};
  if (statvfs(fs::absolute(file).parent_path().c_str(), &disk) != 0) return unlimited;
  return static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
}

double of_one_file() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? unlimited
                                                                                 : static_cast<double>(limit.rlim_cur);
}

}  // namespace

const Column* Table::find(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

bool is_netcdf(const std::string& file) { return fs::path(file).extension() == ".nc"; }

bool has_known_suffix(const std::string& file) {
  const std::string suffix = fs::path(file).extension().string();
  return suffix == ".csv" || suffix == ".tsv" || suffix == ".nc";
}

void check_output(const std::string& file) {
  if (!has_known_suffix(file) && !is_stream(file))
    fail("output: unknown suffix '{}' of '{}'; known: .csv, .tsv, .nc", fs::path(file).extension().string(), file);
  check_new_file("output", file, Streams::allow);
  if (is_netcdf(file)) NetcdfProgram::check(fmt::format("output: cannot write '{}': ", file));
}

void check_absent(const std::string& file, std::string_view how) {
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && !is_stream(file))
    fail("output: '{}' exists; {} replaces it", file, how);
}

void write_text(const Table& table, char separator, const std::function<void(std::string_view)>& write) {
  std::istringstream header(table.header);
  for (std::string line; std::getline(header, line);) write((line.empty() ? "#" : "# " + line) + "\n");
  std::string row;
  for (const Column& column : table.columns) row += quoted(column.name, separator) + separator;
  const auto write_row = [&] {
    if (!row.empty()) row.pop_back();
    write(row += '\n');
    row.clear();
  };
  write_row();
  const size_t points = table.columns.empty() ? 0 : table.columns[0].values.size();
  for (size_t point = 0; point < points; ++point) {
    for (const Column& column : table.columns)  // + 0.0: -0 is 0
      fmt::format_to(std::back_inserter(row), "{}{}", column.values[point] + 0.0, separator);
    write_row();
  }
}

void write_table(const Table& table, const std::string& file, Existing existing) {
  const char separator = separator_of(file);
  NewFile out("output", file, Streams::allow);
  write_text(table, separator, [&](std::string_view text) { out.write(text); });
  out.publish_or_keep(existing);
}

double output_bytes(const ResultSize& size, const std::string& file) {
  constexpr double measured = 20, given = 8;  // characters of a number with all digits, and of one that was typed
  return is_netcdf(file) ? sizeof(double) * (size.swept + size.columns + size.arrays)
                         : given * size.swept + measured * size.columns;
}

void check_space(const std::string& file, double bytes) {
  constexpr double shortest = 0.1;  // part of the bytes that a file with short numbers has
  if (is_stream(file)) return;
  const double disk = on_disk(file), limit = of_one_file(), room = std::min(disk, limit);
  const std::string where = limit < disk ? "a file may have (ulimit -f)" : "are free there";
  if (shortest * bytes > room)
    fail("output: '{}' would have {}, and {} {}", file, size_text(bytes), size_text(room), where);
  if (bytes > room)
    warn(fmt::format("output: '{}' may have up to {}, and {} {}", file, size_text(bytes), size_text(room), where));
}

}  // namespace bmsim
