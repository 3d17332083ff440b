#include "theory/theory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "error.h"
#include "nearest_name.h"
#include "theory/content.h"
#include "theory/inertial.h"
#include "theory/kramers.h"
#include "theory/pieces.h"
#include "theory/stratonovich.h"
#include "theory/white.h"

namespace bmsim {
namespace {

using namespace theory;
using Values = std::vector<double>;

// ---- rules that a model must obey; the caller says which theory asks ----

void overdamped(const Content& c) {
  if (c.underdamped) fail("the model must be overdamped, got an underdamped one");
}
void periodic(const Content& c) {
  if (!(c.landscape.period > 0)) fail("the potential must be periodic, got {}", c.potential);
}
void known(const Content& c) {
  if (!c.other.empty()) fail("components must be ones that it covers, got {}", c.other);
}
void gaussian(const Content& c) {
  if (!c.not_gaussian.empty()) fail("noise must be Gaussian and white, got {}", c.not_gaussian);
  known(c);
  if (!(c.D > 0)) fail("D of the Gaussian noise must be > 0, got {}", c.D);
}
std::vector<Piece> pieces(const Content& c) {
  overdamped(c);
  known(c);
  periodic(c);
  if (c.landscape.segments.empty()) fail("the potential must be piecewise linear, got {}", c.potential);
  if (c.D > 0) fail("D of Gaussian noise must be 0, got {}; see theory.master", c.D);
  std::vector<Piece> made;
  for (const bm_segment& one : c.landscape.segments)
    made.push_back({(one.right - one.left) * c.landscape.period, c.force - one.slope});
  return made;
}

// ---- the theories ----

Values of_poisson(const Content& c, const TheoryOptions&) {
  const std::vector<Piece> all = pieces(c);
  if (c.noises() != 1 || c.shots.size() != 1)
    fail("noise must be one noise.poisson, got {}", c.noises() == 0 ? "none" : c.not_gaussian);
  const Shot& shot = c.shots.front();
  if (shot.law != "exponential") fail("law of the kicks must be exponential, got {}", shot.law);
  if (shot.zeta == 0) fail("zeta must not be 0, got 0");
  return {poisson_velocity(all, {shot.rate, shot.zeta, shot.drift})};
}

Values of_dichotomous(const Content& c, const TheoryOptions&) {
  const std::vector<Piece> all = pieces(c);
  const bool fits = c.noises() == 1 && c.jumps.size() == 1 && c.jumps[0].value.size() == 2;
  if (!fits) fail("noise must be one noise.dichotomous, got {}", c.noises() == 0 ? "none" : c.not_gaussian);
  const Jumps& one = c.jumps.front();
  if (one.modulates) fail("noise must be a force, got {} that modulates the potential", c.not_gaussian);
  return {dichotomous_velocity(all, {-one.value[0], one.value[1], one.rate[0][1], one.rate[1][0]})};
}

Values of_stratonovich(const Content& c, const TheoryOptions&) {
  overdamped(c);
  periodic(c);
  gaussian(c);
  const Transport made = stratonovich(c.landscape, c.force, c.D);
  return {made.v, made.D_eff};
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
  const Escape made = kramers(c.landscape, c.force, {c.mass, c.gamma, c.D / c.gamma}, options.from);
  return {made.left + made.right, made.left, made.right};
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
  const InertialTransport made = inertial_transport(c.landscape, c.force, {c.mass, c.gamma, c.D / c.gamma});
  return {made.v, made.D_eff, made.v2};
}

struct Entry {
  Theory theory;
  Values (*evaluate)(const Content&, const TheoryOptions&);
};

const std::array<Entry, 8>& entries() {
  static const std::array<Entry, 8> all = {{
      {{"auto", {"velocity", "diffusion", "velocity_squared"}, "the exact one of these"}, nullptr},
      {{"poisson_velocity", {"velocity"}, "Poissonian noise, piecewise-linear V"}, of_poisson},
      {{"dichotomous_velocity", {"velocity"}, "dichotomous noise, piecewise-linear V"}, of_dichotomous},
      {{"stratonovich", {"velocity", "diffusion"}, "Gaussian noise, periodic V, force"}, of_stratonovich},
      {{"lifson_jackson", {"diffusion"}, "Gaussian noise, periodic V"}, of_lifson_jackson},
      {{"kramers", {"rate", "rate_left", "rate_right"}, "escape from a minimum of V"}, of_kramers},
      {{"master", {"velocity"}, "white noise and jumping noise, periodic V"}, of_master},
      {{"inertial", {"velocity", "diffusion", "velocity_squared"}, "underdamped, thermal, periodic V"}, of_inertial},
  }};
  return all;
}

/// The theory that is exact for the model's components; it may still refuse the model.
std::string_view choose(const Content& c) {
  if (!c.other.empty()) fail("theory: no theory covers {}", c.other);
  if (c.underdamped) return "inertial";
  if (c.noises() == 0) return "stratonovich";
  if (c.D > 0 || !c.stables.empty() || c.noises() > 1) return "master";
  return c.shots.empty() ? "dichotomous_velocity" : "poisson_velocity";
}

const Entry& find_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const Entry& one : entries()) {
    if (one.theory.name == name) return one;
    names.emplace_back(one.theory.name);
  }
  fail("theory: unknown theory '{}'{}", name, suggestion(name, names));
}

Values evaluate_content(const Entry& entry, const Content& content, const TheoryOptions& options) {
  try {
    return entry.evaluate(content, options);
  } catch (const Error& error) {
    throw Error(fmt::format("theory.{}: {}", entry.theory.name, error.what()), error.status());
  }
}

}  // namespace

std::span<const Theory> theories() {
  static const std::vector<Theory> all = [] {
    std::vector<Theory> made;
    for (const Entry& one : entries()) made.push_back(one.theory);
    return made;
  }();
  return all;
}

const Theory& find_theory(std::string_view name) { return find_entry(name).theory; }

std::vector<double> evaluate_theory(const Theory& theory, const Model& model, const ModelValues& values,
                                    const TheoryOptions& options) {
  const Entry& asked = find_entry(theory.name);
  Content content;
  try {
    content = content_of(model, values);
  } catch (const Error& error) {
    throw Error(fmt::format("theory.{}: {}", theory.name, error.what()), error.status());
  }
  if (asked.evaluate != nullptr) return evaluate_content(asked, content, options);
  const Entry& chosen = find_entry(choose(content));
  const Values given = evaluate_content(chosen, content, options);
  Values all;
  for (const std::string_view quantity : theory.quantities) {
    const auto& names = chosen.theory.quantities;
    const auto at = static_cast<size_t>(std::find(names.begin(), names.end(), quantity) - names.begin());
    all.push_back(at < given.size() ? given[at] : std::numeric_limits<double>::quiet_NaN());
  }
  return all;
}

}  // namespace bmsim
