#include "model/state_formula.h"

#include <cmath>
#include <numeric>

#include "error.h"
#include "formula/system.h"

namespace bmsim {

StateFormula::StateFormula(const Model& model, const std::string& text, std::string_view subject)
    : text_(text), variables_(model.variables().size()) {
  const formula::SystemNames known = model.formula_names();
  formula::SystemParser parser(known, subject);
  const formula::Expression e = parser.parse(text, subject);
  if (formula::depends(e, "t")) fail("{}: {} must not depend on t", subject, text);
  for (const std::string& field : known.fields)
    if (formula::depends(e, field))
      fail("{}: {} must not depend on the field {}, which is not recorded; observe.average knows it", subject, text,
           field);
  for (size_t i = 0; i < variables_; ++i) {
    names_.push_back(known.variables[i].name);
    if (formula::depends(e, names_.back())) reads_variables_ |= uint32_t{1} << i;
  }
  for (size_t i = 0; i < variables_; ++i) {
    if (known.variables[i].velocity.empty()) continue;
    names_.push_back(known.variables[i].velocity);
    if (formula::depends(e, names_.back())) reads_velocities_ |= uint32_t{1} << i;
    ++velocities_;
  }
  linear_ = formula::degree(e, names_) <= 1;
  jumps_ = formula::jumps(e, names_);
  names_.insert(names_.end(), known.shared.begin(), known.shared.end());
  program_.emplace(e, names_);
  operations_ = program_->list();
  if (operations_.slots > bmsim_abi::FORMULA_SLOTS)
    fail("{}: a formula must need at most {} numbers at a time, got {} in {}", subject, bmsim_abi::FORMULA_SLOTS,
         operations_.slots, text);
}

std::vector<double> StateFormula::inputs(const ModelValues& values) const {
  std::vector<double> numbers;
  for (const VariableValues& variable : values.variables) numbers.push_back(variable.length());
  numbers.resize(state_size(), 1);
  const double* parameters = values.values[0].data();  // of the equations, which come first
  numbers.insert(numbers.end(), parameters, parameters + (names_.size() - state_size()));
  return numbers;
}

void StateFormula::evaluate(std::span<const double> inputs, std::span<const double* const> state, size_t count,
                            double* values) const {
  std::vector<formula::Column> columns;
  for (size_t i = 0; i < inputs.size(); ++i) columns.push_back({i < state.size() ? state[i] : nullptr, inputs[i]});
  program_->evaluate(columns, count, values);
}

double StateFormula::at(std::span<const double> inputs, std::span<const double> state) const {
  std::vector<const double*> columns;
  for (const double& number : state) columns.push_back(&number);
  double value = 0;
  evaluate(inputs, columns, 1, &value);
  return value;
}

formula::Enclosure StateFormula::bounds(const ModelValues& values) const {
  std::vector<double> numbers = inputs(values);
  numbers.insert(numbers.begin(), {0.0, 0.0});  // x and t
  std::vector<size_t> varying(state_size());
  std::iota(varying.begin(), varying.end(), size_t{2});
  return {*program_, std::move(numbers), std::move(varying)};
}

double StateFormula::offset(const ModelValues& values) const {
  return at(inputs(values), std::vector<double>(state_size()));
}

std::vector<double> StateFormula::slopes(const ModelValues& values) const {
  const std::vector<double> numbers = inputs(values);
  std::vector<double> state(state_size()), slopes;
  const double at_zero = at(numbers, state);
  for (double& number : state) {
    number = 1;
    slopes.push_back(at(numbers, state) - at_zero);
    number = 0;
  }
  return slopes;
}

namespace {

formula::Expression constant_of(const Model& model, const std::string& text, std::string_view subject) {
  formula::SystemNames names;
  names.full = model.number_names();
  return formula::SystemParser(names, subject).parse_constant(text, subject);
}

}  // namespace

void check_constant(const Model& model, const std::string& text, std::string_view subject) {
  constant_of(model, text, subject);
}

double constant_value(const Model& model, const ModelValues& values, const std::string& text,
                      std::string_view subject) {
  const double value = formula::evaluate(constant_of(model, text, subject),
                                         [&](std::string_view name) { return value_of(model, values, name); });
  if (!std::isfinite(value)) fail("{}: {} must be finite, got {}", subject, text, value);
  return value;
}

}  // namespace bmsim
