// Method adaptive: the largest fraction of dt that a step may last, by the position where it begins.
#pragma once
#include <vector>

#include "model/model.h"

namespace bmsim {

/// Cells of equal length in u = x / period on [-1/2, 1/2); without a period, in u / (half + |u|) on (-1, 1) with u = x.
struct StepMap {
  static constexpr size_t cells = 1024;
  static constexpr double shortest = 0x1p-16;
  double half = 1;
  std::vector<double> fraction;  ///< powers of two, from `shortest` to 1
};

/// The largest step h from every x for which
///   chi = h/2 |f(y) - f(x)| <= local_error
/// for every y within reach, f being the force of the potential. chi is the difference between corrector and predictor,
/// in units of the period, or of x if there is none. The reach is h times the force at x plus other forces, plus three
/// standard deviations of white noise. All this is known before the step and does not depend on its increment.
StepMap step_map(const Model& model, const ModelValues& values, double dt, double local_error);

}  // namespace bmsim
