// What theories refuse, in words; and which one is chosen.
#include <doctest/doctest.h>

#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part sine{BM_POTENTIAL, "sine", {}};
const Part paper{BM_POTENTIAL, "piecewise_linear", {}};
const Part harmonic{BM_POTENTIAL, "harmonic", {}};
const Part poisson{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}, "kicks"};
const Part dichotomous{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.2}}};
const Part coloured{BM_NOISE, "ornstein_uhlenbeck", {}, "bath"};
const Part cosine{BM_DRIVE, "cosine", {}};
const Part thermal{BM_NOISE, "gaussian", {{"D", 0.2}}};
const Part still{BM_NOISE, "gaussian", {{"D", 0.0}}};
const Part cold{BM_NOISE, "gaussian", {{"D", 1e-7}}};

}  // namespace

TEST_CASE("theories: names, and the nearest one to a misspelt name" * doctest::test_suite("quick")) {
  CHECK(find_theory("master").quantities.size() == 1);
  CHECK_THROWS_WITH_AS(find_theory("stratonovic"), "theory: unknown theory 'stratonovic'; did you mean 'stratonovich'?",
                       Error);
}

TEST_CASE("theories refuse what they do not cover: subject, rule, value" * doctest::test_suite("quick")) {
  CHECK(refusal_of("stratonovich", make_model({harmonic, thermal})) ==
        "theory.stratonovich: the potential must be periodic, got potential.harmonic 'harmonic'");
  CHECK(refusal_of("stratonovich", make_model({sine, poisson, thermal})) ==
        "theory.stratonovich: noise must be Gaussian and white, got noise.poisson 'kicks'");
  CHECK(refusal_of("stratonovich", make_model({sine, still})) ==
        "theory.stratonovich: D of the Gaussian noise must be > 0, got 0");
  CHECK(refusal_of("stratonovich", make_model(Inertial{}, {sine, thermal})) ==
        "theory.stratonovich: the model must be overdamped, got an underdamped one");
  CHECK(refusal_of("stratonovich", make_model({sine, thermal, cosine})) ==
        "theory.stratonovich: noise must be Gaussian and white, got drive.cosine 'cosine'");
  CHECK(refusal_of("lifson_jackson", make_model({sine, thermal}, 0.5)) ==
        "theory.lifson_jackson: force must be 0, got 0.5; see theory.stratonovich");
  CHECK(refusal_of("poisson_velocity", make_model({sine, poisson})) ==
        "theory.poisson_velocity: the potential must be piecewise linear, got potential.sine 'sine'");
  CHECK(refusal_of("poisson_velocity", make_model({paper, poisson, thermal})) ==
        "theory.poisson_velocity: D of Gaussian noise must be 0, got 0.2; see theory.master");
  CHECK(refusal_of("poisson_velocity", make_model({paper, dichotomous})) ==
        "theory.poisson_velocity: noise must be one noise.poisson, got noise.dichotomous 'dichotomous'");
  CHECK(refusal_of("poisson_velocity", make_model({paper})) ==
        "theory.poisson_velocity: noise must be one noise.poisson, got none");
  const Part constant{BM_NOISE, "poisson", {{"D", 1.0}}, "", {{"law", "constant"}}};
  CHECK(refusal_of("poisson_velocity", make_model({paper, constant})) ==
        "theory.poisson_velocity: law of the kicks must be exponential, got constant");
  const Part weak{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 0.8}, {"tau", 0.2}}};
  CHECK(refusal_of("dichotomous_velocity", make_model({paper, weak})) ==
        "theory.dichotomous_velocity: Fb must be > 1, the largest force against it, got 0.8");
}

TEST_CASE("theories refuse what they do not cover: escape, master equation, inertia" * doctest::test_suite("quick")) {
  CHECK(refusal_of("kramers", make_model({harmonic, thermal})) ==
        "theory.kramers: the potential must have a maximum beside its minimum, got none");
  CHECK(refusal_of("kramers", make_model({sine, thermal}, 7)) ==
        "theory.kramers: the potential must have a minimum, got none with the force");
  CHECK(refusal_of("kramers", make_model({paper, thermal}))
            .starts_with("theory.kramers: the potential must be curved and smooth at its extrema, got V'' of"));
  CHECK(refusal_of("master", make_model({sine, poisson})) ==
        "theory.master: D of the Gaussian noise must be > 0, got 0");
  CHECK(refusal_of("master", make_model({sine, coloured, thermal})) ==
        "theory.master: components must be ones that it covers, got noise.ornstein_uhlenbeck 'bath'");
  CHECK(refusal_of("master", make_model({sine, cold, poisson})).starts_with("theory.master: D must be larger"));
  const Part cauchy{BM_NOISE, "levy", {{"alpha", 1.0}}};
  CHECK(refusal_of("master", make_model({sine, cauchy})) ==
        "theory.master: alpha of Levy noise must be > 1 for a mean velocity, got 1");
  CHECK(refusal_of("inertial", make_model({sine, thermal})) ==
        "theory.inertial: the model must be underdamped, got an overdamped one");
  CHECK(refusal_of("inertial", make_model(Inertial{.gamma = 0}, {sine, {BM_NOISE, "gaussian", {{"T", 1.0}}}})) ==
        "theory.inertial: gamma must be > 0, got 0");
}

TEST_CASE("auto takes the exact theory, and says what it does not give" * doctest::test_suite("quick")) {
  const auto same = [](const char* name, const Model& model) {
    return theory_of("auto", model).at(0) == theory_of(name, model).at(0);
  };
  CHECK(same("poisson_velocity", make_model({paper, poisson})));
  CHECK(same("dichotomous_velocity", make_model({paper, dichotomous})));
  CHECK(same("master", make_model({paper, poisson, thermal})));
  CHECK(same("stratonovich", make_model({sine, thermal}, 1)));
  CHECK(same("inertial", make_model(Inertial{.force = 1}, {sine, thermal})));
  CHECK(std::isnan(theory_of("auto", make_model({paper, poisson})).at(1)));
  CHECK(theory_of("auto", make_model({sine, thermal})).at(1) > 0);
  CHECK(refusal_of("auto", make_model({sine, thermal, cosine})) == "theory: no theory covers drive.cosine 'cosine'");
  CHECK(refusal_of("auto", make_model({sine, poisson})) ==
        "theory.poisson_velocity: the potential must be piecewise linear, got potential.sine 'sine'");
}
