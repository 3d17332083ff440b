// Parameters of a component: names, bounds, defaults, words, lists, and parametrisations, which derive the linked ones.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/registry.h"

namespace bmsim {

/// Parameters that a script or a sweep gives, by name. The value of a choice is the index of its word.
using Given = std::map<std::string, double, std::less<>>;
/// Lists of numbers that a script gives, by name.
using Lists = std::map<std::string, std::vector<double>, std::less<>>;

/// The numbers of the model that derive gets.
struct ModelNumbers {
  double gamma = 1;  ///< friction
  double mass = 0;   ///< 0: overdamped
};

/// The numbers of a component at one point.
struct Resolved {
  std::vector<double> values;               ///< parameters and constants, by slot
  std::vector<std::vector<double>> arrays;  ///< in the order of the descriptor
  /// The arrays as host functions take them; valid as long as this object is.
  std::vector<bm_numbers> spans() const;
};
std::vector<bm_numbers> spans_of(const std::vector<std::vector<double>>& arrays);

// ---- parameters, lists and words by name ----

/// The parameter, or the list, of that name. Throw Error if there is none, with the nearest name and its meaning:
/// "noise.poisson: unknown parameter 'Dp'; did you mean 'D'? (intensity lambda zeta^2, > 0)"; or if it is the other.
const bm_parameter& find_parameter(const Plugin& plugin, std::string_view name);
const bm_list& find_list(const Plugin& plugin, std::string_view name);
/// Null if there is no list of that name.
const bm_list* list_named(const Plugin& plugin, std::string_view name);

/// The words of a choice; none for a number.
std::vector<std::string> choice_words(const bm_parameter& parameter);
/// The index of a word. Throws Error "noise.poisson: law must be one of exponential, constant, got 'constent'; ...".
double choice_value(const Plugin& plugin, std::string_view parameter, std::string_view word, std::string_view subject);

/// "> 0", "in [0, 1)", "any", "one of exponential, constant".
std::string bounds_text(const bm_parameter& parameter);
/// "2 to 64 numbers".
std::string length_text(const bm_list& list);

// ---- values of parameters and lists ----

/// Throws Error "noise.poisson: lambda must be > 0, got -1" when value is NaN or out of bounds, or when the parameter
/// is a choice, which takes a word. `subject` begins the message.
void check_value(std::string_view subject, const bm_parameter& parameter, double value);
/// Throws Error "potential.table: V must have 2 to 64 numbers, got 1", or for a number that is not finite.
void check_list(std::string_view subject, const bm_list& list, std::span<const double> numbers);

/// All values (parameters and constants) from the given ones: chooses the first parametrisation that contains every
/// linked parameter given, fills in defaults, derives, checks bounds, and makes the arrays. `subject` names the
/// component in messages. Throws Error when no parametrisation contains the given ones ("lambda, D and a are linked:
/// give two of ..."), when a required list is missing, when derive refuses, or when a value is NaN or out of bounds.
Resolved resolve(const Plugin& plugin, const Given& given, const Lists& lists, ModelNumbers numbers,
                 std::string_view subject);

/// The component's characteristic time, INFINITY for none. Throws Error if the plugin returns one that is not > 0.
double time_scale(const Plugin& plugin, std::span<const double> values, std::string_view subject);
/// A potential's period, 0 for none. Throws Error if the plugin returns one that is not >= 0 and finite.
double period(const Plugin& plugin, std::span<const double> values, std::string_view subject);

/// The documentation of a plugin from its descriptor, several lines.
std::string describe(const Plugin& plugin);
/// The documentation of a plugin as a page in Markdown, with the meanings of the flags.
std::string markdown(const Plugin& plugin);

}  // namespace bmsim
