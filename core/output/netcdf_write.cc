#include <dlfcn.h>
#include <netcdf.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "error.h"
#include "output/netcdf.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

void check(int status) {
  if (status != NC_NOERR) throw Error(nc_strerror(status));
}

/// A name that netCDF takes: no '/', and a letter, a digit or '_' first.
std::string legal(std::string name) {
  for (char& c : name)
    if (c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  while (!name.empty() && name.back() == ' ') name.back() = '_';
  if (name.empty() || (static_cast<unsigned char>(name[0]) < 0x80 && isalnum(name[0]) == 0)) name.insert(0, "_");
  return name;
}

class Writer {
 public:
  Writer(const Dataset& data, int id) : data_(data), id_(id) {}
  void write() {
    for (const auto& [name, text] : data_.texts) put_text(NC_GLOBAL, name, text);
    put_text(NC_GLOBAL, "manifest", data_.table.header);
    define_axes();
    for (size_t c = axis_columns_; c < data_.table.columns.size(); ++c) define_column(c);
    for (const Array& array : data_.arrays) define_array(array);
    check(nc_enddef(id_));
    for (const auto& [variable, values] : values_)
      if (!values.empty()) check(nc_put_var_double(id_, variable, values.data()));
  }

 private:
  void put_text(int variable, const std::string& name, const std::string& text) {
    if (text.empty()) return;
    const char* pointer = text.c_str();
    // HDF5 stores characters in the header, which holds less than 64 KiB, and strings elsewhere.
    if (text.size() > 60000)
      check(nc_put_att_string(id_, variable, name.c_str(), 1, &pointer));
    else
      check(nc_put_att_text(id_, variable, name.c_str(), text.size(), pointer));
  }

  std::string unused(const std::string& name) {
    const std::string stem = legal(name);
    std::string free = stem;
    for (int number = 2; !used_.insert(free).second; ++number) free = fmt::format("{}_{}", stem, number);
    return free;
  }

  int define_dimension(const std::string& name, size_t length) {
    int dimension = 0;
    check(nc_def_dim(id_, name.c_str(), length, &dimension));
    lengths_.push_back(length);
    return dimension;
  }

  /// Compresses in chunks of at most 1 MiB: the slowest dimensions are cut first.
  void compress(int variable, const std::vector<int>& dimensions) {
    if (dimensions.empty()) return;
    std::vector<size_t> chunk;
    size_t size = 1;
    for (const int dimension : dimensions) {
      chunk.push_back(lengths_[static_cast<size_t>(dimension)]);
      size *= chunk.back();
    }
    for (size_t i = 0; i < chunk.size() && size > most_in_chunk; ++i) {
      const size_t rest = size / chunk[i];
      chunk[i] = std::max<size_t>(1, most_in_chunk / rest);
      size = rest * chunk[i];
    }
    check(nc_def_var_chunking(id_, variable, NC_CHUNKED, chunk.data()));
    check(nc_def_var_deflate(id_, variable, 1, 1, 4));
  }

  int define(const std::string& original, const std::string& name, const std::vector<int>& dimensions, const char* role,
             const Meaning& meaning, std::span<const double> values) {
    int variable = 0;
    check(nc_def_var(id_, name.c_str(), NC_DOUBLE, static_cast<int>(dimensions.size()), dimensions.data(), &variable));
    compress(variable, dimensions);
    put_text(variable, "long_name", meaning.text);
    put_text(variable, "symbol", meaning.symbol);
    put_text(variable, "units", meaning.unit);
    put_text(variable, "bmsim_role", role);
    if (name != original) put_text(variable, "bmsim_name", original);
    values_.emplace_back(variable, values);
    return variable;
  }

  /// Attributes of measured data: NaN for missing values, and the names that are swept together with an axis's first
  /// name.
  void mark_as_data(int variable) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    check(nc_def_var_fill(id_, variable, NC_FILL, &nan));
    put_text(variable, "coordinates", along_);
  }

  Meaning meaning(size_t column) const { return column < data_.meanings.size() ? data_.meanings[column] : Meaning{}; }

  void define_axes() {
    for (const SweepAxis& axis : data_.axes) {
      axes_.push_back(-1);
      for (size_t i = 0; i < axis.names.size(); ++i) {
        const std::string name = unused(axis.names[i]);
        if (i == 0)
          axes_.back() = define_dimension(name, axis.length());
        else
          along_ += (along_.empty() ? "" : " ") + name;
        define(axis.names[i], name, {axes_.back()}, "axis", meaning(axis_columns_++), axis.values[i]);
      }
    }
  }

  void define_column(size_t c) {
    const Column& column = data_.table.columns[c];
    mark_as_data(define(column.name, unused(column.name), axes_, c < data_.swept ? "parameter" : "column", meaning(c),
                        column.values));
  }

  int dimension_of(const Coordinate& coordinate) {
    for (const auto& [known, dimension] : coordinates_)
      if (known->name == coordinate.name && known->values == coordinate.values) return dimension;
    const std::string name = unused(coordinate.name);
    const int dimension = define_dimension(name, coordinate.values.size());
    define(coordinate.name, name, {dimension}, "coordinate",
           {"", coordinate.label, coordinate.unit.empty() ? "1" : coordinate.unit}, coordinate.values);
    coordinates_.emplace_back(&coordinate, dimension);
    return dimension;
  }

  void define_array(const Array& array) {
    std::vector<int> dimensions = axes_;
    for (const Coordinate& coordinate : array.coordinates) {
      if (coordinate.values.empty()) return;  // a dimension of length 0 would be unlimited
      dimensions.push_back(dimension_of(coordinate));
    }
    const bool error = array.name.ends_with("_err");
    mark_as_data(define(
        array.name, unused(array.name), dimensions, "array",
        {array.label, error ? "standard error of " + array.label : array.label, array.unit.empty() ? "1" : array.unit},
        array.values));
  }

  static constexpr size_t most_in_chunk = (size_t{1} << 20) / sizeof(double);
  const Dataset& data_;
  int id_;
  size_t axis_columns_ = 0;
  std::vector<int> axes_;
  std::string along_;
  std::vector<size_t> lengths_;  // by dimension
  std::set<std::string> used_;
  std::vector<std::pair<const Coordinate*, int>> coordinates_;
  std::vector<std::pair<int, std::span<const double>>> values_;
};

/// Keeps HDF5 from closing files when the process ends: a file that it could not finish, on a full disk, stays open,
/// and closing it would crash. Call this before any other function of HDF5.
void prepare() {
  static const bool once = [] {
    if (void* found = dlsym(RTLD_DEFAULT, "H5dont_atexit")) reinterpret_cast<int (*)()>(found)();
    return true;
  }();
  (void)once;
}

}  // namespace

std::unique_lock<std::mutex> netcdf_lock() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  prepare();
  using Quiet = int (*)(int64_t stack, void* report, void* user);
  if (void* found = dlsym(RTLD_DEFAULT, "H5Eset_auto2")) reinterpret_cast<Quiet>(found)(0, nullptr, nullptr);
  return lock;
}

void write_netcdf(const Dataset& data, const std::string& file, Existing existing) {
  const auto lock = netcdf_lock();
  NewFile fresh("output", file);
  // Absolute, so that netCDF takes no part of the name for a protocol.
  const fs::path part = fs::absolute(fresh.release());
  int id = -1;
  try {
    errno = 0;
    check(nc_create(part.c_str(), NC_NETCDF4 | NC_CLOBBER, &id));
    errno = 0;
    Writer(data, id).write();
    check(nc_close(std::exchange(id, -1)));
  } catch (const std::exception& error) {
    const std::string why = errno != 0 ? std::strerror(errno) : error.what();  // HDF5 only says that it failed
    if (id >= 0) nc_abort(id);
    fail("output: cannot write '{}': {}", file, why);
  }
  fresh.publish_or_keep(existing);
}

}  // namespace bmsim
