// The observables of kinds/, one file for each family, as observable.cc lists them.
#pragma once
#include "observe/observable.h"

namespace bmsim {

using MakeObservable = std::unique_ptr<Observable>(const ObservableRequest& request);

MakeObservable make_basins, make_correlation, make_current, make_density, make_displacement_density, make_efficiency,
    make_first_passage, make_fractional_moment, make_joint_density, make_lyapunov, make_mobility, make_moments,
    make_non_gaussianity, make_paths, make_residence, make_spectrum, make_stroboscope, make_velocity_density;

/// Numbers of the window: velocity, diffusion, ...
struct KnownObservable {
  const char* name;
  MakeObservable* make;
};
std::span<const KnownObservable> window_observables();

}  // namespace bmsim
