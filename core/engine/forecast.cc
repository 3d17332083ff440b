#include "engine/forecast.h"

#include <algorithm>
#include <cmath>

#include "numbers.h"

namespace bmsim {

void Forecast::tell(Progress progress) {
  constexpr double pause = 0.2;         // seconds between two questions, which take a while with many points
  constexpr double rounds = 4;          // while the total is not known: four times the steps of all rounds so far
  constexpr double least_left = 0.001;  // the part of the run that is left as long as it goes on
  if (total_ == 0 || seconds_since(asked_) > pause) total_ = expected_(), asked_ = Clock::now();
  const double done = done_ + progress.fraction * round_;
  const bool known = std::isfinite(total_);
  const double total = std::max(known ? total_ : rounds * (done_ + round_), done_ + round_);
  progress.fraction = std::min(done / total, 1 - least_left);
  speed_ = progress.steps_per_second = done / seconds_since(began_);
  progress.seconds_left = known && speed_ > 0 ? (total - done) / speed_ : infinity;
  report_(progress);
}

void Forecast::end() const {
  if (report_) report_({1, speed_, 0, nan});
}

}  // namespace bmsim
