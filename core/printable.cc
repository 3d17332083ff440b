#include "printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace bmsim {

namespace {

/// The length of the UTF-8 sequence at the beginning of the text, and its code point; length 0 if there is none.
struct Sequence {
  size_t length = 0;
  uint32_t point = 0;
};

Sequence first_sequence(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const size_t length = lead >= 0xf8 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (length == 0 || length > text.size()) return {};
  uint32_t point = lead & (0x7fU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3fU);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: longer forms are not UTF-8
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  if (point < least[length] || surrogate || point > 0x10ffff) return {};
  return {length, point};
}

bool is_control(uint32_t point) { return point < 0x20 || (point >= 0x7f && point < 0xa0); }

/// Marks of direction, and separators of lines and paragraphs.
bool misleads(uint32_t point) {
  return point == 0x61c || point == 0x200e || point == 0x200f || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

std::string shown(std::string_view text, std::string_view kept) {
  std::string result;
  while (!text.empty()) {
    const Sequence first = first_sequence(text);
    const size_t length = first.length == 0 ? 1 : first.length;
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 1 && kept.find(text[0]) != kept.npos)
      result += text[0];
    else if (first.length == 0 || is_control(first.point))
      result += fmt::format("\\x{:02x}", first.length == 0 ? byte : first.point);
    else if (misleads(first.point))
      result += fmt::format("\\u{:04x}", first.point);
    else
      result += text.substr(0, length);
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, ""); }
std::string printable_lines(std::string_view text) { return shown(text, "\n\t"); }

}  // namespace bmsim
