// The program that reads a netCDF file for another process: read_netcdf FILE, or read_netcdf FILE texts. It writes the
// records of wire.h to its standard output. A damaged file may crash it or keep it busy, by way of netCDF and HDF5: it
// has little memory and time, makes no file grow, and the other process believes it nothing. It is no sandbox.
#include <fmt/format.h>
#include <netcdf.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "output/wire.h"

namespace {

namespace wire = bmsim::wire;

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(int status) {
  if (status != NC_NOERR) throw Unreadable(nc_strerror(status));
}

void limit(int resource, rlim_t most) {
  const rlimit wanted{most, most};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted);
}

/// From now on it may compute for some seconds; the signal SIGXCPU ends it after them.
void renew_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  rlimit time{};
  getrlimit(RLIMIT_CPU, &time);
  const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  time.rlim_cur = std::min<rlim_t>(time.rlim_max - 1, seconds + wire::seconds);
  setrlimit(RLIMIT_CPU, &time);
}

/// A minute for all, and a second for every MiB of the file.
rlim_t seconds_in_all(const char* file) {
  struct stat status {};
  return 60 + (stat(file, &status) == 0 ? static_cast<rlim_t>(status.st_size) >> 20 : 0);
}

void confine_itself(const char* file) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);  // no core file
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__  // which reserve more than any machine has
  limit(RLIMIT_AS, rlim_t{1} << 30);
#endif
  limit(RLIMIT_CPU, seconds_in_all(file));
  renew_time();
  // No libraries and settings but those that it was built with: of HDF5's filters, of netCDF's remote files.
  setenv("HDF5_PLUGIN_PRELOAD", "::", 1);
  setenv("NCRCENV_IGNORE", "1", 1);
  if (chdir("/") != 0) throw Unreadable("the reader cannot change its directory");
}

class Sender {
 public:
  void kind(wire::Kind value) { put(&value, 1); }
  void number(uint64_t value) { put(&value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    put(value.data(), value.size());
  }
  void values(const std::vector<double>& all) {
    number(all.size());
    put(all.data(), all.size() * sizeof(double));
  }
  void finish() {
    if (std::fflush(stdout) != 0) std::_Exit(EXIT_FAILURE);
  }

 private:
  static void put(const void* bytes, size_t count) {
    if (std::fwrite(bytes, 1, count, stdout) != count) std::_Exit(EXIT_FAILURE);  // nobody listens
  }
};

/// Opens a file to read. The writer's lock on a file just written outlives it for moments, if another of its threads
/// starts a compiler meanwhile, which has the file open until it runs.
int open_to_read(const char* file) {
  int id = -1;
  int status = nc_open(file, NC_NOWRITE, &id);
  for (int again = 0; again < 20 && status == NC_EHDFERR; ++again) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    status = nc_open(file, NC_NOWRITE, &id);
  }
  if (status == NC_ENOTNC) throw Unreadable("it is not a netCDF file");
  check(status);
  return id;
}

class File {
 public:
  File(int id, Sender& sender) : id_(id), sender_(sender) {}

  void send(bool texts_alone) {
    if (nc_inq_att(id_, NC_GLOBAL, "bmsim", nullptr, nullptr) != NC_NOERR)
      throw Unreadable("it was not written by bmsim");
    send_texts();
    int count = 0;
    if (!texts_alone) check(nc_inq_nvars(id_, &count));
    for (int variable = 0; variable < count; ++variable) send_variable(variable);
    sender_.kind(wire::end);
  }

 private:
  struct Dimension {
    int id = 0;
    size_t length = 0;
  };
  using Name = std::array<char, NC_MAX_NAME + 1>;

  std::string text(int variable, const char* name) const {
    nc_type type = NC_NAT;
    size_t length = 0;
    if (nc_inq_att(id_, variable, name, &type, &length) != NC_NOERR) return "";
    if (type == NC_STRING && length == 1) return long_text(variable, name);
    if (type != NC_CHAR) return "";
    std::string value(length, '\0');
    check(nc_get_att_text(id_, variable, name, value.data()));
    return value;
  }

  std::string long_text(int variable, const char* name) const {
    char* pointer = nullptr;
    check(nc_get_att_string(id_, variable, name, &pointer));
    std::string value = pointer != nullptr ? pointer : "";
    nc_free_string(1, &pointer);
    return value;
  }

  void send_texts() {
    int count = 0;
    check(nc_inq_natts(id_, &count));
    for (int i = 0; i < count; ++i) {
      Name name{};
      check(nc_inq_attname(id_, NC_GLOBAL, i, name.data()));
      const std::string value = text(NC_GLOBAL, name.data());
      sender_.kind(wire::text);
      sender_.text(name.data());
      sender_.text(value);
    }
  }

  std::vector<Dimension> dimensions(int variable, const std::string& name) const {
    int count = 0;
    check(nc_inq_varndims(id_, variable, &count));
    if (count < 0 || static_cast<size_t>(count) > wire::most_dimensions)
      throw Unreadable(fmt::format("'{}' has {} dimensions, more than {}", name, count, wire::most_dimensions));
    std::vector<int> ids(static_cast<size_t>(count));
    check(nc_inq_vardimid(id_, variable, ids.data()));
    std::vector<Dimension> found;
    for (const int id : ids) {
      size_t length = 0;
      check(nc_inq_dimlen(id_, id, &length));
      if (length == 0) throw Unreadable(fmt::format("'{}' has a dimension of length 0", name));
      found.push_back({id, length});
    }
    return found;
  }

  /// Whether the variable gives the values of its only dimension, whose name it has.
  bool names_dimension(const std::vector<Dimension>& along, const char* name) const {
    if (along.size() != 1) return false;
    Name its{};
    check(nc_inq_dimname(id_, along[0].id, its.data()));
    return std::string_view(its.data()) == name;
  }

  void send_variable(int variable) {
    const std::string role = text(variable, "bmsim_role");
    const std::string_view known[] = {"axis", "parameter", "column", "coordinate", "array"};
    if (std::find(std::begin(known), std::end(known), role) == std::end(known)) return;
    Name name{};
    check(nc_inq_varname(id_, variable, name.data()));
    const std::string original = text(variable, "bmsim_name");  // which netCDF may not have allowed
    const std::string shown = original.empty() ? name.data() : original;
    nc_type type = NC_NAT;
    check(nc_inq_vartype(id_, variable, &type));
    if (type != NC_DOUBLE) throw Unreadable(fmt::format("'{}' does not hold numbers in double precision", shown));
    const std::vector<Dimension> along = dimensions(variable, shown);
    const std::string symbol = text(variable, "symbol"), meaning = text(variable, "long_name"),
                      units = text(variable, "units");
    sender_.kind(wire::variable);
    for (const std::string& one : {role, shown, symbol, meaning, units}) sender_.text(one);
    sender_.number(names_dimension(along, name.data()) ? 1 : 0);
    sender_.number(along.size());
    for (const Dimension& one : along) {
      sender_.number(static_cast<uint64_t>(one.id));
      sender_.number(one.length);
    }
    sender_.finish();
    send_values(variable, along);
  }

  /// In blocks: memory is that of one, however large the variable is.
  void send_values(int variable, const std::vector<Dimension>& along) {
    std::vector<size_t> start(along.size(), 0), count(along.size(), 1);
    // The last dimensions are read whole, as many as are a block together, and a part of the one before them.
    size_t block = 1, cut = along.size();
    while (cut > 0 && along[cut - 1].length <= most_in_block / block) {
      --cut;
      count[cut] = along[cut].length;
      block *= count[cut];
    }
    const size_t rows = cut > 0 ? most_in_block / block : 1;
    std::vector<double> values;
    do {
      if (cut > 0) count[cut - 1] = std::min(rows, along[cut - 1].length - start[cut - 1]);
      values.resize(block * (cut > 0 ? count[cut - 1] : 1));
      check(nc_get_vara_double(id_, variable, start.data(), count.data(), values.data()));
      sender_.kind(wire::values);
      sender_.values(values);
      sender_.finish();
      renew_time();
    } while (advance(start, along, cut, rows));
  }

  /// The next block; false after the last one.
  static bool advance(std::vector<size_t>& start, const std::vector<Dimension>& along, size_t cut, size_t rows) {
    for (size_t i = cut; i > 0; --i) {
      const size_t step = i == cut ? rows : 1;
      if (along[i - 1].length - start[i - 1] > step) {
        start[i - 1] += step;
        return true;
      }
      start[i - 1] = 0;
    }
    return false;
  }

  static constexpr size_t most_in_block = (size_t{32} << 20) / sizeof(double);
  int id_;
  Sender& sender_;
};

}  // namespace

int main(int argc, char** argv) {
  Sender sender;
  try {
    if (argc < 2) throw Unreadable("the reader takes the name of a file");
    confine_itself(argv[1]);
    check(nc_set_chunk_cache(0, 1, 0));  // of every variable: what a block reads is read once
    File(open_to_read(argv[1]), sender).send(argc > 2 && std::string_view(argv[2]) == wire::texts_alone);
  } catch (const std::bad_alloc&) {
    sender.kind(wire::error);
    sender.text("it takes more memory than a file of bmsim's does");
  } catch (const std::exception& error) {
    sender.kind(wire::error);
    sender.text(error.what());
  }
  sender.finish();
  std::_Exit(EXIT_SUCCESS);  // closing a damaged file is not worth a risk
}
