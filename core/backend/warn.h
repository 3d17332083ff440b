// Warnings about problems that do not stop a run, passed from low-level code up to whoever asked for the work.
#pragma once
#include <functional>
#include <string>

namespace bmsim {

/// Receives the warnings of this thread during its lifetime, instead of the scopes around it.
class WarningScope {
 public:
  using Listener = std::function<void(const std::string& text)>;
  explicit WarningScope(Listener listener);
  ~WarningScope();
  WarningScope(const WarningScope&) = delete;
  WarningScope& operator=(const WarningScope&) = delete;

 private:
  friend void warn(const std::string& text);
  Listener listener_;
  const WarningScope* outer_;
};

/// Passes a warning to this thread's innermost scope; without a scope it is lost.
void warn(const std::string& text);

}  // namespace bmsim
