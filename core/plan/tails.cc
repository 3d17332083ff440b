#include "plan/tails.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// Fewest paths where the law may be as heavy-tailed as a lognormal or an exponential one.
constexpr double fewest_of_heavy = 512;

/// Whether sizes at states a thousand times farther away are `much` times as large. f(state) returns a size. States at
/// which it is not defined are left out.
template <class F> bool grows(size_t numbers, double much, F f) {
  constexpr int trials = 16;
  double near = 0, far = 0;
  std::vector<double> state(numbers);
  for (int trial = 0; trial < trials; ++trial) {
    double sizes[2];
    for (const int k : {0, 1}) {
      for (size_t i = 0; i < numbers; ++i) {  // in all directions; R. D. Richtmyer, 1951
        const double turns = std::sqrt(static_cast<double>(2 + 3 * i)) * (trial + 1);
        state[i] = (k == 0 ? 1e3 : 1e6) * (2 * (turns - std::floor(turns)) - 1);
      }
      sizes[k] = f(state);
    }
    if (std::isnan(sizes[0]) || std::isnan(sizes[1])) continue;
    near += sizes[0], far += sizes[1];
  }
  return far > much * near;
}

}  // namespace

double fewest_for_squares(const Model& model, const ModelValues& values) {
  const size_t n = values.variables.size();
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    if ((*component.plugin)->kind != amplitude_kind) continue;
    const StateFunctions& b = *component.plugin->state_functions();
    if (b.reads_variables() == 0 && b.reads_velocities_of() == 0) continue;
    const bool heavy = grows(2 * n, 2, [&](std::vector<double> state) {
      std::vector<double> amplitudes(2 * n);
      state.resize(2 * n + most_fields, 1);
      b.add_forces(state.data(), state.data() + n, 0, values.values[k].data(), nullptr, amplitudes.data());
      double size = 0;
      for (size_t i = 0; i < n; ++i) size += std::abs(amplitudes[i]);
      return size;
    });
    if (heavy) return fewest_of_heavy;
  }
  return 0;
}

double fewest_for_squares(const StateFormula& formula, const ModelValues& values) {
  if (formula.linear()) return 0;
  const std::vector<double> inputs = formula.inputs(values);
  const bool heavy = grows(formula.state_size(), 2e3,
                           [&](const std::vector<double>& state) { return std::abs(formula.at(inputs, state)); });
  return heavy ? fewest_of_heavy : 0;
}

void set_tail(const Model& model, const ModelValues& values, PointFacts& facts) {
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Plugin& noise = *model.components()[k].plugin;
    const double* numbers = values.values[k].data();
    if (!has_heavy_tails(noise, numbers)) continue;
    facts.tail = std::min(facts.tail, *number_of(noise, numbers, "alpha"));
    facts.even_tails = facts.even_tails && number_of(noise, numbers, "beta") == 0.0;
  }
}

}  // namespace bmsim
