#include "engine/progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "journal/journal.h"
#include "world/world.h"

namespace bmsim {

RoundProgress::RoundProgress(const RunHooks& hooks, std::function<double()> steps, std::function<bool()> all_delivered)
    : hooks_(hooks), steps_(std::move(steps)), all_delivered_(std::move(all_delivered)) {}

void RoundProgress::begin_round(uint64_t number, double in_round, double known, double here) {
  number_ = number, in_round_ = in_round, known_ = known, here_ = here;
  began_ = steps_();
}

double RoundProgress::seconds_left() const {
  return std::max(0.0, here_ - made()) * seconds_since(started_) / steps_();
}

void RoundProgress::tell(const std::vector<RoundProgress*>& together) {
  if (together.empty()) return;
  RoundProgress& first = *together.front();
  World& world = World::instance();
  const bool alone = world.size() == 1;
  const RunHooks& hooks = first.hooks_;
  if (!hooks.progress && (alone || seconds_since(first.told_) < 1)) return;
  first.told_ = Clock::now();
  const auto round = static_cast<double>(first.number_);
  double total = 0, here = 0, known = 0, in_round = 0, to_do = 0;  // steps
  bool all_delivered = true;
  for (const RoundProgress* progress : together) {
    total += progress->steps_(), here += progress->made(), to_do += progress->here_;
    known += progress->known_, in_round += progress->in_round_;
    all_delivered = all_delivered && progress->all_delivered_();
  }
  const double seconds = seconds_since(first.started_), speed = total / seconds;
  const Tidings own{round, here, std::max(0.0, to_do - here) * seconds / total};
  double done = 0, left = 0;
  for (const Tidings& tidings : alone ? std::vector{own} : world.tidings(own)) {
    if (tidings.round != round) continue;
    done += tidings.steps;
    left = std::max(left, tidings.seconds_left);
  }
  if (!hooks.progress) return;
  if (hooks.journal != nullptr && hooks.journal->part().of > 1) in_round -= std::exchange(known, 0);
  // Trajectories with events lag a little behind, by less than one launch.
  const double shown = all_delivered ? 1 : std::min(in_round > 0 ? (known + done) / in_round : 1, 0.999);
  hooks.progress({shown, here > 0 ? speed * done / here : speed, left});
}

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
