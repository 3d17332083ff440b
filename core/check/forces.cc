#include "check/forces.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check/findings.h"

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

/// The largest disagreement of the force and -V', in words; "" for none.
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

/// A jump of V between the places of differences, in words: the work over a cell is not the change of V.
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

std::string jump_of(const Curves& c) {
  const Curve force = [&](double u) { return c.force(u); };
  for (int i = 0; i < cells; ++i) {
    const Jump jump = steepest(force, c.at(i), c.at(i) + c.width / cells);
    if (std::abs(jump.right - jump.left) <= 1e-4 * c.most_force) continue;
    return fmt::format("V' jumps from {:.6g} to {:.6g} at x = {:.6g}", -jump.left, -jump.right, jump.at * c.length);
  }
  return "";
}

std::string wrong_segments(const Plugin& plugin, const Setting& setting, const Curves& c) {
  const auto arrays = setting.resolved.spans();
  const std::vector<bm_segment> all = plugin.segments(setting.resolved.values.data(), arrays.data());
  if (all.empty()) return "";  // not piecewise linear with these choices
  for (size_t i = 0; i < all.size(); ++i) {
    if (!(all[i].right > all[i].left))
      return fmt::format("segment {} must have left < right, got [{}, {})", i, all[i].left, all[i].right);
    if (i > 0 && !(std::abs(all[i].left - all[i - 1].right) <= 1e-12))
      return fmt::format("segment {} must begin where the one before ends, at {}, got {}", i, all[i - 1].right,
                         all[i].left);
    for (const double part : {0.1, 0.5, 0.9}) {
      const double u = all[i].left + part * (all[i].right - all[i].left), f = c.force(u);
      if (!(std::abs(f + all[i].slope) <= c.tolerance))
        return fmt::format("segment {} must have the slope -force = {:.6g} at x = {:.6g}, got {:.6g}", i, -f,
                           u * c.length, all[i].slope);
    }
  }
  const double span = all.back().right - all.front().left;
  if (c.periodic && !(std::abs(span - 1) <= 1e-12)) return fmt::format("they must tile one period, got {} of it", span);
  return "";
}

}  // namespace

Jump steepest(const Curve& curve, double a, double b) {
  double left = curve(a), right = curve(b);
  while (b - a > 1e-10) {
    const double middle = (a + b) / 2, value = curve(middle);
    if (std::abs(value - left) > std::abs(right - value))
      b = middle, right = value;
    else
      a = middle, left = value;
  }
  return {a, left, right};
}

void check_potential(const Plugin& plugin, std::span<const Setting> settings,
                     const std::function<void(const Finding&)>& tell) {
  const bool smooth = plugin.has(BM_SMOOTH);
  const auto all = [&](const char* what, const auto& find) {
    return check_settings(what, settings, [&](const Setting& setting) { return find(Curves(plugin, setting)); });
  };
  const Finding finite = all("force", [](const Curves&) { return std::string(); });  // Curves throws otherwise
  if (finite.verdict != Verdict::ok) return tell(finite);
  const Finding force = all("force", [&](const Curves& c) { return wrong_force(c, smooth); });
  tell(force);
  if (force.verdict == Verdict::ok) tell(all("energy", broken_energy));
  if (plugin.periodic_possible()) tell(all("period", wrong_period));
  if (smooth)
    tell(all("smooth", [](const Curves& c) {
      const std::string jump = jump_of(c);
      return jump.empty() ? "" : "it has BM_SMOOTH, but " + jump;
    }));
  else if (all("smooth", jump_of).verdict == Verdict::ok)
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
