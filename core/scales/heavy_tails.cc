#include "scales/heavy_tails.h"

#include <cmath>
#include <span>

namespace bmsim {

std::optional<double> number_of(const Plugin& plugin, const double* values, std::string_view name) {
  for (const bm_parameter& parameter : std::span(plugin->parameters, plugin->parameter_count))
    if (parameter.name == name) return values[parameter.slot];
  return {};
}

bool has_heavy_tails(const Plugin& plugin, const double* values) {
  return plugin->kind == BM_NOISE && std::isnan(plugin.intensity(values).value_or(0)) &&
         number_of(plugin, values, "alpha").has_value();
}

}  // namespace bmsim
