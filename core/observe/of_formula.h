// What the option "of" names: variables, velocities, definitions, or formulas, which have a name of their own.
#pragma once
#include <cctype>

#include "observe/observable.h"

namespace bmsim {

/// The text that says what an observable is of, and the name under which it is observed.
struct ObservedName {
  std::string text, name;
  bool is_formula() const { return text != name; }
};

/// Whether it is a letter, a digit or '_'.
inline bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
/// Whether it is the name of a variable, a velocity or a definition: letters, digits and '_', no digit first.
bool is_name(std::string_view text);
/// The parts of a list between its commas, but for those within parentheses: "x,atan2(y, x)" -> x and atan2(y, x).
std::vector<std::string> divided(const std::string& list);

/// What the word "of" of a request names. Formulas take the names of the word "name", in this order. Throws Error if
/// there are too few or too many of these, or if they cannot be names.
std::vector<ObservedName> observed_names(const ObservableRequest& request);

/// Adds to the variables the formulas and definitions that the request is of; velocities, too, unless the observable
/// takes velocities itself. Throws Error if a name is taken, or if the observable cannot be of formulas.
void note_formulas(const ObservableRequest& request, std::vector<ObservedVariable>& variables,
                   std::span<const std::string> definitions);

/// Index of a number among all numbers at a mark: positions of all variables, velocities, formulas.
int sample_index(size_t variable, bool velocity, std::span<const ObservedVariable> variables);

/// Index of a variable that a request names. Throws Error if there is none of that name.
size_t index_of(const ObservableRequest& request, const std::string& name, std::span<const ObservedVariable> variables);

}  // namespace bmsim
