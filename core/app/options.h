// The command line: bmsim [options] [script.lua [args]], bmsim [options] plugin list | describe | new | check,
// bmsim [options] show | export | rerun FILE.nc.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace bmsim::app {

struct Options {
  std::string device, precision, threads, seed;  ///< "": not given; else they win over what scripts set
  std::string keep_source;                       ///< directory, "": kernels are not kept
  std::vector<std::string> defines;              ///< "key=value"
  std::vector<std::string> params;               ///< YAML files, later ones win
  std::vector<std::string> plugin_path;          ///< libraries and directories
  bool quiet = false, progress = false, dry_run = false, verbose = false, traceback = false, overwrite = false,
       strict = false;
  std::string script;  ///< "": none; "-": standard input
  std::vector<std::string> arguments;
  enum class Command {
    run,
    plugin_list,
    plugin_describe,
    plugin_new,
    plugin_check,
    show,
    export_table,
    rerun
  } command = Command::run;
  std::string plugin;           ///< name; for plugin_check also a library
  bool markdown = false;        ///< for plugin_describe
  std::string kind, directory;  ///< for plugin_new
  std::string file, table;      ///< for show, export_table, rerun: a .nc file; for export_table: "": standard output
  bool csv = false;             ///< for export_table, where there is nothing else yet
  std::string redirect;         ///< directory that gets what results are written to, "": none; rerun's
};

/// Returns false where there is nothing left to do (--help, --version; the text is printed). Throws Failure with
/// BM_USAGE_ERROR.
bool parse_options(int argc, char** argv, Options& options);

/// The parts of a list separated by ':', without the empty ones.
std::vector<std::string> split_path(const std::string& list);

}  // namespace bmsim::app
