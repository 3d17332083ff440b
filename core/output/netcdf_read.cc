// netCDF files are read by a program of their own (netcdf/), since a damaged one may make HDF5 hang, crash or do worse.
// Here what it says is checked and made a Dataset.
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "error.h"
#include "output/netcdf.h"
#include "output/netcdf_program.h"
#include "output/wire.h"
#include "printable.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

/// Memory that a file of this size may ask for. Deflate makes at most 1032 bytes of one.
size_t most_bytes(uintmax_t file_size) {
  constexpr uintmax_t least = uintmax_t{64} << 20, ratio = 1032;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  const uintmax_t machine = pages > 0 && page > 0 ? static_cast<uintmax_t>(pages) * static_cast<uintmax_t>(page)
                                                  : std::numeric_limits<size_t>::max();
  const uintmax_t inflated = file_size < machine / ratio ? least + ratio * file_size : machine;
  return static_cast<size_t>(std::min(inflated, machine));
}

/// A variable of the file.
struct Variable {
  std::string role, name;
  Meaning meaning;
  bool names_dimension = false;
  std::vector<uint64_t> dimensions;
  std::vector<size_t> shape;
  std::vector<double> values;
};

/// What the program says, field by field, within a limit of memory.
class Reception {
 public:
  Reception(NetcdfProgram& program, size_t most_memory) : program_(program), left_(most_memory), most_(most_memory) {}

  void read() {
    while (true) {
      switch (kind()) {
        case wire::text:
          read_text();
          break;
        case wire::variable:
          read_variable();
          break;
        case wire::end:
          return;
        default:
          fail("its program is not of this version");
      }
    }
  }

  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<Variable> variables;

  /// Takes memory for `count` things of that size; throws Error if the file may not have it.
  void charge(size_t count, size_t size) {
    if (size > 0 && count > left_ / size) fail("it says that it holds more than {} MB, which it cannot", most_ >> 20);
    left_ -= count * size;
  }

 private:
  char kind() {
    char found = 0;
    program_.read(&found, 1);
    if (found == wire::error) fail("{}", text());
    return found;
  }

  uint64_t number() {
    uint64_t found = 0;
    program_.read(&found, sizeof found);
    return found;
  }

  std::string text() {
    const uint64_t length = number();
    charge(length, 1);
    std::string found(length, '\0');
    program_.read(found.data(), length);
    if (found.find('\0') != found.npos) fail("a text in it has a zero byte");
    return found;
  }

  void read_text() {
    std::string name = text(), value = text();
    charge(1, sizeof(texts[0]));
    texts.emplace_back(std::move(name), std::move(value));
  }

  void read_variable() {
    charge(1, sizeof(Variable));
    Variable one;
    one.role = text();
    one.name = text();
    if (one.name.empty()) fail("a name in it is empty");
    one.meaning.symbol = text();
    one.meaning.text = text();
    one.meaning.unit = text();
    one.names_dimension = number() != 0;
    const uint64_t count = number();
    if (count > wire::most_dimensions) fail("'{}' has {} dimensions", one.name, count);
    size_t size = 1;
    for (uint64_t i = 0; i < count; ++i) {
      one.dimensions.push_back(number());
      one.shape.push_back(number());
      if (one.shape.back() == 0) fail("'{}' has a dimension of length 0", one.name);
      if (__builtin_mul_overflow(size, one.shape.back(), &size)) size = std::numeric_limits<size_t>::max();
    }
    charge(size, sizeof(double));
    one.values.resize(size);
    for (size_t have = 0; have < size;) {
      if (kind() != wire::values) fail("values of '{}' are missing", one.name);
      const uint64_t block = number();
      if (block == 0 || block > size - have) fail("'{}' has more values than its dimensions allow", one.name);
      program_.read(one.values.data() + have, block * sizeof(double));
      have += block;
    }
    variables.push_back(std::move(one));
  }

  NetcdfProgram& program_;
  size_t left_, most_;
};

/// Makes the dataset of what a file holds; throws Error for what does not fit together.
class Assembly {
 public:
  explicit Assembly(Reception& received) : received_(received) {}

  Dataset make() {
    for (auto& [name, text] : received_.texts) {
      if (name == "manifest")
        data_.table.header = std::move(text);
      else
        data_.texts.emplace_back(std::move(name), std::move(text));
    }
    each("axis", [&](Variable& one) { add_axis(one); });
    each("coordinate", [&](Variable& one) { add_coordinate(one); });
    spread_axes();
    data_.swept = data_.table.columns.size();
    for (Variable& one : received_.variables) {
      if (one.role == "parameter" || one.role == "column") add_column(one);
      if (one.role == "array") add_array(one);
    }
    return std::move(data_);
  }

 private:
  template <class Add> void each(std::string_view role, const Add& add) {
    for (Variable& one : received_.variables)
      if (one.role == role) add(one);
  }

  void add_axis(Variable& one) {
    if (one.dimensions.size() != 1) fail("axis '{}' has {} dimensions", one.name, one.dimensions.size());
    if (axes_.empty() || axes_.back() != one.dimensions[0]) {
      axes_.push_back(one.dimensions[0]);
      data_.axes.emplace_back();
    }
    data_.axes.back().names.push_back(one.name);
    data_.axes.back().values.push_back(std::move(one.values));
    data_.meanings.push_back(std::move(one.meaning));
  }

  void add_coordinate(Variable& one) {
    if (!one.names_dimension || one.dimensions.size() != 1) fail("coordinate '{}' belongs to no dimension", one.name);
    coordinates_[one.dimensions[0]] = {one.name, one.meaning.text, without_one(one.meaning.unit),
                                       std::move(one.values)};
  }

  /// Makes the columns of the axes, one value per point.
  void spread_axes() {
    size_t names = 0;
    for (const SweepAxis& axis : data_.axes) {
      if (__builtin_mul_overflow(points_, axis.length(), &points_)) fail("its axes have too many points");
      names += axis.names.size();
    }
    if (names > most_axes) fail("it has {} axes, more than {}", names, most_axes);
    received_.charge(points_, names * sizeof(double));
    Sweep sweep;
    for (const SweepAxis& axis : data_.axes) sweep.add_axis(axis.names, axis.values);
    for (size_t i = 0; i < sweep.names().size(); ++i) add_named(sweep.names()[i], sweep.values()[i]);
  }

  void add_named(const std::string& name, std::vector<double> values) {
    if (!names_.insert(name).second) fail("there are two columns '{}'", name);
    data_.table.columns.push_back({name, std::move(values)});
  }

  void add_column(Variable& one) {
    if (one.dimensions != axes_) fail("column '{}' does not have the axes' dimensions", one.name);
    if (one.values.size() != points_) fail("column '{}' does not have a value for each point", one.name);
    add_named(one.name, std::move(one.values));
    data_.meanings.push_back(std::move(one.meaning));
    if (one.role == "parameter") data_.swept = data_.table.columns.size();
  }

  void add_array(Variable& one) {
    if (one.dimensions.size() < axes_.size() || !std::equal(axes_.begin(), axes_.end(), one.dimensions.begin()))
      fail("array '{}' does not begin with the axes' dimensions", one.name);
    Array array{one.name, one.meaning.symbol, without_one(one.meaning.unit), {}, std::move(one.values)};
    size_t size = points_;
    for (size_t i = axes_.size(); i < one.dimensions.size(); ++i) {
      const auto found = coordinates_.find(one.dimensions[i]);
      if (found == coordinates_.end()) fail("a coordinate of array '{}' is missing", one.name);
      received_.charge(found->second.values.size(), sizeof(double));
      array.coordinates.push_back(found->second);
      if (__builtin_mul_overflow(size, found->second.values.size(), &size)) size = 0;
    }
    if (size != array.values.size()) fail("array '{}' does not have the shape of its coordinates", one.name);
    data_.arrays.push_back(std::move(array));
  }

  static std::string without_one(const std::string& unit) { return unit == "1" ? "" : unit; }

  static constexpr size_t most_axes = 1000;  // names of axes: a sweep looks among all for each
  Reception& received_;
  Dataset data_;
  std::vector<uint64_t> axes_;                  // dimensions
  std::map<uint64_t, Coordinate> coordinates_;  // by dimension
  std::set<std::string> names_;
  size_t points_ = 1;
};

Dataset read(const std::string& file, std::vector<std::string> options) {
  try {
    if (!fs::exists(file)) throw Error("no such file");
    if (!fs::is_regular_file(file)) throw Error("it is not a regular file");
    if (access(file.c_str(), R_OK) != 0) throw Error(std::strerror(errno));
    options.insert(options.begin(), fs::absolute(file).string());
    NetcdfProgram program("", NetcdfProgram::Work::reads, std::move(options));
    Reception received(program, most_bytes(fs::file_size(file)));
    received.read();
    return Assembly(received).make();
  } catch (const fs::filesystem_error& error) {
    fail("cannot read '{}': {}", printable(file), error.code().message());
  } catch (const std::bad_alloc&) {
    fail("cannot read '{}': this computer has not the memory for it", printable(file));
  } catch (const std::exception& error) {
    fail("cannot read '{}': {}", printable(file), printable(error.what()));
  }
}

}  // namespace

Dataset read_netcdf(const std::string& file) { return read(file, {}); }
Dataset read_netcdf_texts(const std::string& file) { return read(file, {wire::texts_alone}); }

}  // namespace bmsim
