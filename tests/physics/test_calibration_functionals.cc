// Standard errors of functionals of the path and of responses, against the scatter of estimates.
//
// Held to: the same as test_calibration.cc: work and heat of a dragged trap and of free motion, with cumulants, density
// and exponential averages, which many or few paths dominate; entropy production with the uncertainty product;
// amplitude, phase and signal-to-noise ratio of a driven trap, strong and weak. $BMSIM_CALIBRATION=all runs all of it,
// as ./bootstrap validation does; else it is the first half.
#include <doctest/doctest.h>

#include <cmath>

#include "calibration.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

TEST_CASE("calibration: work of a dragged trap" * doctest::test_suite("quick")) {
  const double k = 1, u = 1, time = 1, w = u * u * (time - (1 - std::exp(-k * time)) / k);
  for (const double T : {0.3, 0.6, 1.5}) {  // exp(-W/T) is lognormal, with a variance of its logarithm of 0.74/T
    CAPTURE(T);
    const Model model = make_system({.variables = {{"x"}},
                                     .equations = {{"x", "-k*(x - u*t)"}},
                                     .parameters = {{"k", k}, {"u", u}},
                                     .parts = {{"x", BM_NOISE, "gaussian", {{"D", T}}}}});
    for_paths(4096, [&](uint64_t paths, size_t count) {
      RunOptions run = timed_run(1. / 64, time, 0, paths);
      run.starts["x"] = {0, 0, std::sqrt(T / k), 0};
      const Ensembles all(model, run,
                          {{"integral",
                            {{"exponential", {-1 / T}}, {"cumulants", {4}}, {"bins", {4}}, {"range", {-2, 2}}},
                            {{"W", "-k*u*(x - u*t)"}}}},
                          count);
      all.column("W", w);
      all.column("W_variance", 2 * T * w);
      all.column("W_cumulant_3", 0, 1024);
      all.column("W_cumulant_4", 0, 4096);
      all.element("W_density", 1, unknown);
      // Fewer paths do not know their error. At the bound itself few ensembles do, those whose work varies least.
      const bool at_bound = T == 0.6 && paths == 1024;
      const uint64_t known_from = T == 0.3 ? 65536 : T == 0.6 ? 4096 : 256;
      if (!at_bound) all.column("W_exponential", 1, known_from);
      if (!at_bound) all.column("W_free_energy", 0, known_from);
    });
  }
}

TEST_CASE("calibration: energies of free motion, and the uncertainty product" * doctest::test_suite("quick")) {
  const double f = 1, gamma = 2, T = 0.5, time = 8;
  const Model model = make_model({.mass = 0.1, .gamma = gamma, .force = f}, {{BM_NOISE, "gaussian", {{"T", T}}}});
  for_paths(1024, [&](uint64_t paths, size_t count) {
    const Ensembles all(model, timed_run(1. / 32, time, 0.25, paths), {"work", "heat", "entropy_production"}, count);
    const double power = f * f / gamma, window = 0.75 * time;
    all.column("work", power * window);
    all.column("heat", power * window);
    all.column("heat_variance", unknown);
    all.column("entropy_production", power / T);
    const double s = gamma / 0.1 * window;
    all.column("uncertainty", 2 * (1 - (1 - std::exp(-s)) / s), 256);
  });
}

TEST_CASE("calibration: response of a trap" * doctest::test_suite("quick")) {
  const double k = 1, omega = 2, D = 0.5;
  for (const double A : {0.6, 0.15}) {
    CAPTURE(A);
    const Model model = make_model({{BM_POTENTIAL, "harmonic", {{"k", k}}},
                                    {BM_NOISE, "gaussian", {{"D", D}}},
                                    {BM_DRIVE, "cosine", {{"amplitude", A}, {"omega", omega}}}});
    for_paths(1024, [&](uint64_t paths, size_t count) {
      const Ensembles all(model, timed_run(M_PI / 128, 20 * M_PI, 0.1, paths),
                          {{"response", {{"snr", {1}}}, {{"omega", "cosine.omega"}}}}, count);
      all.column("amplitude", A / std::hypot(k, omega));
      if (A > 0.5) all.column("phase", std::atan2(omega, k));
      all.column("snr", M_PI * A * A / (2 * D));
    });
  }
}
