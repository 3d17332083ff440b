// The commands of the program, apart from running a script.
#pragma once
#include <string>

#include "failure.h"
#include "lua_host.h"
#include "options.h"
#include "paths.h"

namespace bmsim::app {

/// The prompt: lines of Lua with `bm` at hand, until end of file. Values of expressions, and errors, are printed.
void run_prompt(LuaHost& host);

/// Prints a page of the reference; name "" lists what there is. Throws Failure for an unknown name.
void show_help(LuaHost& host, const std::string& name);
/// Prints where the pages are, and the site if there is one. Throws Failure if there are no pages.
void show_docs(const Install& install);

/// Prints the contents of a netCDF file, or the script that it holds. Throws Failure.
void show_file(const std::string& file, bool script);
/// Prints what a directory of --checkpoint holds. Throws Failure.
void show_checkpoint(const std::string& directory);
/// Prints what the cache of kernels holds, or clears it and prints what was removed. Throws Failure.
void show_cache(bool clear);
/// Writes the columns to `table`, a .csv or .tsv file, or to standard output for "". Throws Failure.
void export_file(const Session& session, const std::string& file, const std::string& table);
/// Runs the file's script again, in a process and a directory of its own, and prints whether every number is identical.
/// --device, --threads and --plugin-path replace the recorded ones if given. Says first what it will run, and asks,
/// unless --yes is given. Throws Failure if it must not run, and if a number differs.
void rerun_file(const Session& session, const Options& options);

/// Prints the plugins. files: only the library of each; those that are built in have none.
void list_plugins(bool files);
/// Throws Failure if there is no such plugin.
void describe_plugin(const std::string& name, bool markdown);
/// Loads plugins and checks one in a process of its own, and prints a line for each check. Throws Failure if there is
/// no such plugin, if a check finds a problem, and if the plugin crashes.
void check_plugin(const Session& session, const Options& options, const Install& install);
/// Writes DIRECTORY/NAME/ with a working plugin, its build file and its test, and prints how to build it; directory ""
/// is the current one. several: a potential of several variables. Throws Failure for an unknown kind, for a name that
/// is not an identifier, and if NAME exists.
void new_plugin(const std::string& kind, bool several, const std::string& name, const std::string& directory);

/// bmsim explore, the process with --explore-work: runs the script whenever the server says so on standard input, and
/// sends what the page shows to standard output, until the server closes it (docs/architecture/front-ends.md).
void work_for_explorer(const Options& options, const Session& session, const Install& install);

}  // namespace bmsim::app
