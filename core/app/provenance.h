// The command line and the script, recorded in netCDF files and read back, so that `bmsim rerun` can repeat them.
#pragma once
#include <string>

#include "failure.h"
#include "options.h"

namespace bmsim::app {

/// Records the command line as YAML: --params files by their text, places of plugins as absolute paths. Throws Failure.
void record_command_line(const Session& session, const Options& options);
/// Records the script's text, unless it is bytecode. Throws Failure for a text with a zero byte.
void record_script(bm_session* session, const std::string& text);

/// The options recorded in `yaml`; params are texts instead of file names. Throws Failure with the name of the file.
Options recorded_options(const std::string& yaml, const std::string& file);

}  // namespace bmsim::app
