// bmsim rerun: a child runs the stored script in an empty directory, and its results are compared with the file's. The
// script is a program that came with the file, so that users are told what will run, and asked.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "commands.h"
#include "signals.h"
#include "yaml.h"

namespace bmsim::app {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& file, const char* name) {
  const char* text = bm_file_text(file.c_str(), name);
  if (text == nullptr) throw Failure(fmt::format("rerun: {}", bm_error()));
  return text;
}

// The kind of device of the recorded run: numbers are identical only on the same kind.
std::string device_of(const std::string& file) {
  try {
    const YAML::Node manifest = load_yaml(text_of(file, "manifest"), fmt::format("rerun: the manifest in '{}'", file));
    const auto device = manifest.IsMap() && manifest["device"] ? manifest["device"].as<std::string>() : "";
    return device.starts_with("cpu") ? "cpu" : "cuda";
  } catch (const YAML::Exception& error) {
    throw Failure(fmt::format("rerun: the manifest in '{}' is damaged: {}", file, error.msg));
  }
}

void write(const fs::path& file, const std::string& text) {
  if (bm_file_write(nullptr, file.c_str(), text.data(), text.size(), 0) != BM_OK)
    throw Failure(fmt::format("rerun: {}", bm_error()));
}

std::vector<std::string> command_of(const Options& recorded, const Options& given, const std::string& file,
                                    const std::string& script, const fs::path& root) {
  std::vector<std::string> command = {"bmsim"};
  const auto option = [&command](const char* name, const std::string& value) {  // one word: no value is an option
    if (!value.empty()) command.push_back(fmt::format("{}={}", name, value));
  };
  option("--redirect", (root / "results").string());
  option("--device", !given.device.empty()      ? given.device
                     : !recorded.device.empty() ? recorded.device
                                                : device_of(file));
  option("--precision", recorded.precision);
  option("--threads", given.threads.empty() ? recorded.threads : given.threads);
  option("--seed", recorded.seed);
  for (size_t i = 0; i < recorded.params.size(); ++i) {
    const fs::path params = root / fmt::format("params-{}.yaml", i + 1);
    write(params, recorded.params[i]);
    option("--params", params.string());
  }
  for (const auto& define : recorded.defines) command.push_back("-D" + define);
  for (const auto& list : given.plugin_path)
    for (const auto& place : split_path(list)) option("--plugin-path", fs::absolute(place).string());
  if (given.plugin_path.empty())
    for (const auto& place : recorded.plugin_path) option("--plugin-path", place);
  if (given.quiet) command.emplace_back("--quiet");
  if (given.progress) command.emplace_back("--progress");
  if (given.traceback) command.emplace_back("--traceback");
  command.push_back(script);
  command.insert(command.end(), recorded.arguments.begin(), recorded.arguments.end());
  return command;
}

// A name for the script in its own directory: the recorded one, if it can be used.
std::string script_name(const Options& recorded) {
  const std::string base = fs::path(recorded.script).filename().string();
  return base.empty() || base == "." || base == ".." || base.starts_with('-') ? "script.lua" : base;
}

// A word as a shell takes it.
std::string quoted(const std::string& word) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("_-+=./,:%@", c) != nullptr; };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// The first 100 bytes of a line, or a few less so that no character is cut.
std::string beginning(const std::string& line) {
  size_t length = 100;
  if (line.size() <= length) return line;
  while (length > 0 && (static_cast<unsigned char>(line[length]) & 0xc0) == 0x80) --length;
  return line.substr(0, length) + "...";
}

// What will be run: the command, and the first lines of the script.
std::string announcement(const std::vector<std::string>& command, const std::string& script, const std::string& file) {
  constexpr size_t most_lines = 12;
  std::string text = fmt::format("rerun: '{}' holds a script, which runs with all your rights:\n ", file);
  for (const auto& word : command) text += " " + quoted(word);
  text += "\n";
  std::istringstream lines(script);
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    if (count < most_lines) text += fmt::format("  | {}\n", beginning(line));
  if (count > most_lines) text += fmt::format("  ... {} lines in all: bmsim show --script {}\n", count, quoted(file));
  return printable(text);
}

// Throws Failure unless the script may run.
void ask(const Options& options, const std::string& announced) {
  if (!options.quiet || !options.yes) say(stderr, "{}", announced);
  if (options.yes) return;
  if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0)
    throw Failure("rerun: nobody can be asked here whether it may run: bmsim rerun --yes FILE", BM_USAGE_ERROR);
  say(stderr, "Run it? [y/N] ");
  std::string answer;
  std::getline(std::cin, answer);
  if (answer != "y" && answer != "yes") throw Failure("rerun: not run");
}

// Runs a process in `directory`, without stdin and stdout. Returns its exit status. The child ends with this process,
// or when this process hears a signal.
int run_child(const std::vector<std::string>& command, const fs::path& directory) {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t parent = getpid(), child = fork();
  if (child < 0) throw Failure("rerun: cannot start a process");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || chdir(directory.c_str()) != 0 || std::freopen("/dev/null", "r", stdin) == nullptr ||
        std::freopen("/dev/null", "w", stdout) == nullptr)
      _exit(126);
    unsetenv("BMSIM_PLUGIN_PATH");  // its places are among the recorded ones
    execv("/proc/self/exe", words.data());
    _exit(127);
  }
  int status = 0;
  for (bool told = false; waitpid(child, &status, WNOHANG) == 0; usleep(10000))
    if (!told && heard_signal() != 0) told = kill(child, SIGTERM) == 0;
  if (heard_signal() != 0) throw Failure("rerun: interrupted", BM_INTERRUPTED);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

void rerun_file(const Session& session, const Options& options) {
  const std::string script = text_of(options.file, "script_text"), name = text_of(options.file, "file");
  if (script.empty()) throw Failure(fmt::format("rerun: '{}' holds no script: it cannot be repeated", options.file));
  const Options recorded = recorded_options(text_of(options.file, "command_line"), options.file);
  const TemporaryDirectory directory("rerun");
  const fs::path root = directory.path();
  fs::create_directory(root / "work");
  fs::create_directory(root / "results");
  const std::string name_of_script = script_name(recorded);
  write(root / "work" / name_of_script, script);
  const auto command = command_of(recorded, options, options.file, name_of_script, root);
  ask(options, announcement(command, script, options.file));
  const int status = run_child(command, root / "work");
  if (status != BM_OK) throw Failure(fmt::format("rerun: the script ended with status {}", status), status);
  check(bm_session_redirect(session.get(), (root / "results").c_str()));
  const std::string repeated = bm_session_place(session.get(), name.c_str());
  if (!fs::exists(repeated)) throw Failure(fmt::format("rerun: the script did not write '{}' again", name));
  size_t numbers = 0;
  if (bm_file_compare(options.file.c_str(), repeated.c_str(), &numbers) != BM_OK)
    throw Failure(fmt::format("rerun: '{}' is not repeated: {}", options.file, bm_error()));
  say(stdout, "identical: {} numbers\n", numbers);
}

}  // namespace bmsim::app
