// Response to a drive: amplitude, phase lag and signal-to-noise ratio.
//
// Held to: driven linear motion, A/|k - m omega^2 + i gamma omega| with its phase, and the ratio pi A^2/(2 D), of any
// trap; higher harmonics of cubes of linear motion without noise; windows that are no whole number of periods, far from
// the origin; no response, where amplitudes are noise.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "measures.h"
#include "observed.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

ObservableRequest response(const char* of, const char* name, double harmonics = 1) {
  std::map<std::string, std::string> words = {{"omega", "cosine.omega"}, {"of", of}};
  if (*name != '\0') words["name"] = name;
  return {"response", {{"harmonics", {harmonics}}}, words};
}

}  // namespace

TEST_CASE("a driven trap: amplitude, phase and signal-to-noise ratio" * doctest::test_suite("quick")) {
  const double k = 1.5, A = 0.9, D = 0.3, mass = 0.4, gamma = 0.6;
  for (const bool inertial : {false, true})
    for (const double omega : {0.8, 2.5}) {
      CAPTURE(inertial);
      CAPTURE(omega);
      const Part trap{BM_POTENTIAL, "harmonic", {{"k", k}}}, bath{BM_NOISE, "gaussian", {{"D", D}}},
          drive{BM_DRIVE, "cosine", {{"amplitude", A}, {"omega", omega}}};
      const Model model =
          inertial ? make_model({.mass = mass, .gamma = gamma}, {trap, bath, drive}) : make_model({trap, bath, drive});
      std::vector<ObservableRequest> asked = {response("x", "", 2)};
      if (inertial) asked.push_back(response("v", "v"));
      // the window is made to have whole periods, to within half a step
      const Observed all = observe(model, timed_run(0.01, 100, 0.23, 1 << 13), asked);
      const std::complex<double> of_x =
          A / std::complex<double>(inertial ? k - mass * omega * omega : k, (inertial ? gamma : 1) * omega);
      CHECK_EXACT(all.column("amplitude"), std::abs(of_x), 0.004);
      CHECK_EXACT(all.column("phase"), -std::arg(of_x), 0.01);
      // the background as a window T sees it: C(tau) (1 - |tau|/T) cos(omega tau), integrated
      const double window = all.plan.points[0].window(), decay = gamma / (2 * mass),
                   turn = std::sqrt(k / mass - decay * decay), step = 1e-3;
      double background = 0;
      for (double tau = step / 2; tau < 40; tau += step) {
        const double C =
            inertial ? std::exp(-decay * tau) * (std::cos(turn * tau) + decay / turn * std::sin(turn * tau)) / gamma
                     : std::exp(-k * tau);
        background += 2 * D / k * C * (1 - tau / window) * std::cos(omega * tau) * step;
      }
      CHECK_EXACT(all.column("snr"), M_PI * std::norm(of_x) / background, 0.1);
      CHECK_EXACT(all.column("amplitude_2"), 0, 0.002);
      CHECK(std::isnan(all.column("phase_2").value));
      if (inertial) {
        CHECK_EXACT(all.column("amplitude_v"), omega * std::abs(of_x), 0.004);
        CHECK_EXACT(all.column("phase_v"), -std::arg(of_x) - M_PI / 2, 0.01);
      }
    }
}

TEST_CASE("harmonics without noise: a cube has the third, and an offset gives none") {
  const double A = 0.7, omega = 1.7, k = 2, offset = 30;
  // (a cos(w))^3 = a^3 (3 cos(w) + cos(3 w))/4
  const double a = A / std::hypot(k, omega), lag = std::atan2(omega, k);
  SystemParts parts{.variables = {{"x"}},
                    .equations = {{"x", "-k*(x - offset)"}},
                    .parameters = {{"k", k}, {"offset", offset}},
                    .parts = {{"x", BM_DRIVE, "cosine", {{"amplitude", A}, {"omega", omega}}}}};
  RunOptions run = timed_run(0.003, 47, 0.5, 16);
  run.precision = "double";
  run.starts["x"] = {offset, 0, 0, 0};
  const Observed all = observe(make_system(parts), run, {response("x", "", 3), response("(x - offset)^3", "cube", 3)});
  CHECK_NEAR(all.column("amplitude").value, a, 2e-6);
  CHECK_NEAR(all.column("phase").value, lag, 1e-5);
  CHECK_NEAR(all.column("amplitude_2").value, 0, 1e-6);
  CHECK_NEAR(all.column("amplitude_3").value, 0, 1e-6);
  CHECK_NEAR(all.column("amplitude_cube").value, 0.75 * a * a * a, 1e-6);
  CHECK_NEAR(all.column("amplitude_cube_3").value, 0.25 * a * a * a, 1e-6);
  CHECK_NEAR(all.column("phase_cube_3").value, std::remainder(3 * lag, 2 * M_PI), 1e-5);
}
