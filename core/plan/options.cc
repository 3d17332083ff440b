#include "plan/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "error.h"
#include "model/reserved_names.h"
#include "printable.h"

namespace bmsim {

namespace {

void set_transient(RunOptions& options, std::string_view word) {
  if (word != "auto") fail("run: transient must be a fraction of the run or 'auto', got '{}'", word);
  options.find_transient = true;
}
void set_phase(RunOptions& options, std::string_view word) {
  if (word != "fixed" && word != "uniform") fail("initial: phase must be fixed or uniform, got '{}'", word);
  options.random_phases = word == "uniform";
}
void set_label(RunOptions& options, std::string_view label) {
  if (std::ranges::any_of(label, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
    fail("run: label must be one line of text, got '{}'", printable(label));
  options.label = label;
}
void set_output(RunOptions& options, std::string_view file) {
  if (file.empty()) fail("output: must be a file's name, got ''");
  options.output = file;
}

using O = RunOptions;
constexpr std::array declared_options = {
    RunOption{.name = "label", .field = &O::label, .in_header = true, .set_word = set_label},
    RunOption{.name = "method", .field = &O::method, .in_header = true},
    RunOption{.name = "local_error", .field = &O::local_error, .positive = true, .in_header = true},
    RunOption{.name = "increments", .field = &O::increments, .in_header = true},
    RunOption{.name = "precision", .field = &O::precision, .in_header = true},
    RunOption{.name = "paths", .field = &O::paths, .least = 1, .in_header = true},
    RunOption{.name = "replicas", .field = &O::replicas, .least = 1, .in_header = true},
    RunOption{.name = "seed", .field = &O::seed, .in_header = true},
    RunOption{.name = "device", .field = &O::device, .in_header = true},
    RunOption{.name = "periods",
              .field = &O::periods,
              .positive = true,
              .per_point = true,
              .meaning = "duration in time scales"},
    RunOption{
        .name = "time", .field = &O::time, .positive = true, .per_point = true, .unit = "time", .meaning = "duration"},
    RunOption{.name = "spp",
              .field = &O::spp,
              .least = 1,
              .positive = true,
              .per_point = true,
              .meaning = "steps per time scale"},
    RunOption{.name = "dt", .field = &O::dt, .positive = true, .per_point = true, .unit = "time", .meaning = "step"},
    RunOption{.name = "transient", .field = &O::transient, .set_word = set_transient},
    RunOption{.name = "limit", .field = &O::limit, .least = 1},
    RunOption{.name = "check_step", .field = &O::check_step},
    RunOption{.name = "check_transient", .field = &O::check_transient},
    RunOption{.name = "step_error", .field = &O::step_error},
    RunOption{.name = "chunk", .field = &O::chunk},
    RunOption{.name = "threads", .field = &O::threads},
    RunOption{.name = "memory", .field = &O::memory},
    RunOption{.name = "output", .field = &O::output, .set_word = set_output},
    RunOption{.name = "overwrite", .field = &O::overwrite},
    // set by front ends
    RunOption{.name = "kernel_paths", .field = &O::kernel_paths, .in_scripts = false},
    RunOption{.name = "script", .field = &O::script, .in_scripts = false},
    RunOption{.name = "phase", .field = &O::random_phases, .in_scripts = false, .set_word = set_phase},
};
static_assert(std::ranges::all_of(declared_options, [](const RunOption& option) {
  return option.per_point == reserved::has(reserved::options, option.name);
}));

/// A number that must be whole: counts and seeds come as double from scripts.
uint64_t whole(const RunOption& option, double value) {
  constexpr double most = 9007199254740991;  // 2^53 - 1: the double 2^53 also stands for 2^53 + 1
  if (!(value >= option.least && value == std::floor(value)))
    fail("run: {} must be a whole number >= {}, got {}", option.name, option.least, value);
  if (value > most) fail("run: {} must be at most {:.0f}, got {}", option.name, most, value);
  return static_cast<uint64_t>(value);
}
bool yes_or_no(const RunOption& option, double value) {
  if (value != 0 && value != 1) fail("run: {} must be 0 or 1, got {}", option.name, value);
  return value == 1;
}

template <class... F> struct Visitor : F... { using F::operator()...; };
template <class... F> Visitor(F...) -> Visitor<F...>;  // clang 14 does not find this guide by itself

}  // namespace

const char* RunOption::type() const {
  return std::visit(
      Visitor{[](double RunOptions::*) { return "number"; },
              [](std::optional<double> RunOptions::*) { return "number"; }, [](bool RunOptions::*) { return "flag"; },
              [](std::string RunOptions::*) { return "text"; }, [](auto) { return "whole number"; }},
      field);
}

std::span<const RunOption> run_options() { return declared_options; }

const RunOption* run_option(std::string_view name) {
  const auto* found =
      std::ranges::find_if(declared_options, [&](const RunOption& option) { return name == option.name; });
  return found == declared_options.end() ? nullptr : found;
}

bool is_per_point(std::string_view name) {
  const RunOption* option = run_option(name);
  return option != nullptr && option->per_point;
}

void set_number(RunOptions& options, std::string_view name, double value) {
  const RunOption* option = run_option(name);
  if (option == nullptr || std::holds_alternative<std::string RunOptions::*>(option->field))
    fail("run: unknown number '{}'", name);
  if (std::isnan(value)) value = std::abs(value);  // messages say nan, not -nan
  std::visit(Visitor{[&](double RunOptions::*to) { options.*to = value; },
                     [&](std::optional<double> RunOptions::*to) { options.*to = value; },
                     [&](bool RunOptions::*to) { options.*to = yes_or_no(*option, value); },
                     [&](unsigned RunOptions::*to) {
                       constexpr uint64_t most = std::numeric_limits<unsigned>::max();
                       options.*to = static_cast<unsigned>(std::min(whole(*option, value), most));
                     },
                     [](std::string RunOptions::*) {}, [&](auto to) { options.*to = whole(*option, value); }},
             option->field);
}

void set_text(RunOptions& options, std::string_view name, std::string_view value) {
  const RunOption* option = run_option(name);
  if (option != nullptr && option->set_word != nullptr) return option->set_word(options, value);
  const auto* field = option == nullptr ? nullptr : std::get_if<std::string RunOptions::*>(&option->field);
  if (field == nullptr) fail("run: unknown text '{}'", name);
  options.** field = value;
}

void check_numbers(const RunOptions& options) {
  for (const RunOption& option : declared_options) {
    const auto* field = std::get_if<std::optional<double> RunOptions::*>(&option.field);
    if (field == nullptr || !(options.**field)) continue;
    const double value = *(options.**field);
    if (option.positive && !(value > 0 && std::isfinite(value)))
      fail("run: {} must be > 0 and finite, got {}", option.name, value);
    if (value < option.least) fail("run: {} must be >= {}, got {}", option.name, option.least, value);
  }
}

}  // namespace bmsim
