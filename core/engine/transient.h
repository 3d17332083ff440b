// Finds where the transient of every point ends, with a pilot run.
#pragma once
#include <span>
#include <vector>

#include "engine/run.h"

namespace bmsim {

/// MSER (K. P. White, Simulation 69, 323 (1997)): the number d of values to leave out, at most half of them, that
/// minimises the squared standard error of the mean of the rest, sum (y_i - mean)^2 / (n - d)^2.
size_t mser(const std::vector<double>& series);

/// Whether the means of both halves of a series differ by more than their errors.
bool still_moves(std::span<const double> series);

/// For transient = "auto": runs up to 512 paths of every point over the whole duration and cuts it into 128 intervals.
/// The series are the growth of <x> and of Var x in each interval and, underdamped, Var v at its end. The transient of
/// a point is twice the time after which the last of these series is stationary, but at most half of the run. Sets the
/// plan's transients. Returns the points at which half of the run is not enough, or where the rest still moves: their
/// run is too short to tell.
std::vector<size_t> find_transients(Plan& plan, const RunHooks& hooks);

}  // namespace bmsim
