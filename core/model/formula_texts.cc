#include "model/formula_texts.h"

#include <fmt/format.h>

#include <limits>

namespace bmsim {

void FormulaTexts::complete(uint32_t kind, std::span<const std::string> names, size_t constants, bool smooth,
                            bool of_system) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  names_.assign(names.begin(), names.end());
  for (size_t i = 0; i < constants; ++i) constant_names_.push_back(fmt::format("k{}", i));
  uint32_t slot = 0;
  for (const std::string& name : names_) {
    const bool length = kind == BM_POTENTIAL && name == "L" && !of_system;
    parameters_.push_back({name.c_str(), name.c_str(), length ? "length" : "",
                           length ? "period" : "parameter of the formula", 1, length ? 0 : -infinity, infinity,
                           length ? uint32_t{BM_LOWER_OPEN} : 0, slot++, nullptr});
  }
  for (const std::string& name : constant_names_) constants_.push_back({name.c_str(), slot++});
  bm_plugin& d = descriptor;
  d.magic = BM_PLUGIN_MAGIC;
  d.abi_major = BM_ABI_MAJOR;
  d.size = sizeof d;
  d.kind = kind;
  d.value_count = slot;
  d.flags = kind == BM_POTENTIAL && smooth ? uint32_t{BM_SMOOTH} : 0;
  d.id = id.c_str();
  d.version = "1.0";
  d.summary = summary.c_str();
  d.equation = equation.c_str();
  d.reference = "";
  d.parameters = parameters_.data();
  d.parameter_count = static_cast<uint32_t>(parameters_.size());
  d.constants = constants_.data();
  d.constant_count = static_cast<uint32_t>(constants_.size());
  d.source = source.c_str();
  d.source_file = "formula";
}

}  // namespace bmsim
