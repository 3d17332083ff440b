#include "observe/occupation.h"

#include <algorithm>
#include <cmath>

namespace bmsim {

Occupation::Occupation(size_t bins, std::vector<double> edge, size_t paths, double window)
    : bins_(bins), groups_(path_groups_of(paths)), edge_(std::move(edge)) {
  double narrowest = 1;  // piece, in bins: a pass counts as the time for a whole bin
  for (size_t j = 0; j < pieces(); ++j) narrowest = std::min(narrowest, place(edge_[j + 1]) - place(edge_[j]));
  const double most = window * static_cast<double>(paths / groups_ + 1) / narrowest;
  units_ = std::exp2(std::min(24.0, 61 - std::ceil(std::log2(most))));
}

Counter Occupation::counter() const {
  const auto word = [](const char* name, size_t value) {
    return ParameterField{FieldType::word, name, {static_cast<double>(value)}};
  };
  const auto bins = static_cast<double>(bins_);
  return {.name = "occupation",
          .type = "Occupation",
          .parameters = {{FieldType::number, "units_per_step", {units_}},
                         {FieldType::number, "units_per_bin", {units_ / bins}},
                         word("cells", cells()),
                         word("path_groups", groups_),
                         {FieldType::real, "bins", {bins}},
                         {FieldType::real, "cell_shift", cell_shift(), true}},
          .sums = groups_ * stride()};
}

std::vector<double> Occupation::cell_shift() const {
  std::vector<double> shift;
  double cells = 1;  // cells of the pieces before, and a spare one
  for (size_t j = 0; j < pieces(); ++j) {
    const double first = std::floor(place(edge_[j])), last = std::floor(place(edge_[j + 1]));
    shift.push_back(cells - first);
    cells += last - first + 3;
  }
  return shift;
}

std::vector<double> Occupation::times(std::span<const int64_t> sums) const {
  std::vector<double> times(groups_ * bins_);
  const std::vector<double> shift = cell_shift();
  for (size_t g = 0; g < groups_; ++g)
    for (size_t j = 0; j < pieces(); ++j) {
      const int64_t* const group_sums = &sums[g * stride()];
      const double left = place(edge_[j]), right = place(edge_[j + 1]);
      int64_t passes = group_sums[2 * cells() + j];  // number of passes of a bin times the duration of one
      for (double bin = std::floor(right) + 1; bin >= std::floor(left) - 1; --bin) {
        const int64_t* const cell = &group_sums[2 * static_cast<size_t>(bin + shift[j])];
        const double begin = std::max(left, bin), end = std::min(right, bin + 1);
        const double time = static_cast<double>(cell[0]) - static_cast<double>(cell[1]) * (begin - bin) +
                            static_cast<double>(passes) * std::max(end - begin, 0.0);
        const double count = static_cast<double>(bins_);
        times[g * bins_ + static_cast<size_t>(bin - count * std::floor(bin / count))] += time / units_;
        passes += cell[1];
      }
    }
  return times;
}

}  // namespace bmsim
