// Potentials and drives that scripts write as formulas: plugins without a file.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formula/bounds.h"
#include "plugin/plugin.h"

namespace bmsim {

/// The descriptor of a plugin that is made of formulas at run time, with the texts that it points to.
struct FormulaTexts {
  std::string id, summary, equation, source;
  bm_plugin descriptor{};

  FormulaTexts() = default;
  FormulaTexts(const FormulaTexts&) = delete;
  FormulaTexts& operator=(const FormulaTexts&) = delete;
  /// Fills the descriptor. names: the parameters, any number of them; "L" is the period of a potential, unless it is
  /// of_system. constants: how many values k0, k1, ... follow the parameters.
  void complete(uint32_t kind, std::span<const std::string> names, size_t constants, bool smooth,
                bool of_system = false);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_, constant_names_;
  std::vector<bm_parameter> parameters_;
  std::vector<bm_constant> constants_;
};

/// The only plugin of a key, which lives as long as the process: make() makes it when it is first asked for.
const Plugin& only_plugin(const std::string& key, const std::function<std::unique_ptr<Plugin>()>& make);

/// The plugin of a formula in the parameters `names`, x (potentials) and t. kind: BM_POTENTIAL or BM_DRIVE. It lives as
/// long as the process, and the same formula gives the same plugin. A potential with a parameter L has the period L.
/// Throws Error with a caret under the mistake.
const Plugin& formula_plugin(uint32_t kind, std::string_view text, std::span<const std::string> names);

/// Bounds of -dV/dx of a potential, or of a drive's force; nothing for a plugin that is no formula. u: as in force_at.
/// varying: the numbers of what varies, 0 for x, in the period around 0, and 1 for t.
std::optional<formula::Enclosure> force_bounds(const Plugin& plugin, const double* values, double u, double t,
                                               std::vector<size_t> varying);
/// Bounds of the arguments of a potential's sides() as functions of x, in the order of sides(). None for other plugins.
std::vector<formula::Enclosure> side_bounds(const Plugin& plugin, const double* values, double t);

}  // namespace bmsim
