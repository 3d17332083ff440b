// Potentials and drives that scripts write as formulas: plugins without a file.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "plugin/plugin.h"

namespace bmsim {

/// The plugin of a formula in the parameters `names` and x (potentials) and t. kind: BM_POTENTIAL or BM_DRIVE. It lives
/// as long as the process, and the same formula gives the same plugin. A potential with a parameter L has that period.
/// Throws Error with a caret under the mistake.
const Plugin& formula_plugin(uint32_t kind, std::string_view text, std::span<const std::string> names);

}  // namespace bmsim
