#include "model/system_scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "error.h"
#include "model/events.h"
#include "model/fields.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr size_t paths = 6, steps = 48;
constexpr double share_of_scale = 0.1;  // of the fastest time scale, in a step of the short paths
constexpr double longest_share = 0.3;   // the same, by the scale at the step's end
constexpr double at_zero = 1e-6;        // part of its change in a step up to which a formula is 0
constexpr double little = 0.01;         // part of a step in which the change of the Jacobian is seen

/// Positions, then velocities of the variables with inertia.
typedef std::array<double, 2 * most_variables> State;
typedef std::array<State, 2 * most_variables> Matrix;

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
      State above = at, below = at;
      above[j] += h, below[j] -= h;
      const State up = rate(above, t, together ? above : at), down = rate(below, t, together ? below : at);
      for (size_t i = 0; i < size_; ++i) J[i][j] = (up[i] - down[i]) / (2 * h);
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
    constexpr double little_time = 1e-6;
    for (size_t k = 0; k < functions_.size(); ++k) {
      if (functions_[k].shape().trigger != EventShape::zero) continue;
      const double there = trigger(k, at, t, motion);
      if (std::abs(there) <= at_zero * size_) continue;
      const State rate = motion.rate(at, t);
      State ahead = at;
      for (size_t i = 0; i < motion.size(); ++i) ahead[i] += rate[i] * little_time;
      double variance = 0;
      const auto add_noise = [&](const State& push) {
        State blown = at;
        for (size_t i = 0; i < motion.size(); ++i) blown[i] += push[i] * little_time;
        variance += std::pow((trigger(k, blown, t, motion) - there) / little_time, 2);
      };
      for (size_t i = 0; i < motion.size(); ++i) {
        State one{};
        one[i] = motion.deviation(i);
        if (one[i] != 0) add_noise(one);
      }
      for (const State& push : motion.blown(at, t)) add_noise(push);
      const double speed = std::abs(trigger(k, ahead, t + little_time, motion) - there) / little_time;
      add_wait(cause, std::min(std::abs(there) / speed, there * there / variance));
    }
  }
  void add_wait(size_t cause, double wait) {
    if (!(wait > 0 && std::isfinite(wait))) return;
    waited_[cause] += wait;
    ++waits_[cause];
  }
  size_t place_of(const EventShape::Target& target) const {
    if (!target.velocity) return target.variable;
    size_t place = values_.variables.size();
    for (size_t i = 0; i < target.variable; ++i) place += values_.variables[i].inertial ? 1 : 0;
    return place;
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
/// the rate of their cycle, with the other element of the pair.
double largest_difference(const Motion& motion, const Matrix& a, const Matrix& b) {
  const double size = std::max(motion.size_of(a), 1e-300);
  double most = 0;
  for (size_t i = 0; i < motion.size(); ++i)
    for (size_t j = 0; j < motion.size(); ++j) {
      const double change = std::abs(a[i][j] - b[i][j]);
      most = std::max(most, i == j ? change : change * std::abs(a[j][i]) / size);
    }
  return most;
}

}  // namespace

SystemScales scales_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration) {
  Motion motion(model, values);
  ShortEvents events(model, values);
  SystemScales scales{};
  scales.relaxing = scales.crossing = scales.diffusing = scales.blurring = scales.waiting = infinity;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  const size_t n = motion.variables();
  for (size_t i = 0; i < n; ++i) scales.spread = std::max(scales.spread, motion.deviation(i) / motion.unit(i));
  double crossing = 0, spreading = 0, blurring_rate = 0, fastest = 0;
  for (size_t path = 0; path < paths; ++path) {
    motion.push(path % 2 == 0 ? 1 : -1);
    State at{};
    for (size_t i = 0, k = 0; i < n; ++i) {
      at[i] = start.x[i] + start.x_width[i] * uniform(random);
      if (values.variables[i].inertial) at[n + k++] = start.v[i] + start.v_width[i] * uniform(random);
    }
    double t = 0;
    events.begin(at, motion, random);
    for (size_t step = 0; step < steps && t < duration; ++step) {
      const State rate = motion.rate(at, t);
      const Matrix J = motion.jacobian(at, t);
      double size = motion.size_of(J);
      if (motion.has_fields()) size = std::max(size, motion.size_of(motion.jacobian(at, t, true)));
      if (!std::isfinite(size)) break;  // the run itself tells of divergence
      fastest = std::max(fastest, size);
      for (size_t i = 0; i < n; ++i) scales.speed = std::max(scales.speed, std::abs(rate[i]) / motion.unit(i));
      // Changes of the Jacobian per unit of time by the motion, and per root of time by the noise of every coordinate.
      double dt = size > 0 ? share_of_scale / size : duration / steps;
      dt = std::min(dt, duration / 4);
      const State now = at;
      State increments{};
      for (size_t i = 0; i < motion.size(); ++i) increments[i] = motion.deviation(i) * normal(random);
      const auto move = [&](double h) {
        for (size_t i = 0; i < motion.size(); ++i) at[i] = now[i] + rate[i] * h + std::sqrt(h) * increments[i];
      };
      // Where an eigenvalue is small by chance, a step by it alone would end where it is large.
      for (int halving = 0; halving < 30; ++halving, dt /= 2) {
        move(dt);
        if (motion.size_of(motion.jacobian(at, t)) * dt <= longest_share) break;
      }
      State moved = now;
      double by_noise = 0;
      for (size_t i = 0; i < motion.size(); ++i) {
        moved[i] += little * rate[i] * dt;
        if (motion.deviation(i) == 0) continue;
        State blown = now;
        blown[i] += little * motion.deviation(i) * std::sqrt(dt);
        by_noise += std::pow(largest_difference(motion, J, motion.jacobian(blown, t)) / little, 2) / dt;
      }
      const double by_motion = largest_difference(motion, J, motion.jacobian(moved, t)) / little / dt;
      if (std::isfinite(by_motion)) crossing = std::max(crossing, by_motion);
      if (std::isfinite(by_noise)) spreading = std::max(spreading, by_noise);
      const auto pushes = motion.blown(now, t);
      for (size_t k = 0; k < pushes.size(); ++k) {
        // rate at which the push changes along itself: (b d/dz) b over b, squared
        State there = now;
        constexpr double h = 1e-4;
        for (size_t i = 0; i < motion.size(); ++i) there[i] += h * pushes[k][i];
        const State after = motion.blown(there, t)[k];
        double change = 0, push = 0;
        for (size_t i = 0; i < motion.size(); ++i) {
          change += std::pow((after[i] - pushes[k][i]) / h / motion.unit(i), 2);
          push += std::pow(pushes[k][i] / motion.unit(i), 2);
        }
        if (push > 0) blurring_rate = std::max(blurring_rate, change / push);
        const double normal_number = normal(random) * std::sqrt(dt);
        for (size_t i = 0; i < motion.size(); ++i) at[i] += pushes[k][i] * normal_number;
        for (size_t i = 0; i < n; ++i) scales.spread = std::max(scales.spread, std::abs(pushes[k][i]) / motion.unit(i));
      }
      t += dt;
      events.pass(at, t, dt, motion, random);
      bool finite = true;
      for (size_t i = 0; i < motion.size(); ++i) finite = finite && std::isfinite(at[i]);
      if (!finite) break;
    }
  }
  if (events.highest_rate() > 0) scales.waiting = 1 / events.highest_rate();
  scales.between = events.between();
  if (fastest > 0) scales.relaxing = 1 / fastest;
  if (crossing > 0) scales.crossing = fastest / crossing;
  if (blurring_rate > 0) scales.blurring = 1 / blurring_rate;
  if (spreading > 0) scales.diffusing = fastest * fastest / spreading;
  return scales;
}

}  // namespace bmsim
