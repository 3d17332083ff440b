#include "model/continuity.h"

#include <algorithm>
#include <cmath>

#include "error.h"

namespace bmsim {
namespace {

constexpr size_t most_numbers = 4'000'000;  // 32 MB of keys

std::string at(double x, double t) {
  return t == 0 ? fmt::format("at x = {:.6g}", x) : fmt::format("at x = {:.6g}, t = {:.6g},", x, t);
}

[[noreturn]] void fail_not_finite(std::string_view subject, const Gap& gap, double x, const char* where) {
  fail("{}: V must be finite {}, got {} {}", subject, where, std::isnan(gap.value) ? NAN : gap.value, at(x, gap.t));
}

}  // namespace

Continuity continuity_of(const Plugin& potential, std::span<const double> values,
                         const std::vector<std::vector<double>>& arrays, double period) {
  Continuity result;
  for (const double t : potential.times(values.data())) find_breaks(potential, values, arrays, period, t, result);
  std::ranges::sort(result.jumps, {}, &Jump::x);
  std::ranges::sort(result.kinks, {}, &Jump::x);
  std::ranges::sort(result.gaps, {}, &Gap::from);
  return result;
}

void check_continuity(const Continuity& continuity, double period, std::string_view subject) {
  if (period > 0)
    for (const Gap& gap : continuity.gaps)
      if (gap.from < gap.to || !gap.wall_below || !gap.wall_above)
        fail_not_finite(subject, gap, gap.from, "wherever particles come");
  if (continuity.jumps.empty()) return;
  const Jump& jump = *std::ranges::max_element(continuity.jumps, {},
                                               [](const Jump& step) { return std::abs(step.right - step.left); });
  const bool seam = period > 0 && std::abs(std::abs(jump.x) - period / 2) <= 1e-9 * period;
  const size_t others = continuity.jumps.size() - 1;
  fail("{}: V must not jump: {}{} it {} by {:.6g}, which no force shows{}; make it a slope", subject,
       at(jump.x, jump.t), seam ? fmt::format(", where the period L = {:.6g} ends,", period) : "",
       jump.right < jump.left ? "falls" : "rises", std::abs(jump.right - jump.left),
       others > 0 ? fmt::format(" (and jumps at {}{} more place{})", others >= most_found - 1 ? "at least " : "",
                                others, others == 1 ? "" : "s")
                  : "");
}

void check_reached(const Continuity& continuity, double from, double to, std::pair<double, double> walls,
                   std::string_view subject) {
  for (const Gap& gap : continuity.gaps)
    if (gap.from <= to && gap.to >= from)
      fail_not_finite(subject, gap, std::clamp(gap.from, from, to), "where particles begin (initial x)");
  const auto below = [&](const Gap& gap) { return gap.to < from && gap.to >= walls.first; };
  const auto above = [&](const Gap& gap) { return gap.from > to && gap.from <= walls.second; };
  const auto nearest_above = std::ranges::find_if(continuity.gaps, above);
  if (nearest_above != continuity.gaps.end() && !nearest_above->wall_below)
    fail_not_finite(subject, *nearest_above, nearest_above->from, "wherever particles come");
  const auto nearest_below = std::find_if(continuity.gaps.rbegin(), continuity.gaps.rend(), below);
  if (nearest_below != continuity.gaps.rend() && !nearest_below->wall_above)
    fail_not_finite(subject, *nearest_below, nearest_below->to, "wherever particles come");
}

std::shared_ptr<const Continuity> Continuities::find(const Plugin& potential, std::span<const double> values,
                                                     const std::vector<std::vector<double>>& arrays, double period) {
  const std::lock_guard lock(mutex_);
  std::pair<const Plugin*, std::vector<double>> key{&potential, {values.begin(), values.end()}};
  std::vector<double>& numbers = key.second;
  for (const auto& array : arrays) numbers.insert(numbers.end(), array.begin(), array.end());
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  numbers_ += numbers.size();
  if (numbers_ > most_numbers) known_.clear(), numbers_ = numbers.size();
  auto continuity = std::make_shared<const Continuity>(continuity_of(potential, values, arrays, period));
  known_.emplace(std::move(key), continuity);
  return continuity;
}

}  // namespace bmsim
