// Lines of the prompt: from a terminal, where they are edited and remembered, or from anything else.
#pragma once
#include <filesystem>
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

/// The lines of earlier prompts: $XDG_STATE_HOME/bmsim/history, a line each, which several prompts may write at once.
class HistoryFile {
 public:
  static constexpr size_t most = 1000;  ///< lines; older ones are dropped

  /// The lines of the file, oldest first. A file that cannot be read has none.
  std::vector<std::string> read() const;
  /// Adds a line, without its line feed. Makes the file, for its user alone. Says once on stderr if that fails.
  void append(const std::string& line);

 private:
  std::filesystem::path path() const;

  bool told_ = false;
};

}  // namespace bmsim::app
