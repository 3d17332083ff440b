#include "model/jumping_noise.h"

#include <algorithm>
#include <array>
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

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double offset = 0.0123456789;  // keeps places off round numbers, where formulas often switch
constexpr size_t intervals = 512;        // of one period, or between two walls
constexpr int octaves = 10, per_octave = 8;
constexpr int decades = 12;            // of distances from the place where an argument of first degree passes 0
constexpr double least_jump = 1e-6;    // of the amplitude nearby
constexpr double least_hidden = 1e-3;  // of the largest amplitude
constexpr size_t most_looks = 4'000;
constexpr double narrowest = 1e-13;  // of a line
/// Distances from a jump, in units of its width, at which values must be about the same as next to it. The values of a
/// root are not.
constexpr double farther[] = {2, 5, 11, 37, 211, 1024};
/// Number of states, beside 0, at which everything else that the amplitude depends on is put.
constexpr size_t elsewhere = 11;

/// A state, and the time.
struct Place {
  std::vector<double> x, v;
  double t = 0;
};

/// An amplitude along one coordinate. own: whether its noise moves that coordinate.
class Line {
 public:
  Line(const Model& model, const ModelValues& values, const Component& amplitude, size_t variable, size_t coordinate,
       Place place, bool own)
      : model_(model),
        values_(values),
        is_own_(own),
        plugin_(*amplitude.plugin),
        functions_(*amplitude.plugin->state_functions()),
        own_(values.values[model.index_of(amplitude)].data()),
        variable_(variable),
        coordinate_(coordinate),
        place_(std::move(place)) {
    place_nodes();
  }

  /// The first jumps, at most `most`.
  std::vector<AmplitudeJump> find(const Component& noise, size_t most) {
    std::vector<AmplitudeJump> found;
    std::vector<std::vector<Side>> sides;
    for (const double z : nodes_) sides.push_back(sides_at(z));
    for (size_t k = 0; k < sides[0].size(); ++k)
      for (size_t i = 0; i + 1 < nodes_.size() && found.size() < most; ++i) {
        if (branch_of(sides[i][k]) == branch_of(sides[i + 1][k])) continue;
        if (auto jump = look_at(k, nodes_[i], nodes_[i + 1], branch_of(sides[i][k]), noise)) found.push_back(*jump);
      }
    return found;
  }

 private:
  bool is_velocity() const { return values_.variables[coordinate_].inertial; }
  double& number() {
    return is_velocity() ? place_.v[place_of_velocity(values_, coordinate_) - place_.x.size()] : place_.x[coordinate_];
  }
  /// The amplitude at a place along the coordinate, and the amplitude with which its noise moves the coordinate.
  std::pair<double, double> at(double z) {
    number() = z;
    std::array<double, 2 * most_variables> b{};
    functions_.add_forces(place_.x.data(), place_.v.data(), place_.t, own_, nullptr, b.data());
    return {b[variable_], b[coordinate_]};
  }
  std::vector<Side> sides_at(double z) {
    number() = z;
    return functions_.sides(place_.x.data(), place_.v.data(), place_.t, own_);
  }

  void place_nodes() {
    std::pair<double, double> room(-INFINITY, INFINITY);
    if (!is_velocity()) room = between_walls(model_, values_, coordinate_);
    const auto [low, high] = room;
    const double period = is_velocity() ? 0 : values_.variables[coordinate_].period;
    const bool both = std::isfinite(low) && std::isfinite(high);
    const double from = both ? low : -period / 2, length = both ? high - low : period;
    for (size_t i = 0; length > 0 && i < intervals; ++i)
      nodes_.push_back(from + length * (static_cast<double>(i) + 0.5 + offset) / static_cast<double>(intervals));
    for (int i = -octaves * per_octave; !both && i <= octaves * per_octave; ++i)
      for (const double sign : {-1, 1})
        nodes_.push_back(sign * (1 + offset) * std::pow(2.0, static_cast<double>(i) / per_octave));
    add_zeros();
    std::erase_if(nodes_, [&](double z) { return !(z > room.first && z < room.second); });
    std::ranges::sort(nodes_);
    add_hidden();
  }
  /// Adds nodes around places where bounds say that the amplitude may jump.
  void add_hidden() {
    auto b = function_bounds(plugin_, variable_, place_.x.data(), place_.v.data(), place_.t, own_,
                             {place_of_force(values_, coordinate_)});
    if (!b || nodes_.size() < 2) return;
    double most = 0;
    for (const double z : nodes_)
      if (const double size = std::abs(b->at(z)); std::isfinite(size)) most = std::max(most, size);
    const formula::Interval line{nodes_.front(), nodes_.back()};
    for (const auto& part : jumping_parts(*b, line, least_hidden * most, narrowest * line.width(), most_looks).parts)
      for (const double z : {part.low - part.width(), part.middle(), part.high + part.width()}) nodes_.push_back(z);
    std::ranges::sort(nodes_);
  }
  /// Adds nodes around the zeros of arguments of first degree, however near to each other the zeros are.
  void add_zeros() {
    const std::vector<Side> first = sides_at(0), second = sides_at(1), third = sides_at(-2);
    for (size_t k = 0; k < first.size(); ++k) {
      const double slope = second[k].argument - first[k].argument;
      const double error = third[k].argument - first[k].argument + 2 * slope;
      const double zero = -first[k].argument / slope;
      if (!std::isfinite(zero) || !(std::abs(error) <= 1e-9 * std::abs(slope))) continue;
      nodes_.push_back(zero);
      double distance = zero != 0 ? std::abs(zero) : 1;
      for (int i = 0; i <= decades; ++i, distance /= 10)
        for (const double sign : {-1, 1}) nodes_.push_back(zero + 0.9 * sign * distance);
    }
  }

  std::optional<AmplitudeJump> look_at(size_t k, double a, double b, double before, const Component& noise) {
    const double least = 8 * epsilon, step = b - a;
    while (b - a > least * std::max({std::abs(a), std::abs(b), epsilon})) {
      const double m = (a + b) / 2;
      (branch_of(sides_at(m)[k]) == before ? a : b) = m;
    }
    const double next = b - a;  // the amplitude may have a third value at the place itself
    const auto [left, moves_left] = at(a - next);
    const auto [right, moves_right] = at(b + next);
    const double height = std::abs(right - left), beside = std::max(std::abs(a), step) * 1e-3;
    const double size =
        std::max({std::abs(left), std::abs(right), std::abs(at(a - beside).first), std::abs(at(b + beside).first)});
    if (!(height > least_jump * size) || (is_own_ && moves_left == 0 && moves_right == 0)) return {};
    for (const double part : farther)
      if (!(std::abs(left - at(a - part * next).first) < 0.1 * height &&
            std::abs(right - at(b + part * next).first) < 0.1 * height))
        return {};
    const double z = (a + b) / 2;
    const auto& variable = model_.variables()[coordinate_];
    const std::string name = !is_velocity() ? variable.name : model_.is_system() ? "v_" + variable.name : "v";
    return AmplitudeJump{
        &noise,       fmt::format("{} = {:.6g}", name, std::abs(z) < 16 * epsilon ? 0 : z), left, right, coordinate_, z,
        is_velocity()};
  }

  const Model& model_;
  const ModelValues& values_;
  bool is_own_;
  const Plugin& plugin_;
  const StateFunctions& functions_;
  const double* own_;
  size_t variable_, coordinate_;
  Place place_;
  std::vector<double> nodes_;
};

/// The states from which to look along one coordinate: 0 at first, then numbers of all sizes and both signs.
Place place_at(const ModelValues& values, size_t index) {
  uint64_t random = 0x9E3779B97F4A7C15U * (index + 1);
  const auto number = [&](double unit) {
    random ^= random << 13U, random ^= random >> 7U, random ^= random << 17U;
    const double part = static_cast<double>(random >> 11U) * 0x1p-53;
    random ^= random << 13U, random ^= random >> 7U, random ^= random << 17U;
    const double sign = random >> 63U != 0 ? 1 : -1;
    return index == 0 ? 0 : sign * unit * std::exp2(8 * part - 4);
  };
  Place place;
  for (const VariableValues& variable : values.variables) {
    place.x.push_back(number(variable.length()));
    if (variable.inertial) place.v.push_back(number(1));
  }
  for (size_t i = 0; i < most_fields; ++i) place.v.push_back(number(1));
  place.t = std::abs(number(1));
  return place;
}

/// Places on both sides of the zeros of arguments that decide between two branches, by Newton's steps from `begin`.
/// They give lines through what is small in several numbers. From each place the search is made once more, for corners.
std::vector<Place> places_at_sides(const StateFunctions& functions, const double* own, const Place& begin,
                                   size_t numbers_of_v) {
  constexpr int steps = 40;
  constexpr double near_by = 1e-7, close = 1e-12, beyond = 1e-8;
  constexpr size_t most = 64;
  const auto number = [&](Place& place, size_t j) -> double& {
    return j < place.x.size() ? place.x[j] : place.v[j - place.x.size()];
  };
  const auto argument = [&](const Place& place, size_t k) {
    const Side side = functions.sides(place.x.data(), place.v.data(), place.t, own)[k];
    return side.whole ? side.argument - std::round(side.argument) : side.argument;
  };
  const size_t sides = functions.sides(begin.x.data(), begin.v.data(), begin.t, own).size();
  std::vector<Place> found;
  const auto add = [&](Place at, size_t k) {
    const size_t numbers = at.x.size() + numbers_of_v;
    double moved = INFINITY;
    std::vector<double> slope(numbers);
    for (int step = 0; step < steps && moved > close; ++step) {
      const double here = argument(at, k);
      double square = 0;
      for (size_t j = 0; j < numbers; ++j) {
        Place there = at;
        const double h = near_by * std::max(1.0, std::abs(number(at, j)));
        number(there, j) += h;
        slope[j] = (argument(there, k) - here) / h;
        square += slope[j] * slope[j];
      }
      if (!(square > 0) || !std::isfinite(square) || !std::isfinite(here)) return;
      moved = std::abs(here) / std::sqrt(square);
      for (size_t j = 0; j < numbers; ++j) number(at, j) -= here * slope[j] / square;
    }
    double size = 0;
    for (const double s : slope) size = std::hypot(size, s);
    if (!(moved <= 1e3 * close) || !(size > 0)) return;
    for (const double direction : {-1, 1}) {
      Place& beside = found.emplace_back(at);
      for (size_t j = 0; j < numbers; ++j) number(beside, j) += direction * beyond * slope[j] / size;
    }
  };
  for (size_t k = 0; k < sides && found.size() < most; ++k) add(begin, k);
  const std::vector<Place> first = found;
  for (const Place& place : first)
    for (size_t k = 0; k < sides && found.size() < most; ++k) add(place, k);
  return found;
}

/// Whether the amplitude on a variable depends on anything but one number of the state, along which it is looked at.
bool depends_on_others(const Model& model, const StateFunctions& functions, size_t variable, size_t number) {
  const auto velocities = static_cast<size_t>(std::ranges::count_if(model.variables(), &ModelVariable::inertial));
  const size_t numbers = model.variables().size() + velocities + model.fields().size();
  for (size_t i = 0; i < numbers; ++i)
    if (i != number && functions.depends(variable, i)) return true;
  return false;
}

/// Whether white noise moves a variable, or its velocity.
bool is_moved(const Model& model, const ModelValues& values, size_t variable) {
  if (white_noise_on(model, values, variable) > 0) return true;
  return std::ranges::any_of(model.components(), [&](const Component& noise) {
    const Component* amplitude = model.amplitude_of(noise);
    return amplitude != nullptr && noise.plugin->has(BM_SIGMA) &&
           (amplitude->plugin->state_functions()->acts_on() >> variable & 1);
  });
}

/// The first jump of an amplitude along a coordinate that white noise moves: this noise if `own`, else only others.
std::optional<AmplitudeJump> find_jump(const Model& model, const ModelValues& values, const Component& noise,
                                       const Component& amplitude, bool own) {
  const StateFunctions& functions = *amplitude.plugin->state_functions();
  const size_t n = model.variables().size();
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      const size_t number = place_of_force(values, j);
      const bool moves = functions.acts_on() >> j & 1;
      if (moves != own || !functions.jumps_with(i, number)) continue;
      if (!own && !is_moved(model, values, j)) continue;
      const bool others = amplitude.plugin->depends_on_time() || depends_on_others(model, functions, i, number);
      const auto look = [&](const Place& place) -> std::optional<AmplitudeJump> {
        const auto found = Line(model, values, amplitude, i, j, place, own).find(noise, 1);
        return found.empty() ? std::nullopt : std::optional(found[0]);
      };
      for (size_t k = 0; k <= (others ? elsewhere : 0); ++k)
        if (auto jump = look(place_at(values, k))) return jump;
      if (!others) continue;
      const double* parameters = values.values[model.index_of(amplitude)].data();
      for (const size_t k : {0, 1, 2})
        for (const Place& place : places_at_sides(functions, parameters, place_at(values, k), state_size(values) - n))
          if (auto jump = look(place)) return jump;
    }
  return {};
}

/// The first jump of all white noise, or of thermal noise alone.
std::optional<AmplitudeJump> first_jump(const Model& model, const ModelValues& values, bool own, bool thermal) {
  for (const Component& noise : model.components()) {
    const Component* amplitude = model.amplitude_of(noise);
    if (amplitude == nullptr || !noise.plugin->has(BM_SIGMA)) continue;
    if (thermal && !model.is_thermal(noise)) continue;
    if (auto jump = find_jump(model, values, noise, *amplitude, own)) return jump;
  }
  return {};
}

/// Calls f(noise, amplitude) for every white noise whose amplitude on a variable may jump along that variable.
template <class F> void for_each_jumping_along(const Model& model, size_t variable, F f) {
  if (model.variables()[variable].inertial) return;
  for (const Component& noise : model.components()) {
    const Component* amplitude = model.amplitude_of(noise);
    if (amplitude == nullptr || !noise.plugin->has(BM_SIGMA)) continue;
    const StateFunctions& functions = *amplitude->plugin->state_functions();
    if (!(functions.acts_on() >> variable & 1) || !functions.jumps()) continue;
    if (functions.jumps_with(variable, variable)) f(noise, *amplitude);
  }
}

}  // namespace

std::optional<AmplitudeJump> find_amplitude_jump(const Model& model, const ModelValues& values, bool thermal) {
  return first_jump(model, values, true, thermal);
}

std::optional<AmplitudeJump> find_jump_by_others(const Model& model, const ModelValues& values) {
  return first_jump(model, values, false, false);
}

std::vector<double> amplitude_jumps_along(const Model& model, const ModelValues& values, size_t variable,
                                          const std::vector<double>& x, const std::vector<double>& v, double t) {
  constexpr size_t most = 64;
  constexpr double same = 1e-9;
  std::vector<double> places;
  for_each_jumping_along(model, variable, [&](const Component& noise, const Component& amplitude) {
    Place place{x, v, t};
    place.v.resize(v.size() + most_fields);
    for (const AmplitudeJump& jump : Line(model, values, amplitude, variable, variable, place, true).find(noise, most))
      places.push_back(jump.place);
  });
  std::ranges::sort(places);
  const double length = values.variables[variable].length();
  const auto is_same = [&](double a, double b) { return b - a <= same * std::max(std::abs(a), length); };
  places.erase(std::unique(places.begin(), places.end(), is_same), places.end());
  return places;
}

MoversOfJumps movers_of_jumps(const Model& model, size_t variable) {
  MoversOfJumps movers;
  for_each_jumping_along(model, variable, [&](const Component&, const Component& amplitude) {
    movers.any = true;
    movers.time = movers.time || amplitude.plugin->depends_on_time();
    movers.others = movers.others || depends_on_others(model, *amplitude.plugin->state_functions(), variable, variable);
  });
  return movers;
}

void check_amplitudes(const Model& model, const ModelValues& values) {
  const bool thermal = model.interpretation() == Interpretation::ito;
  const auto jump = find_amplitude_jump(model, values, thermal);
  if (!jump) return;
  const bool of_gamma = model.is_thermal(*jump->noise);
  fail("{}: {} must not jump where the noise moves: at {} it {} from {:.6g} to {:.6g}, and {} needs its slope; {}",
       subject_of(*jump->noise), of_gamma ? "its amplitude, sqrt(gamma)," : "amplitude", jump->where,
       jump->after < jump->before ? "falls" : "rises", jump->before, jump->after,
       of_gamma ? "a temperature" : fmt::format("interpretation = \"{}\"", interpretation_name(model.interpretation())),
       of_gamma ? "make it a slope" : "make it a slope, or give \"ito\"");
}

}  // namespace bmsim
