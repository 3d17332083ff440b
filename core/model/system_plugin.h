// The formulas of a system as plugins without a file. They act on all variables of the system together.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formula/bounds.h"
#include "formula/system.h"
#include "model/model.h"
#include "plugin/plugin.h"

namespace bmsim {

/// A system's equations as the script has them: formulas for each variable, "" for none. Periods are formulas of
/// parameters alone. Frictions are gamma.
struct EquationsText {
  std::vector<std::string> equations, periods, frictions;
};

// There is one plugin for each text, and for each potential plugin and choice of variables; it lives until the process
// ends (Registry::adopt). The functions throw Error with the formula, a caret under the mistake, and the nearest name.

/// Equations of motion.
const Plugin& equations_plugin(const formula::SystemNames& names, const EquationsText& texts);
/// A potential of several variables. names.parameters: its own.
const Plugin& energy_plugin(const formula::SystemNames& names, const std::string& formula);

/// The amplitude of a noise: a formula for each variable, "" for 0. white: whether the noise is white and Gaussian, and
/// also needs the drifts by which interpretations differ.
const Plugin& amplitude_plugin(const formula::SystemNames& names, const std::vector<std::string>& formulas, bool white);

/// Functions of the state that observables follow at every step.
const Plugin& observed_plugin(const formula::SystemNames& names, const std::vector<ObservedFormula>& formulas);

/// An event. names.parameters: its own.
const Plugin& event_plugin(const formula::SystemNames& names, const EventText& text);

/// Mean fields, by name: functions of the state that are averaged over all paths.
const Plugin& fields_plugin(const formula::SystemNames& names,
                            const std::vector<std::pair<std::string, std::string>>& fields);

/// Walls of a variable. names.parameters: their own.
const Plugin& wall_plugin(const formula::SystemNames& names, const WallText& text);

/// A potential plugin of several variables. variables: their indices, in the plugin's order.
const Plugin& joint_potential(const Plugin& plugin, const std::vector<size_t>& variables);

/// Checks a potential of several variables whose names are not known yet: every name that is no parameter is taken for
/// a variable. Throws Error as energy_plugin() does.
void check_energy(const std::string& formula, std::span<const std::string> parameters);

/// The expression of a formula without names; nothing for other texts.
std::optional<formula::Expression> literal_length(const std::string& formula);

/// Bounds of a function of a plugin of several variables; nothing for a plugin that is no formula. x: all variables,
/// followed by the random numbers of events; v: velocities and mean fields; varying: the numbers of the variables, then
/// velocities, that vary, and `time_varies` for t.
constexpr size_t time_varies = SIZE_MAX;
std::optional<formula::Enclosure> function_bounds(const Plugin& plugin, size_t function, const double* x,
                                                  const double* v, double t, const double* values,
                                                  std::vector<size_t> varying);

}  // namespace bmsim
