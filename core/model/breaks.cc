// The search for jumps, kinks and gaps of a potential at one time.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "model/continuity.h"
#include "model/formula_plugin.h"
#include "model/sampled.h"

namespace bmsim {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double offset = 0.0123456789;  // keeps places off round numbers, where formulas often switch
constexpr size_t most_kinks = 64;        // there may be more
constexpr size_t intervals = 512;        // of one period, each with three places
constexpr int octaves = 10, per_octave = 16;
constexpr size_t window = 32;        // intervals on both sides, to which changes are compared
constexpr double resolution = 1e-9;  // of V, relative to its changes in the window
constexpr double small = 1e-4;       // of V, relative to its change in an interval
constexpr double kink = 1e-5;        // of V', relative to its changes in the window
constexpr double kink_width = 1e-9;  // of an interval: a change of V' within it is a kink
/// Distances from a jump, in units of its width, at which values must be the same as next to it. The values of a root
/// such as sqrt(|x|) change more and more with distance, and rounding errors differ everywhere.
constexpr double farther[] = {2, 5, 11, 37, 211, 1024};
constexpr size_t most_looks = 6000;   // evaluations in the bisections: for jumps, for kinks, and for each switch
constexpr size_t most_bounds = 4000;  // evaluations of bounds, for each argument that decides between two branches
constexpr double narrowest = 1e-5;    // of an interval: nothing narrower is looked for
constexpr double overflows = 1e200;   // beyond this V is a wall, or falls without bound

class Finder {
 public:
  Finder(const Plugin& potential, std::span<const double> values, const std::vector<std::vector<double>>& arrays,
         double period, double t)
      : potential_(potential), values_(values), spans_(spans_of(arrays)), unit_(period > 0 ? period : 1), t_(t) {
    place_nodes(period > 0);
    add_hidden_nodes(period > 0);
    for (const double x : nodes_) V_.push_back(V(x)), f_.push_back(f(x));
    for (size_t i = 0; i + 1 < nodes_.size(); ++i) middle_.push_back(f((nodes_[i] + nodes_[i + 1]) / 2));
  }

  void find(Continuity& result) {
    result_ = &result;
    find_gaps();
    for (const size_t i : inner_first()) {
      if (!finite(i) || !finite(i + 1)) continue;
      tolerance_ = resolution * range_around(V_, i, window) + 64 * epsilon * (std::abs(V_[i]) + std::abs(V_[i + 1]));
      close_in({nodes_[i], nodes_[i + 1], V_[i], V_[i + 1], f_[i], middle_[i], f_[i + 1]});
    }
    find_switches();  // more exact than from samples
    looks_ = 0;
    find_kinks();
  }

 private:
  /// V at both ends, and V' at three places.
  struct Interval {
    double a, b, Va, Vb, fa, fm, fb;
    double width() const { return b - a; }
  };

  double V(double u) const { return potential_.energy_at(u, t_, values_.data(), spans_.data()); }
  double f(double u) const { return potential_.force_at(u, t_, values_.data(), spans_.data()); }
  bool finite(size_t i) const { return std::isfinite(V_[i]) && std::isfinite(f_[i]); }
  bool finite_at(double u) const { return std::isfinite(V(u)) && std::isfinite(f(u)); }

  void place_nodes(bool periodic) {
    if (periodic) {  // so that the end of the period, too, lies between two places
      for (size_t i = 0; i <= intervals; ++i)
        nodes_.push_back(static_cast<double>(i) / static_cast<double>(intervals) - 0.5 + offset);
      return;
    }
    for (int i = -octaves * per_octave; i <= octaves * per_octave; ++i) {
      const double u = (1 + offset) * std::pow(2.0, static_cast<double>(i) / per_octave);
      nodes_.push_back(u);
      nodes_.push_back(-u);
    }
    std::ranges::sort(nodes_);
  }

  /// Adds nodes at which a formula is on another branch than at both neighbouring nodes. Bounds of the argument that
  /// decides between the branches say where that may be.
  void add_hidden_nodes(bool periodic) {
    struct Range {
      double a, b;
      size_t first, last;  // nodes; if they are neighbours, a and b lie between them
    };
    std::vector<double> hidden;
    std::vector<formula::Enclosure> arguments = side_bounds(potential_, values_.data(), t_);
    const double end = periodic ? 0.5 : nodes_.back();  // the next period lies beyond it
    for (size_t k = 0; k < arguments.size(); ++k) {
      const auto branch = [&](double u) { return branch_of(potential_.sides(u, t_, values_.data())[k]); };
      const bool whole = potential_.sides(nodes_[0], t_, values_.data())[k].whole;
      size_t looks = most_bounds;
      std::vector<Range> open = {{nodes_.front(), end, 0, nodes_.size() - 1}};
      while (!open.empty() && looks > 0) {
        std::vector<Range> next;
        for (const auto& [a, b, first, last] : open) {
          if (looks-- == 1) break;
          const formula::Interval bounds = arguments[k].over({a * unit_, b * unit_}).value;
          const bool may_switch = whole ? std::floor(bounds.low) != std::floor(bounds.high) : bounds.contains(0);
          if (!may_switch) continue;
          if (last - first > 1) {
            const size_t middle = (first + last) / 2;
            next.push_back({a, nodes_[middle], first, middle});
            if (nodes_[middle] < b) next.push_back({nodes_[middle], b, middle, last});
            continue;
          }
          const double before = branch(nodes_[first]), m = (a + b) / 2;
          if (branch(nodes_[last]) != before) continue;
          if (branch(m) != before) {
            hidden.push_back(m);
            continue;
          }
          if (b - a <= narrowest * (nodes_[last] - nodes_[first])) continue;
          next.push_back({a, m, first, last});
          next.push_back({m, b, first, last});
        }
        open = std::move(next);
      }
    }
    nodes_.insert(nodes_.end(), hidden.begin(), hidden.end());
    std::ranges::sort(nodes_);
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  }

  /// Intervals in the order of their distance from 0: far out V may vary faster than the places resolve.
  std::vector<size_t> inner_first() const {
    std::vector<size_t> order(nodes_.size() - 1);
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](size_t i) { return std::min(std::abs(nodes_[i]), std::abs(nodes_[i + 1])); });
    return order;
  }

  /// How V behaves on the way from `from` to `edge`: 1 if it rises without bound, -1 if it falls without bound, else 0.
  /// At 10^-6, 10^-9 and 10^-12 of the distance a logarithm changes by equal steps, a root by ever smaller ones.
  int divergence(double edge, double from) const {
    const auto at = [&](double part) { return V(edge + part * (from - edge)); };
    const double near = at(1e-12), middle = at(1e-9), far = at(1e-6), begin = at(0.1);
    if (begin > overflows || near > overflows) return 1;
    if (begin < -overflows) return 0;  // it falls over a long distance, not into a hole
    if (near < -overflows) return -1;
    if (!(std::abs(near - middle) >= 0.5 * std::abs(middle - far)) || std::abs(near - middle) <= tolerance_) return 0;
    return near > middle ? 1 : -1;
  }

  /// The last place with finite V between `inside`, where it is finite, and `outside`, where it is not.
  double end_of(double inside, double outside) const {
    const double least = epsilon * std::max(std::abs(inside), std::abs(outside));
    while (std::abs(outside - inside) > least) {
      const double middle = (inside + outside) / 2;
      (finite_at(middle) ? inside : outside) = middle;
    }
    return inside;
  }

  void find_gaps() {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (finite(i)) continue;
      size_t last = i;
      while (last + 1 < nodes_.size() && !finite(last + 1)) ++last;
      Gap gap{nodes_[i], nodes_[last], V_[i], false, false, t_};
      if (std::isfinite(gap.value)) gap.value = f_[i];
      const bool below = i > 0, above = last + 1 < nodes_.size();
      tolerance_ = 0;
      if (below) {
        gap.from = end_of(nodes_[i - 1], nodes_[i]);
        gap.wall_below = leads_nowhere(gap.from, nodes_[i - 1]);
      }
      if (above) {
        gap.to = end_of(nodes_[last + 1], nodes_[last]);
        gap.wall_above = leads_nowhere(gap.to, nodes_[last + 1]);
      }
      add(gap);
      i = last;
    }
  }
  bool leads_nowhere(double edge, double from) const {
    return divergence(edge, from) > 0 || V(edge + 0.1 * (from - edge)) < -overflows;
  }

  void close_in(const Interval& i) {
    const double excess = i.Vb - i.Va + unit_ * i.width() * (i.fa + 4 * i.fm + i.fb) / 6;
    if (std::abs(excess) <= tolerance_ + small * std::abs(i.Vb - i.Va) || looks_ >= most_looks ||
        result_->jumps.size() >= most_found)
      return;
    if (i.width() <= 8 * epsilon * std::max({std::abs(i.a), std::abs(i.b), epsilon})) return judge(i.a, i.b);
    looks_ += 3;
    const double m = (i.a + i.b) / 2, Vm = V(m), left = f((i.a + m) / 2), right = f((m + i.b) / 2);
    if (!std::isfinite(Vm + i.fm + left + right)) return judge(i.a, i.b);
    close_in({i.a, m, i.Va, Vm, i.fa, left, i.fm});
    close_in({m, i.b, Vm, i.Vb, i.fm, right, i.fb});
  }

  /// Decides why V changes between the neighbours a and b otherwise than by V': at a jump, a pole, or a root.
  void judge(double a, double b) {
    const double beside = unit_ == 1 ? 1e-3 * std::max(std::abs(a), std::exp2(-octaves)) : 1e-3;
    const double middle = (a + b) / 2;
    const int below = divergence(middle, middle - beside), above = divergence(middle, middle + beside);
    if (below != 0 || above != 0) {
      const double value = below < 0 || above < 0 ? -INFINITY : INFINITY;
      return add(Gap{middle, middle, value, below > 0, above > 0, t_});
    }
    // V may have a third value at the place itself.
    const double next = std::max(b - a, 1e-15 * beside), left = V(a - next), right = V(b + next);
    const double height = std::abs(right - left);
    if (height <= tolerance_) return;
    for (const double part : farther) {
      if (!(std::abs(left - V(a - part * next)) < 0.1 * height)) return;
      if (!(std::abs(right - V(b + part * next)) < 0.1 * height)) return;
    }
    add(result_->jumps, {middle, left, right, t_});
  }

  /// Looks for kinks of V at all places, in order.
  void find_kinks() {
    std::vector<double> places, forces;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      places.push_back(nodes_[i]);
      forces.push_back(f_[i]);
      if (i + 1 == nodes_.size()) break;
      places.push_back((nodes_[i] + nodes_[i + 1]) / 2);
      forces.push_back(middle_[i]);
    }
    std::vector<double> excess(forces.size(), 0);  // how much more V' changes from i to i + 1 than nearby
    for (size_t i = 1; i + 2 < forces.size(); ++i)
      excess[i] = std::abs(forces[i + 1] - forces[i] - slope_beside(places, forces, i) * (places[i + 1] - places[i]));
    for (size_t i = 1; i + 2 < forces.size(); ++i) {
      if (!(excess[i] >= excess[i - 1] && excess[i] >= excess[i + 1]) ||
          !(excess[i] > kink * range_around(forces, i, window)))
        continue;
      if (looks_ >= most_looks || result_->kinks.size() >= most_kinks) return;
      close_in_on_kink(places[i], places[i + 1], forces[i], forces[i + 1], slope_beside(places, forces, i), excess[i]);
    }
  }
  void close_in_on_kink(double a, double b, double fa, double fb, double trend, double excess) {
    const double least = std::max(kink_width * (b - a), 8 * epsilon * std::max(std::abs(a), std::abs(b)));
    while (b - a > least) {
      const double m = (a + b) / 2, fm = f(m);
      ++looks_;
      const double left = fm - fa - trend * (m - a), right = fb - fm - trend * (b - m);
      if (!std::isfinite(fm)) return;
      if (std::abs(left) > std::abs(right))
        b = m, fb = fm;
      else
        a = m, fa = fm;
    }
    const double height = std::abs(fb - fa);
    if (!(height >= 0.25 * excess)) return;
    for (const double part : farther)
      if (!(std::abs(fa - f(a - part * least)) < 0.25 * height && std::abs(fb - f(b + part * least)) < 0.25 * height))
        return;
    add(result_->kinks, {(a + b) / 2, -fa, -fb, t_});
  }

  /// Examines from both sides the places where a formula changes its branch.
  void find_switches() {
    std::vector<std::vector<Side>> sides;
    for (const double u : nodes_) sides.push_back(potential_.sides(u, t_, values_.data()));
    for (size_t k = 0; k < sides[0].size(); ++k) {
      looks_ = 0;  // a budget for each: an argument that switches often must not hide the only place of another
      for (const size_t i : inner_first()) {
        if (result_->jumps.size() >= most_found) return;
        if (looks_ >= most_looks) break;
        const Side a = sides[i][k], b = sides[i + 1][k];
        if (branch_of(a) != branch_of(b))
          close_in_on_switch(k, nodes_[i], nodes_[i + 1], branch_of(a));
        else if (i > 0 && touches(sides[i - 1][k], a, b))
          look_for_touch(k, nodes_[i - 1], nodes_[i + 1], branch_of(a));
      }
    }
  }
  double branch_at(size_t k, double u) {
    ++looks_;
    return branch_of(potential_.sides(u, t_, values_.data())[k]);
  }
  static bool touches(const Side& a, const Side& b, const Side& c) {
    const double size = std::abs(b.argument);
    return !b.whole && branch_of(a) == branch_of(b) && size < std::abs(a.argument) && size <= std::abs(c.argument);
  }
  /// Minimises |argument|, until it has the other sign.
  void look_for_touch(size_t k, double a, double b, double sign) {
    const auto size = [&](double u) {
      ++looks_;
      return sign * potential_.sides(u, t_, values_.data())[k].argument;
    };
    const std::optional<double> inside = not_positive(size, a, b);
    if (!inside) return;
    close_in_on_switch(k, a, *inside, sign);
    close_in_on_switch(k, *inside, b, branch_at(k, *inside));
  }
  void close_in_on_switch(size_t k, double a, double b, double before) {
    const double least = 8 * epsilon * std::max({std::abs(a), std::abs(b), epsilon});
    while (b - a > least) {
      const double m = (a + b) / 2;
      (branch_at(k, m) == before ? a : b) = m;
    }
    const double next = b - a;  // V may have third values at the place itself
    a -= next, b += next;
    const double Va = V(a), Vb = V(b), fa = f(a), fb = f(b);
    if (!std::isfinite(Va) || !std::isfinite(Vb) || !std::isfinite(fa) || !std::isfinite(fb)) return;
    const size_t i = interval_of(a);
    tolerance_ = resolution * range_around(V_, i, window) + 64 * epsilon * (std::abs(Va) + std::abs(Vb));
    if (std::abs(Vb - Va + unit_ * (b - a) * (fa + fb) / 2) > tolerance_) judge(a, b);
    if (std::abs(fb - fa) > kink * range_around(f_, i, window)) add(result_->kinks, {(a + b) / 2, -fa, -fb, t_});
  }
  size_t interval_of(double u) const {
    const auto after = std::ranges::upper_bound(nodes_, u) - nodes_.begin();
    return std::min(static_cast<size_t>(std::max<ptrdiff_t>(after, 1)) - 1, nodes_.size() - 2);
  }

  /// The x of u, in [-L/2, L/2]. What is 0 up to rounding becomes 0.
  double place_of(double u) const {
    if (std::abs(u) < 16 * epsilon) return 0;
    return unit_ * (unit_ != 1 && u > 0.5 + 16 * epsilon ? u - 1 : u);
  }
  bool near(double x, double y) const { return std::abs(x - y) <= 1e-9 * std::max({std::abs(x), std::abs(y), unit_}); }
  void add(std::vector<Jump>& list, Jump jump) {
    jump.x = place_of(jump.x);
    for (const Jump& other : list)
      if (near(other.x, jump.x)) return;
    list.push_back(jump);
  }
  void add(Gap gap) {
    gap.from = place_of(gap.from);
    gap.to = place_of(gap.to);
    for (const Gap& other : result_->gaps)
      if (gap.from >= other.from && gap.to <= other.to) return;
    result_->gaps.push_back(gap);
  }

  const Plugin& potential_;
  std::span<const double> values_;
  std::vector<bm_numbers> spans_;
  double unit_, t_;
  std::vector<double> nodes_, V_, f_, middle_;
  Continuity* result_ = nullptr;
  double tolerance_ = 0;
  size_t looks_ = 0;
};

}  // namespace

void find_breaks(const Plugin& potential, std::span<const double> values,
                 const std::vector<std::vector<double>>& arrays, double period, double t, Continuity& result) {
  Finder(potential, values, arrays, period, t).find(result);
}

}  // namespace bmsim
