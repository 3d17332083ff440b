// Starts programs, the same way wherever bmsim does so. A header alone, since the explorer's server is not linked to
// the library.
#pragma once
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace bmsim {

struct Child {
  std::vector<std::string> words;            ///< the program, in PATH unless it has a '/', and its arguments
  std::vector<std::pair<int, int>> files{};  ///< descriptors here, and which they are there
  bool without_input = false;                ///< its standard input is /dev/null
  bool silent = false;                       ///< its standard error is /dev/null
  bool own_group = true;                     ///< a process group of its own: Ctrl-C at the terminal is not for it
  std::string directory{};                   ///< in which it begins; "": this process's own
};

/// Starts it with no signal ignored or blocked, and no files but the standard ones and those that are given: a file
/// that another thread writes would stay locked, a port taken, as long as it lives. Returns 0, or the number of the
/// error.
inline int start_child(const Child& asked, pid_t& child) {
  std::vector<char*> words;
  for (const std::string& word : asked.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (asked.without_input) posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  int last = STDERR_FILENO;
  for (const auto& [here, there] : asked.files) {
    posix_spawn_file_actions_adddup2(&actions, here, there);
    last = std::max(last, there);
  }
  if (asked.silent) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!asked.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, asked.directory.c_str());
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&actions, last + 1);
#endif
#endif
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  const int group = asked.own_group ? POSIX_SPAWN_SETPGROUP : 0;
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int failed = posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

}  // namespace bmsim
