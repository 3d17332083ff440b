// Parameters of a component: names, bounds, defaults, and the parametrisation that derives the linked ones.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/registry.h"

namespace bmsim {

/// Parameters that a script or a sweep gives, by name.
using Given = std::map<std::string, double, std::less<>>;

/// The parameter of that name. Throws Error with the nearest name and its documentation if there is none:
/// "noise.poisson: unknown parameter 'Dp'; did you mean 'D'? (intensity lambda zeta^2, > 0)".
const bm_parameter& find_parameter(const Plugin& plugin, std::string_view name);

/// Throws Error "noise.poisson: lambda must be > 0, got -1" when value is NaN or out of bounds. `subject` is what the
/// message begins with.
void check_value(std::string_view subject, const bm_parameter& parameter, double value);

/// All values (parameters and constants, by slot) from the given ones: chooses the first parametrisation that contains
/// every linked parameter given, fills in defaults, derives, and checks bounds. `subject` names the component in
/// messages. Throws Error when no parametrisation contains the given ones ("lambda, D and a are linked: give two of
/// ..."), when derive says no, or when a value is NaN or out of bounds.
std::vector<double> resolve(const Plugin& plugin, const Given& given, std::string_view subject);

/// The component's characteristic time, INFINITY for none. Throws Error if the plugin returns one that is not > 0.
double time_scale(const Plugin& plugin, std::span<const double> values, std::string_view subject);
/// A potential's period, 0 for none. Throws Error if the plugin returns one that is not > 0 and finite.
double period(const Plugin& plugin, std::span<const double> values, std::string_view subject);

/// "> 0", "in [0, 1)", "any".
std::string bounds_text(const bm_parameter& parameter);
/// The documentation of a plugin from its descriptor, several lines.
std::string describe(const Plugin& plugin);
/// The nearest of `known` to a misspelt name, "" if none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> known);

}  // namespace bmsim
