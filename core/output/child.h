// A process whose standard output is read here, and which is believed nothing.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bmsim {

class Child {
 public:
  /// Starts a program, given by its path, with its arguments. Safe in a process of several threads.
  explicit Child(const std::vector<std::string>& command);
  /// Kills the process if it has not ended.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Reads exactly so many bytes. Throws Error if the process ends before, saying how it ended, or writes nothing for a
  /// minute.
  void read(void* bytes, size_t count);

 private:
  void fill();
  /// Throws Error with the way in which the process ended.
  [[noreturn]] void fail_ended();

  std::string program_;
  pid_t process_ = -1;
  int output_ = -1;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;  // what is in the buffer
};

}  // namespace bmsim
