#include "backend/cpu/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "error.h"
#include "files/new_file.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

// Contraction is off, so that results depend only on the text: kernels write fma where they want one. NaN is respected.
const std::vector<std::string> options = {"-x",
                                          "c++",
                                          "-std=c++20",
                                          "-O3",
                                          "-march=native",
                                          "-fno-math-errno",
                                          "-fno-trapping-math",
                                          "-ffp-contract=off",
                                          "-fno-exceptions",
                                          "-fno-rtti",
                                          "-fvisibility=hidden",
                                          "-w",
                                          "-shared",
                                          "-fPIC"};

fs::path find_program(const std::string& name) {
  const auto runs = [](const fs::path& file) { return access(file.c_str(), X_OK) == 0 && !fs::is_directory(file); };
  if (name.find('/') != std::string::npos) return runs(name) ? fs::path(name) : fs::path();
  const char* path = std::getenv("PATH");
  std::istringstream directories(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    fs::path candidate = fs::path(directory) / name;
    if (runs(candidate)) return candidate;
  }
  return {};
}

/// The options for a compiler, followed by the words of $BMSIM_KERNEL_FLAGS.
std::vector<std::string> options_for(const fs::path& compiler) {
  std::vector<std::string> all = options;
  // By default GCC allocates registers loop by loop, and spills more in a step of a group. Most steps are faster for a
  // function at once: by up to 30 % with 32-byte vectors, by -18 to 15 % with 64-byte ones.
  const std::string name = compiler.filename().string();
  if (name.find("clang") == name.npos && name.find("g++") != name.npos) all.emplace_back("-fira-region=one");
  const char* more = std::getenv("BMSIM_KERNEL_FLAGS");
  std::istringstream words(more != nullptr ? more : "");
  for (std::string word; words >> word;) all.push_back(word);
  return all;
}

/// Features of the processor as the system reports them: a kernel built here must not be used on a lesser machine.
std::string processor_features() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  return "unknown";
}

}  // namespace

Compiler::Compiler() {
  const char* chosen = std::getenv("BMSIM_CXX");
  const std::string name = chosen != nullptr && chosen[0] != '\0' ? chosen : "c++";
  program_ = find_program(name);
  if (!program_.empty()) program_ = fs::absolute(program_);
  if (program_.empty())
    fail_device(
        "device cpu: no C++ compiler '{}' found to build kernels with; install one (Debian, Ubuntu: "
        "apt install g++), or set BMSIM_CXX",
        name);
  const fs::path file = fs::canonical(program_);
  options_ = options_for(file);
  struct stat status {};
  stat(file.c_str(), &status);
  identity_ = fmt::format("{} {} {}.{} {}\n{}\n", file.string(), status.st_size, status.st_mtim.tv_sec,
                          status.st_mtim.tv_nsec, fmt::join(options_, " "), processor_features());
}

void Compiler::compile(const std::string& source, const fs::path& object,
                       const std::function<std::string()>& keep_source) const {
  const fs::path built = fs::absolute(object);
  fs::path text = built, log = built;
  text.replace_extension(".cc");
  log.replace_extension(".log");
  std::error_code ignored;
  try {
    write_file("kernel", text, source, Existing::refuse, Durable::no);
  } catch (const Error& error) {
    fail_device("{}", error.what());
  }

  std::vector<std::string> words{program_.string()};
  words.insert(words.end(), options_.begin(), options_.end());
  words.insert(words.end(), {"-o", built.string(), text.string()});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  // ld looks for libgcc_s.so.1 in the current directory first, which may be anybody's.
  posix_spawn_file_actions_addchdir_np(&actions, built.parent_path().c_str());
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 34)
  // A file that another thread is writing would stay locked (HDF5) while the compiler is at work.
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
#endif
  pid_t child = 0;
  const int spawned = posix_spawn(&child, program_.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) {
    fs::remove(text, ignored);
    fs::remove(log, ignored);
    fail_device("kernel: cannot start the compiler '{}': {}", program_.string(), std::strerror(spawned));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::ifstream in(log);
  std::string messages, line;
  for (int n = 0; n < 12 && std::getline(in, line); ++n) messages += "\n  " + line;
  fs::remove(log, ignored);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail_device("kernel: '{}' could not compile it; {}{}", program_.string(), keep_source(), messages);
  fs::remove(text, ignored);
}

}  // namespace bmsim
