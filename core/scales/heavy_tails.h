// Noises whose jumps have no variance.
#pragma once
#include <cmath>
#include <optional>
#include <string_view>

#include "plugin/plugin.h"

namespace bmsim {

/// The value of a parameter; nothing if there is none of that name.
inline std::optional<double> number_of(const Plugin& plugin, const double* values, std::string_view name) {
  for (const bm_parameter& parameter : plugin.parameters())
    if (parameter.name == name) return values[parameter.slot];
  return {};
}
/// Whether a noise has heavy tails at these values: it has a parameter alpha, and its intensity does not exist (NAN).
/// Without alpha, NAN means that the intensity is not known.
inline bool has_heavy_tails(const Plugin& plugin, const double* values) {
  return plugin->kind == BM_NOISE && std::isnan(plugin.intensity(values).value_or(0)) &&
         number_of(plugin, values, "alpha").has_value();
}

}  // namespace bmsim
