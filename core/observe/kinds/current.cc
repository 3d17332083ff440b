// Probability current J through places of the period: passages upwards minus passages downwards, per path and time. It
// is averaged from each of `times` to the next, or over the window. In a stationary state it is <v>/L.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

class Current : public Observable {
 public:
  explicit Current(Options options)
      : bins_(options.count("bins", 100, 1, 100000)), times_(options.ascending("times", 0)) {
    options.end();
    if (times_.size() == 1) fail("observe.current: times must be at least 2, got 1");
  }
  std::string name() const override { return "current"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override {
    return {.ticks = times_.empty(), .early_law = !times_.empty(), .first_time = first_time(times_)};
  }
  std::string asks_for_times() const override { return "it is known over the window, without times"; }
  std::vector<double> times(const PointFacts& facts) const override {
    if (facts.period <= 0) fail("observe.current: the potential must be periodic");
    if (times_.empty()) return {facts.transient, facts.total};
    if (times_.back() > facts.total + facts.dt / 2)
      fail("observe.current: times must be within the run, which lasts {}, got {}", facts.total, times_.back());
    for (size_t i = 0; i + 1 < times_.size(); ++i)
      if (!(times_[i + 1] - times_[i] >= facts.dt))
        fail("observe.current: times must be a step of {} apart, got {} after {}", facts.dt, times_[i + 1], times_[i]);
    return times_;
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate place{"place", "x/L", "", {}}, interval{"interval", "t", "time", {}};
    for (size_t i = 0; i < bins_; ++i)
      place.values.push_back(static_cast<double>(i) / static_cast<double>(bins_) - 0.5);
    if (!facts.same_times) interval = {"asked_interval", "t, to the next step", "time", {}};
    const auto time = [&](size_t i) { return facts.same_times ? facts.recorded(times_[i]) : times_[i]; };
    for (size_t i = 0; i + 1 < times_.size(); ++i) interval.values.push_back((time(i) + time(i + 1)) / 2);
    std::vector<Coordinate> coordinates = {place};
    if (!times_.empty()) coordinates.insert(coordinates.begin(), interval);
    return with_errors({"current", "J(x)", "1/time", coordinates, {}});
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    Grouped mean;
    const Grouped J = m.recording.current(bins_, &mean);
    arrays = {J.value, J.error};
    give_probes({mean}, m);
  }
  Sampling sampling() const override { return times_.empty() ? Sampling::together : Sampling::between; }
  std::vector<Array> probes(const PointFacts& facts) const override {
    std::vector<Coordinate> interval = arrays(facts)[0].coordinates;
    interval.pop_back();
    return with_errors({"current_mean", "mean over all places", "1/time", interval, {}});
  }

  double order(const std::string&) const override { return 1; }

 private:
  size_t bins_;
  std::vector<double> times_;
};

}  // namespace

const ObservableKind observable_current = {
    .name = "current",
    .summary = "passages of a place upwards less downwards, per path and time",
    .options = "bins times",
    .make = made<Current>,
};

}  // namespace bmsim
