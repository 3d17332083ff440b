#include "engine/runner.h"

#include <algorithm>
#include <cmath>

#include "engine/records.h"
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
  const auto same = std::ranges::count_if(backends, [&](const auto& one) { return one->name() == backend.name(); });
  return memory / static_cast<uint64_t>(same) / at_once;
}

}  // namespace

Runner::Runner(const EnsemblePlan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels,
               RunOutcome& outcome, ShareDone done)
    : plan_(plan),
      hooks_(hooks),
      backends_(backends),
      kernels_(kernels),
      outcome_(outcome),
      done_(std::move(done)),
      points_(packed(plan, kernels[0]->layout())),
      assembler_(plan, kernels[0]->layout(), bool{hooks.window}, {}),
      keeper_(hooks.window ? nullptr : hooks.journal,
              hooks.journal == nullptr || hooks.window
                  ? ""
                  : identity_of(plan, points_.parameters, *kernels[0], backends[0]->kind())),
      started_(Clock::now()),
      noted_(started_) {
  for (size_t i = 0; i < backends.size(); ++i) {
    auto worker = std::make_unique<Worker>();
    worker->runner = std::make_unique<DeviceRunner>(
        plan, points_, *kernels[i], memory_for(plan, backends, *backends[i]), bool{hooks.window},
        Reduction::Receiver{[this](const Part& part, ShareResult result) { take(part.nth, std::move(result)); },
                            [this](Piece piece) { take(std::move(piece)); },
                            [this](const Part& part) {
                              const std::lock_guard lock(mutex_);
                              return rows_of(gathered_[part.nth], part.share.perturbed);
                            }});
    workers_.push_back(std::move(worker));
  }
  const KernelLayout& layout = kernels[0]->layout();
  outcome.bytes_per_trajectory = layout.group_bytes / layout.lanes;
  outcome.devices.resize(backends.size());
  outcome.ranks = World::instance().size();
  compare_ranks();
}
Runner::~Runner() = default;

void Runner::run_shares(const std::vector<Share>& shares) {
  begin(shares);
  run_round({this});
}

void Runner::begin(const std::vector<Share>& shares) {
  shares_ = shares;
  round_ = World::instance().begin_round();
  gathered_.clear();
  gathered_.resize(shares.size());
  delivered_ = 0;
  round_began_ = steps();
  steps_of_round_ = 0;
  for (const Share& share : shares) steps_of_round_ += steps_of({{share, 0, 0, assembler_.groups_per_share()}});
  if (keeper_.keeps()) {
    keeper_.note_begun(shares.size());
    recall_all();
  }
  share_known();
  std::vector<size_t> devices;
  for (size_t i = 0; i < workers_.size(); ++i)
    if (!workers_[i]->failed) devices.push_back(i);
  std::vector<Part> left = missing();
  steps_known_ = steps_of_round_ - steps_of(left);
  std::vector<Part> mine;
  if (keeper_.keeps()) mine = take_states(left, devices);
  const World& world = World::instance();
  if (world.size() > 1) left = divided(left, world.size())[world.rank()];
  steps_here_ = steps_of(left) + steps_of(mine);
  const auto parts = divided(left, devices.size());
  for (size_t i = 0; i < devices.size(); ++i) workers_[devices[i]]->runner->add(parts[i]);
}

double Runner::steps_of(const std::vector<Part>& parts) const {
  const double each = static_cast<double>(plan_.paths) * (plan_.needs.force_step ? 2 : 1) /
                      static_cast<double>(assembler_.groups_per_share());
  double sum = 0;
  for (const Part& part : parts)
    if (!part.share.perturbed)
      sum += plan_.points[part.share.point].time.steps * each * static_cast<double>(part.groups);
  return sum;
}

std::vector<std::vector<Part>> Runner::divided(const std::vector<Part>& parts, size_t workers) const {
  return divide(parts, workers, !plan_.together(), assembler_.groups_per_bundle());
}

// What this process has to do of the round.
std::vector<Part> Runner::missing() const {
  std::vector<Part> all;
  for (size_t i = 0; i < shares_.size(); ++i) all.push_back({shares_[i], i, 0, assembler_.groups_per_share()});
  if (keeper_.keeps()) {
    const JournalPart& part = keeper_.journal().part();
    if (part.of > 1) all = divided(all, part.of)[part.number - 1];
  }
  std::vector<Part> left;
  for (const Part& part : all) {
    const Gathered& share = gathered_[part.nth];
    if (share.result) continue;
    const std::vector<Part> some = gaps(part, share.pieces);
    left.insert(left.end(), some.begin(), some.end());
  }
  return left;
}

double Runner::steps() const {
  double sum = 0;
  for (const auto& worker : workers_) sum += worker->runner->steps();
  return sum;
}

// Called by the devices' threads.
void Runner::take(size_t nth, ShareResult result) {
  keeper_.keep(shares_[nth], result);
  const std::lock_guard lock(mutex_);
  if (World::instance().size() > 1) add_record(done_here_, nth, result);
  gathered_[nth].result = std::move(result);
}
std::shared_ptr<ShareRows> Runner::rows_of(Gathered& share, bool perturbed) const {
  std::shared_ptr<ShareRows>& rows = perturbed ? share.perturbed_rows : share.rows;
  if (!rows) rows = assembler_.make_rows();
  return rows;
}
void Runner::take(Piece piece) {
  keeper_.keep(piece);
  const std::lock_guard lock(mutex_);
  if (World::instance().size() > 1) add_record(done_here_, piece);
  Gathered& share = gathered_[piece.part.nth];
  share.groups += piece.part.groups;
  (piece.part.share.perturbed ? share.perturbed : share.pieces).push_back(std::move(piece));
}

// Passes on what is complete, in order.
void Runner::deliver() {
  std::unique_lock lock(mutex_);
  const uint64_t groups = assembler_.groups_per_share() * (plan_.needs.force_step ? 2 : 1);
  for (; delivered_ < gathered_.size(); ++delivered_) {
    Gathered& share = gathered_[delivered_];
    if (!share.result && share.groups < groups) return;
    Gathered complete = std::move(share);
    share = Gathered();
    lock.unlock();
    const ShareResult result =
        complete.result ? *std::move(complete.result) : assembler_.assemble(complete.perturbed, complete.pieces);
    if (!complete.result) keeper_.note_whole(shares_[delivered_]);
    lock.lock();
    const size_t point = shares_[delivered_].point;
    const auto seen = [&](const Divergence& one) { return one.point == point; };
    if (result.diverged && std::ranges::none_of(outcome_.diverged, seen)) outcome_.diverged.push_back(*result.diverged);
    done_(point, result);
    if (hooks_.window) hooks_.window(point, result.windows);
  }
}

void Runner::between_launches() {
  deliver();
  if (keeper_.keeps()) {
    constexpr double between_notes = 10;
    if (seconds_since(noted_) > between_notes) {
      noted_ = Clock::now();
      if (const double left = seconds_left(); std::isfinite(left)) keeper_.note_left(left);
    }
    keeper_.flush(false);
    keeper_.tell_unsaved();
  }
  check_interruption();
  if (!gathered_.empty()) tell_progress();
}

void Runner::end() {
  between_launches();
  if (keeper_.keeps() && !keeper_.flush(true)) keeper_.tell_unsaved();
  count(steps_of_round_, steps_known_);
}

// Adds the round's work to the outcome.
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
  if (delivered_ == gathered_.size()) return;
  recall_all();
  share_known();
  deliver();
  if (delivered_ == gathered_.size()) return;
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
  const auto alive = static_cast<size_t>(std::ranges::count_if(workers_, [](const auto& one) { return !one->failed; }));
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
  if (std::ranges::all_of(workers_, [](const auto& one) { return one->failed; })) return false;
  outcome_.warnings.push_back(
      fmt::format("run: {} failed; the other devices do its work: {}", backends_[device]->name(), why));
  return true;
}

}  // namespace bmsim
