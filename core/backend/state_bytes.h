// The state of an ensemble as bytes: numbers and blocks of memory, one after the other, in the order of the writer.
#pragma once
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "error.h"

namespace bmsim {

inline void add_bytes(std::string& state, const void* from, size_t bytes) {
  state.append(static_cast<const char*>(from), bytes);
}

/// Takes the next bytes off. Throws Error if there are fewer.
inline void take_bytes(std::string_view& state, void* to, size_t bytes) {
  if (state.size() < bytes) fail("checkpoint: the state of trajectories is too short");
  if (bytes > 0) std::memcpy(to, state.data(), bytes);
  state.remove_prefix(bytes);
}

}  // namespace bmsim
