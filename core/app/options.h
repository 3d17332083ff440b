// The command line: bmsim [options] [script.lua [args]], bmsim [options] plugin list | describe | new | check,
// bmsim [options] show | export | rerun FILE.nc, bmsim help [NAME], bmsim docs.
#pragma once
#include <string>
#include <vector>

#include "failure.h"

namespace bmsim::app {

struct Options {
  std::string device, precision, threads, seed;  ///< "": not given; otherwise they override scripts
  std::string keep_source;                       ///< directory, "": kernels are not kept
  std::string checkpoint, checkpoint_every;      ///< directory, "": none; seconds, "": the library's
  std::string part;                              ///< "3/16", "": all parts
  std::vector<std::string> defines;              ///< "key=value"
  std::vector<std::string> params;               ///< YAML files, later ones win
  std::vector<std::string> plugin_path;          ///< libraries and directories
  bool mpi_check = false, quiet = false, progress = false, dry_run = false, verbose = false, traceback = false,
       overwrite = false, strict = false, interactive = false;
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
    rerun,
    checkpoint,
    cache_show,
    cache_clear,
    help,
    docs,
    explore
  } command = Command::run;
  std::string plugin;           ///< name; for plugin_check also a library
  bool markdown = false;        ///< for plugin_describe
  bool files = false;           ///< for plugin_list
  std::string kind, directory;  ///< for plugin_new
  bool several = false;         ///< for plugin_new: a potential of several variables
  std::string file, table;  ///< .nc file of show, export_table, rerun; directory of checkpoint; output of export_table,
                            ///< "": standard output
  bool csv = false;         ///< for export_table: write CSV
  bool show_script = false, yes = false;  ///< for show: the script alone; for rerun: do not ask
  bool explore_work = false;              ///< for explore: the process that runs the script, for the server
  bool no_browser = false;                ///< for explore
  std::string port = "0";                 ///< for explore; 0: a free one
  std::string topic;                      ///< for help: a name, "": a list of topics
  std::string redirect;                   ///< for rerun: directory of all result files, "": none
};

/// Returns false after printing the text of --help or --version. Throws Failure with BM_USAGE_ERROR.
bool parse_options(int argc, char** argv, Options& options);

/// The parts of a list separated by ':', without the empty ones.
std::vector<std::string> split_path(const std::string& list);

// ---- provenance.cc: the command line and the script in netCDF files, so that `bmsim rerun` can repeat them ----

/// Records the command line as YAML: --params files by their text, places of plugins as absolute paths. Throws Failure.
void record_command_line(const Session& session, const Options& options);
/// Records the script's text, unless it is bytecode. Throws Failure for a text with a zero byte.
void record_script(bm_session* session, const std::string& text);

/// The options recorded in `yaml`; params are texts instead of file names. Throws Failure with the name of the file.
Options recorded_options(const std::string& yaml, const std::string& file);

}  // namespace bmsim::app
