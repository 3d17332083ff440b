// Warnings about a result, for stderr, r.info.warnings and files.
#pragma once
#include <string>
#include <vector>

#include "output/table.h"

namespace bmsim {

/// The first path that is no longer finite, and the number of points with such paths.
std::string divergence_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome);

/// A warning about the points at which "auto" found no end of the transient; "" for none.
std::string unsettled_text(const Plan& plan, const Sweep& sweep, const std::vector<size_t>& points);

/// The warnings of a run that has ended, one line per kind: steps, divergence, missed targets, observables.
std::vector<std::string> warnings_of(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome);

/// The largest difference between the halves of the window, for r.info.transient_check.
std::string transient_check_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome);
/// The error that the check of the step saw, and the error it could have seen, for r.info.step_check.
std::string step_check_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome);

/// The check of the step in numbers, for every column of the observables: NAME_step_seen, its _err, and
/// NAME_step_resolution, above which 95 % of errors would have been seen. nan at points without a check.
std::vector<Column> step_check_columns(const Plan& plan, const StepCheck& check);

/// A number for every point: 1 if a warning is about its step, else 0.
std::vector<double> step_warning_marks(const Plan& plan, const StepCheck& check);

}  // namespace bmsim
