// The error that ends the program: a message for stderr and the exit status.
#pragma once
#include <bmsim/bmsim.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace bmsim::app {

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

}  // namespace bmsim::app
