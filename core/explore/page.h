// What all tabs share: the last state of the page, its values, and who is looking.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "worker.h"

namespace bmsim::explore {

/// The server asks every tab so often whether it is there.
constexpr std::chrono::seconds between_beats{10};

/// A file that a reader takes away, or why there is none.
struct Taken {
  std::string bytes, type, name, failure;
};

/// May be used by several threads at once.
class Page {
 public:
  using Clock = std::chrono::steady_clock;

  /// Remembers what a process sends.
  void hear(Frame frame);
  /// The process has ended, or cannot be started.
  void fail(const std::string& why);

  /// New values, "D=1&on=true". Returns their number.
  uint64_t set(const std::string& query);
  /// The line that tells a process the present values.
  std::string line();

  /// Events for a tab that has those up to `seen`, which is set to the last one; waits at most a second for any.
  std::string news(uint64_t& seen);

  /// A request for a file, which hear will answer.
  uint64_t ask(std::future<Taken>& answer);
  void forget(uint64_t request);

  /// A tab opens, if there are not too many; a tab closes.
  bool open();
  void close();
  /// Some tab has said that it is still there: a tunnel from a computer that sleeps does not close.
  void heard();
  /// How long there has been no tab, or none has said anything; nothing while there is one that does.
  std::optional<double> alone();
  /// From now on news returns at once, and who waits for a file hears why there is none.
  void end();
  bool has_ended();

 private:
  struct Event {
    uint64_t number = 0;
    std::string text;
  };
  void put(const std::string& kind, const std::string& json);
  void refuse_waiting(const std::string& why);
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Event> events_;  // the last of each kind
  uint64_t last_ = 0, version_ = 0, requests_ = 0;
  std::string query_;
  std::map<uint64_t, std::promise<Taken>> waiting_;
  int tabs_ = 0;
  bool ended_ = false;
  Clock::time_point left_ = Clock::now(), heard_ = Clock::now();
};

}  // namespace bmsim::explore
