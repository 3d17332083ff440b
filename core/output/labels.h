// What columns are called: symbol, unit and meaning, for the axes of plots and the attributes of files.
#pragma once
#include <string>
#include <string_view>

#include "engine/plan.h"

namespace bmsim {

struct Label {
  std::string
      symbol;  ///< as descriptors write it: "D_P", "zeta", "<v^2>"; "D_P (weak)" where another component has it too
  std::string unit;     ///< "length^2/time"; "" for none
  std::string meaning;  ///< in words; "" where nobody knows
  std::string role;     ///< "parameter", "observable", "error" (of an observable), "added" (by a script)
};

/// Of a column, or of a parameter of the model. What is neither a parameter nor measured was added: its symbol is its
/// name.
Label label_of(const Plan& plan, std::string_view name);

}  // namespace bmsim
