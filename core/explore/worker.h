// The process that runs the script, as the server sees it: `bmsim ... --explore-work`, with a pipe in either direction.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace bmsim::explore {

/// "KIND ID LENGTH WORDS\n", then LENGTH bytes: what the process sends.
struct Frame {
  std::string kind;
  uint64_t id = 0;
  std::string words;
  std::string bytes;
};

/// Starts a program in a process group of its own, with all signals as usual and no file but stdin, stdout (as given,
/// -1: those of this process) and stderr. Throws std::runtime_error.
pid_t start_process(const std::vector<std::string>& command, int in, int out);

class Worker {
 public:
  /// hear: gets every frame; ended: why the process ended by itself. Both in the thread that reads.
  Worker(std::vector<std::string> command, std::function<void(Frame)> hear, std::function<void(std::string)> ended);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Starts the process unless it is there.
  void start();
  /// Ends it: its input is closed, and if that does not help within some seconds it is killed.
  void stop();
  bool is_running();
  /// Sends a line. False if there is no process that could hear it.
  bool tell(const std::string& line);

 private:
  void read_from(int in, pid_t child);
  void end(std::unique_lock<std::mutex>& lock);
  const std::vector<std::string> command_;
  const std::function<void(Frame)> hear_;
  const std::function<void(std::string)> ended_;
  std::mutex mutex_;  // guards what follows
  std::thread reader_;
  pid_t child_ = 0;
  int out_ = -1;
  bool meant_ = false;  // to end
  bool reading_ = false;
};

}  // namespace bmsim::explore
