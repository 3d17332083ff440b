// Fuzzers: each is a function of bytes that must come back, whatever they are. What it notices itself it says by
// finding(); the sanitizers notice the rest. tests/fuzz/fuzz.sh runs them for a time, replay.cc those inputs that are
// kept in corpus/NAME.
#pragma once
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace bmsim::fuzz {

/// Ends the program, as a crash does.
[[noreturn]] void finding(const std::string& what);

/// A message for users is not that of a library. What it may have of such words is of the input.
void check_message(std::string_view message, std::string_view input);

/// Choices by bytes; when there are none left, 0.
class Bytes {
 public:
  explicit Bytes(std::string_view left) : left_(left) {}
  bool empty() const { return left_.empty(); }
  std::string_view rest() const { return left_; }
  unsigned byte() {
    if (left_.empty()) return 0;
    const auto first = static_cast<unsigned char>(left_[0]);
    left_.remove_prefix(1);
    return first;
  }
  /// 0 ... count - 1.
  unsigned below(unsigned count) { return byte() % count; }
  template <class T, size_t n> const T& one_of(const std::array<T, n>& list) { return list[below(n)]; }
  uint64_t word() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }
  std::string_view text(size_t length) {
    const std::string_view first = left_.substr(0, length);
    left_.remove_prefix(first.size());
    return first;
  }

 private:
  std::string_view left_;
};

/// Files in a directory of this process, which is removed at its end.
const std::string& directory();
void write_file(const std::string& path, std::string_view bytes);

void cache(std::string_view bytes);
void defines(std::string_view bytes);
void formula(std::string_view bytes);
void journal(std::string_view bytes);
void lua_api(std::string_view bytes);
void parameters(std::string_view bytes);
void plugin_file(std::string_view bytes);
void result_file(std::string_view bytes);
void result_stream(std::string_view bytes);

}  // namespace bmsim::fuzz
