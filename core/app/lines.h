// Lines of the prompt: from a terminal, where they are edited and remembered, or from anything else.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bmsim::app {

/// What a name before the cursor may become: `typed` bytes of it are there.
struct Completion {
  size_t typed = 0;
  std::vector<std::string> names;
};
/// Gets the line up to the cursor. Throws nothing.
using Completer = std::function<Completion(const std::string& line)>;

enum class Got { line, interrupted, end };

/// Edits lines on a terminal.
class Editor {
 public:
  virtual ~Editor() = default;
  /// Reads a line, which ends with a line feed. `interrupted`: a signal was heard (signals.h).
  virtual Got read(const char* prompt, std::string& line) = 0;
};
/// Null if the program is built without libedit, or the terminal cannot do it.
std::unique_ptr<Editor> new_editor(Completer complete);

class Lines {
 public:
  explicit Lines(Completer complete);
  Got read(const char* prompt, std::string& line);
  /// Whether lines are edited, and names completed.
  bool edits() const { return editor_ != nullptr; }

 private:
  std::unique_ptr<Editor> editor_;  // null: standard input is read as it is
};

}  // namespace bmsim::app
