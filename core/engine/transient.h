// Where the transient of every point ends, found by a pilot run.
#pragma once
#include <vector>

#include "engine/run.h"

namespace bmsim {

/// MSER (K. P. White, Simulation 69, 323 (1997)): the number d of values to leave out, at most half of them, for which
/// the squared standard error of the mean of the rest, sum (y_i - mean)^2 / (n - d)^2, is least.
size_t mser(const std::vector<double>& series);

/// For transient = "auto": runs up to 512 paths of every point over the whole duration and cuts it into 128 intervals;
/// the series are the growth of <x> and of Var x in each, and <v^2> at its end where underdamped. The transient is the
/// latest of their ends. Sets the plan's transients and returns the points where it is no shorter than half of the run,
/// which then is too short to tell.
std::vector<size_t> find_transients(Plan& plan, const RunHooks& hooks);

}  // namespace bmsim
