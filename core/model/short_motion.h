// The motion of a system on the host, for the short paths by which steps are chosen (system_scales.h).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "error.h"
#include "model/fields.h"
#include "model/heavy_tails.h"
#include "plugin/state_functions.h"

namespace bmsim::short_paths {

constexpr double steep = 1e-3;  // part by which a rate changes over 2e-5 of a unit where it may jump

/// Positions, then velocities of the variables with inertia.
typedef std::array<double, 2 * most_variables> State;
typedef std::array<State, 2 * most_variables> Matrix;

inline size_t place_of_velocity(const ModelValues& values, size_t variable) {
  size_t place = values.variables.size();
  for (size_t i = 0; i < variable; ++i) place += values.variables[i].inertial ? 1 : 0;
  return place;
}

/// Rates of change of a state, their derivatives, and the noise.
class Motion {
 public:
  Motion(const Model& model, const ModelValues& values) : model_(model), values_(values), n_(values.variables.size()) {
    size_ = n_;
    for (const VariableValues& one : values.variables) size_ += one.inertial ? 1 : 0;
    deviation_.fill(0);
    nearness_.fill(largest_nearness);
    const auto& components = model.components();
    for (size_t k = 0; k < components.size(); ++k) {
      const Component& one = components[k];
      const double* own = values.values[k].data();
      if ((*one.plugin)->kind == BM_POTENTIAL) continue;
      if ((*one.plugin)->kind == amplitude_kind) {
        amplitudes_.push_back(k);
        continue;
      }
      if ((*one.plugin)->kind == observed_kind || one.modulates || model.amplitude_of(one) != nullptr) continue;
      // Kicks are taken for white noise, as they are on long times; flips and coloured noise for a force.
      const double D = one.plugin->intensity(own).value_or(0);
      if (has_heavy_tails(*one.plugin, own)) {
        const double alpha = *number_of(*one.plugin, own, "alpha");
        jumps_.push_back({one.variable, alpha, number_of(*one.plugin, own, "scale").value_or(0)});
      }
      if (!std::isfinite(D)) continue;
      if (one.plugin->has(BM_EVOLVE) || (one.plugin->has(BM_EVENTS) && one.plugin->has(BM_MODULATES)))
        push_[one.variable] += std::sqrt(D / one.plugin->time_scale(own));
      else
        variance_[one.variable] += 2 * D;
    }
    for (size_t i = 0, k = 0; i < n_; ++i) {
      const VariableValues& one = values.variables[i];
      if (one.inertial)
        deviation_[n_ + k++] = std::sqrt(variance_[i]) / one.mass;
      else
        deviation_[i] = std::sqrt(variance_[i]);
    }
  }
  size_t size() const { return size_; }
  size_t variables() const { return n_; }
  double deviation(size_t i) const { return deviation_[i]; }
  /// Displacements by Levy noise in the time h; none is larger than ten of its scales.
  template <class Random> State jumps(double h, Random& random) const {
    State all{};
    for (const Jumps& one : jumps_) {
      constexpr double half_turn = 3.14159265358979323846;
      // J. M. Chambers, C. L. Mallows, B. W. Stuck, J. Am. Stat. Assoc. 71, 340 (1976), of an even law
      const double angle = half_turn * (std::uniform_real_distribution<double>()(random) - 0.5), a = one.alpha;
      const double wait = std::exponential_distribution<double>()(random);
      const double size = std::sin(a * angle) / std::pow(std::cos(angle), 1 / a) *
                          std::pow(std::cos((1 - a) * angle) / wait, (1 - a) / a);
      all[place(one)] += one.scale * std::pow(h, 1 / a) * std::clamp(size, -largest_jump, largest_jump);
    }
    return all;
  }
  /// Variance over time of what one coordinate gets by noise without amplitudes in steps h.
  double variance(size_t i, double h) const {
    double sum = deviation_[i] * deviation_[i];
    for (const Jumps& one : jumps_)
      if (place(one) == i) sum += std::pow(largest_jump * one.scale * std::pow(h, 1 / one.alpha), 2) / h;
    return sum;
  }
  /// Natural size of a change: the unit of a position, 1 for a velocity.
  double unit(size_t i) const { return i < n_ ? values_.variables[i].length() : 1; }

  /// Gives forces of noises a sign.
  void push(double sign) { sign_ = sign; }
  /// Velocities, and mean fields of paths that are all there.
  VelocitiesAndFields velocities(const State& at, const State& there) const {
    return with_fields(model_, values_, at.data() + n_, there.data(), there.data() + n_);
  }
  VelocitiesAndFields velocities(const State& at) const { return velocities(at, at); }
  /// d state / dt without white noise, of a path among others that are all there.
  State rate(const State& at, double t, const State& there) const {
    State f{}, rate{};
    for (size_t i = 0; i < n_; ++i) f[i] = values_.variables[i].force + sign_ * push_[i];
    add_forces(model_, values_, at.data(), velocities(at, there).data(), t, f.data());
    for (size_t i = 0, k = 0; i < n_; ++i) {
      const VariableValues& one = values_.variables[i];
      if (!one.inertial) {
        rate[i] = f[i];
        continue;
      }
      rate[i] = at[n_ + k];
      rate[n_ + k] = (f[i] - one.gamma * at[n_ + k]) / one.mass;
      ++k;
    }
    return rate;
  }
  State rate(const State& at, double t) const { return rate(at, t, at); }
  /// Finds out how near to each other states must be for derivatives by differences, here and nearby.
  void look_closely(const State& at, double t) {
    for (size_t j = 0; j < size_; ++j) nearness_[j] = nearness(at, t, j);
  }
  /// Derivatives of the rate. With mean fields: of a path among others that stay; or of all paths together.
  Matrix jacobian(const State& at, double t, bool together = false) const {
    Matrix J;  // of which `size` rows and columns are set
    for (size_t j = 0; j < size_; ++j) {
      const double h = nearness_[j] * std::max(unit(j), std::abs(at[j]) * 1e-3);
      const auto moved = [&](double by) {
        State there = at;
        there[j] += by;
        return rate(there, t, together ? there : at);
      };
      const State up = moved(h), down = moved(-h);
      for (size_t i = 0; i < size_; ++i) J[i][j] = (up[i] - down[i]) / (2 * h);
      const auto jumps = [&](size_t i) {
        return std::abs(up[i] - down[i]) > steep * std::max(std::abs(up[i]), std::abs(down[i]));
      };
      bool some = false;
      for (size_t i = 0; i < size_; ++i) some = some || jumps(i);
      if (!some) continue;
      // At a jump it is the slope on the side where it is less.
      const State far_up = moved(10 * h), far_down = moved(-10 * h);
      for (size_t i = 0; i < size_; ++i) {
        if (!(std::abs(up[i] - down[i]) > 0.5 * std::abs(far_up[i] - far_down[i]))) continue;
        const double right = (far_up[i] - up[i]) / (9 * h), left = (down[i] - far_down[i]) / (9 * h);
        if (std::max(std::abs(right), std::abs(left)) < 0.5 * std::abs(J[i][j]))
          J[i][j] = std::abs(right) < std::abs(left) ? right : left;
      }
    }
    return J;
  }
  /// Increments of the state by noise with amplitudes, one standard deviation of unit time for each noise, at a state.
  std::vector<State> blown(const State& at, double t) const {
    std::vector<State> all;
    for (const size_t k : amplitudes_) {
      const Component &amplitude = model_.components()[k], &noise = model_.multiplied_by(amplitude);
      const double D = noise.plugin->intensity(values_.values[model_.index_of(noise)].data()).value_or(0);
      std::array<double, 2 * most_variables> b{};
      amplitude.plugin->state_functions()->add_forces(at.data(), velocities(at).data(), t, values_.values[k].data(),
                                                      nullptr, b.data());
      State& one = all.emplace_back(State{});
      for (size_t i = 0, velocity = 0; i < n_; ++i) {
        if (!std::isfinite(b[i]))
          fail("{}: amplitude must be a finite number, got {} at {}", subject_of(noise), std::abs(b[i]),
               state_text(at));
        const bool inertial = values_.variables[i].inertial;
        one[inertial ? n_ + velocity : i] = std::sqrt(2 * D) * b[i] / (inertial ? values_.variables[i].mass : 1);
        velocity += inertial ? 1 : 0;
      }
    }
    return all;
  }
  /// "x = 0.3, y = -1"
  std::string state_text(const State& at) const {
    std::string text;
    for (size_t i = 0; i < n_; ++i)
      text += fmt::format("{}{} = {:.4g}", i == 0 ? "" : ", ", model_.variables()[i].name, at[i]);
    return text;
  }
  bool has_fields() const { return !model_.fields().empty(); }
  /// Largest modulus of an eigenvalue, by powers: the mean growth over some of them, an even number since coordinates
  /// of unlike units take turns. No more than any norm.
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
  /// The coordinate that Levy noise moves.
  size_t place(const Jumps& one) const {
    return values_.variables[one.variable].inertial ? place_of_velocity(values_, one.variable) : one.variable;
  }
  /// The largest of some distances, in units, over which the rates change as over all smaller ones: where their
  /// structures are far smaller than a unit, as in SI, no larger distance sees them. Differences of a few units in the
  /// last place of a rate say nothing.
  double nearness(const State& at, double t, size_t j) const {
    constexpr size_t count = 14;
    constexpr double digits = 1e3 * std::numeric_limits<double>::epsilon(), alike = 0.05;
    const double unit_here = std::max(unit(j), std::abs(at[j]) * 1e-3);
    std::array<State, count> slope{};
    std::array<std::array<bool, 2 * most_variables>, count> resolved{};
    size_t looked = 0;
    for (double h = largest_nearness * unit_here; looked < count && h > 1e-10 * std::abs(at[j]); ++looked, h /= 10) {
      State up = at, down = at;
      up[j] += h, down[j] -= h;
      up = rate(up, t, at), down = rate(down, t, at);
      for (size_t i = 0; i < size_; ++i) {
        slope[looked][i] = (up[i] - down[i]) / (2 * h);
        resolved[looked][i] = std::abs(up[i] - down[i]) > digits * std::max(std::abs(up[i]), std::abs(down[i]));
      }
    }
    size_t nearest = 0;
    for (size_t i = 0; i < size_; ++i) {
      const auto agree = [&](size_t k) {  // with the next smaller distance
        const double a = slope[k][i], b = slope[k + 1][i];
        return resolved[k][i] && resolved[k + 1][i] && std::abs(a - b) <= alike * std::max(std::abs(a), std::abs(b));
      };
      size_t k = looked;
      while (k > 1 && !agree(k - 2)) --k;
      if (k < 2) continue;
      for (k -= 2; k > 0 && agree(k - 1);) --k;
      nearest = std::max(nearest, k);
    }
    return largest_nearness * std::pow(10.0, -static_cast<double>(nearest));
  }

  static constexpr double largest_nearness = 1e-5, largest_jump = 10;
  const Model& model_;
  const ModelValues& values_;
  size_t n_, size_ = 0;
  std::vector<size_t> amplitudes_;
  std::vector<Jumps> jumps_;
  State nearness_{};
  std::array<double, most_variables> variance_{}, push_{};
  double sign_ = 0;
  State deviation_{};
};

}  // namespace bmsim::short_paths
