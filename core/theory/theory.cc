#include "theory/theory.h"

#include <algorithm>
#include <array>

#include "error.h"
#include "nearest_name.h"
#include "numbers.h"
#include "theory/content.h"
#include "theory/inertial.h"
#include "theory/kramers.h"
#include "theory/langevin.h"
#include "theory/master.h"
#include "theory/pieces.h"
#include "theory/stratonovich.h"

namespace bmsim {
namespace {

using namespace theory;
using Values = std::vector<double>;
using Names = std::vector<std::string>;

// ---- names of quantities: those of observables where these exist; in a system they end in that of the variable ----

/// "velocity_x" in a system, "velocity" in other models.
std::string of_variable(const Model& model, std::string_view quantity, size_t i) {
  return model.is_system() ? fmt::format("{}_{}", quantity, model.variables()[i].name) : std::string(quantity);
}

Names of_all(const Model& model, std::initializer_list<std::string_view> quantities) {
  Names names;
  for (size_t i = 0; i < model.variables().size(); ++i)
    for (const std::string_view quantity : quantities) names.push_back(of_variable(model, quantity, i));
  return names;
}

Names of_transport(const Model& model) { return of_all(model, {"velocity", "diffusion"}); }
Names of_velocity(const Model& model) { return of_all(model, {"velocity"}); }
Names of_diffusion(const Model& model) { return of_all(model, {"diffusion"}); }
Names of_squares(const Model& model) { return of_all(model, {"velocity", "diffusion", "velocity_squared"}); }
Names of_rates(const Model&) { return {"rate", "rate_left", "rate_right"}; }

/// Velocities, the diffusion tensor, and <v^2> of variables with inertia.
Names of_motion(const Model& model) {
  Names names = of_transport(model);
  const auto& variables = model.variables();
  for (size_t i = 0; i < variables.size(); ++i)
    for (size_t j = i + 1; j < variables.size(); ++j)
      names.push_back(fmt::format("diffusion_{}_{}", variables[i].name, variables[j].name));
  for (size_t i = 0; i < variables.size(); ++i)
    if (variables[i].inertial || !model.is_system()) names.push_back(of_variable(model, "velocity_squared", i));
  return names;
}

/// of_motion, then mean values and covariances of all states.
Names of_law(const Model& model) {
  Names names = of_motion(model);
  const Names states = linear_states(model);
  for (const std::string& state : states) names.push_back("mean_" + state);
  for (size_t i = 0; i < states.size(); ++i)
    for (size_t j = i; j < states.size(); ++j) names.push_back(fmt::format("covariance_{}_{}", states[i], states[j]));
  return names;
}

// ---- what theories demand of a model; the name of the theory is put before the messages ----

void overdamped(const Content& c) {
  if (c.underdamped) fail("the model must be overdamped, got an underdamped one");
}
void periodic(const Content& c) {
  if (!(c.landscape.period > 0)) fail("the potential must be periodic, got {}", c.potential);
}
void known(const Content& c) {
  if (!c.multiplied.empty()) fail("noise must have no amplitude, got that of {}", c.multiplied);
  if (!c.uncovered.empty()) fail("components must be ones that it covers, got {}", c.uncovered);
}
void gaussian(const Content& c) {
  if (!c.not_gaussian.empty()) fail("noise must be Gaussian and white, got {}", c.not_gaussian);
  known(c);
  if (!(c.D > 0)) fail("D of the Gaussian noise must be > 0, got {}", c.D);
}
std::vector<Piece> pieces_of(const Content& c) {
  overdamped(c);
  known(c);
  periodic(c);
  if (c.landscape.segments.empty()) fail("the potential must be piecewise linear, got {}", c.potential);
  if (c.D > 0) fail("D of Gaussian noise must be 0, got {}; see theory.master", c.D);
  std::vector<Piece> pieces;
  for (const auto& [left, right, slope] : c.landscape.segments)
    pieces.push_back({(right - left) * c.landscape.period, c.force - slope});
  return pieces;
}

// ---- the theories ----

struct Case {
  const Model& model;
  const ModelValues& values;
  const TheoryOptions& options;
};

Values of_poisson(const Content& c, const TheoryOptions&) {
  const std::vector<Piece> pieces = pieces_of(c);
  if (c.noises() != 1 || c.shots.size() != 1)
    fail("noise must be one noise.poisson, got {}", c.noises() == 0 ? "none" : c.not_gaussian);
  const Shot& shot = c.shots.front();
  if (shot.law != "exponential") fail("law of the kicks must be exponential, got {}", shot.law);
  if (shot.zeta == 0) fail("zeta must not be 0, got 0");
  return {poisson_velocity(pieces, {shot.rate, shot.zeta, shot.drift})};
}

Values of_dichotomous(const Content& c, const TheoryOptions&) {
  const std::vector<Piece> pieces = pieces_of(c);
  const bool fits = c.noises() == 1 && c.jumps.size() == 1 && c.jumps[0].value.size() == 2;
  if (!fits) fail("noise must be one noise.dichotomous, got {}", c.noises() == 0 ? "none" : c.not_gaussian);
  const auto& [value, rate, modulates] = c.jumps.front();
  if (modulates) fail("noise must be a force, got {} that modulates the potential", c.not_gaussian);
  return {dichotomous_velocity(pieces, {-value[0], value[1], rate[0][1], rate[1][0]})};
}

/// Transport by the Langevin equation, which may have more than a potential and one D.
Values of_diffusing(const Case& a) {
  const auto [v, D_eff] = stratonovich(diffusing_motion(Langevin(a.model, a.values)));
  return {v, D_eff};
}

Values of_stratonovich(const Case& a) {
  if (a.model.is_system()) return of_diffusing(a);
  const Content c = content_of(a.model, a.values);
  overdamped(c);
  periodic(c);
  if (!c.multiplied.empty()) return of_diffusing(a);
  gaussian(c);
  const auto [v, D_eff] = stratonovich(c.landscape, c.force, c.D);
  return {v, D_eff};
}

Values of_lifson_jackson(const Content& c, const TheoryOptions&) {
  overdamped(c);
  periodic(c);
  gaussian(c);
  if (c.force != 0) fail("force must be 0, got {}; see theory.stratonovich", c.force);
  return {lifson_jackson(c.landscape, c.D)};
}

Values of_kramers(const Content& c, const TheoryOptions& options) {
  if (!(c.gamma > 0)) fail("gamma must be > 0, got {}", c.gamma);
  gaussian(c);
  const auto [left, right] = kramers(c.landscape, c.force, {c.mass, c.gamma, c.D / c.gamma}, options.from);
  return {left + right, left, right};
}

Values of_master(const Content& c, const TheoryOptions&) {
  overdamped(c);
  known(c);
  periodic(c);
  return {master_velocity(c)};
}

Values of_inertial(const Content& c, const TheoryOptions&) {
  if (!c.underdamped) fail("the model must be underdamped, got an overdamped one");
  periodic(c);
  if (!(c.gamma > 0)) fail("gamma must be > 0, got {}", c.gamma);
  gaussian(c);
  const auto [v, v2, D_eff] = inertial_transport(c.landscape, c.force, {c.mass, c.gamma, c.D / c.gamma});
  return {v, D_eff, v2};
}

LinearLaw law_of(const Case& a) {
  const LinearLaw law(linear_motion(Langevin(a.model, a.values)));
  if (!law.any())
    fail("the motion must be stable, got an eigenvalue with the real part {:.4g} in that of every variable",
         law.growth);
  return law;
}

Values of_linear(const Case& a) {
  const LinearLaw law = law_of(a);
  const auto& variables = a.model.variables();
  const auto n = static_cast<Eigen::Index>(variables.size());
  Values values;
  for (Eigen::Index i = 0; i < n; ++i) values.insert(values.end(), {law.velocity(i), law.diffusion(i, i)});
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = i + 1; j < n; ++j) values.push_back(law.diffusion(i, j));
  Eigen::Index state = n;
  for (const ModelVariable& variable : variables) {
    if (variable.inertial) {
      values.push_back(law.covariance(state, state) + law.mean(state) * law.mean(state));
      ++state;
    } else if (!a.model.is_system()) {
      values.push_back(nan);
    }
  }
  for (Eigen::Index i = 0; i < state; ++i) values.push_back(law.mean(i));
  for (Eigen::Index i = 0; i < state; ++i)
    for (Eigen::Index j = i; j < state; ++j) values.push_back(law.covariance(i, j));
  return values;
}

Values of_torus(const Case& a) {
  const std::array<double, 2> v = torus_velocities(torus_motion(Langevin(a.model, a.values)));
  return {v[0], v[1]};
}

/// A theory of models of one variable.
template <Values (*theory)(const Content&, const TheoryOptions&)> Values of_content(const Case& a) {
  return theory(content_of(a.model, a.values), a.options);
}

struct Entry {
  Theory theory;
  Names (*quantities)(const Model&);
  Values (*evaluate)(const Case&);
};

constexpr std::array<Entry, 10> entries = {{
    {{"auto", "the exact one of these"}, of_motion, nullptr},
    {{"poisson_velocity", "Poissonian noise, piecewise-linear V"}, of_velocity, of_content<of_poisson>},
    {{"dichotomous_velocity", "dichotomous noise, piecewise-linear V"}, of_velocity, of_content<of_dichotomous>},
    {{"stratonovich", "Gaussian noise, with amplitudes; periodic V, force"}, of_transport, of_stratonovich},
    {{"lifson_jackson", "Gaussian noise, periodic V"}, of_diffusion, of_content<of_lifson_jackson>},
    {{"kramers", "escape from a minimum of V"}, of_rates, of_content<of_kramers>},
    {{"master", "white noise and jumping noise, periodic V"}, of_velocity, of_content<of_master>},
    {{"inertial", "underdamped, thermal, periodic V"}, of_squares, of_content<of_inertial>},
    {{"linear", "linear motion, Gaussian noise"}, of_law, of_linear},
    {{"torus", "two periodic variables, Gaussian noise, with amplitudes"}, of_velocity, of_torus},
}};

bool is_linear(const Case& a) {
  try {
    linear_motion(Langevin(a.model, a.values));
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// The theory that is exact for the model's components; it may still refuse the model.
std::string_view choose(const Content& c, const Case& a) {
  if (!(c.landscape.period > 0) && is_linear(a)) return "linear";
  if (!c.multiplied.empty() && c.underdamped)
    fail("theory: no theory covers inertia under noise with an amplitude, got that of {}", c.multiplied);
  if (!c.uncovered.empty()) fail("theory: no theory covers {}", c.uncovered);
  if (c.underdamped) return "inertial";
  if (c.noises() == 0) return "stratonovich";
  if (!c.multiplied.empty())
    fail("theory: no theory covers amplitudes beside noise that is not Gaussian and white, got {}", c.not_gaussian);
  if (c.D > 0 || !c.stables.empty() || c.noises() > 1) return "master";
  return c.shots.empty() ? "dichotomous_velocity" : "poisson_velocity";
}

/// The theory that is exact for a system.
std::string_view choose(const Langevin& langevin) {
  std::string why;
  try {
    linear_motion(langevin);
    return "linear";
  } catch (const Error& error) {
    why = error.what();
  }
  const size_t n = langevin.variables();
  if (!langevin.inertial() && langevin.coloured().empty() && n <= 2) return n == 1 ? "stratonovich" : "torus";
  fail("theory: no theory covers the system: as it has {}, {}",
       langevin.inertial() ? "inertia"
       : n > 2             ? fmt::format("{} variables", n)
                           : langevin.coloured(),
       why);
}

const Entry& find_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    if (entry.theory.name == name) return entry;
    names.emplace_back(entry.theory.name);
  }
  fail("theory: unknown theory '{}'{}", name, suggestion(name, names));
}

/// Calls f, with these words put before the message of an error.
template <class F> auto said_by(const std::string& words, F f) {
  try {
    return f();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", words, error.what()), error.status());
  }
}
std::string subject_of(const Entry& entry) { return fmt::format("theory.{}", entry.theory.name); }

const Entry& choose(const Case& a) {
  if (a.model.is_system())
    return find_entry(
        choose(said_by("theory: no theory covers the system", [&] { return Langevin(a.model, a.values); })));
  return find_entry(choose(said_by("theory.auto", [&] { return content_of(a.model, a.values); }), a));
}

}  // namespace

std::span<const Theory> theories() {
  static const std::vector<Theory> list = [] {
    std::vector<Theory> copies;
    for (const Entry& entry : entries) copies.push_back(entry.theory);
    return copies;
  }();
  return list;
}

const Theory& find_theory(std::string_view name) { return find_entry(name).theory; }

std::vector<std::string> quantities_of(const Theory& theory, const Model& model) {
  return find_entry(theory.name).quantities(model);
}

std::vector<double> evaluate_theory(const Theory& theory, const Model& model, const ModelValues& values,
                                    const TheoryOptions& options) {
  const Case a{model, values, options};
  const Entry &requested = find_entry(theory.name), &chosen = requested.evaluate != nullptr ? requested : choose(a);
  const Values results = said_by(subject_of(chosen), [&] { return chosen.evaluate(a); });
  if (&chosen == &requested) return results;
  const Names names = chosen.quantities(model);
  Values quantities;
  for (const std::string& name : requested.quantities(model)) {
    const auto index = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
    quantities.push_back(index < results.size() ? results[index] : nan);
  }
  return quantities;
}

LinearLaw linear_law(const Model& model, const ModelValues& values) {
  return said_by("theory.linear", [&] { return law_of({model, values, {}}); });
}

Names linear_states(const Model& model) {
  Names names;
  for (const ModelVariable& variable : model.variables()) names.push_back(variable.name);
  for (const ModelVariable& variable : model.variables())
    if (variable.inertial) names.push_back(model.is_system() ? "v_" + variable.name : "v");
  return names;
}

}  // namespace bmsim
