// Loaded plugins and their documentation, on stdout.
#include "plugin_commands.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>

#include "failure.h"
#include "say.h"

namespace bmsim::app {

namespace {

// A copy, because a returned text lives only until the next call.
std::string property(size_t index, const char* key) { return bm_plugin_property(index, key); }

void check_loaded(const Session& session, const std::string& name) {
  const auto print = [](void*, const char* line) {
    say(stdout, "{}\n", line);
    std::fflush(stdout);  // a check may take seconds
  };
  check(bm_plugin_check(session.get(), name.c_str(), print, nullptr));
}

// Does the work in a process of its own, so that a crash of a plugin is a problem found and not ours. Throws the
// Failure that the work throws, or one for a crash.
void in_child(const std::string& name, const std::function<void()>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure("plugin check: cannot make a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Failure("plugin check: cannot start a process");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    close(ends[0]);
    int status = BM_OK;
    try {
      work();
      if (std::fflush(stdout) != 0) throw Failure("bmsim: cannot write to standard output");
    } catch (const std::exception& error) {
      const auto* failure = dynamic_cast<const Failure*>(&error);
      status = failure != nullptr ? failure->status() : BM_ERROR;
      if (write(ends[1], error.what(), std::strlen(error.what())) < 0) status = BM_ERROR;
    }
    _exit(status);
  }
  close(ends[1]);
  std::string message;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (got > 0) message.append(buffer, static_cast<size_t>(got));
    if (got < 0 && errno != EINTR) break;
    if (got < 0) kill(child, SIGTERM);  // a signal that this process has heard is the child's, too
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) {
    say(stdout, "crash: PROBLEM: it ends the process ({}) in the check after these\n", strsignal(WTERMSIG(status)));
    throw Failure(fmt::format("{}: 1 problem", name));
  }
  if (message.empty() && WEXITSTATUS(status) != BM_OK) message = fmt::format("{}: it ended the process", name);
  if (WEXITSTATUS(status) != BM_OK) throw Failure(message, WEXITSTATUS(status));
}

}  // namespace

void list_plugins(bool files) {
  for (size_t i = 0; files && i < bm_plugin_count(); ++i)
    if (const auto file = property(i, "file"); file != "built in") say(stdout, "{}\n", file);
  if (files) return;
  size_t width = 0;
  const auto name = [](size_t i) { return property(i, "kind") + "." + property(i, "id"); };
  for (size_t i = 0; i < bm_plugin_count(); ++i) width = std::max(width, name(i).size());
  for (size_t i = 0; i < bm_plugin_count(); ++i) {
    say(stdout, "{:<{}}  {:<6}  {}\n", name(i), width, property(i, "version"), property(i, "summary"));
  }
}

void describe_plugin(const std::string& name, bool markdown) {
  const char* text = markdown ? bm_plugin_markdown(name.c_str()) : bm_plugin_describe(name.c_str());
  if (text == nullptr) throw Failure(bm_error());
  std::string_view lines = text;
  while (lines.ends_with('\n')) lines.remove_suffix(1);
  say(stdout, "{}\n", lines);
}

void check_plugin(const Session& session, const Options& options, const Install& install) {
  in_child(options.plugin, [&] {
    load_plugins(options.plugin_path, install);
    check_loaded(session, options.plugin);
  });
}

}  // namespace bmsim::app
