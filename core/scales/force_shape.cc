#include "scales/force_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "error.h"
#include "model/formula_plugin.h"
#include "model/pieces.h"
#include "model/structure.h"
#include "model/walls.h"
#include "numbers.h"
#include "scales/heavy_tails.h"

namespace bmsim {
namespace {

// A sweep over a potential's own parameters has a new shape at every point: later ones are sampled less densely.
constexpr size_t many_places = 1024, fewer_places = 192, closely_looked_at = 64;
constexpr double thermal_height = 12;             // in units of the temperature: exp(-12) of the particles are above it
constexpr double farthest = 1e4;                  // from the starts, where V does not confine
constexpr double nearest = 1e-18, digits = 1e-6;  // least distances from a start: absolute, and relative to it
constexpr double flat = 0.1;                      // part of the largest curvature
constexpr double rounded =
    1e3 * std::numeric_limits<double>::epsilon();  // relative changes of a force below it are noise

/// The potential's host functions at one point and time, in units of length.
class Potential {
 public:
  Potential(const Model& model, const ModelValues& values, double t)
      : plugin_(*model.potential().plugin),
        values_(values.values.front().data()),
        unit_(values.only().length()),
        t_(t),
        arrays_(spans_of(values.arrays(0))) {}
  double force(double x) const { return plugin_.force_at(x / unit_, t_, values_, arrays_.data()); }
  double energy(double x) const { return plugin_.energy_at(x / unit_, t_, values_, arrays_.data()); }

 private:
  const Plugin& plugin_;
  const double* values_;
  double unit_, t_;
  std::vector<bm_numbers> arrays_;
};

// Narrow structures with less energy, as a part of the temperature, change the law of x by less than its errors.
constexpr double least_energy = 0.02;
constexpr size_t few_looks = 64, most_looks = 20'000;  // at parts of the region
constexpr double short_part = 1.0 / 256;  // of the region: short enough to judge V by its ends and its middle

/// How far from a start, in one direction, V minus the work of the other forces stays below `most`; at most to a wall.
double reach(const Potential& V, double start, double direction, double push, double most, double wall) {
  double step = nearest, x = 0;
  while (x < std::min(farthest, wall)) {
    const double next = x + step;
    const double V_there = V.energy(start + direction * next) - push * next;
    if (!(V_there <= most)) break;
    x = next;
    step = std::max(step, 0.1 * x);
  }
  return std::min(x + step, wall);
}

/// Places in a region. Half of them are spread evenly, for structures that may be anywhere. The others are denser near
/// the starts of particles, since a potential that is flat elsewhere has its structures there.
std::vector<double> places_in(double low, double high, std::pair<double, double> starts, size_t count) {
  const auto [from, to] = starts;
  std::vector<double> x;
  for (size_t i = 0; i <= count / 2; ++i)
    x.push_back(low + (high - low) * (static_cast<double>(i) + 0.381966) / (static_cast<double>(count / 2) + 1));
  const double least = std::max(nearest, digits * std::max(std::abs(from), std::abs(to)));
  for (const double distance : {from - low, high - to}) {
    const double range = std::log(distance / least);
    if (!(range > 0)) continue;
    for (size_t i = 0; i <= count / 4; ++i) {
      const double away = least * std::exp(range * static_cast<double>(i) / static_cast<double>(count / 4));
      x.push_back(distance == high - to ? to + away : from - away);
    }
  }
  std::ranges::sort(x);
  // differences between places too near to each other have no digits
  std::vector<double> apart;
  for (const double place : x)
    if (apart.empty() || place - apart.back() >= least / 2) apart.push_back(place);
  return apart;
}
/// Places spread evenly over a period.
std::vector<double> places_in(double period, size_t count) {
  std::vector<double> x;
  for (size_t i = 0; i <= count; ++i)
    x.push_back(period * ((static_cast<double>(i) + 0.381966) / static_cast<double>(count) - 0.5));
  return x;
}

/// Whether one of the kinks, which ascend, lies in [a, b], or in this interval moved down by a period.
bool any_between(const std::vector<Jump>& kinks, double a, double b, double period) {
  const auto in = [&](double low, double high) {
    const auto first =
        std::lower_bound(kinks.begin(), kinks.end(), low, [](const Jump& kink, double x) { return kink.x < x; });
    return first != kinks.end() && first->x <= high;
  };
  return in(a, b) || (period > 0 && in(a - period, b - period));
}

/// The shape as far as V and V' at the ascending places x show it.
ForceShape survey(const Potential& V, const std::vector<Jump>& kinks, double period, const std::vector<double>& x) {
  std::vector<double> f(x.size());
  ForceShape shape;
  double least = infinity, most = -infinity;
  for (size_t i = 0; i < x.size(); ++i) {
    f[i] = V.force(x[i]);
    const double energy = V.energy(x[i]);
    if (std::isfinite(f[i])) shape.force = std::max(shape.force, std::abs(f[i]));
    if (std::isfinite(energy)) least = std::min(least, energy), most = std::max(most, energy);
  }
  shape.height = most > least ? most - least : 0;
  for (size_t i = 0; i + 1 < x.size(); ++i) {
    const double margin = period > 0 ? 1e-9 * period : 1e-3 * (x[i + 1] - x[i]);
    if (any_between(kinks, x[i] - margin, x[i + 1] + margin, period)) continue;
    const double change = std::abs(f[i + 1] - f[i]), slope = change / (x[i + 1] - x[i]);
    if (std::isfinite(slope) && change > rounded * std::max(std::abs(f[i]), std::abs(f[i + 1])))
      shape.curvature = std::max(shape.curvature, slope);
  }
  shape.kinks = !kinks.empty();
  std::ranges::copy_if(kinks, std::back_inserter(shape.jumps),
                       [&](const Jump& kink) { return period > 0 || (kink.x > x.front() && kink.x < x.back()); });
  shape.length = shape.curvature > 0 ? shape.force / shape.curvature : infinity;
  shape.room = period > 0 ? period : x.back() - x.front();
  for (size_t i = 1; i < kinks.size(); ++i) shape.room = std::min(shape.room, kinks[i].x - kinks[i - 1].x);
  if (period > 0 && !kinks.empty()) shape.room = std::min(shape.room, kinks.front().x + period - kinks.back().x);
  if (kinks.size() > 1 || (period > 0 && !kinks.empty())) shape.length = std::min(shape.length, shape.room);
  shape.crossing = shape.force / shape.length;
  return shape;
}

/// Knots of a table at which the force is far steeper than samples of a shape have shown, with an energy above the
/// least one over a piece, and places beside them. Sets shape.closed: if least is 0, whether there are none; else
/// always.
std::vector<double> hidden_knots(const Model& model, const ModelValues& values, ForceShape& shape,
                                 std::pair<double, double> region, double highest, double least) {
  constexpr double beside = 1e-3;  // part of a piece
  const std::vector<double> knots = knots_of(model, values, model.potential());
  const Potential V(model, values, 0);
  std::vector<double> x;
  for (size_t i = 1; i + 1 < knots.size(); ++i) {
    if (!(knots[i] > region.first && knots[i] < region.second) || V.energy(knots[i]) > highest) continue;
    const double piece = std::min(knots[i] - knots[i - 1], knots[i + 1] - knots[i]), h = beside * piece;
    const double change = std::abs(V.force(knots[i] + h) - V.force(knots[i] - h)) / (2 * h);
    if (change > far_more * shape.curvature && change * piece * piece > least)
      for (const double place : {knots[i - 1], knots[i] - h, knots[i], knots[i] + h, knots[i + 1]}) x.push_back(place);
  }
  shape.closed = least > 0 || x.empty();
  return x;
}
/// Places at which a formula's force changes far faster than samples of a shape have shown, with energies above the
/// least, and the places that led to them. Sets shape.closed: after few looks, whether there are no such places; after
/// the most looks, whether there are no others.
std::vector<double> hidden_places(const Model& model, const ModelValues& values, double t, ForceShape& shape,
                                  std::pair<double, double> region, double highest, double least, size_t looks) {
  std::optional<formula::Enclosure> force =
      force_bounds(*model.potential().plugin, values.values.front().data(), 0, t, {0});
  if (!(region.second > region.first)) return {};
  if (!force) return hidden_knots(model, values, shape, region, highest, least);
  const Potential V(model, values, t);
  const auto is_reached = [&](double x) { return V.energy(x) <= highest; };
  const auto negligible = [&](const formula::Enclosed& bounds, const Box& box) {
    if (bounds.value.width() * box[0].width() <= least) return true;
    return box[0].width() < short_part * (region.second - region.first) && !is_reached(box[0].low) &&
           !is_reached(box[0].middle()) && !is_reached(box[0].high);
  };
  const Extremes found =
      largest(*force, {{region.first, region.second}}, Extreme::slope, 0, shape.curvature, negligible, looks);
  // Closer and closer looks at a singularity, as in sqrt(|x|), would find more without end.
  const bool hidden = found.most > far_more * shape.curvature && !found.singular, ends = looks == most_looks;
  const double seen = std::max(found.most, shape.curvature);
  shape.closed = ends ? found.settled || found.bound <= little_doubt * seen : found.settled && !hidden;
  if (!shape.closed && !found.settled) shape.unsure = found.where[0];
  std::vector<double> x;
  if (hidden)
    for (const auto& place : found.places) x.push_back(place[0]);
  return x;
}
std::vector<double> merged(std::vector<double> x, const std::vector<double>& more) {
  x.insert(x.end(), more.begin(), more.end());
  std::ranges::sort(x);
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

/// The largest numbers of the shapes at several times. Lengths at times when V is nearly flat say nothing.
ForceShape largest_of(const std::vector<ForceShape>& shapes) {
  ForceShape combined;
  for (const ForceShape& shape : shapes) {
    combined.force = std::max(combined.force, shape.force);
    combined.curvature = std::max(combined.curvature, shape.curvature);
    combined.height = std::max(combined.height, shape.height);
    combined.kinks = combined.kinks || shape.kinks;
    combined.crossing = std::max(combined.crossing, shape.crossing);
    combined.place = std::max(combined.place, shape.place);
    if (combined.closed) combined.closed = shape.closed, combined.unsure = shape.unsure;
    combined.jumps.insert(combined.jumps.end(), shape.jumps.begin(), shape.jumps.end());
  }
  combined.length = combined.room = infinity;
  for (const ForceShape& shape : shapes) {
    combined.room = std::min(combined.room, shape.room);
    if (shape.curvature >= flat * combined.curvature) combined.length = std::min(combined.length, shape.length);
  }
  return combined;
}

/// How high above V at the starts particles come, by the temperature that corresponds to all noise together. Rounded up
/// to half an octave, so that points share a shape.
double thermal_energy(const Model& model, const ModelValues& values, const Surroundings& around) {
  double intensity = around.variance / 2;
  const auto& components = model.components();
  for (size_t k = 1; k < components.size(); ++k)
    if ((*components[k].plugin)->kind == BM_NOISE && !components[k].plugin->has(BM_SIGMA)) {
      const double D = components[k].plugin->intensity(values.values[k].data()).value_or(0);
      if (std::isfinite(D)) intensity += D;
    }
  const double temperature = values.only().gamma > 0 ? intensity / values.only().gamma : 0;
  return std::pow(2.0, std::ceil(2 * std::log2(std::max(thermal_height * temperature, 1e-200))) / 2);
}

/// How far Levy noise takes particles from their starts: in the run, or in 30 relaxation times of the curvature that is
/// typical of the region, if these are shorter. 0 without Levy noise.
double reach_of_jumps(const Model& model, const ModelValues& values, const Potential& V,
                      std::pair<double, double> starts, double duration) {
  constexpr int halvings = 40, samples = 65;
  constexpr double relaxations = 30;
  double most = 0;
  const auto& components = model.components();
  for (size_t k = 1; k < components.size(); ++k) {
    const Plugin& noise = *components[k].plugin;
    const double* numbers = values.values[k].data();
    if (!has_heavy_tails(noise, numbers)) continue;
    const double alpha = *number_of(noise, numbers, "alpha"), scale = number_of(noise, numbers, "scale").value_or(0);
    double time = duration, distance = 0;
    for (int i = 0; i < halvings; ++i, time /= 2) {
      distance = scale * std::pow(time, 1 / alpha);
      std::vector<double> slopes;
      double last = 0;
      for (int n = 0; n < samples; ++n) {
        const double width = starts.second - starts.first + 2 * distance;
        const double force = V.force(starts.first - distance + width * n / (samples - 1));
        if (n > 0) slopes.push_back(std::abs(force - last) * (samples - 1) / width);
        last = force;
      }
      std::ranges::nth_element(slopes, slopes.begin() + samples / 2);
      if (slopes[samples / 2] * time <= relaxations) break;
    }
    most = std::max(most, distance);
  }
  return most;
}

/// The region that particles reach by their energy from starts between the walls.
std::pair<double, double> region(const Potential& V, std::pair<double, double> starts, double push, double energy,
                                 std::pair<double, double> walls) {
  const auto [from, to] = starts;
  const double most = std::max(V.energy(from), V.energy(to)) + energy;
  return {from - reach(V, from, -1, push, most, from - walls.first),
          to + reach(V, to, 1, push, most, walls.second - to)};
}

/// Whether nothing changes with time but plugins from files: changes_of() finds nothing then.
bool is_still(const Model& model) {
  return std::ranges::none_of(model.components(), [](const Component& component) {
    return component.plugin->file().empty() && component.plugin->depends_on_time();
  });
}

/// All numbers on which the motion of a model depends.
std::vector<double> key_of(const ModelValues& values, const SystemStart& start, double duration) {
  std::vector<double> key = {duration};
  const auto add = [&](std::span<const double> numbers) { key.insert(key.end(), numbers.begin(), numbers.end()); };
  add(values.values.all());
  for (const auto& arrays : values.arrays_of)
    for (const auto& numbers : arrays) add(numbers);
  for (const VariableValues& variable : values.variables)
    add(std::array{variable.force, variable.mass, variable.gamma});
  for (const auto* numbers : {&start.x, &start.x_width, &start.v, &start.v_width}) add(*numbers);
  return key;
}

}  // namespace

const ForceShape& ForceShapes::at(const Model& model, const ModelValues& values, const Surroundings& around,
                                  std::pair<double, double> starts, double duration, const Changes& changes) {
  const Plugin& plugin = *model.potential().plugin;
  const double period = values.only().period;
  const bool varies = plugin.depends_on_time() && changes.times.size() > 1;
  const double energy = period > 0 ? 0 : thermal_energy(model, values, around);
  const std::pair<double, double> walls = between_walls(model, values, 0);
  const auto within = [&](std::pair<double, double> range) {
    return std::pair{std::clamp(range.first, walls.first, walls.second),
                     std::clamp(range.second, walls.first, walls.second)};
  };
  starts = within(starts);
  std::pair<double, double> reached = {-period / 2, period / 2};
  double jumps = 0;
  if (!(period > 0) && !varies) {
    const Potential V(model, values, 0);
    reached = region(V, starts, around.force, energy, walls);
    jumps = reach_of_jumps(model, values, V, starts, duration);
    if (jumps > 0)
      reached =
          within({std::min(reached.first, starts.first - jumps), std::max(reached.second, starts.second + jumps)});
  }
  const std::span<const double> own = values.values.front();
  std::vector<double> key(own.begin(), own.end());
  for (const auto& array : values.arrays(0)) key.insert(key.end(), array.begin(), array.end());
  key.insert(key.end(), {reached.first, reached.second});
  if (!(period > 0)) key.insert(key.end(), {starts.first, starts.second, walls.first, walls.second});
  if (varies) key.insert(key.end(), changes.times.begin(), changes.times.end());
  if (varies && !(period > 0)) key.insert(key.end(), {around.force, energy, values.only().mass, values.only().gamma});
  const auto shape_now = [&](double least, size_t looks) {
    const bool keeps_places = !varies && known_.size() < closely_looked_at;
    const auto surveyed = [&](double t, const std::vector<Jump>& kinks, const std::vector<double>& x,
                              std::pair<double, double> range, std::pair<double, double> from) {
      const Potential V(model, values, t);
      ForceShape shape = survey(V, kinks, period, x);
      // The work of the other forces over the whole range may add to the energy. Levy noise jumps over any barrier.
      const double work = around.force * (range.second - range.first);
      const double highest =
          period > 0 || jumps > 0 ? infinity : std::max(V.energy(from.first), V.energy(from.second)) + energy + work;
      const std::vector<double> more = hidden_places(model, values, t, shape, range, highest, least, looks);
      if (more.empty()) {
        if (keeps_places) shape.places = x;
        return shape;
      }
      std::vector<double> merged_x = merged(x, more);
      ForceShape closer = survey(V, kinks, period, merged_x);
      closer.closed = shape.closed, closer.unsure = shape.unsure;
      if (keeps_places) closer.places = std::move(merged_x);
      return closer;
    };
    if (!varies) {
      const size_t count = known_.size() < closely_looked_at ? many_places : fewer_places;
      return surveyed(0, values.continuity->kinks,
                      period > 0 ? places_in(period, count) : places_in(reached.first, reached.second, starts, count),
                      reached, starts);
    }
    std::vector<std::pair<double, double>> positions(changes.times.size());
    if (!(period > 0)) positions = positions_at(model, values, starts, changes.times);
    std::vector<ForceShape> shapes;
    for (size_t i = 0; i < changes.times.size(); ++i) {
      const double t = changes.times[i];
      const Potential V(model, values, t);
      std::vector<double> x = places_in(period, fewer_places);
      std::pair<double, double> range = reached;
      if (!(period > 0)) {
        const std::pair<double, double> there = within(positions[i]);
        range = region(V, there, around.force, energy, walls);
        x = places_in(range.first, range.second, there, fewer_places);
      }
      Continuity breaks;
      if (!plugin.has(BM_SMOOTH)) find_breaks(plugin, values.values.front(), values.arrays(0), period, t, breaks);
      std::ranges::sort(breaks.kinks, {}, &Jump::x);
      shapes.push_back(surveyed(t, breaks.kinks, x, range, positions[i]));
      if (!(period > 0)) shapes.back().place = std::max(std::abs(positions[i].first), std::abs(positions[i].second));
    }
    return largest_of(shapes);
  };
  auto found = known_.find(key);
  if (found == known_.end()) found = known_.emplace(key, shape_now(0, few_looks)).first;
  if (found->second.closed) return found->second;
  // Hidden structures count if their energy is not small against the temperature, which is part of the key now.
  const double thermal = period > 0 ? thermal_energy(model, values, around) : energy;
  key.push_back(thermal);
  found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_.emplace(std::move(key), shape_now(least_energy * thermal / thermal_height, most_looks)).first->second;
}

const Changes& ForceShapes::changes(const Model& model, const ModelValues& values, const SystemStart& start,
                                    double duration) {
  return is_still(model) ? plain_.changes : known_environment(model, values, start, duration).changes;
}

bool ForceShapes::is_plain(const Model& model) {
  return is_still(model) && std::ranges::none_of(model.components(), [](const Component& component) {
           return (*component.plugin)->kind == BM_DRIVE || !component.multiplies.empty();
         });
}

const ForceShapes::Environment& ForceShapes::plain_environment(const Model& model, const ModelValues& values,
                                                               std::pair<double, double> starts) {
  plain_.around.emplace(model, values, plain_.changes.times, starts);
  return plain_;
}

ForceShapes::Environment& ForceShapes::known_environment(const Model& model, const ModelValues& values,
                                                         const SystemStart& start, double duration) {
  std::vector<double> key = key_of(values, start, duration);
  const auto found = known_environments_.find(key);
  if (found != known_environments_.end()) return found->second;
  Environment environment{changes_of(model, values, start, duration), {}};
  return known_environments_.emplace(std::move(key), std::move(environment)).first->second;
}

const ForceShapes::Environment& ForceShapes::environment(const Model& model, const ModelValues& values,
                                                         const SystemStart& start, double duration) {
  Environment& environment = known_environment(model, values, start, duration);
  if (!environment.around)
    environment.around.emplace(model, values, environment.changes.times,
                               std::pair<double, double>{start.x[0] - start.x_width[0], start.x[0] + start.x_width[0]});
  return environment;
}

const SystemScales& ForceShapes::of_system(const Model& model, const ModelValues& values, const SystemStart& start,
                                           double duration) {
  std::vector<double> key = key_of(values, start, duration);
  const auto found = known_systems_.find(key);
  if (found != known_systems_.end()) return *found->second;
  const std::vector<double>& times = changes(model, values, start, duration).times;
  const bool closely = known_systems_.size() < closely_looked_at;
  auto scales = std::make_shared<const SystemScales>(scales_of(model, values, start, duration, times, closely));
  return *known_systems_.emplace(std::move(key), std::move(scales)).first->second;
}

void ForceShapes::find_systems(const Model& model, const std::vector<SystemPlace>& places, Looked looked,
                               const ForEach& for_each) {
  UnknownSystems unknown(model, for_each);
  ByNumbers<bool> seen;
  for (const SystemPlace& place : places) {
    std::vector<double> key = key_of(place.values, place.start, place.duration);
    if (!known_systems_.contains(key) && seen.emplace(key, true).second) unknown.add(place, std::move(key));
  }
  const size_t closely = closely_looked_at - std::min(closely_looked_at, known_systems_.size());
  if (!unknown.share())
    unknown.find_all(closely);
  else if (looked == Looked::at_some)
    unknown.find_some(closely);
  else
    unknown.find_unlike(closely);
  for (size_t i = 0; i < unknown.keys().size(); ++i) {
    auto& [changes, scales, first] = unknown.found()[i];
    if (changes && !is_still(model))
      known_environments_.emplace(unknown.keys()[i], Environment{*std::move(changes), {}});
    if (scales) known_systems_.emplace(std::move(unknown.keys()[i]), std::move(scales));
  }
}

}  // namespace bmsim
