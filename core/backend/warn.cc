#include "backend/warn.h"

#include <utility>

namespace bmsim {

namespace {
thread_local const WarningScope* innermost = nullptr;
}

WarningScope::WarningScope(Listener listener)
    : listener_(std::move(listener)), outer_(std::exchange(innermost, this)) {}
WarningScope::~WarningScope() { innermost = outer_; }

void warn(const std::string& text) {
  if (innermost != nullptr) innermost->listener_(text);
}

}  // namespace bmsim
