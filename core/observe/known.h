// The list of all observables. A new one needs a file in kinds/, which defines its ObservableKind, and its name here.
#pragma once
#include "observe/observable.h"

namespace bmsim {

using MakeObservable = std::unique_ptr<Observable>(const ObservableRequest& request);
using MakeInSystem = std::unique_ptr<Observable>(const ObservableRequest& request,
                                                 std::span<const ObservedVariable> variables);

/// All that is known of an observable before it is made.
struct ObservableKind {
  const char* name;
  /// One line. The window is what follows the transient; <...> is the mean over the paths.
  const char* summary;
  const char* options = "";  ///< their names, divided by blanks, without those that systems add
  MakeObservable* make;
  /// What it is of in systems.
  enum Of {
    variable,      ///< each variable, or those that are named
    velocity,      ///< each variable with inertia, or those that are named
    either,        ///< positions or velocities, as its own option "of" says
    named,         ///< one variable, which must be named if there are several
    one_variable,  ///< nothing: it needs forces or counters that know one variable only
    state,         ///< the whole state
  } of = variable;
  bool of_formulas = false;           ///< may be of formulas, since it is of recorded numbers or levels
  bool of_plain_velocities = false;   ///< takes a velocity as a formula like others
  bool of_ending_paths = false;       ///< knows that paths may end at walls
  bool of_events = false;             ///< has the word "events", the names of the model's events
  bool of_exits = false;              ///< is of the variable with walls that absorb
  bool at_phases = false;             ///< looks at paths once in every period of a drive
  bool compared = true;               ///< the check of the step compares it in a part of the paths
  uint64_t most_compared = 0;         ///< paths that this check takes unless the script says; 0: all that it has
  MakeInSystem* in_system = nullptr;  ///< makes it in a system, if it is of the state and asks for the variables
  /// Makes an observable of two variables together, if "of" names two.
  MakeInSystem* of_two = nullptr;
  /// Throws Error if a request cannot be of this formula.
  void (*check_formula)(const ObservableRequest& request, const std::string& formula) = nullptr;
};

/// The `make` of an observable T of one variable, or of the state.
template <class T> std::unique_ptr<Observable> made(const ObservableRequest& request) {
  return std::make_unique<T>(request);
}

/// f(name) for each observable, in the order of lists; observable_NAME is in a file of kinds/.
#define BM_OBSERVABLES(f)                                                                                              \
  f(velocity) f(diffusion) f(velocity_squared) f(kinetic_energy) f(peclet) f(mobility) f(efficiency) f(moments)        \
      f(non_gaussianity) f(velocity_non_gaussianity) f(density) f(velocity_density) f(joint_density)                   \
          f(displacement_density) f(fractional_moment) f(time_averaged_msd) f(current) f(correlation) f(spectrum)      \
              f(stroboscope) f(paths) f(first_passage) f(residence) f(lyapunov) f(basins) f(turning_points) f(average) \
                  f(joint_diffusion) f(integral) f(work) f(heat) f(entropy_production) f(response) f(events) f(exits)
#define BM_DECLARE(name) extern const ObservableKind observable_##name;
BM_OBSERVABLES(BM_DECLARE)
#undef BM_DECLARE

std::span<const ObservableKind* const> observable_kinds();
/// Throws Error if no observable has this name.
const ObservableKind& observable_kind(std::string_view name);

}  // namespace bmsim
