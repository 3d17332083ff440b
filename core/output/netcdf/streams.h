// Standard input and output as the fields of wire.h.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "output/wire.h"

namespace bmsim::netcdf {

/// Ends this process where nobody listens.
class Sender {
 public:
  void kind(wire::Kind value) { put(&value, 1); }
  void number(uint64_t value) { put(&value, sizeof value); }
  void text(std::string_view value) { bytes(value.data(), value.size()); }
  void values(const std::vector<double>& all) {
    number(all.size());
    put(all.data(), all.size() * sizeof(double));
  }
  void bytes(const void* all, size_t count) {
    number(count);
    put(all, count);
  }
  void finish() {
    if (std::fflush(stdout) != 0) std::_Exit(EXIT_FAILURE);
  }

 private:
  static void put(const void* bytes, size_t count) {
    if (std::fwrite(bytes, 1, count, stdout) != count) std::_Exit(EXIT_FAILURE);
  }
};

/// Believes what it is told. Ends this process where nobody speaks any more.
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
  /// Some of those that follow a number.
  std::vector<double> values(size_t count) {
    std::vector<double> all(count);
    get(all.data(), all.size() * sizeof(double));
    return all;
  }
  /// Passes over the rest, so that who speaks is not kept waiting.
  void drain() {
    std::vector<char> block(1 << 16);
    while (std::fread(block.data(), 1, block.size(), stdin) > 0) continue;
  }

 private:
  static void get(void* bytes, size_t count) {
    if (std::fread(bytes, 1, count, stdin) != count) std::_Exit(EXIT_FAILURE);
  }
};

}  // namespace bmsim::netcdf
