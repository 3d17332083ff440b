// Progress of a run that goes on until its errors are small enough, as a part of the steps that it is expected to take.
#pragma once
#include <functional>

#include "engine/device_runner.h"
#include "engine/run.h"

namespace bmsim {

class Forecast {
 public:
  /// expected(): steps of all paths in the whole run, as far as is known now; NaN if not known. Called now and then.
  /// report: gets the progress of the whole run.
  Forecast(std::function<double()> expected, std::function<void(const Progress&)> report)
      : expected_(std::move(expected)), report_(std::move(report)) {}
  /// Begins the next round, which has this many steps.
  void begin(double steps) { done_ += round_, round_ = steps, total_ = 0; }
  /// Steps of all rounds so far.
  double begun() const { return done_ + round_; }
  /// Turns the progress of the round into that of the run.
  void tell(Progress progress);
  /// Reports that the run has come to its end.
  void end() const;

 private:
  std::function<double()> expected_;
  std::function<void(const Progress&)> report_;
  double done_ = 0, round_ = 0, total_ = 0, speed_ = 0;
  Clock::time_point began_ = Clock::now(), asked_;
};

}  // namespace bmsim
