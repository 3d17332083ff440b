// The end of work before it is done, since whoever asked for it wants no more of it. Long loops on the host look for
// that.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

#include "bmsim/bmsim.h"

namespace bmsim {

/// Not an Error: handlers of errors, which go on with something else, let it pass.
class Interruption : public std::exception {
 public:
  explicit Interruption(std::string message, bm_status status = BM_INTERRUPTED)
      : message_(std::move(message)), status_(status) {}
  const char* what() const noexcept override { return message_.c_str(); }
  bm_status status() const { return status_; }  ///< interrupted, or unfinished: what was done is kept

 private:
  std::string message_;
  bm_status status_;
};

/// Throws Interruption if the work is to end. May be called by any thread.
using InterruptionCheck = std::function<void()>;

/// Work of this thread that `check` may end, instead of the checks of the scopes around it.
class InterruptionScope {
 public:
  explicit InterruptionScope(InterruptionCheck check);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  friend InterruptionCheck interruption_check();
  friend void check_interruption();
  InterruptionCheck check_;
  const InterruptionScope* outer_;
};

/// The check of this thread's innermost scope, for threads that it starts.
InterruptionCheck interruption_check();
/// Throws Interruption if this thread's work is to end. It takes some nanoseconds: for loops whose turns take longer.
void check_interruption();

}  // namespace bmsim
