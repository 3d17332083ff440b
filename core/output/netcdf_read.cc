// A separate program (netcdf/) reads netCDF files, since a damaged one may crash HDF5. Its output is checked here.
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "error.h"
#include "output/dataset.h"
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

/// Reads what the program sends, field by field, within a limit of memory.
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

  /// Takes memory for `count` things of this size off the limit; throws Error if there is too little left.
  void charge(size_t count, size_t size) {
    if (size > 0 && count > left_ / size) fail("it says that it holds more than {} MB, which it cannot", most_ >> 20);
    left_ -= count * size;
  }

 private:
  char kind() {
    char value = 0;
    program_.read(&value, 1);
    if (value == wire::error) fail("{}", text());
    return value;
  }

  uint64_t number() {
    uint64_t value = 0;
    program_.read(&value, sizeof value);
    return value;
  }

  std::string text() {
    const uint64_t length = number();
    charge(length, 1);
    std::string value(length, '\0');
    program_.read(value.data(), length);
    if (value.find('\0') != value.npos) fail("a text in it has a zero byte");
    return value;
  }

  void read_text() {
    std::string name = text(), value = text();
    charge(1, sizeof(texts[0]));
    texts.emplace_back(std::move(name), std::move(value));
  }

  void read_variable() {
    charge(1, sizeof(Variable));
    Variable variable;
    variable.role = text();
    variable.name = text();
    if (variable.name.empty()) fail("a name in it is empty");
    variable.meaning.symbol = text();
    variable.meaning.text = text();
    variable.meaning.unit = text();
    variable.names_dimension = number() != 0;
    const uint64_t count = number();
    if (count > wire::most_dimensions) fail("'{}' has {} dimensions", variable.name, count);
    size_t size = 1;
    for (uint64_t i = 0; i < count; ++i) {
      variable.dimensions.push_back(number());
      variable.shape.push_back(number());
      if (variable.shape.back() == 0) fail("'{}' has a dimension of length 0", variable.name);
      if (__builtin_mul_overflow(size, variable.shape.back(), &size)) size = std::numeric_limits<size_t>::max();
    }
    charge(size, sizeof(double));
    variable.values.resize(size);
    for (size_t received = 0; received < size;) {
      if (kind() != wire::values) fail("values of '{}' are missing", variable.name);
      const uint64_t block = number();
      if (block == 0 || block > size - received) fail("'{}' has more values than its dimensions allow", variable.name);
      program_.read(variable.values.data() + received, block * sizeof(double));
      received += block;
    }
    variables.push_back(std::move(variable));
  }

  NetcdfProgram& program_;
  size_t left_, most_;
};

/// Makes the dataset from what a file holds. Throws Error if its parts do not fit together.
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
    for_each("axis", [&](Variable& axis) { add_axis(axis); });
    for_each("coordinate", [&](Variable& coordinate) { add_coordinate(coordinate); });
    spread_axes();
    data_.swept = data_.table.columns.size();
    for (Variable& variable : received_.variables) {
      if (variable.role == "parameter" || variable.role == "column") add_column(variable);
      if (variable.role == "array") add_array(variable);
    }
    return std::move(data_);
  }

 private:
  template <class Add> void for_each(std::string_view role, const Add& add) {
    for (Variable& variable : received_.variables)
      if (variable.role == role) add(variable);
  }

  void add_axis(Variable& axis) {
    if (axis.dimensions.size() != 1) fail("axis '{}' has {} dimensions", axis.name, axis.dimensions.size());
    if (axes_.empty() || axes_.back() != axis.dimensions[0]) {
      axes_.push_back(axis.dimensions[0]);
      data_.axes.emplace_back();
    }
    data_.axes.back().names.push_back(axis.name);
    data_.axes.back().values.push_back(std::move(axis.values));
    data_.meanings.push_back(std::move(axis.meaning));
  }

  void add_coordinate(Variable& coordinate) {
    if (!coordinate.names_dimension || coordinate.dimensions.size() != 1)
      fail("coordinate '{}' belongs to no dimension", coordinate.name);
    coordinates_[coordinate.dimensions[0]] = {coordinate.name, coordinate.meaning.text,
                                              without_one(coordinate.meaning.unit), std::move(coordinate.values)};
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

  void add_column(Variable& column) {
    if (column.dimensions != axes_) fail("column '{}' does not have the axes' dimensions", column.name);
    if (column.values.size() != points_) fail("column '{}' does not have a value for each point", column.name);
    add_named(column.name, std::move(column.values));
    data_.meanings.push_back(std::move(column.meaning));
    if (column.role == "parameter") data_.swept = data_.table.columns.size();
  }

  void add_array(Variable& variable) {
    if (variable.dimensions.size() < axes_.size() ||
        !std::equal(axes_.begin(), axes_.end(), variable.dimensions.begin()))
      fail("array '{}' does not begin with the axes' dimensions", variable.name);
    Array array{
        variable.name, variable.meaning.symbol, without_one(variable.meaning.unit), {}, std::move(variable.values)};
    size_t size = points_;
    for (size_t i = axes_.size(); i < variable.dimensions.size(); ++i) {
      const auto found = coordinates_.find(variable.dimensions[i]);
      if (found == coordinates_.end()) fail("a coordinate of array '{}' is missing", variable.name);
      received_.charge(found->second.values.size(), sizeof(double));
      array.coordinates.push_back(found->second);
      if (__builtin_mul_overflow(size, found->second.values.size(), &size)) size = 0;
    }
    if (size != array.values.size()) fail("array '{}' does not have the shape of its coordinates", variable.name);
    data_.arrays.push_back(std::move(array));
  }

  static std::string without_one(const std::string& unit) { return unit == "1" ? "" : unit; }

  static constexpr size_t most_axes = 1000;  // names of axes: a sweep searches all of them for each
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
