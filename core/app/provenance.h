// What netCDF files tell of the command line and the script, and back, so that `bmsim rerun` can repeat both.
#pragma once
#include <string>

#include "failure.h"
#include "options.h"

namespace bmsim::app {

/// Tells libbmsim what was on the command line, as YAML; --params files by their text, places of plugins as absolute
/// paths. Throws Failure.
void record_command_line(const Session& session, const Options& options);
/// Tells libbmsim the script's text; one of bytecode is not told.
void record_script(bm_session* session, const std::string& text);

/// The options that this YAML tells; params as texts. Throws Failure naming the file.
Options recorded_options(const std::string& yaml, const std::string& file);

}  // namespace bmsim::app
