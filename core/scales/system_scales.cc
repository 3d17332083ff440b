#include "scales/system_scales.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <optional>
#include <random>

#include "matrices.h"
#include "model/sampled.h"
#include "model/structure.h"
#include "model/walls.h"
#include "numbers.h"
#include "scales/amplitude_jumps.h"
#include "scales/hidden_states.h"
#include "scales/rate_humps.h"
#include "scales/short_events.h"
#include "scales/short_jumps.h"

namespace bmsim {

using namespace short_paths;

namespace {

constexpr size_t paths = 6, steps = 48;
constexpr size_t first_steps = 4;  // that tell whether two places move alike
// Where the motion depends on time: paths through all times, steps in which they settle at each, and steps that count.
constexpr size_t long_paths = 2, settling = 24, later_steps = 4;
// Paths over the whole run, in strides that may be long against the fastest time scale. Time scales that they find
// count if they are shorter, by more than a factor, than those of short paths.
constexpr size_t striding_paths = 4, strides = 256, fewer_strides = 48, strides_with_events = 48,
                 strides_of_fields = 24;
constexpr size_t steps_at_fast = 24;    // short steps where motion is faster than anywhere before
constexpr double highest_climb = 3;     // energy over D
constexpr double beyond_visited = 0.5;  // how far paths may go beyond the region that they visit, part of its width
constexpr size_t few_times = 8;         // at which hidden structure is looked for
constexpr double far_beyond = 10, most_deviations = 3;
constexpr double found_later = 3;       // factor by which time scales of long paths must be shorter to count
constexpr double most_growth = 2;       // of the Jacobian in a long stride
constexpr double longest_alone = 0.9;   // share of the scale of one variable without inertia, which does not oscillate
constexpr double share_of_scale = 0.1;  // of the fastest time scale, in a step of the short paths
constexpr double longest_share = 0.3;   // of the fastest time scale at the end of the step
constexpr size_t steps_alike = 12;      // steps for which derivatives need the same distances
constexpr size_t looks_for_kinks = 24;  // the step after which kinks of amplitudes are looked for again
constexpr double little = 0.01;         // part of a step over which the change of the Jacobian is measured

/// Largest change of an element from one Jacobian to another, as a rate. An element that couples two coordinates counts
/// by how much it changes the rate of their cycle: the root of the product of the pair of elements. counts(i): whether
/// row i counts.
template <class Counts>
double largest_difference(const Motion& motion, const Matrix& a, double size_of_a, const Matrix& b, Counts counts) {
  const double size = std::max(size_of_a, 1e-300);
  double most = 0;
  for (size_t i = 0; i < motion.size(); ++i)
    for (size_t j = 0; counts(i) && j < motion.size(); ++j) {
      const double change = std::abs(a[i][j] - b[i][j]);
      const double pair = change * std::abs(a[j][i]);
      most = std::max(most, i == j ? change : std::min(pair / size, std::sqrt(pair)));
    }
  return most;
}

/// Short paths, and the scales of the states that they visit.
class ShortPaths {
 public:
  ShortPaths(const Model& model, const ModelValues& values, const SystemStart& start, double duration)
      : values_(values), start_(start), free_(model.is_free()), motion_(model, values), events_(model, values) {
    if (!values.smooth || !values.jumps.empty()) jumps_.emplace(values, motion_, duration);
    if (motion_.size() == 1) settling_share_ = longest_alone;
    for (size_t i = 0; i < motion_.variables(); ++i)
      spread_ = std::max(spread_, motion_.deviation(i) / motion_.unit(i));
    for (const Component* walls : model.walls()) walls_.emplace_back(walls->variable, Walls(model, values, *walls));
  }

  /// Begins a new path. sign: of the forces of noises.
  void begin(double sign) {
    motion_.push(sign);
    at_ = {};
    steps_made_ = 0;
    events_in_stride_ = longest_share, last_rate_ = 0;
    for (size_t i = 0; i < motion_.variables(); ++i) {
      at_[i] = start_.x[i] + start_.x_width[i] * uniform_(random_);
      if (values_.variables[i].inertial)
        at_[place_of_velocity(values_, i)] = start_.v[i] + start_.v_width[i] * uniform_(random_);
    }
    keep_within_walls();
    t_ = 0;
    events_.begin(at_, motion_, random_);
    if (blown_.empty()) look_around(), look_for_kinks();
  }
  /// Goes on by `count` steps, or until a time, in steps that are no longer than `longest`. Where nothing else bounds
  /// steps, they have the length `free`. Returns false if the path diverges.
  bool follow(size_t count, double until, double free, double longest) {
    for (size_t step = 0; step < count && t_ < until; ++step)
      if (!make_step(share_of_scale, free, longest, true, t_)) return false;
    return true;
  }
  /// Goes on to a later time, in a few steps with the forces at that time, in which fast motion settles. Returns false
  /// if the path diverges.
  bool settle(double until) {
    const double whole = until - t_;
    for (size_t step = 0; step < settling && t_ < until; ++step)
      if (!make_step(settling_share_, whole, until - t_, false, until)) return false;
    t_ = until;
    events_.go_on(at_, t_, motion_);
    return true;
  }
  /// Goes on until the end of the run, or until the path diverges or goes far beyond where other paths were.
  void stride(double duration, size_t count, const ShortPaths& others) {
    for (size_t left = count; left > 0 && t_ < duration && is_near(others, duration); --left)
      if (!make_stride((duration - t_) / static_cast<double>(left))) return;
  }
  double position() const { return at_[0]; }
  /// Leaves out what costs most: how derivatives change.
  void look_at_rates_only() { rates_only_ = true; }
  /// Adds the scales of a state to which no path need have come.
  void visit(const HiddenStates::Place& place, double t) {
    at_ = place.at, t_ = t;
    const bool of_fields = !place.fields.empty();
    if (of_fields) motion_.hold_fields(at_, place.fields);
    motion_.look_closely(at_, t, of_fields);
    const State rate = motion_.rate(at_, t);
    const Matrix J = motion_.jacobian(at_, t);
    double size = motion_.size_of(J);
    if (of_fields) size = std::max(size, motion_.size_of(motion_.jacobian(at_, t, true)));
    if (std::isfinite(size) && size > 0) note(J, size, at_, rate, share_of_scale / size);
    pushes_at(at_, t, true);
    events_.go_on(at_, t, motion_);
  }
  /// Widens a region to all states whose scales are known.
  void widen(Range& region) const { region.add(visited_); }
  /// The time in which motion or noise crosses a width of one coordinate, or of a mean field, at a state.
  double time_across(const State& state, size_t coordinate, double width, double t) const {
    if (coordinate >= motion_.size())
      return width / motion_.speed_of_field(coordinate - motion_.size(), state, fastest_rates_);
    double speed = 0;
    std::vector<State> pushes;
    attempt([&] {
      speed = std::max(std::abs(motion_.rate(state, t)[coordinate]), fastest_rates_[coordinate]);
      pushes = motion_.blown(state, t);
    });
    return motion_.crossing(coordinate, speed, pushes).time(width);
  }
  std::string text_of(const State& state) const { return motion_.state_text(state); }
  AmplitudeJumps amplitude_jumps_at(const Model& model, const Range& visited, const Range& reach, double t,
                                    bool first) const {
    return amplitude_jumps(model, values_, motion_, visited, reach, fastest_rates_, t, first);
  }
  /// Widens a region to where paths may come later, at most to walls. Periodic variables get their whole period.
  void widen_to_reach(Range& region) const {
    auto& [low, high] = region;
    for (size_t i = 0; i < motion_.size(); ++i) {
      const double more = beyond_visited * (high[i] - low[i]);
      low[i] -= more, high[i] += more;
      if (!free_ && i < motion_.variables() && values_.variables[i].period > 0)
        low[i] = -values_.variables[i].period / 2, high[i] = values_.variables[i].period / 2;
    }
    for (const auto& [variable, walls] : walls_)
      low[variable] = std::max(low[variable], walls.low), high[variable] = std::min(high[variable], walls.high);
  }
  /// duration: of the run.
  SystemScales scales(double duration) const {
    SystemScales scales;
    for (const Oscillation& oscillation : oscillations_) {
      const double rate = std::max(std::abs(oscillation.rates / oscillation.count), 1 / duration);
      scales.keeping_phase = std::min(scales.keeping_phase, std::sqrt(rate * oscillation.count / oscillation.cubes));
    }
    if (any_leading_ && !leading_changes_)
      scales.leading_rate = leading_.real(), scales.leading_omega = leading_.imag();
    if (events_.highest_rate() > 0) scales.waiting = 1 / events_.highest_rate();
    scales.between = events_.between();
    const RateHumps humps = rate_humps(values_, motion_, events_, fastest_rates_);
    scales.over_rate = humps.over_rate, scales.resolving = humps.resolving;
    if (fastest_ > 0) scales.relaxing = 1 / fastest_;
    if (crossing_ > 0) scales.crossing = fastest_ / crossing_;
    if (jumps_) {
      scales.pressing = jumps_->pressing(), scales.reversing = jumps_->turning(), scales.halting = jumps_->halting();
      scales.own_jumps = jumps_->own();
    }
    scales.kinks = 1 / kink_rate_, scales.kinks_of_velocities = 1 / kink_rate_of_velocities_;
    if (blurring_rate_ > 0) scales.blurring = 1 / blurring_rate_;
    for (const Blown& blown : blown_) {
      double range = 0, size = 0;
      for (size_t i = 0; i < motion_.size(); ++i) {
        range += std::pow(blown.range.width(i) / motion_.unit(i), 2);
        size += std::pow(std::max(std::abs(blown.range.high[i]), std::abs(blown.range.low[i])) / motion_.unit(i), 2);
      }
      if (std::sqrt(range) > little_change * std::sqrt(size))
        scales.averaging = std::min(scales.averaging, std::sqrt(range) / (2 * blown.bend));
    }
    if (turning_rate_ > 0) scales.turning = 1 / turning_rate_;
    if (spreading_ > 0) scales.diffusing = fastest_ * fastest_ / spreading_;
    for (size_t i = 0; i < motion_.size(); ++i) {
      const double range = rates_.width(i);
      if (bent_by_motion_[i] > 0) scales.bending = std::min(scales.bending, range / bent_by_motion_[i]);
      if (bent_by_noise_[i] > 0) scales.bending = std::min(scales.bending, range * range / bent_by_noise_[i]);
    }
    if (fastest_ > 0)
      scales.bending = std::max(scales.bending, share_of_scale / fastest_);  // paths may not go beyond it
    scales.speed = speed_;
    scales.spread = spread_;
    for (size_t i = 0; i < motion_.size(); ++i) scales.extents.push_back({fastest_rates_[i], farthest_[i]});
    return scales;
  }

 private:
  /// A step of a share of the fastest time scale, with the forces at a time. seen: whether the scales count.
  bool make_step(double share, double free, double longest, bool seen, double time) {
    if (steps_made_++ % steps_alike == 0) motion_.look_closely(at_, time);
    const State rate = motion_.rate(at_, time);
    const Matrix J = motion_.jacobian(at_, time);
    double size = motion_.size_of(J);
    if (motion_.has_fields()) size = std::max(size, motion_.size_of(motion_.jacobian(at_, time, true)));
    if (!std::isfinite(size)) return false;  // the run itself reports divergence
    double dt = std::min(size > 0 ? share / size : free, longest);
    const State now = at_;
    State increments{};
    for (size_t i = 0; i < motion_.size(); ++i) increments[i] = motion_.deviation(i) * normal_(random_);
    const auto move = [&](double h) {
      for (size_t i = 0; i < motion_.size(); ++i) at_[i] = now[i] + rate[i] * h + std::sqrt(h) * increments[i];
      keep_within_walls();
    };
    // Where an eigenvalue happens to be small, a step chosen by it alone would end where it is large.
    for (int halving = 0; halving < 30; ++halving, dt /= 2) {
      move(dt);
      if (motion_.size_of(motion_.jacobian(at_, time)) * dt <= std::max(share, longest_share)) break;
    }
    const std::vector<State> pushes = pushes_at(now, time);
    if (jumps_) jumps_->look(now, at_, time, dt, pushes);
    if (seen) note(J, size, now, rate, dt);
    if (steps_made_ == looks_for_kinks) look_for_kinks();
    if (seen && steps_made_ % steps_alike == 1) {  // at every twelfth state: these take long
      note_oscillations(J);
      note_turning(J, now, time);
    }
    for (const State& push : pushes) {
      const double normal_number = normal_(random_) * std::sqrt(dt);
      for (size_t i = 0; i < motion_.size(); ++i) at_[i] += push[i] * normal_number;
    }
    keep_within_walls();
    t_ += dt;
    events_.pass(at_, t_, dt, motion_, random_);
    keep_within_walls();
    return finite();
  }
  /// A stride by Euler's method. It is linearly implicit where h is long against the fastest time scale: fast variables
  /// then follow slow ones, as long as rates are about linear, and nothing grows. A stride that ends where motion is
  /// much faster is made shorter.
  bool make_stride(double h) {
    if (steps_made_++ % steps_alike == 0) motion_.look_closely(at_, t_);
    const State now = at_, rate = motion_.rate(now, t_);
    const Matrix J = motion_.jacobian(now, t_);
    const double size = motion_.size_of(J), fastest = fastest_;
    if (!std::isfinite(size)) return false;
    const auto n = static_cast<Eigen::Index>(motion_.size());
    State noise{};
    for (size_t i = 0; i < motion_.size(); ++i) noise[i] = motion_.deviation(i) * normal_(random_);
    const std::vector<State> pushes = pushes_at(now, t_);
    for (const State& push : pushes) {
      const double normal_number = normal_(random_);
      for (size_t i = 0; i < motion_.size(); ++i) noise[i] += push[i] * normal_number;
    }
    note(J, size, now, rate, size > 0 ? std::min(h, share_of_scale / size) : h);
    if (size > most_growth * fastest && fastest > 0) return follow(steps_at_fast, t_ + h, h, h);
    if (h * size > longest_share) h = std::min(h, longest_share / growth_of(J));
    // Events come one by one, except where they have come so often for some strides that they hardly change the path.
    const double rate_of_events = events_.rate_at(now, t_, motion_);
    if (rate_of_events * h > longest_share) {
      const bool alike = rate_of_events <= 2 * last_rate_ && last_rate_ <= 2 * rate_of_events;
      events_in_stride_ = alike ? 2 * events_in_stride_ : longest_share;
      h = std::min(h, events_in_stride_ / rate_of_events);
    } else {
      events_in_stride_ = longest_share;
    }
    last_rate_ = rate_of_events;
    for (int halving = 0; halving < 30; ++halving, h /= 2) {
      Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(n, n);
      Eigen::VectorXd change(n);
      const State jumps = motion_.jumps(h, random_);
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto k = static_cast<size_t>(i);
        change(i) = h * rate[k] + std::sqrt(h) * noise[k] + jumps[k];
        for (Eigen::Index j = 0; h * size > longest_share && j < n; ++j)
          matrix(i, j) -= h * J[k][static_cast<size_t>(j)];
      }
      change = matrices::Lu<Eigen::MatrixXd>(matrix).solve(change);
      for (size_t i = 0; i < motion_.size(); ++i) at_[i] = now[i] + change(static_cast<Eigen::Index>(i));
      keep_within_walls();
      if (!finite()) continue;
      const double there = motion_.size_of(motion_.jacobian(at_, t_));
      const bool slow = there <= most_growth * std::max(size, longest_share / h), implicit = h * size > longest_share;
      if (implicit ? slow && is_linear(J, rate, now, at_)
                   : (slow || noise_climbs_to(at_, there, h)) && is_linear(J, rate, now, motion_.moved(now, rate, h)))
        break;
    }
    if (jumps_ && finite()) jumps_->look(now, at_, t_, h, pushes);
    t_ += h;
    if (finite()) events_.pass(at_, t_, h, motion_, random_);
    return finite();
  }
  void note(const Matrix& J, double size, const State& now, const State& rate, double dt) {
    fastest_ = std::max(fastest_, size);
    visited_.add(now), rates_.add(rate);
    for (size_t i = 0; i < motion_.size(); ++i) {
      farthest_[i] = std::max(farthest_[i], std::abs(now[i]));
      fastest_rates_[i] = std::max(fastest_rates_[i], std::abs(rate[i]));
    }
    for (size_t i = 0; i < motion_.variables(); ++i) speed_ = std::max(speed_, std::abs(rate[i]) / motion_.unit(i));
    if (!rates_only_) note_changes(J, now, rate, dt);
  }
  /// Notes changes of the Jacobian: per unit of time by the motion, and per root of time by the noise of every
  /// coordinate. Where a little motion changes it by far more than a whole step does, a force bends: see note_bend.
  void note_changes(const Matrix& J, const State& now, const State& rate, double dt) {
    constexpr double abrupt = 10, curved = 3;  // rate of change in a little motion, over that in a step
    constexpr double lasting = 0.3;            // part of the change in a little motion that is left after a step
    const auto is_bend = [&](double nearby, double whole) {
      return nearby > abrupt * whole && whole > lasting * little * nearby;
    };
    const double size = motion_.size_of(J);
    const auto moved = [&](const State& by, double part) { return motion_.jacobian(motion_.moved(now, by, part), t_); };
    const auto by_all = [&](const State& by, double part) {
      return largest_difference(motion_, J, size, moved(by, part), [](size_t) { return true; }) / part;
    };
    State by_motion = rate, by_noise{};
    for (size_t i = 0; i < motion_.size(); ++i) {
      by_motion[i] *= dt;
      by_noise[i] = motion_.deviation(i) * std::sqrt(dt);
    }
    double crossed = by_all(by_motion, little) / dt;
    if (crossed > crossing_) {
      const double whole = std::max(by_all(by_motion, 0.5), by_all(by_motion, 1)) / dt;
      if (is_bend(crossed, whole)) {
        note_bend(J, moved(by_motion, little), rate);
        crossed = 0;
      }
      crossed = std::min(crossed, curved * whole);
    }
    const auto along = [&](size_t k) {
      State by{};
      by[k] = by_noise[k];
      return by;
    };
    // The largest change by the noise of each coordinate, over the part of the noise.
    const auto by_each = [&](std::initializer_list<double> parts) {
      State most{};
      for (const auto& group : motion_.groups()) {
        State by{};
        for (const size_t k : group) by[k] = by_noise[k];
        if (std::ranges::all_of(group, [&](size_t k) { return by[k] == 0; })) continue;
        for (const double part : parts) {
          const Matrix there = moved(by, part);
          for (const size_t k : group)
            if (by[k] != 0)
              most[k] = std::max(most[k], largest_difference(motion_, J, size, there, [&](size_t i) {
                                            return motion_.depends(i, k);
                                          }) / part);
        }
      }
      return most;
    };
    const auto sum_of_squares = [&](const State& changes) {
      double sum = 0;
      for (size_t k = 0; k < motion_.size(); ++k) sum += std::pow(changes[k], 2) / dt;
      return sum;
    };
    State changes = by_each({little});
    if (sum_of_squares(changes) > spreading_) {
      const State whole = by_each({0.5, 1});
      for (size_t k = 0; k < motion_.size(); ++k) {
        const bool bends = is_bend(changes[k], whole[k]);
        if (bends) note_bend(J, moved(along(k), little), {});
        changes[k] = bends ? 0 : std::min(changes[k], curved * whole[k]);
      }
    }
    const double spread = sum_of_squares(changes);
    if (std::isfinite(crossed)) crossing_ = std::max(crossing_, crossed);
    if (std::isfinite(spread)) spreading_ = std::max(spreading_, spread);
  }
  /// At a bend the Jacobian jumps: a bend has no length of its own. Its effect on a force grows with the distance. The
  /// force changes by its own size at a distance of its size over the jump. rate: that of a path that passes the bend;
  /// 0 if noise takes the path there.
  void note_bend(const Matrix& J, const Matrix& beyond, const State& rate) {
    for (size_t i = 0; i < motion_.size(); ++i) {
      double by_motion = 0, by_noise = 0;
      for (size_t j = 0; j < motion_.size(); ++j) {
        if (i != j && J[j][i] == 0 && beyond[j][i] == 0) continue;
        by_motion += (beyond[i][j] - J[i][j]) * rate[j];
        by_noise += std::pow((beyond[i][j] - J[i][j]) * motion_.deviation(j), 2);
      }
      if (std::isfinite(by_motion)) bent_by_motion_[i] = std::max(bent_by_motion_[i], std::abs(by_motion));
      if (std::isfinite(by_noise)) bent_by_noise_[i] = std::max(bent_by_noise_[i], by_noise);
    }
  }
  void note_oscillations(const Matrix& J) {
    constexpr double alike = 1e-6;
    std::vector<std::complex<double>> oscillating;
    std::complex<double> leading = -infinity;
    for (const std::complex<double>& eigenvalue : eigenvalues_of(J)) {
      if (eigenvalue.imag() > std::abs(eigenvalue.real())) oscillating.push_back(eigenvalue);
      if (eigenvalue.imag() >= 0 && eigenvalue.real() > leading.real()) leading = eigenvalue;
    }
    if (any_leading_ && !(std::abs(leading - leading_) <= alike * std::abs(leading_))) leading_changes_ = true;
    leading_ = leading, any_leading_ = true;
    std::ranges::sort(oscillating, std::ranges::greater(),
                      [](const std::complex<double>& eigenvalue) { return eigenvalue.imag(); });
    if (oscillations_.size() < oscillating.size()) oscillations_.resize(oscillating.size());
    for (size_t k = 0; k < oscillating.size(); ++k) {
      Oscillation& sum = oscillations_[k];
      sum.cubes += std::pow(oscillating[k].imag(), 3), sum.rates += oscillating[k].real(), sum.count += 1;
    }
  }
  /// Differences that noise makes in a time t are proportional to the root of t. After another t they reach the
  /// coordinates that the amplitude reads. So the time is that at which the derivative of the noise, times the
  /// Jacobian, times t^(3/2) is of order 1.
  void note_turning(const Matrix& J, const State& now, double time) {
    if (!walls_.empty()) return;  // beyond walls amplitudes may be undefined, and there are no tangent vectors
    const std::vector<State> pushes = motion_.blown(now, time);
    std::vector<Matrix> slopes(pushes.size());
    for (size_t j = 0; j < motion_.size() && !pushes.empty(); ++j) {
      const double h = 1e-4 * motion_.unit(j);
      State there = now;
      there[j] += h;
      const std::vector<State> after = motion_.blown(there, time);
      for (size_t k = 0; k < pushes.size(); ++k)
        for (size_t i = 0; i < motion_.size(); ++i) slopes[k][i][j] = (after[k][i] - pushes[k][i]) / h;
    }
    for (const Matrix& slope : slopes) {
      Matrix turns{};
      for (size_t i = 0; i < motion_.size(); ++i)
        for (size_t j = 0; j < motion_.size(); ++j)
          for (size_t k = 0; k < motion_.size(); ++k) turns[i][j] += slope[i][k] * J[k][j];
      const double size = motion_.size_of(turns);
      if (std::isfinite(size)) turning_rate_ = std::max(turning_rate_, std::pow(size, 2.0 / 3));
    }
  }
  /// Notes amplitudes where the noise that they multiply may take paths.
  void look_around() {
    constexpr int looks = 32;  // to each side
    const std::vector<State> pushes = motion_.blown(at_, t_);
    blown_.resize(pushes.size());
    for (size_t k = 0; k < pushes.size(); ++k) {
      double size = 0, reach = 3;  // in units
      for (size_t i = 0; i < motion_.size(); ++i) {
        size = std::max(size, std::abs(pushes[k][i]) / motion_.unit(i));
        if (i < motion_.variables() && values_.variables[i].period > 0 && pushes[k][i] != 0) reach = 0.5;
      }
      if (!(size > 0)) continue;
      for (int j = -looks; j <= looks; ++j) {
        const State there = motion_.moved(at_, pushes[k], reach * j / looks / size);
        const auto is_beyond = [&](const std::pair<size_t, Walls>& walled) {
          const auto& [variable, walls] = walled;
          return there[variable] < walls.low || there[variable] > walls.high;
        };
        if (std::ranges::any_of(walls_, is_beyond)) continue;
        attempt([&] { blown_[k].range.add(motion_.blown(there, t_)[k]); });
      }
    }
  }
  /// Notes the largest kink of every amplitude there, along its own push.
  void look_for_kinks() {
    constexpr int looks = 64;
    constexpr size_t most = 4;  // bends that are looked at
    const std::vector<State> pushes = motion_.blown(at_, t_);
    for (size_t k = 0; k < pushes.size(); ++k) {
      double square = 0, reach = 3;  // in units
      size_t moved = 0;
      for (size_t i = 0; i < motion_.size(); ++i) {
        square += std::pow(pushes[k][i] / motion_.unit(i), 2);
        if (pushes[k][i] != 0) moved = i;
        if (i < motion_.variables() && values_.variables[i].period > 0 && pushes[k][i] != 0) reach = 0.5;
      }
      if (!(square > 0)) continue;
      // The amplitude where constant noise would take the path, over the amplitude at the state.
      const auto amplitude = [&](double noise) {
        const State push = motion_.blown(motion_.moved(at_, pushes[k], noise), t_)[k];
        double along = 0;
        for (size_t i = 0; i < motion_.size(); ++i) along += push[i] * pushes[k][i] / std::pow(motion_.unit(i), 2);
        return along / square;
      };
      double low = -reach / std::sqrt(square), high = -low;
      for (const auto& [variable, walls] : walls_) {
        const double push = pushes[k][variable];
        if (push == 0) continue;
        const double a = (walls.low - at_[variable]) / push, b = (walls.high - at_[variable]) / push;
        low = std::max(low, std::min(a, b)), high = std::min(high, std::max(a, b));
      }
      struct Bend {
        double change, at;
      };
      std::vector<Bend> bends;
      const double h = (high - low) / looks;
      attempt([&] {  // the amplitude need not be defined everywhere
        double before = amplitude(low), slope_before = 0;
        for (int j = 1; j <= looks; ++j) {
          const double here = amplitude(low + j * h), slope = (here - before) / h;
          if (j > 1) bends.push_back({std::abs(slope - slope_before), low + j * h});
          before = here, slope_before = slope;
        }
        std::ranges::sort(bends, std::greater(), &Bend::change);
        double& rate = moved < motion_.variables() ? kink_rate_ : kink_rate_of_velocities_;
        for (size_t j = 0; j < std::min(most, bends.size()) && bends[j].change > 0; ++j)
          rate = std::max(rate, std::pow(kink_in(amplitude, bends[j].at - 2 * h, bends[j].at, bends[j].change), 2));
      });
    }
  }
  /// How pushes by noise with amplitudes at a state change there; returns these pushes.
  std::vector<State> pushes_at(const State& now, double time, bool closely = false) {
    std::vector<State> pushes = motion_.blown(now, time);
    for (size_t k = 0; k < pushes.size(); ++k) {
      // The second derivative of the push along itself; the caller takes the straighter side of a kink.
      const auto bend_along = [&](double h) {
        const auto at = [&](double part) { return motion_.blown(motion_.moved(now, pushes[k], part), time)[k]; };
        const State near = at(h), far = at(2 * h);
        double bend = 0;
        for (size_t i = 0; i < motion_.size(); ++i)
          bend += std::pow((pushes[k][i] - 2 * near[i] + far[i]) / (h * h) / motion_.unit(i), 2);
        return std::sqrt(bend);
      };
      if (blown_.size() <= k) blown_.resize(pushes.size());
      blown_[k].range.add(pushes[k]);
      attempt([&] {  // the amplitude need not be defined near by
        constexpr double apart = 1e-3;
        blown_[k].bend = std::max(blown_[k].bend, std::min(bend_along(apart), bend_along(-apart)));
      });
      // The squared rate at which the push changes along itself: (b d/dz) b over b. At a jump the smaller side counts.
      const auto change_along = [&](double h) {
        const State after = motion_.blown(motion_.moved(now, pushes[k], h), time)[k];
        double change = 0;
        for (size_t i = 0; i < motion_.size(); ++i)
          change += std::pow((after[i] - pushes[k][i]) / h / motion_.unit(i), 2);
        return change;
      };
      double change = 0, push = 0;
      for (double h = 1e-4; h > (closely ? 1e-9 : 1e-5); h /= 100) {
        double there = change_along(h);
        if (motion_.jumps_with_amplitude(k)) there = std::min(there, change_along(-h));
        change = std::max(change, there);
      }
      for (size_t i = 0; i < motion_.size(); ++i) push += std::pow(pushes[k][i] / motion_.unit(i), 2);
      if (push > 0) blurring_rate_ = std::max(blurring_rate_, change / push);
      for (size_t i = 0; i < motion_.variables(); ++i)
        spread_ = std::max(spread_, std::abs(pushes[k][i]) / motion_.unit(i));
    }
    return pushes;
  }
  /// Whether a path is not far beyond the places of other paths, and of free diffusion in the run. A path that is may
  /// have passed what paths of the run do not pass, or may never come back.
  bool is_near(const ShortPaths& others, double duration) const {
    for (size_t i = 0; i < motion_.size(); ++i) {
      if (i < motion_.variables() && values_.variables[i].period > 0) continue;
      const double diffused = std::sqrt(motion_.variance(i, duration) * duration);
      if (std::abs(at_[i]) > std::max(far_beyond * others.farthest_[i], most_deviations * diffused)) return false;
    }
    return true;
  }
  /// Largest real part of an eigenvalue, but at least 1e-300.
  double growth_of(const Matrix& J) const { return std::max(eigenvalues_of(J).real().maxCoeff(), 1e-300); }
  Eigen::VectorXcd eigenvalues_of(const Matrix& J) const {
    const auto n = static_cast<Eigen::Index>(motion_.size());
    Eigen::MatrixXd matrix(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) matrix(i, j) = J[static_cast<size_t>(i)][static_cast<size_t>(j)];
    return matrices::eigenvalues(matrix);
  }
  /// Whether rates change from one state to another about as the Jacobian says.
  bool is_linear(const Matrix& J, const State& rate, const State& from, const State& to) const {
    const State there = motion_.rate(to, t_);
    for (size_t i = 0; i < motion_.size(); ++i) {
      double linear = rate[i], size = std::abs(rate[i]);
      for (size_t j = 0; j < motion_.size(); ++j) {
        linear += J[i][j] * (to[j] - from[j]);
        size += std::abs(J[i][j] * (to[j] - from[j]));
      }
      if (!(std::abs(there[i] - linear) <= size / 2)) return false;
    }
    return true;
  }
  /// Whether noise takes paths up to a state with these forces. The squared force over its slope is about an energy;
  /// noise reaches it if it is not far above D.
  bool noise_climbs_to(const State& at, double slope, double h) const {
    const State rate = motion_.rate(at, t_);
    bool noisy = false;
    for (size_t i = 0; i < motion_.size(); ++i) {
      const double variance = motion_.variance(i, h);
      noisy = noisy || variance > 0;
      if (variance > 0 && rate[i] * rate[i] > 2 * highest_climb * variance * slope) return false;
    }
    return noisy;
  }
  bool finite() const {
    for (size_t i = 0; i < motion_.size(); ++i)
      if (!std::isfinite(at_[i])) return false;
    return true;
  }
  /// Mirrors a path at walls, and turns its velocity round.
  void keep_within_walls() {
    for (const auto& [variable, walls] : walls_)
      if (walls.mirror(at_[variable]) && values_.variables[variable].inertial) {
        double& v = at_[place_of_velocity(values_, variable)];
        v = -v;
      }
  }

  const ModelValues& values_;
  const SystemStart& start_;
  bool rates_only_ = false;
  bool free_;  ///< whether the model is free, so that periods fold nothing
  Motion motion_;
  ShortEvents events_;
  std::optional<ShortJumps> jumps_;              ///< only if rates may jump
  std::vector<std::pair<size_t, Walls>> walls_;  ///< each with its variable
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
  State at_{};                          ///< the present state
  State farthest_{}, fastest_rates_{};  ///< largest sizes and rates of change so far
  Range visited_;
  Range rates_{State{}, State{}};             ///< so far, and 0
  State bent_by_motion_{}, bent_by_noise_{};  ///< at bends: change of a rate over time; its variance over time squared
  struct Oscillation {
    double cubes = 0, rates = 0, count = 0;  // sums of omega^3 and real parts, over states
  };
  std::vector<Oscillation> oscillations_;  ///< from the fastest one
  std::complex<double> leading_ = 0;       ///< eigenvalue with the largest real part, imaginary part >= 0
  bool any_leading_ = false, leading_changes_ = false;
  /// Pushes by a noise with an amplitude: so far, and how they bend along themselves.
  struct Blown {
    Range range;
    double bend = 0;
  };
  std::vector<Blown> blown_;  ///< by noise
  size_t steps_made_ = 0;
  double events_in_stride_ = longest_share, last_rate_ = 0;
  double t_ = 0, settling_share_ = longest_share;
  double crossing_ = 0, spreading_ = 0, blurring_rate_ = 0, kink_rate_ = 0, kink_rate_of_velocities_ = 0,
         turning_rate_ = 0, fastest_ = 0, speed_ = 0, spread_ = 0;
};

/// Adds humps of rates of events, which count wherever they are met.
void add_rates(const SystemScales& seen, SystemScales& scales) {
  for (const auto scale : {&SystemScales::over_rate, &SystemScales::resolving})
    scales.*scale = std::min(scales.*scale, seen.*scale);
}

/// Adds motion that paths over the whole run meet, if it is far faster than that of short paths. In models with events,
/// which would have to be followed more closely, only rates count. A path that is its own mean field runs away where
/// all paths together do not: with mean fields, one path shows how far paths may go, and nothing else. How fast noise
/// changes its own amplitude does not count, since it often has no bound, as for sqrt(x) near 0.
void add_later(const Model& model, const ModelValues& values, const SystemStart& start, double duration, size_t count,
               const ShortPaths& others, SystemScales& scales, Range& region) {
  if (!std::isfinite(duration)) return;
  if (!model.fields().empty()) {
    ShortPaths path(model, values, start, duration);
    path.look_at_rates_only();
    path.begin(1);
    attempt([&] { path.stride(duration, strides_of_fields, others); });
    path.widen(region);
    return;
  }
  const bool events = !model.events().empty();
  const auto changes = [&](const Component* event) { return has_changing_rate(*event, state_size(values)); };
  if (events && std::ranges::none_of(model.events(), changes)) return;
  if (events) count = std::min(count, strides_with_events);
  ShortPaths striding(model, values, start, duration);
  if (events) striding.look_at_rates_only();
  for (size_t path = 0; path < (events ? long_paths : striding_paths); ++path) {
    striding.begin(path % 2 == 0 ? 1 : -1);
    attempt([&] { striding.stride(duration, count, others); });
  }
  striding.widen(region);
  const SystemScales later = striding.scales(duration);
  if (later.waiting < scales.waiting / found_later) scales.waiting = later.waiting;
  add_rates(later, scales);
  if (events) return;
  for (const auto scale :
       {&SystemScales::relaxing, &SystemScales::crossing, &SystemScales::diffusing, &SystemScales::bending})
    if (later.*scale < scales.*scale / found_later) scales.*scale = later.*scale;
  scales.pressing = std::min(scales.pressing, later.pressing);
  scales.reversing = std::min(scales.reversing, later.reversing);
  scales.halting = std::min(scales.halting, later.halting);
  for (const OwnJump& jump : later.own_jumps) {
    const double room = region.width(jump.variable);
    const auto is_same = [&](const OwnJump& known) {
      return known.variable == jump.variable && std::abs(known.x - jump.x) <= 1e-6 * room;
    };
    if (std::ranges::none_of(scales.own_jumps, is_same)) scales.own_jumps.push_back(jump);
  }
}

/// Adds the scales of structure that lies between the states that paths visit, where paths may have missed it.
void add_hidden(const Model& model, const ModelValues& values, const SystemStart& start, double duration,
                std::span<const double> times, ShortPaths& followed, Range region, SystemScales& scales) {
  followed.widen(region);
  const Range of_paths = region;
  followed.widen_to_reach(region);
  for (size_t i = 0; i < scales.extents.size(); ++i)
    scales.extents[i].low = region.low[i], scales.extents[i].high = region.high[i];
  ShortPaths alone(model, values, start, duration);
  bool any_visited = false, any_alone = false;
  const auto visit = [](ShortPaths& visitors, const HiddenStates::Place& place, double t) {
    return attempt([&] { visitors.visit(place, t); });
  };
  const auto kinds = {&SystemScales::relaxing, &SystemScales::crossing, &SystemScales::diffusing,
                      &SystemScales::blurring, &SystemScales::waiting};
  const auto add_faster = [&](const SystemScales& hidden, double factor) {
    for (const auto scale : kinds)
      if (hidden.*scale < scales.*scale / factor) scales.*scale = hidden.*scale;
    add_rates(hidden, scales);
  };
  // A place with values of mean fields that paths at its state do not have is visited by itself.
  const auto visit_fields = [&](const HiddenStates::Place& place, double t, double factor) {
    ShortPaths there(model, values, start, duration);
    if (!visit(there, place, t)) return;
    const SystemScales hidden = there.scales(duration);
    add_faster(hidden, factor);
    scales.speed = std::max(scales.speed, hidden.speed), scales.spread = std::max(scales.spread, hidden.spread);
  };
  double between = infinity;
  AmplitudeJumps jumps;
  for (size_t i = 0; i < times.size(); i += 1 + times.size() / few_times) {
    const HiddenStates hidden = hidden_states(model, values, region, times[i]);
    for (const HiddenStates::Place& place : hidden.found)
      if (place.fields.empty()) {
        any_visited |= visit(followed, place, times[i]);
        any_alone |= visit(alone, place, times[i]);
      } else {
        visit_fields(place, times[i], 1);
      }
    for (const HiddenStates::Place& place : hidden.at_samples)
      if (place.fields.empty())
        any_alone |= visit(alone, place, times[i]);
      else
        visit_fields(place, times[i], found_later);
    for (const auto& window : hidden.windows)
      between = std::min(between, followed.time_across(window.at, window.coordinate, window.width, times[i]));
    jumps.add(followed.amplitude_jumps_at(model, of_paths, region, times[i], i == 0));
    const auto note = [&](const Component* unsure, const State& at) {
      if (unsure != nullptr) scales.unsure = formula_of(model, *unsure), scales.unsure_at = followed.text_of(at);
    };
    note(hidden.unsure, hidden.unsure_at);
    if (hidden.doubtful != nullptr) scales.doubtful = formula_of(model, *hidden.doubtful);
    note(jumps.unsure, jumps.unsure_at);
    scales.unsure_of_jumps = jumps.unsure != nullptr;
  }
  scales.sides_of_amplitudes = jumps.sides, scales.sides_beyond = jumps.sides_beyond;
  scales.crossing_of_amplitudes = jumps.crossing, scales.changing_in_pieces = jumps.changing;
  scales.changing_in_wide_pieces = jumps.changing_five;
  scales.pressing = std::min(scales.pressing, jumps.pressing);
  scales.reversing = std::min(scales.reversing, jumps.turning), scales.pushed_in_pieces = jumps.pushed;
  if (any_visited) {
    const SystemScales hidden = followed.scales(duration);
    add_faster(hidden, 1);
    scales.averaging = std::min(scales.averaging, hidden.averaging);
    scales.speed = std::max(scales.speed, hidden.speed), scales.spread = std::max(scales.spread, hidden.spread);
  }
  if (any_alone) {
    const SystemScales hidden = alone.scales(duration);
    add_faster(hidden, found_later);
    scales.hidden_blurring = hidden.blurring;
  }
  if (between < scales.between / found_later) scales.between = between;
}

}  // namespace

SystemScales scales_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration,
                       std::span<const double> times, bool closely) {
  ShortPaths followed(model, values, start, duration);
  for (size_t path = 0; path < paths; ++path) {
    followed.begin(path % 2 == 0 ? 1 : -1);
    followed.follow(steps, duration, duration / steps, duration / 4);
  }
  for (size_t path = 0; path < long_paths && times.size() > 1; ++path) {
    followed.begin(path % 2 == 0 ? 1 : -1);
    for (size_t i = 0; i < times.size() && followed.settle(times[i]); ++i) {
      const double next = i + 1 < times.size() ? times[i + 1] : duration;
      const double longest = std::max(next - times[i], 1e-6 * duration) / (4 * later_steps);
      if (!followed.follow(later_steps, infinity, longest, longest)) break;
    }
  }
  SystemScales scales = followed.scales(duration);
  Range region;
  add_later(model, values, start, duration, closely ? strides : fewer_strides, followed, scales, region);
  add_hidden(model, values, start, duration, times, followed, region, scales);
  return scales;
}

SystemScales first_scales_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration) {
  ShortPaths followed(model, values, start, duration);
  for (const double sign : {1, -1}) {
    followed.begin(sign);
    followed.follow(first_steps, duration, duration / steps, duration / 4);
  }
  return followed.scales(duration);
}

std::vector<std::pair<double, double>> positions_at(const Model& model, const ModelValues& values,
                                                    std::pair<double, double> starts, std::span<const double> times) {
  const auto [from, to] = starts;
  std::vector<std::pair<double, double>> ranges(times.size(), {infinity, -infinity});
  for (const double x : {from, (from + to) / 2, to}) {
    const SystemStart start{{x}, {0}, {0}, {0}};
    ShortPaths path(model, values, start, times.back());
    path.begin(1);
    double last = x;
    bool finite = true;
    for (size_t i = 0; i < times.size(); ++i) {
      finite = finite && path.settle(times[i]);
      if (finite) last = path.position();
      ranges[i] = {std::min(ranges[i].first, last), std::max(ranges[i].second, last)};
    }
  }
  return ranges;
}

}  // namespace bmsim
