// Formulas of several variables: parsed together, and compiled to one device function of all of them, so that what they
// have in common is computed once.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formula/expression.h"
#include "formula/lower.h"

namespace bmsim::formula {

/// A variable as formulas see it: its name, and the name of its velocity if it has inertia. Kernels know it as u = x /
/// length.
struct SystemVariable {
  std::string name;
  std::string velocity{};  ///< "" without inertia
  /// Unit of the variable in kernels, without names; empty: a number that the host knows at every point, length_name().
  std::optional<Expression> length = Expression(1);
};
/// Name of the length of variable i in constants.
std::string length_name(size_t i);
/// Names of the mass of variable i, and of the intensity of the noise that a formula multiplies, in constants.
std::string mass_name(size_t i);
constexpr const char* intensity_name = "D:";

/// The names that formulas of a system may use.
struct SystemNames {
  std::vector<SystemVariable> variables;
  std::vector<std::string> parameters;
  std::vector<std::string> shared{};                 ///< parameters of the system that other formulas also know
  std::map<std::string, std::string> definitions{};  ///< abbreviations: name and formula
  std::vector<std::string> full{};    ///< numbers of the model by their full names: "cosine.omega", "force"
  std::vector<std::string> fields{};  ///< mean fields, averages over all paths
};

/// Parses formulas of a system. Throws Error as parse() does.
class SystemParser {
 public:
  /// subject: of messages about names and definitions: "system".
  SystemParser(const SystemNames& names, std::string_view subject);
  /// The formula in variables, velocities, mean fields, t and parameters, definitions inserted.
  Expression parse(std::string_view formula, std::string_view subject);
  /// A formula of parameters alone, shared ones included.
  Expression parse_constant(std::string_view formula, std::string_view subject);
  /// Throws Error if a parameter that is not shared has not occurred in any formula so far.
  void check_all_used() const;

 private:
  Expression define(const std::string& name, std::vector<std::string>& path);
  /// Replaces a name by its meaning. Throws Error if that makes the formula too large.
  static void insert(Expression& e, const std::string& name, const Expression& meaning, std::string_view subject);
  void note_used(const Expression& e);

  const SystemNames& names_;
  std::string subject_;
  std::vector<std::string> words_;  // all names but pi, in formulas of variables
  std::map<std::string, Expression> defined_;
  std::map<std::string, bool> used_;
};

/// Functions of all variables.
struct CompiledSystem {
  std::vector<Expression> functions;  ///< in variables, velocities, mean fields, t and parameters
  /// Statements "f[i] = ..." for all functions that are not 0; for forces, "f[i] = f[i] + ..." for all that are not
  /// constant. u: x / length of each variable; v: velocities of those with inertia; phase: see lower.h; p.k0, p.k1,
  /// ...: the constants.
  std::string text;
  std::string later_text;  ///< statements for the functions from `later` on, "f[0] = ..." for the first of them
  std::string sums_text;   ///< for observed functions: statements "f[i] = f[i] + ..."
  /// For observed functions: statements "w[i] = ..." for functions of t alone, which are w[i] in the text; how many.
  std::string timed_text;
  size_t timed = 0;
  bool reads_phases = false;          ///< whether `text` does
  std::vector<Expression> offsets;    ///< for forces: their constant terms, which are not in the text
  std::vector<Expression> constants;  ///< of parameters and lengths
  std::vector<Phase> phases;
  size_t operations = 0;  ///< of the longest text
  uint64_t not_zero = 0;  ///< mask of the functions that are not 0
  uint64_t in_text = 0;   ///< mask of the functions in the text
  /// Masks of the variables, and of those whose velocities, that some function depends on.
  uint32_t reads_variables = 0, reads_velocities = 0;
  bool smooth = true;  ///< no function has jumps or kinks, as far as the form shows
  bool jumps = false;  ///< a function may jump where variables or velocities change
};
/// What functions are: forces, one for each variable, which are added to other forces; amplitudes, or others that are
/// set; or observed, with functions of t alone apart from the rest.
enum class FunctionsAre { forces, amplitudes, observed };
/// later: index of the first function for later_text.
CompiledSystem compile_system(std::vector<Expression> functions, const SystemNames& names, FunctionsAre what,
                              size_t later = SIZE_MAX);

/// Degree of e in the names together, as far as its form shows: 0, 1, or 2 for anything else.
int degree(const Expression& e, std::span<const std::string> names);
/// Whether values of e at some places may hide that e changes when these names are shifted together, each by its own
/// amount: x > 5 has one value at most of the places. They do not hide it where e has the names in sines, or in
/// mod(x, P), or in terms of first degree outside of all functions; nor where the shift cancels, as in x - y.
bool hides_shift(const Expression& e, std::span<const std::string> names, std::span<const double> amounts);
/// Whether e has a function of one of these names that jumps.
bool jumps(const Expression& e, std::span<const std::string> names);

}  // namespace bmsim::formula
