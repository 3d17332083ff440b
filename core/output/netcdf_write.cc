#include <dlfcn.h>
#include <netcdf.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "error.h"
#include "files/abandoned.h"
#include "output/netcdf.h"

namespace bmsim {

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

/// A function of the HDF5 library that netCDF works with.
template <class Function> Function hdf5(const char* name) {
  static void* const library = [] {
    Dl_info netcdf{};
    return dladdr(reinterpret_cast<void*>(&nc_create), &netcdf) != 0 ? dlopen(netcdf.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                                                                     : nullptr;
  }();
  void* found = library != nullptr ? dlsym(library, name) : nullptr;
  if (found == nullptr) throw Error(fmt::format("its library HDF5 has no {}", name));
  return reinterpret_cast<Function>(found);
}

using Id = int64_t;  // HDF5's hid_t

/// HDF5's number of the open file of this name.
Id file_id(const std::string& name) {
  constexpr Id all = 0x1f;       // H5F_OBJ_ALL
  constexpr unsigned files = 1;  // H5F_OBJ_FILE
  const auto count = hdf5<ssize_t (*)(Id, unsigned)>("H5Fget_obj_count")(all, files);
  std::vector<Id> ids(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  hdf5<ssize_t (*)(Id, unsigned, size_t, Id*)>("H5Fget_obj_ids")(all, files, ids.size(), ids.data());
  std::string one(name.size() + 1, '\0');
  for (const Id id : ids) {
    const ssize_t length = hdf5<ssize_t (*)(Id, char*, size_t)>("H5Fget_name")(id, one.data(), one.size());
    if (length == static_cast<ssize_t>(name.size()) && one.compare(0, name.size(), name) == 0) return id;
  }
  throw Error("its library HDF5 does not know the file");
}

/// The bytes of an open file in memory. They stay where they are until it is closed or changed.
std::string_view bytes_of(const std::string& name) {
  const Id id = file_id(name);
  void* place = nullptr;  // a pointer to the pointer to the bytes
  uint64_t size = 0;
  if (hdf5<int (*)(Id, Id, void**)>("H5Fget_vfd_handle")(id, 0, &place) < 0 || place == nullptr ||
      hdf5<int (*)(Id, uint64_t*)>("H5Fget_filesize")(id, &size) < 0)
    throw Error("its library HDF5 does not give its bytes");
  return {*static_cast<const char**>(place), size};
}

/// A file that is only in memory: HDF5 crashes where a write to a disk fails.
class MemoryFile {
 public:
  MemoryFile() : name_(own_name("bmsim")) { check(nc_create(name_.c_str(), NC_NETCDF4 | NC_DISKLESS, &id_)); }
  ~MemoryFile() { nc_abort(id_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int id() const { return id_; }
  std::string_view bytes() const {
    check(nc_sync(id_));
    return bytes_of(name_);
  }

 private:
  std::string name_;
  int id_ = -1;
};

/// Turns off HDF5's own error messages in this thread.
void quiet_hdf5() { hdf5<int (*)(Id stack, void* report, void* user)>("H5Eset_auto2")(0, nullptr, nullptr); }

}  // namespace

void write_netcdf(const Dataset& data, const std::string& file, Existing existing) {
  static std::mutex one_at_a_time;  // of netCDF, and of HDF5 below it
  NewFile fresh("output", file);
  const std::lock_guard lock(one_at_a_time);
  std::optional<MemoryFile> memory;
  std::string_view bytes;
  try {
    quiet_hdf5();
    memory.emplace();
    Writer(data, memory->id()).write();
    bytes = memory->bytes();
  } catch (const Error& error) {
    fail("output: cannot write '{}': {}", file, error.what());
  }
  fresh.write(bytes);
  fresh.publish_or_keep(existing);
}

}  // namespace bmsim
