// Names that every run uses for what it is swept over, and for what it says about its points. Parameters of a system,
// and columns, must not have these names, or a name would mean two things.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace bmsim::reserved {

/// Options of a run that may be swept.
constexpr std::array<std::string_view, 4> options = {"dt", "spp", "time", "periods"};
/// What every result says about its points.
constexpr std::array<std::string_view, 3> of_points = {"steps", "transient", "step_warning"};
/// What results of runs with a target or a tolerance also say about their points.
constexpr std::array<std::string_view, 4> of_errors = {"paths", "reached", "levels", "cost"};

/// Whether a list has the name.
constexpr bool has(const auto& names, std::string_view name) { return std::ranges::count(names, name) > 0; }
constexpr bool is_always(std::string_view name) { return has(options, name) || has(of_points, name); }
constexpr bool is(std::string_view name) { return is_always(name) || has(of_errors, name); }

/// A name that would do: "cost_0", or the first of "cost_1", ... that is not taken.
std::string other_name(std::string_view name, const auto& taken) {
  for (int number = 0;; ++number)
    if (std::string other = std::string(name) + "_" + std::to_string(number); std::ranges::count(taken, other) == 0)
      return other;
}

}  // namespace bmsim::reserved
