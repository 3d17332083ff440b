#include "model/jumping_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "error.h"
#include "model/walls.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double offset = 0.0123456789;  // keeps places off round numbers, where formulas often switch
constexpr size_t intervals = 512;        // of one period, or between two walls
constexpr int octaves = 10, per_octave = 8;
constexpr int decades = 12;          // of distances from the place where an argument of first degree passes 0
constexpr double least_jump = 1e-6;  // of the amplitude nearby
/// Distances from a jump, in units of its width, at which values must be about the same as next to it; those of a root
/// are not.
constexpr double farther[] = {2, 5, 11, 37, 211, 1024};
/// What else the amplitude depends on: where paths begin, and elsewhere.
constexpr size_t elsewhere = 11;

/// A state, and the time.
struct Place {
  std::vector<double> x, v;
  double t = 0;
};

/// An amplitude along one coordinate, which its noise moves.
class Line {
 public:
  Line(const Model& model, const ModelValues& values, const Component& amplitude, size_t variable, size_t coordinate,
       Place place)
      : model_(model),
        values_(values),
        functions_(*amplitude.plugin->state_functions()),
        own_(values.values[model.index_of(amplitude)].data()),
        variable_(variable),
        coordinate_(coordinate),
        place_(std::move(place)) {
    place_nodes();
  }

  std::optional<AmplitudeJump> find(const Component& noise) {
    std::vector<std::vector<Side>> sides;
    for (const double z : nodes_) sides.push_back(sides_at(z));
    for (size_t k = 0; k < sides[0].size(); ++k)
      for (size_t i = 0; i + 1 < nodes_.size(); ++i) {
        if (state(sides[i][k]) == state(sides[i + 1][k])) continue;
        if (auto jump = look_at(k, nodes_[i], nodes_[i + 1], state(sides[i][k]), noise)) return jump;
      }
    return {};
  }

 private:
  bool is_velocity() const { return values_.variables[coordinate_].inertial; }
  double& number() { return is_velocity() ? place_.v[velocity()] : place_.x[coordinate_]; }
  size_t velocity() const {
    size_t before = 0;
    for (size_t i = 0; i < coordinate_; ++i) before += values_.variables[i].inertial ? 1 : 0;
    return before;
  }
  /// The amplitude, at a place along the coordinate; and that with which its noise moves the coordinate.
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
  static double state(const Side& side) {
    return side.whole ? std::floor(side.argument) : static_cast<double>((side.argument > 0) - (side.argument < 0));
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
        nodes_.push_back(sign * (1 + offset) * std::exp2(static_cast<double>(i) / per_octave));
    add_zeros();
    std::erase_if(nodes_, [&](double z) { return !(z > room.first && z < room.second); });
    std::ranges::sort(nodes_);
  }
  /// Places about the zeros of arguments that are of first degree, however near to each other they are.
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
      (state(sides_at(m)[k]) == before ? a : b) = m;
    }
    const double next = b - a;  // at the place itself there may be third values
    const auto [left, moves_left] = at(a - next);
    const auto [right, moves_right] = at(b + next);
    const double height = std::abs(right - left), beside = std::max(std::abs(a), step) * 1e-3;
    const double size =
        std::max({std::abs(left), std::abs(right), std::abs(at(a - beside).first), std::abs(at(b + beside).first)});
    if (!(height > least_jump * size) || (moves_left == 0 && moves_right == 0)) return {};
    for (const double part : farther)
      if (!(std::abs(left - at(a - part * next).first) < 0.1 * height &&
            std::abs(right - at(b + part * next).first) < 0.1 * height))
        return {};
    const double z = (a + b) / 2;
    const auto& variable = model_.variables()[coordinate_];
    const std::string name = !is_velocity() ? variable.name : model_.is_system() ? "v_" + variable.name : "v";
    return AmplitudeJump{&noise, fmt::format("{} = {:.6g}", name, std::abs(z) < 16 * epsilon ? 0 : z), left, right};
  }

  const Model& model_;
  const ModelValues& values_;
  const StateFunctions& functions_;
  const double* own_;
  size_t variable_, coordinate_;
  Place place_;
  std::vector<double> nodes_;
};

/// States in which to look along one coordinate: 0, then numbers of all sizes and both signs.
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
  for (const VariableValues& one : values.variables) {
    place.x.push_back(number(one.length()));
    if (one.inertial) place.v.push_back(number(1));
  }
  for (size_t i = 0; i < most_fields; ++i) place.v.push_back(number(1));
  place.t = std::abs(number(1));
  return place;
}

/// Whether anything but the number itself decides on the amplitude along it.
bool depends_on_others(const Model& model, const StateFunctions& functions, size_t variable, size_t number) {
  size_t numbers = model.variables().size() + model.fields().size();
  for (const ModelVariable& one : model.variables()) numbers += one.inertial ? 1 : 0;
  for (size_t i = 0; i < numbers; ++i)
    if (i != number && functions.depends(variable, i)) return true;
  return false;
}

std::optional<AmplitudeJump> find_jump(const Model& model, const ModelValues& values, const Component& noise,
                                       const Component& amplitude) {
  const StateFunctions& functions = *amplitude.plugin->state_functions();
  const size_t n = model.variables().size();
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0, velocity = n; j < n; ++j) {
      const size_t number = model.variables()[j].inertial ? velocity++ : j;
      if (!(functions.acts_on() >> j & 1) || !functions.jumps_with(i, number)) continue;
      const bool others = amplitude.plugin->depends_on_time() || depends_on_others(model, functions, i, number);
      for (size_t k = 0; k <= (others ? elsewhere : 0); ++k)
        if (auto jump = Line(model, values, amplitude, i, j, place_at(values, k)).find(noise)) return jump;
    }
  return {};
}

}  // namespace

std::optional<AmplitudeJump> find_amplitude_jump(const Model& model, const ModelValues& values, bool thermal) {
  for (const Component& noise : model.components()) {
    const Component* amplitude = model.amplitude_of(noise);
    if (amplitude == nullptr || !noise.plugin->has(BM_SIGMA)) continue;
    if (thermal && !model.is_thermal(noise)) continue;
    if (auto jump = find_jump(model, values, noise, *amplitude)) return jump;
  }
  return {};
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
