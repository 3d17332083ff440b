// The program that reads and makes netCDF files (netcdf/), and the conversation with it.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bmsim {

/// A process whose standard output is read here and not trusted. To write a file it gets input first. Messages begin
/// with `subject`, as in "output: cannot write 'x.nc': "; it may be empty.
class NetcdfProgram {
 public:
  enum class Work { reads, writes };
  /// Starts the program with these arguments after the first one. Safe in a process of several threads.
  NetcdfProgram(std::string subject, Work work, std::vector<std::string> arguments = {});
  /// Kills the process if it has not ended.
  ~NetcdfProgram();
  NetcdfProgram(const NetcdfProgram&) = delete;
  NetcdfProgram& operator=(const NetcdfProgram&) = delete;

  /// The program's file: "bmsim/netcdf" beside the library, or what the environment's BMSIM_NETCDF names.
  static std::string path();
  /// Throws Error, whose message begins with `subject`, if there is no such program.
  static void check(const std::string& subject);

  /// Sends so many bytes. If the process has ended the next read() reports it.
  void write(const void* bytes, size_t count);
  /// Ends the input: everything has been sent.
  void end_input();
  /// Reads exactly so many bytes. Throws Error if the process ends before, saying how, or writes nothing for a minute.
  void read(void* bytes, size_t count);

 private:
  void fill();
  void send(const char* bytes, size_t count);
  [[noreturn]] void fail_with(const std::string& why) const;
  /// Throws Error with the way in which the process ended.
  [[noreturn]] void fail_ended();

  std::string subject_;
  Work work_;
  std::string program_;
  pid_t process_ = -1;
  int input_ = -1, output_ = -1;
  std::vector<char> unsent_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;  // of what is in the buffer
};

}  // namespace bmsim
