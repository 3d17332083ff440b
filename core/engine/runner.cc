#include "engine/runner.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "compose/trajectory.h"
#include "engine/exact.h"
#include "error.h"

namespace bmsim {

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

LaunchLength::LaunchLength(const EnsemblePlan& plan, const KernelLayout& layout) : fixed_(plan.execution.chunk > 0) {
  blocks_ = fixed_ ? (plan.execution.chunk + layout.block - 1) / layout.block : 16;
}

void LaunchLength::adapt(double took) {
  if (fixed_) return;
  const double factor = std::clamp(seconds / std::max(took, 1e-6), 0.25, 4.0);
  constexpr uint64_t most = uint64_t{1} << 40;  // beyond the blocks of any run, and far from an overflow
  blocks_ = std::clamp<uint64_t>(static_cast<uint64_t>(static_cast<double>(blocks_) * factor), 1, most);
}

Runner::Runner(const EnsemblePlan& plan, const RunHooks& hooks, Backend& backend, Kernel& kernel, RunOutcome& outcome,
               ShareDone done)
    : plan_(plan),
      schema_(plan.model, plan.points[0].values, plan.kernel),
      hooks_(hooks),
      kernel_(kernel),
      outcome_(outcome),
      length_(plan, kernel.layout()),
      most_marks_(plan.most_marks()),
      reduction_(plan, kernel.layout(), hooks, outcome, std::move(done)),
      started_(Clock::now()) {
  const KernelLayout& layout = kernel.layout();
  groups_per_share_ = (plan.paths + layout.lanes - 1) / layout.lanes;
  const uint64_t memory = plan.execution.memory > 0 ? plan.execution.memory : backend.memory_bytes();
  const uint64_t recorded = most_marks_ * layout.sample_values * sizeof(double) * layout.lanes;
  const uint64_t sums = sums_per_share(plan.kernel) * sizeof(int64_t);
  const uint64_t windows = plan.needs.windows ? layout.path_values.count * sizeof(double) * layout.lanes : 0;
  batch_groups_ = std::max<uint64_t>(1, memory / (layout.group_bytes + recorded + windows + sums / groups_per_share_));
  if (layout.fields > 0)
    batch_groups_ = std::clamp(batch_groups_, groups_per_share_, kernel.most_groups(groups_per_share_));
  if (batch_groups_ > groups_per_share_) batch_groups_ -= batch_groups_ % groups_per_share_;  // whole shares
  for (const auto& point : plan.points) {
    pack(point, point.values);
    pace_.push_back(steps_per_iteration(plan.model, point.values, point.time, plan.kernel));
  }
  if (plan.needs.force_step)
    for (const auto& point : plan.points) pack(point, *point.perturbed);
  outcome.bytes_per_trajectory = layout.group_bytes / layout.lanes;
}

// Packs the parameters and marks of a point. Their index in a batch is the index of the point; for the perturbed point,
// the number of points is added.
void Runner::pack(const Point& point, const ModelValues& values) {
  if (plan_.kernel.marks) {
    marks_.push_back(point.marks);
    marks_.back().resize(most_marks_ + bmsim_abi::SPARE_MARKS, bmsim_abi::NEVER);
  }
  parameters_.push_back(schema_.pack(values, {point.time, point.x, point.v, static_cast<double>(plan_.paths),
                                              counters_of(plan_, point), plan_.local_error, point.substeps}));
  const uint64_t wanted = kernel_.layout().parameter_bytes;
  if (parameters_.back().size() != wanted)
    fail_device("kernel: its parameters take {} bytes, but {} are packed", wanted, parameters_.back().size());
}

void Runner::run_shares(const std::vector<Share>& shares) {
  begin(shares);
  while (advance()) {
  }
}

void Runner::begin(const std::vector<Share>& shares) {
  shares_ = with_perturbed(plan_, shares);
  steps_of_round_ = 0;
  for (const Share& share : shares_)
    steps_of_round_ += plan_.points[share.point].time.steps * static_cast<double>(plan_.paths);
  round_began_ = steps_before_;
  first_ = 0;
  groups_ = groups_per_share_ * shares_.size();
}

// One launch.
bool Runner::advance() {
  if (first_ == groups_) return false;
  if (!ensemble_) begin_batch();
  const auto before = Clock::now();
  const bool more = ensemble_->advance(length_.blocks());
  blocks_done_ += length_.blocks();
  length_.adapt(seconds_since(before));
  ++outcome_.launches;
  between_launches(batch_, blocks_done_, more);
  if (!more) end_batch();
  if (first_ < groups_) return true;
  steps_before_ = round_began_ + steps_of_round_;  // without the spare trajectories
  outcome_.steps += steps_of_round_ / (plan_.kernel.coarse ? 2 : 1);
  return false;
}

void Runner::begin_batch() {
  batch_ = Batch();
  batch_.parameters = parameters_;
  batch_.marks = marks_;
  batch_.seed = plan_.execution.seed;
  batch_.groups_per_share = groups_per_share_;
  batch_.sums_per_share = sums_per_share(plan_.kernel);
  const uint64_t last = std::min(groups_, first_ + batch_groups_);
  for (uint64_t g = first_; g < last; ++g) {
    const Share& share = shares_[g / groups_per_share_];
    const uint64_t path = g % groups_per_share_ * kernel_.layout().lanes;
    const uint64_t ensemble = share.number * plan_.points.size() + share.point;
    const size_t parameters = share.point + (share.perturbed ? plan_.points.size() : 0);
    const auto nth = static_cast<uint32_t>(g / groups_per_share_ - first_ / groups_per_share_);
    batch_.groups.push_back({static_cast<uint32_t>(parameters), nth, ensemble * plan_.paths + path, path});
  }
  blocks_done_ = 0;
  ensemble_ = kernel_.ensemble(batch_);
  ensemble_->start();
}

void Runner::end_batch() {
  reduction_.take(*ensemble_, batch_, first_);
  outcome_.device_seconds += ensemble_->device_seconds();
  steps_before_ += batch_steps(batch_, std::numeric_limits<uint64_t>::max());
  ++outcome_.batches;
  first_ += batch_.groups.size();
  ensemble_.reset();
}

// Steps that the trajectories of a batch have made after `blocks` blocks.
double Runner::batch_steps(const Batch& batch, uint64_t blocks) const {
  const double iterations = static_cast<double>(blocks) * static_cast<double>(kernel_.layout().block);
  double sum = 0;
  for (const auto& group : batch.groups) {
    const size_t point = group.point % plan_.points.size();
    sum += std::min(iterations * pace_[point], plan_.points[point].time.steps);
  }
  return sum * static_cast<double>(plan_.paths) / static_cast<double>(groups_per_share_);
}

void Runner::between_launches(const Batch& batch, uint64_t blocks, bool more) {
  if (hooks_.interrupted && hooks_.interrupted()) throw Error("run: interrupted", BM_INTERRUPTED);
  if (!hooks_.progress) return;
  const double done = steps_before_ + batch_steps(batch, blocks);
  const double fraction = (done - round_began_) / steps_of_round_;
  // Trajectories with events lag a little behind: they need less than one more launch.
  const double shown = more ? std::min(fraction, 0.999) : fraction;
  const double speed = done / seconds_since(started_);
  hooks_.progress({shown, speed, (1 - shown) * steps_of_round_ / speed});
}

constexpr size_t many_numbers = 6;  // positions and velocities: more than fit into registers, six vectors of each

KernelOptions shaped(const EnsemblePlan& plan, const Backend& backend) {
  KernelOptions options = plan.kernel;
  const KernelShape shape = backend.shape(plan.paths, options.precision == Precision::double_precision);
  options.dialect = shape.cuda ? Dialect::cuda : Dialect::cpu;
  options.group = shape.group;
  if (shape.cuda && plan.together()) {  // a block is a system, or the largest part of one
    constexpr uint64_t least = 128, most = 1024;
    options.block_threads = static_cast<int>(std::clamp(std::bit_ceil(plan.paths), least, most));
  }
  // With two vectors a ring of 8 phases is a third faster than with six of 32 bytes (g++ 12, Zen 3) and 5 % than with
  // six of 64 bytes (g++ 13, Emerald Rapids). So are, by a factor up to 2.4, dual numbers of 1 to 4 variables (g++ 12,
  // Zen 5).
  const bool many = plan.model.variables().size() + count(plan.model).velocities >= many_numbers;
  if (many || std::ranges::any_of(options.counters, &Counter::linearises)) options.group = std::min(options.group, 2);
  return options;
}

std::unique_ptr<Kernel> compile_for(const EnsemblePlan& plan, Backend& backend, RunOutcome& outcome) {
  const auto before = Clock::now();
  auto kernel =
      backend.compile(compose(plan.model, plan.points[0].values, shaped(plan, backend)), plan.execution.keep_source);
  outcome.compile_seconds += seconds_since(before);
  outcome.kernel_cached = kernel->cached;
  outcome.kernel_source = kernel->source;
  return kernel;
}

Compiled compile(const EnsemblePlan& plan, RunOutcome& outcome) {
  auto backend = make_backend(plan.execution.device, plan.execution.threads, &outcome.why_cpu);
  outcome.device = backend->name();
  auto kernel = compile_for(plan, *backend, outcome);
  return {std::move(backend), std::move(kernel)};
}

}  // namespace bmsim
