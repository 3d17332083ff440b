// `bmsim plugin check`: calls a plugin's host functions, compiles it for every back end, makes short runs, and reports.
#pragma once
#include <functional>
#include <string>

#include "plugin/plugin.h"

namespace bmsim {

enum class Verdict { ok, problem, not_checked };

/// One line of the report.
struct Finding {
  std::string what;  ///< "period"
  Verdict verdict;
  std::string words;  ///< what is wrong, with numbers, or why it is not checked; may be empty for ok
};

/// "period: ok", "period: PROBLEM: force(x + L) is ...", "mean: not checked: it is not declared".
std::string line_of(const Finding& finding);

struct CheckOptions {
  unsigned threads = 0;  ///< of the runs; 0: all cores
};

/// Checks a loaded plugin in a few seconds, at its defaults and at values drawn with a fixed seed. Passes each finding
/// to `tell` at once. Throws Error only if the plugin's host functions do.
void check_plugin(const Plugin& plugin, const CheckOptions& options, const std::function<void(const Finding&)>& tell);

}  // namespace bmsim
