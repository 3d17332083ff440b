#include "check/checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace bmsim::checks {
namespace {

constexpr int cells = 512;
constexpr double step = 2e-5;  // of finite differences, in units of u

/// A potential at one setting, on a stretch of u.
class Curves {
 public:
  Curves(const Plugin& plugin, const Setting& setting)
      : plugin_(plugin), values_(setting.resolved.values), arrays_(setting.resolved.spans()) {
    const double period = bmsim::period(plugin, values_, plugin.full_name());
    periodic = period > 0;
    length = periodic ? period : 1;
    low = periodic ? -0.5 : -2;
    width = periodic ? 1 : 4;
    for (int i = 0; i < cells; ++i) {
      const double f = force(at(i)), v = energy(at(i));
      if (!std::isfinite(f)) fail("force is {} at x = {}", f, at(i) * length);
      if (!std::isfinite(v)) fail("energy is {} at x = {}", v, at(i) * length);
      most_force = std::max(most_force, std::abs(f));
      most_energy = std::max(most_energy, std::abs(v));
    }
    tolerance = 1e-5 * most_force + 1e-9 * most_energy / length;
  }
  double at(int i) const { return low + width * (i + 0.381966) / cells; }  // avoids places where kinks are likely
  double force(double u) const { return plugin_.force(u, values_.data(), arrays_.data()); }
  double energy(double u) const { return plugin_.energy(u, values_.data(), arrays_.data()); }
  /// -V' by differences of fourth order.
  double slope(double u) const {
    const double near = energy(u + step) - energy(u - step), far = energy(u + 2 * step) - energy(u - 2 * step);
    return -(8 * near - far) / (12 * step * length);
  }
  bool wrong(double u) const { return !(std::abs(slope(u) - force(u)) <= tolerance); }

  bool periodic = false;
  double length = 1, low = 0, width = 1, most_force = 0, most_energy = 0, tolerance = 0;

 private:
  const Plugin& plugin_;
  const std::vector<double>& values_;
  std::vector<bm_numbers> arrays_;
};

/// The largest difference between the force and -V', in words; "" for none.
std::string wrong_force(const Curves& c, bool smooth) {
  double worst = -1, at = 0;
  for (int i = 0; i < cells; ++i) {
    const double u = c.at(i), off = std::abs(c.slope(u) - c.force(u));
    if (!c.wrong(u) || off <= worst) continue;
    if (!smooth && !c.wrong(u - 10 * step) && !c.wrong(u + 10 * step)) continue;  // a kink
    worst = off, at = u;
  }
  if (worst < 0) return "";
  return fmt::format("it must be -V', which is {:.6g} at x = {:.6g} by differences of energy, got {:.6g}", c.slope(at),
                     at * c.length, c.force(at));
}

/// A jump of V between the places where differences are taken, in words: the work over a cell is not the change of V.
std::string broken_energy(const Curves& c) {
  constexpr double nodes[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
  constexpr double weights[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
  for (int i = 0; i + 1 < cells; ++i) {
    const double a = c.at(i), half = (c.at(i + 1) - a) / 2;
    double work = 0, least = c.force(a), most = least;
    for (int k = 0; k < 4; ++k) {
      const double f = c.force(a + half * (1 + nodes[k]));
      work += weights[k] * f * half * c.length;
      least = std::min(least, f);
      most = std::max(most, f);
    }
    const double change = c.energy(a + 2 * half) - c.energy(a);
    const double room = 2 * half * c.length * (most - least + c.tolerance) + 1e-9 * c.most_energy;
    if (!(std::abs(change + work) <= room))
      return fmt::format(
          "V must be continuous, but changes by {:.6g} between x = {:.6g} and {:.6g}, where its slope "
          "makes {:.6g}",
          change, a * c.length, (a + 2 * half) * c.length, -work);
  }
  return "";
}

std::string wrong_period(const Curves& c) {
  if (!c.periodic) return "";
  for (int i = 0; i < cells; i += 7)
    for (const int turns : {1, -1, 2}) {
      const double u = c.at(i), f = c.force(u), v = c.energy(u);
      const double f_on = c.force(u + turns), v_on = c.energy(u + turns);
      const auto say = [&](const char* name, double here, double there) {
        return fmt::format("{}(x + {} L) must be {}(x) = {:.6g} at x = {:.6g}, L = {:.6g}, got {:.6g}", name, turns,
                           name, here, u * c.length, c.length, there);
      };
      if (!(std::abs(f_on - f) <= c.tolerance)) return say("force", f, f_on);
      if (!(std::abs(v_on - v) <= 1e-9 * c.most_energy + c.tolerance * c.length)) return say("V", v, v_on);
    }
  return "";
}

/// The jump of a force between a and b, found by bisection: its place and the values on both sides.
struct Jump {
  double at, left, right;
};
Jump steepest(const Curves& c, double a, double b) {
  double left = c.force(a), right = c.force(b);
  while (b - a > 1e-10) {
    const double middle = (a + b) / 2, value = c.force(middle);
    if (std::abs(value - left) > std::abs(right - value))
      b = middle, right = value;
    else
      a = middle, left = value;
  }
  return {a, left, right};
}

std::string jump_of(const Curves& c) {
  for (int i = 0; i < cells; ++i) {
    const Jump jump = steepest(c, c.at(i), c.at(i) + c.width / cells);
    if (std::abs(jump.right - jump.left) <= 1e-4 * c.most_force) continue;
    return fmt::format("V' jumps from {:.6g} to {:.6g} at x = {:.6g}", -jump.left, -jump.right, jump.at * c.length);
  }
  return "";
}

std::string wrong_segments(const Plugin& plugin, const Setting& setting, const Curves& c) {
  const auto arrays = setting.resolved.spans();
  const std::vector<bm_segment> segments = plugin.segments(setting.resolved.values.data(), arrays.data());
  if (segments.empty()) return "";  // not piecewise linear with these choices
  for (size_t i = 0; i < segments.size(); ++i) {
    const auto& [left, right, slope] = segments[i];
    if (!(right > left)) return fmt::format("segment {} must have left < right, got [{}, {})", i, left, right);
    if (i > 0 && !(std::abs(left - segments[i - 1].right) <= 1e-12))
      return fmt::format("segment {} must begin where the one before ends, at {}, got {}", i, segments[i - 1].right,
                         left);
    for (const double part : {0.1, 0.5, 0.9}) {
      const double u = left + part * (right - left), f = c.force(u);
      if (!(std::abs(f + slope) <= c.tolerance))
        return fmt::format("segment {} must have the slope -force = {:.6g} at x = {:.6g}, got {:.6g}", i, -f,
                           u * c.length, slope);
    }
  }
  const double span = segments.back().right - segments.front().left;
  if (c.periodic && !(std::abs(span - 1) <= 1e-12)) return fmt::format("they must tile one period, got {} of it", span);
  return "";
}

// ---- potentials of several variables ----

constexpr int places = 400;
constexpr double near = 1e-5;  // of finite differences, in units of the width

/// A potential of several variables at one setting, at random places.
class Landscape {
 public:
  Landscape(const Plugin& plugin, const Setting& setting)
      : plugin_(plugin), values_(setting.resolved.values), arrays_(setting.resolved.spans()) {
    period = plugin.periodic_possible() ? bmsim::period(plugin, values_, plugin.full_name()) : 0;
    width = period > 0 ? period : 4;
    Draw draw;
    for (int i = 0; i < places; ++i) {
      at.emplace_back(plugin->variable_count);
      for (double& x : at.back()) x = draw(-width / 2, width / 2);
      const double v = energy(at.back());
      if (!std::isfinite(v)) fail("energy is {} at ({})", v, words(at.back()));
      most_energy = std::max(most_energy, std::abs(v));
      for (const double f : force(at.back())) {
        if (!std::isfinite(f)) fail("force is {} at ({})", f, words(at.back()));
        most_force = std::max(most_force, std::abs(f));
      }
    }
    tolerance = 1e-5 * most_force + 1e-9 * most_energy / width;
  }
  double energy(const std::vector<double>& x) const {
    return plugin_->energy_of(x.data(), values_.data(), arrays_.data());
  }
  std::vector<double> force(const std::vector<double>& x) const {
    std::vector<double> f(x.size(), std::numeric_limits<double>::quiet_NaN());
    plugin_->force_of(x.data(), values_.data(), arrays_.data(), f.data());
    return f;
  }
  /// -dV/dx[i] by differences of fourth order.
  double slope(std::vector<double> x, size_t i) const {
    const double h = near * width, from = x[i];
    const auto shifted = [&](double by) {
      x[i] = from + by;
      return energy(x);
    };
    return -(8 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h))) / (12 * h);
  }
  static std::string words(const std::vector<double>& x) { return fmt::format("{:.6g}", fmt::join(x, ", ")); }

  std::vector<std::vector<double>> at;
  double period = 0, width = 1, most_energy = 0, most_force = 0, tolerance = 0;

 private:
  const Plugin& plugin_;
  const std::vector<double>& values_;
  std::vector<bm_numbers> arrays_;
};

/// A force that is not the slope of V, in words; "" for none. At kinks it need not be the slope.
std::string wrong_gradient(const Landscape& V, bool smooth) {
  int wrong = 0;
  std::string words;
  for (const std::vector<double>& x : V.at) {
    const std::vector<double> f = V.force(x);
    for (size_t i = 0; i < x.size(); ++i) {
      const double slope = V.slope(x, i);
      if (std::abs(slope - f[i]) <= V.tolerance) continue;
      ++wrong;
      words = fmt::format("force on x[{}] must be -dV/dx[{}] = {:.6g} at ({}), got {:.6g}", i, i, slope,
                          Landscape::words(x), f[i]);
    }
  }
  return wrong > (smooth ? 0 : places / 100) ? words : "";
}

std::string wrong_shift(const Landscape& V) {
  for (const std::vector<double>& x : V.at)
    for (size_t i = 0; V.period > 0 && i < x.size(); ++i) {
      std::vector<double> shifted = x;
      shifted[i] += V.period;
      const double here = V.energy(x), there = V.energy(shifted);
      if (!(std::abs(there - here) <= 1e-9 * V.most_energy + V.tolerance * V.width))
        return fmt::format("V must have the period {:.6g} in x[{}], but is {:.6g} at ({}) and {:.6g} one period on",
                           V.period, i, here, Landscape::words(x), there);
    }
  return "";
}

/// A jump of the force between two places, found by bisection, in words; "" for none.
std::string jump_between(const Landscape& V, std::vector<double> a, std::vector<double> b) {
  const auto difference = [&](const std::vector<double>& x, const std::vector<double>& y) {
    const std::vector<double> f = V.force(x), g = V.force(y);
    double most = 0;
    for (size_t i = 0; i < f.size(); ++i) most = std::max(most, std::abs(f[i] - g[i]));
    return most;
  };
  for (int halving = 0; halving < 40; ++halving) {
    std::vector<double> middle = a;
    for (size_t i = 0; i < a.size(); ++i) middle[i] = (a[i] + b[i]) / 2;
    (difference(a, middle) > difference(middle, b) ? b : a) = middle;
  }
  const double jump = difference(a, b);
  return jump > 1e-4 * V.most_force ? fmt::format("the force jumps by {:.6g} at ({})", jump, Landscape::words(a)) : "";
}

std::string jump_in(const Landscape& V) {
  for (size_t i = 1; i < V.at.size(); ++i)
    if (std::string words = jump_between(V, V.at[i - 1], V.at[i]); !words.empty()) return words;
  return "";
}

void check_several(const Plugin& plugin, std::span<const Setting> settings,
                   const std::function<void(const Finding&)>& tell) {
  const bool smooth = plugin.has(BM_SMOOTH);
  const auto check = [&](const char* what, const auto& find) {
    return check_settings(what, settings, [&](const Setting& setting) { return find(Landscape(plugin, setting)); });
  };
  const Finding force = check("force", [&](const Landscape& V) { return wrong_gradient(V, smooth); });
  tell(force);
  if (force.verdict != Verdict::ok) return;
  if (plugin.periodic_possible()) tell(check("period", wrong_shift));
  const Finding jumps = check("smooth", jump_in);
  if (smooth && jumps.verdict != Verdict::ok)
    tell(problem("smooth", "it has BM_SMOOTH, but " + jumps.words));
  else
    tell(ok("smooth", smooth || jumps.verdict != Verdict::ok
                          ? ""
                          : "the force jumps nowhere: the flag BM_SMOOTH would make runs faster"));
}

}  // namespace

void check_potential(const Plugin& plugin, std::span<const Setting> settings,
                     const std::function<void(const Finding&)>& tell) {
  if (plugin.has(BM_SEVERAL)) return check_several(plugin, settings, tell);
  const bool smooth = plugin.has(BM_SMOOTH);
  const auto check = [&](const char* what, const auto& find) {
    return check_settings(what, settings, [&](const Setting& setting) { return find(Curves(plugin, setting)); });
  };
  const Finding finite = check("force", [](const Curves&) { return std::string(); });  // Curves throws otherwise
  if (finite.verdict != Verdict::ok) return tell(finite);
  const Finding force = check("force", [&](const Curves& c) { return wrong_force(c, smooth); });
  tell(force);
  if (force.verdict == Verdict::ok) tell(check("energy", broken_energy));
  if (plugin.periodic_possible()) tell(check("period", wrong_period));
  if (smooth)
    tell(check("smooth", [](const Curves& c) {
      const std::string jump = jump_of(c);
      return jump.empty() ? "" : "it has BM_SMOOTH, but " + jump;
    }));
  else if (check("smooth", jump_of).verdict == Verdict::ok)
    tell(ok("smooth", "V' jumps nowhere: the flag BM_SMOOTH would make runs faster"));
  if (plugin.piecewise_linear_possible())
    tell(check_settings("segments", settings, [&](const Setting& setting) {
      return wrong_segments(plugin, setting, Curves(plugin, setting));
    }));
}

Finding check_drive(const Plugin& plugin, std::span<const Setting> settings) {
  return check_settings("force", settings, [&](const Setting& setting) -> std::string {
    const auto arrays = setting.resolved.spans();
    const auto force = [&](double phase) { return plugin.force(phase, setting.resolved.values.data(), arrays.data()); };
    double most = 0;
    for (int i = 0; i < cells; ++i) most = std::max(most, std::abs(force((i + 0.381966) / cells)));
    for (int i = 0; i < cells; ++i) {
      const double phase = (i + 0.381966) / cells, here = force(phase);
      if (!std::isfinite(here)) return fmt::format("it is {} at phase {:.6g}", here, phase);
      for (const int turns : {1, -1, 2})
        if (!(std::abs(force(phase + turns) - here) <= 1e-6 * most))
          return fmt::format("force(phase + {}) must be force(phase) = {:.6g} at phase {:.6g}, got {:.6g}", turns, here,
                             phase, force(phase + turns));
    }
    return "";
  });
}

}  // namespace bmsim::checks
