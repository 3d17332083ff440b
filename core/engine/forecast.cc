#include "engine/forecast.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bmsim {

void Forecast::tell(Progress progress) {
  constexpr double pause = 0.2;                     // seconds: there may be many points
  constexpr double rounds = 4, least_left = 0.001;  // of what is not known: as many rounds as this one
  if (total_ == 0 || seconds_since(asked_) > pause) total_ = expected_(), asked_ = Clock::now();
  const double done = done_ + progress.fraction * round_;
  const bool known = std::isfinite(total_);
  const double total = std::max(known ? total_ : rounds * (done_ + round_), done_ + round_);
  progress.fraction = std::min(done / total, 1 - least_left);
  speed_ = progress.steps_per_second = done / seconds_since(began_);
  progress.seconds_left = known && speed_ > 0 ? (total - done) / speed_ : std::numeric_limits<double>::infinity();
  report_(progress);
}

void Forecast::end() const {
  if (report_) report_({1, speed_, 0, std::numeric_limits<double>::quiet_NaN()});
}

}  // namespace bmsim
