// Makes a netCDF-4 file in memory with HDF5, as netCDF's library would make it.
#include <algorithm>
#include <deque>
#include <future>
#include <limits>
#include <optional>
#include <string_view>

#include "output/netcdf/hdf5.h"
#include "output/netcdf/program.h"

namespace bmsim::netcdf {

namespace {

/// netCDF reads variables and attributes in the order in which they were made.
constexpr unsigned in_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
constexpr size_t increment = 1 << 20;
constexpr size_t most_in_chunk = (size_t{1} << 20) / sizeof(double);

Id memory_file() {
  const Id access(H5Pcreate(H5P_FILE_ACCESS)), creation(H5Pcreate(H5P_FILE_CREATE));
  check(H5Pset_fapl_core(access, increment, false));
  check(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));
  check(H5Pset_link_creation_order(creation, in_order));
  check(H5Pset_attr_creation_order(creation, in_order));
  check(H5Pset_obj_track_times(creation, false));  // of the root group
  return Id(H5Fcreate("in memory", H5F_ACC_TRUNC, creation, access));
}

void put_text(hid_t object, const std::string& name, const std::string& text) {
  // HDF5 stores characters in the header, which holds less than 64 KiB, and strings elsewhere.
  const bool elsewhere = text.size() > 60000;
  const Id type(H5Tcopy(H5T_C_S1)), scalar(H5Screate(H5S_SCALAR));
  check(H5Tset_size(type, elsewhere ? H5T_VARIABLE : text.size()));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  if (!elsewhere) check(H5Tset_strpad(type, H5T_STR_NULLPAD));
  const Id attribute(H5Acreate2(object, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT));
  const char* pointer = text.c_str();
  check(H5Awrite(attribute, type, elsewhere ? static_cast<const void*>(&pointer) : pointer));
}

struct Dimension {
  std::string name;  // of the variable that is its scale
  hsize_t length;
};

/// The number of values in an array of these lengths.
hsize_t product(const std::vector<hsize_t>& lengths) {
  hsize_t size = 1;
  for (const hsize_t length : lengths) size *= length;
  return size;
}

/// Lengths of a chunk of at most 1 MiB. The slowest dimensions are cut first, so that a chunk's numbers are neighbours.
std::vector<hsize_t> chunk_of(const std::vector<hsize_t>& lengths) {
  std::vector<hsize_t> chunk = lengths;
  hsize_t size = product(lengths);
  for (size_t i = 0; i < chunk.size() && size > most_in_chunk; ++i) {
    const hsize_t row = size / chunk[i];  // numbers in one step along this dimension
    chunk[i] = std::max<hsize_t>(1, most_in_chunk / row);
    size = row * chunk[i];
  }
  return chunk;
}

/// A chunk of a variable: advance() goes through them in the order of their numbers.
class Place {
 public:
  Place(const std::vector<hsize_t>& lengths, const std::vector<hsize_t>& chunk)
      : lengths_(lengths), chunk_(chunk), start_(lengths.size(), 0) {}

  const std::vector<hsize_t>& start() const { return start_; }
  bool is_past() const { return past_; }
  /// How many numbers the variable has in the chunk, and how many the chunk has room for.
  size_t numbers() const {
    size_t count = 1;
    for (size_t i = 0; i < chunk_.size(); ++i) count *= std::min(chunk_[i], lengths_[i] - start_[i]);
    return count;
  }
  size_t most() const { return product(chunk_); }
  void advance() {
    for (size_t i = start_.size(); i > 0; --i) {
      start_[i - 1] += chunk_[i - 1];
      if (start_[i - 1] < lengths_[i - 1]) return;
      start_[i - 1] = 0;
    }
    past_ = true;
  }

 private:
  const std::vector<hsize_t>&lengths_, &chunk_;
  std::vector<hsize_t> start_;
  bool past_ = false;
};

class File {
 public:
  /// threads: how many compress numbers.
  explicit File(size_t threads) : threads_(std::max<size_t>(1, threads)) {}
  /// measured: its missing values are NaN.
  void add_variable(const std::string& name, bool measured, const std::vector<Dimension>& dimensions) {
    lengths_.clear();
    for (const Dimension& dimension : dimensions) lengths_.push_back(dimension.length);
    const int rank = static_cast<int>(lengths_.size());
    const Id space(rank > 0 ? H5Screate_simple(rank, lengths_.data(), nullptr) : H5Screate(H5S_SCALAR));
    chunk_ = chunk_of(lengths_);
    const Id creation = creation_of(chunk_, measured);
    variable_.reset();
    variable_.emplace(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    if (measured) put_missing();
    if (rank == 1 && dimensions[0].name == name) return put_scale(name);
    for (unsigned i = 0; i < dimensions.size(); ++i) {
      const Id scale(H5Dopen2(file_, dimensions[i].name.c_str(), H5P_DEFAULT));
      check(H5DSattach_scale(*variable_, scale, i));
    }
  }
  /// Adds a text to the variable that was added last, or to the file before the first one.
  void add_text(const std::string& name, const std::string& text) {
    put_text(variable_ ? *variable_ : root_, name, text);
  }
  /// Receives the values of the variable that was added last. They are compressed chunk by chunk while the next ones
  /// come, so that memory is that of some chunks and of the file.
  void take_values(Receiver& receiver) {
    const uint64_t numbers = receiver.number();
    if (numbers != product(lengths_)) throw Problem("a variable has not the numbers that its dimensions say");
    if (lengths_.empty()) {
      const std::vector<double> value = receiver.values(1);
      check(H5Dwrite(variable_.value(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()));
      return;
    }
    std::deque<Chunk> coming;
    for (Place place(lengths_, chunk_); !place.is_past(); place.advance()) {
      std::vector<double> values = receiver.values(place.numbers());
      values.resize(place.most(), 0);  // the last chunk of a dimension is as long as the others
      if (coming.size() >= threads_) put_first(coming);
      coming.push_back({place.start(), std::async([values = std::move(values)] { return deflated(values); })});
    }
    while (!coming.empty()) put_first(coming);
  }
  /// The whole file.
  std::string_view bytes() {
    variable_.reset();
    check(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    void* place = nullptr;  // a pointer to the pointer to the bytes
    check(H5Fget_vfd_handle(file_, H5P_DEFAULT, &place));
    return {*static_cast<const char**>(place), static_cast<size_t>(check(H5Fget_file_image(file_, nullptr, 0)))};
  }

 private:
  struct Chunk {
    std::vector<hsize_t> start;
    std::future<std::vector<unsigned char>> bytes;
  };

  void put_first(std::deque<Chunk>& coming) const {
    const std::vector<unsigned char> bytes = coming.front().bytes.get();
    check(H5Dwrite_chunk(variable_.value(), H5P_DEFAULT, 0, coming.front().start.data(), bytes.size(), bytes.data()));
    coming.pop_front();
  }

  static Id creation_of(const std::vector<hsize_t>& chunk, bool measured) {
    Id creation(H5Pcreate(H5P_DATASET_CREATE));
    check(H5Pset_attr_creation_order(creation, in_order));
    check(H5Pset_obj_track_times(creation, false));
    if (measured) check(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &missing));
    if (chunk.empty()) return creation;
    check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
    check(H5Pset_shuffle(creation));
    check(H5Pset_deflate(creation, deflate_level));
    return creation;
  }

  void put_missing() const {
    constexpr hsize_t length = 1;
    const Id space(H5Screate_simple(1, &length, nullptr));
    const Id attribute(H5Acreate2(*variable_, "_FillValue", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT));
    check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &missing));
  }

  void put_scale(const std::string& name) {
    check(H5DSset_scale(*variable_, name.c_str()));
    const Id scalar(H5Screate(H5S_SCALAR));
    const Id number(H5Acreate2(*variable_, "_Netcdf4Dimid", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT));
    check(H5Awrite(number, H5T_NATIVE_INT, &scales_));
    ++scales_;
  }

  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  const Id file_ = memory_file();
  const Id root_{H5Gopen2(file_, "/", H5P_DEFAULT)};
  std::optional<Id> variable_;
  std::vector<hsize_t> lengths_, chunk_;  // of the variable that was added last
  int scales_ = 0;
  size_t threads_;
};

void add_variable(File& file, Receiver& receiver) {
  const std::string name = receiver.text();
  const bool measured = receiver.number() != 0;
  std::vector<Dimension> dimensions(receiver.number());
  for (Dimension& dimension : dimensions) {
    dimension.name = receiver.text();
    dimension.length = receiver.number();
  }
  file.add_variable(name, measured, dimensions);
}

}  // namespace

void write(size_t threads, Receiver& receiver, Sender& sender) {
  File file(threads);
  for (char kind = receiver.kind(); kind != wire::end; kind = receiver.kind()) {
    if (kind == wire::text) {
      const std::string name = receiver.text();
      file.add_text(name, receiver.text());
    } else if (kind == wire::variable) {
      add_variable(file, receiver);
    } else if (kind == wire::values) {
      file.take_values(receiver);
    } else {
      throw Problem("the program is not of the library's version");
    }
  }
  const std::string_view bytes = file.bytes();
  sender.kind(wire::image);
  sender.bytes(bytes.data(), bytes.size());
}

}  // namespace bmsim::netcdf
