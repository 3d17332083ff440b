#include "output/space.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "backend/out_of_memory.h"
#include "backend/warn.h"
#include "error.h"
#include "output/table.h"

namespace bmsim {

namespace {

namespace fs = std::filesystem;

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
