// The tasks of the program bmsim/netcdf, and the fields of wire.h in its standard input and output.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/wire.h"

namespace bmsim::netcdf {

/// Writes fields to standard output; ends this process if nobody reads them.
class Sender {
 public:
  void kind(wire::Kind value) { put(&value, 1); }
  void number(uint64_t value) { put(&value, sizeof value); }
  void text(std::string_view value) { bytes(value.data(), value.size()); }
  void values(const std::vector<double>& numbers) {
    number(numbers.size());
    put(numbers.data(), numbers.size() * sizeof(double));
  }
  void bytes(const void* data, size_t count) {
    number(count);
    put(data, count);
  }
  void finish() {
    if (std::fflush(stdout) != 0) std::_Exit(EXIT_FAILURE);
  }

 private:
  static void put(const void* bytes, size_t count) {
    if (std::fwrite(bytes, 1, count, stdout) != count) std::_Exit(EXIT_FAILURE);
  }
};

/// Reads fields from standard input, which it trusts; ends this process if no more come.
class Receiver {
 public:
  char kind() {
    char value = 0;
    get(&value, 1);
    return value;
  }
  uint64_t number() {
    uint64_t value = 0;
    get(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string value(number(), '\0');
    get(value.data(), value.size());
    return value;
  }
  /// The next `count` values.
  std::vector<double> values(size_t count) {
    std::vector<double> numbers(count);
    get(numbers.data(), numbers.size() * sizeof(double));
    return numbers;
  }
  /// Skips the rest of the input, so that the other process need not wait.
  void drain() {
    std::vector<char> block(1 << 16);
    while (std::fread(block.data(), 1, block.size(), stdin) > 0) continue;
  }

 private:
  static void get(void* bytes, size_t count) {
    if (std::fread(bytes, 1, count, stdin) != count) std::_Exit(EXIT_FAILURE);
  }
};

/// Sends what the file holds, or its texts alone, as records of wire.h.
void read(const char* file, bool texts_alone, Sender& sender);
/// Receives records, makes a file of them in memory, compressed by so many threads, and sends its bytes.
void write(size_t threads, Receiver& receiver, Sender& sender);

/// Lets this process compute for some more seconds from now on, after which the signal SIGXCPU ends it.
void renew_time();

/// The level of HDF5's filter "deflate"; "shuffle" comes before it.
constexpr unsigned deflate_level = 4;

/// The bytes of a chunk in the file, in zlib's format: the first bytes of all numbers, then the second ones, and so on.
/// Several threads may call it at once. Throws std::bad_alloc, or Problem.
std::vector<unsigned char> deflated(std::span<const double> values);

}  // namespace bmsim::netcdf
