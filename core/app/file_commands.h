// bmsim show, export, rerun: netCDF files of runs; checkpoint, cache: what bmsim keeps.
#pragma once
#include <string>

#include "failure.h"

#include "options.h"

namespace bmsim::app {

/// Prints the contents of a file to stdout, or the script that it holds. Throws Failure.
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

}  // namespace bmsim::app
