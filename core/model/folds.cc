// Which variables are folded: kept within a period, with the whole periods that are taken off counted apart.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <random>

#include "error.h"
#include "model/events.h"
#include "model/system.h"
#include "plugin/state_functions.h"

namespace bmsim {
namespace {

constexpr size_t trial_states = 8;  // at which functions before and after a shift are compared
// Tolerances: a part of the change of a function within the shift, since formulas may be written with pi = 3.1415927;
// and a part of its value there and at most places, which is rounded.
constexpr double equal_changes = 1e-6, equal_values = 1e-12;
constexpr std::array within_shift = {0.29, 0.53, 0.81};

struct State {
  std::array<double, most_variables> x{};
  VelocitiesAndFields v{};
  double t = 0;
};
using Functions = std::function<std::vector<double>(const State&)>;

/// Functions at random states: positions within some periods, or of order 1.
class Trials {
 public:
  Trials(const ModelValues& values, Functions functions) : values_(values), functions_(std::move(functions)) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> place(-1, 1);
    std::normal_distribution<double> normal;
    for (size_t s = 0; s < trial_states; ++s) {
      State state;
      for (size_t i = 0; i < values.variables.size(); ++i) state.x[i] = place(random) * values.variables[i].length();
      for (double& v : state.v) v = normal(random);
      state.t = std::abs(normal(random));
      states_.push_back(state);
      values_there_.push_back(functions_(state));
    }
    for (size_t i = 0; i < values_there_[0].size(); ++i) {
      std::array<double, trial_states> sizes{};
      for (size_t s = 0; s < trial_states; ++s) sizes[s] = std::abs(values_there_[s][i]);
      std::ranges::sort(sizes);
      sizes_.push_back(std::isfinite(sizes[trial_states / 2]) ? sizes[trial_states / 2] : 0);
    }
  }
  /// Whether the functions stay the same if the variables of a mask are shifted, each by its length. change: by what
  /// they must differ instead.
  bool same_if_shifted(uint32_t mask, std::span<const double> change = {}) const {
    for (size_t s = 0; s < states_.size(); ++s) {
      const auto changed = [&](double part, size_t i, const std::vector<double>& now) {
        return std::abs(now[i] - values_there_[s][i] - (change.empty() ? 0 : part * change[i]));
      };
      const std::vector<double> after = shifted(states_[s], mask, 1);
      std::vector<double> within(after.size());
      for (const double part : within_shift) {
        const std::vector<double> now = shifted(states_[s], mask, part);
        for (size_t i = 0; i < now.size(); ++i)
          if (std::isfinite(now[i])) within[i] = std::max(within[i], changed(part, i, now));
      }
      for (size_t i = 0; i < after.size(); ++i) {
        const double before = values_there_[s][i];
        if (std::isfinite(before) != std::isfinite(after[i])) return false;
        if (changed(1, i, after) > equal_changes * within[i] + equal_values * (std::abs(before) + sizes_[i]))
          return false;
      }
    }
    return true;
  }

 private:
  std::vector<double> shifted(State state, uint32_t mask, double part) const {
    for (size_t i = 0; i < values_.variables.size(); ++i)
      if (mask >> i & 1) state.x[i] += part * values_.variables[i].length();
    return functions_(state);
  }
  const ModelValues& values_;
  Functions functions_;
  std::vector<State> states_;
  std::vector<std::vector<double>> values_there_;
  std::vector<double> sizes_;  // of each function: the median over all states
};

/// All forces, followed by the functions of amplitudes.
Functions forces(const Model& model, const ModelValues& values) {
  return [&model, &values](const State& state) {
    const size_t n = values.variables.size();
    std::vector<double> results(n);
    add_forces(model, values, state.x.data(), state.v.data(), state.t, results.data());
    const auto& components = model.components();
    for (size_t k = 0; k < components.size(); ++k) {
      if ((*components[k].plugin)->kind != amplitude_kind) continue;
      results.resize(results.size() + 2 * n);
      components[k].plugin->state_functions()->add_forces(state.x.data(), state.v.data(), state.t,
                                                          values.values[k].data(), nullptr,
                                                          results.data() + results.size() - 2 * n);
    }
    return results;
  };
}

Functions functions_of(const Model& model, const ModelValues& values, const Component& component) {
  const StateFunctions& functions = *component.plugin->state_functions();
  const double* own = values.values[model.index_of(component)].data();
  return [&functions, own](const State& state) {
    std::vector<double> results(functions.count());
    functions.add_forces(state.x.data(), state.v.data(), state.t, own, nullptr, results.data());
    return results;
  };
}

/// The rate of an event, followed by the values that it sets with random numbers that are all 0.4.
Functions of_event(const Model& model, const ModelValues& values, const Component& event) {
  const EventFunctions functions(model, values, event);
  return [functions](const State& state) {
    const std::vector<double> numbers(functions.shape().numbers.size(), 0.4);
    std::vector<double> results = functions.values(state.x.data(), state.v.data(), state.t, numbers);
    results.insert(results.begin(), functions.trigger(state.x.data(), state.v.data(), state.t));
    return results;
  };
}

/// Whether functions may change with a shift that trials do not show, since they are flat at most places, as x > 5 is,
/// or everywhere but in a narrow peak. A period that the script gives for a variable is believed.
bool may_hide(const Model& model, const ModelValues& values, const Component& component, uint32_t mask) {
  const StateFunctions* functions = component.plugin->state_functions();
  if (functions == nullptr) return false;
  std::vector<double> lengths;
  for (const VariableValues& variable : values.variables) lengths.push_back(variable.length());
  for (size_t i = 0; i < lengths.size(); ++i)
    if (mask >> i & 1 && !model.variables()[i].period.empty()) return false;
  return functions->hides_shift(mask, lengths);
}
/// Whether forces or amplitudes may change with a shift that trials do not show.
bool may_hide(const Model& model, const ModelValues& values, uint32_t mask) {
  return std::ranges::any_of(model.components(), [&](const Component& component) {
    const uint32_t kind = (*component.plugin)->kind;
    return (kind == BM_POTENTIAL || kind == amplitude_kind) && may_hide(model, values, component, mask);
  });
}

uint32_t folded_together(const ModelValues& values, int leader) {
  uint32_t together = 0;
  for (size_t j = 0; j < values.variables.size(); ++j)
    if (values.variables[j].folds_with == leader) together |= 1U << j;
  return together;
}

/// Whether an event may happen to a variable, or to several together, whose whole periods are taken off. Its rate must
/// have these periods, and it must set other variables to the same values. It must set these variables to the same
/// values, too, or to values that are shifted with them; if there are several, all must be shifted. Adds those that are
/// shifted to `keeps`.
bool knows_periods(const Model& model, const ModelValues& values, const Component& event, uint32_t together,
                   uint32_t& keeps) {
  const Trials trials(values, of_event(model, values, event));
  const std::vector<EventShape::Target>& targets = event.plugin->state_functions()->event()->targets;
  std::vector<double> change(1 + targets.size());
  uint32_t moved = 0;
  for (size_t k = 0; k < targets.size(); ++k) {
    if (targets[k].velocity || !(together >> targets[k].variable & 1)) continue;
    change[1 + k] = values.variables[targets[k].variable].length();
    moved |= 1U << targets[k].variable;
  }
  if (trials.same_if_shifted(together, change)) {
    keeps |= moved;
    return true;
  }
  return std::popcount(together) == 1 && trials.same_if_shifted(together);
}

/// Unfolds the variables, alone or together, for whose mask has_periods(mask) is false. refuse(i): throws Error if
/// variable i must stay folded.
template <class Has, class Refuse> void unfold(ModelValues& values, Has has_periods, Refuse refuse) {
  for (size_t i = 0; i < values.variables.size(); ++i) {
    if (values.variables[i].folds_with != static_cast<int>(i)) continue;
    const uint32_t together = folded_together(values, static_cast<int>(i));
    if (has_periods(together)) continue;
    for (size_t j = 0; j < values.variables.size(); ++j) {
      if (!(together >> j & 1)) continue;
      refuse(j);
      values.variables[j].folds_with = VariableValues::unfolded;
      values.variables[j].unfolded_for_formulas = true;
    }
  }
}

/// Unfolds the variables whose periods the functions of a component do not have.
template <class F> void unfold(const Model& model, ModelValues& values, const Component& component, F refuse) {
  std::optional<Trials> trials;  // made where a variable is folded
  const auto has_periods = [&](uint32_t together) {
    if (!trials) trials.emplace(values, functions_of(model, values, component));
    return trials->same_if_shifted(together) && !may_hide(model, values, component, together);
  };
  unfold(values, has_periods, refuse);
}

/// A list with commas; of a long one its first entry, and how many more there are.
std::string few_of(const std::string& list) {
  constexpr std::ptrdiff_t few = 4;
  const auto more = std::ranges::count(list, ',');
  return more < few ? list : fmt::format("{} and {} more", list.substr(0, list.find(',')), more);
}

}  // namespace

void settle_events(const Model& model, ModelValues& values) {
  values.keeps_periods.clear();
  for (const Component* event : model.events()) {
    uint32_t keeps = 0;
    const auto has_periods = [&](uint32_t together) {
      return !may_hide(model, values, *event, together) && knows_periods(model, values, *event, together, keeps);
    };
    unfold(values, has_periods, [&](size_t i) {
      if (!model.variables()[i].period.empty())
        fail("events.{}: what it comes by, and what it sets, must have the period {} that is given for {}", event->name,
             values.variables[i].period, model.variables()[i].name);
    });
    values.keeps_periods.push_back(keeps);
  }
}

void find_folds(const Model& model, ModelValues& values) {
  const Trials trials(values, forces(model, values));
  const size_t n = values.variables.size();
  uint32_t rest = 0;
  for (size_t i = 0; i < n; ++i) {
    values.variables[i].folds_with = VariableValues::unfolded;
    if (trials.same_if_shifted(1U << i) && !may_hide(model, values, 1U << i))
      values.variables[i].folds_with = static_cast<int>(i);
    else
      rest |= 1U << i;
  }
  int leader = VariableValues::unfolded;
  if (rest != 0 && trials.same_if_shifted(rest) && !may_hide(model, values, rest))
    for (size_t i = 0; i < n; ++i) {
      if (!(rest >> i & 1)) continue;
      if (leader == VariableValues::unfolded) leader = static_cast<int>(i);
      values.variables[i].folds_with = leader;
    }
  for (size_t i = 0; i < n; ++i)
    if (!model.variables()[i].period.empty() && values.variables[i].folds_with == VariableValues::unfolded)
      fail("system: period.{} = {}: forces change when {} is shifted by it", model.variables()[i].name,
           values.variables[i].period, model.variables()[i].name);
}

void settle_fields(const Model& model, ModelValues& values) {
  for (const Component& fields : model.components())
    if ((*fields.plugin)->kind == field_kind)
      unfold(model, values, fields, [&](size_t i) {
        const ModelVariable& variable = model.variables()[i];
        if (!variable.period.empty())
          fail("system: fields must have the period {} that is given for {}, got {}", values.variables[i].period,
               variable.name, (*fields.plugin)->equation);
      });
}

void settle_observed(const Model& model, ModelValues& values) {
  if (model.observed() == nullptr) return;
  unfold(model, values, *model.observed(), [&](size_t i) {
    const double period = values.variables[i].period;
    const std::string& name = model.variables()[i].name;
    if (period > 0 && !model.is_free())
      fail(
          "observe: formulas that are followed at every step must have the period {} of {}, whose whole periods are "
          "taken off, got {}; observe.moments, and integrals over {}, know the unfolded {}",
          period, name, few_of((*model.observed()->plugin)->equation), name, name);
  });
}

}  // namespace bmsim
