// Systems that tests share.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "ensemble.h"

namespace bmsim::test {

/// A component of a system, on one of its variables: kind, plugin id, its parameters, its name if it is not the id.
struct PartOf {
  std::string variable;
  uint32_t kind;
  std::string id;
  std::map<std::string, double> given{};
  std::string name = "";
};

struct SystemParts {
  std::vector<ModelVariable> variables;
  std::map<std::string, std::string> equations{};
  std::map<std::string, double> parameters{};
  std::map<std::string, std::string> definitions{};
  std::vector<PartOf> parts{};
};

/// A system without potentials of several variables and amplitudes, which need extend().
Model make_system(const SystemParts& parts);
/// The same, with whatever `extend` adds before the equations.
template <class F> Model make_system(const SystemParts& parts, F extend);

/// Cumulants of variables at this time: arrays "x_cumulant_2".
RunOutcome moments_at(const Model& model, RunOptions run, double time, const std::vector<const char*>& of);
/// The last value of an array with errors.
Estimate last_of(const RunOutcome& outcome, const std::string& name);

/// Active particle in a ratchet (x, y, theta): inertia nowhere, three noises.
Model active_particle(double V0, double v0, double D, double turning);
/// Excitable: x fast, y slow, with noise.
Model fitzhugh_nagumo();
/// Two heads in ratchets of period 1, joined by a spring.
Model dimer(double k, double force);
/// Two Josephson junctions with inertia.
Model two_junctions();
/// Two variables with every potential plugin of several, and friction that depends on the place.
Model joint_potentials();
/// Phases on a ring, each coupled to both neighbours.
Model ring(size_t n);
/// x with inertia, y without; kicks, coloured noise, a drive, a time-dependent equation.
Model mixed();
/// The same without a jump: every force has a slope, and kicks end steps early.
Model kicked_pair();
/// Overdamped in a sine with noise of amplitude sqrt(1 + a cos(2 pi x + phi)).
Model landauer(const char* interpretation, double a = 0.6, double phi = 0.8);
/// One noise on two variables, one of them with an amplitude that depends on the other, and additive noise.
Model correlated(const char* interpretation);

/// Kicks, flips and coloured noise with amplitudes that depend on the state and on time, on variables that are apart:
/// k: its rate is -decay, and constant jumps multiply it by 1 + growth; c: kicks times cos(omega t), nothing else; d
/// and o: rates -decay + noise. s takes half of the jumps of k.
struct MultipliedNoise {
  double decay = 1, growth = 0.4, jumps = 2, omega = 3, zeta = 0.3, kicks = 4, F = 1.5, flips = 0.2, D = 0.2, tau = 0.4;
  Model model() const;
};
/// x, an angle theta, and y with inertia, which events change at rates of state and time, with random numbers; with
/// `timed` also at a constant rate, after fixed intervals, and kicks.
Model changed_by_events(bool timed);
/// x with inertia, which turns at a plate that swings, where `swings`, and y, which noise takes to a threshold that
/// depends on x; coloured noise, flips with an amplitude, kicks, events at a rate.
Model zeros(bool swings);
/// Two variables between walls, x also with inertia where `inertial`, and y kicked.
Model between_walls(bool inertial);
/// x between a sticky wall and one that reflects, y below a sticky wall, which acts on x and is moved by a coloured
/// noise, too; z, without walls, follows both.
Model between_sticky_walls();
/// Phases that a mean field attracts: theta' = K r sin(psi - theta) + noise, r exp(i psi) = <exp(i theta)>.
Model kuramoto(double K, double D);
/// x with inertia, where `inertial`, and y; three mean fields in forces, an amplitude, a rate and what an event sets.
Model crowd(bool inertial);
/// x, with inertia where `inertial`, fires, and so does y, which has no noise; three mean fields in forces, an
/// amplitude, a rate, and the formulas at whose zeros events come.
Model network(bool inertial);
/// With inertia: kicks times cos(omega t); pushes that act on y, and on x by the place of y; flips by the place of x.
Model kicked_by_place(double omega);

// ----

void begin_system(Model& model, const SystemParts& parts);
void end_system(Model& model, const SystemParts& parts);

template <class F> Model make_system(const SystemParts& parts, F extend) {
  Model model;
  begin_system(model, parts);
  extend(model);
  end_system(model, parts);
  return model;
}

}  // namespace bmsim::test
