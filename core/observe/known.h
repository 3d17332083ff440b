// The observables of kinds/, one file for each family. A new one is a file there and a line here.
#pragma once
#include "observe/observable.h"

namespace bmsim {

using MakeObservable = std::unique_ptr<Observable>(const ObservableRequest& request);

/// f(name) for each observable except those of the window; make_NAME is in a file of kinds/.
#define BM_OBSERVABLES(f)                                                                                            \
  f(mobility) f(efficiency) f(moments) f(non_gaussianity) f(velocity_non_gaussianity) f(density) f(velocity_density) \
      f(joint_density) f(displacement_density) f(fractional_moment) f(current) f(correlation) f(spectrum)            \
          f(stroboscope) f(paths) f(first_passage) f(residence) f(lyapunov) f(basins) f(turning_points) f(average)   \
              f(joint_diffusion) f(integral) f(work) f(heat) f(entropy_production) f(response) f(events) f(exits)
#define BM_DECLARE(name) MakeObservable make_##name;
BM_OBSERVABLES(BM_DECLARE)
#undef BM_DECLARE

/// Observables that are numbers of the window: velocity, diffusion, ...
struct KnownObservable {
  const char* name;
  MakeObservable* make;
};
std::span<const KnownObservable> window_observables();

}  // namespace bmsim
