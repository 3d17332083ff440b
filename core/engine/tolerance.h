// Choice of steps and numbers of paths that keep the error of the step and the statistical error within a tolerance.
#pragma once
#include <array>

#include "engine/levels.h"

namespace bmsim {

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

}  // namespace bmsim
