// bmsim show, export and rerun: netCDF files of runs.
#pragma once
#include <string>

#include "failure.h"

#include "options.h"

namespace bmsim::app {

/// On stdout. Throws Failure.
void show_file(const std::string& file);
/// table: a file .csv or .tsv; "": standard output. Throws Failure.
void export_file(const Session& session, const std::string& file, const std::string& table);
/// Runs the file's script again, in a process and a directory of its own, and says whether every number is identical.
/// --device, --threads and --plugin-path given now win over those of then. Throws Failure if not.
void rerun_file(const Session& session, const Options& options);

}  // namespace bmsim::app
