#include "signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace bmsim::app {
namespace {

// Used by the handler.
bm_session* session_of_work = nullptr;
lua_State* lua_of_script = nullptr;
lua_CFunction stop_script = nullptr;
bool keeps_checkpoint = false;
volatile std::sig_atomic_t heard = 0, ends_by = 0;

// Kills the process if the script does not end, as when it waits for another program.
void on_late(int) {
  std::signal(heard, SIG_DFL);
  std::raise(heard);
}

// The second signal kills the process, since compiled loops run no hooks, and scripts may catch errors.
void on_signal(int signal) {
  std::signal(signal, SIG_DFL);
  if (heard == 0) heard = signal;
  if (bm_session_interrupt(session_of_work) != 0 || lua_of_script == nullptr) return;
  const auto at_once = [](lua_State* lua, lua_Debug*) {
    lua_sethook(lua, nullptr, 0, 0);
    stop_script(lua);
  };
  lua_sethook(lua_of_script, at_once, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
  constexpr unsigned seconds = 10;
  if (keeps_checkpoint || !must_end()) return;
  std::signal(SIGALRM, on_late);
  alarm(seconds);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);  // no SA_RESTART: reading at the prompt must return
}

// nohup lets a process ignore SIGHUP, and so it stays.
bool ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void die_of_signal() {
  if (ends_by == 0) return;
  std::signal(ends_by, SIG_DFL);
  std::raise(ends_by);
}

}  // namespace

void prepare_process() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  std::signal(SIGXFSZ, SIG_IGN);
  std::atexit(die_of_signal);  // registered first, so that it is called last
}

Signals::Signals(const Session& session, lua_State* lua, lua_CFunction stop, bool keeps_unfinished) {
  session_of_work = session.get();
  lua_of_script = lua;
  stop_script = stop;
  keeps_checkpoint = keeps_unfinished;
  if (lua != nullptr) std::signal(SIGPIPE, SIG_IGN);  // results are worth more than what is printed
  install();
}

Signals::~Signals() {
  // With a checkpoint a signal that comes now is too late to be heard: the work is done, or kept.
  const auto after = keeps_checkpoint ? SIG_IGN : SIG_DFL;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, after);
  if (!ignored(SIGHUP)) std::signal(SIGHUP, after);
  if (keeps_checkpoint) std::signal(SIGUSR1, after);
  session_of_work = nullptr;
  lua_of_script = nullptr;
}

void Signals::install() {
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  if (!ignored(SIGHUP)) handle(SIGHUP, on_signal);
  if (keeps_checkpoint) handle(SIGUSR1, on_signal);
}

void Signals::reset() {
  heard = 0;
  alarm(0);
  install();
}

int heard_signal() { return heard; }
bool must_end() { return heard == SIGTERM || heard == SIGHUP; }

void end_by_signal() {
  if (!keeps_checkpoint && must_end()) ends_by = heard;
}

}  // namespace bmsim::app
