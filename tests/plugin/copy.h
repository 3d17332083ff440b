// Where a copy of a plugin is, by which it knows how it shall be broken.
#pragma once
#include <dlfcn.h>

#include <string_view>

/// Whether this library was loaded from a file whose path ends so.
inline bool is_at(std::string_view place) {
  static const char here = 0;
  Dl_info info{};
  return dladdr(&here, &info) != 0 && std::string_view(info.dli_fname).ends_with(place);
}
#define AT_PLACE(place, ...) \
  if (is_at(place)) {        \
    __VA_ARGS__;             \
  }
