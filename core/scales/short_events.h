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
    for (const Component* event : model.events())
      events_.push_back({EventFunctions(model, values, *event), event->name, has_changing_rate(*event, numbers)});
  }
  template <class Random> void begin(const State& at, const Motion& motion, Random& random) {
    std::exponential_distribution<double> exponential;
    for (Event& event : events_) {
      event.left = exponential(random);
      event.before = trigger(event, at, 0, motion), event.last = 0;
      if (event.changes && event.starts.size() < most_starts) event.starts.push_back({at, 0});
    }
    from_ = at;
  }
  /// Goes on at a later time. The rates there count, as those of a path do.
  void go_on(const State& at, double t, const Motion& motion) {
    for (Event& event : events_) {
      event.before = trigger(event, at, t, motion), event.last = t;
      note_rate(event, event.before);
      note_state(event, at, t, event.before);
    }
    from_ = at;
  }
  /// Throws Error for a rate that is negative, or not a number, at a state that is finite.
  template <class Random> void pass(State& at, double t, double dt, const Motion& motion, Random& random) {
    for (Event& event : events_) {
      const EventShape& shape = event.functions.shape();
      if (shape.trigger == EventShape::zero) {
        if (!reaches_zero(event, at, t, motion)) continue;
        set(event, at, t, motion, random);
        note_return(event, at, t, motion);
        note_waits(event, at, t, motion);
        continue;
      }
      const double now = trigger(event, at, t, motion);
      if (shape.trigger == EventShape::rate && !(now >= -1e-9 * std::max(1.0, highest_)))
        fail("events.{}: rate must be a number >= 0, got {:.4g} at {}, t = {:.4g}", event.name, now,
             motion.state_text(at), t);
      note_rate(event, now);
      note_state(event, at, t, now);
      event.left -= (shape.trigger == EventShape::interval ? 1 / now : now) * dt;
      if (!(event.left <= 0)) continue;
      event.left = std::exponential_distribution<double>()(random);
      set(event, at, t, motion, random);
      note_waits(event, at, t, motion);
    }
    from_ = at;
  }
  /// Calls use(rate, at, t) for every event whose rate depends on the state, at states where paths began and at some
  /// where the rate was high. rate: the rate as a function of a state.
  template <class Use> void each_notable(const Motion& motion, Use use) const {
    for (const Event& event : events_)
      for (const auto* states : {&event.starts, &event.high})
        for (const auto& [at, t] : *states)
          use([&, time = t](const State& there) { return trigger(event, there, time, motion); }, at, t);
  }
  /// The sum of the rates at a state.
  double rate_at(const State& at, double t, const Motion& motion) const {
    double sum = 0;
    for (const Event& event : events_) {
      const EventShape::Trigger kind = event.functions.shape().trigger;
      if (kind == EventShape::zero) continue;
      const double now = trigger(event, at, t, motion), rate = kind == EventShape::interval ? 1 / now : now;
      if (rate > 0 && std::isfinite(rate)) sum += rate;
    }
    return sum;
  }
  /// The highest rate so far, or 1/the shortest interval.
  double highest_rate() const { return highest_; }
  /// The mean time from an event to one at a zero, for the event after which it is shortest; infinite without any.
  double between() const {
    double shortest = infinity;
    for (const Event& event : events_)
      if (event.waits > 0) shortest = std::min(shortest, event.waited / static_cast<double>(event.waits));
    return shortest;
  }

 private:
  struct Event {
    EventFunctions functions;
    std::string name;
    bool changes;       ///< whether its rate depends on the state
    double left = 0;    ///< what the integral of the rate, or of 1/interval, must still reach
    double before = 0;  ///< the formula of zeros at the last step
    double last = 0;    ///< the time of its last event
    double waited = 0;  ///< sum of the times from it to an event at a zero
    size_t waits = 0;   ///< number of these times
    // States and times at which the rate is looked at closely: where paths began, and some where it was high.
    std::vector<std::pair<State, double>> starts{}, high{};
    double highest = 0;
    size_t count = 0;  ///< of high rates so far
  };
  static double trigger(const Event& event, const State& at, double t, const Motion& motion) {
    return event.functions.trigger(at.data(), motion.velocities(at).data(), t);
  }
  template <class Random> void set(const Event& event, State& at, double t, const Motion& motion, Random& random) {
    const EventShape& shape = event.functions.shape();
    std::vector<double> numbers;
    for (const char law : shape.numbers)
      numbers.push_back(law == 'U'   ? std::uniform_real_distribution<double>()(random)
                        : law == 'N' ? std::normal_distribution<double>()(random)
                                     : std::exponential_distribution<double>()(random));
    const std::vector<double> values = event.functions.values(at.data(), motion.velocities(at).data(), t, numbers);
    for (size_t i = 0; i < values.size(); ++i) at[place_of(shape.targets[i])] = values[i];
  }
  /// Puts a path that has passed a zero since the last step to this zero.
  bool reaches_zero(Event& event, State& at, double t, const Motion& motion) {
    const EventShape& shape = event.functions.shape();
    const double before = event.before, now = trigger(event, at, t, motion);
    event.before = now;
    if (!((shape.up && before < 0 && now >= 0) || (shape.down && before > 0 && now <= 0))) return false;
    const double part = before / (before - now);
    for (size_t i = 0; i < motion.size(); ++i) at[i] = from_[i] + part * (at[i] - from_[i]);
    size_ = std::abs(now - before);
    return true;
  }
  /// An event may leave its formula at 0. The next step then tells on which side the path goes on, and the time since
  /// the last event is how long the formula takes to its next zero.
  void note_return(Event& event, const State& at, double t, const Motion& motion) {
    event.before = trigger(event, at, t, motion);
    const double wait = t - event.last;
    event.last = t;
    if (std::abs(event.before) > at_zero * size_) return;
    event.before = nan;
    add_wait(event, wait);
  }
  /// Notes how long it takes to zeros, by the motion or by noise, from where an event has taken the path.
  void note_waits(Event& cause, const State& at, double t, const Motion& motion) {
    if (cause.waits >= enough_waits) return;
    for (const Event& event : events_) {
      const EventShape& shape = event.functions.shape();
      if (shape.trigger != EventShape::zero) continue;
      const double there = trigger(event, at, t, motion);
      if (std::abs(there) <= at_zero * size_) continue;
      const auto passes = [&](const State& by, double size) {
        const double now = trigger(event, motion.moved(at, by, size), t, motion);
        return there < 0 ? shape.up && now >= 0 : shape.down && now <= 0;
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
  void note_rate(const Event& event, double now) {
    const EventShape::Trigger trigger = event.functions.shape().trigger;
    const double rate = trigger == EventShape::interval ? 1 / now : now;
    if (trigger != EventShape::zero && std::isfinite(rate)) highest_ = std::max(highest_, rate);
  }
  static void note_state(Event& event, const State& at, double t, double now) {
    constexpr double high = 0.5;  // part of the highest rate so far
    if (!event.changes || !(now > 0 && std::isfinite(now)) || now < high * event.highest) return;
    event.highest = std::max(event.highest, now);
    if (event.high.size() < most_high)
      event.high.push_back({at, t});
    else
      event.high[event.count % most_high] = {at, t};
    ++event.count;
  }
  static void add_wait(Event& cause, double wait) {
    if (!(wait > 0 && std::isfinite(wait))) return;
    cause.waited += wait;
    ++cause.waits;
  }
  size_t place_of(const EventShape::Target& target) const {
    return target.velocity ? place_of_velocity(values_, target.variable) : target.variable;
  }
  const ModelValues& values_;
  State from_{};  ///< the state at the last step
  std::vector<Event> events_;
  double highest_ = 0, size_ = 0;
};

}  // namespace bmsim::short_paths
