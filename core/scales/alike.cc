#include "scales/alike.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "error.h"

namespace bmsim {
namespace {

constexpr double width_of_cell = 1.15, apart = 1.3;
constexpr size_t few_systems = 256;  // up to which each is looked at
constexpr size_t most_in_cell = 8;   // places of a cell that are looked at for others to be like them

bool is_alike(double a, double b) {
  return a == b || (a * b > 0 && std::max(a, b) <= apart * std::min(a, b));  // false for nan
}

/// For each of so many places one of few, the nearest before it.
std::vector<size_t> some_of(size_t count) {
  std::vector<size_t> before(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t part = i * few_systems / count;
    before[i] = (part * count + few_systems - 1) / few_systems;  // the first place of this part
  }
  return before;
}

}  // namespace

std::vector<double> cell_of(std::vector<double> numbers) {
  // Of numbers that are not whole: the number of the cell, and a fraction for the sign. Parameters without a value,
  // which are nan, have none at any point.
  for (double& x : numbers)
    if (std::isnan(x))
      x = 0;
    else if (x != std::rint(x))
      x = std::floor(std::log(std::abs(x)) / std::log(width_of_cell)) + (x > 0 ? 0.25 : 0.75);
  return numbers;
}

bool are_alike(const SystemScales& a, const SystemScales& b) {
  for (const auto scale :
       {&SystemScales::relaxing, &SystemScales::crossing, &SystemScales::diffusing, &SystemScales::bending,
        &SystemScales::blurring, &SystemScales::averaging, &SystemScales::kinks, &SystemScales::kinks_of_velocities,
        &SystemScales::turning, &SystemScales::keeping_phase, &SystemScales::waiting, &SystemScales::over_rate,
        &SystemScales::resolving, &SystemScales::between, &SystemScales::speed, &SystemScales::spread})
    if (!is_alike(a.*scale, b.*scale)) return false;
  return std::ranges::equal(a.extents, b.extents, [](const auto& one, const auto& other) {
    return is_alike(one.rate, other.rate) && is_alike(one.size, other.size);
  });
}

void UnknownSystems::add(const SystemPlace& place, std::vector<double> key) {
  places_.push_back(&place);
  keys_.push_back(std::move(key));
  found_.emplace_back();
}

bool UnknownSystems::share() const {
  return places_.size() > few_systems && std::ranges::all_of(places_, [](const SystemPlace* place) {
           return place->values.smooth && place->values.jumps.empty();
         });
}

void UnknownSystems::find_all(size_t closely) {
  for_each_(places_.size(), [&](size_t i) { look_at(i, i < closely); });
}

void UnknownSystems::find_some(size_t closely) {
  const std::vector<size_t> before = some_of(places_.size());
  for_each_(places_.size(), [&](size_t i) {
    if (before[i] == i) look_at(i, i < closely);
  });
  std::shared_ptr<const SystemScales> of_another;
  for (size_t i = 0; i < found_.size(); ++i) {
    if (before[i] != i) {
      found_[i].scales = of_another;
    } else if (found_[i].scales) {
      SystemScales scales = *found_[i].scales;
      scales.of_another = true;
      of_another = std::make_shared<const SystemScales>(std::move(scales));
    }
  }
}

void UnknownSystems::find_unlike(size_t closely) {
  std::vector<size_t> left(places_.size());
  std::iota(left.begin(), left.end(), 0);
  for_each_(places_.size(), [&](size_t i) { take_first_steps(i); });
  for (size_t round = 0; round < most_in_cell && !left.empty(); ++round) {
    std::map<std::vector<double>, size_t> cells;
    std::vector<size_t> first_in_cell, looked_at, still_left;
    for (const size_t i : left) {
      const auto [cell, is_new] = cells.try_emplace(cell_of(keys_[i]), i);
      if (is_new) looked_at.push_back(i);
      first_in_cell.push_back(cell->second);
    }
    for_each_(looked_at.size(), [&](size_t k) { look_at(looked_at[k], round == 0 && k < closely); });
    for (size_t k = 0; k < left.size(); ++k) {
      Found &found = found_[left[k]], &other = found_[first_in_cell[k]];
      if (left[k] == first_in_cell[k]) continue;
      if (found.first && other.first && other.scales && are_alike(*found.first, *other.first))
        found.scales = other.scales, found.first.reset();
      else
        still_left.push_back(left[k]);
    }
    left = std::move(still_left);
  }
  for_each_(left.size(), [&](size_t k) { look_at(left[k], false); });
}

template <class Find> void UnknownSystems::try_at(size_t i, Find find) {
  const auto& [values, start, duration] = *places_[i];
  try {
    if (!found_[i].changes) found_[i].changes = changes_of(model_, values, start, duration);
    find(found_[i], values, start, duration);
  } catch (const Error&) {  // the caller who asks for this place gets it
  }
}

void UnknownSystems::look_at(size_t i, bool closely) {
  try_at(i, [&](Found& found, const ModelValues& values, const SystemStart& start, double duration) {
    found.scales =
        std::make_shared<const SystemScales>(scales_of(model_, values, start, duration, found.changes->times, closely));
  });
}

void UnknownSystems::take_first_steps(size_t i) {
  try_at(i, [&](Found& found, const ModelValues& values, const SystemStart& start, double duration) {
    found.first = std::make_unique<const SystemScales>(first_scales_of(model_, values, start, duration));
  });
}

}  // namespace bmsim
