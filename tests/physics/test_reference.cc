// The references themselves: tabulated values, limits in which they meet, convergence.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "reference.h"

using doctest::Approx;
using namespace bmsim::reference;

namespace {

const double pi = std::acos(-1.0);
const PoissonNoise poisson{.D = 1, .a = 2.5};
const DichotomousNoise dichotomous = DichotomousNoise::zero_mean(3, 1.6, 0.2);
const PiecewiseLinear paper;

double sine(double x) { return std::sin(2 * pi * x); }
auto relative(double value, double tolerance) { return Approx(value).epsilon(tolerance).scale(0); }
auto absolute(double value, double tolerance) { return Approx(value).epsilon(tolerance / (1 + std::abs(value))); }

/// Value at 0 of the line through (2 h, coarse) and (h, fine).
double extrapolate(double coarse, double fine) { return 2 * fine - coarse; }

}  // namespace

TEST_CASE("Poissonian current: the closed form gives the tabulated values") {
  CHECK(poisson_velocity(0.3, 2.5) == absolute(0.163336, 6e-7));
  CHECK(poisson_velocity(1, 2.5) == absolute(0.363084, 6e-7));
  CHECK(poisson_velocity(3, 2.5) == absolute(0.395627, 6e-7));
  CHECK(poisson_velocity(0.3, 1.5) == absolute(0.260787, 6e-7));
  CHECK(poisson_velocity(1, 1.5) == absolute(0.581987, 6e-7));
  CHECK(poisson_velocity(3, 1.5) == absolute(0.655780, 6e-7));
}

TEST_CASE("Poissonian current: large exponents vanish, large D gives 1 / a, illegal values are refused") {
  CHECK(poisson_velocity(1e-4, 2.5) == 0);
  CHECK(poisson_velocity(1e8, 2.5) == relative(1 / 2.5, 1e-7));
  CHECK_THROWS_AS(poisson_velocity(1, 1), std::invalid_argument);
  CHECK_THROWS_AS(poisson_velocity(0, 2.5), std::invalid_argument);
  CHECK_THROWS_AS(poisson_velocity(std::numeric_limits<double>::quiet_NaN(), 2.5), std::invalid_argument);
}

TEST_CASE("dichotomous current: the closed form gives the tabulated values, is odd and never overflows") {
  CHECK(dichotomous_velocity(3, 1.6, 0.05) == absolute(-0.044974, 6e-7));
  CHECK(dichotomous_velocity(3, 1.6, 0.2) == absolute(-0.248280, 6e-7));
  CHECK(dichotomous_velocity(3, 1.1, 0.2) == absolute(-0.331012, 6e-7));
  CHECK(dichotomous_velocity(3, 1.1, 1) == absolute(-0.550060, 6e-7));
  CHECK(dichotomous_velocity(1.6, 3, 0.2) == relative(-dichotomous_velocity(3, 1.6, 0.2), 1e-12));
  CHECK(dichotomous_velocity(2, 2, 0.2) == 0);
  CHECK(dichotomous_velocity(3, 1.1, 1e-5) == 0);
  CHECK_THROWS_AS(dichotomous_velocity(3, 1, 0.2), std::invalid_argument);
}

TEST_CASE("Stratonovich: tilted sine potential gives the tabulated values") {
  const auto strong = stratonovich(sine, 2 * pi, 0.5, 1), weak = stratonovich(sine, 2, 0.5, 1);
  const auto cold = stratonovich(sine, 2 * pi, 0.1, 1);
  CHECK(strong.v == absolute(3.93656, 6e-6));
  CHECK(strong.D_eff == absolute(0.79524, 6e-6));
  CHECK(weak.v == absolute(0.523466, 6e-7));
  CHECK(weak.D_eff == absolute(0.239699, 6e-7));
  CHECK(cold.v == absolute(2.318202, 6e-7));  // the master equation in its Gaussian limit gives the same
  CHECK(cold.D_eff == absolute(0.4111, 6e-5));
}

TEST_CASE("Stratonovich: twice the panels change nothing, V may be mirrored, a flat V gives F and D") {
  const auto kinked = [](double x) { return paper.energy(x); };
  for (const double D : {0.02, 0.1, 0.5}) {
    const auto coarse = stratonovich(sine, 2, D, 1), fine = stratonovich(sine, 2, D, 1, 80);
    CHECK(coarse.v == relative(fine.v, 1e-8));
    CHECK(coarse.D_eff == relative(fine.D_eff, 1e-8));
    const auto kinked_coarse = stratonovich(kinked, 0.7, D, 2), kinked_fine = stratonovich(kinked, 0.7, D, 2, 80);
    CHECK(kinked_coarse.v == relative(kinked_fine.v, 1e-8));
    CHECK(kinked_coarse.D_eff == relative(kinked_fine.D_eff, 1e-8));
    const auto mirrored = stratonovich(sine, -2, D, 1);
    CHECK(mirrored.v == relative(-coarse.v, 1e-8));
    CHECK(mirrored.D_eff == relative(coarse.D_eff, 1e-8));
  }
  const auto flat = stratonovich([](double) { return 3.0; }, 2, 0.5, 1.7);
  CHECK(flat.v == relative(2, 1e-12));
  CHECK(flat.D_eff == relative(0.5, 1e-12));
}

TEST_CASE("Lifson-Jackson: tabulated values, Stratonovich without tilt, Kramers rate at small D") {
  CHECK(lifson_jackson(1, 0.5) == absolute(0.0962184, 6e-8));
  CHECK(lifson_jackson(1, 1) == absolute(0.623860, 6e-7));
  for (const double D : {0.05, 0.5, 1.0}) {
    const auto transport = stratonovich(sine, 0, D, 1);
    CHECK(transport.v == 0);
    CHECK(transport.D_eff == relative(lifson_jackson(1, D), 1e-8));
  }
  CHECK(lifson_jackson(1, 0.02) == relative(2 * pi * std::exp(-2 / 0.02) * (1 - 0.02 / 4), 1e-4));
}

TEST_CASE("forces: samples give the coefficients of the sine, the piecewise-linear V fits its slopes") {
  const auto exact = sine_force(0.8, 1.5, 0.3);
  const auto sampled =
      sampled_force([](double x) { return 0.3 - 1.6 * pi / 1.5 * std::cos(2 * pi * x / 1.5); }, 1.5, 8);
  for (size_t k = 0; k < exact.coefficient.size(); ++k) {
    CHECK(std::abs(sampled.coefficient[k] - exact.coefficient[k]) < 1e-14);
  }
  const PiecewiseLinear skewed{.L = 3, .V0 = 2, .k = 0.3};
  CHECK(skewed.energy(0) == relative(2, 1e-14));
  CHECK(skewed.energy(-0.9) == absolute(0, 1e-14));
  CHECK(skewed.energy(2.1) == absolute(0, 1e-14));
  CHECK(skewed.energy(1.5) - skewed.energy(1) == relative(-skewed.falling_force() / 2, 1e-13));
  CHECK(skewed.energy(-0.2) - skewed.energy(-0.4) == relative(-skewed.rising_force() / 5, 1e-13));
  const auto series = piecewise_linear_force(skewed, 20000, 0.25);
  double rising = series.coefficient[0].real();  // at x = -0.45, in the middle of the rising side
  for (size_t k = 1; k < series.coefficient.size(); ++k) {
    rising += 2 * (series.coefficient[k] * std::polar(1.0, -2 * pi * 0.15 * static_cast<double>(k))).real();
  }
  CHECK(rising == absolute(0.25 + skewed.rising_force(), 1e-3));
}

TEST_CASE("master equations, smooth V: doubling the resolution changes less than 1e-8") {
  const auto force = sine_force(1, 1);
  CHECK(master_velocity(force, poisson, 0.1, 64) == absolute(master_velocity(force, poisson, 0.1, 32), 1e-8));
  CHECK(master_velocity(force, dichotomous, 0.1, 64) == absolute(master_velocity(force, dichotomous, 0.1, 32), 1e-8));
  const auto two_waves = [](double x) { return std::cos(2 * pi * x) - std::exp(std::sin(4 * pi * x)) + 1.3; };
  const auto coarse = sampled_force(two_waves, 1, 32), fine = sampled_force(two_waves, 1, 64);
  CHECK(master_velocity(coarse, poisson, 0.1, 48) == absolute(master_velocity(fine, poisson, 0.1, 96), 1e-8));
}

TEST_CASE("master equations: values at which simulations are compared") {
  CHECK(master_velocity(sine_force(1, 1), poisson, 0.1, 64) == absolute(1.5990416834, 1e-9));
  CHECK(master_velocity(sine_force(1, 1), dichotomous, 0.1, 64) == absolute(-0.0007163929, 1e-9));
  CHECK(master_velocity(paper, poisson, 0.1) == absolute(0.2782924004, 1e-9));
  CHECK(master_velocity(paper, poisson, 0.1) == absolute(0.2781, 3e-4));  // simulated with near-Gaussian increments
  CHECK(master_velocity(paper, dichotomous, 0.1) == absolute(-0.1686845664, 1e-9));
}

TEST_CASE("master equations, piecewise-linear V: Galerkin converges to the exact pieces") {
  const double exact_poisson = master_velocity(paper, poisson, 0.1);
  const double exact_dichotomous = master_velocity(paper, dichotomous, 0.1);
  double previous = 1;
  for (const int modes : {32, 64, 128, 256}) {
    const double error =
        std::abs(master_velocity(piecewise_linear_force(paper, 2 * modes), poisson, 0.1, modes) - exact_poisson);
    CHECK(error < previous / 4);
    previous = error;
  }
  CHECK(previous < 2e-7);
  const auto force = piecewise_linear_force(paper, 256);
  CHECK(master_velocity(force, dichotomous, 0.1, 128) == absolute(exact_dichotomous, 1e-7));
  const PiecewiseLinear skewed{.L = 1.5, .V0 = 0.7, .k = 0.3};
  const auto skewed_force = piecewise_linear_force(skewed, 400, 0.2);
  CHECK(master_velocity(skewed_force, poisson, 0.2, 200) == absolute(master_velocity(skewed, poisson, 0.2, 0.2), 1e-6));
}

TEST_CASE("master equations, piecewise-linear V: D_G -> 0 gives the closed forms") {
  for (const double D : {0.3, 1.0, 3.0}) {
    const PoissonNoise noise{.D = D, .a = 2.5};
    const double exact = poisson_velocity(D, 2.5);
    CHECK(master_velocity(paper, noise, 1e-3) == absolute(exact, 3e-3));
    CHECK(extrapolate(master_velocity(paper, noise, 4e-4), master_velocity(paper, noise, 2e-4)) ==
          absolute(exact, 2e-6));
  }
  for (const double tau : {0.05, 0.2}) {
    const auto noise = DichotomousNoise::zero_mean(3, 1.6, tau);
    const double exact = dichotomous_velocity(3, 1.6, tau);
    CHECK(master_velocity(paper, noise, 1e-3) == absolute(exact, 3e-3));
    CHECK(extrapolate(master_velocity(paper, noise, 4e-4), master_velocity(paper, noise, 2e-4)) ==
          absolute(exact, 2e-6));
  }
}

TEST_CASE("master equations: many small kicks are Gaussian noise of intensity D + D_G") {
  const auto gaussian = stratonovich(sine, 2, 0.5, 1);
  CHECK(master_velocity(sine_force(1, 1, 2), PoissonNoise{.D = 0.4, .a = 1e9}, 0.1, 64) == absolute(gaussian.v, 1e-8));
  const double cold = master_velocity(sine_force(1, 1, 2 * pi), PoissonNoise{.D = 0.05, .a = 1e9}, 0.05, 64);
  CHECK(cold == absolute(stratonovich(sine, 2 * pi, 0.1, 1).v, 1e-8));
  const auto kinked = stratonovich([](double x) { return paper.energy(x); }, 0.7, 0.1, 2);
  const double coarse = master_velocity(paper, PoissonNoise{.D = 0.05, .a = 500}, 0.05, 0.7);
  const double fine = master_velocity(paper, PoissonNoise{.D = 0.05, .a = 1000}, 0.05, 0.7);
  CHECK(extrapolate(coarse, fine) == absolute(kinked.v, 1e-7));
}

TEST_CASE("master equations: fast flips are Gaussian noise of intensity D_D + D_G") {
  const auto fast = [](double D, double tau) {
    return DichotomousNoise::zero_mean(std::sqrt(D / tau), std::sqrt(D / tau), tau);
  };
  const auto gaussian = stratonovich(sine, 2, 0.5, 1);
  const auto force = sine_force(1, 1, 2);
  const double coarse = master_velocity(force, fast(0.4, 2e-5), 0.1, 64);
  CHECK(extrapolate(coarse, master_velocity(force, fast(0.4, 1e-5), 0.1, 64)) == absolute(gaussian.v, 1e-7));
  const auto kinked = stratonovich([](double x) { return paper.energy(x); }, 0.7, 0.1, 2);
  CHECK(master_velocity(paper, fast(0.05, 1e-5), 0.05, 0.7) == absolute(kinked.v, 2e-6));
}

TEST_CASE("master equations: short, strong excursions to +Fb are Poissonian kicks") {
  const auto spiky = [](double Fb) {
    return DichotomousNoise{.Fa = poisson.a, .Fb = Fb, .mu_a = poisson.lambda(), .mu_b = Fb / poisson.zeta()};
  };
  const auto force = sine_force(1, 1);
  const double coarse = master_velocity(force, spiky(5e4), 0.1, 64);
  CHECK(extrapolate(coarse, master_velocity(force, spiky(1e5), 0.1, 64)) ==
        absolute(master_velocity(force, poisson, 0.1, 64), 1e-7));
  CHECK(extrapolate(master_velocity(paper, spiky(1e3), 0.1), master_velocity(paper, spiky(2e3), 0.1)) ==
        absolute(master_velocity(paper, poisson, 0.1), 1e-5));
}

TEST_CASE("master equations: a symmetric noise drives no current, a flat V gives F, a mean force adds") {
  const auto symmetric = DichotomousNoise::zero_mean(2, 2, 0.3);
  CHECK(master_velocity(sine_force(1, 1), symmetric, 0.1, 32) == absolute(0, 1e-12));
  CHECK(master_velocity(paper, symmetric, 0.1) == absolute(0, 1e-12));
  CHECK(master_velocity(sine_force(0, 1, 0.4), poisson, 0.1, 8) == absolute(0.4, 1e-12));
  CHECK(master_velocity(PiecewiseLinear{.V0 = 0}, poisson, 0.1, 0.4) == absolute(0.4, 1e-10));
  const DichotomousNoise biased{.Fa = 1, .Fb = 2, .mu_a = 3, .mu_b = 5};
  const double mean = (2 * 3.0 - 1 * 5.0) / 8;
  CHECK(master_velocity(sine_force(0, 1, 0.4), biased, 0.1, 8) == absolute(0.4 + mean, 1e-12));
  CHECK(master_velocity(PiecewiseLinear{.V0 = 0}, biased, 0.1, 0.4) == absolute(0.4 + mean, 1e-10));
}

TEST_CASE("master equations: illegal values are refused") {
  CHECK_THROWS_AS(master_velocity(sine_force(1, 1), poisson, 0, 32), std::invalid_argument);
  CHECK_THROWS_AS(master_velocity(sine_force(1, 1), poisson, 0.1, 0), std::invalid_argument);
  CHECK_THROWS_AS(master_velocity(paper, poisson, -1), std::invalid_argument);
  CHECK_THROWS_AS(master_velocity(paper, dichotomous, 1e-9), std::invalid_argument);
}
