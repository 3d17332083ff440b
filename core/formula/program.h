// An expression as a list of operations, each done once, for evaluation at many places.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "formula/expression.h"
#include "formula/functions.h"
#include "kernels/abi.h"

namespace bmsim::formula {

/// Operations as devices take them (kernels/cuda/formulas.h).
struct OperationList {
  std::vector<bmsim_abi::FormulaOperation> operations;
  std::vector<bmsim_abi::FormulaArgument> arguments;
  uint32_t slots = 0;  ///< for values that the operations need
};
/// A parameter at many places: a number for each place, times a factor; without numbers, the factor alone.
struct Column {
  const double* numbers;
  double factor;
};

class Program {
 public:
  /// names: the parameters, in the order of their values. The expression has no other names except x, t and pi; a
  /// parameter may be called x.
  Program(const Expression& e, std::span<const std::string> names);
  /// The value of formula::evaluate(), up to rounding.
  double operator()(double x, double t, const double* parameters) const;
  /// The values of an expression without x and t at `count` places.
  void evaluate(std::span<const Column> parameters, size_t count, double* values) const;
  /// Whether the value depends on a parameter.
  bool reads(size_t parameter) const;
  /// The operations for a device, where inputs are the parameters.
  OperationList list() const;

 private:
  enum class What { input, weighted_sum, product, power, call };
  /// A weighted sum is number + sum of weight * argument, a product number * product of argument^weight.
  struct Operation {
    What what;
    size_t input = 0;  ///< 0: x, 1: t, 2 ...: parameters
    double number = 0;
    const Function* function = nullptr;
    size_t first = 0, count = 0;  ///< of its arguments
  };
  struct Argument {
    size_t operation;
    double weight;
  };
  class Writer;
  friend class Enclosure;
  std::span<const Argument> arguments_of(const Operation& operation) const {
    return {arguments_.data() + operation.first, operation.count};
  }
  /// Sets the results of all operations at `count` places. input(index, place): the value of an input.
  template <size_t places, class Input>
  void compute(std::array<double, places>* results, size_t count, const Input& input) const;
  std::vector<Operation> operations_;
  std::vector<Argument> arguments_;
};

}  // namespace bmsim::formula
