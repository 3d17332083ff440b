#include "backend/cpu/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "child.h"
#include "error.h"
#include "files/new_file.h"
#include "interruption.h"
#include "nearest_name.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

/// Kernels are compiled for this processor. -march=native of compilers for 64-bit ARM would leave out which one it is.
#ifdef __aarch64__
constexpr const char* this_processor = "-mcpu=native";
#else
constexpr const char* this_processor = "-march=native";
#endif

// Contraction is off, so that results depend only on the text: kernels write fma where they want it. NaN is respected.
const std::vector<std::string> options = words_in(
    fmt::format("-x c++ -std=c++20 {} -fno-math-errno -fno-trapping-math -ffp-contract=off -fno-exceptions -fno-rtti "
                "-fvisibility=hidden -w -shared -fPIC",
                this_processor));

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
std::vector<std::string> options_for(const fs::path& compiler, bool brief) {
  std::vector<std::string> compiler_options = options;
  // For kernels of one vector g++ 12 needs a fifth less time with -O2. Steps take up to 17 % longer, with events at
  // zeros or kicks in every few steps 35 to 43 %, and motion without steps four times as long.
  compiler_options.emplace_back(brief ? "-O2" : "-O3");
  // By default GCC allocates registers loop by loop, and spills more in a step of a group. Most steps are faster if it
  // allocates for a function at once: by up to 30 % with 32-byte vectors, by -18 to 15 % with 64-byte ones.
  const std::string name = compiler.filename().string();
  if (name.find("clang") == name.npos && name.find("g++") != name.npos)
    compiler_options.emplace_back("-fira-region=one");
  const char* added = std::getenv("BMSIM_KERNEL_FLAGS");
  for (const std::string& word : words_in(added != nullptr ? added : "")) {
    // A compiler for another machine, which makes kernels under an emulator, knows no `native`.
    if (word.starts_with("-march=") || word.starts_with("-mcpu=")) std::erase(compiler_options, this_processor);
    compiler_options.push_back(word);
  }
  return compiler_options;
}

/// Features of the processor as the system reports them: a kernel built here must not be used on a lesser machine.
std::string processor_features() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  return "unknown";
}

/// Throws Error if a process may have so few open files that the shell or the linker cannot do its work.
void check_open_files() {
  constexpr rlim_t enough = 64;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= enough) return;
  fail_device("kernel: a compiler needs {} open files, and may have {} (ulimit -n)", enough, limit.rlim_cur);
}

/// Seconds that a compilation may last.
double most_seconds() {
  constexpr double by_default = 600;
  const char* text = std::getenv("BMSIM_COMPILE_SECONDS");
  if (text == nullptr) return by_default;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (!(seconds > 0) || *end != '\0') fail_device("BMSIM_COMPILE_SECONDS must be a number > 0, got '{}'", text);
  return seconds;
}

/// A shell that leads a process group of the compiler and all that it starts. Their temporary files are in the
/// directory where they work. Descriptor 3 ends when this process does, by whatever signal; the group is killed then.
/// The shell ends after the compiler, which clears up at SIGTERM.
constexpr const char* leader = R"(
TMPDIR=$PWD "$@" 3<&- &
compiler=$!
{ read -r end; trap '' TERM; kill 0; sleep 1; kill -KILL 0; } <&3 &
watch=$!
exec 3<&-
trap 'wait $compiler; exit 143' TERM
wait $compiler
status=$?
trap '' TERM
kill $watch
wait $watch 2> /dev/null # where the shell says that it was ended
exit $status
)";

/// A program with all that it starts. None of these processes outlives this object, nor this process.
class Process {
 public:
  /// Starts the program in a directory; its output goes to a file. Throws Error (status device).
  Process(const std::vector<std::string>& words, const fs::path& output, const fs::path& directory) {
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
      const int why = errno;
      check_open_files();
      fail_device("kernel: cannot write '{}': {}", output.string(), std::strerror(why));
    }
    int life[2];
    if (pipe2(life, O_CLOEXEC) != 0) {
      const int why = errno;
      close(file);
      check_open_files();
      fail_device("kernel: cannot start the compiler '{}': {}", words[0], std::strerror(why));
    }
    life_ = life[1];
    const int failed = start(words, file, directory, life[0]);
    close(file);
    close(life[0]);
    if (failed == 0) return;
    close(life_);
    fail_device("kernel: cannot start the compiler '{}': {}", words[0], std::strerror(failed));
  }
  ~Process() {
    if (!ended()) kill(-leader_, SIGTERM);
    for (int i = 0; i < 200 && !ended(); ++i) std::this_thread::sleep_for(pause);
    kill(-leader_, SIGKILL);  // the leader is not waited for yet, so that the group's number is still its own
    while (waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) continue;
    close(life_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// The exit status, 128 and more if a signal ended the program; nothing after so many seconds. Throws Interruption.
  std::optional<int> wait(double seconds) const {
    const auto began = std::chrono::steady_clock::now();
    while (!ended()) {
      check_interruption();
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > seconds) return {};
      std::this_thread::sleep_for(pause);
    }
    return status_;
  }

 private:
  static constexpr auto pause = std::chrono::milliseconds(5);

  int start(const std::vector<std::string>& words, int output, const fs::path& directory, int life) {
    std::vector<std::string> command = {"/bin/sh", "-c", leader, "bmsim"};
    command.insert(command.end(), words.begin(), words.end());
    // ld looks for libgcc_s.so.1 in the current directory first, which may be anybody's.
    return start_child({.words = std::move(command),
                        .files = {{output, STDOUT_FILENO}, {output, STDERR_FILENO}, {life, STDERR_FILENO + 1}},
                        .without_input = true,
                        .directory = directory},
                       leader_);
  }
  bool ended() const {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
      return false;
    status_ = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    return true;
  }

  pid_t leader_ = 0;
  int life_ = -1;
  mutable int status_ = 0;
};

}  // namespace

Compiler::Compiler(bool brief) {
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
  options_ = options_for(file, brief);
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
  try {
    write_file("kernel", text, source, Existing::refuse, Durable::no);
  } catch (const Error& error) {
    fail_device("{}", error.what());
  }
  std::vector<std::string> words{program_.string()};
  words.insert(words.end(), options_.begin(), options_.end());
  words.insert(words.end(), {"-o", built.string(), text.string()});
  const std::optional<int> status = Process(words, log, built.parent_path()).wait(most_seconds());
  if (!status)
    fail_device("kernel: '{}' has not compiled it within {} s, which BMSIM_COMPILE_SECONDS sets; {}", program_.string(),
                most_seconds(), keep_source());
  if (*status == 0) return;
  check_open_files();
  std::ifstream in(log);
  std::string messages, line;
  for (int n = 0; n < 12 && std::getline(in, line); ++n) messages += "\n  " + line;
  fail_device("kernel: '{}' could not compile it; {}{}", program_.string(), keep_source(), messages);
}

}  // namespace bmsim
