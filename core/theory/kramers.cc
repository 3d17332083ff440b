#include "theory/kramers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "model/formula_plugin.h"
#include "numbers.h"

namespace bmsim::theory {
namespace {

constexpr double farthest = 1e6;  // from the origin, where there is no period
constexpr int per_period = 4000;

struct Extremum {
  double x;
  bool minimum;
};

/// Places at which to look for extrema: over three periods, or, without a period, in steps that grow with the distance.
std::vector<double> places(double L) {
  std::vector<double> made;
  if (L > 0) {
    // Off any regular grid, so that no extremum is likely to be hit.
    for (int i = 0; i <= 3 * per_period; ++i) made.push_back(L * ((i + 0.378) / per_period - 1.5));
    return made;
  }
  for (double x = 0.378e-3; x < farthest; x += std::max(1e-3, x / 200)) made.push_back(x);
  const size_t count = made.size();
  for (size_t i = 0; i < count; ++i) made.push_back(-made[i]);
  std::sort(made.begin(), made.end());
  return made;
}

/// Adds places between two of them at which the force has another sign than at both, where bounds of it allow that and
/// the energy between is not far below T.
void add_hidden(const Landscape& landscape, const Function& f, double force, double T, std::vector<double>& at) {
  constexpr size_t at_once = 64, most_looks = 400'000;
  constexpr double little_energy = 1e-3, narrowest = 1e-7;
  if (!landscape.bounds) return;
  struct Range {
    double from, to;
    size_t first, last;  // places; if they are neighbours, from and to lie between them
  };
  std::vector<Range> open;
  for (size_t i = 0; i + 1 < at.size(); i += at_once) {
    const size_t last = std::min(i + at_once, at.size() - 1);
    open.push_back({at[i], at[last], i, last});
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
    if (one_way) continue;  // one zero, or none
    const double scale = landscape.period > 0 ? landscape.period : std::max({1e-3, std::abs(from), std::abs(to)});
    if (to - from <= narrowest * scale) continue;
    if (last - first > 1) {
      const size_t middle = (first + last) / 2;
      open.push_back({from, at[middle], first, middle});
      open.push_back({at[middle], to, middle, last});
      continue;
    }
    const double middle = from + (to - from) / 2, there = f(middle);
    if (there * f(at[first]) < 0 && there * f(at[last]) < 0) hidden.push_back(middle);
    open.push_back({from, middle, first, last});
    open.push_back({middle, to, first, last});
  }
  at.insert(at.end(), hidden.begin(), hidden.end());
  std::ranges::sort(at);
}

/// Zeros of the force, in order.
std::vector<Extremum> extrema(const Function& f, const std::vector<double>& places) {
  std::vector<Extremum> found;
  double left = 0, f_left = 0;
  for (const double right : places) {
    const double f_right = f(right);
    if (f_left * f_right < 0) {
      double a = left, b = right;
      while (true) {
        const double middle = a + (b - a) / 2;
        if (middle <= a || middle >= b) break;
        ((f(middle) < 0) == (f_left < 0) ? a : b) = middle;
      }
      found.push_back({a + (b - a) / 2, f_left > 0});
    }
    if (f_right != 0) {
      left = right;
      f_left = f_right;
    }
  }
  return found;
}

/// |V''| by differences. With four times smaller ones it must be the same, otherwise the potential is not smooth there.
double curvature(const Function& f, double x, double scale) {
  const auto slope = [&](double h) { return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h); };
  const double h = 2e-3 * scale, near = std::abs(slope(h)), nearer = std::abs(slope(h / 4));
  if (!(std::abs(near - nearer) <= 1e-3 * nearer && nearer > 0))
    fail("the potential must be curved and smooth at its extrema, got V'' of {:.4g} and {:.4g} around x = {:.6g}", near,
         nearer, x);
  return nearer;
}

struct Well {
  const Function& U;
  const Function& f;
  const Particle& particle;

  double rate(double bottom, double top) const {
    const double scale = std::abs(top - bottom), barrier = U(top) - U(bottom);
    const double at_bottom = curvature(f, bottom, scale), at_top = curvature(f, top, scale);
    const double overdamped =
        std::sqrt(at_bottom * at_top) / (2 * pi * particle.gamma) * std::exp(-barrier / particle.T);
    if (particle.mass == 0) return overdamped;
    const double c = particle.gamma / (2 * std::sqrt(particle.mass * at_top));
    return overdamped * 2 * c / (std::sqrt(1 + c * c) + c);
  }
};

/// The index of the minimum to leave.
size_t choose(const std::vector<Extremum>& all, const Function& U, double L, std::optional<double> from) {
  constexpr size_t unknown = std::numeric_limits<size_t>::max();
  size_t best = unknown;
  if (from && L > 0) *from -= L * std::floor(*from / L + 0.5);
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].minimum) continue;
    if (from) {
      const bool left_of = i > 0 && *from < all[i - 1].x, right_of = i + 1 < all.size() && *from > all[i + 1].x;
      if (!left_of && !right_of) best = i;
    } else if ((L <= 0 || std::abs(all[i].x) <= L / 2) && (best == unknown || U(all[i].x) < U(all[best].x))) {
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
  std::vector<double> at = places(landscape.period);
  add_hidden(landscape, f, force, particle.T, at);
  const std::vector<Extremum> all = extrema(f, at);
  const size_t chosen = choose(all, U, landscape.period, from);
  const Well well{U, f, particle};
  const double bottom = all[chosen].x;
  Escape escape{0, 0, bottom};
  if (chosen > 0) escape.left = well.rate(bottom, all[chosen - 1].x);
  if (chosen + 1 < all.size()) escape.right = well.rate(bottom, all[chosen + 1].x);
  if (all.size() < 2) fail("the potential must have a maximum beside its minimum, got none");
  return escape;
}

}  // namespace bmsim::theory
