// The ratios that the benchmarks must reach, gathered while they run.
#pragma once

#include <string>

namespace bmsim::bench {

void require_at_least(std::string what, double measured, double bound);
void require_at_most(std::string what, double measured, double bound);

/// Prints a table of what was required, and returns the exit status of the program: 1 if something of it does not hold.
int report_requirements();

}  // namespace bmsim::bench
