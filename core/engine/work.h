// What a run will cost, before it starts: its work in steps of a simple model, and the time that it will take.
#pragma once
#include <string>

#include "plan/plan.h"

namespace bmsim {

/// What a run is expected to take.
struct Expected {
  double seconds = 0;
  double steps = 0;             ///< of all paths; ticks of method exact
  double steps_per_second = 0;  ///< of all paths
  double typical_seconds = 0;   ///< at the speed typical of the device, for comparison with other plans
  bool measured = false;        ///< the speed, by an earlier run of the kernel on this machine; else it is typical
  size_t slowest = 0;           ///< the point whose paths take longest
  double part = 1;              ///< of all the time, that the slowest point takes
  std::string device;           ///< "cpu", "cuda"
};
Expected expected(const Plan& plan);

}  // namespace bmsim
