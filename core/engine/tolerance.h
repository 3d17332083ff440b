// Steps and numbers of paths that keep the error of the step and the statistical one within a tolerance.
#pragma once
#include <array>

#include "engine/levels.h"

namespace bmsim {

/// Multilevel Monte Carlo (M. B. Giles, Oper. Res. 56, 607 (2008); Acta Numer. 24, 259 (2015)), point by point. Level l
/// has steps of dt/2^l; an estimate is that of the coarsest level in use and the sum of what each finer level changes,
/// from coupled pairs. Of a tolerance e each kind of error gets e/sqrt 2:
/// - the finest level is the first L at which |Y_l| / 2^(p(L-l)) / (2^p - 1) is below that for l = L, L-1, L-2, Y_l
/// being
///   what level l changes and p the weak order;
/// - the coarsest in use is the one with the least cost; where that is L itself, it is an ordinary run;
/// - shares of paths are given to levels as sqrt(variance/cost), so that the errors add up to what is wanted.
/// All of it begins with `paths` paths on each of three levels, and is looked at again whenever more paths are known.
constexpr std::array<const char*, 3> chosen_to_tolerance = {"dt", "levels", "cost"};  ///< RunOutcome::choices
RunOutcome run_to_tolerance(const Plan& plan, const RunHooks& hooks);

}  // namespace bmsim
