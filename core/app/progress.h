// Progress on stderr: a bar on one line that is rewritten on a terminal, a line every ten seconds elsewhere.
#pragma once

namespace bmsim::app {

/// Makes runs report their progress, if stderr is a terminal or `always`.
void show_progress(bool always);
/// Takes an unfinished line off the terminal, before anything else is printed.
void clear_progress();

}  // namespace bmsim::app
