// Response to a drive: amplitude, phase lag and signal-to-noise ratio.
//
// Held to: driven linear motion, A/|k - m omega^2 + i gamma omega| with its phase, and the ratio pi A^2/(2 D), of any
// trap, with white noise and smooth noise, and of free particles; higher harmonics of cubes of linear motion without
// noise; windows that are no whole number of periods, far from the origin; no response, where amplitudes are noise.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <tuple>

#include "measures.h"
#include "observed.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

ObservableRequest response(const char* of, const char* name, double harmonics = 1) {
  std::map<std::string, std::string> words = {{"omega", "cosine.omega"}, {"of", of}};
  if (*name != '\0') words["name"] = name;
  return {"response", {{"harmonics", {harmonics}}, {"snr", {1}}}, words};
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
      CHECK_EXACT(all.column("snr"), M_PI * A * A / (2 * D), 0.1);
      CHECK_EXACT(all.column("amplitude_2"), 0, 0.002);
      CHECK(std::isnan(all.column("phase_2").value));
      if (inertial) {
        CHECK_EXACT(all.column("amplitude_v"), omega * std::abs(of_x), 0.004);
        CHECK_EXACT(all.column("phase_v"), -std::arg(of_x) - M_PI / 2, 0.01);
      }
    }
}

// Noise of lower frequencies must not add to the background through the ends of the window: it is 40 times larger than
// the background itself in the first case.
TEST_CASE("the signal-to-noise ratio of smooth paths, and of paths that go far") {
  const double A = 0.5, D = 0.2, gamma = 0.1;
  const auto ratio = [&](const Model& model, double dt, double time, uint64_t paths) {
    return observe(model, timed_run(dt, time, 0.2, paths), {response("x", "")}).column("snr");
  };
  const auto agrees = [](const Estimate& snr, double exact) {
    CAPTURE(snr.value);
    CAPTURE(snr.error);
    CHECK(std::abs(snr.value - exact) < 4 * snr.error);
    CHECK(snr.error < 0.15 * exact);
  };
  const Part trap{BM_POTENTIAL, "harmonic", {}}, white{BM_NOISE, "gaussian", {{"D", D}}},
      bath{BM_NOISE, "gaussian", {{"D", D * gamma}}};
  const double of_white = M_PI * A * A / (2 * D);
  for (const auto& [omega, time, dt, paths] :
       {std::tuple(20.0, 100.0, 0.01, 1024), std::tuple(20.0, 1000.0, 0.01, 256), std::tuple(5.0, 1000.0, 0.02, 256),
        std::tuple(0.3, 300.0, 0.02, 1024)}) {
    CAPTURE(omega);
    CAPTURE(time);
    const Part drive{BM_DRIVE, "cosine", {{"amplitude", A}, {"omega", omega}}};
    agrees(ratio(make_model({.mass = 1, .gamma = gamma}, {trap, bath, drive}), dt, time, paths), of_white / gamma);
    const Part smooth{BM_NOISE, "ornstein_uhlenbeck", {{"D", D}, {"tau", 1}}};
    agrees(ratio(make_model({trap, smooth, drive}), dt, time, paths), of_white * (1 + omega * omega));
    agrees(ratio(make_model({white, drive}), dt, time, paths), of_white);
  }
  // a resonance that is narrower than the window resolves: a large error
  const Part slow{BM_DRIVE, "cosine", {{"amplitude", A}, {"omega", 1}}};
  const Estimate narrow = ratio(make_model({.mass = 1, .gamma = gamma}, {trap, bath, slow}), 0.02, 100, 4096);
  CHECK(std::abs(narrow.value - of_white / gamma) < 3 * narrow.error);
  CHECK(narrow.error > 0.1 * narrow.value);
  // a window that is too late
  const Observed late = observe(make_model({trap, white, slow}), timed_run(0.02, 1000, 0.98, 64), {response("x", "")});
  CHECK(std::isnan(late.column("snr").value));
  CHECK(late.column("amplitude").value > 0.2);
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
  CHECK(std::isnan(all.column("phase_2").value));
  CHECK(std::isnan(all.column("snr").value));
  CHECK_NEAR(all.column("amplitude_3").value, 0, 1e-6);
  CHECK_NEAR(all.column("amplitude_cube").value, 0.75 * a * a * a, 1e-6);
  CHECK_NEAR(all.column("amplitude_cube_3").value, 0.25 * a * a * a, 1e-6);
  CHECK_NEAR(all.column("phase_cube_3").value, std::remainder(3 * lag, 2 * M_PI), 1e-5);
}
