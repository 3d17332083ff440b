#include "check/checks.h"

#include <cmath>
#include <optional>
#include <set>

namespace bmsim::checks {
namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool close(double a, double b) { return same(a, b) || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

/// The parameter, constant or array that differs between two calls of derive.
std::string difference(const Plugin& plugin, const Resolved& first, const Resolved& again) {
  const auto say = [](const char* name, double a, double b) {
    return fmt::format("derive keeps state: {} is {}, and {} when it is called again with the same values", name, a, b);
  };
  for (const bm_parameter& p : plugin.parameters())
    if (!same(first.values[p.slot], again.values[p.slot]))
      return say(p.name, first.values[p.slot], again.values[p.slot]);
  for (const bm_constant& c : std::span(plugin->constants, plugin->constant_count))
    if (!same(first.values[c.slot], again.values[c.slot]))
      return say(c.name, first.values[c.slot], again.values[c.slot]);
  for (size_t k = 0; k < first.arrays.size(); ++k)
    if (first.arrays[k] != again.arrays[k])
      return fmt::format("array keeps state: {} differs when it is called again", plugin->arrays[k].name);
  return "";
}

class RoundTrip {
 public:
  explicit RoundTrip(const Plugin& plugin) : plugin_(plugin), sets_(linked_sets(plugin)) {
    for (const auto& set : sets_) linked_.insert(set.begin(), set.end());
  }

  /// What differs when the values made by parametrisation `from` are given again through parametrisation `to`.
  std::optional<std::string> mismatch(const Setting& setting, size_t from, size_t to, ModelNumbers numbers) const {
    try {
      const Resolved first = through(setting, from, setting.resolved, numbers);
      const Resolved again = through(setting, to, first, numbers);
      for (const bm_parameter& p : plugin_.parameters()) {
        const double a = first.values[p.slot], b = again.values[p.slot];
        if (!close(a, b))
          return fmt::format(
              "{} is {} where {} are given, but {} where the {} that follow are given again ({}; gamma = {})", p.name,
              a, plugin_->parametrisations[from].names, b, plugin_->parametrisations[to].names, setting.words,
              numbers.gamma);
      }
    } catch (const Error&) {  // refused: not every parametrisation reaches every point
    }
    return std::nullopt;
  }
  size_t sets() const { return sets_.size(); }

 private:
  Resolved through(const Setting& setting, size_t set, const Resolved& values, ModelNumbers numbers) const {
    Given given;
    for (const auto& [name, value] : setting.given)
      if (!linked_.contains(name)) given[name] = value;
    for (const std::string& name : sets_[set]) given[name] = values.values[find_parameter(plugin_, name).slot];
    return resolve(plugin_, given, setting.lists, numbers, plugin_.full_name());
  }

  const Plugin& plugin_;
  std::vector<std::vector<std::string>> sets_;
  std::set<std::string> linked_;
};

}  // namespace

Finding check_repeated(const Plugin& plugin, std::span<const Setting> settings) {
  return check_settings("derive", settings, [&](const Setting& setting) {
    const Resolved again = resolve(plugin, setting.given, setting.lists, {}, plugin.full_name());
    return difference(plugin, setting.resolved, again);
  });
}

Finding check_round_trip(const Plugin& plugin, std::span<const Setting> settings) {
  const char* const what = "parametrisations";
  const RoundTrip trip(plugin);
  // A set may know only one of two solutions, as the root of a square does: then one direction fails, but not both.
  const auto first_mismatch = [&](size_t from, size_t to) -> std::optional<std::string> {
    for (const ModelNumbers numbers : {ModelNumbers{}, ModelNumbers{1.7, 0.6}})
      for (const Setting& setting : settings)
        if (auto words = trip.mismatch(setting, from, to, numbers)) return words;
    return std::nullopt;
  };
  for (size_t from = 0; from < trip.sets(); ++from)
    for (size_t to = from + 1; to < trip.sets(); ++to) {
      const auto words = first_mismatch(from, to);
      if (words && first_mismatch(to, from)) return problem(what, *words);
    }
  return ok(what, trip.sets() == 0 ? "there are none" : fmt::format("{} agree", trip.sets()));
}

Finding check_time_scale(const Plugin& plugin, std::span<const Setting> settings) {
  return check_settings("time scale", settings, [&](const Setting& setting) -> std::string {
    const double scale = plugin.time_scale(setting.resolved.values.data());
    if (!(scale > 0)) return fmt::format("it must be > 0, got {}", scale);
    if (plugin->kind == BM_DRIVE && std::isinf(scale)) return "that of a drive is its period and must be finite";
    return "";
  });
}

}  // namespace bmsim::checks
