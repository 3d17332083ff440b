// What the option "of" names: variables, velocities, definitions, or formulas, which have a name of their own.
#pragma once
#include "observe/observable.h"

namespace bmsim {

/// What an observable is of, and the name under which it is observed.
struct ObservedName {
  std::string text, name;
  bool is_formula() const { return text != name; }
};

/// Letters, digits and '_', no digit first: of a variable, a velocity or a definition.
bool is_name(std::string_view text);
/// "x,atan2(y, x)" -> x and atan2(y, x): commas within parentheses divide nothing.
std::vector<std::string> divided(const std::string& list);

/// What a request with the word "of" is of. Formulas take the names of the word "name", in their order. Throws Error if
/// these are too few or too many, or cannot be names.
std::vector<ObservedName> observed_names(const ObservableRequest& request);

/// Adds to the variables what the request is of and is neither a variable nor, for observables that take velocities
/// themselves, a velocity. Throws Error if a name is taken, or the observable is not of formulas.
void note_formulas(const ObservableRequest& request, std::vector<ObservedVariable>& variables,
                   std::span<const std::string> definitions);

/// Index among all numbers at a mark: positions of all variables, velocities, formulas.
int sample_index(size_t variable, bool velocity, std::span<const ObservedVariable> variables);

}  // namespace bmsim
