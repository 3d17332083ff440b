// Labels of columns: symbol, unit and meaning, for the axes of plots and the attributes of files.
#pragma once
#include <string>
#include <string_view>

#include "plan/plan.h"

namespace bmsim {

struct Label {
  std::string symbol;   ///< as in descriptors: "D_P", "<v^2>"; "D_P (weak)" if another component has "D_P", too
  std::string unit;     ///< "length^2/time"; "" for none
  std::string meaning;  ///< in words; "" if unknown
  std::string role;     ///< "parameter", "observable", "error" (of an observable), "added" (by a script)
};

/// The label of a column, or of a parameter of the model. A column that is neither a parameter nor measured was added
/// by a script: its symbol is its name.
Label label_of(const Plan& plan, std::string_view name);

}  // namespace bmsim
