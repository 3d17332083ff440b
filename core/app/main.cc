// bmsim: runs a Lua script over the C API. Exit status: 0, 1 wrong input, 2 usage, 3 device, 75 interrupted,
// what was finished is kept; 130 interrupted. SIGTERM and SIGHUP end it as they end any program.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>

#include "commands.h"
#include "progress.h"
#include "signals.h"

namespace bmsim::app {
namespace {

namespace fs = std::filesystem;

void override_options(const Session& session, const Options& options) {
  const std::pair<const char*, std::string> overrides[] = {{"device", options.device},
                                                           {"precision", options.precision},
                                                           {"threads", options.threads},
                                                           {"seed", options.seed},
                                                           {"overwrite", options.overwrite ? "true" : ""},
                                                           {"strict", options.strict ? "1" : ""},
                                                           {"checkpoint", options.checkpoint},
                                                           {"checkpoint_every", options.checkpoint_every},
                                                           {"part", options.part},
                                                           {"keep_source", options.keep_source}};
  for (const auto& [name, value] : overrides) {
    if (value.empty()) continue;
    const bm_status status = bm_session_set(session.get(), name, value.c_str());
    if (status == BM_OK) continue;
    // An invalid value is a mistake in the command line.
    throw Failure(fmt::format("bmsim: {}", bm_error()), status == BM_ERROR ? BM_USAGE_ERROR : status);
  }
}

// Prints the library's warnings to stderr; and what a long run will cost, unless quiet.
Session new_session(bool quiet) {
  Session session(bm_session_new());
  if (!session) throw Failure(bm_error(), bm_last_status());
  if (bm_world_rank() > 0) return session;  // rank 0 speaks for all
  const auto speak = [](void*, const char* text) { say(stderr, "bmsim: {}\n", text); };
  bm_session_on_warning(session.get(), speak, nullptr);
  if (!quiet) bm_session_on_notice(session.get(), speak, nullptr);
  return session;
}

// Becomes bmsim/explore, which serves the page of bmsim explore script.lua. That starts this program again, with
// --explore-work and the words of argv, to run the script, and ends that process where nobody looks any more.
[[noreturn]] void start_explorer(const Options& options, char** argv, const Install& install) {
  if (!fs::is_regular_file(options.script)) throw Failure(fmt::format("explore: no such script: '{}'", options.script));
  const fs::path server = install.plugins.parent_path() / "explore", page = install.lua.parent_path() / "explore";
  if (!fs::exists(server) || !fs::exists(page / "chart.js"))
    throw Failure(
        "explore: this bmsim was built without it; on Debian and Ubuntu ./bootstrap explore installs what it needs "
        "(libcpp-httplib-dev, libjs-chart.js) and builds it");
  std::vector<std::string> words = {server.string(), "--port", options.port, "--page", page.string()};
  if (!options.no_browser) words.push_back("--browser");
  words.push_back("--");
  words.push_back(fs::read_symlink("/proc/self/exe").string());
  words.push_back("--explore-work");
  for (char** one = argv + 1; *one != nullptr; ++one) words.push_back(*one);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(server.c_str(), pointers.data());
  throw Failure(fmt::format("explore: cannot start '{}': {}", server.string(), std::strerror(errno)));
}

// status: set if a script has gone on to its end after an error.
void run(Options options, char** argv, int& status) {
  const Install install = find_install();
  if (options.command == Options::Command::explore && !options.explore_work) start_explorer(options, argv, install);
  const bool may_be_ranks = options.command == Options::Command::run && options.redirect.empty();
  // Other commands, and what they start, are single processes: ranks that run no script would wait for them.
  if (!may_be_ranks) setenv("BMSIM_MPI", "", 1);
  if (may_be_ranks) check(bm_world_begin());
  std::optional<TemporaryDirectory> nowhere;  // for the files of a rank that does not write any
  if (may_be_ranks && bm_world_rank() > 0) {
    nowhere.emplace("rank");
    options.redirect = nowhere->path();
    options.quiet = true;
    if (std::freopen("/dev/null", "w", stdout) == nullptr) throw Failure("bmsim: cannot open /dev/null");
  }
  if (options.mpi_check) {
    const char* text = bm_world_show(options.device.empty() ? "auto" : options.device.c_str());
    if (text == nullptr) throw Failure(bm_error(), bm_last_status());
    say(stdout, "{}", text);
    return check(bm_world_end());
  }
  const Session session = new_session(options.quiet || options.command == Options::Command::explore);
  override_options(session, options);
  if (options.command == Options::Command::plugin_new)
    return new_plugin(options.kind, options.several, options.plugin, options.directory);
  if (options.command == Options::Command::show) return show_file(options.file, options.show_script);
  if (options.command == Options::Command::checkpoint) return show_checkpoint(options.file);
  if (options.command == Options::Command::docs) return show_docs(install);
  if (options.command == Options::Command::cache_show) return show_cache(false);
  if (options.command == Options::Command::cache_clear) return show_cache(true);
  if (options.command == Options::Command::export_table) return export_file(session, options.file, options.table);
  std::optional<Signals> signals;  // of commands that start others, or make files
  if (options.command == Options::Command::rerun || options.command == Options::Command::plugin_check)
    signals.emplace(session, nullptr, nullptr, false);
  if (options.command == Options::Command::rerun) return rerun_file(session, options);
  if (options.command == Options::Command::plugin_check) return check_plugin(session, options, install);
  load_plugins(options.plugin_path, install);
  if (options.command == Options::Command::plugin_list) return list_plugins(options.files);
  if (options.command == Options::Command::plugin_describe) return describe_plugin(options.plugin, options.markdown);
  if (options.command == Options::Command::explore) return work_for_explorer(options, session, install);
  ProgressLine progress;
  if (!options.quiet) progress.show(session, options.progress);
  const bool prompt = options.script.empty() && (options.interactive || isatty(STDIN_FILENO) != 0);
  if (options.script.empty() && !prompt) options.script = "-";
  if (!options.redirect.empty()) check(bm_session_redirect(session.get(), options.redirect.c_str()));
  LuaHost host(options, session, progress, install.lua);
  if (options.command == Options::Command::help) return show_help(host, options.topic);
  record_command_line(session, options);
  if (prompt) return run_prompt(host);
  if (!host.run_script(options.script)) status = BM_ERROR;
  check(bm_world_end());
}

// Ends all ranks after an error of one. Most errors are those of all ranks, and rank 0 says what.
[[noreturn]] void end_ranks(const Failure& failure) {
  const unsigned rank = bm_world_rank();
  constexpr unsigned pause = 4;  // seconds, in which rank 0 may end them all
  std::fflush(stderr);
  if (rank > 0 && failure.status() != BM_UNFINISHED) {
    sleep(pause);
    say(stderr, "rank {}: {}\n", rank, failure.what());
  }
  bm_world_abort(failure.status());
  std::abort();
}

}  // namespace
}  // namespace bmsim::app

int main(int argc, char** argv) {
  using namespace bmsim::app;
  prepare_process();
  int status = BM_OK;
  try {
    Options options;
    if (parse_options(argc, argv, options)) run(std::move(options), argv, status);
  } catch (const Failure& failure) {
    const bool several = failure.status() != BM_DEVICE_ERROR && bm_world_size() > 1;
    if (!several || bm_world_rank() == 0) say(stderr, "{}\n", failure.what());
    if (failure.status() == BM_PART_DONE)
      status = several ? bm_world_end() : BM_OK;
    else if (several)
      end_ranks(failure);
    else
      status = failure.status();
  } catch (const std::exception& error) {
    say(stderr, "bmsim: {}\n", printable(error.what()));
    status = BM_ERROR;
  }
  // Output that could not be written is an error, too.
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && status == BM_OK) {
    say(stderr, "bmsim: cannot write to standard output\n");
    status = BM_ERROR;
  }
  if (status != BM_OK) end_by_signal();
  return status;
}
