// Formulas that observables are of: formulas of the state of a system, that is of its variables and velocities, and of
// its parameters, but not of t.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formula/bounds.h"
#include "formula/program.h"
#include "model/model.h"

namespace bmsim {

class StateFormula {
 public:
  /// Throws Error, with the subject, the formula and a caret under the mistake, for a text that is no such formula.
  StateFormula(const Model& model, const std::string& text, std::string_view subject);
  const std::string& text() const { return text_; }
  const formula::OperationList& operations() const { return operations_; }
  /// The factors of its inputs, which are positions in lengths, then velocities; followed by the values of parameters.
  std::vector<double> inputs(const ModelValues& values) const;
  /// Its values at `count` states. state: positions in lengths, then velocities, each with one number per state.
  void evaluate(std::span<const double> inputs, std::span<const double* const> state, size_t count,
                double* values) const;
  /// Its bounds, as a function of positions and velocities.
  formula::Enclosure bounds(const ModelValues& values) const;
  double at(std::span<const double> inputs, std::span<const double> state) const;

  size_t state_size() const { return variables_ + velocities_; }  ///< number of variables and velocities
  /// Whether it is of first degree in variables and velocities together, with coefficients that are free of them, as
  /// far as its form shows.
  bool linear() const { return linear_; }
  bool jumps() const { return jumps_; }  ///< whether it may jump where the state changes, as far as its form shows
  /// Masks of the variables that it depends on, and of the variables whose velocities it depends on.
  uint32_t reads_variables() const { return reads_variables_; }
  uint32_t reads_velocities_of() const { return reads_velocities_; }
  /// For a linear formula: the slopes in the inputs of the state, positions in lengths, and the value where all are 0.
  std::vector<double> slopes(const ModelValues& values) const;
  double offset(const ModelValues& values) const;

 private:
  std::string text_;
  std::vector<std::string> names_;  // of the inputs
  std::optional<formula::Program> program_;
  formula::OperationList operations_;
  size_t variables_, velocities_ = 0;
  uint32_t reads_variables_ = 0, reads_velocities_ = 0;
  bool linear_ = false, jumps_ = false;
};

/// A formula of parameters by their full names: "-1/gaussian.T". Throw Error for a text that is no such formula, and
/// for a value that is not finite.
void check_constant(const Model& model, const std::string& text, std::string_view subject);
double constant_value(const Model& model, const ModelValues& values, const std::string& text, std::string_view subject);

}  // namespace bmsim
