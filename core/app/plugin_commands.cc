// Loaded plugins and new ones, whose skeletons the assembler embeds; @NAME@ in them stands for the plugin's name.
#include "commands.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

// The labels are global: see compose/kernel_texts.cc.
#define BM_SKELETON(symbol, file)                                                                          \
  __asm__(".pushsection .rodata\n.hidden bm_skeleton_" #symbol "\n.globl bm_skeleton_" #symbol             \
          "\nbm_skeleton_" #symbol ":\n.incbin \"" BMSIM_SKELETONS "/" file "\"\n.byte 0\n.popsection\n"); \
  extern "C" const char symbol##_skeleton[] __asm__("bm_skeleton_" #symbol);

BM_SKELETON(noise, "noise.cc.in")
BM_SKELETON(noise_test, "noise.lua.in")
BM_SKELETON(potential, "potential.cc.in")
BM_SKELETON(potential_test, "potential.lua.in")
BM_SKELETON(several, "potential_several.cc.in")
BM_SKELETON(several_test, "potential_several.lua.in")
BM_SKELETON(drive, "drive.cc.in")
BM_SKELETON(drive_test, "drive.lua.in")
BM_SKELETON(cmake, "CMakeLists.txt.in")

namespace bmsim::app {
namespace {

namespace fs = std::filesystem;

// A copy, because a returned text lives only until the next call.
std::string property(size_t index, const char* key) { return bm_plugin_property(index, key); }

void check_loaded(const Session& session, const std::string& name) {
  const auto print = [](void*, const char* line) {
    say(stdout, "{}\n", line);
    std::fflush(stdout);  // a check may take seconds
  };
  check(bm_plugin_check(session.get(), name.c_str(), print, nullptr));
}

// Does the work in a process of its own: a plugin's crash is a problem found. Throws its Failure, or one for a crash.
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
      if (::write(ends[1], error.what(), std::strlen(error.what())) < 0) status = BM_ERROR;
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

struct Skeleton {
  std::string_view kind, source, test;
};

Skeleton skeleton_of(const std::string& kind, bool several) {
  if (several && kind == "potential") return {kind, several_skeleton, several_test_skeleton};
  if (several)
    throw Failure(fmt::format("bmsim: plugin new: --several is for a potential, got '{}'", kind), BM_USAGE_ERROR);
  const Skeleton skeletons[] = {{"noise", noise_skeleton, noise_test_skeleton},
                                {"potential", potential_skeleton, potential_test_skeleton},
                                {"drive", drive_skeleton, drive_test_skeleton}};
  for (const Skeleton& skeleton : skeletons)
    if (skeleton.kind == kind) return skeleton;
  throw Failure(fmt::format("bmsim: plugin new: the kind must be noise, potential or drive, got '{}'", kind),
                BM_USAGE_ERROR);
}

void check_name(const std::string& name) {
  bool legal = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  for (const char c : name) legal = legal && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
  if (!legal)
    throw Failure(
        fmt::format("bmsim: plugin new: the name must be an identifier (letters, digits, '_'), got '{}'", name),
        BM_USAGE_ERROR);
}

void write(const fs::path& file, std::string_view skeleton, const std::string& name) {
  constexpr std::string_view place = "@NAME@";
  std::string text(skeleton);
  for (size_t position = 0; (position = text.find(place, position)) != text.npos; position += name.size())
    text.replace(position, place.size(), name);
  if (bm_file_write(nullptr, file.c_str(), text.data(), text.size(), 0) != BM_OK)
    throw Failure(fmt::format("bmsim: plugin new: {}", bm_error()));
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

void new_plugin(const std::string& kind, bool several, const std::string& name, const std::string& directory) {
  const Skeleton skeleton = skeleton_of(kind, several);
  check_name(name);
  const fs::path folder = fs::path(directory) / name;
  std::error_code error;
  // Nothing is ever written into an existing folder.
  if (!fs::create_directory(folder, error)) {
    const std::string why = error ? error.message() : "it is there already, and nothing is overwritten";
    throw Failure(fmt::format("bmsim: plugin new: cannot make the folder '{}': {}", folder.string(), why));
  }
  write(folder / (name + ".cc"), skeleton.source, name);
  write(folder / "CMakeLists.txt", cmake_skeleton, name);
  write(folder / "test.lua", skeleton.test, name);
  say(stdout,
      "{0}/{1}.cc      the {2}\n{0}/CMakeLists.txt\n{0}/test.lua\n"
      "cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build {0}/build && ctest --test-dir {0}/build\n"
      "builds and tests it, PREFIX being where bmsim is installed\n",
      folder.string(), name, kind);
}

}  // namespace bmsim::app
