#include "model/system_scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "error.h"
#include "model/events.h"
#include "model/fields.h"
#include "model/walls.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr size_t paths = 6, steps = 48;
// Where the motion depends on time: paths over all of it, steps in which they settle, and those that are looked at.
constexpr size_t long_paths = 2, settling = 24, later_steps = 4;
constexpr double longest_alone = 0.9;   // share of the scale of one variable without inertia, which does not oscillate
constexpr double share_of_scale = 0.1;  // of the fastest time scale, in a step of the short paths
constexpr double longest_share = 0.3;   // the same, by the scale at the step's end
constexpr double steep = 1e-3;          // part by which a rate changes over 2e-5 of a unit where it may jump
constexpr size_t enough_waits = 48;     // of one event, after which times to zeros are looked for
constexpr double at_zero = 1e-6;        // part of its change in a step up to which a formula is 0
constexpr double little = 0.01;         // part of a step in which the change of the Jacobian is seen

/// Positions, then velocities of the variables with inertia.
typedef std::array<double, 2 * most_variables> State;
typedef std::array<State, 2 * most_variables> Matrix;

size_t place_of_velocity(const ModelValues& values, size_t variable) {
  size_t place = values.variables.size();
  for (size_t i = 0; i < variable; ++i) place += values.variables[i].inertial ? 1 : 0;
  return place;
}

class Motion {
 public:
  Motion(const Model& model, const ModelValues& values) : model_(model), values_(values), n_(values.variables.size()) {
    size_ = n_;
    for (const VariableValues& one : values.variables) size_ += one.inertial ? 1 : 0;
    deviation_.fill(0);
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
  /// Derivatives of the rate. With mean fields: of a path among others that stay; or of all paths together.
  Matrix jacobian(const State& at, double t, bool together = false) const {
    Matrix J{};
    for (size_t j = 0; j < size_; ++j) {
      const double h = 1e-5 * std::max(unit(j), std::abs(at[j]) * 1e-3);
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
  /// Largest modulus of an eigenvalue, by powers; no more than any norm.
  double size_of(const Matrix& J) const {
    State v{};
    for (size_t i = 0; i < size_; ++i) v[i] = 1 + 0.1 * static_cast<double>(i % 3);
    double growth = 0;
    for (int step = 0; step < 24; ++step) {
      State w{};
      double norm = 0;
      for (size_t i = 0; i < size_; ++i) {
        for (size_t j = 0; j < size_; ++j) w[i] += J[i][j] * v[j];
        norm += w[i] * w[i];
      }
      norm = std::sqrt(norm);
      if (!(norm > 0) || !std::isfinite(norm)) return norm > 0 ? norm : growth;
      // the geometric mean of two steps, since rotations of coordinates of unlike units make steps alternate
      double before = 0;
      for (size_t i = 0; i < size_; ++i) before += v[i] * v[i];
      const double factor = norm / std::sqrt(before);
      growth = step == 0 ? factor : std::sqrt(growth * factor);
      for (size_t i = 0; i < size_; ++i) v[i] = w[i] / norm;
    }
    return growth;
  }

 private:
  const Model& model_;
  const ModelValues& values_;
  size_t n_, size_ = 0;
  std::vector<size_t> amplitudes_;
  std::array<double, most_variables> variance_{}, push_{};
  double sign_ = 0;
  State deviation_{};
};

/// The events of a model on the host's short paths: at most one of each kind in a step.
class ShortEvents {
 public:
  ShortEvents(const Model& model, const ModelValues& values) : values_(values) {
    for (const Component* event : model.events()) {
      functions_.emplace_back(model, values, *event);
      names_.push_back(event->name);
    }
    left_.resize(functions_.size()), before_.resize(functions_.size()), last_.resize(functions_.size());
    waited_.resize(functions_.size()), waits_.resize(functions_.size());
  }
  template <class Random> void begin(const State& at, const Motion& motion, Random& random) {
    std::exponential_distribution<double> exponential;
    for (double& one : left_) one = exponential(random);
    for (size_t k = 0; k < functions_.size(); ++k) before_[k] = trigger(k, at, 0, motion), last_[k] = 0;
    from_ = at;
  }
  /// Goes on at a later time. Rates there count as those of a path do.
  void go_on(const State& at, double t, const Motion& motion) {
    for (size_t k = 0; k < functions_.size(); ++k) {
      before_[k] = trigger(k, at, t, motion), last_[k] = t;
      const bool rate = functions_[k].shape().trigger == EventShape::rate;
      if (rate && std::isfinite(before_[k])) highest_ = std::max(highest_, before_[k]);
    }
    from_ = at;
  }
  /// Throws Error for a rate that is negative, or not a number, at a state that is finite.
  template <class Random> void pass(State& at, double t, double dt, const Motion& motion, Random& random) {
    for (size_t k = 0; k < functions_.size(); ++k) {
      const EventShape& shape = functions_[k].shape();
      if (shape.trigger == EventShape::zero) {
        if (!reaches_zero(k, at, t, motion)) continue;
        set(k, at, t, motion, random);
        note_return(k, at, t, motion);
        note_waits(k, at, t, motion);
        continue;
      }
      const double now = trigger(k, at, t, motion);
      if (shape.trigger == EventShape::rate) {
        if (!(now >= -1e-9 * std::max(1.0, highest_)))
          fail("events.{}: rate must be a number >= 0, got {:.4g} at {}, t = {:.4g}", names_[k], now,
               motion.state_text(at), t);
        highest_ = std::max(highest_, now);
      }
      left_[k] -= (shape.trigger == EventShape::interval ? 1 / now : now) * dt;
      if (!(left_[k] <= 0)) continue;
      left_[k] = std::exponential_distribution<double>()(random);
      set(k, at, t, motion, random);
      note_waits(k, at, t, motion);
    }
    from_ = at;
  }
  /// The highest rate so far, and the mean time from an event to one at a zero, by what event that is shortest;
  /// infinite if there was none.
  double highest_rate() const { return highest_; }
  double between() const {
    double shortest = infinity;
    for (size_t k = 0; k < waits_.size(); ++k)
      if (waits_[k] > 0) shortest = std::min(shortest, waited_[k] / static_cast<double>(waits_[k]));
    return shortest;
  }

 private:
  double trigger(size_t k, const State& at, double t, const Motion& motion) const {
    return functions_[k].trigger(at.data(), motion.velocities(at).data(), t);
  }
  template <class Random> void set(size_t k, State& at, double t, const Motion& motion, Random& random) {
    const EventShape& shape = functions_[k].shape();
    std::vector<double> numbers;
    for (const char law : shape.numbers)
      numbers.push_back(law == 'U'   ? std::uniform_real_distribution<double>()(random)
                        : law == 'N' ? std::normal_distribution<double>()(random)
                                     : std::exponential_distribution<double>()(random));
    const std::vector<double> values = functions_[k].values(at.data(), motion.velocities(at).data(), t, numbers);
    for (size_t i = 0; i < values.size(); ++i) at[place_of(shape.targets[i])] = values[i];
  }
  /// Puts a path that has passed a zero since the last step to it.
  bool reaches_zero(size_t k, State& at, double t, const Motion& motion) {
    const EventShape& shape = functions_[k].shape();
    const double before = before_[k], now = trigger(k, at, t, motion);
    before_[k] = now;
    if (!((shape.up && before < 0 && now >= 0) || (shape.down && before > 0 && now <= 0))) return false;
    const double part = before / (before - now);
    for (size_t i = 0; i < motion.size(); ++i) at[i] = from_[i] + part * (at[i] - from_[i]);
    size_ = std::abs(now - before);
    return true;
  }
  /// After an event that may have left its formula at 0: then the next step tells on which side the path goes on, and
  /// the time since the last event is how long it takes.
  void note_return(size_t k, const State& at, double t, const Motion& motion) {
    before_[k] = trigger(k, at, t, motion);
    const double wait = t - last_[k];
    last_[k] = t;
    if (std::abs(before_[k]) > at_zero * size_) return;
    before_[k] = std::numeric_limits<double>::quiet_NaN();
    add_wait(k, wait);
  }
  /// How long it will be to zeros from where event `cause` has taken the path: by the motion, or by noise.
  void note_waits(size_t cause, const State& at, double t, const Motion& motion) {
    if (waits_[cause] >= enough_waits) return;
    for (size_t k = 0; k < functions_.size(); ++k) {
      if (functions_[k].shape().trigger != EventShape::zero) continue;
      const double there = trigger(k, at, t, motion);
      if (std::abs(there) <= at_zero * size_) continue;
      const auto passes = [&](const State& by, double size) {
        State away = at;
        for (size_t i = 0; i < motion.size(); ++i) away[i] += by[i] * size;
        const double now = trigger(k, away, t, motion);
        return there < 0 ? functions_[k].shape().up && now >= 0 : functions_[k].shape().down && now <= 0;
      };
      double rate = 0;
      const auto add_noise = [&](const State& push) {  // by one deviation in a time of 1
        const double root = std::min(first_zero([&](double size) { return passes(push, size); }),
                                     first_zero([&](double size) { return passes(push, -size); }));
        rate += 1 / (root * root);
      };
      for (size_t i = 0; i < motion.size(); ++i) {
        State one{};
        one[i] = motion.deviation(i);
        if (one[i] != 0) add_noise(one);
      }
      for (const State& push : motion.blown(at, t)) add_noise(push);
      const State motion_of_all = motion.rate(at, t);
      const double by_motion = first_zero([&](double time) { return passes(motion_of_all, time); });
      add_wait(cause, std::min(by_motion, 1 / rate));
    }
  }
  /// The least size at which `passes` holds, to a tenth, of sizes over many decades; infinite if there is none.
  template <class F> static double first_zero(F passes) {
    constexpr double least = 1e-6, most = 1e6, factor = 4;
    double size = least;
    while (!passes(size))
      if ((size *= factor) > most) return infinity;
    for (double low = size / factor; size > 1.1 * low;) {
      const double middle = std::sqrt(low * size);
      (passes(middle) ? size : low) = middle;
    }
    return size;
  }
  void add_wait(size_t cause, double wait) {
    if (!(wait > 0 && std::isfinite(wait))) return;
    waited_[cause] += wait;
    ++waits_[cause];
  }
  size_t place_of(const EventShape::Target& target) const {
    return target.velocity ? place_of_velocity(values_, target.variable) : target.variable;
  }
  const ModelValues& values_;
  std::vector<EventFunctions> functions_;
  std::vector<std::string> names_;
  std::vector<double> left_;    ///< of rates and intervals
  std::vector<double> before_;  ///< formulas of zeros at the last step
  std::vector<double> last_;    ///< times of their last events
  State from_{};                ///< the state at the last step
  std::vector<double> waited_;  ///< sum of the times from each event to one at a zero
  std::vector<size_t> waits_;   ///< their number
  double highest_ = 0, size_ = 0;
};

/// Change from one Jacobian to another, as a rate. An element that couples two coordinates counts by what it changes of
/// the rate of their cycle, with the other element of the pair: the root of their product.
double largest_difference(const Motion& motion, const Matrix& a, const Matrix& b) {
  const double size = std::max(motion.size_of(a), 1e-300);
  double most = 0;
  for (size_t i = 0; i < motion.size(); ++i)
    for (size_t j = 0; j < motion.size(); ++j) {
      const double change = std::abs(a[i][j] - b[i][j]);
      const double pair = change * std::abs(a[j][i]);
      most = std::max(most, i == j ? change : std::min(pair / size, std::sqrt(pair)));
    }
  return most;
}

/// Short paths, and the scales of the states that they visit.
class ShortPaths {
 public:
  ShortPaths(const Model& model, const ModelValues& values, const SystemStart& start)
      : values_(values), start_(start), motion_(model, values), events_(model, values) {
    if (motion_.size() == 1) settling_share_ = longest_alone;
    for (size_t i = 0; i < motion_.variables(); ++i)
      spread_ = std::max(spread_, motion_.deviation(i) / motion_.unit(i));
    for (const Component* one : model.walls()) walls_.emplace_back(one->variable, Walls(model, values, *one));
  }

  /// A new path. sign: of the forces of noises.
  void begin(double sign) {
    motion_.push(sign);
    at_ = {};
    const size_t n = motion_.variables();
    for (size_t i = 0, k = 0; i < n; ++i) {
      at_[i] = start_.x[i] + start_.x_width[i] * uniform_(random_);
      if (values_.variables[i].inertial) at_[n + k++] = start_.v[i] + start_.v_width[i] * uniform_(random_);
    }
    keep_within_walls();
    t_ = 0;
    events_.begin(at_, motion_, random_);
  }
  /// Goes on by `count` steps, or until a time, in steps that are no longer than `longest`; they are `free` where
  /// nothing else bounds them. Returns false if the path diverges.
  bool follow(size_t count, double until, double free, double longest) {
    for (size_t step = 0; step < count && t_ < until; ++step)
      if (!make_step(share_of_scale, free, longest, true, t_)) return false;
    return true;
  }
  /// Goes on to a later time, in a few steps with the forces of then, in which fast motion settles. Returns false if
  /// the path diverges.
  bool settle(double until) {
    const double all = until - t_;
    for (size_t step = 0; step < settling && t_ < until; ++step)
      if (!make_step(settling_share_, all, until - t_, false, until)) return false;
    t_ = until;
    events_.go_on(at_, t_, motion_);
    return true;
  }
  double position() const { return at_[0]; }
  SystemScales scales() const;

 private:
  /// A step of a share of the fastest time scale, with the forces at a time. seen: the scales count.
  bool make_step(double share, double free, double longest, bool seen, double time);
  void note_changes(const Matrix& J, const State& now, const State& rate, double dt);
  void keep_within_walls();

  const ModelValues& values_;
  const SystemStart& start_;
  Motion motion_;
  ShortEvents events_;
  std::vector<std::pair<size_t, Walls>> walls_;  ///< and the variables that they hold
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
  State at_{};
  double t_ = 0, settling_share_ = longest_share;
  double crossing_ = 0, spreading_ = 0, blurring_rate_ = 0, fastest_ = 0, speed_ = 0, spread_ = 0;
};

/// Changes of the Jacobian per unit of time by the motion, and per root of time by the noise of every coordinate. Where
/// a little motion changes it far more than a whole step does, a kink lies there: then it is the change in the step.
void ShortPaths::note_changes(const Matrix& J, const State& now, const State& rate, double dt) {
  const auto relative = [&](const State& by, double part) {
    State moved = now;
    for (size_t i = 0; i < motion_.size(); ++i) moved[i] += part * by[i];
    return largest_difference(motion_, J, motion_.jacobian(moved, t_)) / part;
  };
  const auto in_step = [&](const State& by) { return 3 * std::max(relative(by, 0.5), relative(by, 1)); };
  State by_motion = rate;
  std::vector<State> by_noise;
  for (size_t i = 0; i < motion_.size(); ++i) {
    by_motion[i] *= dt;
    if (motion_.deviation(i) == 0) continue;
    by_noise.emplace_back(State{})[i] = motion_.deviation(i) * std::sqrt(dt);
  }
  const auto squares = [&](const auto& change) {
    double sum = 0;
    for (const State& one : by_noise) sum += std::pow(change(one), 2) / dt;
    return sum;
  };
  const auto at_once = [&](const State& by) { return relative(by, little); };
  double crossed = at_once(by_motion) / dt, spread = squares(at_once);
  if (crossed > crossing_) crossed = std::min(crossed, in_step(by_motion) / dt);
  if (spread > spreading_) spread = squares([&](const State& by) { return std::min(at_once(by), in_step(by)); });
  if (std::isfinite(crossed)) crossing_ = std::max(crossing_, crossed);
  if (std::isfinite(spread)) spreading_ = std::max(spreading_, spread);
}

/// Mirrors a path, and turns its velocity.
void ShortPaths::keep_within_walls() {
  for (const auto& [variable, walls] : walls_)
    if (walls.mirror(at_[variable]) && values_.variables[variable].inertial) {
      double& v = at_[place_of_velocity(values_, variable)];
      v = -v;
    }
}

bool ShortPaths::make_step(double share, double free, double longest, bool seen, double time) {
  const size_t n = motion_.variables();
  const State rate = motion_.rate(at_, time);
  const Matrix J = motion_.jacobian(at_, time);
  double size = motion_.size_of(J);
  if (motion_.has_fields()) size = std::max(size, motion_.size_of(motion_.jacobian(at_, time, true)));
  if (!std::isfinite(size)) return false;  // the run itself tells of divergence
  double dt = std::min(size > 0 ? share / size : free, longest);
  const State now = at_;
  State increments{};
  for (size_t i = 0; i < motion_.size(); ++i) increments[i] = motion_.deviation(i) * normal_(random_);
  const auto move = [&](double h) {
    for (size_t i = 0; i < motion_.size(); ++i) at_[i] = now[i] + rate[i] * h + std::sqrt(h) * increments[i];
    keep_within_walls();
  };
  // Where an eigenvalue is small by chance, a step by it alone would end where it is large.
  for (int halving = 0; halving < 30; ++halving, dt /= 2) {
    move(dt);
    if (motion_.size_of(motion_.jacobian(at_, time)) * dt <= std::max(share, longest_share)) break;
  }
  if (seen) {
    fastest_ = std::max(fastest_, size);
    for (size_t i = 0; i < n; ++i) speed_ = std::max(speed_, std::abs(rate[i]) / motion_.unit(i));
    note_changes(J, now, rate, dt);
  }
  const auto pushes = motion_.blown(now, time);
  for (size_t k = 0; k < pushes.size(); ++k) {
    // rate at which the push changes along itself: (b d/dz) b over b, squared
    State there = now;
    constexpr double h = 1e-4;
    for (size_t i = 0; i < motion_.size(); ++i) there[i] += h * pushes[k][i];
    const State after = motion_.blown(there, time)[k];
    double change = 0, push = 0;
    for (size_t i = 0; i < motion_.size(); ++i) {
      change += std::pow((after[i] - pushes[k][i]) / h / motion_.unit(i), 2);
      push += std::pow(pushes[k][i] / motion_.unit(i), 2);
    }
    if (push > 0) blurring_rate_ = std::max(blurring_rate_, change / push);
    const double normal_number = normal_(random_) * std::sqrt(dt);
    for (size_t i = 0; i < motion_.size(); ++i) at_[i] += pushes[k][i] * normal_number;
    for (size_t i = 0; i < n; ++i) spread_ = std::max(spread_, std::abs(pushes[k][i]) / motion_.unit(i));
  }
  keep_within_walls();
  t_ += dt;
  events_.pass(at_, t_, dt, motion_, random_);
  keep_within_walls();
  for (size_t i = 0; i < motion_.size(); ++i)
    if (!std::isfinite(at_[i])) return false;
  return true;
}

SystemScales ShortPaths::scales() const {
  SystemScales scales{};
  scales.relaxing = scales.crossing = scales.diffusing = scales.blurring = scales.waiting = infinity;
  if (events_.highest_rate() > 0) scales.waiting = 1 / events_.highest_rate();
  scales.between = events_.between();
  if (fastest_ > 0) scales.relaxing = 1 / fastest_;
  if (crossing_ > 0) scales.crossing = fastest_ / crossing_;
  if (blurring_rate_ > 0) scales.blurring = 1 / blurring_rate_;
  if (spreading_ > 0) scales.diffusing = fastest_ * fastest_ / spreading_;
  scales.speed = speed_;
  scales.spread = spread_;
  return scales;
}

}  // namespace

SystemScales scales_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration,
                       std::span<const double> times) {
  ShortPaths all(model, values, start);
  for (size_t path = 0; path < paths; ++path) {
    all.begin(path % 2 == 0 ? 1 : -1);
    all.follow(steps, duration, duration / steps, duration / 4);
  }
  for (size_t path = 0; path < long_paths && times.size() > 1; ++path) {
    all.begin(path % 2 == 0 ? 1 : -1);
    for (size_t i = 0; i < times.size() && all.settle(times[i]); ++i) {
      const double next = i + 1 < times.size() ? times[i + 1] : duration;
      const double longest = std::max(next - times[i], 1e-6 * duration) / (4 * later_steps);
      if (!all.follow(later_steps, infinity, longest, longest)) break;
    }
  }
  return all.scales();
}

std::vector<std::pair<double, double>> positions_at(const Model& model, const ModelValues& values,
                                                    std::pair<double, double> starts, std::span<const double> times) {
  const auto [from, to] = starts;
  std::vector<std::pair<double, double>> all(times.size(), {infinity, -infinity});
  for (const double x : {from, (from + to) / 2, to}) {
    const SystemStart start{{x}, {0}, {0}, {0}};
    ShortPaths path(model, values, start);
    path.begin(1);
    double last = x;
    bool finite = true;
    for (size_t i = 0; i < times.size(); ++i) {
      finite = finite && path.settle(times[i]);
      if (finite) last = path.position();
      all[i] = {std::min(all[i].first, last), std::max(all[i].second, last)};
    }
  }
  return all;
}

}  // namespace bmsim
