// A stream of zlib's may change how it compresses from one part to the next, and every reader takes the result. Most
// bytes of a simulation's numbers have no pattern, so that the search for one takes nearly all of the time and saves
// nothing. If there are many numbers, a sample of each plane, the bytes of one place in all numbers, therefore tells
// how it is compressed.
#include "output/netcdf/program.h"

#include <zlib.h>

#include "output/netcdf/hdf5.h"

namespace bmsim::netcdf {

namespace {

using Bytes = std::vector<unsigned char>;

/// How bytes are compressed. Bytes that repeat only one after another, such as the exponents of a path and the zeros of
/// single precision, need no search for earlier ones.
struct Way {
  int level, strategy;
};
constexpr Way search = {deflate_level, Z_DEFAULT_STRATEGY}, runs = {deflate_level, Z_RLE}, store = {0, Z_RLE};

void must_be(int wanted, int code) {
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  if (code != wanted) throw Problem("zlib fails");
}

class Stream {
 public:
  /// bytes: the most that it is given.
  Stream(Way way, size_t bytes) : way_(way), output_(bytes + bytes / 8 + (1 << 12)) {
    constexpr int window = 15, memory = 8;  // zlib's defaults
    must_be(Z_OK, deflateInit2(&stream_, way.level, Z_DEFLATED, window, memory, way.strategy));
    stream_.next_out = output_.data();
    stream_.avail_out = static_cast<uInt>(output_.size());
  }
  ~Stream() { deflateEnd(&stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void add(std::span<const unsigned char> bytes, Way way) {
    if (way.level != way_.level || way.strategy != way_.strategy)
      must_be(Z_OK, deflateParams(&stream_, way.level, way.strategy));
    way_ = way;
    stream_.next_in = const_cast<unsigned char*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    must_be(Z_OK, deflate(&stream_, Z_NO_FLUSH));
  }
  Bytes finish() {
    must_be(Z_STREAM_END, deflate(&stream_, Z_FINISH));
    output_.resize(stream_.total_out);
    return std::move(output_);
  }

 private:
  Way way_;
  Bytes output_;
  z_stream stream_{};
};

size_t size_by(Way way, std::span<const unsigned char> bytes) {
  Stream stream(way, bytes.size());
  stream.add(bytes, way);
  return stream.finish().size();
}

/// The way that suits a plane, judged from some pieces of it.
Way way_of(std::span<const unsigned char> plane) {
  constexpr size_t pieces = 4, length = 2048;
  constexpr double worth_a_search = 0.95, worth_a_code = 0.97;  // of the size otherwise
  Bytes sample;
  for (size_t i = 0; i < pieces; ++i) {
    const auto piece = plane.subspan(i * (plane.size() / pieces), length);
    sample.insert(sample.end(), piece.begin(), piece.end());
  }
  const auto by_search = static_cast<double>(size_by(search, sample)),
             by_runs = static_cast<double>(size_by(runs, sample));
  if (by_search < worth_a_search * by_runs) return search;
  return by_runs < worth_a_code * static_cast<double>(sample.size()) ? runs : store;
}

Bytes shuffled(std::span<const double> values) {
  constexpr size_t width = sizeof(double), block = 512;  // numbers that stay in the cache while their bytes are sorted
  const auto* from = reinterpret_cast<const unsigned char*>(values.data());
  Bytes bytes(values.size_bytes());
  for (size_t begin = 0; begin < values.size(); begin += block)
    for (size_t place = 0; place < width; ++place)
      for (size_t i = begin, end = std::min(begin + block, values.size()); i < end; ++i)
        bytes[place * values.size() + i] = from[i * width + place];
  return bytes;
}

}  // namespace

std::vector<unsigned char> deflated(std::span<const double> values) {
  constexpr size_t many = size_t{1} << 15;  // numbers: the samples are at most a quarter of them
  const Bytes bytes = shuffled(values);
  Stream stream(search, bytes.size());
  if (values.size() < many) {
    stream.add(bytes, search);
  } else {
    for (size_t place = 0; place < sizeof(double); ++place) {
      const auto plane = std::span(bytes).subspan(place * values.size(), values.size());
      stream.add(plane, way_of(plane));
    }
  }
  return stream.finish();
}

}  // namespace bmsim::netcdf
