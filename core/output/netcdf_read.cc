#include <netcdf.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "error.h"
#include "output/netcdf.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

void check(int status) {
  if (status != NC_NOERR) throw Error(nc_strerror(status));
}

/// Opens a file to read. A lock of HDF5's on a file just written outlives it for moments, if another thread starts a
/// compiler meanwhile, which has the file open until it runs.
int open_to_read(const std::string& file, int& id) {
  int status = nc_open(file.c_str(), NC_NOWRITE, &id);
  for (int again = 0; again < 20 && status == NC_EHDFERR; ++again) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    status = nc_open(file.c_str(), NC_NOWRITE, &id);
  }
  return status;
}

class Reader {
 public:
  explicit Reader(int id) : id_(id) {}

  Dataset read() {
    if (!has(NC_GLOBAL, "bmsim")) throw Error("it was not written by bmsim");
    read_texts();
    int count = 0;
    check(nc_inq_nvars(id_, &count));
    for (int variable = 0; variable < count; ++variable) read_axis(variable);
    spread_axes();
    data_.swept = data_.table.columns.size();
    for (int variable = 0; variable < count; ++variable) {
      const std::string role = text(variable, "bmsim_role");
      if (role == "parameter" || role == "column") read_column(variable, role == "parameter");
      if (role == "array") read_array(variable);
    }
    return std::move(data_);
  }

 private:
  bool has(int variable, const char* name) const {
    return nc_inq_att(id_, variable, name, nullptr, nullptr) == NC_NOERR;
  }

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
    const std::string value = pointer != nullptr ? pointer : "";
    nc_free_string(1, &pointer);
    return value;
  }

  void read_texts() {
    int count = 0;
    check(nc_inq_natts(id_, &count));
    for (int i = 0; i < count; ++i) {
      char name[NC_MAX_NAME + 1];
      check(nc_inq_attname(id_, NC_GLOBAL, i, name));
      if (std::string_view(name) == "manifest")
        data_.table.header = text(NC_GLOBAL, name);
      else
        data_.texts.emplace_back(name, text(NC_GLOBAL, name));
    }
  }

  std::vector<int> dimensions(int variable) const {
    int count = 0;
    check(nc_inq_varndims(id_, variable, &count));
    std::vector<int> found(static_cast<size_t>(count));
    check(nc_inq_vardimid(id_, variable, found.data()));
    return found;
  }

  size_t length(int dimension) const {
    size_t found = 0;
    check(nc_inq_dimlen(id_, dimension, &found));
    return found;
  }

  std::vector<double> values(int variable) const {
    size_t size = 1;
    for (const int dimension : dimensions(variable)) size *= length(dimension);
    std::vector<double> found(size);
    check(nc_get_var_double(id_, variable, found.data()));
    return found;
  }

  /// The original name, which netCDF may not have allowed.
  std::string name(int variable) const {
    if (has(variable, "bmsim_name")) return text(variable, "bmsim_name");
    char found[NC_MAX_NAME + 1];
    check(nc_inq_varname(id_, variable, found));
    return found;
  }

  Meaning meaning(int variable) const {
    return {text(variable, "symbol"), text(variable, "long_name"), text(variable, "units")};
  }

  void read_axis(int variable) {
    if (text(variable, "bmsim_role") != "axis") return;
    const std::vector<int> along = dimensions(variable);
    if (along.size() != 1) fail("axis '{}' has {} dimensions", name(variable), along.size());
    if (axes_.empty() || axes_.back() != along[0]) {
      axes_.push_back(along[0]);
      data_.axes.emplace_back();
    }
    data_.axes.back().names.push_back(name(variable));
    data_.axes.back().values.push_back(values(variable));
    data_.meanings.push_back(meaning(variable));
  }

  /// Makes the columns of the axes, one value per point.
  void spread_axes() {
    Sweep sweep;
    for (const SweepAxis& axis : data_.axes) sweep.add_axis(axis.names, axis.values);
    for (size_t i = 0; i < sweep.names().size(); ++i)
      data_.table.columns.push_back({sweep.names()[i], sweep.values()[i]});
  }

  void read_column(int variable, bool parameter) {
    if (dimensions(variable) != axes_) fail("column '{}' does not have the axes' dimensions", name(variable));
    data_.table.columns.push_back({name(variable), values(variable)});
    data_.meanings.push_back(meaning(variable));
    if (parameter) data_.swept = data_.table.columns.size();
  }

  Coordinate coordinate(int dimension) const {
    char its[NC_MAX_NAME + 1];
    check(nc_inq_dimname(id_, dimension, its));
    int variable = 0;
    check(nc_inq_varid(id_, its, &variable));
    const std::string unit = text(variable, "units");
    return {name(variable), text(variable, "long_name"), unit == "1" ? "" : unit, values(variable)};
  }

  void read_array(int variable) {
    const std::vector<int> all = dimensions(variable);
    if (all.size() < axes_.size() || !std::equal(axes_.begin(), axes_.end(), all.begin()))
      fail("array '{}' does not begin with the axes' dimensions", name(variable));
    const std::string unit = text(variable, "units");
    Array array{name(variable), text(variable, "symbol"), unit == "1" ? "" : unit, {}, values(variable)};
    for (size_t i = axes_.size(); i < all.size(); ++i) array.coordinates.push_back(coordinate(all[i]));
    data_.arrays.push_back(std::move(array));
  }

  int id_;
  Dataset data_;
  std::vector<int> axes_;  // dimensions
};

}  // namespace

Dataset read_netcdf(const std::string& file) {
  const auto lock = netcdf_lock();
  int id = -1;
  try {
    if (!fs::exists(file)) throw Error("no such file");
    if (!fs::is_regular_file(file)) throw Error("it is not a regular file");
    const int status = open_to_read(fs::absolute(file), id);
    if (status == NC_ENOTNC) throw Error("it is not a netCDF file");
    check(status);
    Dataset data = Reader(id).read();
    nc_close(id);
    return data;
  } catch (const std::exception& error) {
    if (id >= 0) nc_close(id);
    fail("cannot read '{}': {}", file, error.what());
  }
}

}  // namespace bmsim
