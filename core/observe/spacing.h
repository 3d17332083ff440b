// The option `step` of correlation and spectrum: the time between what they record of a path.
#pragma once
#include <algorithm>
#include <cmath>

#include "error.h"
#include "observe/options.h"

namespace bmsim {

class Spacing {
 public:
  explicit Spacing(Options& options) : subject_(options.subject()), given_(options.number("step", 0, 1e-300, 1e300)) {}
  /// The step as given, or the default.
  double asked() const { return given_ > 0 ? given_ : default_step; }
  /// The step at a point: a whole number of steps of the run, so that it is the same everywhere on a path. Throws Error
  /// if a given step is shorter than that of the run.
  double at(const PointFacts& facts) const {
    if (given_ > 0 && given_ < facts.dt * (1 - 1e-9))
      fail(
          "observe.{}: step must be at least the step of the run, dt = {:.6g}, got {}; give a longer step, or the run "
          "a shorter dt",
          subject_, facts.dt, given_);
    return facts.dt * std::max(1.0, std::round(asked() / facts.dt));
  }

 private:
  static constexpr double default_step = 0.1;
  std::string subject_;
  double given_;  // 0: not given
};

}  // namespace bmsim
