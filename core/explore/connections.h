// The connections of the server: how long one may take to show the token, and how many may be about to. cpp-httplib has
// a time for every read, and none for a request: somebody without the token who sends a byte a second holds a thread.
#pragma once
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace bmsim::explore {

/// May be used by several threads at once. cpp-httplib does not say which sockets it has, so they are found among the
/// open files of this process, and known by the port at their other end.
class Connections {
 public:
  ~Connections();
  /// Watches those of 127.0.0.1:port from now on.
  void watch(int port);
  /// A request from this port had the token.
  void trust(int from);
  /// A request from this port was refused: its connection is closed when the answer has had time to leave.
  void refuse(int from);
  /// Closes all, and those that come.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    Clock::time_point since = Clock::now();
    Clock::time_point until = since + longest;
    bool trusted = false;
  };
  static constexpr std::chrono::seconds longest{5}, farewell{1};
  static constexpr size_t most = 64;  // without the token
  void keep_watch();
  void look();
  std::map<int, int> sockets() const;
  void shut(int socket, int from) const;

  int port_ = 0;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<int, Connection> connections_;  // by the port at the other end
  bool ended_ = false, stopped_ = false;
  std::thread watch_;
};

}  // namespace bmsim::explore
