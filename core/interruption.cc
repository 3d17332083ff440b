#include "interruption.h"

#include <utility>

namespace bmsim {

namespace {
thread_local const InterruptionScope* innermost = nullptr;
}

InterruptionScope::InterruptionScope(InterruptionCheck check)
    : check_(std::move(check)), outer_(std::exchange(innermost, this)) {}
InterruptionScope::~InterruptionScope() { innermost = outer_; }

InterruptionCheck interruption_check() { return innermost != nullptr ? innermost->check_ : InterruptionCheck(); }

void check_interruption() {
  if (innermost != nullptr && innermost->check_) innermost->check_();
}

}  // namespace bmsim
