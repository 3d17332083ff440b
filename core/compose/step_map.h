// Method adaptive: the fraction of dt that a step may last, by the place where it begins.
#pragma once
#include <vector>

#include "model/model.h"

namespace bmsim {

/// Cells of equal length, of u = x / period on [-1/2, 1/2); without a period, of u / (half + |u|) on (-1, 1), u = x.
struct StepMap {
  static constexpr size_t cells = 1024;
  static constexpr double shortest = 0x1p-16;
  double half = 1;
  std::vector<double> fraction;  ///< powers of two, from `shortest` to 1
};

/// The largest step h from every place for which
///   chi = h/2 |f(y) - f(x)| <= local_error
/// with every y that it can reach, f being the potential's force. This is the difference between corrector and
/// predictor, in units of the period (of x where there is none). Within reach are h times the force at x and what else
/// pushes, and three standard deviations of white noise. Everything is known before the step: nothing depends on its
/// increment.
StepMap step_map(const Model& model, const ModelValues& values, double dt, double local_error);

}  // namespace bmsim
