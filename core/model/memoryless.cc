#include "model/memoryless.h"

#include <string_view>

#include "plugin/schema.h"

namespace bmsim {

bool is_memoryless(const Component& component) {
  const std::string_view id = (*component.plugin)->id;
  return (*component.plugin)->kind == BM_NOISE && (id == "poisson" || id == "dichotomous" || id == "three_state");
}

std::optional<MemorylessNoise> memoryless(const Component& component, const std::vector<double>& values) {
  const Plugin& plugin = *component.plugin;
  if (!is_memoryless(component)) return {};
  const auto value = [&](std::string_view name) { return values[find_parameter(plugin, name).slot]; };
  const std::string_view id = plugin->id;
  if (id == "poisson") return MemorylessNoise{{value("compensated") == 1 ? -value("a") : 0}, {value("lambda")}};
  if (id == "dichotomous") return MemorylessNoise{{-value("Fa"), value("Fb")}, {value("mu_a"), value("mu_b")}};
  return MemorylessNoise{{-value("F"), 0, value("F")}, {value("nu"), value("nu"), value("nu")}};
}

}  // namespace bmsim
