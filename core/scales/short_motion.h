// The motion of a system on the host, for the short paths from which steps are chosen (system_scales.h).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "error.h"
#include "model/model.h"
#include "numbers.h"
#include "plugin/state_functions.h"
#include "scales/heavy_tails.h"
#include "scales/kink_times.h"

namespace bmsim::short_paths {

constexpr double steep = 1e-3;  // relative change of a rate over 2e-5 of a unit from which on it may be a jump

/// Positions, then velocities of the variables with inertia.
typedef std::array<double, 2 * most_variables> State;
typedef std::array<State, 2 * most_variables> Matrix;

inline State filled(double value) {
  State state;
  state.fill(value);
  return state;
}

/// The least and the most of every coordinate of states; at first of none.
struct Range {
  State low = filled(infinity), high = filled(-infinity);
  void add(const Range& other) {
    for (size_t i = 0; i < low.size(); ++i)
      low[i] = std::min(low[i], other.low[i]), high[i] = std::max(high[i], other.high[i]);
  }
  void add(const State& state) { add(Range{state, state}); }
  double width(size_t i) const { return high[i] - low[i]; }
};

/// Calls f. Returns false if it throws Error, as at states to which the run itself may not come.
template <class F> bool attempt(const F& f) {
  try {
    f();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// How fast motion and noise take a path along one coordinate.
struct Crossing {
  double speed, variance;  ///< of unit time
  double time(double width) const { return std::min(width / speed, width * width / variance); }
  double distance(double time) const { return std::max(std::sqrt(variance * time), speed * time); }
};

/// Rates of change of a state, their derivatives, and the noise.
class Motion {
 public:
  Motion(const Model& model, const ModelValues& values)
      : model_(model), values_(values), forces_(model, values), n_(values.variables.size()), size_(state_size(values)) {
    deviation_.fill(0);
    nearness_.fill(largest_nearness);
    const auto& components = model.components();
    for (size_t k = 0; k < components.size(); ++k) {
      const Component& component = components[k];
      const double* own = values.values[k].data();
      if ((*component.plugin)->kind == BM_POTENTIAL) continue;
      if ((*component.plugin)->kind == amplitude_kind) {
        amplitudes_.push_back(k);
        continue;
      }
      if ((*component.plugin)->kind == observed_kind || component.modulates || model.amplitude_of(component) != nullptr)
        continue;
      // Kicks are taken for white noise, which they are on long times. Flips and coloured noise are taken for a force.
      const double D = component.plugin->intensity(own).value_or(0);
      if (has_heavy_tails(*component.plugin, own)) {
        const double alpha = *number_of(*component.plugin, own, "alpha");
        jumps_.push_back({component.variable, alpha, number_of(*component.plugin, own, "scale").value_or(0)});
      }
      if (!std::isfinite(D)) continue;
      if (component.plugin->has(BM_EVOLVE) || (component.plugin->has(BM_EVENTS) && component.plugin->has(BM_MODULATES)))
        push_[component.variable] += std::sqrt(D / component.plugin->time_scale(own));
      else
        variance_[component.variable] += 2 * D;
      if (component.plugin->has(BM_EVENTS) && !component.plugin->has(BM_MODULATES) && D > 0)
        kicks_.push_back({component.variable, D, component.plugin->time_scale(own)});
    }
    for (size_t i = 0; i < n_; ++i) {
      driven_[i] = place_of_force(values, i);
      deviation_[driven_[i]] = std::sqrt(variance_[i]) / values.variables[i].inertia();
    }
    find_groups();
  }
  size_t size() const { return size_; }
  size_t variables() const { return n_; }
  double deviation(size_t i) const { return deviation_[i]; }
  /// from + part * by
  State moved(const State& from, const State& by, double part) const {
    State there = from;
    for (size_t i = 0; i < size_; ++i) there[i] += part * by[i];
    return there;
  }
  /// pushes: those by noise with amplitudes, see blown().
  Crossing crossing(size_t i, double speed, const std::vector<State>& pushes) const {
    Crossing along{speed, std::pow(deviation_[i], 2)};
    for (const State& push : pushes) along.variance += std::pow(push[i], 2);
    return along;
  }
  /// The variance of unit time that comes from white noise.
  double white_variance(size_t i) const {
    double sum = deviation_[i] * deviation_[i];
    for (const Kicks& kicks : kicks_)
      if (kicks.variable == i && !values_.variables[i].inertial) sum -= 2 * kicks.D;
    return sum > 1e-12 * deviation_[i] * deviation_[i] ? sum : 0;
  }
  /// The longest time in which kicks or Levy noise take a path away from where a rate f along a normal brings it back.
  double time_off_jump(const State& normal, double f) const {
    double longest = 0;
    for (const Kicks& kicks : kicks_)
      if (!values_.variables[kicks.variable].inertial)
        longest = std::max(longest, kick_time_at_jump(std::pow(normal[kicks.variable], 2) * kicks.D, kicks.wait, f));
    for (const Jumps& levy : jumps_)
      longest =
          std::max(longest, levy_time_at_jump(std::abs(normal[driven_[levy.variable]]) * levy.scale, levy.alpha, f));
    return longest;
  }
  /// Displacements by Levy noise in the time h; none is larger than ten of its scales.
  template <class Random> State jumps(double h, Random& random) const {
    State displacement{};
    for (const Jumps& levy : jumps_) {
      // J. M. Chambers, C. L. Mallows, B. W. Stuck, J. Am. Stat. Assoc. 71, 340 (1976), for an even law
      const double angle = pi * (std::uniform_real_distribution<double>()(random) - 0.5), a = levy.alpha;
      const double wait = std::exponential_distribution<double>()(random);
      const double size = std::sin(a * angle) / std::pow(std::cos(angle), 1 / a) *
                          std::pow(std::cos((1 - a) * angle) / wait, (1 - a) / a);
      displacement[driven_[levy.variable]] +=
          levy.scale * std::pow(h, 1 / a) * std::clamp(size, -largest_jump, largest_jump);
    }
    return displacement;
  }
  /// Variance, divided by the time, of the displacement of one coordinate by noise without amplitudes in steps h.
  double variance(size_t i, double h) const {
    double sum = deviation_[i] * deviation_[i];
    for (const Jumps& levy : jumps_)
      if (driven_[levy.variable] == i) sum += std::pow(largest_jump * levy.scale * std::pow(h, 1 / levy.alpha), 2) / h;
    return sum;
  }
  /// Natural size of a change: the unit of a position, 1 for a velocity.
  double unit(size_t i) const { return i < n_ ? values_.variables[i].length() : 1; }

  /// Sets the sign of the forces of noises.
  void push(double sign) { sign_ = sign; }
  /// The velocities at a state, and the mean fields of paths that are all at `there`.
  VelocitiesAndFields velocities(const State& at, const State& there) const {
    if (has_fields()) {
      VelocitiesAndFields v = with_fields(model_, values_, at.data() + n_, there.data(), there.data() + n_);
      for (size_t k = 0; k < added_to_fields_.size(); ++k) v[size_ - n_ + k] += added_to_fields_[k];
      return v;
    }
    VelocitiesAndFields v{};
    std::copy_n(at.data() + n_, size_ - n_, v.data());
    return v;
  }
  VelocitiesAndFields velocities(const State& at) const { return velocities(at, at); }
  /// From now on mean fields have these values where all paths are at a state. Elsewhere they differ by as much from
  /// their own values as they do there.
  void hold_fields(const State& at, const std::vector<double>& fields) {
    added_to_fields_.clear();
    const VelocitiesAndFields own = velocities(at);
    for (size_t k = 0; k < fields.size(); ++k) added_to_fields_.push_back(fields[k] - own[size_ - n_ + k]);
  }
  /// d state / dt without white noise, of a path among others that are all at `there`.
  State rate(const State& at, double t, const State& there) const {
    State f{}, rate{};
    for (size_t i = 0; i < n_; ++i) f[i] = values_.variables[i].force + sign_ * push_[i];
    forces_.add(at.data(), velocities(at, there).data(), t, f.data());
    for (size_t i = 0; i < n_; ++i) {
      const VariableValues& variable = values_.variables[i];
      const double v = at[driven_[i]];  // if it has inertia
      if (variable.inertial) rate[i] = v;
      rate[driven_[i]] = variable.inertial ? (f[i] - variable.gamma * v) / variable.mass : f[i];
    }
    return rate;
  }
  State rate(const State& at, double t) const { return rate(at, t, at); }
  /// Groups of coordinates in which no rate depends on two of a group: they can be moved together.
  const std::vector<std::vector<size_t>>& groups() const { return groups_; }
  bool depends(size_t rate, size_t on) const { return depends_[rate][on]; }
  /// Finds how near to each other states must be for derivatives by differences, here and nearby. of_fields: also for
  /// derivatives for which the other paths move, too.
  void look_closely(const State& at, double t, bool of_fields = false) {
    for (const auto& group : groups_) {
      find_nearness(at, t, group, false);
      if (!of_fields) continue;
      const State alone = nearness_;
      find_nearness(at, t, group, true);
      for (const size_t j : group) nearness_[j] = std::min(nearness_[j], alone[j]);
    }
  }
  /// Derivatives of the rate. With mean fields they are those of a path among others that stay; together: of all paths.
  Matrix jacobian(const State& at, double t, bool together = false) const {
    Matrix J;  // of which `size` rows and columns are set
    for (size_t i = 0; i < size_; ++i) std::fill_n(J[i].begin(), size_, 0);
    State h{};
    for (size_t j = 0; j < size_; ++j) h[j] = nearness_[j] * unit_at(at, j);
    for (const auto& group : groups_) {
      const auto rate_beside = [&](double by) {
        State there = at;
        for (const size_t j : group) there[j] += by * h[j];
        return rate(there, t, together ? there : at);
      };
      const State up = rate_beside(1), down = rate_beside(-1);
      const auto jumps = [&](size_t i) {
        return std::abs(up[i] - down[i]) > steep * std::max(std::abs(up[i]), std::abs(down[i]));
      };
      bool any_jump = false;
      each_change(group, [&](size_t i, size_t j) {
        J[i][j] = (up[i] - down[i]) / (2 * h[j]);
        any_jump = any_jump || jumps(i);
      });
      if (!any_jump) continue;
      // At a jump the derivative is the slope on the flatter side.
      const State far_up = rate_beside(10), far_down = rate_beside(-10);
      each_change(group, [&](size_t i, size_t j) {
        if (!(std::abs(up[i] - down[i]) > 0.5 * std::abs(far_up[i] - far_down[i]))) return;
        const double right = (far_up[i] - up[i]) / (9 * h[j]), left = (down[i] - far_down[i]) / (9 * h[j]);
        if (std::max(std::abs(right), std::abs(left)) < 0.5 * std::abs(J[i][j]))
          J[i][j] = std::abs(right) < std::abs(left) ? right : left;
      });
    }
    return J;
  }
  /// What noises with amplitudes add to a state: one standard deviation of unit time for each noise.
  std::vector<State> blown(const State& at, double t) const {
    std::vector<State> pushes;
    for (const size_t k : amplitudes_) {
      const Component &amplitude = model_.components()[k], &noise = model_.multiplied_by(amplitude);
      const double D = noise.plugin->intensity(values_.values[model_.index_of(noise)].data()).value_or(0);
      std::array<double, 2 * most_variables> b{};
      amplitude.plugin->state_functions()->add_forces(at.data(), velocities(at).data(), t, values_.values[k].data(),
                                                      nullptr, b.data());
      State& push = pushes.emplace_back();
      for (size_t i = 0; i < n_; ++i) {
        if (!std::isfinite(b[i]))
          fail("{}: amplitude must be a finite number, got {} at {}", subject_of(noise), std::abs(b[i]),
               state_text(at));
        push[driven_[i]] = std::sqrt(2 * D) * b[i] / values_.variables[i].inertia();
      }
    }
    return pushes;
  }
  /// Whether the amplitude of noise k of blown() may jump.
  bool jumps_with_amplitude(size_t k) const {
    return model_.components()[amplitudes_[k]].plugin->state_functions()->jumps();
  }
  /// "x = 0.3, y = -1"
  std::string state_text(const State& at) const {
    std::string text;
    for (size_t i = 0; i < n_; ++i)
      text += fmt::format("{}{} = {:.4g}", i == 0 ? "" : ", ", model_.variables()[i].name, at[i]);
    return text;
  }
  /// A bound of the speed of a mean field where all paths are at a state and move at these rates.
  double speed_of_field(size_t field, const State& at, const State& rates) const {
    constexpr double near_by = 1e-6;
    const double here = velocities(at)[size_ - n_ + field];
    double speed = 0;
    for (size_t j = 0; j < size_; ++j) {
      const double h = near_by * unit_at(at, j);
      State there = at;
      there[j] += h;
      const double slope = (velocities(there)[size_ - n_ + field] - here) / h;
      if (std::isfinite(slope)) speed += std::abs(slope * rates[j]);
    }
    return speed;
  }
  bool has_fields() const { return !model_.fields().empty(); }
  /// Largest modulus of an eigenvalue, by powers of the matrix: their mean growth. It is taken over an even number of
  /// powers, since coordinates of unlike units take turns. The result does not exceed any norm.
  double size_of(const Matrix& J) const {
    constexpr int before = 12, counted = 12;
    State v{};
    for (size_t i = 0; i < size_; ++i) v[i] = 1 + 0.1 * static_cast<double>(i % 3);
    double growth = 0;  // logarithm, over the counted steps
    for (int step = 0; step < before + counted; ++step) {
      State w{};
      double norm = 0, last = 0;
      for (size_t i = 0; i < size_; ++i) {
        for (size_t j = 0; j < size_; ++j) w[i] += J[i][j] * v[j];
        norm += w[i] * w[i], last += v[i] * v[i];
      }
      norm = std::sqrt(norm);
      if (!(norm > 0) || !std::isfinite(norm)) return norm > 0 ? norm : 0;
      if (step >= before) growth += std::log(norm / std::sqrt(last));
      for (size_t i = 0; i < size_; ++i) v[i] = w[i] / norm;
    }
    return std::exp(growth / counted);
  }

 private:
  struct Jumps {
    size_t variable;
    double alpha, scale;
  };
  struct Kicks {
    size_t variable;
    double D, wait;
  };
  /// With mean fields every rate may depend on all coordinates.
  void find_groups() {
    for (size_t i = 0; i < n_; ++i) {
      const size_t row = driven_[i];
      if (values_.variables[i].inertial) depends_[i][row] = true;
      depends_[row][row] = true;
      for (size_t j = 0; j < size_; ++j) depends_[row][j] = depends_[row][j] || has_fields() || forces_.depends(i, j);
    }
    for (size_t j = 0; j < size_; ++j) {
      const auto meets = [&](size_t other) {
        for (size_t i = 0; i < size_; ++i)
          if (depends_[i][j] && depends_[i][other]) return true;
        return false;
      };
      const auto fits = [&](const std::vector<size_t>& group) { return std::ranges::none_of(group, meets); };
      const auto found = std::ranges::find_if(groups_, fits);
      if (found != groups_.end())
        found->push_back(j);
      else
        groups_.push_back({j});
    }
  }
  /// use(rate, coordinate) for every rate that depends on a coordinate of a group.
  template <class Use> void each_change(const std::vector<size_t>& group, Use use) const {
    for (const size_t j : group)
      for (size_t i = 0; i < size_; ++i)
        if (depends_[i][j]) use(i, j);
  }
  double unit_at(const State& at, size_t j) const { return std::max(unit(j), std::abs(at[j]) * 1e-3); }
  /// Finds the largest distance, in units, over which rates change as over all smaller ones. Where structures are far
  /// smaller than a unit, as in SI, larger distances miss them. Differences of a few units in the last place of a rate
  /// say nothing.
  void find_nearness(const State& at, double t, const std::vector<size_t>& group, bool together) {
    constexpr size_t count = 14;
    constexpr double digits = 1e3 * std::numeric_limits<double>::epsilon(), alike = 0.05;
    std::array<State, count> slope{};
    std::array<std::array<bool, 2 * most_variables>, count> resolved{};
    std::array<size_t, 2 * most_variables> looked{};
    State h{};
    for (const size_t j : group) h[j] = largest_nearness * unit_at(at, j);
    for (size_t k = 0; k < count; ++k) {
      State up = at, down = at;
      for (const size_t j : group) {
        if (!(h[j] > 1e-10 * std::abs(at[j]))) continue;
        up[j] += h[j], down[j] -= h[j];
        looked[j] = k + 1;
      }
      if (std::ranges::none_of(group, [&](size_t j) { return looked[j] == k + 1; })) break;
      up = rate(up, t, together ? up : at), down = rate(down, t, together ? down : at);
      each_change(group, [&](size_t i, size_t j) {
        slope[k][i] = (up[i] - down[i]) / (2 * h[j]);
        resolved[k][i] = std::abs(up[i] - down[i]) > digits * std::max(std::abs(up[i]), std::abs(down[i]));
      });
      for (const size_t j : group) h[j] /= 10;
    }
    for (const size_t j : group) nearness_[j] = largest_nearness;
    each_change(group, [&](size_t i, size_t j) {
      const auto agree = [&](size_t k) {  // with the next smaller distance
        const double a = slope[k][i], b = slope[k + 1][i];
        return resolved[k][i] && resolved[k + 1][i] && std::abs(a - b) <= alike * std::max(std::abs(a), std::abs(b));
      };
      size_t k = looked[j];
      while (k > 1 && !agree(k - 2)) --k;
      if (k < 2) return;
      for (k -= 2; k > 0 && agree(k - 1);) --k;
      nearness_[j] = std::min(nearness_[j], largest_nearness * std::pow(10.0, -static_cast<double>(k)));
    });
  }

  static constexpr double largest_nearness = 1e-5, largest_jump = 10;
  const Model& model_;
  const ModelValues& values_;
  Forces forces_;
  size_t n_, size_;                              // numbers of variables, and of coordinates
  std::array<size_t, most_variables> driven_{};  // by variable: place_of_force()
  std::array<std::array<bool, 2 * most_variables>, 2 * most_variables> depends_{};  // rate on coordinate
  std::vector<std::vector<size_t>> groups_;
  std::vector<size_t> amplitudes_;
  std::vector<Jumps> jumps_;
  std::vector<Kicks> kicks_;
  State nearness_{};
  std::array<double, most_variables> variance_{}, push_{};
  double sign_ = 0;
  State deviation_{};
  std::vector<double> added_to_fields_;
};

}  // namespace bmsim::short_paths
