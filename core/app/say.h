// What the program says to people.
#pragma once
#include <fmt/format.h>

#include <cstdio>

namespace bmsim::app {

/// Writes a text to stdout or stderr. A text that cannot be written stops nothing: main looks at stdout at the end.
template <class... Args> void say(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace bmsim::app
