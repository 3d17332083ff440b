#include "theory/kramers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "model/formula_plugin.h"
#include "numbers.h"

namespace bmsim::theory {
namespace {

constexpr double farthest = 1e6;  // from the origin, in potentials without a period
constexpr int per_period = 4000;

struct Extremum {
  double x;
  bool minimum;
};

/// Places between which to look for extrema: over three periods, or, without a period, in steps that grow with the
/// distance from the origin.
std::vector<double> places(double L) {
  std::vector<double> grid;
  if (L > 0) {
    // Off any regular grid, so that a place is unlikely to be an extremum itself.
    for (int i = 0; i <= 3 * per_period; ++i) grid.push_back(L * ((i + 0.378) / per_period - 1.5));
    return grid;
  }
  for (double x = 0.378e-3; x < farthest; x += std::max(1e-3, x / 200)) grid.push_back(x);
  const size_t count = grid.size();
  for (size_t i = 0; i < count; ++i) grid.push_back(-grid[i]);
  std::ranges::sort(grid);
  return grid;
}

/// Adds places at which the force has another sign than at both neighbours in the grid. They are sought where the
/// bounds of the force allow them and the energy in between is not far below T.
void add_hidden(const Landscape& landscape, const Function& f, double force, double T, std::vector<double>& grid) {
  constexpr size_t at_once = 64, most_looks = 400'000;
  constexpr double little_energy = 1e-3, narrowest = 1e-7;
  if (!landscape.bounds) return;
  struct Range {
    double from, to;
    size_t first, last;  // indices in the grid; if they are neighbours, from and to lie between them
  };
  std::vector<Range> open;
  for (size_t i = 0; i + 1 < grid.size(); i += at_once) {
    const size_t last = std::min(i + at_once, grid.size() - 1);
    open.push_back({grid[i], grid[last], i, last});
  }
  std::vector<double> hidden;
  for (size_t looks = most_looks; !open.empty(); --looks) {
    const auto [from, to, first, last] = open.back();
    open.pop_back();
    if (looks == 0)
      fail("formulas must be so simple that no structure can be missed in them, got one that is not near x = {:.4g}",
           from);
    const formula::Enclosed bounds = landscape.bounds(from, to);
    if (!bounds.value.is_empty() && !bounds.value.contains(-force)) continue;
    const double size = std::max(std::abs(bounds.value.low + force), std::abs(bounds.value.high + force));
    if (size * (to - from) <= little_energy * T) continue;
    const bool one_way = !bounds.jumps && !bounds.slope.is_empty() && !bounds.slope.contains(0);
    if (one_way) continue;  // at most one zero
    const double scale = landscape.period > 0 ? landscape.period : std::max({1e-3, std::abs(from), std::abs(to)});
    if (to - from <= narrowest * scale) continue;
    if (last - first > 1) {
      const size_t middle = (first + last) / 2;
      open.push_back({from, grid[middle], first, middle});
      open.push_back({grid[middle], to, middle, last});
      continue;
    }
    const double middle = from + (to - from) / 2, f_middle = f(middle);
    if (f_middle * f(grid[first]) < 0 && f_middle * f(grid[last]) < 0) hidden.push_back(middle);
    open.push_back({from, middle, first, last});
    open.push_back({middle, to, first, last});
  }
  grid.insert(grid.end(), hidden.begin(), hidden.end());
  std::ranges::sort(grid);
}

/// Zeros of the force, in order.
std::vector<Extremum> find_extrema(const Function& f, const std::vector<double>& grid) {
  std::vector<Extremum> extrema;
  double left = 0, f_left = 0;
  for (const double right : grid) {
    const double f_right = f(right);
    if (f_left * f_right < 0) {
      double a = left, b = right;
      while (true) {
        const double middle = a + (b - a) / 2;
        if (middle <= a || middle >= b) break;
        ((f(middle) < 0) == (f_left < 0) ? a : b) = middle;
      }
      extrema.push_back({a + (b - a) / 2, f_left > 0});
    }
    if (f_right != 0) {
      left = right;
      f_left = f_right;
    }
  }
  return extrema;
}

/// |V''| by finite differences. Throws Error if steps four times smaller give another value: V is not smooth there.
double curvature(const Function& f, double x, double scale) {
  const auto slope = [&](double h) { return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h); };
  const double h = 2e-3 * scale, near = std::abs(slope(h)), nearer = std::abs(slope(h / 4));
  if (!(std::abs(near - nearer) <= 1e-3 * nearer && nearer > 0))
    fail("the potential must be curved and smooth at its extrema, got V'' of {:.4g} and {:.4g} around x = {:.6g}", near,
         nearer, x);
  return nearer;
}

double escape_rate(const Function& U, const Function& f, const Particle& particle, double bottom, double top) {
  const double scale = std::abs(top - bottom), barrier = U(top) - U(bottom);
  const double at_bottom = curvature(f, bottom, scale), at_top = curvature(f, top, scale);
  const double overdamped = std::sqrt(at_bottom * at_top) / (2 * pi * particle.gamma) * std::exp(-barrier / particle.T);
  if (particle.mass == 0) return overdamped;
  const double c = particle.gamma / (2 * std::sqrt(particle.mass * at_top));
  return overdamped * 2 * c / (std::sqrt(1 + c * c) + c);
}

/// The index of the minimum that the particle leaves.
size_t choose(const std::vector<Extremum>& extrema, const Function& U, double L, std::optional<double> from) {
  constexpr size_t unknown = std::numeric_limits<size_t>::max();
  size_t best = unknown;
  if (from && L > 0) *from -= L * std::floor(*from / L + 0.5);
  for (size_t i = 0; i < extrema.size(); ++i) {
    const auto& [x, minimum] = extrema[i];
    if (!minimum) continue;
    if (from) {
      const bool left_of = i > 0 && *from < extrema[i - 1].x;
      const bool right_of = i + 1 < extrema.size() && *from > extrema[i + 1].x;
      if (!left_of && !right_of) best = i;
    } else if ((L <= 0 || std::abs(x) <= L / 2) && (best == unknown || U(x) < U(extrema[best].x))) {
      best = i;
    }
  }
  if (best == unknown) fail("the potential must have a minimum, got none with the force");
  return best;
}

}  // namespace

Escape kramers(const Landscape& landscape, double force, const Particle& particle, std::optional<double> from) {
  const Function U = [&](double x) { return landscape.energy(x) - force * x; };
  const Function f = [&](double x) { return landscape.force(x) + force; };
  std::vector<double> grid = places(landscape.period);
  add_hidden(landscape, f, force, particle.T, grid);
  const std::vector<Extremum> extrema = find_extrema(f, grid);
  const size_t chosen = choose(extrema, U, landscape.period, from);
  const double bottom = extrema[chosen].x;
  Escape escape{0, 0};
  if (chosen > 0) escape.left = escape_rate(U, f, particle, bottom, extrema[chosen - 1].x);
  if (chosen + 1 < extrema.size()) escape.right = escape_rate(U, f, particle, bottom, extrema[chosen + 1].x);
  if (extrema.size() < 2) fail("the potential must have a maximum beside its minimum, got none");
  return escape;
}

}  // namespace bmsim::theory
