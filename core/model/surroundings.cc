#include "model/surroundings.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "model/walls.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr double two_pi = 6.283185307179586476925;

/// Largest squares of a noise's amplitude and of its slope, over a period, or for x of order 1 between the walls.
struct Amplitude {
  double square = 1, slope_square = 0;
};
Amplitude largest_amplitude(const Model& model, const ModelValues& values, const Component& noise,
                            std::span<const double> times) {
  const Component* amplitude = model.amplitude_of(noise);
  if (amplitude == nullptr) return {};
  Amplitude most{0, 0};
  if (!amplitude->plugin->depends_on_time()) times = at_the_start;
  const int places = times.size() > 1 ? 64 : 256;
  const double reach = values.only().length() * (values.only().period > 0 ? 0.5 : 3);
  const auto [low, high] = between_walls(model, values, 0);
  const double from = std::max(low, std::min(-reach, high - 2 * reach));
  const double to = std::min(high, std::max(reach, low + 2 * reach)), h = (to - from) / places;
  const double* own = values.values[model.index_of(*amplitude)].data();
  for (const double t : times) {
    double before = 0;
    for (int i = 0; i <= places; ++i) {
      const double x = from + h * i, v = 0;
      double b[2] = {0, 0};
      amplitude->plugin->state_functions()->add_forces(&x, &v, t, own, nullptr, b);
      if (!std::isfinite(b[0]))
        fail("{}: amplitude must be a finite number, got {} at x = {}{}", subject_of(noise), std::abs(b[0]), x,
             t == 0 ? "" : fmt::format(", t = {:.4g}", t));
      most.square = std::max(most.square, b[0] * b[0]);
      if (i > 0) most.slope_square = std::max(most.slope_square, std::pow((b[0] - before) / h, 2));
      before = b[0];
    }
  }
  return most;
}

double strongest(const Component& drive, const std::vector<std::vector<double>>& arrays, const double* v,
                 std::span<const double> times) {
  const std::vector<bm_numbers> spans = spans_of(arrays);
  double most = 0;
  if (drive.plugin->file().empty())  // a formula, which may be a short pulse, or have no period
    for (const double t : times) most = std::max(most, std::abs(drive.plugin->force_at(0, t, v, spans.data())));
  if (std::isinf(drive.plugin->time_scale(v))) return most;
  for (int i = 0; i < 256; ++i) most = std::max(most, std::abs(drive.plugin->force(i / 256.0, v, spans.data())));
  return most;
}

}  // namespace

Surroundings::Surroundings(const Model& model, const ModelValues& values, std::span<const double> times)
    : force(std::abs(values.only().force)), constant(force), steady(values.only().force) {
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const Component& one = components[k];
    const double* v = values.values[k].data();
    if ((*one.plugin)->kind == BM_POTENTIAL) continue;
    const double D = one.plugin->intensity(v).value_or(0);
    if (one.plugin->has(BM_SIGMA)) {
      const Amplitude most = largest_amplitude(model, values, one, times);
      variance += 2 * D * most.square;
      blurring += 2 * D * most.slope_square;
      continue;
    }
    if ((*one.plugin)->kind >= amplitude_kind) continue;
    const bool drive = (*one.plugin)->kind == BM_DRIVE;
    const double signed_mean = drive ? 0 : one.plugin->mean(v).value_or(0);
    const double time = one.plugin->time_scale(v), mean = std::abs(signed_mean);
    const Amplitude most = drive ? Amplitude() : largest_amplitude(model, values, one, times);
    const double plain = drive ? strongest(one, values.arrays[k], v, times) : mean + std::sqrt(D / time);
    const double size = plain * std::sqrt(most.square);
    if (!std::isfinite(size)) continue;
    slope += plain * std::sqrt(most.slope_square);
    if (one.modulates) {
      amplitude += size;
      continue;
    }
    force += size;
    constant += mean * std::sqrt(most.square);
    if (drive || one.plugin->has(BM_EVOLVE | BM_MODULATES)) {
      steady += signed_mean * std::sqrt(most.square);
      swing += size - mean * std::sqrt(most.square);
    }
    varying.push_back({size - mean * std::sqrt(most.square), drive ? time / two_pi : time});
  }
}

}  // namespace bmsim
