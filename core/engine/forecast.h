// Progress of a run that goes on until its errors are small enough: over what it is expected to take.
#pragma once
#include <functional>

#include "engine/device_runner.h"
#include "engine/run.h"

namespace bmsim {

class Forecast {
 public:
  /// expected(): steps of all paths that the whole run takes, as far as is known now; NaN: not known. Asked now and
  /// then. report: gets the progress of the whole run.
  Forecast(std::function<double()> expected, std::function<void(const Progress&)> report)
      : expected_(std::move(expected)), report_(std::move(report)) {}
  /// The next round has so many steps.
  void begin(double steps) { done_ += round_, round_ = steps, total_ = 0; }
  /// Steps of all rounds so far.
  double begun() const { return done_ + round_; }
  /// Turns the progress of the round into that of the run.
  void tell(Progress progress);
  /// The run has come to its end.
  void end() const;

 private:
  std::function<double()> expected_;
  std::function<void(const Progress&)> report_;
  double done_ = 0, round_ = 0, total_ = 0, speed_ = 0;
  Clock::time_point began_ = Clock::now(), asked_;
};

}  // namespace bmsim
