// Stationary master equations: shooting against Galerkin, the product's against the tests', limits, and simulations.
#include <doctest/doctest.h>

#include "numbers.h"
#include "reference.h"
#include "reference_noise.h"
#include "reference_ratchets.h"
#include "theory/master.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part sine{BM_POTENTIAL, "sine", {}};
const Part paper{BM_POTENTIAL, "piecewise_linear", {}};
const Part ratchet{BM_POTENTIAL, "ratchet", {}};
const Part poisson{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}};
const Part dichotomous{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.2}}};
/// With Gaussian noise of intensity D.
Model thermal(std::initializer_list<Part> parts, double D, double force = 0) {
  Model model = make_model(parts, force);
  model.add(BM_NOISE, "gaussian", "");
  model.set("gaussian.D", D);
  return model;
}

double master(const Model& model) { return theory_of("master", model).at(0); }
theory::MasterEquation equation(const Model& model) {
  return theory::master_equation(theory::content_of(model, evaluate(model)));
}

}  // namespace

TEST_CASE("theory, master: smooth V, the harmonics of the tests" * doctest::test_suite("quick")) {
  for (const auto& [D, modes] : {std::pair{0.5, 64}, {0.1, 128}, {0.02, 512}}) {
    CAPTURE(D);
    const auto force = reference::sine_force(1, 1, 0.3);
    CHECK(master(thermal({sine, poisson}, D, 0.3)) ==
          absolute(reference::master_velocity(force, reference::PoissonNoise{1, 2.5}, D, modes), 1e-9));
    if (modes < 512)
      CHECK(master(thermal({sine, dichotomous}, D, 0.3)) ==
            absolute(reference::master_velocity(force, reference::DichotomousNoise::zero_mean(3, 1.6, 0.2), D, modes),
                     1e-9));
  }
}

TEST_CASE("theory, master: kinked V, the exact pieces of the tests, and those without Gaussian noise at D_G -> 0") {
  CHECK(master(thermal({paper, poisson}, 0.1)) == absolute(0.2782924004, 1e-9));
  CHECK(master(thermal({paper, dichotomous}, 0.1)) == absolute(-0.1686845664, 1e-9));
  const auto at = [](double D) { return master(thermal({paper, poisson}, D)); };
  CHECK(2 * at(2e-4) - at(4e-4) == absolute(reference::poisson_velocity(1, 2.5), 2e-6));
}

TEST_CASE("theory, master: Gaussian noise alone is Stratonovich's, in any potential that is resolved") {
  std::vector<double> values;
  for (int i = 0; i < 12; ++i) values.push_back(std::cos(1.7 * i * i));
  const Part table{BM_POTENTIAL, "table", {}, "", {}, {{"V", values}}};
  for (const Part& potential : {sine, paper, ratchet, table}) {
    const Model model = thermal({potential}, 0.15, 0.8);
    CHECK(theory::shooting_velocity(equation(model)) == absolute(theory_of("stratonovich", model)[0], 1e-9));
    CHECK(theory::galerkin_velocity(equation(model)) == absolute(master(model), 1e-6));
  }
}

TEST_CASE("theory, master: flashing by dichotomous noise, pieces and harmonics" * doctest::test_suite("quick")) {
  const Part skewed{BM_POTENTIAL, "piecewise_linear", {{"L", 1.0}, {"k", 0.2}}};
  const Part flash{BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 0.0}, {"mu_a", 1 / 0.3}, {"mu_b", 1.0}}, "", {},
                   {},       true};
  const auto states = reference::on_and_off(1, 0.3);
  CHECK(master(thermal({skewed, flash}, 0.3, 0.2)) ==
        absolute(reference::flashing_velocity(reference::PiecewiseLinear{1, 1, 0.2}, states, 0.2, 0.3), 1e-9));
  CHECK(master(thermal({ratchet, flash}, 0.1)) ==
        absolute(reference::flashing_velocity(reference::TwoWaves{}.force(), states, 0, 0.1, 64), 1e-9));
}

TEST_CASE("theory, master: several noises at once, shooting against Galerkin") {
  const Part three{BM_NOISE, "three_state", {{"F", 2.0}, {"q", 0.2}, {"nu", 3.0}}};
  const Part both{BM_NOISE, "poisson", {{"lambda", 4.0}, {"zeta", 0.2}}, "both", {{"law", "two_sided"}}};
  const Part left{BM_NOISE, "poisson", {{"lambda", 3.0}, {"zeta", -0.15}, {"compensated", 0.0}}, "left"};
  const Part flash{BM_NOISE, "dichotomous", {{"Fa", 0.5}, {"Fb", 0.8}, {"tau", 0.2}}, "flash", {}, {}, true};
  for (const Model& model :
       {thermal({ratchet, three}, 0.3), thermal({ratchet, both, left}, 0.3, 0.4), thermal({ratchet, three, flash}, 0.3),
        thermal({ratchet, dichotomous, poisson}, 0.3, -0.5)}) {
    const theory::MasterEquation system = equation(model);
    const double v = theory::shooting_velocity(system);
    CHECK(v == absolute(theory::galerkin_velocity(system), 1e-8));
    CHECK(std::abs(v) > 1e-3);
  }
  // six states and 1025 harmonics of a kinked V, too many for elimination
  const theory::MasterEquation kinked = equation(thermal({paper, three, flash, poisson}, 0.3, 0.2));
  CHECK(theory::shooting_velocity(kinked) == absolute(theory::galerkin_velocity(kinked), 1e-6));
}

TEST_CASE("theory, master: three states of which none is the middle one are two") {
  const Part three{BM_NOISE, "three_state", {{"F", 2.0}, {"q", 0.5}, {"nu", 3.0}}};
  const Part two{BM_NOISE, "dichotomous", {{"Fa", 2.0}, {"Fb", 2.0}, {"tau", 1.0 / 3}}};
  CHECK(master(thermal({ratchet, three}, 0.2)) == relative(master(thermal({ratchet, two}, 0.2)), 1e-9));
}

TEST_CASE("theory, master: many small kicks of any law are Gaussian noise of their intensity") {
  const auto exact = reference::stratonovich([](double x) { return std::sin(2 * pi * x); }, 2, 0.5, 1).v;
  for (const char* law : {"constant", "uniform"}) {
    const Part kicks{BM_NOISE, "poisson", {{"D", 0.4}, {"a", 1e6}}, "", {{"law", law}}};
    CHECK(master(thermal({sine, kicks}, 0.1, 2)) == absolute(exact, 1e-5));
  }
  const Part normal{
      BM_NOISE, "poisson", {{"lambda", 1e8}, {"zeta", 0.0}, {"sigma", std::sqrt(0.8e-8)}}, "", {{"law", "gaussian"}}};
  CHECK(master(thermal({sine, normal}, 0.1, 2)) == absolute(exact, 1e-5));
  const Part levy{BM_NOISE, "levy", {{"alpha", 2.0}, {"scale", std::sqrt(0.4)}}};
  CHECK(master(thermal({sine, levy}, 0.1, 2)) == absolute(exact, 1e-9));
  const Part nearly{BM_NOISE, "levy", {{"alpha", 2 - 1e-7}, {"scale", std::sqrt(0.4)}}};
  CHECK(master(thermal({sine, nearly}, 0.1, 2)) == absolute(exact, 1e-5));
}

TEST_CASE("theory, master: laws of kicks, simulated") {
  RunOptions run = options();
  run.paths = 24576;
  run.dt = 0.004;
  run.time = 60;
  const auto check = [&](const Part& noise, double resolution) {
    CAPTURE(noise.id);
    const Model model = thermal({ratchet, noise}, 0.2);
    const double exact = master(model);
    CHECK(std::abs(exact) > 20 * resolution);  // a wrong sign or law would show
    CHECK_EXACT(sample(model, run).velocity, exact, resolution);
  };
  check({BM_NOISE, "poisson", {{"lambda", 3.0}, {"zeta", 0.6}}, "", {{"law", "constant"}}}, 4e-3);
  check({BM_NOISE, "poisson", {{"lambda", 3.0}, {"zeta", 0.6}}, "", {{"law", "uniform"}}}, 4e-3);
  check({BM_NOISE, "poisson", {{"lambda", 3.0}, {"zeta", 0.6}, {"sigma", 0.2}}, "", {{"law", "gaussian"}}}, 4e-3);
}

TEST_CASE("theory, master: Levy noise of either skewness, simulated") {
  // The velocity has no variance, only one of its sample: a bound that tells the skewness, not a standard error.
  for (const double beta : {-1.0, 0.0, 1.0}) {
    CAPTURE(beta);
    RunOptions run = options();
    run.paths = 24576;
    run.dt = 0.004;
    run.time = 60;
    const Model model = make_model({ratchet, {BM_NOISE, "levy", {{"alpha", 1.8}, {"beta", beta}, {"scale", 0.6}}}});
    const double exact = master(model);
    INFO("exact ", exact);
    CHECK(sample(model, run).velocity.value == absolute(exact, 0.03));
    if (beta != 0)
      CHECK(std::abs(exact - master(make_model(
                                 {ratchet, {BM_NOISE, "levy", {{"alpha", 1.8}, {"beta", -beta}, {"scale", 0.6}}}}))) >
            0.1);
  }
}
