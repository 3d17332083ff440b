// Runs with coupled steps: one that estimates the error of the step of every estimate, and removes it; and one that
// chooses steps and numbers of paths which keep the error of the step and the statistical error within a tolerance.
#pragma once
#include <array>

#include "engine/levels.h"

namespace bmsim {

/// Runs every path twice, with the plan's step h and with h/2, on the same noise if possible (engine/levels.h). The
/// paths form 16 to 64 shares, of at least 64 paths if there are enough, and the scatter of the shares gives all
/// errors. The estimates are those with h. For an estimate e(h) of weak order p the error of the step is e(h) - e(0) =
/// [e(h) - e(h/2)] 2^p / (2^p - 1), and e(0) is the value with the step bias removed (L. F. Richardson; D. Talay, L.
/// Tubaro, Stoch. Anal. Appl. 8, 483 (1990)).
///
/// Both require an error that falls as h^p. A quarter as many shares check this with h/2 and h/4. A visible
/// disagreement of the two pairs is added to the errors. If it is as large as half of the error of the step, or if the
/// step is longer than the motion allows, e(0) is nan and a warning says so.
RunOutcome run_with_step_error(const Plan& plan, const RunHooks& hooks);

/// Two arrays for every array with errors, NAME_step and NAME_step_err: its error of the step.
std::vector<Array> step_arrays(const std::vector<Array>& arrays);

/// Names of RunOutcome::choices.
constexpr std::array<const char*, 3> chosen_to_tolerance = {"dt", "levels", "cost"};

/// Multilevel Monte Carlo (M. B. Giles, Oper. Res. 56, 607 (2008); Acta Numer. 24, 259 (2015)), point by point. Level l
/// has steps of dt/2^l. An estimate is that of the coarsest level in use plus the differences that finer levels make,
/// which come from coupled pairs. Of a tolerance e each kind of error gets e/sqrt 2:
/// - The finest level is the first L at which |Y_l| / 2^(p(L-l)) / (2^p - 1) is below that for l = L, L-1, L-2. Y_l is
///   the difference that level l makes, p the weak order.
/// - The coarsest level is the one with the least cost. If that is L itself, the run is an ordinary one.
/// - Levels get shares of paths in proportion to sqrt(variance/cost), as many as the statistical error requires.
/// The search begins with `paths` paths on each of three levels. All choices are made anew whenever more paths are
/// known.
RunOutcome run_to_tolerance(const Plan& plan, const RunHooks& hooks);

/// Fills the estimates and arrays of an outcome, with step_arrays. Quantities are numbered as in Levels.
using Quantity = std::function<Estimate(size_t point, size_t i)>;
void fill_outcome(const Plan& plan, const Levels& levels, const Quantity& value, const Quantity& step_error,
                  const Quantity& extrapolated, RunOutcome& outcome);

}  // namespace bmsim
