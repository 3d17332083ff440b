#include <cmath>

#include "error.h"
#include "numbers.h"
#include "theory/algebra.h"
#include "theory/master.h"
#include "theory/stratonovich.h"

namespace bmsim::theory {
namespace {

constexpr size_t most_states = 64;

/// (exp(i y) - 1)/(i y) = exp(i y/2) sin(y/2)/(y/2)
Complex rectangle(double y) { return y == 0 ? 1 : std::polar(std::sin(y / 2) / (y / 2), y / 2); }

/// The symbol of kicks that are not exponential, from the characteristic function of their law.
Symbol symbol_of(const Shot& shot) {
  return [shot](double q) {
    const double y = q * shot.zeta;
    if (shot.law == "constant") return shot.rate * (std::polar(1.0, y) - 1.0);
    if (shot.law == "uniform") return shot.rate * (rectangle(2 * y) - 1.0);
    return shot.rate * (std::polar(std::exp(-q * q * shot.sigma * shot.sigma / 2), y) - 1.0);  // gaussian
  };
}
Symbol symbol_of(const StableNoise& noise) {
  return [noise](double q) {
    const double skew = noise.beta * std::tan(pi * noise.alpha / 2);
    return -std::pow(noise.scale * std::abs(q), noise.alpha) * Complex{1, q < 0 ? skew : -skew};
  };
}

void add_shot(MasterEquation& equation, const Shot& shot) {
  equation.force += shot.drift;
  if (shot.law == "exponential") {
    if (shot.zeta != 0) equation.kicks.push_back({shot.rate, shot.zeta});
  } else if (shot.law == "two_sided") {
    if (shot.zeta == 0) return;
    equation.kicks.push_back({shot.rate / 2, shot.zeta});
    equation.kicks.push_back({shot.rate / 2, -shot.zeta});
  } else {
    equation.symbols.push_back(symbol_of(shot));
    equation.mean += shot.mean;
  }
}

/// State s and value j of the noise, which has n values, become state s n + j.
void add_jumps(MasterEquation& equation, const Jumps& jumps) {
  const size_t n = jumps.value.size(), before = equation.states.size();
  if (before * n > most_states)
    fail("states of the jumping noises must be at most {}, got {}", most_states, before * n);
  std::vector<State> states;
  std::vector<std::vector<double>> rates(before * n, std::vector<double>(before * n));
  for (size_t s = 0; s < before; ++s) {
    for (size_t j = 0; j < n; ++j) {
      State state = equation.states[s];
      (jumps.modulates ? state.potential : state.force) += jumps.value[j];
      states.push_back(state);
      for (size_t r = 0; r < before; ++r) rates[s * n + j][r * n + j] += equation.rates[s][r];
      for (size_t k = 0; k < n; ++k) rates[s * n + j][s * n + k] += jumps.rate[j][k];
    }
  }
  equation.states = std::move(states);
  equation.rates = std::move(rates);
}

}  // namespace

MasterEquation master_equation(const Content& content) {
  MasterEquation equation;
  equation.landscape = content.landscape;
  equation.force = content.force;
  equation.D = content.D;
  for (const Shot& shot : content.shots) add_shot(equation, shot);
  for (const Jumps& jumps : content.jumps) add_jumps(equation, jumps);
  for (const StableNoise& noise : content.stables) {
    if (!(noise.alpha > 1)) fail("alpha of Levy noise must be > 1 for a mean velocity, got {}", noise.alpha);
    equation.symbols.push_back(symbol_of(noise));
  }
  return equation;
}

double master_velocity(const Content& content) {
  const MasterEquation equation = master_equation(content);
  if (!(content.D > 0) && content.stables.empty()) fail("D of the Gaussian noise must be > 0, got {}", content.D);
  if (content.noises() == 0) return stratonovich(content.landscape, content.force, content.D).v;
  return equation.symbols.empty() ? shooting_velocity(equation) : galerkin_velocity(equation);
}

}  // namespace bmsim::theory
