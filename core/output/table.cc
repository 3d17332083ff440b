#include "output/table.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "error.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

char separator_of(const std::string& file) {
  const std::string suffix = fs::path(file).extension().string();
  if (suffix == ".csv") return ',';
  if (suffix == ".tsv") return '\t';
  fail("output: a table needs the suffix .csv or .tsv, got '{}'", file);
}

/// Removes the files NUMBER.part, after this beginning of a path, of processes of this machine that are no more.
void remove_abandoned(const std::string& beginning) {
  const fs::path first = beginning;
  const std::string name = first.filename(), end = ".part";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::absolute(first).parent_path(), error)) {
    const std::string other = entry.path().filename();
    if (!other.starts_with(name) || !other.ends_with(end)) continue;
    pid_t process = 0;
    const char *from = other.data() + name.size(), *to = other.data() + other.size() - end.size();
    const auto [last, code] = std::from_chars(from, to, process);
    if (code == std::errc() && last == to && process > 0 && kill(process, 0) != 0 && errno == ESRCH)
      unlink(entry.path().c_str());
  }
}

/// Puts quotes around names that a spreadsheet or R would misread.
std::string quoted(const std::string& name, char separator) {
  if (name.find_first_of(std::string("\"\n") + separator) == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

}  // namespace

const Column* Table::find(std::string_view name) const {
  for (const auto& column : columns)
    if (column.name == name) return &column;
  return nullptr;
}

bool is_netcdf(const std::string& file) { return fs::path(file).extension() == ".nc"; }

std::string temporary_name(const std::string& file) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string ours = fmt::format("{}.{}.", file, fs::path(host.data()).filename().string());
  remove_abandoned(ours);
  return fmt::format("{}{}.part", ours, getpid());
}

void check_output(const std::string& file) {
  const std::string suffix = fs::path(file).extension().string();
  if (suffix != ".csv" && suffix != ".tsv" && suffix != ".nc")
    fail("output: unknown suffix '{}' of '{}'; known: .csv, .tsv, .nc", suffix, file);
  check_writable(file);
}

void check_absent(const std::string& file, std::string_view how) {
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    fail("output: '{}' exists; {} replaces it", file, how);
}

void check_writable(const std::string& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode))
    fail("output: cannot write '{}': it is not a regular file", file);
  if (access(file.c_str(), F_OK) == 0 && access(file.c_str(), W_OK) != 0)
    fail("output: cannot write '{}': {}", file, std::strerror(errno));
  const fs::path part = temporary_name(file);
  const int handle = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (handle < 0) fail("output: cannot write '{}': {}", file, std::strerror(errno));
  close(handle);
  unlink(part.c_str());
}

void write_text(std::ostream& out, const Table& table, char separator) {
  std::istringstream header(table.header);
  for (std::string line; std::getline(header, line);) out << (line.empty() ? "#" : "# " + line) << '\n';
  for (size_t c = 0; c < table.columns.size(); ++c)
    out << (c == 0 ? "" : std::string(1, separator)) << quoted(table.columns[c].name, separator);
  out << '\n';
  const size_t points = table.columns.empty() ? 0 : table.columns[0].values.size();
  for (size_t point = 0; point < points; ++point) {
    for (size_t c = 0; c < table.columns.size(); ++c)  // + 0.0: -0 is 0
      out << (c == 0 ? "" : std::string(1, separator)) << fmt::format("{}", table.columns[c].values[point] + 0.0);
    out << '\n';
  }
}

void write_table(const Table& table, const std::string& file) {
  const char separator = separator_of(file);
  const fs::path part = temporary_name(file);
  std::ofstream out(part);
  write_text(out, table, separator);
  out.close();
  std::error_code error;
  if (out) fs::rename(part, file, error);
  if (!out || error) {
    const std::string why = error ? error.message() : std::strerror(errno);
    fs::remove(part, error);
    fail("output: cannot write '{}': {}", file, why);
  }
}

}  // namespace bmsim
