// The plugins that come with bmsim with their numbers, for tests. Include it first: a plugin's file is included as host
// text, in a namespace of its own, where its device functions and its Values are at hand.
#pragma once
#include <bmsim/plugin.h>
#undef BM_PLUGIN
#define BM_PLUGIN [[maybe_unused]] const bm_plugin descriptor
#undef BM_SOURCE
#define BM_SOURCE .source = "", .source_file = ""
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
// What plugins include themselves, so that it is not included in their namespaces.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "message_of.h"
#include "plugin/schema.h"

namespace bmsim::test {

using doctest::Approx;

inline const Plugin& shipped(std::string_view name) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  return Registry::instance().find(name);
}
/// The index of a word.
inline double word(std::string_view plugin, std::string_view parameter, std::string_view choice) {
  return choice_value(shipped(plugin), parameter, choice, plugin);
}

/// A component with its numbers.
struct Made {
  const Plugin& plugin;
  Resolved numbers;
  std::vector<bm_numbers> arrays = numbers.spans();
  const double* values() const { return numbers.values.data(); }
  double operator[](const char* name) const { return numbers.values[find_parameter(plugin, name).slot]; }
  double energy(double u) const { return plugin.energy(u, values(), arrays.data()); }
  double force(double u) const { return plugin.force(u, values(), arrays.data()); }
  std::vector<bm_segment> segments() const { return plugin.segments(values(), arrays.data()); }
  double period() const { return bmsim::period(plugin, numbers.values, plugin->id); }
  double time_scale() const { return bmsim::time_scale(plugin, numbers.values, plugin->id); }
  double mean() const { return plugin.mean(values()).value(); }
  double intensity() const { return plugin.intensity(values()).value(); }
};
inline Made made(std::string_view name, const Given& given = {}, const Lists& lists = {}, ModelNumbers numbers = {}) {
  const Plugin& plugin = shipped(name);
  return {plugin, resolve(plugin, given, lists, numbers, plugin->id)};
}
inline std::string refusal(std::string_view name, const Given& given, const Lists& lists = {}) {
  return message_of([&] { made(name, given, lists); });
}

/// Every parametrisation, given the numbers that the others make, makes the same.
inline void check_round_trip(std::string_view name, const Given& given, const Lists& lists = {}) {
  const Made first = made(name, given, lists);
  Given independent;
  for (const bm_parameter& one : std::span(first.plugin->parameters, first.plugin->parameter_count))
    independent[one.name] = first[one.name];
  const std::span all(first.plugin->parametrisations, first.plugin->parametrisation_count);
  std::string name_in_set;
  for (const bm_parametrisation& set : all)
    for (std::istringstream names(set.names); names >> name_in_set;) independent.erase(name_in_set);
  for (const bm_parametrisation& set : all) {
    CAPTURE(set.names);
    Given again = independent;
    for (std::istringstream names(set.names); names >> name_in_set;) again[name_in_set] = first[name_in_set.c_str()];
    const Made second = made(name, again, lists);
    for (size_t i = 0; i < first.numbers.values.size(); ++i)
      CHECK(second.numbers.values[i] == Approx(first.numbers.values[i]).epsilon(1e-12));
  }
}

}  // namespace bmsim::test
