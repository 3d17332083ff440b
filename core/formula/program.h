// An expression as a list of operations, each done once, for functions that are evaluated at many places.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "formula/expression.h"

namespace bmsim::formula {

class Program {
 public:
  /// names: the parameters, in the order of their values. The expression has no other names except x, t and pi; a
  /// parameter may be called x.
  Program(const Expression& e, std::span<const std::string> names);
  /// The value of evaluate(), up to rounding.
  double operator()(double x, double t, const double* parameters) const;

 private:
  enum class What { input, weighted_sum, product, power, call };
  /// Of sums and products: number, then weights times or powers of the arguments.
  struct Operation {
    What what;
    size_t input = 0;  ///< 0: x, 1: t, 2 ...: parameters
    double number = 0;
    double (*function)(const double*) = nullptr;
    size_t first = 0, count = 0;  ///< of its arguments
  };
  struct Argument {
    size_t operation;
    double weight;
  };
  class Writer;
  std::vector<Operation> operations_;
  std::vector<Argument> arguments_;
};

}  // namespace bmsim::formula
