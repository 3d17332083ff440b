// Ratchets: flashing potentials, switched by dichotomous noise or by a drive, and rocked ones, at finite rates and in
// their limits.
//
// Held to: rocked: adiabatic limit and one finite frequency (Floquet); flashing by noise and by a square wave: master
// equation, and the limit of deep potentials
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "measures.h"
#include "reference_ratchets.h"

using namespace bmsim;
using namespace bmsim::test;
using reference::DichotomousNoise;
using reference::PiecewiseLinear;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;
const reference::TwoWaves waves;  // V0 = L = 1, b = 1/4, phi = 0, as the plugin's defaults
double energy(double x) { return waves.energy(x); }

Model switched(const Part& potential, double D, const DichotomousNoise& noise, double F) {
  return make_model({potential,
                     {BM_NOISE, "gaussian", {{"D", D}}},
                     {BM_NOISE,
                      "dichotomous",
                      {{"Fa", noise.Fa}, {"Fb", noise.Fb}, {"mu_a", noise.mu_a}, {"mu_b", noise.mu_b}},
                      "",
                      {},
                      {},
                      true}},
                    F);
}

/// V (1 + A) for the part `duty` of the period, V (1 - A) for the rest.
Model alternating(const Part& potential, double D, double A, double period, double duty, double F) {
  return make_model(
      {potential,
       {BM_NOISE, "gaussian", {{"D", D}}},
       {BM_DRIVE, "square", {{"amplitude", A}, {"omega", two_pi / period}, {"duty", duty}}, "", {}, {}, true}},
      F);
}

/// Whole periods, so that the window begins and ends at one phase.
RunOptions whole_periods(double period, int steps, int transient, int all, uint64_t paths) {
  return timed_run(period / steps, period * all, (transient + 1e-9) / all, paths);
}

}  // namespace

TEST_CASE("square and pulse drives push by their mean, also at steps that divide the period") {
  // One step more or less of a period's 400 would be 0.005 of the amplitude. With clocks of their own trajectories meet
  // the edges that follow the window's beginning at the end of a step, until the first kick: half a step of one edge,
  // in 400 periods.
  const Part heat{BM_NOISE, "gaussian", {{"D", 1e-8}}}, kicks{BM_NOISE, "poisson", {{"lambda", 3}, {"zeta", 1e-5}}};
  for (const double part : {0.5, 0.3, 0.125}) {
    CAPTURE(part);
    const Part square{BM_DRIVE, "square", {{"amplitude", 2}, {"omega", two_pi}, {"duty", part}}};
    const Part pulse{BM_DRIVE, "pulse", {{"amplitude", 3}, {"omega", two_pi}, {"width", part}}};
    for (const std::string precision : {"single", "double"})
      for (const auto& [name, model] : {std::pair{"overdamped", make_model({heat, square, pulse})},
                                        {"own clocks", make_model({heat, square, pulse, kicks})},
                                        {"inertial", make_model(Inertial{0.5, 1}, {heat, square, pulse})}}) {
        CAPTURE(std::string(name));
        CAPTURE(std::string(precision));
        RunOptions run = whole_periods(1, 400, 10, 400, 960);
        run.precision = precision;
        const double exact = 2 * (2 * part - 1) + 3 * part;
        CHECK_NEAR(sample(model, run).velocity.value, exact, 1e-4);
      }
  }
}

TEST_CASE("flashing sawtooth: dichotomous noise switches the potential on and off" * doctest::test_suite("quick")) {
  const PiecewiseLinear saw{.L = 1, .V0 = 1, .k = 0.2};
  const Part potential{BM_POTENTIAL, "piecewise_linear", {{"L", 1}, {"V0", 1}, {"k", 0.2}}};
  for (const auto& [on, off, F] : {std::tuple{0.3, 0.3, 0.0}, {0.2, 0.1, -0.4}}) {
    CAPTURE(on);
    CAPTURE(F);
    const auto noise = reference::on_and_off(on, off);
    const double exact = reference::flashing_velocity(saw, noise, F, 0.1);
    CHECK_EXACT(sample(switched(potential, 0.1, noise, F), timed_run(0.001, 40, 0.25, 12288)).velocity, exact, 0.001);
  }
}

TEST_CASE("flashing ratchet, smooth: dichotomous modulation about 1, with a mean and a tilt") {
  const auto noise = DichotomousNoise{0.5, 0.9, 3, 2};
  const double exact = reference::flashing_velocity(waves.force(), noise, 1.5, 0.2, 32);
  const Part potential{BM_POTENTIAL, "ratchet", {}};
  CHECK_EXACT(sample(switched(potential, 0.2, noise, 1.5), timed_run(0.001, 40, 0.25, 24576)).velocity, exact, 0.001);
  CHECK_EXACT(
      sample(switched(potential, 0.2, reference::on_and_off(0.3, 0.3), 0), timed_run(0.001, 40, 0.25, 49152)).velocity,
      reference::flashing_velocity(waves.force(), reference::on_and_off(0.3, 0.3), 0, 0.2, 32), 0.0005);
}

TEST_CASE("ratchet switched by a square drive: the alternating forces' velocity") {
  const double D = 0.1, F = 0.5;
  const auto scaled = [F](double amplitude) { return reference::TwoWaves{.V0 = amplitude}.force(F); };
  for (const auto& [A, period, duty] : {std::tuple{1.0, 0.6, 0.5}, {0.7, 0.4, 0.3}}) {
    CAPTURE(A);
    const double exact =
        reference::alternating_velocity(scaled(1 + A), period * duty, scaled(1 - A), period * (1 - duty), D, 48);
    const Model model = alternating({BM_POTENTIAL, "ratchet", {}}, D, A, period, duty, F);
    const RunOptions run = whole_periods(period, 1000, 10, 60, 24576);
    CHECK_EXACT(sample(model, run).velocity, exact, 0.001);
  }
}

TEST_CASE("flashing in the deep limit: times off on the clock, and by lot") {
  const double D = 0.02, off = 2, V0 = 2;
  // Minimum and maximum of V: cos y + cos(2 y) / 2 = 0, y = 2 pi x.
  const double top = std::acos((std::sqrt(3.0) - 1) / 2) / two_pi, d = 2 * top;
  const auto deep = reference::TwoWaves{.V0 = V0}.force(), flat = reference::sine_force(0, 1);
  // The square drive switches V0 / 2 by 1 + 1 and 1 - 1.
  const double on = 3, period = on + off;
  const Estimate fixed = sample(alternating({BM_POTENTIAL, "ratchet", {{"V0", V0 / 2}}}, D, 1, period, on / period, 0),
                                whole_periods(period, 5000, 1, 21, 24576))
                             .velocity;
  CHECK_EXACT(fixed, reference::alternating_velocity(deep, on, flat, off, D, 64), 0.01 * fixed.value);
  CHECK_NEAR(fixed.value / reference::deep_flashing_fixed(1, d, D, on, off), 1, D / V0 + 4 * fixed.error / fixed.value);
  const auto noise = reference::on_and_off(6, off);
  const Estimate random =
      sample(switched({BM_POTENTIAL, "ratchet", {{"V0", V0}}}, D, noise, 0), timed_run(0.001, 90, 0.1, 24576)).velocity;
  CHECK_EXACT(random, reference::flashing_velocity(deep, noise, 0, D, 64), 0.013 * random.value);
  // Some times on are shorter than the way down, of about 0.1.
  CHECK_NEAR(random.value / reference::deep_flashing_random(1, d, D, 6, off), 1,
             D / V0 + 0.1 / 6 + 4 * random.error / random.value);
}

TEST_CASE("rocked ratchet in the adiabatic limit: slow square and cosine drives") {
  const double A = 4, D = 0.1, period = 40;
  const Part potential{BM_POTENTIAL, "ratchet", {}}, heat{BM_NOISE, "gaussian", {{"D", D}}};
  const auto rocked = [&](const char* drive) {
    const Model model =
        make_model({potential, heat, {BM_DRIVE, drive, {{"amplitude", A}, {"omega", two_pi / period}}}});
    return sample(model, whole_periods(period, 40000, 1, 6, 6144)).velocity;
  };
  const Estimate square = rocked("square"), cosine = rocked("cosine");
  CHECK_EXACT(square, reference::alternating_velocity(waves.force(A), period / 2, waves.force(-A), period / 2, D, 32),
              0.0015);
  CHECK_EXACT(cosine, reference::rocked_velocity(waves.force(), A, two_pi / period, D, 24, 32), 0.0015);
  // One relaxation time in 40: the corrections are some percent of a velocity of 0.3.
  CHECK_NEAR(square.value, reference::rocked_square(energy, A, 0, D, 1), 0.01 + 4 * square.error);
  CHECK_NEAR(cosine.value, reference::rocked_cosine(energy, A, 0, D, 1), 0.01 + 4 * cosine.error);
}

TEST_CASE(
    "rocked ratchet at a finite frequency: the master equation's velocity, also with a phase of its own per path") {
  const double D = 0.1;
  for (const auto& [A, omega, F] : {std::tuple{4.0, two_pi, 0.0}, {9.0, 20.0, 0.5}}) {
    CAPTURE(omega);
    const double exact = reference::rocked_velocity(waves.force(F), A, omega, D, 32, 24);
    const Model model = make_model({{BM_POTENTIAL, "ratchet", {}},
                                    {BM_NOISE, "gaussian", {{"D", D}}},
                                    {BM_DRIVE, "cosine", {{"amplitude", A}, {"omega", omega}}}},
                                   F);
    RunOptions run = whole_periods(two_pi / omega, omega > 10 ? 500 : 1000, 20, 120, 12288);
    CHECK_EXACT(sample(model, run).velocity, exact, 0.002);
    run.random_phases = true;
    CHECK_EXACT(sample(model, run).velocity, exact, 0.002);
  }
}
