// Inertial particles in a sine potential: velocity and diffusion under tilt, and Kramers' escape at high and low
// friction, against the Klein-Kramers equation; the overdamped particle's escape against its mean exit time.
//
// Held to: v and D_eff of inertial particles in a tilted sine against a matrix-continued-fraction solution of the
// Fokker-Planck equation, from high to low friction; overdamped escape against the exact mean exit time; low friction
// against the energy-diffusion law
#include <doctest/doctest.h>

#include <cmath>

#include "measures.h"
#include "reference_detail.h"
#include "reference_inertial.h"

using namespace bmsim;
using namespace bmsim::test;
using reference::Particle;

namespace {

Model tilted(const Particle& particle, double F) {
  return make_model(Inertial{particle.m, particle.gamma, F},
                    {{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"T", particle.T}}}});
}
double sine(double x) { return std::sin(2 * reference::pi * x); }

}  // namespace

TEST_CASE("inertial particle in a tilted sine potential: <v>, <v^2> and D_eff of the Klein-Kramers equation") {
  struct Case {
    Particle particle;
    double F;
    int hermite, modes;
    double centre;
    StartLaw v;
    double time;
    uint64_t paths;
  };
  // Where running and locked states change seldom, particles begin running, as most of them are, and take their time.
  for (const auto& [particle, F, hermite, modes, centre, v, time, paths] :
       {Case{{1, 1, 0.5}, 2, 200, 24, 0, {0, 0, 0.7}, 60, 49152},
        {{1, 0.9, 0.1}, 3, 300, 40, 2, {3.3, 0, 0.3}, 400, 24576},
        {{1, 0.3, 0.5}, 1, 500, 24, 1, {3, 0, 1}, 800, 24576},
        {{1, 5, 0.4}, 5, 100, 24, 0, {0, 0, 0.6}, 80, 49152},
        {{0.4, 2, 0.6}, -3, 200, 24, 0, {0, 0, 1.2}, 60, 49152}}) {
    CAPTURE(particle.gamma);
    CAPTURE(particle.m);
    CAPTURE(F);
    const auto exact = reference::inertial_transport(reference::sine_force(1, 1, F), particle, hermite, modes, centre);
    RunOptions options = timed_run(0.004, time, 0.4, paths);
    options.starts["v"] = v;
    const Sample run = sample(tilted(particle, F), options);
    CHECK_EXACT(run.velocity, exact.v, 0.005 * std::abs(exact.v));
    CHECK_EXACT(run.velocity_squared, exact.v2, 0.005 * exact.v2);
    CHECK_EXACT(run.diffusion, exact.D_eff, 0.02 * exact.D_eff);
  }
}

TEST_CASE("escape of the overdamped particle: D_eff is L^2 over twice the mean exit time, and near Kramers' rate" *
          doctest::test_suite("quick")) {
  const double D = 0.3;
  const Model model = make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", D}}}});
  RunOptions run = timed_run(0.002, 120, 0.25, 49152);
  run.starts["x"] = StartLaw{-0.25, 0, 0.03, 0};
  const Estimate hopping = sample(model, run).diffusion;
  const double exit_time = reference::mean_exit(sine, 0, D, -1.25, -0.25, 0.75).time;
  CHECK_EXACT(hopping, 1 / (2 * exit_time), 0.01 * hopping.value);
  // One barrier's rate times L^2, high by the fraction D / (4 V0) and terms of its square.
  const double kramers = reference::kramers_overdamped(1, 1, 1, D), high = D / 4;
  CHECK_NEAR(hopping.value / kramers, 1 - high, high * high + 4 * hopping.error / kramers);
}

TEST_CASE("escape over the barrier of a double well: the wells' populations relax at twice the rate of mean exit") {
  const double V0 = 5, x0 = 1;
  const Model model =
      make_model({{BM_POTENTIAL, "double_well", {{"V0", V0}, {"x0", x0}}}, {BM_NOISE, "gaussian", {{"D", 1}}}});
  RunOptions run = timed_run(0.002, 20, 0.25, 98304);
  run.starts["x"] = StartLaw{-x0, 0, 0, 0};
  const Sample escaped = sample(model, run);
  // <sgn x> falls by exp(-2 rate t) once the particle has settled in its well; each path's two signs give the error.
  const Estimate first = average(escaped.start, [](double x) { return x < 0 ? 1.0 : -1.0; });
  const Estimate last = average(escaped.end, [](double x) { return x < 0 ? 1.0 : -1.0; });
  const double rate = std::log(first.value / last.value) / (2 * escaped.duration);
  const double error = std::hypot(first.error / first.value, last.error / last.value) / (2 * escaped.duration);
  const auto V = [&](double x) { return V0 * std::pow(x * x / (x0 * x0) - 1, 2); };
  // To the far minimum; the near end is so far up that nothing gets there.
  const double exact = 1 / reference::mean_exit(V, 0, 1, -2.6, -x0, x0).time;
  CHECK_EXACT((Estimate{rate, error}), exact, 0.02 * exact);
}

TEST_CASE("Kramers at high friction: D_eff of the Klein-Kramers equation, and Kramers' factor of inertia") {
  for (const double gamma : {20.0, 5.0}) {
    CAPTURE(gamma);
    const Particle particle{1, gamma, 0.4};
    const auto exact = reference::inertial_transport(reference::sine_force(1, 1), particle, 100, 32);
    RunOptions run = timed_run(0.005, 80 * gamma, 0.2, gamma > 10 ? 24576 : 98304);
    const Estimate hopping = sample(tilted(particle, 0), run).diffusion;
    CHECK_EXACT(hopping, exact.D_eff, 0.015 * exact.D_eff);
    const double kramers = reference::kramers_overdamped(1, 1, gamma, particle.T) *
                           reference::kramers_inertial_factor(1, 1, particle) * (1 - particle.T / 4);
    CHECK_NEAR(hopping.value / kramers, 1, 0.03 + 4 * hopping.error / kramers);  // gamma = 5 with V0/T = 2.5
  }
}

TEST_CASE("Kramers at low friction: D_eff of the Klein-Kramers equation, which leads to diffusion of energy") {
  double ratio[2], error[2];
  int i = 0;
  for (const auto& [gamma, hermite, modes] : {std::tuple{0.4, 600, 32}, {0.1, 1200, 40}}) {
    CAPTURE(gamma);
    const Particle particle{1, gamma, 2};
    const double exact = reference::inertial_transport(reference::sine_force(1, 1), particle, hermite, modes).D_eff;
    const Estimate run = sample(tilted(particle, 0), timed_run(0.005, 40 / gamma, 0.25, 49152)).diffusion;
    CHECK_EXACT(run, exact, 0.01 * exact);
    const double limit = reference::inertial_diffusion_low_friction(1, 1, particle);
    ratio[i] = run.value / limit;
    error[i++] = run.error / limit;
  }
  // Corrections of the order of sqrt(gamma): a quarter of the friction halves them.
  CHECK(ratio[1] > 1);
  CHECK_NEAR(2 * ratio[1] - ratio[0], 1, 0.02 + 4 * std::hypot(2 * error[1], error[0]));
}

TEST_CASE("deep wells at low friction: hopping slower than at moderate friction, as in Kramers' turnover") {
  const auto hopping = [](double gamma, int hermite, int modes) {
    const Particle particle{1, gamma, 0.5};
    const double exact = reference::inertial_transport(reference::sine_force(1, 1), particle, hermite, modes).D_eff;
    const Estimate run = sample(tilted(particle, 0), timed_run(0.005, 150, 0.25, 49152)).diffusion;
    CHECK_EXACT(run, exact, 0.02 * exact);
    return run;
  };
  hopping(0.3, 400, 24);
  hopping(1, 200, 24);
}
