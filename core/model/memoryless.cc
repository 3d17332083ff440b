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
  if (id == "poisson") {
    const std::vector<std::string> laws = choice_words(find_parameter(plugin, "law"));
    const MemorylessNoise::Kicks kicks{laws.at(static_cast<size_t>(value("law"))), value("zeta"), value("sigma"),
                                       value("a")};
    return MemorylessNoise{{value("compensated") == 1 ? -kicks.a : 0}, {value("lambda")}, {{1}}, kicks};
  }
  if (id == "dichotomous")
    return MemorylessNoise{{-value("Fa"), value("Fb")}, {value("mu_a"), value("mu_b")}, {{0, 1}, {1, 0}}};
  const double F = value("F"), q = value("q"), nu = value("nu");
  const std::vector<double> anew = {q, 1 - 2 * q, q};
  return MemorylessNoise{{-F, 0, F}, {nu, nu, nu}, {anew, anew, anew}};
}

}  // namespace bmsim
