#include "model/surroundings.h"

#include <algorithm>
#include <cmath>

namespace bmsim {

namespace {

constexpr double two_pi = 6.283185307179586476925;

double strongest(const Component& drive, const std::vector<std::vector<double>>& arrays, const double* v) {
  const std::vector<bm_numbers> spans = spans_of(arrays);
  double most = 0;
  for (int i = 0; i < 256; ++i) most = std::max(most, std::abs(drive.plugin->force(i / 256.0, v, spans.data())));
  return most;
}

}  // namespace

Surroundings::Surroundings(const Model& model, const ModelValues& values)
    : force(std::abs(values.force)), constant(force) {
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const Component& one = components[k];
    const double* v = values.values[k].data();
    if ((*one.plugin)->kind == BM_POTENTIAL) continue;
    const double D = one.plugin->intensity(v).value_or(0);
    if (one.plugin->has(BM_SIGMA)) {
      variance += 2 * D;
      continue;
    }
    const bool drive = (*one.plugin)->kind == BM_DRIVE;
    const double time = one.plugin->time_scale(v), mean = drive ? 0 : std::abs(one.plugin->mean(v).value_or(0));
    const double size = drive ? strongest(one, values.arrays[k], v) : mean + std::sqrt(D / time);
    if (!std::isfinite(size)) continue;
    if (one.modulates) {
      amplitude += size;
      continue;
    }
    force += size;
    constant += mean;
    varying.push_back({size - mean, drive ? time / two_pi : time});
  }
}

}  // namespace bmsim
