#include "backend/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace bmsim {

void Digest::add(std::string_view text) {
  for (size_t begin = 0; begin < text.size(); begin += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + begin, std::min(sizeof word, text.size() - begin));
    hash_ = (hash_ ^ word) * prime;
  }
  bytes_ += text.size();
}
std::string Digest::text() const {
  Wide hash = hash_;
  for (int mixed = 0; mixed < 3; ++mixed) hash = (hash ^ (hash >> 64) ^ bytes_) * prime;
  return fmt::format("{:016x}{:016x}", static_cast<uint64_t>(hash >> 64), static_cast<uint64_t>(hash));
}
std::string digest(std::string_view text) {
  Digest hash;
  hash.add(text);
  return hash.text();
}

}  // namespace bmsim
