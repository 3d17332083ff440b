// bmsim explore script.lua: a page with sliders. A program of its own, bmsim/explore, serves the page; it starts this
// program again, with --explore-work, to run the script, and ends that process where nobody looks at the page any more.
#pragma once
#include "failure.h"
#include "options.h"
#include "paths.h"

namespace bmsim::app {

/// Becomes the program that serves the page. argv: of this process, for those that run the script. Throws Failure.
[[noreturn]] void start_explorer(const Options& options, char** argv, const Install& install);

/// Runs the script whenever the server says so on standard input, and sends what the page shows to standard output,
/// until the server closes it: docs/architecture/front-ends.md, "The explorer".
void work_for_explorer(const Options& options, const Session& session, const Install& install);

}  // namespace bmsim::app
