// Gaussian white noise: Stratonovich's velocity and effective diffusion, Lifson-Jackson, every law of the increments.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "measures.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

Model tilted(double F, double D) {
  return make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", D}}}}, F);
}

RunOptions long_run(double dt, double time, uint64_t paths = 12288) {
  RunOptions run = options();
  run.paths = paths;
  run.dt = dt;
  run.time = time;
  return run;
}

}  // namespace

TEST_CASE("velocity and effective diffusion in a tilted sine potential match Stratonovich's integrals" *
          doctest::test_suite("quick")) {
  for (const auto& [F, D] : {std::pair{two_pi, 0.5}, {2.0, 0.5}, {two_pi, 0.1}}) {
    CAPTURE(F);
    CAPTURE(D);
    const auto exact = reference::stratonovich([](double x) { return std::sin(two_pi * x); }, F, D, 1);
    const Sample run = sample(tilted(F, D), long_run(0.002, 100, 49152));
    CHECK_EXACT(run.velocity, exact.v, 0.001);
    CHECK_EXACT(run.diffusion, exact.D_eff, 0.01 * exact.D_eff);
  }
}

TEST_CASE("effective diffusion without tilt matches Lifson and Jackson's") {
  for (const double D : {0.5, 1.0}) {
    CAPTURE(D);
    CHECK_EXACT(sample(tilted(0, D), long_run(0.002, 40, 49152)).diffusion, reference::lifson_jackson(1, D),
                0.01 * reference::lifson_jackson(1, D));
  }
}

TEST_CASE("every law of the increments and both precisions give the same transport in a smooth potential") {
  const double exact = reference::stratonovich([](double x) { return std::sin(two_pi * x); }, 2, 0.5, 1).v;
  for (const std::string increments : {"five_point", "three_point", "near_gaussian", "gaussian"})
    for (const std::string precision : {"single", "double"}) {
      CAPTURE(increments);
      CAPTURE(precision);
      RunOptions run = long_run(0.001, 100);
      run.increments = increments;
      run.precision = precision;
      CHECK_EXACT(sample(tilted(2, 0.5), run).velocity, exact, 0.001);
    }
}

TEST_CASE("Gaussian noises add in quadrature, and T is D of an overdamped particle") {
  const Model model =
      make_model({{BM_NOISE, "gaussian", {{"D", 0.3}}, "bath"}, {BM_NOISE, "gaussian", {{"T", 0.2}}, "lamp"}});
  const Sample run = sample(model, long_run(0.01, 5, 196608));
  CHECK_EXACT(run.velocity, 0, 0.002);
  CHECK_EXACT(run.diffusion, 0.5, 0.002);
}

TEST_CASE("a drive moves a free particle by its integral, a cosine drive with its phase") {
  const Model model = make_model(
      {{BM_DRIVE, "cosine", {{"amplitude", 2}, {"omega", 3}, {"phase", 0.7}}}, {BM_NOISE, "gaussian", {{"D", 1e-6}}}},
      0.25);
  RunOptions run = long_run(0.0005, 2.5, 960);
  run.transient = 0.2;
  run.precision = "double";
  const Sample moved = sample(model, run);
  const double exact = 0.25 + 2.0 / 3 * (std::sin(3 * 2.5 + 0.7) - std::sin(3 * 0.5 + 0.7)) / 2.0;
  CHECK_NEAR(moved.velocity.value, exact, 2e-4 * std::abs(exact));
}

TEST_CASE("drives with edges between steps: the impulse over a period is exact, at any duty, width, step and clock") {
  const Part square{BM_DRIVE, "square", {{"amplitude", 10}, {"duty", 0.30125}}};
  const Part pulse{BM_DRIVE, "pulse", {{"amplitude", 100}, {"width", 0.0123}, {"period", 1}, {"phase", 3}}};
  const Part kicks{BM_NOISE, "poisson", {{"lambda", 5}, {"zeta", 1e-7}}};  // cuts steps, and moves nearly nothing
  for (const double spp : {400.0, 37.0})
    for (const bool is_square : {true, false}) {
      CAPTURE(spp);
      CAPTURE(is_square);
      const Part& drive = is_square ? square : pulse;
      const double exact = is_square ? 10 * (2 * 0.30125 - 1) : 1.23;
      RunOptions run = options();
      run.spp = spp;
      run.periods = 20;
      run.transient = 0.25;
      run.paths = 64;
      CHECK_NEAR(sample(make_model({drive}), run).velocity.value, exact, 1e-4);
      run.periods = 80;
      CHECK_NEAR(sample(make_model(Inertial{0.3, 1}, {drive}), run).velocity.value, exact, 1e-4);
      run.random_phases = true;
      CHECK_NEAR(sample(make_model({drive}), run).velocity.value, exact, 1e-4);
      run.random_phases = false;
      // On clocks of their own steps end anywhere: what an edge makes of that is of either sign, but where all are cut
      // at the same phase, at the ends of the window.
      const double period = is_square ? two_pi : 1;
      RunOptions own = timed_run(period / spp, 20 * period, 0.25, 4096);
      CHECK_NEAR(sample(make_model({drive, kicks}), own).velocity.value, exact, 1e-3 * std::abs(exact));
    }
}

TEST_CASE("a drive keeps its phase when every trajectory has its own clock") {
  // Poissonian noise too weak to matter, fast enough to break every step.
  const Model model = make_model({{BM_DRIVE, "cosine", {{"amplitude", 2}, {"omega", 3}, {"phase", 0.7}}},
                                  {BM_NOISE, "poisson", {{"lambda", 300}, {"zeta", 1e-7}}}},
                                 0.25);
  for (const std::string method : {"heun", "platen"}) {
    RunOptions run = long_run(0.002, 2.5, 960);
    run.transient = 0.2;
    run.method = method;
    const Sample moved = sample(model, run);
    const double exact = 0.25 + 2.0 / 3 * (std::sin(3 * 2.5 + 0.7) - std::sin(3 * 0.5 + 0.7)) / 2.0;
    CHECK_NEAR(moved.velocity.value, exact, 1e-4 * std::abs(exact));
  }
}
