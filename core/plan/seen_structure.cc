#include "plan/seen_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "model/structure.h"

namespace bmsim {

namespace {

constexpr size_t samples = 256, few = 16;  // of a region
constexpr size_t most_looks = 4'000;       // at parts of the region
constexpr double usual = 0.9;              // part of the samples: their slopes are those of a formula without structure
constexpr double far_steeper = 3;          // than the usual slopes

Box point_of(const std::vector<double>& place) {
  Box point;
  for (const double x : place) point.push_back({x, x});
  return point;
}

}  // namespace

SeenStructure structure_of(const StateFormula& formula, const Model& model, const ModelValues& values,
                           const SystemScales& scales, std::span<const double> noise, double known,
                           std::pair<double, double> between) {
  SeenStructure structure;
  formula::Enclosure f = formula.bounds(values);
  Box region;
  for (size_t i = 0; i < noise.size(); ++i) {
    const SystemScales::Extent& extent = scales.extents[i];
    if (!(extent.low <= extent.high) || !std::isfinite(extent.high - extent.low)) return structure;
    region.push_back({extent.low, extent.high});
  }
  const auto is_outside = [&](const formula::Interval& value) {
    return value.is_empty() || value.high < between.first || value.low > between.second;
  };
  const auto slope_at = [&](const std::vector<double>& place, size_t along) {
    const formula::Enclosed& there = f.over(point_of(place), along);
    return is_outside(there.value) || there.slope.is_empty() ? 0 : there.slope.size();
  };
  for (size_t along = 0; along < noise.size(); ++along) {
    if (noise[along] == 0 || !f.depends(along)) continue;
    double enough = std::sqrt(known / noise[along]);
    const double bound = f.over(region, along).slope.size();
    std::vector<double> slopes;
    // For most formulas a few samples show that no more are needed.
    for (size_t k = 0; k < samples && !(bound <= far_more * enough); ++k) {
      const double slope = slope_at(spread_over(region, k), along);
      if (std::isfinite(slope) && slope > 0) slopes.push_back(slope);
      if (k + 1 != few && k + 1 != samples) continue;
      if (slopes.empty()) continue;
      const size_t place = static_cast<size_t>(usual * static_cast<double>(slopes.size()));
      std::ranges::nth_element(slopes, slopes.begin() + static_cast<ptrdiff_t>(place));
      enough = std::max(std::sqrt(known / noise[along]), far_steeper / far_more * slopes[place]);
    }
    if (bound <= far_more * enough) continue;
    const auto negligible = [&](const formula::Enclosed& bounds, const Box&) { return is_outside(bounds.value); };
    const Extremes steepest = largest(f, region, Extreme::slope, along, enough, negligible, most_looks);
    if (steepest.singular) continue;
    if (steepest.most > far_more * enough) {
      double D = 0;
      for (size_t i = 0; i < noise.size(); ++i)
        if (noise[i] > 0) D += noise[i] * std::pow(f.over(point_of(steepest.at), i).slope.size(), 2);
      structure.D = std::max(structure.D, D);
    } else if (!steepest.settled && std::isfinite(steepest.bound) && steepest.bound > little_doubt * enough) {
      structure.settled = false;
      structure.unsure_at.clear();
      for (size_t i = 0; i < values.variables.size(); ++i)
        structure.unsure_at +=
            fmt::format("{}{} = {:.4g}", i == 0 ? "" : ", ", model.variables()[i].name, steepest.where[i]);
    }
  }
  return structure;
}

}  // namespace bmsim
