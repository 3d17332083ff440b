// Reads a netCDF-4 file with HDF5. Its contents are not trusted, but this process need not survive them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "output/netcdf/hdf5.h"
#include "output/netcdf/program.h"

namespace bmsim::netcdf {

namespace {

constexpr size_t most_in_block = (size_t{32} << 20) / sizeof(double);

Id open_file(const char* name) {
  if (H5Fis_hdf5(name) == 0) throw Problem("it is not a netCDF file");
  return Id(H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT));
}

/// A text attribute; "" if there is none.
std::string text(hid_t object, const char* name) {
  if (check(H5Aexists(object, name)) == 0) return "";
  const Id attribute(H5Aopen(object, name, H5P_DEFAULT)), type(H5Aget_type(attribute)), space(H5Aget_space(attribute));
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return "";
  if (check(H5Tis_variable_str(type)) == 0) {
    std::string value(H5Tget_size(type), '\0');
    check(H5Aread(attribute, type, value.data()));
    return value;
  }
  char* pointer = nullptr;
  check(H5Aread(attribute, type, static_cast<void*>(&pointer)));
  std::string value = pointer != nullptr ? pointer : "";
  H5free_memory(pointer);
  return value;
}

/// The names of a group's links or attributes, in the order in which they were made, or else in alphabetical order.
template <class Get> std::vector<std::string> names(hsize_t count, const Get& get) {
  std::vector<std::string> result;
  for (hsize_t i = 0; i < count; ++i) {
    H5_index_t by = H5_INDEX_CRT_ORDER;
    ssize_t length = get(by, i, nullptr, 0);
    if (length < 0) length = check(get(by = H5_INDEX_NAME, i, nullptr, 0));
    std::string name(static_cast<size_t>(length) + 1, '\0');
    check(get(by, i, name.data(), name.size()));
    name.pop_back();
    result.push_back(std::move(name));
  }
  return result;
}

std::vector<std::string> attributes(hid_t group) {
  return names(static_cast<hsize_t>(check(H5Aget_num_attrs(group))),
               [&](H5_index_t by, hsize_t i, char* to, size_t room) {
                 return H5Aget_name_by_idx(group, ".", by, H5_ITER_INC, i, to, room, H5P_DEFAULT);
               });
}

std::vector<std::string> links(hid_t group) {
  H5G_info_t info{};
  check(H5Gget_info(group, &info));
  return names(info.nlinks, [&](H5_index_t by, hsize_t i, char* to, size_t room) {
    return H5Lget_name_by_idx(group, ".", by, H5_ITER_INC, i, to, room, H5P_DEFAULT);
  });
}

haddr_t address(hid_t object) {
  H5O_info_t info{};
  check(H5Oget_info(object, &info));
  return info.addr;
}

struct Dimension {
  haddr_t scale;  // where the variable lies that gives its values
  hsize_t length;
};

class Variable {
 public:
  Variable(Id id, std::string name) : id_(std::move(id)), name_(std::move(name)) {}

  void send(Sender& sender) {
    const std::string role = text(id_, "bmsim_role");
    const std::string_view known[] = {"axis", "parameter", "column", "coordinate", "array"};
    if (std::find(std::begin(known), std::end(known), role) == std::end(known)) return;
    const std::string original = text(id_, "bmsim_name");  // which netCDF may not have allowed
    if (!original.empty()) name_ = original;
    check_numbers();
    find_dimensions();
    const std::string symbol = text(id_, "symbol"), meaning = text(id_, "long_name"), units = text(id_, "units");
    sender.kind(wire::variable);
    for (const std::string& field : {role, name_, symbol, meaning, units}) sender.text(field);
    sender.number(is_scale_ ? 1 : 0);
    sender.number(along_.size());
    for (const Dimension& dimension : along_) {
      sender.number(dimension.scale);
      sender.number(dimension.length);
    }
    sender.finish();
    send_values(sender);
  }

 private:
  /// Throws Problem unless it has numbers in double precision, in this file.
  void check_numbers() const {
    const Id type(H5Dget_type(id_)), creation(H5Dget_create_plist(id_));
    if (H5Tget_class(type) != H5T_FLOAT || H5Tget_size(type) != sizeof(double))
      throw Problem(fmt::format("'{}' does not hold numbers in double precision", name_));
    if (H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) != 0)
      throw Problem(fmt::format("the numbers of '{}' are in another file", name_));
  }

  void find_dimensions() {
    const int rank = check(H5Sget_simple_extent_ndims(space_));
    if (static_cast<size_t>(rank) > wire::most_dimensions)
      throw Problem(fmt::format("'{}' has {} dimensions, more than {}", name_, rank, wire::most_dimensions));
    std::vector<hsize_t> lengths(static_cast<size_t>(rank));
    check(H5Sget_simple_extent_dims(space_, lengths.data(), nullptr));
    for (unsigned i = 0; i < lengths.size(); ++i) {
      if (lengths[i] == 0) throw Problem(fmt::format("'{}' has a dimension of length 0", name_));
      along_.push_back({is_scale_ ? address(id_) : scale_of(i), lengths[i]});
    }
  }

  haddr_t scale_of(unsigned dimension) const {
    haddr_t place = HADDR_UNDEF;
    const auto first = [](hid_t, unsigned, hid_t scale, void* to) -> herr_t {
      *static_cast<haddr_t*>(to) = address(scale);
      return 1;
    };
    if (check(H5DSiterate_scales(id_, dimension, nullptr, first, &place)) == 0)
      throw Problem(fmt::format("a dimension of '{}' has no name", name_));
    return place;
  }

  /// Sends the values in blocks, so that memory is that of one block, however large the variable is.
  void send_values(Sender& sender) const {
    std::vector<hsize_t> start(along_.size(), 0), count(along_.size(), 1);
    // A block has as many of the last dimensions as fit, whole, and a part of the one before them.
    size_t block = 1, cut = along_.size();
    while (cut > 0 && along_[cut - 1].length <= most_in_block / block) {
      --cut;
      count[cut] = along_[cut].length;
      block *= count[cut];
    }
    const size_t rows = cut > 0 ? most_in_block / block : 1;
    std::vector<double> values;
    do {
      if (cut > 0) count[cut - 1] = std::min<hsize_t>(rows, along_[cut - 1].length - start[cut - 1]);
      values.resize(block * (cut > 0 ? count[cut - 1] : 1));
      read_block(start, count, values);
      sender.kind(wire::values);
      sender.values(values);
      sender.finish();
      renew_time();
    } while (advance(start, cut, rows));
  }

  void read_block(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
                  std::vector<double>& values) const {
    const hsize_t size = values.size();
    const Id memory(H5Screate_simple(1, &size, nullptr));
    if (!start.empty())
      check(H5Sselect_hyperslab(space_, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    check(H5Dread(id_, H5T_NATIVE_DOUBLE, memory, space_, H5P_DEFAULT, values.data()));
  }

  /// Goes to the next block; false after the last one.
  bool advance(std::vector<hsize_t>& start, size_t cut, size_t rows) const {
    for (size_t i = cut; i > 0; --i) {
      const size_t step = i == cut ? rows : 1;
      if (along_[i - 1].length - start[i - 1] > step) {
        start[i - 1] += step;
        return true;
      }
      start[i - 1] = 0;
    }
    return false;
  }

  Id id_;
  std::string name_;
  Id space_{H5Dget_space(id_)};
  bool is_scale_ = H5DSis_scale(id_) > 0;
  std::vector<Dimension> along_;
};

/// The group's data set of this name, if it is in the file itself: links to elsewhere are not followed.
std::optional<Id> data_set(hid_t group, const std::string& name) {
  H5L_info_t link{};
  check(H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT));
  if (link.type != H5L_TYPE_HARD) return std::nullopt;
  H5O_info_t info{};
  check(H5Oget_info_by_name(group, name.c_str(), &info, H5P_DEFAULT));
  if (info.type != H5O_TYPE_DATASET) return std::nullopt;
  const Id access(H5Pcreate(H5P_DATASET_ACCESS));
  check(H5Pset_chunk_cache(access, 0, 0, 0));  // no block is read twice
  return Id(H5Dopen2(group, name.c_str(), access));
}

}  // namespace

void read(const char* name, bool texts_alone, Sender& sender) {
  const Id file = open_file(name), root(H5Gopen2(file, "/", H5P_DEFAULT));
  if (check(H5Aexists(root, "bmsim")) == 0) throw Problem("it was not written by bmsim");
  for (const std::string& attribute : attributes(root)) {
    if (attribute == "_NCProperties") continue;  // netCDF's own
    sender.kind(wire::text);
    sender.text(attribute);
    sender.text(text(root, attribute.c_str()));
  }
  if (!texts_alone)
    for (const std::string& link : links(root))
      if (std::optional<Id> found = data_set(root, link)) Variable(std::move(*found), link).send(sender);
  sender.kind(wire::end);
}

}  // namespace bmsim::netcdf
