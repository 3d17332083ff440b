// The lines of earlier prompts: $XDG_STATE_HOME/bmsim/history, a line each, which several prompts may write at once.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace bmsim::app {

class HistoryFile {
 public:
  static constexpr size_t most = 1000;  ///< lines; older ones are dropped

  /// The lines of the file, oldest first. A file that cannot be read has none.
  std::vector<std::string> read() const;
  /// Adds a line, without its line feed. Makes the file, for its user alone, if there is none. If that fails it says so
  /// on stderr, once.
  void append(const std::string& line);

 private:
  std::filesystem::path path() const;

  bool told_ = false;
};

}  // namespace bmsim::app
