// Jumps of rates on the host's short paths of a system (system_scales.h): the times that a step must resolve there.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "scales/kink_times.h"
#include "scales/short_motion.h"
#include "scales/system_scales.h"

namespace bmsim::short_paths {

/// Looks for jumps of rates between two states of a path. Rates jump across a surface. Its normal tells which noise
/// takes paths through it, and whether rates press paths to it.
class ShortJumps {
 public:
  ShortJumps(const ModelValues& values, const Motion& motion, double duration)
      : values_(values), motion_(motion), duration_(duration) {}

  /// Looks between the states of a path before and after a step. pushes: those by noise with amplitudes.
  void look(const State& from, const State& to, double t, double dt, const std::vector<State>& pushes) {
    constexpr size_t enough = 400;                    // of jumps
    constexpr int halvings = 26, first = 8;           // of the distance: all, and those after which to look again
    constexpr double abrupt = 0.05, remaining = 0.5;  // parts of a change that a jump leaves after halvings
    visited_.add(to);
    if (found_.size() >= enough) return;
    Pair near = {from, to, motion_.rate(from, t), motion_.rate(to, t)};
    step_change_ = changes(near);
    double early = 0;
    for (int halving = 0; halving < halvings; ++halving) {
      if (halving == first && !((early = largest_part(changes(near))) > abrupt)) return;
      halve(near, t);
    }
    const State change = changes(near);
    if (!(largest_part(change) > remaining * early)) return;
    size_t jumping = 0;
    State moved{};
    for (size_t i = 0; i < motion_.size(); ++i) {
      if (part(change[i], step_change_[i]) > part(change[jumping], step_change_[jumping])) jumping = i;
      moved[i] = std::abs(to[i] - from[i]) + std::abs(near.rate_a[i]) * dt + motion_.deviation(i) * std::sqrt(dt);
      for (const State& push : pushes) moved[i] += std::abs(push[i]) * std::sqrt(dt);
    }
    note(near, normal_at(near, from, to, jumping, moved, t), t, pushes);
  }
  /// Shortest D/f^2, or without white noise the shortest time in which other noise takes paths off a jump; INFINITY
  /// without jumps.
  double pressing() const {
    double shortest = infinity;
    for (const Found& jump : found_) {
      if (jump.square_of_v > 0) continue;
      const double square = forces_at_jump(jump.left, jump.right, jump.D / room(jump)).square();
      const double time = jump.D > 0 ? jump.D / square : motion_.time_off_jump(jump.normal, std::sqrt(square));
      if (square > 0 && time > 0) shortest = std::min(shortest, time);
    }
    return shortest;
  }
  /// Shortest turning_time; INFINITY without jumps of accelerations.
  double turning() const {
    double shortest = infinity;
    for (const Found& jump : found_) {
      if (!(jump.square_of_v > 0)) continue;
      const double time = turning_time(forces_at_jump(jump.left, jump.right, jump.square_of_v / room(jump)),
                                       std::sqrt(jump.square_of_v), jump.damping);
      if (time > 0) shortest = std::min(shortest, time);
    }
    return shortest;
  }
  /// Shortest v/f with the thermal velocity v and half of a jump of accelerations as f; INFINITY without such jumps.
  double halting() const {
    double shortest = infinity;
    for (const Found& jump : found_)
      if (jump.square_of_v > 0 && jump.left != jump.right)
        shortest = std::min(shortest, 2 * std::sqrt(jump.square_of_v) / std::abs(jump.left - jump.right));
    return shortest;
  }
  /// Jumps of the rate of a variable at places of its own.
  const std::vector<OwnJump>& own() const { return own_; }

 private:
  /// A jump: rates, or accelerations if square_of_v is not 0, along the normal on both sides.
  struct Found {
    State normal{};
    double left = 0, right = 0, D = 0, square_of_v = 0, damping = 0;
  };
  /// How far paths have been along the normal.
  double room(const Found& jump) const {
    double sum = 0;
    for (size_t i = 0; i < motion_.size(); ++i) sum += std::abs(jump.normal[i]) * visited_.width(i);
    return sum;
  }
  struct Pair {
    State a, b, rate_a, rate_b;
  };
  /// How much every rate changes between two states; 0 if the change is a rounding error.
  State changes(const Pair& pair) const {
    constexpr double digits = 1e3 * std::numeric_limits<double>::epsilon();
    State change{};
    for (size_t i = 0; i < motion_.size(); ++i) {
      change[i] = std::abs(pair.rate_b[i] - pair.rate_a[i]);
      if (!(change[i] > digits * std::max(std::abs(pair.rate_a[i]), std::abs(pair.rate_b[i])))) change[i] = 0;
    }
    return change;
  }
  static double part(double change, double whole) { return whole > 0 ? change / whole : 0; }
  double largest_part(const State& change) const {
    double most = 0;
    for (size_t i = 0; i < motion_.size(); ++i) most = std::max(most, part(change[i], step_change_[i]));
    return most;
  }
  void halve(Pair& near, double t) const {
    State middle{};
    for (size_t i = 0; i < motion_.size(); ++i) middle[i] = (near.a[i] + near.b[i]) / 2;
    const State rate = motion_.rate(middle, t);
    const Pair left = {near.a, middle, near.rate_a, rate}, right = {middle, near.b, rate, near.rate_b};
    near = largest_part(changes(left)) > largest_part(changes(right)) ? left : right;
  }

  /// The normal of the surface, from a's side to b's: inverse distances to the surface along every coordinate, from a
  /// state a little before it. It is 0 along coordinates that do not move far enough to reach the surface. jumping: the
  /// rate that jumps.
  State normal_at(const Pair& near, const State& from, const State& to, size_t jumping, const State& moved,
                  double t) const {
    constexpr double before = 1.0 / 4096, farthest = 1.0 / 16;  // parts of the motion in the step
    constexpr int halvings = 20;
    State begin = near.a;
    for (size_t i = 0; i < motion_.size(); ++i) begin[i] -= before * (to[i] - from[i]);
    const auto is_beyond = [&](size_t i, double distance) {
      State there = begin;
      there[i] += distance;
      const double rate = motion_.rate(there, t)[jumping];
      return std::abs(rate - near.rate_a[jumping]) > std::abs(rate - near.rate_b[jumping]);
    };
    State normal{};
    if (is_beyond(0, 0)) return normal;
    for (size_t i = 0; i < motion_.size(); ++i)
      for (const double direction : {-1, 1}) {
        double inside = 0, outside = farthest * moved[i];
        if (!(outside > 0) || !is_beyond(i, direction * outside)) continue;
        for (int halving = 0; halving < halvings; ++halving) {
          const double middle = (inside + outside) / 2;
          (is_beyond(i, direction * middle) ? outside : inside) = middle;
        }
        normal[i] = direction / outside;
      }
    return normal;
  }

  void note(const Pair& near, const State& normal, double t, const std::vector<State>& pushes) {
    Found found = {normal};
    for (size_t i = 0; i < motion_.size(); ++i) {
      found.left += normal[i] * near.rate_a[i], found.right += normal[i] * near.rate_b[i];
      found.D += normal[i] * normal[i] * motion_.white_variance(i) / 2;
    }
    for (const State& push : pushes) {
      double along = 0;
      for (size_t i = 0; i < motion_.size(); ++i) along += normal[i] * push[i];
      found.D += along * along / 2;
    }
    note_own(near, normal, t, pushes);
    if (found.D > 0 || motion_.time_off_jump(normal, 1) > 0 || note_inertia(near, t, found)) found_.push_back(found);
  }
  /// Notes a surface across one variable without inertia if it is there wherever the other variables are, and at other
  /// times.
  void note_own(const Pair& near, const State& normal, double t, const std::vector<State>& pushes) {
    constexpr size_t most = 64;                             // places
    constexpr double same = 1e-6;                           // part of the room within which places are one
    constexpr double beside = 1e-7, least = 0.1;            // part of the room; part of the jump that is left elsewhere
    constexpr double elsewhere[] = {-0.7, -0.4, 0.3, 0.6};  // parts of their room by which other variables are moved
    size_t i = 0;
    while (i < motion_.variables() && normal[i] == 0) ++i;
    if (i == motion_.variables() || values_.variables[i].inertial) return;
    for (size_t k = i + 1; k < motion_.size(); ++k)
      if (normal[k] != 0) return;
    const bool upwards = normal[i] > 0;
    const double jump = (near.rate_b[i] - near.rate_a[i]) * (upwards ? 1 : -1), room = visited_.width(i);
    if (jump == 0) return;
    OwnJump own_jump = {i, (near.a[i] + near.b[i]) / 2, (upwards ? near.rate_a : near.rate_b)[i],
                        (upwards ? near.rate_b : near.rate_a)[i], motion_.white_variance(i) / 2};
    for (const State& push : pushes) own_jump.D += push[i] * push[i] / 2;
    if (!(own_jump.D > 0)) return;
    for (OwnJump& known : own_) {
      if (known.variable != i || !(std::abs(known.x - own_jump.x) <= same * room)) continue;
      const double part = 1 / ++sightings_[static_cast<size_t>(&known - own_.data())];
      known.left += part * (own_jump.left - known.left), known.right += part * (own_jump.right - known.right);
      known.D += part * (own_jump.D - known.D);
      return;
    }
    if (own_.size() >= most) return;
    for (size_t k = 0; k < std::size(elsewhere); ++k) {
      State below = near.a;
      for (size_t j = 0; j < motion_.size(); ++j)
        if (j != i) below[j] += elsewhere[(k + j) % std::size(elsewhere)] * visited_.width(j);
      State above = below;
      below[i] = own_jump.x - beside * room, above[i] = own_jump.x + beside * room;
      const double when = t + elsewhere[k] * std::min(t, duration_ - t);
      const double there = motion_.rate(above, when)[i] - motion_.rate(below, when)[i];
      if (!(std::abs(there) > least * std::abs(jump))) return;
    }
    own_.push_back(own_jump), sightings_.push_back(1);
  }
  /// Fills in accelerations across a surface between positions. Velocities have the variance that noise and their own
  /// damping give them. Returns whether there is noise; false for other surfaces.
  bool note_inertia(const Pair& near, double t, Found& found) const {
    const Matrix J = motion_.jacobian(near.a, t);
    double noise = 0;
    found.left = found.right = 0;
    for (size_t i = 0; i < motion_.size(); ++i) {
      if (found.normal[i] == 0) continue;
      if (i >= motion_.variables() || !values_.variables[i].inertial) return false;
      const size_t k = place_of_velocity(values_, i);
      found.left += found.normal[i] * near.rate_a[k], found.right += found.normal[i] * near.rate_b[k];
      const double D = std::pow(found.normal[i] * motion_.deviation(k), 2) / 2;
      noise += D, found.square_of_v += D / std::max(-J[k][k], 1 / duration_);
    }
    found.damping = noise / found.square_of_v;
    return noise > 0;
  }

  const ModelValues& values_;
  const Motion& motion_;
  double duration_;
  std::vector<Found> found_;
  std::vector<OwnJump> own_;
  std::vector<double> sightings_;  ///< how often each of own_ was seen
  State step_change_{};            ///< changes of rates over a whole step
  Range visited_;                  ///< states so far
};

}  // namespace bmsim::short_paths
