// Checks of the host functions of potentials and drives.
#pragma once
#include <functional>
#include <span>

#include "check/check.h"
#include "check/settings.h"

namespace bmsim::checks {

/// Checks the force against differences of V, the period, BM_SMOOTH and the segments. Knows potentials of several
/// variables, too.
void check_potential(const Plugin& plugin, std::span<const Setting> settings,
                     const std::function<void(const Finding&)>& tell);
/// Checks that the force is periodic.
Finding check_drive(const Plugin& plugin, std::span<const Setting> settings);

/// A function of one number at one setting: the energy or the force at u, or a force at a phase.
using Curve = std::function<double(double)>;
/// The jump of a curve between a and b, found by bisection: its place and the values on both sides.
struct Jump {
  double at, left, right;
};
Jump steepest(const Curve& curve, double a, double b);

}  // namespace bmsim::checks
