// Time scales of a system's motion, for choosing steps.
#pragma once
#include "model/model.h"

namespace bmsim {

/// Of the states that some short paths visit, on the host.
struct SystemScales {
  double relaxing = 0;   ///< 1 / largest size of the forces' Jacobian; INFINITY without forces
  double crossing = 0;   ///< shortest time in which the Jacobian changes by its own size because of the motion
  double diffusing = 0;  ///< the same because of the white noise
  double blurring = 0;   ///< shortest time in which noise changes its own amplitude by its size
  double waiting = 0;    ///< 1 / the highest rate of an event that depends on the state or on time
  double between = 0;    ///< mean time from an event to one at a zero of a formula, by the event with the shortest
  double speed = 0;      ///< largest speed of a variable, in lengths of the kernel
  double spread = 0;     ///< largest standard deviation of a displacement by noise in a unit of time, in those lengths
};
/// x0, v0: middle of the initial law of every variable, and its half width. duration: of the run.
struct SystemStart {
  std::vector<double> x, x_width, v, v_width;
};
SystemScales scales_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration);

}  // namespace bmsim
