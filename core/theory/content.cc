#include "theory/content.h"

#include <string_view>

#include "error.h"

namespace bmsim::theory {
namespace {

/// A component's numbers by name.
struct Numbers {
  const Plugin& plugin;
  const std::vector<double>& values;
  double operator[](std::string_view name) const { return values[find_parameter(plugin, name).slot]; }
};

Shot shot_of(const Numbers& p) {
  const std::vector<std::string> laws = choice_words(find_parameter(p.plugin, "law"));
  const double drift = p["compensated"] == 1 ? -p["a"] : 0;
  return {laws.at(static_cast<size_t>(p["law"])), p["lambda"], p["zeta"], p["sigma"], p["a"], drift};
}

Jumps dichotomous(const Numbers& p, bool modulates) {
  return {{-p["Fa"], p["Fb"]}, {{0, p["mu_a"]}, {p["mu_b"], 0}}, modulates};
}

Jumps three_state(const Numbers& p, bool modulates) {
  const double F = p["F"], q = p["q"], nu = p["nu"];
  Jumps made{{}, {}, modulates};
  std::vector<double> probability;
  for (const auto& [value, part] : {std::pair{-F, q}, {0.0, 1 - 2 * q}, {F, q}}) {
    if (!(part > 0)) continue;
    made.value.push_back(value);
    probability.push_back(part);
  }
  for (size_t from = 0; from < probability.size(); ++from) {
    made.rate.emplace_back();
    for (size_t to = 0; to < probability.size(); ++to) made.rate[from].push_back(from == to ? 0 : nu * probability[to]);
  }
  return made;
}

/// Adds a noise; returns false if no theory covers it.
bool add_noise(Content& content, const Component& component, const std::vector<double>& values) {
  const Numbers p{*component.plugin, values};
  const std::string_view id = p.plugin->id;
  if (const auto D = gaussian_intensity(component, values)) {
    content.D += *D;
  } else if (id == "poisson") {
    content.shots.push_back(shot_of(p));
  } else if (id == "dichotomous") {
    content.jumps.push_back(dichotomous(p, component.modulates));
  } else if (id == "three_state") {
    content.jumps.push_back(three_state(p, component.modulates));
  } else if (id == "levy") {
    content.stables.push_back({p["alpha"], p["beta"], p["scale"]});
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string named(const Component& component) {
  return fmt::format("{} '{}'", component.plugin->full_name(), component.name);
}

std::optional<double> gaussian_intensity(const Component& component, const std::vector<double>& values) {
  const Numbers p{*component.plugin, values};
  if ((*component.plugin)->kind != BM_NOISE) return {};
  const std::string_view id = p.plugin->id;
  if (id == "gaussian") return p["D"];
  if (id == "levy" && p["alpha"] == 2) return p["scale"] * p["scale"];
  return {};
}

std::optional<Coloured> coloured_of(const Component& component, const std::vector<double>& values) {
  const Numbers p{*component.plugin, values};
  if ((*component.plugin)->kind != BM_NOISE || std::string_view(p.plugin->id) != "ornstein_uhlenbeck") return {};
  return Coloured{p["D"], p["tau"]};
}

Content content_of(const Model& model, const ModelValues& values) {
  if (model.is_system()) fail("it is for models of one variable, got a system");
  Content content;
  content.landscape = landscape_of(model, values);
  content.potential = named(model.potential());
  content.force = values.only().force;
  content.underdamped = values.only().inertial;
  content.mass = values.only().mass;
  content.gamma = values.only().gamma;
  for (size_t i = 1; i < model.components().size(); ++i) {
    const Component& component = model.components()[i];
    if ((*component.plugin)->kind == observed_kind) continue;
    if ((*component.plugin)->kind == amplitude_kind) {
      if (content.multiplied.empty()) content.multiplied = named(model.multiplied_by(component));
      continue;
    }
    const std::string name = named(component);
    const size_t before = content.noises();
    const bool known = (*component.plugin)->kind == BM_NOISE && add_noise(content, component, values.values[i]);
    if (!known && content.other.empty()) content.other = name;
    if ((!known || content.noises() > before) && content.not_gaussian.empty()) content.not_gaussian = name;
  }
  return content;
}

}  // namespace bmsim::theory
