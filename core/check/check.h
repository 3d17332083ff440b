// What `bmsim plugin check` finds out about a plugin, in words: by calling its host functions, by compiling it for
// every back end at hand, and by short runs on the CPU.
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
  std::string words;  ///< of a problem what is wrong, with numbers; of what is not checked why; may be empty for ok
};

/// "period: ok", "period: PROBLEM: force(x + L) is ...", "mean: not checked: it is not declared".
std::string line_of(const Finding& finding);

struct CheckOptions {
  unsigned threads = 0;  ///< of the runs, 0: all cores
};

/// Checks a plugin that is loaded, at its defaults and at values drawn with a fixed seed. Tells each finding when it is
/// made; a few seconds in all. Throws Error only where the plugin's host functions do.
void check_plugin(const Plugin& plugin, const CheckOptions& options, const std::function<void(const Finding&)>& tell);

}  // namespace bmsim
