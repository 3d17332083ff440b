#include "model/folds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "error.h"
#include "model/events.h"
#include "model/fields.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr size_t trial_states = 8;  // at which functions before and after a shift are compared
// Parts of what a function changes by within the shift, since formulas may be written with pi = 3.1415927; and of its
// value there and at most places, which is rounded.
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
      State one;
      for (size_t i = 0; i < values.variables.size(); ++i) one.x[i] = place(random) * values.variables[i].length();
      for (double& v : one.v) v = normal(random);
      one.t = std::abs(normal(random));
      states_.push_back(one);
      values_there_.push_back(functions_(one));
    }
    for (size_t i = 0; i < values_there_[0].size(); ++i) {
      std::array<double, trial_states> sizes{};
      for (size_t s = 0; s < trial_states; ++s) sizes[s] = std::abs(values_there_[s][i]);
      std::ranges::sort(sizes);
      sizes_.push_back(std::isfinite(sizes[trial_states / 2]) ? sizes[trial_states / 2] : 0);
    }
  }
  /// Whether they are the same if the variables of a mask are shifted, each by its length. change: by what they must
  /// differ instead.
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
  std::vector<double> sizes_;  // in the middle of those at all states
};

/// Forces, then the functions of amplitudes.
Functions forces(const Model& model, const ModelValues& values) {
  return [&model, &values](const State& state) {
    const size_t n = values.variables.size();
    std::vector<double> all(n);
    add_forces(model, values, state.x.data(), state.v.data(), state.t, all.data());
    const auto& components = model.components();
    for (size_t k = 0; k < components.size(); ++k) {
      if ((*components[k].plugin)->kind != amplitude_kind) continue;
      all.resize(all.size() + 2 * n);
      components[k].plugin->state_functions()->add_forces(
          state.x.data(), state.v.data(), state.t, values.values[k].data(), nullptr, all.data() + all.size() - 2 * n);
    }
    return all;
  };
}

Functions functions_of(const Model& model, const ModelValues& values, const Component& component) {
  const StateFunctions& functions = *component.plugin->state_functions();
  const double* own = values.values[model.index_of(component)].data();
  return [&functions, own](const State& state) {
    std::vector<double> all(functions.count());
    functions.add_forces(state.x.data(), state.v.data(), state.t, own, nullptr, all.data());
    return all;
  };
}

/// The rate of an event, and what it sets, with some random numbers.
Functions of_event(const Model& model, const ModelValues& values, const Component& event) {
  const EventFunctions functions(model, values, event);
  return [functions](const State& state) {
    const std::vector<double> numbers(functions.shape().numbers.size(), 0.4);
    std::vector<double> all = functions.values(state.x.data(), state.v.data(), state.t, numbers);
    all.insert(all.begin(), functions.trigger(state.x.data(), state.v.data(), state.t));
    return all;
  };
}

/// Whether functions may change with a shift that trials do not show: they are flat at most places, as x > 5 is, or but
/// for a narrow peak. A period that the script gives for a variable is believed.
bool may_hide(const Model& model, const ModelValues& values, const Component& component, uint32_t mask) {
  const StateFunctions* functions = component.plugin->state_functions();
  if (functions == nullptr) return false;
  std::vector<double> lengths;
  for (const VariableValues& one : values.variables) lengths.push_back(one.length());
  for (size_t i = 0; i < lengths.size(); ++i)
    if (mask >> i & 1 && !model.variables()[i].period.empty()) return false;
  return functions->hides_shift(mask, lengths);
}
/// The same of forces and amplitudes.
bool may_hide(const Model& model, const ModelValues& values, uint32_t mask) {
  return std::ranges::any_of(model.components(), [&](const Component& one) {
    const uint32_t kind = (*one.plugin)->kind;
    return (kind == BM_POTENTIAL || kind == amplitude_kind) && may_hide(model, values, one, mask);
  });
}

uint32_t folded_together(const ModelValues& values, int leader) {
  uint32_t together = 0;
  for (size_t j = 0; j < values.variables.size(); ++j)
    if (values.variables[j].folds_with == leader) together |= 1U << j;
  return together;
}

/// Whether an event may happen to a variable, or several together, whose whole periods are taken off: its rate has
/// these periods, and it sets others to the same values, these to the same or to values that are shifted with them.
/// Adds the latter to `keeps`. Of several all must be shifted.
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

}  // namespace

void settle_events(const Model& model, ModelValues& values) {
  values.keeps_periods.clear();
  for (const Component* event : model.events()) {
    uint32_t keeps = 0;
    for (size_t i = 0; i < values.variables.size(); ++i) {
      const int leader = values.variables[i].folds_with;
      if (leader != static_cast<int>(i)) continue;
      const uint32_t together = folded_together(values, leader);
      if (!may_hide(model, values, *event, together) && knows_periods(model, values, *event, together, keeps)) continue;
      for (size_t j = 0; j < values.variables.size(); ++j) {
        if (!(together >> j & 1)) continue;
        if (!model.variables()[j].period.empty())
          fail("events.{}: what it comes by, and what it sets, must have the period {} that is given for {}",
               event->name, values.variables[j].period, model.variables()[j].name);
        values.variables[j].folds_with = VariableValues::unfolded;
        values.variables[j].unfolded_for_formulas = true;
      }
    }
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

namespace {

/// Unfolds the variables whose periods the functions of a component do not have. refuse(i): throws Error if variable i
/// must stay folded.
template <class F> void unfold(const Model& model, ModelValues& values, const Component& component, F refuse) {
  const Trials trials(values, functions_of(model, values, component));
  for (size_t i = 0; i < values.variables.size(); ++i) {
    const int leader = values.variables[i].folds_with;
    if (leader == VariableValues::unfolded) continue;
    const uint32_t together = folded_together(values, leader);
    if (trials.same_if_shifted(together) && !may_hide(model, values, component, together)) continue;
    for (size_t j = 0; j < values.variables.size(); ++j) {
      if (!(together >> j & 1)) continue;
      refuse(j);
      values.variables[j].folds_with = VariableValues::unfolded;
      values.variables[j].unfolded_for_formulas = true;
    }
  }
}

}  // namespace

void settle_fields(const Model& model, ModelValues& values) {
  for (const Component& fields : model.components())
    if ((*fields.plugin)->kind == field_kind)
      unfold(model, values, fields, [&](size_t i) {
        const ModelVariable& one = model.variables()[i];
        if (!one.period.empty())
          fail("system: fields must have the period {} that is given for {}, got {}", values.variables[i].period,
               one.name, (*fields.plugin)->equation);
      });
}

namespace {
/// Of a list with commas the first, and how many more there are, if they are many.
std::string few_of(const std::string& list) {
  constexpr std::ptrdiff_t few = 4;
  const auto more = std::ranges::count(list, ',');
  return more < few ? list : fmt::format("{} and {} more", list.substr(0, list.find(',')), more);
}
}  // namespace

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
