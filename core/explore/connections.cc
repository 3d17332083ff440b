#include "connections.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

namespace bmsim::explore {
namespace {

/// The port at one end of a socket of IPv4; nothing for other files.
std::optional<int> port_of(int file, int (*end)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  if (end(file, reinterpret_cast<sockaddr*>(&storage), &length) != 0 || storage.ss_family != AF_INET) return {};
  return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
}

}  // namespace

Connections::~Connections() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (watch_.joinable()) watch_.join();
}

void Connections::watch(int port) {
  port_ = port;
  watch_ = std::thread([this] { keep_watch(); });
}

void Connections::trust(int from) {
  const std::lock_guard lock(mutex_);
  connections_[from].trusted = true;
}

void Connections::refuse(int from) {
  const std::lock_guard lock(mutex_);
  Connection& connection = connections_[from];
  connection.trusted = false;
  connection.until = std::min(connection.until, Clock::now() + farewell);
}

void Connections::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void Connections::keep_watch() {
  constexpr std::chrono::milliseconds pause{50};
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    look();
    changed_.wait_for(lock, pause);
  }
}

// The sockets of the connections that there are, by the port at the other end.
std::map<int, int> Connections::sockets() const {
  std::map<int, int> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> files(opendir("/proc/self/fd"), closedir);
  for (const dirent* entry = nullptr; files && (entry = readdir(files.get())) != nullptr;) {
    const int file = std::atoi(entry->d_name);
    if (port_of(file, getsockname) != port_) continue;
    if (const auto from = port_of(file, getpeername)) found[*from] = file;  // not the one that listens
  }
  return found;
}

// With the lock held.
void Connections::look() {
  const std::map<int, int> sockets = this->sockets();
  std::erase_if(connections_, [&](const auto& known) { return !sockets.contains(known.first); });
  for (const auto& [from, socket] : sockets) connections_.try_emplace(from);
  std::vector<std::pair<Clock::time_point, int>> strangers;
  for (const auto& [from, connection] : connections_)
    if (!connection.trusted) strangers.emplace_back(connection.since, from);
  std::ranges::sort(strangers);
  const size_t too_many = strangers.size() - std::min(strangers.size(), most);
  for (size_t i = 0; i < too_many; ++i) connections_[strangers[i].second].until = {};
  for (const auto& [from, connection] : connections_)
    if (ended_ || (!connection.trusted && Clock::now() >= connection.until)) shut(sockets.at(from), from);
}

// The file may have become another one in the meantime.
void Connections::shut(int socket, int from) const {
  if (port_of(socket, getsockname) == port_ && port_of(socket, getpeername) == from) shutdown(socket, SHUT_RDWR);
}

}  // namespace bmsim::explore
