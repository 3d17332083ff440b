// Explicit dependence on time: how fast formulas and drives change in a run, and when, for choosing steps.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"

namespace bmsim {

/// The initial law of every variable: the middle of x and v, and the half widths.
struct SystemStart {
  std::vector<double> x, x_width, v, v_width;
};

/// How fast a formula changes with t.
struct Change {
  double time;     ///< range of values over the largest slope outside jumps; INFINITY if it does nothing but jump
  double between;  ///< shortest time between jumps, or from a jump to the start or the end; INFINITY without jumps
  double seen;     ///< length of time that was sampled: the run, or the period of the formula
  /// The largest t/time: the part of its range by which it changes for a relative change 1 of t, or of a phase in
  /// turns.
  double steepness = 0;
};

struct Changes {
  std::vector<Change> of;        ///< one for each formula that depends on t
  std::vector<double> times{0};  ///< ascending: where formulas differ, and some others; 0 alone if none depends on t
  std::string unsure;            ///< a formula of which something may have been missed; "" if none
  double unsure_at = 0;          ///< the time near which it may have been missed
};

/// Samples potentials, equations, drives, amplitudes and events of formulas at a few states, and looks more closely
/// where they change. A pulse is seen if it lasts longer than 10^-6 of the run, or of the period of its formula.
Changes changes_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration);

/// Shortest time between jumps of drives from plugin files, on variables without inertia; INFINITY without such jumps.
/// A pulse whose width the plugin does not declare is seen if it lasts longer than 1/16384 of its period.
double between_edges(const Model& model, const ModelValues& values);

/// Narrowest pulses of drives from plugin files: width in time, and in turns (periods of the drive); INFINITY without
/// pulses.
struct Pulses {
  double width, turns;
};
Pulses narrowest_pulses(const Model& model, const ModelValues& values);

}  // namespace bmsim
