#include "engine/device_runner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compose/parameters.h"
#include "error.h"
#include "interruption.h"
#include "plan/exact.h"
#include "plan/timing.h"

namespace bmsim {

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

LaunchLength::LaunchLength(const EnsemblePlan& plan, const KernelLayout& layout) : fixed_(plan.execution.chunk > 0) {
  blocks_ = fixed_ ? (plan.execution.chunk + layout.block - 1) / layout.block : 1;
}

void LaunchLength::adapt(double took) {
  if (fixed_) return;
  const double factor = std::clamp(seconds / std::max(took, 1e-6), 0.25, 4.0);
  constexpr uint64_t most = uint64_t{1} << 40;  // beyond the blocks of any run, and far from an overflow
  blocks_ = std::clamp<uint64_t>(static_cast<uint64_t>(static_cast<double>(blocks_) * factor), 1, most);
}

PackedPoints packed(const EnsemblePlan& plan, const KernelLayout& layout) {
  const ParameterSchema schema(plan.model, plan.points[0].values, plan.kernel);
  const size_t points = plan.points.size(), kinds = plan.needs.force_step ? 2 : 1, each = layout.parameter_bytes;
  const size_t marks_of_each = plan.kernel.marks ? plan.most_marks() + bmsim_abi::SPARE_MARKS : 0;
  PackedPoints packed_points{std::vector<std::byte>(kinds * points * each),
                             std::vector<double>(kinds * points * marks_of_each, bmsim_abi::NEVER),
                             std::vector<double>(points)};
  const auto pack = [&](const Point& point, const ModelValues& values, size_t place, std::vector<std::byte>& bytes) {
    check_interruption();
    bytes.clear();
    schema.pack(values,
                {point.time, point.x, point.v, static_cast<double>(plan.paths),
                 plan.kernel.counters.empty() ? std::vector<Counter>() : counters_of(plan, point), plan.local_error,
                 point.substeps},
                bytes);
    if (bytes.size() != each)
      fail_device("kernel: its parameters take {} bytes, but {} are packed", each, bytes.size());
    std::ranges::copy(bytes, packed_points.parameters.begin() + static_cast<ptrdiff_t>(place * each));
    if (plan.kernel.marks)
      std::ranges::copy(point.marks, packed_points.marks.begin() + static_cast<ptrdiff_t>(place * marks_of_each));
  };
  Patience patience("the packing of parameters", points);
  in_parts(plan, points, patience, [&](size_t from, size_t to) {
    std::vector<std::byte> bytes;
    for (size_t i = from; i < to; ++i) {
      const Point& point = plan.points[i];
      pack(point, point.values, i, bytes);
      if (kinds == 2) pack(point, *point.perturbed, points + i, bytes);
      packed_points.pace[i] = steps_per_iteration(plan.model, point.values, point.time, plan.kernel);
    }
  });
  return packed_points;
}

namespace {

/// Number of groups in a batch, at most `most`: whole shares of `share` groups if memory has room for one. Points are
/// finished batch by batch, and finished work survives an interruption. So a batch is half a minute of work, whose
/// groups fill the device evenly many times over; of very short paths it has fewer, since all results of a batch are
/// held until it ends.
uint64_t batch_groups(const EnsemblePlan& plan, const Kernel& kernel, uint64_t share, uint64_t most) {
  if (kernel.layout().fields == 0) {
    constexpr double seconds = 30, rounds = 64;
    constexpr uint64_t most_shares = 65'536;
    const Pace pace = kernel.pace();
    double steps = 0;
    for (const Point& point : plan.points) steps += point.time.steps;
    const auto lanes = static_cast<double>(kernel.layout().lanes), at_once = static_cast<double>(pace.groups);
    const double steps_of_group = steps / static_cast<double>(plan.points.size()) * lanes;
    const double fewest = rounds * at_once, few = std::max(fewest, static_cast<double>(most_shares * share));
    const double wanted =
        std::ceil(std::max(fewest, seconds * pace.steps_per_second / steps_of_group) / at_once) * at_once;
    if (std::min(wanted, few) < static_cast<double>(most))
      most = std::max(static_cast<uint64_t>(std::min(wanted, few)), std::min(share, most));
  }
  return most > share ? most - most % share : most;
}

}  // namespace

DeviceRunner::DeviceRunner(const EnsemblePlan& plan, const PackedPoints& points, Kernel& kernel, uint64_t memory,
                           bool keep_windows, Reduction::Receiver receiver)
    : plan_(plan),
      points_(points),
      kernel_(kernel),
      length_(plan, kernel.layout()),
      with_twins_(plan.needs.force_step ? 2 : 1),
      reduction_(plan, kernel.layout(), keep_windows, std::move(receiver)) {
  const KernelLayout& layout = kernel.layout();
  const uint64_t share = reduction_.groups_per_share();
  const uint64_t recorded = plan.most_marks() * layout.sample_values * sizeof(double) * layout.lanes;
  const uint64_t sums = sums_per_share(plan.kernel) * sizeof(int64_t);
  const uint64_t windows = plan.needs.windows ? layout.path_values.count * sizeof(double) * layout.lanes : 0;
  most_groups_ = std::max<uint64_t>(1, memory / (layout.group_bytes + recorded + windows + sums / share));
  if (layout.fields > 0) most_groups_ = std::clamp(most_groups_, share, kernel.most_groups(share));
  batch_groups_ = batch_groups(plan, kernel, share * with_twins_, most_groups_);
}

void DeviceRunner::add(const std::vector<Part>& parts) {
  const uint64_t most = std::max<uint64_t>(1, batch_groups_ / with_twins_), grain = reduction_.groups_per_bundle();
  for (Part part : parts)
    for (uint64_t left = part.groups; left > 0; part.first += part.groups, left -= part.groups) {
      const uint64_t over = most < left && most > grain ? (part.first + most) % grain : 0;
      part.groups = std::min(left, most - over);
      if (with_twins_ == 2) {
        parts_.push_back(part);
        parts_.back().share.perturbed = true;
      }
      parts_.push_back(part);
    }
}

bool DeviceRunner::add(SavedBatch saved) {
  uint64_t groups = 0;
  for (const Part& part : saved.parts) groups += part.groups;
  if (groups > most_groups_) return false;
  parts_.insert(parts_.begin() + static_cast<ptrdiff_t>(saved_parts_), saved.parts.begin(), saved.parts.end());
  saved_parts_ += saved.parts.size();
  saved_.push_back(std::move(saved));
  return true;
}

std::optional<SavedBatch> DeviceRunner::save() {
  if (!ensemble_) return {};
  std::string state = ensemble_->save();
  if (state.empty()) return {};
  return SavedBatch{batched_, blocks_done_, std::move(state)};
}

bool DeviceRunner::advance() {
  if (!ensemble_ && parts_.empty()) return false;
  if (!ensemble_) begin_batch();
  const auto started = Clock::now();
  const bool more = ensemble_->advance(length_.blocks());
  blocks_done_ += length_.blocks();
  length_.adapt(seconds_since(started));
  ++launches;
  // Into how many parts method adaptive divides a step is only known at the end of a batch. Until then a fifth of the
  // batch is assumed to be left.
  const double stretch = static_cast<double>(blocks_done_ * kernel_.layout().block) / longest_path();
  if (plan_.kernel.method == Method::adaptive && (!more || (batches == 0 ? 1.25 * stretch : stretch) > stretch_))
    stretch_ = more ? 1.25 * stretch : stretch;
  steps_ = steps_before_ + batch_steps(blocks_done_);
  if (!more) end_batch();
  return true;
}

void DeviceRunner::begin_batch() {
  batch_ = Batch();
  batch_.marks_per_point = points_.marks.empty() ? 0 : plan_.most_marks();
  batch_.seed = plan_.execution.seed;
  batch_.groups_per_share = reduction_.groups_per_share();
  batch_.sums_per_share = sums_per_share(plan_.kernel);
  batched_.clear();
  std::optional<SavedBatch> saved;
  if (!saved_.empty()) {
    saved = std::move(saved_.front());
    saved_.pop_front();
    saved_parts_ -= saved->parts.size();
  }
  uint64_t room = saved ? most_groups_ : batch_groups_;
  for (const Part& part : parts_) {
    const bool twin = with_twins_ == 2 && batched_.size() % 2 == 1, full = part.groups * with_twins_ > room;
    if ((full && !twin && !batched_.empty()) || (saved && batched_.size() == saved->parts.size())) break;
    const uint64_t ensemble = part.share.number * plan_.points.size() + part.share.point;
    const size_t parameters = part.share.point + (part.share.perturbed ? plan_.points.size() : 0);
    for (uint64_t g = 0; g < part.groups; ++g) {
      const uint64_t path = (part.first + g) * kernel_.layout().lanes;
      batch_.groups.push_back({static_cast<uint32_t>(parameters), static_cast<uint32_t>(batched_.size()),
                               ensemble * plan_.paths + path, path});
    }
    batched_.push_back(part);
    room -= std::min(room, part.groups);
  }
  take_points();
  blocks_done_ = saved ? saved->blocks : 0;
  auto ensemble = kernel_.ensemble(batch_);
  if (saved)
    ensemble->restore(saved->state);
  else
    ensemble->start();
  ensemble_ = std::move(ensemble);  // only now: an interruption before this line leaves no state to save
}

// A batch has the points from the first to the last that its groups are at.
void DeviceRunner::take_points() {
  const auto [first, last] = std::ranges::minmax(batch_.groups, {}, &LaneGroup::point);
  const auto of_points = [from = first.point, count = last.point + 1 - first.point](const auto& numbers, size_t each) {
    return std::span(numbers).subspan(numbers.empty() ? 0 : from * each, numbers.empty() ? 0 : count * each);
  };
  batch_.parameters = of_points(points_.parameters, kernel_.layout().parameter_bytes);
  batch_.marks = of_points(points_.marks, batch_.marks_per_point + bmsim_abi::SPARE_MARKS);
  for (LaneGroup& group : batch_.groups) group.point -= first.point;
}

void DeviceRunner::end_batch() {
  reduction_.take(*ensemble_, batched_);
  device_seconds += ensemble_->device_seconds();
  steps_before_ += batch_steps(std::numeric_limits<uint64_t>::max());
  steps_ = steps_before_;
  ++batches;
  parts_.erase(parts_.begin(), parts_.begin() + static_cast<ptrdiff_t>(batched_.size()));
  ensemble_.reset();
}

std::vector<Part> DeviceRunner::give_back() {
  ensemble_.reset();
  saved_.clear();
  saved_parts_ = 0;
  steps_ = steps_before_;
  std::erase_if(parts_, [](const Part& part) { return part.share.perturbed; });
  return std::move(parts_);
}

// The number of iterations that the longest path of the batch is expected to take.
double DeviceRunner::longest_path() const {
  double most = 1;
  for (const Part& part : batched_)
    most = std::max(most, plan_.points[part.share.point].time.steps / points_.pace[part.share.point]);
  return most;
}

// Steps that the trajectories of the batch have made after `blocks` blocks.
double DeviceRunner::batch_steps(uint64_t blocks) const {
  const double iterations = static_cast<double>(blocks) * static_cast<double>(kernel_.layout().block) / stretch_;
  double sum = 0;
  for (const Part& part : batched_) {
    const size_t point = part.share.point;
    sum +=
        std::min(iterations * points_.pace[point], plan_.points[point].time.steps) * static_cast<double>(part.groups);
  }
  return sum * static_cast<double>(plan_.paths) / static_cast<double>(reduction_.groups_per_share());
}

}  // namespace bmsim
