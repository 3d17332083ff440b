#include "engine/runner.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "journal/journal.h"
#include "plan/memory.h"
#include "world/world.h"

namespace bmsim {

namespace {

/// Bytes of a batch on a device that is listed this often.
uint64_t memory_for(const EnsemblePlan& plan, const Backends& backends, const Backend& backend) {
  const unsigned at_once = plan.execution.at_once;
  if (plan.execution.memory > 0) return plan.execution.memory / at_once;
  const uint64_t memory = memory_for_batches(plan, backend);
  const auto same =
      std::ranges::count_if(backends, [&](const auto& device) { return device->name() == backend.name(); });
  return memory / static_cast<uint64_t>(same) / at_once;
}

}  // namespace

Runner::Runner(const EnsemblePlan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels,
               RunOutcome& outcome, ShareDone done)
    : plan_(plan),
      hooks_(hooks),
      backends_(backends),
      outcome_(outcome),
      done_(std::move(done)),
      points_(packed(plan, kernels[0]->layout())),
      results_(plan, kernels[0]->layout(), bool{hooks.window}),
      keeper_(hooks.window ? nullptr : hooks.journal,
              hooks.journal == nullptr || hooks.window
                  ? ""
                  : identity_of(plan, points_.parameters, *kernels[0], backends[0]->kind())),
      progress_(
          hooks, [this] { return steps(); }, [this] { return results_.all_delivered(); }) {
  const Reduction::Receiver receiver{[this](const Part& part, ShareResult result) {
                                       keeper_.keep(part.share, result);
                                       peers_.note(part.nth, result);
                                       results_.take(part.nth, std::move(result));
                                     },
                                     [this](Piece piece) {
                                       keeper_.keep(piece);
                                       peers_.note(piece);
                                       results_.take(std::move(piece));
                                     },
                                     [this](const Part& part) { return results_.rows_of(part); }};
  for (size_t i = 0; i < backends.size(); ++i) {
    auto worker = std::make_unique<Worker>();
    worker->runner = std::make_unique<DeviceRunner>(
        plan, points_, *kernels[i], memory_for(plan, backends, *backends[i]), bool{hooks.window}, receiver);
    workers_.push_back(std::move(worker));
  }
  const KernelLayout& layout = kernels[0]->layout();
  outcome.bytes_per_trajectory = layout.group_bytes / layout.lanes;
  outcome.devices.resize(backends.size());
  outcome.ranks = World::instance().size();
  if (outcome.ranks > 1)
    Peers::compare(identity_of(plan, points_.parameters, *kernels[0], backends[0]->kind()), hooks.journal,
                   bool{hooks.window});
}

void Runner::run_shares(const std::vector<Share>& shares) {
  begin(shares);
  run_round({this});
}

void Runner::begin(const std::vector<Share>& shares) {
  const uint64_t round = World::instance().begin_round();
  results_.begin(shares);
  if (keeper_.keeps()) {
    keeper_.note_begun(shares.size());
    recall_all();
  }
  peers_.share_known(results_);
  std::vector<size_t> devices;
  for (size_t i = 0; i < workers_.size(); ++i)
    if (!workers_[i]->failed) devices.push_back(i);
  double in_round = 0;
  for (size_t i = 0; i < shares.size(); ++i) in_round += steps_of({results_.whole(i)});
  std::vector<Part> left = missing();
  const double known = in_round - steps_of(left);
  std::vector<Part> resumed;
  if (keeper_.keeps()) resumed = take_states(left, devices);
  const World& world = World::instance();
  if (world.size() > 1) left = divided(left, world.size())[world.rank()];
  progress_.begin_round(round, in_round, known, steps_of(left) + steps_of(resumed));
  const auto parts = divided(left, devices.size());
  for (size_t i = 0; i < devices.size(); ++i) workers_[devices[i]]->runner->add(parts[i]);
}

double Runner::steps_of(const std::vector<Part>& parts) const {
  const double each = static_cast<double>(plan_.paths) * (plan_.needs.force_step ? 2 : 1) /
                      static_cast<double>(results_.assembler().groups_per_share());
  double sum = 0;
  for (const Part& part : parts)
    if (!part.share.perturbed)
      sum += plan_.points[part.share.point].time.steps * each * static_cast<double>(part.groups);
  return sum;
}

std::vector<std::vector<Part>> Runner::divided(const std::vector<Part>& parts, size_t workers) const {
  return divide(parts, workers, !plan_.together(), results_.assembler().groups_per_bundle());
}

std::vector<Part> Runner::missing() const {
  std::vector<Part> parts;
  for (size_t i = 0; i < results_.shares().size(); ++i) parts.push_back(results_.whole(i));
  if (keeper_.keeps()) {
    const JournalPart& part = keeper_.journal().part();
    if (part.of > 1) parts = divided(parts, part.of)[part.number - 1];
  }
  return results_.missing(parts);
}

double Runner::steps() const {
  double sum = 0;
  for (const auto& worker : workers_) sum += worker->runner->steps();
  return sum;
}

// Passes on what is complete, in order.
void Runner::deliver() {
  while (const auto complete = results_.next()) {
    const Share& share = results_.shares()[complete->nth];
    const ShareResult& result = complete->result;
    if (complete->of_pieces) keeper_.note_whole(share);
    if (result.diverged && diverged_.insert(share.point).second) note(*result.diverged);
    done_(share.point, result);
    if (hooks_.window) hooks_.window(share.point, result.windows);
  }
}

// The first path of a point that diverged. Other runners of the outcome may have noted one.
void Runner::note(const Divergence& divergence) {
  const auto seen = [&](const Divergence& other) { return other.point == divergence.point; };
  if (noted_here_ < outcome_.diverged.size() && std::ranges::any_of(outcome_.diverged, seen)) return;
  outcome_.diverged.push_back(divergence);
  ++noted_here_;
}

void Runner::between_launches() {
  deliver();
  if (keeper_.keeps()) {
    constexpr double between_notes = 10;
    if (seconds_since(noted_) > between_notes) {
      noted_ = Clock::now();
      if (const double left = progress_.seconds_left(); std::isfinite(left)) keeper_.note_left(left);
    }
    keeper_.flush(false);
    keeper_.tell_unsaved();
  }
  check_interruption();
  if (!results_.shares().empty()) RoundProgress::tell(shown_);
}

void Runner::end() {
  between_launches();
  if (keeper_.keeps() && !keeper_.flush(true)) keeper_.tell_unsaved();
  count(progress_.in_round(), progress_.known());
}

void Runner::count(double steps, double known) {
  outcome_.steps += steps / (plan_.kernel.coarse ? 2 : 1);
  outcome_.steps_known += known / (plan_.kernel.coarse ? 2 : 1);
  for (size_t i = 0; i < workers_.size(); ++i) {
    DeviceRunner& device = *workers_[i]->runner;
    DeviceWork& work = outcome_.devices[i];
    work.name = backends_[i]->name();
    work.steps += (device.steps() - workers_[i]->steps_before) / (plan_.kernel.coarse ? 2 : 1);
    workers_[i]->steps_before = device.steps();
    work.seconds += std::exchange(device.device_seconds, 0);
    outcome_.launches += std::exchange(device.launches, 0);
    outcome_.batches += std::exchange(device.batches, 0);
    outcome_.device_seconds = std::max(outcome_.device_seconds, work.seconds);
  }
}

// Other parts of the run may be done by other processes.
void Runner::check_parts() {
  if (results_.all_delivered()) return;
  recall_all();
  peers_.share_known(results_);
  deliver();
  if (results_.all_delivered()) return;
  const JournalPart& part = keeper_.journal().part();
  throw Error(fmt::format("run: part {}/{} is done; when all parts are, any of them, or the same command without "
                          "--part, goes on",
                          part.number, part.of),
              BM_PART_DONE);
}

// One launch on a device, by its thread.
bool Runner::advance(size_t device) {
  Worker& worker = *workers_[device];
  if (worker.failed) return false;
  const uint64_t batches = worker.runner->batches;
  if (worker.runner->advance()) {
    if (!keeper_.keeps()) return true;
    if (worker.runner->batches > batches) {
      if (keeper_.flush(true)) keeper_.journal().drop_state(batch_name(worker.runner->batch(), keeper_.identity()));
    } else if (seconds_since(worker.saved) > keeper_.journal().every()) {
      worker.saved = Clock::now();
      keeper_.save_state(*worker.runner, false);
    }
    return true;
  }
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return false;
  const auto alive =
      static_cast<size_t>(std::ranges::count_if(workers_, [](const auto& worker) { return !worker->failed; }));
  const auto end = spare_.begin() + static_cast<ptrdiff_t>((spare_.size() + alive - 1) / alive);
  worker.runner->add({spare_.begin(), end});
  spare_.erase(spare_.begin(), end);
  return true;
}

bool Runner::has_spare(size_t device) {
  const std::lock_guard lock(mutex_);
  return !spare_.empty() && !workers_[device]->failed;
}

// After a failure of a device. False if there is no other.
bool Runner::give_to_others(size_t device, const std::string& why) {
  const std::lock_guard lock(mutex_);
  workers_[device]->failed = true;
  const std::vector<Part> left = workers_[device]->runner->give_back();
  spare_.insert(spare_.end(), left.begin(), left.end());
  if (std::ranges::all_of(workers_, [](const auto& worker) { return worker->failed; })) return false;
  outcome_.warnings.push_back(
      fmt::format("run: {} failed; the other devices do its work: {}", backends_[device]->name(), why));
  return true;
}

}  // namespace bmsim
