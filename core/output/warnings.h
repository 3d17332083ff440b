// What is doubtful of a result, in words: for stderr, r.info.warnings and files.
#pragma once
#include <string>
#include <vector>

#include "output/table.h"

namespace bmsim {

/// The first path that is not finite any more, and at how many points there are such.
std::string divergence_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome);

/// Points at which "auto" found no end of the transient. "" for none.
std::string unsettled_text(const Plan& plan, const Sweep& sweep, const std::vector<size_t>& points);

/// Of a run that has ended, a line for each kind of doubt: steps, divergence, targets that were not reached,
/// observables.
std::vector<std::string> warnings_of(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome);

/// What the check of the step saw and could have seen, for r.info.step_check.
std::string step_check_text(const Plan& plan, const Sweep& sweep, const RunOutcome& outcome);

/// The same in numbers, of every column of the observables: NAME_step_seen, its _err, and NAME_step_resolution, above
/// which 95 % of errors would have been seen. nan where nothing was checked.
std::vector<Column> step_check_columns(const Plan& plan, const StepCheck& check);

/// 1 where a warning speaks of the step at a point, else 0.
std::vector<double> step_warning_marks(const Plan& plan, const StepCheck& check);

}  // namespace bmsim
