// The options of a run, each declared once: its name, what it takes and where that goes. All front ends ask here.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "plan/plan.h"

namespace bmsim {

struct RunOption {
  /// Where the value goes, which also says what the option takes: a number, a whole number, yes or no, a text.
  using Field = std::variant<double RunOptions::*, std::optional<double> RunOptions::*, uint64_t RunOptions::*,
                             std::optional<uint64_t> RunOptions::*, unsigned RunOptions::*, bool RunOptions::*,
                             std::string RunOptions::*>;
  const char* name;
  Field field;
  double least = 0;                      ///< of a whole number
  bool positive = false;                 ///< other numbers: > 0 and finite
  bool per_point = false;                ///< may be swept, or a function of the parameters
  const char *unit = "", *meaning = "";  ///< if it may be swept
  bool in_scripts = true;                ///< a field of bm.run; else front ends set it
  bool in_header = false;                ///< files give its value, as r.info does
  /// Sets the option by a word, if it takes words that are not kept as they are. Throws Error for another word.
  void (*set_word)(RunOptions& options, std::string_view word) = nullptr;
  /// "number", "whole number", "flag" or "text".
  const char* type() const;
};

/// All options, in the order of lists and headers.
std::span<const RunOption> run_options();
/// Null if there is no such option.
const RunOption* run_option(std::string_view name);
/// Whether each point may have its own value of an option.
bool is_per_point(std::string_view name);

/// Throw Error for an unknown option, or a value that it does not take.
void set_number(RunOptions& options, std::string_view name, double value);
void set_text(RunOptions& options, std::string_view name, std::string_view value);
/// Throws Error for a number that is out of bounds, also of the options that each point may have its own value of.
void check_numbers(const RunOptions& options);

}  // namespace bmsim
