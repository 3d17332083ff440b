#include "model/surroundings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "model/sampled.h"
#include "model/structure.h"
#include "model/system_plugin.h"
#include "model/walls.h"
#include "plugin/state_functions.h"

namespace bmsim {
namespace {

constexpr double two_pi = 6.283185307179586476925;

constexpr size_t most_looks = 20'000;  // at parts of a region

/// An amplitude at a time, as a function of x.
struct AmplitudeAt {
  const StateFunctions& functions;
  double t;
  const double* own;
  double operator()(double x) const {
    const double v = 0;
    double b[2] = {0, 0};
    functions.add_forces(&x, &v, t, own, nullptr, b);
    return b[0];
  }
};

/// The slope of an amplitude that may jump: that on the side of a place where it is less.
double slope_beside(const AmplitudeAt& at, double x, double distance) {
  const double above = std::abs(at(x + 2 * distance) - at(x + distance));  // there may be a jump at the place itself
  return std::min(above, std::abs(at(x - distance) - at(x - 2 * distance))) / distance;
}

/// How an amplitude bends: the largest b^2 |b''| at a time, over half the range of b. For a cosine it is (b k)^2.
class Bend {
 public:
  /// Looks at a place, over a distance on both sides of it. At a kink b'' is that of the straighter side.
  void look(const AmplitudeAt& at, double x, double distance) {
    const double here = at(x);
    least_ = std::min(least_, here), most_ = std::max(most_, here);
    double straighter = std::numeric_limits<double>::infinity();
    for (const double d : {-distance, distance})
      straighter = std::min(straighter, std::abs(at(x + d) - 2 * at(x + 2 * d) + at(x + 3 * d)));
    if (std::isfinite(straighter)) most_bent_ = std::max(most_bent_, here * here * straighter / (distance * distance));
  }
  double range() const { return most_ - least_; }
  double result() const {
    const double size = std::max(std::abs(least_), std::abs(most_));
    return range() > little_change * size ? 2 * most_bent_ / range() : 0;
  }

 private:
  double least_ = std::numeric_limits<double>::infinity(), most_ = -least_, most_bent_ = 0;
};

/// Largest squares of a noise's amplitude and of its slope, and its bend, over a period, or for x of order 1 between
/// the walls.
struct Amplitude {
  double square = 1, slope_square = 0, bend = 0;
  double kink = 0;                 // the largest jump of its slope
  std::optional<double> unsure{};  // x near which it may be far steeper
};
/// Adds what samples of an amplitude have missed at a time.
void add_hidden(const Plugin& amplitude, const double* values, double t, const Box& region, Bend bend,
                Amplitude& most) {
  const std::vector<double> nowhere(1 + most_fields);
  std::optional<formula::Enclosure> b = function_bounds(amplitude, 0, nowhere.data(), nowhere.data(), t, values, {0});
  if (!b) return;
  const double known = std::sqrt(most.slope_square);
  const auto negligible = [&](const formula::Enclosed& bounds, const Box&) {
    return bounds.value.width() <= little_change * std::sqrt(most.square);
  };
  const Extremes found = largest(*b, region, Extreme::slope, 0, known, negligible, most_looks);
  if (!found.settled && !found.singular && found.bound > little_doubt * std::max(found.most, known))
    most.unsure = found.where[0];
  if (!(found.most > far_more * known)) return;
  most.slope_square = std::pow(found.most, 2);
  for (const auto& place : found.places) {
    const double value = b->at(place[0]);
    if (std::isfinite(value)) most.square = std::max(most.square, value * value);
    // What is steep here bends beside it.
    constexpr int looks = 8;
    const double width = bend.range() / found.most;
    for (int i = -looks; i <= looks; ++i)
      bend.look({*amplitude.state_functions(), t, values}, place[0] + width * i * 2 / looks, width / 16);
  }
  most.bend = std::max(most.bend, bend.result());
}
Amplitude largest_amplitude(const Model& model, const ModelValues& values, const Component& noise,
                            std::span<const double> times, std::pair<double, double> starts) {
  const Component* amplitude = model.amplitude_of(noise);
  if (amplitude == nullptr) return {};
  Amplitude most{.square = 0};
  if (!amplitude->plugin->depends_on_time()) times = at_the_start;
  const int places = times.size() > 1 ? 64 : 256;
  const double reach = values.only().length() * (values.only().period > 0 ? 0.5 : 3);
  const auto [low, high] = between_walls(model, values, 0);
  const double from = std::max(low, std::min(-reach, high - 2 * reach));
  const double to = std::min(high, std::max(reach, low + 2 * reach)), h = (to - from) / places;
  const double* own = values.values[model.index_of(*amplitude)].data();
  std::vector<Bend> bends;  // by time
  const StateFunctions& functions = *amplitude->plugin->state_functions();
  for (const double t : times) {
    const AmplitudeAt at{functions, t, own};
    double before = 0, slope_before = 0, bent = 0, bent_at = 0;
    Bend bend;
    for (int i = 0; i <= places; ++i) {
      const double x = from + h * i, b = at(x);
      if (!std::isfinite(b))
        fail("{}: amplitude must be a finite number, got {} at x = {}{}", subject_of(noise), std::abs(b), x,
             t == 0 ? "" : fmt::format(", t = {:.4g}", t));
      most.square = std::max(most.square, b * b);
      const double slope = i > 0 ? (b - before) / h : 0;
      double steep = std::abs(slope);
      if (functions.jumps()) steep = std::min(steep, slope_beside(at, x, 1e-4 * h));
      most.slope_square = std::max(most.slope_square, steep * steep);
      if (const double change = std::abs(slope - slope_before); i > 1 && change > bent) bent = change, bent_at = x;
      before = b, slope_before = slope;
      bend.look(at, x, h / 8);
    }
    most.bend = std::max(most.bend, bend.result());
    if (bent > 0) most.kink = std::max(most.kink, kink_in(at, bent_at - 2 * h, bent_at, bent));
    bends.push_back(bend);
  }
  const bool periodic = values.only().period > 0;
  const Box region = {{std::max(low, periodic ? from : std::min(from, starts.first - reach)),
                       std::min(high, periodic ? to : std::max(to, starts.second + reach))}};
  if (!functions.jumps())
    for (size_t i = 0; i < times.size(); ++i) add_hidden(*amplitude->plugin, own, times[i], region, bends[i], most);
  return most;
}

/// The number of phases at which a plugin's drive is looked at: several in its shortest change. A drive with jumps
/// whose distance it does not declare is looked at at many phases.
size_t phases_of(const Plugin& drive, const double* v) {
  constexpr double fewest = 256, with_jumps = 16'384, most = 1 << 20, in_shortest = 4;
  const double turns = drive.time_scale(v) / drive.shortest_change(v);
  if (turns == 0) return static_cast<size_t>(drive.has(BM_EDGES) ? with_jumps : fewest);
  return static_cast<size_t>(std::clamp(in_shortest * turns, fewest, most));
}

double strongest(const Component& drive, const std::vector<std::vector<double>>& arrays, const double* v,
                 std::span<const double> times) {
  const std::vector<bm_numbers> spans = spans_of(arrays);
  double most = 0;
  if (drive.plugin->file().empty())  // a formula, which may be a short pulse, or have no period
    for (const double t : times) most = std::max(most, std::abs(drive.plugin->force_at(0, t, v, spans.data())));
  if (std::isinf(drive.plugin->time_scale(v))) return most;
  const size_t phases = phases_of(*drive.plugin, v);
  for (size_t i = 0; i < phases; ++i) {
    const double phase = static_cast<double>(i) / static_cast<double>(phases);
    most = std::max(most, std::abs(drive.plugin->force(phase, v, spans.data())));
  }
  return most;
}

}  // namespace

Surroundings::Surroundings(const Model& model, const ModelValues& values, std::span<const double> times,
                           std::pair<double, double> starts)
    : force(std::abs(values.only().force)), constant(force), steady(values.only().force) {
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const Component& component = components[k];
    const double* v = values.values[k].data();
    if ((*component.plugin)->kind == BM_POTENTIAL) continue;
    const double D = component.plugin->intensity(v).value_or(0);
    const auto look = [&](const Amplitude& most) {
      if (most.unsure) unsure = formula_of(model, *model.amplitude_of(component)), unsure_at = *most.unsure;
      return most;
    };
    if (component.plugin->has(BM_SIGMA)) {
      const Amplitude most = look(largest_amplitude(model, values, component, times, starts));
      variance += 2 * D * most.square;
      blurring += 2 * D * most.slope_square;
      averaging += 2 * D * most.bend;
      kinks += 2 * D * most.kink * most.kink;
      continue;
    }
    if ((*component.plugin)->kind >= amplitude_kind) continue;
    const bool drive = (*component.plugin)->kind == BM_DRIVE;
    const double signed_mean = drive ? 0 : component.plugin->mean(v).value_or(0);
    const double time = component.plugin->time_scale(v), mean = std::abs(signed_mean);
    const Amplitude most = drive ? Amplitude() : look(largest_amplitude(model, values, component, times, starts));
    const double plain = drive ? strongest(component, values.arrays(k), v, times) : mean + std::sqrt(D / time);
    const double size = plain * std::sqrt(most.square);
    if (!std::isfinite(size)) continue;
    slope += plain * std::sqrt(most.slope_square);
    if (component.modulates) {
      amplitude += size;
      continue;
    }
    force += size;
    constant += mean * std::sqrt(most.square);
    if (drive || component.plugin->has(BM_EVOLVE | BM_MODULATES)) {
      steady += signed_mean * std::sqrt(most.square);
      swing += size - mean * std::sqrt(most.square);
    }
    varying.push_back({size - mean * std::sqrt(most.square), drive ? time / two_pi : time});
  }
}

}  // namespace bmsim
