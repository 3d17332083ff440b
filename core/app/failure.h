// What the program says to people, the error that ends it, and what it holds of the C API.
#pragma once
#include <bmsim/bmsim.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace bmsim::app {

/// Writes a text to stdout or stderr. A text that cannot be written stops nothing: main looks at stdout at the end.
template <class... Args> void say(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

/// The text without what a terminal would obey, see bm_printable.
inline std::string printable(const std::string& text) {
  const char* shown = bm_printable(text.c_str());
  return shown != nullptr ? shown : "";
}

class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, int status = BM_ERROR)
      : std::runtime_error(printable(message)), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

struct FreeSession {
  void operator()(bm_session* session) const { bm_session_free(session); }
};
/// The program's only session: settings of the command line, and the listeners of runs.
using Session = std::unique_ptr<bm_session, FreeSession>;

/// Throws Failure with the message of the C API.
inline void check(bm_status status) {
  if (status != BM_OK) throw Failure(bm_error(), status);
}

/// A directory that is removed with all in it at the end, or by a later process if this one is killed. Throws Failure.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const char* purpose) : directory_(bm_directory_new(purpose)) {
    if (!directory_) throw Failure(bm_error(), bm_last_status());
  }
  std::filesystem::path path() const { return bm_directory_path(directory_.get()); }

 private:
  struct Free {
    void operator()(bm_directory* directory) const { bm_directory_free(directory); }
  };
  std::unique_ptr<bm_directory, Free> directory_;
};

}  // namespace bmsim::app
