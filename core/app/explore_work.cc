// The process that runs a script for the explorer. One thread hears the server, and interrupts what is out of date; the
// other runs the script, in a fresh Lua state every time, with more and more paths.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>

#include "commands.h"

namespace bmsim::app {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Frames to the server: "KIND ID LENGTH WORDS\n", then LENGTH bytes.
class Wire {
 public:
  explicit Wire(int out) : out_(out) {}
  void send(const std::string& kind, uint64_t id, const std::string& bytes, const std::string& words = "-") {
    const std::lock_guard lock(mutex_);
    const std::string frame = fmt::format("{} {} {} {}\n{}", kind, id, bytes.size(), words, bytes);
    for (size_t at = 0; at < frame.size();) {
      const ssize_t written = write(out_, frame.data() + at, frame.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;  // the server is gone, which the other end of the pipe tells, too
      at += static_cast<size_t>(written);
    }
  }

 private:
  std::mutex mutex_;
  int out_;
};

// What a file is known by: it is new when this changes.
std::string signature(const std::string& file) {
  struct stat about = {};
  if (stat(file.c_str(), &about) != 0) return "";
  return fmt::format("{} {} {}.{}", about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

class Worker {
 public:
  Worker(const Options& options, const Session& session, const Install& install, int in, int out)
      : options_(options), session_(session), install_(install), in_(in), wire_(out), watched_(watch()) {}

  void work() {
    std::thread listener([this] { listen(); });
    // A change of values needs the same kernel, as a rule: moving a slider is not to begin its compilation anew.
    check(bm_session_set(session_.get(), "finish_compilation", "1"));
    bm_session_on_progress(
        session_.get(),
        [](void* self, const bm_progress* progress) { static_cast<Worker*>(self)->tell_progress(*progress); }, this);
    for (Work next = wait_for_work(); next != Work::none; next = wait_for_work()) {
      if (next == Work::pass) pass();
      if (Clock::now() >= motion_due_) record_motion();
    }
    listener.join();
  }

 private:
  // ---- what the server says; the thread that listens ----

  void listen() {
    constexpr int busy = 20, idle = 250;  // milliseconds
    std::string text;
    char buffer[4096];
    for (;;) {
      pollfd one{in_, POLLIN, 0};
      const int ready = poll(&one, 1, stale() ? busy : idle);
      if (ready > 0) {
        const ssize_t count = read(in_, buffer, sizeof buffer);
        if (count == 0 || (count < 0 && errno != EINTR)) break;
        if (count > 0) text.append(buffer, static_cast<size_t>(count));
      }
      for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
        hear(text.substr(0, end));
        text.erase(0, end + 1);
      }
      if (heard_signal() != 0) break;
      if (const std::string now = watch(); now != watched_) {
        watched_ = now;
        want([](Worker&) {});
      }
      // A run that began just after an interrupt has not heard it.
      const std::lock_guard lock(mutex_);
      if (stale()) bm_session_interrupt(session_.get());
    }
    check(bm_session_set(session_.get(), "finish_compilation", ""));
    want([](Worker& self) { self.ended_ = true; });
    for (; running_ != 0; std::this_thread::sleep_for(std::chrono::milliseconds(busy)))
      bm_session_interrupt(session_.get());
  }

  // All files that a run depends on and the user edits.
  std::string watch() const {
    std::string all = signature(options_.script);
    for (const std::string& file : options_.params) all += ";" + signature(file);
    return all;
  }

  // "set VERSION QUERY" or "take ID PANEL FORMAT"
  void hear(const std::string& line) {
    std::istringstream words(line);
    std::string what, first, second;
    uint64_t number = 0;
    words >> what >> number >> first >> second;
    if (what == "set")
      want([&](Worker& self) {
        self.query_ = first;
        self.version_ = number;
      });
    if (what == "take") take(number, first, second);
  }

  template <class Change> void want(Change change) {
    {
      const std::lock_guard lock(mutex_);
      change(*this);
      ++wanted_;
      if (stale()) bm_session_interrupt(session_.get());  // not the next pass: the mutex is held
    }
    changed_.notify_all();
  }

  // Whether what is under way is to end, since nobody wants it any more. The first pass after a change goes on for a
  // while all the same, so that curves follow a slider that does not rest.
  bool stale() const {
    if (running_ == 0 || ended_) return running_ != 0;
    return running_ != wanted_ && Clock::now() >= patient_until_.load();
  }

  // What a reader downloads is of what the page shows, whose Lua state is at rest.
  void take(uint64_t id, const std::string& panel, const std::string& format) {
    const std::lock_guard lock(shown_mutex_);
    try {
      if (!shown_) throw Failure("there is nothing yet");
      lua_State* lua = shown_->state();
      push_function(lua, "take");
      lua_pushlstring(lua, panel.data(), panel.size());
      lua_pushlstring(lua, format.data(), format.size());
      lua_pushlstring(lua, shown_text_.data(), shown_text_.size());
      shown_->call(3);
      size_t length = 0;
      const char* bytes = lua_tolstring(lua, 1, &length);
      wire_.send("file", id, {bytes, length}, fmt::format("{} {}", lua_tostring(lua, 2), lua_tostring(lua, 3)));
    } catch (const Failure& failure) {
      wire_.send("nofile", id, failure.what());
    }
  }

  // ---- passes ----

  enum class Work { pass, motion, none };

  // Waits for new values, or the time of more motion; not if more paths are to be made. none: the server is gone.
  Work wait_for_work() {
    std::unique_lock lock(mutex_);
    const auto more = [this] { return ended_ || done_ != wanted_ || unfinished_; };
    if (motion_due_ == never)
      changed_.wait(lock, more);
    else
      changed_.wait_until(lock, motion_due_, more);
    if (ended_) return Work::none;
    return more() ? Work::pass : Work::motion;
  }

  void pass() {
    const auto begin = Clock::now();
    uint64_t version = 0;
    {
      const std::lock_guard lock(mutex_);
      running_ = wanted_.load();
      const bool first = done_ != wanted_;
      if (first) ++round_, part_ = 0, most_ = first_;
      if (first) motion_due_ = begin;  // after the curves
      const std::chrono::duration<double> patience(std::clamp(2 * few_seconds_, 1.0, 3.0));
      patient_until_ = first ? begin + std::chrono::duration_cast<Clock::duration>(patience) : begin;
      version = version_;
      pass_query_ = query_;
    }
    wire_.send("status", version, R"({"running":true})");
    std::unique_ptr<LuaHost> host;
    std::string text, error;
    try {
      text = text_of_script();
      for (const std::string& file : options_.params) close(open_at_once(file));
      host = std::make_unique<LuaHost>(options_, session_, progress_, install_.lua);
      prepare(*host);
      host->run_text("@" + options_.script, text);
    } catch (const Failure& failure) {
      error = failure.what();
    }
    if (!stale()) publish(std::move(host), version, error, seconds_since(begin), text);
    const std::lock_guard lock(mutex_);
    if (!stale()) done_ = running_.load();
    running_ = 0;
  }

  // Opens a file that the user edits. Opening what has come in its place, such as a FIFO, might never end.
  static int open_at_once(const std::string& file) {
    const int opened = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (opened < 0) throw Failure(fmt::format("explore: cannot open '{}': {}", file, std::strerror(errno)));
    struct stat about = {};
    if (fstat(opened, &about) == 0 && S_ISREG(about.st_mode)) return opened;
    close(opened);
    throw Failure(fmt::format("explore: '{}' must be a regular file", file));
  }

  std::string text_of_script() const {
    std::string text;
    const int file = open_at_once(options_.script);
    char buffer[4096];
    for (ssize_t count = 0; (count = read(file, buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<size_t>(count));
    close(file);
    return text;
  }

  // bmsim.host.explore, and a hook by which Lua code that takes long is ended.
  void prepare(LuaHost& host) {
    lua_State* lua = host.state();
    lua_getfield(lua, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(lua, -1, "bmsim.host");
    lua_createtable(lua, 0, 2);
    lua_pushlstring(lua, pass_query_.data(), pass_query_.size());
    lua_setfield(lua, -2, "query");
    if (std::isfinite(most_)) {
      lua_pushnumber(lua, most_);
      lua_setfield(lua, -2, "most");
    }
    lua_setfield(lua, -2, "explore");
    own_function(lua, "check_interrupt", [](lua_State* at) { return self_of(at).stale() ? stop_interrupted(at) : 0; });
    lua_settop(lua, 0);
    lua_pushlightuserdata(lua, this);
    lua_setfield(lua, LUA_REGISTRYINDEX, "bmsim.explorer");
    constexpr int often = 10000;  // instructions
    lua_sethook(
        lua,
        [](lua_State* at, lua_Debug*) {
          lua_getfield(at, LUA_REGISTRYINDEX, "bmsim.explorer");
          const bool ends = static_cast<const Worker*>(lua_touserdata(at, -1))->stale();
          lua_pop(at, 1);
          if (ends) stop_interrupted(at);
        },
        LUA_MASKCOUNT, often);
    push_function(lua, "begin");
    host.call(0);
  }

  // Adds a function that finds this object to the table on top.
  void own_function(lua_State* lua, const char* name, lua_CFunction body) {
    lua_pushlightuserdata(lua, this);
    lua_pushcclosure(lua, body, 1);
    lua_setfield(lua, -2, name);
  }
  static Worker& self_of(lua_State* lua) { return *static_cast<Worker*>(lua_touserdata(lua, lua_upvalueindex(1))); }

  // Pushes a function of bmsim.explore_panels on the stack, which it empties before.
  static void push_function(lua_State* lua, const char* name) {
    lua_settop(lua, 0);
    lua_getglobal(lua, "require");
    lua_pushliteral(lua, "bmsim.explore_panels");
    if (lua_pcall(lua, 1, 1, 0) != 0) throw Failure(lua_tostring(lua, -1));
    lua_getfield(lua, -1, name);
    lua_remove(lua, -2);
  }

  // Sends what the script has made, and keeps its state for who takes something away.
  void publish(std::unique_ptr<LuaHost> host, uint64_t version, const std::string& error, double seconds,
               const std::string& text) {
    unfinished_ = false;
    if (!host) return wire_.send("failure", version, error);
    std::string state;
    double made_paths = 0;
    bool enough = false;
    try {
      lua_State* lua = host->state();
      lua_sethook(lua, nullptr, 0, 0);
      push_function(lua, "report");
      lua_createtable(lua, 0, 3);
      lua_pushnumber(lua, static_cast<double>(version));
      lua_setfield(lua, -2, "version");
      lua_pushnumber(lua, seconds);
      lua_setfield(lua, -2, "seconds");
      if (!error.empty()) {
        lua_pushlstring(lua, error.data(), error.size());
        lua_setfield(lua, -2, "error");
      }
      host->call(1);
      state = lua_tostring(lua, 1);
      unfinished_ = error.empty() && lua_toboolean(lua, 2) != 0;
      made_paths = lua_tonumber(lua, 3);
      enough = lua_toboolean(lua, 4) != 0;
      lua_settop(lua, 0);
    } catch (const Failure& failure) {
      return wire_.send("failure", version, failure.what());
    }
    {
      const std::lock_guard lock(shown_mutex_);
      shown_ = std::move(host);
      shown_text_ = text;
    }
    wire_.send("state", version, state);
    choose_paths(seconds, made_paths);
    if (enough) most_ = INFINITY;  // the ordinary run, which will not need many more
  }

  // Makes the next part of how particles move, which takes too long to come before the curves.
  void record_motion() {
    {
      const std::lock_guard lock(mutex_);
      if (ended_ || done_ != wanted_) return;
      running_ = wanted_.load();
      patient_until_ = Clock::time_point();
    }
    records_motion_ = true;
    std::string text;
    double seconds = 0;
    {
      const std::lock_guard lock(shown_mutex_);
      try {
        if (!shown_) throw Failure("there is nothing yet");
        lua_State* lua = shown_->state();
        push_function(lua, "move");
        lua_pushnumber(lua, static_cast<double>(round_));
        lua_pushnumber(lua, static_cast<double>(part_));
        shown_->call(2);
        if (lua_isstring(lua, 1) != 0) text = lua_tostring(lua, 1);
        seconds = lua_tonumber(lua, 2);
        lua_settop(lua, 0);
      } catch (const Failure&) {  // nothing moves
      }
    }
    records_motion_ = false;
    bool given_up = false;
    {
      const std::lock_guard lock(mutex_);
      given_up = stale();
      running_ = 0;
    }
    if (given_up) return;
    if (!text.empty()) wire_.send("motion", version_, text);
    motion_due_ = text.empty() ? never : Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(1000 * seconds));
    ++part_;
  }

  // Twice as many paths in the next pass, or four times as many after a short one. After a change so many that paths
  // take some hundredths of a second: what the script does besides takes its time however few they are.
  void choose_paths(double seconds, double made) {
    constexpr double quick = 0.05, for_paths = 0.04, slow = 0.2, fewest = 64;
    if (made <= 0) return;
    double rate = 0;
    if (round_ != few_round_) {
      few_round_ = round_, few_ = made, few_seconds_ = seconds;
      if (seconds > slow) rate = made / seconds;
    } else if (made > few_ && seconds > few_seconds_ + for_paths / 2) {
      rate = (made - few_) / (seconds - few_seconds_);
    }
    if (rate > 0) first_ = std::max(fewest, std::exp2(std::floor(std::log2(std::max(1.0, rate * for_paths)))));
    if (unfinished_) most_ = std::max(most_, made) * (seconds < quick ? 4 : 2);
  }

  void tell_progress(const bm_progress& progress) {
    constexpr double pause = 0.2;
    if (records_motion_ || seconds_since(told_) < pause) return;
    told_ = Clock::now();
    wire_.send("status", version_, fmt::format(R"({{"running":true,"progress":{:.3f}}})", progress.fraction));
  }

  const Options& options_;
  const Session& session_;
  const Install& install_;
  ProgressLine progress_;
  const int in_;
  Wire wire_;
  std::string watched_;

  std::mutex mutex_;  // guards query_, version_, ended_, and changes of the counts
  std::condition_variable changed_;
  std::string query_;
  std::atomic<uint64_t> version_{0};
  std::atomic<bool> ended_{false};
  // Counts of changes: the one asked for, at work (0: none) and done.
  std::atomic<uint64_t> wanted_{0}, running_{0};
  uint64_t done_ = 0;
  std::atomic<Clock::time_point> patient_until_{};  // until then what is under way goes on

  // Of the thread that works.
  bool unfinished_ = false;
  double most_ = 64, first_ = 64;  // paths of this pass, and of the first after a change
  uint64_t few_round_ = 0;         // the round of the next two: of its first pass
  double few_ = 0, few_seconds_ = 0;
  std::string pass_query_;
  static constexpr Clock::time_point never = Clock::time_point::max();
  uint64_t round_ = 0, part_ = 0;  // of values; of the motion at these, the next one
  Clock::time_point motion_due_ = never;
  bool records_motion_ = false;
  Clock::time_point told_;

  std::mutex shown_mutex_;  // guards the next two
  std::unique_ptr<LuaHost> shown_;
  std::string shown_text_;
};

}  // namespace

void work_for_explorer(const Options& options, const Session& session, const Install& install) {
  // The pipes of the server are not the script's: what it prints by other ways than print goes to stderr.
  const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (in < 0 || out < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw Failure("explore: no files left");
  const TemporaryDirectory directory("explore");  // for what the script writes
  check(bm_session_redirect(session.get(), directory.path().c_str()));
  bm_session_on_warning(
      session.get(), [](void*, const char*) {}, nullptr);
  const Signals signals(session, nullptr, nullptr, false);
  std::signal(SIGPIPE, SIG_IGN);
  Worker(options, session, install, in, out).work();
}

}  // namespace bmsim::app
