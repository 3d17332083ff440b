// A separate program (netcdf/) makes netCDF files, in memory: HDF5 crashes if a write to a disk fails. Here a Dataset
// becomes dimensions, variables and attributes.
#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "error.h"
#include "output/dataset.h"
#include "output/netcdf_program.h"
#include "output/wire.h"

namespace bmsim {

namespace {

/// Ends of the names of what belongs to a measured quantity.
constexpr const char* ancillary[] = {"_err", "_step", "_extrapolated", "_step_seen", "_step_resolution"};

/// A name that netCDF takes: no '/', and a letter, a digit or '_' first.
std::string legal(std::string name) {
  for (char& c : name)
    if (c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  while (!name.empty() && name.back() == ' ') name.back() = '_';
  if (name.empty() || (static_cast<unsigned char>(name[0]) < 0x80 && isalnum(name[0]) == 0)) name.insert(0, "_");
  return name;
}

struct Dimension {
  std::string name;  // of the variable that gives its values
  size_t length = 0;
};

class Writer {
 public:
  Writer(const Dataset& data, const std::vector<Array>& arrays, NetcdfProgram& program)
      : data_(data), arrays_(arrays), program_(program) {}
  void write() {
    for (const auto& [name, text] : data_.texts) put_text(name, text);
    put_text("manifest", data_.table.header);
    define_axes();
    for (size_t c = axis_columns_; c < data_.table.columns.size(); ++c) define_column(c);
    for (const Array& array : arrays_) define_array(array);
    put(wire::end);
    program_.end_input();
  }

 private:
  enum class Is { scale, measured };  // measured: what is missing is nan

  void put(wire::Kind kind) { program_.write(&kind, 1); }
  void put(uint64_t number) { program_.write(&number, sizeof number); }
  void put(const std::string& text) {
    put(text.size());
    program_.write(text.data(), text.size());
  }

  /// An attribute of the variable that was defined last, or of the file before the first one.
  void put_text(const std::string& name, const std::string& text) {
    if (text.empty()) return;
    put(wire::text);
    put(name);
    put(text);
  }

  std::string unused(const std::string& name) {
    const std::string stem = legal(name);
    std::string unique = stem;
    for (int number = 2; !used_.insert(unique).second; ++number) unique = fmt::format("{}_{}", stem, number);
    return unique;
  }

  void define(const std::string& original, const std::string& name, const std::vector<Dimension>& dimensions, Is kind,
              const char* role, const Meaning& meaning, std::span<const double> values) {
    put(wire::variable);
    put(name);
    put(kind == Is::measured ? 1 : 0);
    put(dimensions.size());
    for (const Dimension& dimension : dimensions) {
      put(dimension.name);
      put(dimension.length);
    }
    put_text("long_name", meaning.text);
    put_text("symbol", meaning.symbol);
    put_text("units", meaning.unit);
    put_text("bmsim_role", role);
    if (name != original) put_text("bmsim_name", original);
    if (kind == Is::measured) {
      put_text("coordinates", along_);
      put_ancillary(original, std::string_view(role) == "array" ? &Writer::has_array : &Writer::has_column);
    }
    if (values.empty()) return;
    put(wire::values);
    put(values.size());
    program_.write(values.data(), values.size_bytes());
  }

  /// Names the columns or arrays, such as errors, that belong to the variable `name`, which was defined last.
  void put_ancillary(const std::string& name, bool (Writer::*has)(const std::string&) const) {
    std::string names;
    for (const char* end : ancillary)
      if ((this->*has)(name + end) && !is_its_own(name + end, name))
        names += (names.empty() ? "" : " ") + legal(name + end);
    put_text("ancillary_variables", names);
  }
  /// Whether a column means something else than its name says: a script may call an average "q_step" besides one called
  /// "q". A column that belongs to q has the meaning of q within its own; one that a script has added means its name.
  bool is_its_own(const std::string& column, const std::string& name) const {
    const auto text_of = [&](const std::string& searched) {
      const auto found = std::ranges::find(data_.table.columns, searched, &Column::name);
      return found == data_.table.columns.end()
                 ? ""
                 : meaning(static_cast<size_t>(found - data_.table.columns.begin())).text;
    };
    const std::string text = text_of(column), whole = text_of(name);
    if (text.empty() || text == column) return false;
    return !text.ends_with(" " + whole) && !text.starts_with(whole + ", ") &&
           text.find(" " + whole + ", ") == text.npos;
  }
  bool has_column(const std::string& name) const { return data_.table.find(name) != nullptr; }
  bool has_array(const std::string& name) const {
    return std::ranges::any_of(arrays_, [&](const Array& array) { return array.name == name; });
  }

  Meaning meaning(size_t column) const { return column < data_.meanings.size() ? data_.meanings[column] : Meaning{}; }

  void define_axes() {
    for (const SweepAxis& axis : data_.axes)
      for (size_t i = 0; i < axis.names.size(); ++i) {
        const std::string name = unused(axis.names[i]);
        if (i == 0)
          axes_.push_back({name, axis.length()});
        else
          along_ += (along_.empty() ? "" : " ") + name;
        define(axis.names[i], name, {axes_.back()}, Is::scale, "axis", meaning(axis_columns_++), axis.values[i]);
      }
  }

  void define_column(size_t c) {
    const Column& column = data_.table.columns[c];
    define(column.name, unused(column.name), axes_, Is::measured, c < data_.swept ? "parameter" : "column", meaning(c),
           column.values);
  }

  Dimension dimension_of(const Coordinate& coordinate) {
    for (const auto& [known, dimension] : coordinates_)
      if (known->name == coordinate.name && known->values == coordinate.values) return dimension;
    const Dimension dimension{unused(coordinate.name), coordinate.values.size()};
    define(coordinate.name, dimension.name, {dimension}, Is::scale, "coordinate",
           {"", coordinate.label, coordinate.unit.empty() ? "1" : coordinate.unit}, coordinate.values);
    coordinates_.emplace_back(&coordinate, dimension);
    return dimension;
  }

  void define_array(const Array& array) {
    std::vector<Dimension> dimensions = axes_;
    for (const Coordinate& coordinate : array.coordinates) {
      if (coordinate.values.empty()) return;  // a dimension of length 0 would be unlimited
      dimensions.push_back(dimension_of(coordinate));
    }
    const bool error = array.name.ends_with("_err");
    define(
        array.name, unused(array.name), dimensions, Is::measured, "array",
        {array.label, error ? "standard error of " + array.label : array.label, array.unit.empty() ? "1" : array.unit},
        array.values);
  }

  const Dataset& data_;
  const std::vector<Array>& arrays_;
  NetcdfProgram& program_;
  size_t axis_columns_ = 0;
  std::vector<Dimension> axes_;
  std::string along_;  // names that are swept together with an axis's first one
  std::set<std::string> used_;
  std::vector<std::pair<const Coordinate*, Dimension>> coordinates_;
};

/// Takes the file that the program has made, block by block. Messages begin with `subject`.
void take_image(const std::string& subject, NetcdfProgram& program, NewFile& file) {
  char kind = 0;
  uint64_t left = 0;
  program.read(&kind, 1);
  program.read(&left, sizeof left);
  std::string block;
  if (kind == wire::error) {
    block.resize(std::min<uint64_t>(left, 1000));
    program.read(block.data(), block.size());
    fail("{}{}", subject, block);
  }
  if (kind != wire::image) fail("{}its program is not of this version", subject);
  for (; left > 0; left -= block.size()) {
    block.resize(std::min<uint64_t>(left, 1 << 20));
    program.read(block.data(), block.size());
    file.write(block);
  }
}

}  // namespace

void write_netcdf(const Dataset& data, const std::vector<Array>& arrays, const std::string& file, Existing existing,
                  unsigned threads) {
  NewFile fresh("output", file, Streams::allow);
  const std::string subject = fmt::format("output: cannot write '{}': ", file);
  NetcdfProgram program(subject, NetcdfProgram::Work::writes, {std::to_string(threads)});
  Writer(data, arrays, program).write();
  take_image(subject, program, fresh);
  fresh.publish_or_keep(existing);
}

void write_netcdf(const Dataset& data, const std::string& file, Existing existing) {
  write_netcdf(data, data.arrays, file, existing, 1);
}

}  // namespace bmsim
