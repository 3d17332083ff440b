// The product's exact results against tables, closed forms, and the quadratures of the tests.
#include <doctest/doctest.h>

#include <cmath>

#include "numbers.h"
#include "reference_inertial.h"
#include "reference_ratchets.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

Model poissonian(const Part& potential, double D, double a, double force = 0) {
  return make_model({potential, {BM_NOISE, "poisson", {{"D", D}, {"a", a}}}}, force);
}
Model dichotomous(const Part& potential, double Fa, double Fb, double tau, double force = 0) {
  return make_model({potential, {BM_NOISE, "dichotomous", {{"Fa", Fa}, {"Fb", Fb}, {"tau", tau}}}}, force);
}
Model thermal(const Part& potential, double D, double force = 0) {
  return make_model({potential, {BM_NOISE, "gaussian", {{"D", D}}}}, force);
}
double current(const char* theory, const Model& model) { return theory_of(theory, model).at(0); }

const Part paper{BM_POTENTIAL, "piecewise_linear", {}};
const Part skewed{BM_POTENTIAL, "piecewise_linear", {{"L", 1.5}, {"V0", 0.7}, {"k", 0.3}}};
const reference::PiecewiseLinear skewed_reference{1.5, 0.7, 0.3};
const Part sine{BM_POTENTIAL, "sine", {}};

}  // namespace

TEST_CASE("theory, Poissonian current: the table, and the closed form to the last digits" *
          doctest::test_suite("quick")) {
  for (const auto& [a, D, v] : {std::tuple{2.5, 0.3, 0.163336},
                                {2.5, 1.0, 0.363084},
                                {2.5, 3.0, 0.395627},
                                {1.5, 0.3, 0.260787},
                                {1.5, 1.0, 0.581987},
                                {1.5, 3.0, 0.655780}}) {
    CHECK(current("poisson_velocity", poissonian(paper, D, a)) == absolute(v, 6e-7));
    CHECK(current("poisson_velocity", poissonian(paper, D, a)) == relative(reference::poisson_velocity(D, a), 1e-12));
  }
  CHECK(current("poisson_velocity", poissonian(paper, 1e-4, 2.5)) == 0);
  CHECK(current("poisson_velocity", poissonian(paper, 1e8, 2.5)) == relative(1 / 2.5, 1e-7));
  CHECK(current("poisson_velocity", poissonian(paper, 0.01, 2.5)) ==
        relative(reference::poisson_velocity(0.01, 2.5), 1e-10));
}

TEST_CASE("theory, dichotomous current: the table, and the closed form to the last digits" *
          doctest::test_suite("quick")) {
  for (const auto& [Fb, tau, v] :
       {std::tuple{1.6, 0.05, -0.044974}, {1.6, 0.2, -0.248280}, {1.1, 0.2, -0.331012}, {1.1, 1.0, -0.550060}}) {
    CHECK(current("dichotomous_velocity", dichotomous(paper, 3, Fb, tau)) == absolute(v, 6e-7));
    CHECK(current("dichotomous_velocity", dichotomous(paper, 3, Fb, tau)) ==
          relative(reference::dichotomous_velocity(3, Fb, tau), 1e-12));
    CHECK(current("dichotomous_velocity", dichotomous(paper, Fb, 3, tau)) ==
          relative(-reference::dichotomous_velocity(3, Fb, tau), 1e-12));
  }
  CHECK(current("dichotomous_velocity", dichotomous(paper, 3, 1.1, 1e-6)) == 0);
  CHECK(current("dichotomous_velocity", dichotomous(paper, 2, 2, 0.2)) == absolute(0, 1e-15));
}

TEST_CASE("theory, exact pieces: any shape and tilt is the master equation's limit D_G -> 0" *
          doctest::test_suite("quick")) {
  const auto limit = [](const auto& noise, double force) {
    const auto at = [&](double D) { return reference::master_velocity(skewed_reference, noise, D, force); };
    return 2 * at(1e-4) - at(2e-4);
  };
  for (const double force : {0.0, 0.4, -0.3}) {
    CAPTURE(force);
    CHECK(current("poisson_velocity", poissonian(skewed, 0.6, 2.5, force)) ==
          absolute(limit(reference::PoissonNoise{0.6, 2.5}, force), 3e-6));
    CHECK(current("dichotomous_velocity", dichotomous(skewed, 3, 2.2, 0.1, force)) ==
          absolute(limit(reference::DichotomousNoise::zero_mean(3, 2.2, 0.1), force), 3e-6));
  }
  // a < the largest force: the particle waits at the minimum; a tilt that carries it over all barriers
  CHECK(current("poisson_velocity", poissonian(skewed, 0.6, 0.4, 0)) ==
        absolute(limit(reference::PoissonNoise{0.6, 0.4}, 0), 3e-5));
  CHECK(current("poisson_velocity", poissonian(skewed, 0.6, 0.4, 4)) ==
        absolute(limit(reference::PoissonNoise{0.6, 0.4}, 4), 3e-6));
  CHECK(current("poisson_velocity", poissonian(skewed, 0.6, 0.4, -3)) ==
        absolute(limit(reference::PoissonNoise{0.6, 0.4}, -3), 3e-6));
}

TEST_CASE("theory, exact pieces: cutting a piece changes nothing, kicks to the left are the mirror image") {
  const Part cut{
      BM_POTENTIAL, "piecewise_linear",
      {{"L", 1.5}}, "",
      {},           {{"x", {-0.45, -0.2, 0, 0.3, 1}}, {"V", {0, 0.7 * 25 / 45, 0.7, 0.7 * 75 / 105, 0.7 * 5 / 105}}}};
  for (const double a : {0.4, 2.5})
    CHECK(current("poisson_velocity", poissonian(cut, 0.6, a, 0.1)) ==
          relative(current("poisson_velocity", poissonian(skewed, 0.6, a, 0.1)), 1e-12));
  CHECK(current("dichotomous_velocity", dichotomous(cut, 3, 2.2, 0.1, 0.1)) ==
        relative(current("dichotomous_velocity", dichotomous(skewed, 3, 2.2, 0.1, 0.1)), 1e-12));
  const Part mirror{BM_POTENTIAL, "piecewise_linear", {{"L", 1.5}, {"V0", 0.7}, {"k", 0.7}}};
  for (const double a : {0.4, 2.5})
    CHECK(current("poisson_velocity", poissonian(mirror, 0.6, -a, -0.1)) ==
          relative(-current("poisson_velocity", poissonian(skewed, 0.6, a, 0.1)), 1e-12));
}

TEST_CASE("theory, exact pieces: continuous where the particle begins to wait, and a flat V drifts with F") {
  const auto at = [](double a) { return current("poisson_velocity", poissonian(paper, 1, a)); };
  CHECK(at(1 + 1e-9) == absolute(at(1), 1e-8));
  CHECK(at(1 - 1e-9) == absolute(at(1), 1e-8));
  const Part flat{BM_POTENTIAL, "free", {}};
  for (const double force : {0.0, 0.3, -0.3, 4.0, -4.0}) {
    CHECK(current("poisson_velocity", poissonian(flat, 1, 2.5, force)) == absolute(force, 1e-13));
    if (std::abs(force) < 1)
      CHECK(current("dichotomous_velocity", dichotomous(flat, 3, 1.6, 0.2, force)) == absolute(force, 1e-13));
  }
}

TEST_CASE("theory, Stratonovich: the table, and the quadrature of the tests for sine, kinks, two waves" *
          doctest::test_suite("quick")) {
  const auto check = [](const Part& potential, const std::function<double(double)>& V, double L, double F, double D) {
    CAPTURE(D);
    const std::vector<double> got = theory_of("stratonovich", thermal(potential, D, F));
    const reference::Transport exact = reference::stratonovich(V, F, D, L, 200);
    CHECK(got[0] == Approx(exact.v).epsilon(1e-9).scale(0));
    CHECK(got[1] == Approx(exact.D_eff).epsilon(1e-9).scale(0));
  };
  const auto V = [](double x) { return std::sin(2 * pi * x); };
  for (const auto& [F, D, v, D_eff] :
       {std::tuple{2 * pi, 0.5, 3.93656, 0.79524}, {2.0, 0.5, 0.523466, 0.239699}, {2 * pi, 0.1, 2.3182, 0.4111}}) {
    const std::vector<double> got = theory_of("stratonovich", thermal(sine, D, F));
    CHECK(got[0] == absolute(v, 2e-5));
    CHECK(got[1] == absolute(D_eff, 3e-5));
  }
  for (const double D : {0.02, 0.1, 1.0}) {
    check(sine, V, 1, 2, D);
    check(sine, V, 1, -7, D);
    check(
        skewed, [](double x) { return skewed_reference.energy(x); }, 1.5, 0.7, D);
    check(
        {BM_POTENTIAL, "ratchet", {{"phi", 0.4}}}, [](double x) { return reference::TwoWaves{.phi = 0.4}.energy(x); },
        1, 1.5, D);
  }
  const std::vector<double> flat = theory_of("stratonovich", thermal({BM_POTENTIAL, "free", {}}, 0.3, 2));
  CHECK(flat[0] == relative(2, 1e-12));
  CHECK(flat[1] == relative(0.3, 1e-12));
}

TEST_CASE("theory, Stratonovich at small D: nothing overflows") {
  // Far above the critical tilt the motion is deterministic, v = sqrt(F^2 - Fc^2); far below there is none.
  const std::vector<double> fast = theory_of("stratonovich", thermal(sine, 2e-5, 9));
  CHECK(fast[0] == relative(std::sqrt(81 - 4 * pi * pi), 1e-5));
  CHECK(theory_of("stratonovich", thermal(sine, 2e-5, 3))[0] == 0);
  // The exact D_eff of a tilt that is small against everything, down to exp(-600).
  const double D = 1.0 / 300;
  CHECK(theory_of("stratonovich", thermal(sine, D, 0))[1] ==
        relative(D / std::pow(std::cyl_bessel_i(0.0, 300.0), 2), 1e-9));
  CHECK(refusal_of("stratonovich", thermal(sine, 1e-9, 3)).starts_with("theory.stratonovich: D must be larger"));
}

TEST_CASE("theory, Lifson-Jackson: the table, the Bessel function, and Stratonovich without tilt" *
          doctest::test_suite("quick")) {
  CHECK(current("lifson_jackson", thermal(sine, 0.5)) == absolute(0.0962184, 6e-8));
  CHECK(current("lifson_jackson", thermal(sine, 1)) == absolute(0.623860, 6e-7));
  for (const double D : {0.01, 0.1, 2.0}) {
    CHECK(current("lifson_jackson", thermal(sine, D)) == relative(reference::lifson_jackson(1, D), 1e-10));
    CHECK(current("lifson_jackson", thermal(skewed, D)) ==
          relative(theory_of("stratonovich", thermal(skewed, D))[1], 1e-10));
  }
}

TEST_CASE("theory, Kramers: rates of the sine with and without inertia, and of the double well" *
          doctest::test_suite("quick")) {
  for (const double T : {0.05, 0.2}) {
    const std::vector<double> got = theory_of("kramers", thermal(sine, T));
    CHECK(got[1] == relative(reference::kramers_overdamped(1, 1, 1, T), 1e-6));
    CHECK(got[2] == relative(got[1], 1e-6));
    CHECK(got[0] == relative(2 * got[1], 1e-6));
    const Model inertial = make_model(Inertial{.mass = 0.7, .gamma = 3}, {sine, {BM_NOISE, "gaussian", {{"T", T}}}});
    CHECK(theory_of("kramers", inertial)[1] ==
          relative(reference::kramers_overdamped(1, 1, 3, T) * reference::kramers_inertial_factor(1, 1, {0.7, 3, T}),
                   1e-6));
  }
  const Part well{BM_POTENTIAL, "double_well", {{"a", 2.0}, {"b", 0.5}}};
  const double rate = std::sqrt(2.0 * 4.0) / (2 * pi) * std::exp(-2 / 0.3);  // V'' = -a and 2 a, V0 = a^2/(4 b)
  CHECK(theory_of("kramers", thermal(well, 0.3), {.from = -1.5})[2] == relative(rate, 1e-6));
  CHECK(theory_of("kramers", thermal(well, 0.3), {.from = -1.5})[1] == 0);
  CHECK(theory_of("kramers", thermal(well, 0.3), {.from = 3})[1] == relative(rate, 1e-6));
  // a tilt lowers one barrier and lifts the other: their ratio is exp(F L/T), up to nothing else
  const std::vector<double> tilted = theory_of("kramers", thermal(sine, 0.1, 0.3));
  CHECK(tilted[2] / tilted[1] == relative(std::exp(3.0), 1e-6));
}

TEST_CASE("theory, inertial: finds the basis by itself") {
  const auto transport = [](const Part& potential, const Inertial& numbers, double T) {
    return theory_of("inertial", make_model(numbers, {potential, {BM_NOISE, "gaussian", {{"T", T}}}}));
  };
  const std::vector<double> tilted = transport(sine, {.force = 2}, 0.5);
  CHECK(tilted[0] == absolute(0.7036729926, 1e-7));
  CHECK(tilted[1] == relative(5.018838031, 1e-6));
  const std::vector<double> cold = transport(sine, {.gamma = 0.9, .force = 3}, 0.1);
  const auto exact = reference::inertial_transport(reference::sine_force(1, 1, 3), {1, 0.9, 0.1}, 300, 40, 2);
  CHECK(cold[0] == absolute(exact.v, 1e-6));
  CHECK(cold[1] == relative(exact.D_eff, 1e-4));
  CHECK(cold[2] == relative(exact.v2, 1e-6));
  const std::vector<double> still =
      transport({BM_POTENTIAL, "ratchet", {{"phi", 0.3}}}, {.mass = 0.7, .gamma = 2}, 0.5);
  CHECK(still[0] == absolute(0, 1e-7));
  CHECK(still[2] == relative(0.5 / 0.7, 1e-7));
  const std::vector<double> strong = transport(sine, {.gamma = 1e3, .force = 2}, 0.5);
  CHECK(strong[0] * 1e3 ==
        relative(reference::stratonovich([](double x) { return std::sin(2 * pi * x); }, 2, 0.5, 1).v, 1e-4));
}
