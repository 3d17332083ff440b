#include "scales/far_kicks.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/events.h"
#include "model/walls.h"
#include "numbers.h"
#include "scales/heavy_tails.h"
#include "scales/short_motion.h"

namespace bmsim {

using namespace short_paths;

namespace {

/// The word chosen for a parameter of a plugin; "" if there is no such parameter.
std::string word_of(const Plugin& plugin, const double* values, std::string_view name) {
  for (const bm_parameter& parameter : plugin.parameters())
    if (parameter.name == name && parameter.choices != nullptr)
      return choice_words(parameter)[static_cast<size_t>(values[parameter.slot])];
  return "";
}

/// The size that a kick of a noise exceeds with probability exp(-e). An unknown law of sizes is taken as an exponential
/// one of the same intensity. 0 for noises without kicks, or without a finite intensity.
double largest_kick(const Plugin& noise, const double* values, double e) {
  if (!noise.has(BM_EVENTS) || noise.has(BM_MODULATES)) return 0;
  const double wait = noise.time_scale(values), D = noise.intensity(values).value_or(0);
  const double root_of_square = std::sqrt(2 * D * wait);  // root mean square of kicks
  if (!(root_of_square > 0 && std::isfinite(root_of_square))) return 0;
  const std::string law = word_of(noise, values, "law");
  if (law == "constant") return root_of_square;
  if (law == "uniform") return std::sqrt(3.0) * root_of_square;
  if (law == "gaussian") return std::sqrt(2 * e) * root_of_square;
  return e / std::sqrt(2.0) * root_of_square;
}

/// Finds how stiff forces are where kicks and events take paths from the start.
class FarStates {
 public:
  FarStates(const Model& model, const ModelValues& values, const SystemStart& start, double duration)
      : model_(model), values_(values), motion_(model, values), duration_(duration) {
    for (size_t i = 0; i < motion_.variables(); ++i) {
      start_[i] = start.x[i];
      if (values.variables[i].inertial) start_[place_of_velocity(values, i)] = start.v[i];
    }
  }
  void look_at_kicks() {
    for (size_t k = 0; k < model_.components().size(); ++k) {
      const Component& noise = model_.components()[k];
      if ((*noise.plugin)->kind != BM_NOISE || noise.modulates) continue;
      const double* numbers = values_.values[k].data();
      const double size = largest_kick(*noise.plugin, numbers, unlikely(1 / noise.plugin->time_scale(numbers)));
      if (!(size > 0 && std::isfinite(size))) continue;
      const double ordinary = largest_kick(*noise.plugin, numbers, 1);
      const State along = along_of(noise, start_);
      for (const double side : {-1.0, 1.0}) {
        attempt([&] { look_at(moved(along, side * size)); });
        if (model_.amplitude_of(noise) == nullptr) continue;
        // The amplitude may be larger where an ordinary kick has taken a path.
        attempt([&] { look_at(moved(along_of(noise, moved(along, side * ordinary)), side * size)); });
      }
    }
  }
  void look_at_events() {
    for (const Component* event : model_.events())
      for (const bool high : {false, true}) attempt([&] { look_after(*event, high); });
  }
  double largest() const { return largest_; }

 private:
  /// Where an event leaves paths whose numbers are all at the low ends of their laws, or all at the high ends.
  void look_after(const Component& event, bool high) {
    const EventFunctions functions(model_, values_, event);
    const EventShape& shape = functions.shape();
    if (shape.trigger == EventShape::zero) return;
    const double now = functions.trigger(start_.data(), motion_.velocities(start_).data(), 0);
    const double e = unlikely(shape.trigger == EventShape::interval ? 1 / now : now);
    if (!std::isfinite(e)) return;
    std::vector<double> numbers;
    for (const char law : shape.numbers)
      numbers.push_back(law == 'U'   ? (high ? 1 - std::exp(-e) : std::exp(-e))
                        : law == 'N' ? (high ? 1 : -1) * std::sqrt(2 * e)
                                     : (high ? e : std::exp(-e)));
    const std::vector<double> to = functions.values(start_.data(), motion_.velocities(start_).data(), 0, numbers);
    State there = start_;
    for (size_t i = 0; i < to.size(); ++i) {
      const auto& target = shape.targets[i];
      there[target.velocity ? place_of_velocity(values_, target.variable) : target.variable] = to[i];
    }
    look_at(there);
  }
  /// -log of the probability of the most extreme draw that one path in a thousand meets, with draws at a rate.
  double unlikely(double rate) const {
    constexpr double paths = 1000, most = 1e9;  // most: draws of one path
    return std::log(paths * std::clamp(duration_ * rate, 1.0, most));
  }
  /// The displacement of a path by a kick of size 1.
  State along_of(const Component& noise, const State& at) const {
    std::array<double, 2 * most_variables> b{};
    if (const Component* amplitude = model_.amplitude_of(noise))
      amplitude->plugin->state_functions()->add_forces(at.data(), motion_.velocities(at).data(), 0,
                                                       values_.values[model_.index_of(*amplitude)].data(), nullptr,
                                                       b.data());
    else
      b[noise.variable] = 1;
    State along{};
    for (size_t i = 0; i < motion_.variables(); ++i) {
      const VariableValues& variable = values_.variables[i];
      if (variable.inertial || !(variable.period > 0)) along[place_of_force(values_, i)] = b[i] / variable.inertia();
    }
    return along;
  }
  /// The start, moved along a displacement, at most to a wall.
  State moved(const State& along, double size) const {
    State there = motion_.moved(start_, along, size);
    for (size_t i = 0; i < motion_.variables(); ++i) {
      const auto [low, high] = between_walls(model_, values_, i);
      there[i] = std::clamp(there[i], low, high);
    }
    return there;
  }
  void look_at(const State& there) {
    const double stiffness = motion_.size_of(motion_.jacobian(there, 0));
    if (std::isfinite(stiffness)) largest_ = std::max(largest_, stiffness);
  }

  const Model& model_;
  const ModelValues& values_;
  Motion motion_;
  double duration_, largest_ = 0;
  State start_{};
};

}  // namespace

bool may_be_far(const Model& model, const ModelValues& values) {
  if (std::ranges::all_of(values.variables, [](const VariableValues& x) { return x.period > 0 && !x.inertial; }))
    return false;
  return !model.events().empty() || std::ranges::any_of(model.components(), [](const Component& component) {
    return (*component.plugin)->kind == BM_NOISE && component.plugin->has(BM_EVENTS) &&
           !component.plugin->has(BM_MODULATES);
  });
}

double time_after_kicks(const Model& model, const ModelValues& values, const SystemStart& start, double duration) {
  FarStates states(model, values, start, duration);
  states.look_at_kicks();
  states.look_at_events();
  return 1 / states.largest();
}

}  // namespace bmsim
