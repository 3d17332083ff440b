// What theories refuse, in words; and which one is chosen.
#include <doctest/doctest.h>

#include "systems.h"
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
  CHECK(quantities_of(find_theory("master"), make_model({sine, thermal})) == std::vector<std::string>{"velocity"});
  CHECK(quantities_of(find_theory("auto"), dimer(1, 0)) ==
        std::vector<std::string>{"velocity_x", "diffusion_x", "velocity_y", "diffusion_y", "diffusion_x_y"});
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

TEST_CASE("theories of systems refuse what they do not cover" * doctest::test_suite("quick")) {
  const PartOf bath_x{"x", BM_NOISE, "gaussian", {{"D", 0.3}}, "bath_x"},
      bath_y{"y", BM_NOISE, "gaussian", {{"D", 0.2}}, "bath_y"};
  const auto of = [&](const char* x, const char* y, std::vector<PartOf> parts) {
    return make_system({.variables = {{"x"}, {"y"}}, .equations = {{"x", x}, {"y", y}}, .parts = std::move(parts)});
  };
  CHECK(refusal_of("linear", of("-x", "y - y^3", {bath_x})) ==
        "theory.linear: forces must be linear in the variables, got equations.y");
  CHECK(refusal_of("linear", of("y - x", "x*y - 1", {bath_x})) ==
        "theory.linear: forces must be linear in the variables, got equations.y");
  CHECK(refusal_of("linear", of("-x + floor(y)", "-y", {bath_x})) ==
        "theory.linear: forces must be linear in the variables, got equations.x");
  CHECK(refusal_of("linear", of("-x*cos(t)", "-y", {bath_x})) ==
        "theory.linear: equations must not depend on time, got a formula with t");
  CHECK(refusal_of("linear", dimer(1, 0)) ==
        "theory.linear: forces must be linear in the variables, got potential.ratchet 'left'");
  CHECK(refusal_of("linear", of("x", "y - x", {bath_x})) ==
        "theory.linear: the motion must be stable, got an eigenvalue with the real part 1 in that of every variable");
  CHECK(refusal_of("linear", of("-x", "-y", {{"x", BM_NOISE, "poisson", {}, "kicks"}})) ==
        "theory.linear: noise must be Gaussian, got noise.poisson 'kicks'");
  CHECK(refusal_of("linear", correlated("ito")) ==
        "theory.linear: amplitudes of noise must be constant, got that of noise.gaussian 'common'");
  CHECK(refusal_of("linear", make_model({{BM_POTENTIAL, "double_well", {}}, thermal})) ==
        "theory.linear: forces must be linear in the variables, got potential.double_well 'double_well'");

  CHECK(
      refusal_of("torus", of("-x", "sin(2*pi*y)", {bath_x, bath_y})) ==
      "theory.torus: forces and amplitudes must have a period in x, got none: give it a period, period = { x = ... }");
  CHECK(refusal_of("torus", dimer(1, 0))
            .starts_with("theory.torus: forces and amplitudes must have a period in x, got none"));
  CHECK(refusal_of("torus", of("sin(2*pi*y)", "1", {bath_x}))
            .starts_with("theory.torus: noise must act on both variables, in all directions, everywhere, got D ="));
  CHECK(refusal_of("torus", of("abs(sin(pi*x))", "sin(2*pi*(y - x))", {bath_x, bath_y}))
            .starts_with("theory.torus: forces and amplitudes must be smooth and periodic, got what 256 harmonics"));
  CHECK(refusal_of("torus", make_model({sine, thermal})) == "theory.torus: the model must have two variables, got 1");
  CHECK(refusal_of("torus", two_junctions()) == "theory.torus: variables must have no inertia, got one that has");
  CHECK(refusal_of("torus", of("sin(2*pi*x)", "1", {bath_x, {"y", BM_NOISE, "ornstein_uhlenbeck", {}, "colour"}})) ==
        "theory.torus: noise must be Gaussian and white, got noise.ornstein_uhlenbeck 'colour'");

  CHECK(refusal_of("stratonovich", dimer(1, 0)) == "theory.stratonovich: the model must have one variable, got 2");
  CHECK(refusal_of("master", dimer(1, 0)) == "theory.master: it is for models of one variable, got a system");
  Model vanishing = make_model({sine, thermal});
  vanishing.add_amplitude("gaussian", {"sin(2*pi*x)"}, {});
  CHECK(refusal_of("stratonovich", vanishing)
            .starts_with("theory.stratonovich: D of the noise must be > 0 everywhere, got"));
  CHECK(refusal_of("master", landauer("ito")) ==
        "theory.master: noise must have no amplitude, got that of noise.gaussian 'gaussian'");
  CHECK(refusal_of("lifson_jackson", landauer("ito")) ==
        "theory.lifson_jackson: noise must have no amplitude, got that of noise.gaussian 'gaussian'");
}

TEST_CASE("auto takes the exact theory of a system, or none" * doctest::test_suite("quick")) {
  const PartOf bath_x{"x", BM_NOISE, "gaussian", {{"D", 0.3}}, "bath_x"},
      bath_y{"y", BM_NOISE, "gaussian", {{"D", 0.2}}, "bath_y"};
  const SystemParts waves{.variables = {{"x"}, {"y"}},
                          .equations = {{"x", "0.4 + sin(2*pi*x) + cos(2*pi*y)"}, {"y", "sin(2*pi*(y - x))"}},
                          .parts = {bath_x, bath_y}};
  const auto of_torus = theory_of("torus", make_system(waves)), of_auto = theory_of("auto", make_system(waves));
  CHECK(of_auto.at(0) == of_torus.at(0));
  CHECK(of_auto.at(2) == of_torus.at(1));
  CHECK(std::isnan(of_auto.at(1)));
  const Model trap = make_model(Inertial{}, {harmonic, {BM_NOISE, "gaussian", {{"T", 0.7}}}});
  CHECK(theory_of("auto", trap) == std::vector<double>{0, 0, theory_of("linear", trap).at(2)});
  Model carried = make_system({.variables = {{"x"}, {"y"}}, .equations = {{"x", "y"}, {"y", "-y"}}, .parts = {bath_y}});
  CHECK(theory_of("auto", carried).at(1) == doctest::Approx(0.2));
  CHECK(refusal_of("auto", dimer(1, 0)).starts_with("theory.torus: forces and amplitudes must have a period in x"));
  CHECK(refusal_of("auto", active_particle(0, 1, 0.1, 0.5)) ==
        "theory: no theory covers the system: as it has 3 variables, forces must be linear in the variables, got "
        "equations.x");
  CHECK(refusal_of("auto", two_junctions()) ==
        "theory: no theory covers the system: as it has inertia, forces must be linear in the variables, got "
        "potential.sine 'left'");
  CHECK(refusal_of("auto", mixed()).starts_with("theory: no theory covers the system: "));
  CHECK(refusal_of("auto", make_model({{BM_POTENTIAL, "double_well", {}}, thermal})) ==
        "theory.stratonovich: the potential must be periodic, got potential.double_well 'double_well'");
  Model uneven = make_model({sine, thermal});
  uneven.add_amplitude("gaussian", {"1/(1 + x^2)"}, {});
  CHECK(refusal_of("auto", uneven) ==
        "theory.stratonovich: forces and amplitudes must have a period in x, got none: they change when it is shifted "
        "by 1");
  Model inertial = make_model(Inertial{}, {sine, thermal});
  inertial.add_amplitude("gaussian", {"2 + sin(2*pi*x)"}, {});
  CHECK(refusal_of("auto", inertial) ==
        "theory: no theory covers inertia under noise with an amplitude, got that of noise.gaussian 'gaussian'");
  Model kicked = make_model({sine, thermal, poisson});
  kicked.add_amplitude("gaussian", {"2 + sin(2*pi*x)"}, {});
  CHECK(refusal_of("auto", kicked) ==
        "theory: no theory covers amplitudes beside noise that is not Gaussian and white, got noise.poisson 'kicks'");
}
