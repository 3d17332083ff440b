// A process whose standard output is read here, and which is believed nothing; it may be told something before.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bmsim {

class Child {
 public:
  /// What it does with a file; a reader has no input.
  enum class Work { reads, writes };
  /// Starts a program, given by its path, with its arguments. Safe in a process of several threads.
  Child(Work work, const std::vector<std::string>& command);
  /// Kills the process if it has not ended.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Says so many bytes. Where the process has ended the next read() says so.
  void write(const void* bytes, size_t count);
  /// All is said.
  void end_input();
  /// Reads exactly so many bytes. Throws Error if the process ends before, saying how it ended, or writes nothing for a
  /// minute.
  void read(void* bytes, size_t count);

 private:
  void fill();
  void send();
  /// Throws Error with the way in which the process ended.
  [[noreturn]] void fail_ended();

  Work work_;
  std::string program_;
  pid_t process_ = -1;
  int input_ = -1, output_ = -1;
  std::vector<char> unsent_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;  // what is in the buffer
};

}  // namespace bmsim
