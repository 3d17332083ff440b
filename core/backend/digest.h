// Digests: short names for long texts of kernels, and for runs.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bmsim {

/// 128-bit FNV-1a over words of eight bytes, mixed with the number of bytes at the end, as 32 hexadecimal digits. Every
/// step is a bijection: texts of one length that differ in one word have different digests.
class Digest {
 public:
  /// Adds a text. Its last word is filled up with zeros.
  void add(std::string_view text) {
    for (size_t begin = 0; begin < text.size(); begin += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, text.data() + begin, std::min(sizeof word, text.size() - begin));
      hash_ = (hash_ ^ word) * prime;
    }
    bytes_ += text.size();
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(Number number) { add({reinterpret_cast<const char*>(&number), sizeof number}); }
  /// Adds numbers, and how many they are.
  template <class Number> void add(std::span<const Number> numbers) {
    static_assert(std::is_trivially_copyable_v<Number>);
    add(uint64_t{numbers.size()});
    add({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  template <class Number> void add(const std::vector<Number>& numbers) { add(std::span<const Number>(numbers)); }
  template <class Number> void add(const std::vector<std::vector<Number>>& lists) {
    add(uint64_t{lists.size()});
    for (const auto& list : lists) add(list);
  }
  std::string text() const {
    Wide hash = hash_;
    for (int mixed = 0; mixed < 3; ++mixed) hash = (hash ^ (hash >> 64) ^ bytes_) * prime;
    return fmt::format("{:016x}{:016x}", static_cast<uint64_t>(hash >> 64), static_cast<uint64_t>(hash));
  }

 private:
  __extension__ typedef unsigned __int128 Wide;
  static constexpr Wide prime = (Wide{1} << 88) + 0x13b;
  Wide hash_ = (Wide{0x6c62272e07bb0142u} << 64) + 0x62b821756295c58du;
  uint64_t bytes_ = 0;
};

/// The digest of a text.
inline std::string digest(std::string_view text) {
  Digest hash;
  hash.add(text);
  return hash.text();
}

}  // namespace bmsim
