// Warnings of what does not stop a run, from below: whoever asked for the work hears them.
#pragma once
#include <functional>
#include <string>

namespace bmsim {

/// Hears the warnings of this thread while it lives, instead of those around it.
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

/// Told to this thread's scope; where there is none, to nobody.
void warn(const std::string& text);

}  // namespace bmsim
