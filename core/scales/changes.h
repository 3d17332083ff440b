// What depends on time explicitly: how fast it changes in a run, and when, for choosing steps.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"

namespace bmsim {

/// x, v: middle of the initial law of every variable, and its half width.
struct SystemStart {
  std::vector<double> x, x_width, v, v_width;
};

/// How fast a formula changes with t.
struct Change {
  double time;     ///< its range of values over its largest slope, but at jumps; INFINITY if it jumps alone
  double between;  ///< shortest time between jumps, or between one and the start or the end; INFINITY without jumps
  double seen;     ///< how long it was looked at: the run, or its period
  /// Part of its range by which it changes where t, or a phase in turns, changes by a part 1 of itself, at most.
  double steepness = 0;
};

struct Changes {
  std::vector<Change> of;        ///< one for each formula that depends on t
  std::vector<double> times{0};  ///< ascending: at which formulas differ, and some others; 0 alone if none depends on t
  std::string unsure;            ///< a formula of which it is not sure that nothing was missed; "" if none
  double unsure_at = 0;          ///< and near which time
};

/// Samples potentials, equations, drives, amplitudes and events of formulas at a few states, and looks more closely
/// where they change. A pulse is seen if it is longer than 10^-6 of the run, or of the period of its formula.
Changes changes_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration);

/// Shortest time between jumps of drives that are no formulas, on variables without inertia; INFINITY without such
/// jumps. A pulse whose width the plugin does not declare is seen if it is longer than 1/16384 of its period.
double between_edges(const Model& model, const ModelValues& values);

/// The width of the narrowest pulses of drives that are no formulas, and the same in periods of the drive; INFINITY
/// without such pulses.
struct Pulses {
  double width, turns;
};
Pulses narrowest_pulses(const Model& model, const ModelValues& values);

}  // namespace bmsim
