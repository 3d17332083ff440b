// A theory's values for a model, and how they are compared.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ensemble.h"
#include "error.h"
#include "theory/theory.h"

namespace bmsim::test {

using doctest::Approx;

inline auto relative(double value, double tolerance) { return Approx(value).epsilon(tolerance).scale(0); }
inline auto absolute(double value, double tolerance) {
  return Approx(value).epsilon(tolerance / (1 + std::abs(value)));
}

inline std::vector<double> theory_of(const char* name, const Model& model, const TheoryOptions& options = {}) {
  return evaluate_theory(find_theory(name), model, evaluate(model), options);
}
/// The message of the refusal.
inline std::string refusal_of(const char* name, const Model& model) {
  try {
    theory_of(name, model);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace bmsim::test
