// The command line, by CLI11. What follows the script belongs to the script; bmsim's own options there are a mistake.
#include "options.h"

#include <bmsim/bmsim.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "failure.h"

namespace bmsim::app {
namespace {

using Command = Options::Command;

CLI::App* add_command(CLI::App& app, Options& options, const char* name, const char* text, Command command) {
  auto* subcommand = app.add_subcommand(name, text);
  subcommand->callback([&options, command] { options.command = command; });
  return subcommand;
}

void declare_options(CLI::App& app, Options& options) {
  const auto list = [&app](const char* name, std::vector<std::string>& values, const char* text, const char* type) {
    app.add_option(name, values, text)->type_name(type)->allow_extra_args(false);
  };
  app.set_version_flag("--version", std::string("bmsim ") + bm_version());
  app.add_option("--device", options.device,
                 "where runs compute: auto, cpu, cuda, cuda:N, all (GPUs), or a list: cuda:0,cuda:1")
      ->type_name("NAME");
  app.add_option("--precision", options.precision, "single or double")->type_name("NAME");
  app.add_option("--threads", options.threads, "CPU threads; 0: all cores")->type_name("N");
  app.add_option("--seed", options.seed, "seed of the random numbers; 1")->type_name("N");
  list("-D", options.defines, "sets bm.args.KEY; may be repeated", "KEY=VALUE");
  list("--params", options.params, "YAML file whose keys go to bm.args; -D wins over it", "FILE");
  list("--plugin-path", options.plugin_path, "plugin libraries, or directories of them, separated by ':'", "PATH");
  app.add_flag("-i", options.interactive, "opens the prompt, even if standard input is no terminal");
  app.add_flag("--quiet", options.quiet, "shows no progress");
  app.add_flag("--progress", options.progress, "shows progress, even if stderr is no terminal");
  app.add_flag("--dry-run", options.dry_run, "checks everything and prints what would be run");
  app.add_flag("--verbose", options.verbose, "prints device, kernel and compile time of every run on stderr");
  app.add_option("--keep-source", options.keep_source, "keeps the source and the binary of every kernel in DIR")
      ->type_name("DIR");
  app.add_option("--checkpoint", options.checkpoint, "keeps finished work in DIR: the same command continues from it")
      ->type_name("DIR");
  app.add_option("--checkpoint-every", options.checkpoint_every,
                 "how often --checkpoint keeps the state of unfinished work; 600")
      ->type_name("SECONDS");
  app.add_option("--part", options.part, "computes only part K of N of every run, such as 3/16; with --checkpoint")
      ->type_name("K/N");
  app.add_flag("--mpi-check", options.mpi_check,
               "prints the MPI and the devices that the ranks of mpirun or srun find");
  app.add_flag("--overwrite", options.overwrite, "lets results replace files that exist");
  app.add_flag("--strict", options.strict, "makes every warning an error");
  app.add_flag("--traceback", options.traceback, "prints the calls that led to an error");
  app.add_option("--redirect", options.redirect)->group("");        // for rerun alone
  app.add_flag("--explore-work", options.explore_work)->group("");  // for the explorer's server alone
}

void declare_plugin_commands(CLI::App& app, Options& options) {
  auto* plugin = app.add_subcommand("plugin", "noises, potentials and drives: list, describe, new, check");
  plugin->require_subcommand(1);
  const auto add = [&](const char* name, const char* text, Command command) {
    return add_command(*plugin, options, name, text, command);
  };
  add("list", "prints the names of all noises, potentials and drives", Command::plugin_list)
      ->add_flag("--files", options.files, "prints the file of each instead, one a line");
  auto* describe = add("describe", "prints equation, parameters and source of one", Command::plugin_describe);
  describe->add_option("NAME", options.plugin, "such as poisson or noise.poisson, or a file NAME.so")->required();
  describe->add_flag("--markdown", options.markdown, "as a page in Markdown");
  auto* fresh =
      add("new", "writes a folder NAME with a plugin that works, its build and its test", Command::plugin_new);
  fresh->add_option("KIND", options.kind, "noise, potential or drive")->required();
  fresh->add_option("NAME", options.plugin, "its id: letters, digits, '_'")->required();
  fresh->add_flag("--several", options.several, "a potential of two variables in place of one");
  fresh->add_option("--directory", options.directory, "makes the folder in DIR, not in the current directory")
      ->type_name("DIR");
  auto* check = add("check", "looks for mistakes in a plugin", Command::plugin_check);
  check->add_option("LIBRARY", options.plugin, "a file NAME.so, or the name of a plugin that is loaded")->required();
}

void declare_file_commands(CLI::App& app, Options& options) {
  const auto add = [&](const char* name, const char* text, Command command, bool directory = false) {
    auto* subcommand = add_command(app, options, name, text, command);
    subcommand
        ->add_option(directory ? "DIR" : "FILE", options.file,
                     directory ? "the directory of --checkpoint" : "a file .nc")
        ->required();
    return subcommand;
  };
  auto* show = add("show", "prints what a netCDF file of a run holds, with a small plot", Command::show);
  show->add_flag("--script", options.show_script, "prints the script that wrote it, which rerun would run");
  auto* table = add("export", "prints the columns of a netCDF file as a table", Command::export_table);
  table->add_flag("--csv", options.csv, "as CSV, or as TSV where the FILE of -o ends in .tsv")->required();
  table->add_option("-o", options.table, "writes to FILE, not to standard output")->type_name("FILE");
  table->add_flag("--overwrite", options.overwrite, "replaces a file that exists");
  add("checkpoint", "prints what a directory of --checkpoint holds, and how much is done", Command::checkpoint, true);
  auto* rerun =
      add("rerun", "runs the script in a netCDF file again and says whether every number is identical", Command::rerun);
  rerun->add_flag("--yes", options.yes, "does not ask whether the script may run");
}

void declare_cache_commands(CLI::App& app, Options& options) {
  auto* cache = app.add_subcommand("cache", "prints where compiled kernels are kept, and how many; clear removes them");
  const auto* clear = cache->add_subcommand("clear", "removes all compiled kernels");
  cache->callback(
      [&options, clear] { options.command = clear->parsed() ? Command::cache_clear : Command::cache_show; });
}

void declare_help_commands(CLI::App& app, Options& options) {
  auto* help = add_command(
      app, options, "help",
      "prints a page of the reference, such as run, density, poisson or heun, or the list of pages", Command::help);
  help->add_option("NAME", options.topic, "such as bm.run, run, observe.density, density, noise.poisson, spp");
  add_command(app, options, "docs", "prints where the documentation is", Command::docs);
}

void declare_explore(CLI::App& app, Options& options) {
  auto* explore = add_command(app, options, "explore", "runs a script behind a page in the browser, with sliders",
                              Command::explore);
  explore->add_option("--port", options.port, "of the page on this computer; 0: a free one")->type_name("N");
  explore->add_flag("--no-browser", options.no_browser, "only prints the link");
  explore->footer("bmsim explore [options] script.lua [args]: options as of an ordinary run, which come first.");
  explore->fallthrough();
}

[[noreturn]] void fail_usage(const std::string& message) {
  throw Failure(fmt::format("bmsim: {} (bmsim --help lists the options)", message), BM_USAGE_ERROR);
}

/// A hint for "FILE is required" if the name of a file begins with a minus; "" otherwise.
std::string names_with_minus(int argc, char** argv, const CLI::ParseError& error) {
  const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const auto is_name = [](const std::string_view word) { return word.starts_with('-') && word.ends_with(".nc"); };
  const auto found = std::find_if(argv, argv + argc, is_name);
  return lacks && found != argv + argc ? fmt::format(": is '{0}' one? Say './{0}'", *found) : "";
}

constexpr int most_parts = 64;  // of a key of -D, each a table in the one before

void check_defines(const std::vector<std::string>& defines) {
  for (const auto& define : defines) {
    const auto equals = define.find('=');
    if (equals == std::string::npos || equals == 0) fail_usage(fmt::format("-D must be KEY=VALUE, got '{}'", define));
    const auto key = '.' + define.substr(0, equals) + '.';
    if (std::ranges::count(key, '.') > most_parts + 1)
      fail_usage(fmt::format("-D: a key must have at most {} parts, got '{}...'", most_parts, define.substr(0, 40)));
    if (key.find("..") != std::string::npos) fail_usage(fmt::format("-D: a part of the key is empty in '{}'", define));
  }
}

/// Rejects empty values, as of shell variables that are not set: they would look like options that are not given.
void check_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (std::ranges::count(option->results(), "") > 0)
      fail_usage(fmt::format("{} must not be empty: give a value, or leave it out", option->get_name()));
  for (const CLI::App* subcommand : app.get_subcommands()) check_values(*subcommand);
}

/// Rejects options of bmsim after the script, which would be ignored silently. After -- all arguments are the script's.
void check_arguments(const CLI::App& app, Options& options) {
  for (auto argument = options.arguments.begin(); argument != options.arguments.end(); ++argument) {
    if (*argument == "--") {
      options.arguments.erase(argument);
      return;
    }
    const std::string name = argument->starts_with("-D") ? "-D" : argument->substr(0, argument->find('='));
    if (name.starts_with('-') && app.get_option_no_throw(name) != nullptr)
      fail_usage(fmt::format("option '{}' must come before '{}', got it after (what follows -- is the script's own)",
                             *argument, options.script));
  }
}

void check_explore(const Options& options) {
  if (options.script.empty()) fail_usage("explore: which script? bmsim explore script.lua");
  if (options.script == "-") fail_usage("explore: the script must be a file, which is read again");
  const std::pair<const char*, bool> ordinary[] = {{"--checkpoint", !options.checkpoint.empty()},
                                                   {"--part", !options.part.empty()},
                                                   {"--dry-run", options.dry_run},
                                                   {"--mpi-check", options.mpi_check}};
  for (const auto& [name, given] : ordinary)
    if (given) fail_usage(fmt::format("explore: {} is for ordinary runs", name));
}

}  // namespace

std::vector<std::string> split_path(const std::string& list) {
  std::vector<std::string> parts = CLI::detail::split(list, ':');
  std::erase(parts, "");
  return parts;
}

bool parse_options(int argc, char** argv, Options& options) {
  CLI::App app{"Ensembles of Langevin equations from a Lua script.", "bmsim"};
  app.prefix_command();
  declare_options(app, options);
  declare_plugin_commands(app, options);
  declare_file_commands(app, options);
  declare_cache_commands(app, options);
  declare_help_commands(app, options);
  declare_explore(app, options);
  // Set after the subcommands, which would inherit it.
  app.footer(
      "bmsim [options] script.lua [args]: options come before the script; args are the script's, and all that follows "
      "--.\n"
      "bmsim [options]: a prompt on a terminal, else the script is read from standard input.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    app.exit(request);
    return false;
  } catch (const CLI::ParseError& error) {
    fail_usage(error.what() + names_with_minus(argc, argv, error));
  }
  check_defines(options.defines);
  check_values(app);
  const bool explores = options.command == Options::Command::explore;
  const bool runs = options.command == Options::Command::run || explores;
  const auto rest = app.remaining(!runs);
  if (!rest.empty() && rest[0].size() > 1 && rest[0][0] == '-') fail_usage(fmt::format("unknown option '{}'", rest[0]));
  if (!rest.empty() && !runs) fail_usage(fmt::format("unknown word '{}'", rest[0]));
  if (!rest.empty()) {
    if (rest[0].empty()) fail_usage("the script's name must not be empty; '-' is standard input");
    if (options.interactive) fail_usage(fmt::format("-i is for a prompt, which takes no script, got '{}'", rest[0]));
    options.script = rest[0];
    options.arguments.assign(rest.begin() + 1, rest.end());
    check_arguments(app, options);
  }
  if (explores) check_explore(options);
  std::error_code error;
  if (std::filesystem::is_regular_file(options.checkpoint, error))
    fail_usage(fmt::format("--checkpoint: must be a directory, got the file '{}'", options.checkpoint));
  return true;
}

}  // namespace bmsim::app
