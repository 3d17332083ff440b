// Panels of an interval on which a function is a polynomial to a given accuracy, and Gauss's rule on them.
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace bmsim::theory {

using Function = std::function<double(double)>;

constexpr size_t gauss_points = 12;

/// Gauss-Legendre rule on [0, 1]; partial[i][j]: weight of node j in the integral from 0 to node i.
struct GaussRule {
  std::array<double, gauss_points> node{}, weight{};
  std::array<std::array<double, gauss_points>, gauss_points> partial{};
};
const GaussRule& gauss_rule();

struct Panel {
  double left, width;
  double node(size_t i) const { return left + width * gauss_rule().node[i]; }
};

/// How much structure of f between two places a straight line may miss, by bounds and not by samples. Up to
/// least_hidden it does not matter.
using Hidden = std::function<double(double from, double to)>;
constexpr double least_hidden = 1e-4;

struct MeshLimits {
  double tolerance;  ///< of f against its interpolation on a panel
  double step;       ///< largest change of f on a panel
  Hidden hidden{};   ///< empty if no bounds are known
  size_t panels = 200000;
};

/// Panels of [from, from + length], in order. They are cut at the breaks and halved until f is resolved, or until a
/// panel is so narrow (1e-12 length) that a kink or a jump in it costs nothing. No panels if more than limits.panels
/// are needed. Where a panel may hide structure, f is sampled more and more closely, down to 1e-7 length. Throws Error
/// if that takes too many samples.
std::vector<Panel> mesh(const Function& f, double from, double length, std::span<const double> breaks,
                        const MeshLimits& limits);

/// The largest |f| at a few hundred places of [from, from + length].
double magnitude(const Function& f, double from, double length);

}  // namespace bmsim::theory
