// The events of a model on the host's short paths (system_scales.h).
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "model/events.h"
#include "scales/short_motion.h"

namespace bmsim::short_paths {

constexpr size_t enough_waits = 48;                // after an event of one kind, for the mean time to a zero
constexpr double at_zero = 1e-6;                   // part of its change in a step below which a formula counts as 0
constexpr size_t most_starts = 4, most_high = 12;  // states kept for an event: first ones, and those of high rates

/// The events of a model on the host's short paths: at most one of each kind in a step.
class ShortEvents {
 public:
  ShortEvents(const Model& model, const ModelValues& values) : values_(values) {
    const size_t numbers = state_size(values) + model.fields().size();
    for (const Component* event : model.events()) {
      changes_.push_back(has_changing_rate(*event, numbers));
      functions_.emplace_back(model, values, *event);
      names_.push_back(event->name);
    }
    left_.resize(functions_.size()), before_.resize(functions_.size()), last_.resize(functions_.size());
    waited_.resize(functions_.size()), waits_.resize(functions_.size()), notable_.resize(functions_.size());
  }
  template <class Random> void begin(const State& at, const Motion& motion, Random& random) {
    std::exponential_distribution<double> exponential;
    for (double& remaining : left_) remaining = exponential(random);
    for (size_t k = 0; k < functions_.size(); ++k) {
      before_[k] = trigger(k, at, 0, motion), last_[k] = 0;
      if (changes_[k] && notable_[k].starts.size() < most_starts) notable_[k].starts.push_back({at, 0});
    }
    from_ = at;
  }
  /// Goes on at a later time. The rates there count, as those of a path do.
  void go_on(const State& at, double t, const Motion& motion) {
    for (size_t k = 0; k < functions_.size(); ++k) {
      before_[k] = trigger(k, at, t, motion), last_[k] = t;
      note_rate(k, before_[k]);
      note_state(k, at, t, before_[k]);
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
      if (shape.trigger == EventShape::rate && !(now >= -1e-9 * std::max(1.0, highest_)))
        fail("events.{}: rate must be a number >= 0, got {:.4g} at {}, t = {:.4g}", names_[k], now,
             motion.state_text(at), t);
      note_rate(k, now);
      note_state(k, at, t, now);
      left_[k] -= (shape.trigger == EventShape::interval ? 1 / now : now) * dt;
      if (!(left_[k] <= 0)) continue;
      left_[k] = std::exponential_distribution<double>()(random);
      set(k, at, t, motion, random);
      note_waits(k, at, t, motion);
    }
    from_ = at;
  }
  /// Calls use(rate, at, t) for every event whose rate depends on the state, at states where paths began and at some
  /// where the rate was high. rate: the rate as a function of a state.
  template <class Use> void each_notable(const Motion& motion, Use use) const {
    for (size_t k = 0; k < functions_.size(); ++k)
      for (const auto* states : {&notable_[k].starts, &notable_[k].high})
        for (const auto& [at, t] : *states)
          use([&, time = t](const State& there) { return trigger(k, there, time, motion); }, at, t);
  }
  /// The sum of the rates at a state.
  double rate_at(const State& at, double t, const Motion& motion) const {
    double sum = 0;
    for (size_t k = 0; k < functions_.size(); ++k) {
      const EventShape::Trigger kind = functions_[k].shape().trigger;
      if (kind == EventShape::zero) continue;
      const double now = trigger(k, at, t, motion), rate = kind == EventShape::interval ? 1 / now : now;
      if (rate > 0 && std::isfinite(rate)) sum += rate;
    }
    return sum;
  }
  /// The highest rate so far, or 1/the shortest interval.
  double highest_rate() const { return highest_; }
  /// The mean time from an event to one at a zero, for the event after which it is shortest; infinite without any.
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
  /// Puts a path that has passed a zero since the last step to this zero.
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
  /// An event may leave its formula at 0. The next step then tells on which side the path goes on, and the time since
  /// the last event is how long the formula takes to its next zero.
  void note_return(size_t k, const State& at, double t, const Motion& motion) {
    before_[k] = trigger(k, at, t, motion);
    const double wait = t - last_[k];
    last_[k] = t;
    if (std::abs(before_[k]) > at_zero * size_) return;
    before_[k] = nan;
    add_wait(k, wait);
  }
  /// Notes how long it takes to zeros, by the motion or by noise, from where event `cause` has taken the path.
  void note_waits(size_t cause, const State& at, double t, const Motion& motion) {
    if (waits_[cause] >= enough_waits) return;
    for (size_t k = 0; k < functions_.size(); ++k) {
      if (functions_[k].shape().trigger != EventShape::zero) continue;
      const double there = trigger(k, at, t, motion);
      if (std::abs(there) <= at_zero * size_) continue;
      const auto passes = [&](const State& by, double size) {
        const double now = trigger(k, motion.moved(at, by, size), t, motion);
        return there < 0 ? functions_[k].shape().up && now >= 0 : functions_[k].shape().down && now <= 0;
      };
      double rate = 0;
      const auto add_noise = [&](const State& push) {  // push: one standard deviation of unit time
        const double root = std::min(first_zero([&](double size) { return passes(push, size); }),
                                     first_zero([&](double size) { return passes(push, -size); }));
        rate += 1 / (root * root);
      };
      for (size_t i = 0; i < motion.size(); ++i) {
        State deviation{};
        deviation[i] = motion.deviation(i);
        if (deviation[i] != 0) add_noise(deviation);
      }
      for (const State& push : motion.blown(at, t)) add_noise(push);
      const State motion_of_all = motion.rate(at, t);
      const double by_motion = first_zero([&](double time) { return passes(motion_of_all, time); });
      add_wait(cause, std::min(by_motion, 1 / rate));
    }
  }
  /// The least size, to a tenth, at which `passes` holds; infinite if it holds nowhere between 1e-6 and 1e6.
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
  void note_rate(size_t k, double now) {
    const EventShape::Trigger trigger = functions_[k].shape().trigger;
    const double rate = trigger == EventShape::interval ? 1 / now : now;
    if (trigger != EventShape::zero && std::isfinite(rate)) highest_ = std::max(highest_, rate);
  }
  void note_state(size_t k, const State& at, double t, double now) {
    constexpr double high = 0.5;  // part of the highest rate so far
    Notable& notable = notable_[k];
    if (!changes_[k] || !(now > 0 && std::isfinite(now)) || now < high * notable.highest) return;
    notable.highest = std::max(notable.highest, now);
    if (notable.high.size() < most_high)
      notable.high.push_back({at, t});
    else
      notable.high[notable.count % most_high] = {at, t};
    ++notable.count;
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
  std::vector<bool> changes_;   ///< whether their rates depend on the state
  std::vector<double> left_;    ///< what the integrals of rates, and of 1/interval, must still reach
  std::vector<double> before_;  ///< formulas of zeros at the last step
  std::vector<double> last_;    ///< times of their last events
  State from_{};                ///< the state at the last step
  std::vector<double> waited_;  ///< sum of the times from each event to one at a zero
  std::vector<size_t> waits_;   ///< number of these times
  /// States and times at which the rate of an event is looked at closely.
  struct Notable {
    std::vector<std::pair<State, double>> starts{}, high{};
    double highest = 0;
    size_t count = 0;  ///< of high rates so far
  };
  std::vector<Notable> notable_;
  double highest_ = 0, size_ = 0;
};

}  // namespace bmsim::short_paths
