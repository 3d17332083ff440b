#include "compose/step_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interruption.h"
#include "model/surroundings.h"

namespace bmsim {

namespace {

constexpr size_t per_cell = 8, places = StepMap::cells * per_cell;
constexpr double spread = 3;  // standard deviations of noise that count as within reach

/// Least and greatest force in any range of places, looked up in ranges whose lengths are powers of two.
class Extremes {
 public:
  explicit Extremes(const std::vector<double>& force) {
    least_.push_back(force);
    most_.push_back(force);
    for (size_t length = 1; 2 * length <= force.size(); length *= 2) {
      const std::vector<double> low = least_.back(), high = most_.back();
      least_.emplace_back(force.size() - 2 * length + 1);
      most_.emplace_back(force.size() - 2 * length + 1);
      for (size_t i = 0; i < least_.back().size(); ++i) {
        least_.back()[i] = std::min(low[i], low[i + length]);
        most_.back()[i] = std::max(high[i], high[i + length]);
      }
    }
  }
  /// Largest |force[i] - f| for i in [first, last].
  double farthest(double f, size_t first, size_t last) const {
    size_t k = 0;
    while (size_t{2} << k <= last - first + 1) ++k;
    const size_t second = last + 1 - (size_t{1} << k);
    return std::max(f - std::min(least_[k][first], least_[k][second]), std::max(most_[k][first], most_[k][second]) - f);
  }

 private:
  std::vector<std::vector<double>> least_, most_;  // [k][i]: over 2^k places from i on
};

class Mapper {
 public:
  Mapper(const Model& model, const ModelValues& values, double dt, double local_error)
      : plugin_(*model.potential().plugin),
        values_(values.values.front().data()),
        around_(model, values),
        periodic_(values.only().period > 0),
        unit_(periodic_ ? values.only().period : 1),
        dt_(dt),
        most_(2 * local_error * unit_ / dt) {
    for (const auto& array : values.arrays(0)) arrays_.push_back({array.data(), static_cast<uint32_t>(array.size())});
  }

  StepMap map() {
    StepMap map;
    if (!periodic_) map.half = half_ = find_half();
    std::vector<double> f(places);
    for (size_t i = 0; i < places; ++i) f[i] = force(u_at(static_cast<double>(i)));
    const Extremes extremes(f);
    map.fraction.assign(StepMap::cells, 1);
    for (size_t i = 0; i < places; ++i) {
      check_interruption();
      double& fraction = map.fraction[i / per_cell];
      while (fraction > StepMap::shortest && !(fraction * farthest(extremes, f[i], i, fraction) <= most_))
        fraction /= 2;
    }
    return map;
  }

 private:
  double force(double u) const {
    const double f = around_.amplitude * plugin_.force(u, values_, arrays_.data());
    return std::isnan(f) ? 1e300 : std::clamp(f, -1e300, 1e300);
  }
  double u_at(double place) const {
    const double s = 2 * (place + 0.5) / places - 1;
    return periodic_ ? s / 2 : half_ * s / (1 - std::abs(s));
  }
  double place_of(double u) const {
    const double s = periodic_ ? 2 * u : u / (half_ + std::abs(u));
    return (s + 1) / 2 * places - 0.5;
  }

  /// Largest change of the force within reach of a step. Adjacent places count, too, since kinks lie between places.
  double farthest(const Extremes& extremes, double f, size_t i, double fraction) const {
    const double h = fraction * dt_, u = u_at(static_cast<double>(i));
    const double reach =
        std::min((h * (std::abs(f) + around_.force) + spread * std::sqrt(around_.variance * h)) / unit_, 1e100);
    const double n = places, low = std::floor(place_of(u - reach)) - 1, high = std::ceil(place_of(u + reach)) + 1;
    if (!periodic_)
      return extremes.farthest(f, static_cast<size_t>(std::max(low, 0.0)), static_cast<size_t>(std::min(high, n - 1)));
    if (!(high - low < n)) return extremes.farthest(f, 0, places - 1);
    const auto from = static_cast<size_t>(std::max(low, 0.0)), to = static_cast<size_t>(std::min(high, n - 1));
    double most = extremes.farthest(f, from, to);
    if (low < 0) most = std::max(most, extremes.farthest(f, static_cast<size_t>(low + n), places - 1));
    if (high >= n) most = std::max(most, extremes.farthest(f, 0, static_cast<size_t>(high - n)));
    return most;
  }

  /// A length scale of a potential without a period: the larger of the distance of its minimum from 0, and the distance
  /// at which the force has changed so much that a whole step is too long.
  double find_half() const {
    constexpr int octaves = 20;
    double lowest = std::numeric_limits<double>::infinity(), at = 0, changes = 0;
    const double centre = force(0);
    for (int i = -4 * octaves; i <= 4 * octaves; ++i)
      for (const double u : {std::pow(2.0, 0.25 * i), -std::pow(2.0, 0.25 * i)}) {
        const double V = plugin_.energy(u, values_, arrays_.data());
        if (V < lowest) lowest = V, at = std::abs(u);
        if (changes == 0 && std::abs(force(u) - centre) > most_) changes = std::abs(u);
      }
    const double half = std::max(changes, at);
    return half > 0 && half < std::exp2(octaves) ? half : 1;
  }

  const Plugin& plugin_;
  const double* values_;
  std::vector<bm_numbers> arrays_;
  Surroundings around_;
  bool periodic_;
  double unit_, dt_, most_, half_ = 1;  // most_: largest change of the force in a whole step
};

}  // namespace

StepMap step_map(const Model& model, const ModelValues& values, double dt, double local_error) {
  return Mapper(model, values, dt, local_error).map();
}

}  // namespace bmsim
