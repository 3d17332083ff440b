// What ends the program: a message for stderr and the exit status.
#pragma once
#include <bmsim/bmsim.h>

#include <stdexcept>
#include <string>

namespace bmsim::app {

class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, int status = BM_ERROR) : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

/// Throws Failure with what the C API said.
inline void check(bm_status status) {
  if (status != BM_OK) throw Failure(bm_error(), status);
}

}  // namespace bmsim::app
