// The descriptor of a plugin that is made of formulas at run time, with the texts that it points to.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bmsim/plugin_abi.h"

namespace bmsim {

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

}  // namespace bmsim
