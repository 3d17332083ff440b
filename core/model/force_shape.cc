#include "model/force_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bmsim {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A sweep over a potential's own parameters has a new shape at every point: later ones are looked at less closely.
constexpr size_t places = 1024, fewer_places = 192, closely_looked_at = 64;
constexpr double thermal_height = 12;  // in units of the temperature: exp(-12) of the particles are beyond
constexpr double farthest = 1e4;       // from the starts: V without walls ends there

/// The potential's host functions at one point, in units of length.
class Potential {
 public:
  Potential(const Model& model, const ModelValues& values)
      : plugin_(*model.potential().plugin),
        values_(values.values.front().data()),
        unit_(values.period > 0 ? values.period : 1),
        arrays_(spans_of(values.arrays.front())) {}
  double force(double x) const { return plugin_.force(x / unit_, values_, arrays_.data()); }
  double energy(double x) const { return plugin_.energy(x / unit_, values_, arrays_.data()); }
  bool smooth() const { return plugin_.has(BM_SMOOTH); }

 private:
  const Plugin& plugin_;
  const double* values_;
  double unit_;
  std::vector<bm_numbers> arrays_;
};

/// From a start on in one direction, how far V less the work of the forces beside it is below `most`. By doubling.
double reach(const Potential& V, double start, double direction, double push, double most) {
  double step = 1e-3, x = 0;
  while (x < farthest) {
    const double next = x + step;
    const double V_there = V.energy(start + direction * next) - push * next;
    if (!(V_there <= most)) break;
    x = next;
    step = std::max(step, 0.1 * x);
  }
  return x + step;
}

/// The jump of V' that is left of a change between a and b when one goes to where it is.
double jump_between(const Potential& V, double a, double b) {
  double fa = V.force(a), fb = V.force(b);
  for (int halving = 0; halving < 40; ++halving) {
    const double middle = 0.5 * (a + b);
    if (!(middle > a && middle < b)) break;
    const double f = V.force(middle);
    if (std::abs(f - fa) > std::abs(fb - f))
      b = middle, fb = f;
    else
      a = middle, fa = f;
  }
  return std::abs(fb - fa);
}

ForceShape survey(const Potential& V, double low, double high, bool periodic, size_t count) {
  std::vector<double> x(count + 1), f(count + 1);
  ForceShape shape;
  double least = infinity, most = -infinity;
  for (size_t i = 0; i <= count; ++i) {
    x[i] = low + (high - low) * (static_cast<double>(i) + 0.381966) / static_cast<double>(count);
    f[i] = V.force(x[i]);
    const double energy = V.energy(x[i]);
    if (std::isfinite(f[i])) shape.force = std::max(shape.force, std::abs(f[i]));
    if (std::isfinite(energy)) least = std::min(least, energy), most = std::max(most, energy);
  }
  shape.height = most > least ? most - least : 0;
  double steepest = 0;
  for (size_t i = 0; i < count; ++i) steepest = std::max(steepest, std::abs(f[i + 1] - f[i]));
  std::vector<double> kinks;
  for (size_t i = 0; i < count; ++i) {
    const double change = std::abs(f[i + 1] - f[i]);
    if (!V.smooth() && change > 0.05 * steepest && kinks.size() < 128 && jump_between(V, x[i], x[i + 1]) > 0.5 * change) {
      kinks.push_back(x[i]);
      continue;
    }
    const double slope = change / (x[i + 1] - x[i]);
    if (std::isfinite(slope)) shape.curvature = std::max(shape.curvature, slope);
  }
  shape.kinks = !kinks.empty();
  shape.length = shape.curvature > 0 ? shape.force / shape.curvature : infinity;
  for (size_t i = 1; i < kinks.size(); ++i) shape.length = std::min(shape.length, kinks[i] - kinks[i - 1]);
  if (periodic && kinks.size() > 1)
    shape.length = std::min(shape.length, kinks.front() + (high - low) - kinks.back());
  if (kinks.size() == 1 && periodic) shape.length = std::min(shape.length, high - low);
  return shape;
}

}  // namespace

const ForceShape& ForceShapes::at(const Model& model, const ModelValues& values, const Surroundings& around,
                                  std::pair<double, double> starts) {
  const Potential V(model, values);
  double low = -values.period / 2, high = values.period / 2;
  if (!(values.period > 0)) {
    // The temperature that all noise together would make; half an octave is near enough, so that points share a shape.
    double intensity = around.variance / 2;
    const auto& components = model.components();
    for (size_t k = 1; k < components.size(); ++k)
      if ((*components[k].plugin)->kind == BM_NOISE && !components[k].plugin->has(BM_SIGMA)) {
        const double D = components[k].plugin->intensity(values.values[k].data()).value_or(0);
        if (std::isfinite(D)) intensity += D;
      }
    const double temperature = values.gamma > 0 ? intensity / values.gamma : 0;
    const double energy = std::exp2(std::ceil(2 * std::log2(std::max(thermal_height * temperature, 1e-12))) / 2);
    const auto [from, to] = starts;
    const double lowest = std::max(V.energy(from), V.energy(to));
    low = from - reach(V, from, -1, around.force, lowest + energy);
    high = to + reach(V, to, 1, around.force, lowest + energy);
  }
  std::vector<double> key = values.values.front();
  for (const auto& array : values.arrays.front()) key.insert(key.end(), array.begin(), array.end());
  key.insert(key.end(), {low, high});
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const size_t count = known_.size() < closely_looked_at ? places : fewer_places;
  return known_.emplace(std::move(key), survey(V, low, high, values.period > 0, count)).first->second;
}

}  // namespace bmsim
