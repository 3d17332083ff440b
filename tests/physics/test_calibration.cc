// Standard errors against the scatter of estimates: z = (value - exact)/err over many small ensembles.
//
// Held to: over ensembles of 64 and 256 paths the standard deviation of z is 1 +- 0.15 and its mean within 0.25, for
// the columns of all observables and for elements of arrays, with targets, too; ensembles whose error is nan, because
// they have too few paths, are left out. Ensembles are the points of a sweep that changes nothing, each with its own
// random numbers. Where no exact value is known the mean of all ensembles takes its place, and the mean of z says
// nothing. $BMSIM_CALIBRATION=all runs all of it, as ./bootstrap validation does; else it is the first half.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "calibration.h"
#include "reference.h"
#include "reference_inertial.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

struct Case {
  const char* column;
  double exact, relative, absolute;
};
const Part heat{BM_NOISE, "gaussian", {{"D", 0.5}}};
double double_well(double x) { return x * x * x * x / 4 - x * x / 2; }

}  // namespace

TEST_CASE("calibration: free particle, Gaussian noise" * doctest::test_suite("quick")) {
  const double D = 0.5, F = 0.3;
  for_paths(4096, [&](uint64_t paths, size_t count) {
    const Ensembles all(make_model({heat}, F), timed_run(0.125, 4, 0.25, paths),
                        {"velocity",
                         "diffusion",
                         "peclet",
                         "non_gaussianity",
                         {"moments", {{"times", {1, 4}}}},
                         {"density", {{"bins", {4}}, {"times", {1, 4}}}},
                         {"current", {{"bins", {2}}}},
                         {"fractional_moment", {{"q", {0.5}}, {"times", {0, 1, 2, 4}}}}},
                        count);
    all.column("velocity", F);
    all.column("diffusion", D);
    all.column("peclet", F / D);
    all.column("non_gaussianity", 0);
    for (const size_t i : {0, 1}) {
      const double t = i == 0 ? 1 : 4;
      all.element("x_cumulant_1", i, F * t);
      all.element("x_cumulant_2", i, 2 * D * t);
      all.element("x_cumulant_3", i, 0);
      all.element("x_cumulant_4", i, 0);
    }
    all.element("density", 5, 1);
    all.element("current", 0, F);
    all.element("fractional_moment", 0, unknown);
    all.column("growth_exponent", unknown);
  });
}

// H. Qian, M. P. Sheetz, E. L. Elson, Biophys. J. 60, 910 (1991): the variance of the mean over the K pairs of records
// at a lag of n of them.
TEST_CASE("calibration: squared displacements averaged along each path") {
  const double D = 0.5, records = 33, step = 0.125;
  for_paths(4096, [&](uint64_t paths, size_t count) {
    const Ensembles all(make_model({heat}), timed_run(step, 4, 0, paths),
                        {{"time_averaged_msd", {{"count", {records}}, {"lags", {step, 2 * step, 16 * step}}}}}, count);
    size_t i = 0;
    for (const double n : {1, 2, 16}) {
      const double K = records - n, EB = (4 * n * n * K + 2 * K + n - n * n * n) / (3 * n * K * K);
      all.element("time_averaged_msd", i, 2 * D * n * step);
      if (n < 16) all.element("time_averaged_msd_scatter", i, 2 * D * n * step * std::sqrt(EB));
      if (n < 16) all.element("ergodicity_breaking", i, EB);  // there the errors are nan: few paths make the tails
      ++i;
    }
  });
}

TEST_CASE("calibration: free particle without a force: nothing is known of the sign of its velocity") {
  for_paths(1024, [&](uint64_t paths, size_t count) {
    const Ensembles all(make_model({heat}), timed_run(0.125, 4, 0.25, paths), {"velocity", "peclet"}, count);
    all.column("velocity", 0);
    all.column("peclet", 0);
  });
}

TEST_CASE("calibration: free particle, Poissonian kicks, 24 in the window") {
  const double lambda = 6, zeta = 0.5, t = 4;
  const Model model = make_model({{BM_NOISE, "poisson", {{"lambda", lambda}, {"zeta", zeta}}}});
  for_paths(4096, [&](uint64_t paths, size_t count) {
    RunOptions asked = timed_run(0.125, 5, 0.2, paths);
    asked.method = "exact";
    asked.starts["x"] = StartLaw{};
    const Ensembles all(model, asked,
                        {"velocity",
                         "diffusion",
                         "non_gaussianity",
                         {"moments", {{"times", {4}}}},
                         {"current", {{"bins", {2}}}},
                         {"density", {{"bins", {4}}}}},
                        count);
    all.known_column("velocity", 0, 2e-6);  // all of it is a control variate
    all.column("diffusion", lambda * zeta * zeta);
    all.column("non_gaussianity", 2 / (lambda * t));
    all.element("x_cumulant_1", 0, 0);
    all.element("x_cumulant_2", 0, lambda * t * 2 * zeta * zeta);
    all.element("x_cumulant_3", 0, lambda * t * 6 * zeta * zeta * zeta);
    all.element("x_cumulant_4", 0, lambda * t * 24 * zeta * zeta * zeta * zeta);
    all.element("current", 0, unknown);
    all.element("density", 1, unknown);
  });
}

TEST_CASE("calibration: harmonic potential") {
  const double D = 0.5, k = 1.5, step = 0.25;
  const Model model = make_model({{BM_POTENTIAL, "harmonic", {{"k", k}}}, heat});
  for_paths(1024, [&](uint64_t paths, size_t count) {
    RunOptions asked = timed_run(0.03125, 12, 0.5, paths);
    const Ensembles all(model, asked,
                        {{"moments", {{"times", {12}}}},
                         {"correlation", {{"lags", {4}}, {"step", {step}}, {"origins", {8}}}, {{"of", "position"}}},
                         {"spectrum", {{"samples", {16}}, {"segments", {2}}, {"step", {step}}}, {{"of", "position"}}},
                         {"residence", {{"from", {-0.2}}, {"to", {0.2}}}}},
                        count);
    const double bias = 1 + 0.25 * k * k * 0.03125 * 0.03125;  // heun: variance D/k [1 + (k h)^2/4 + ...]
    all.element("x_cumulant_1", 0, 0);
    all.element("x_cumulant_2", 0, D / k * bias);
    for (const size_t lag : {0, 3})
      all.element("correlation", lag, D / k * bias * std::exp(-k * step * static_cast<double>(lag)));
    for (const size_t f : {0, 1, 8}) all.element("spectrum", f, unknown);
    all.column("residence_low", unknown);
    all.column("residence_low_fraction", 0.5);
  });
}

TEST_CASE("calibration: turning points of a free particle") {
  const double D = 0.5, threshold = 1;
  const Model model = make_model({heat});
  for_paths(1024, [&](uint64_t paths, size_t count) {
    const Ensembles all(model, timed_run(0.01, 12, 0.25, paths), {{"turning_points", {{"threshold", {threshold}}}}},
                        count);
    all.column("turning_rate", 2 * D / (threshold * threshold));
  });
}

TEST_CASE("calibration: free inertial particle") {
  const double m = 2, gamma = 0.7, T = 1.5, step = 1;
  const Model model = make_model({.mass = m, .gamma = gamma, .force = 0.5}, {{BM_NOISE, "gaussian", {{"T", T}}}});
  for_paths(4096, [&](uint64_t paths, size_t count) {
    const Ensembles all(
        model, timed_run(0.05, 20, 0.5, paths),
        {"velocity_squared",
         "kinetic_energy",
         "velocity_non_gaussianity",
         "efficiency",
         {"moments", {{"times", {20}}}},
         {"velocity_density", {{"range", {-2, 3}}, {"bins", {5}}}},
         {"joint_density", {{"range", {-2, 3}}, {"bins", {2}}, {"velocity_bins", {5}}, {"times", {20}}}},
         {"correlation", {{"lags", {3}}, {"step", {step}}, {"origins", {8}}, {"normalised", {1}}}},
         {"spectrum", {{"samples", {16}}, {"segments", {1}}, {"step", {0.5}}}}},
        count);
    const double v = 0.5 / gamma;
    const bool few = paths <= 256;  // more of them see the step's error
    all.column("velocity_squared", few ? T / m + v * v : unknown);
    all.column("kinetic_energy", few ? T / 2 + m * v * v / 2 : unknown);
    all.column("velocity_non_gaussianity", 0);
    all.element("v_cumulant_2", 0, T / m);
    all.element("v_cumulant_3", 0, 0);
    all.element("v_cumulant_4", 0, 0);
    all.element("velocity_density", 2, unknown);
    all.element("joint_density", 5, unknown);
    all.element("correlation", 1, std::exp(-gamma * step / m));
    all.element("spectrum", 2, unknown);
  });
}

TEST_CASE("calibration: tilted sine") {
  const double F = 2, D = 0.5, dt = 0.004;
  const auto V = [](double x) { return std::sin(two_pi * x); };
  const auto exact = reference::stratonovich(V, F, D, 1);
  const double by_F = (reference::stratonovich(V, F + 0.1, D, 1).v - exact.v) / 0.1;
  for_paths(1024, [&](uint64_t paths, size_t count) {
    if (paths == 64 && !all_asked()) count = 1000;
    if (paths == 256 && !all_asked()) return;
    const Ensembles all(make_model({{BM_POTENTIAL, "sine", {}}, heat}, F), timed_run(dt, 12, 0.1, paths),
                        {"velocity",
                         "diffusion",
                         "peclet",
                         "mobility",
                         "lyapunov",
                         {"density", {{"bins", {8}}, {"count", {20}}}},
                         {"current", {{"bins", {4}}}}},
                        count);
    all.column("velocity", exact.v);
    all.column("diffusion", exact.D_eff);
    all.column("peclet", exact.v / exact.D_eff);
    all.column("mobility", by_F);
    all.column("lyapunov", unknown);
    all.element("density", 1, unknown);
    all.element("current", 1, unknown);
  });
}

TEST_CASE("calibration: velocities without steps, from which the known part of the noise is taken") {
  const Part ramp{BM_POTENTIAL, "piecewise_linear", {}};
  const Part kicks{BM_NOISE, "poisson", {{"lambda", 6}, {"zeta", 0.4}}};
  const Part flips{BM_NOISE, "dichotomous", {{"Fa", 1}, {"Fb", 2}, {"tau", 0.3}}};
  RunOptions asked = options();
  asked.time = 20;
  asked.method = "exact";
  const Model cold = make_model({ramp, kicks}, 0.3);
  for_paths(1024, [&](uint64_t paths, size_t count) {
    asked.paths = paths;
    Ensembles(cold, asked, {"velocity"}, count).column("velocity", theory_of("poisson_velocity", cold).at(0));
  });
  for (const double D : {0.01, 1.0, 100.0}) {
    CAPTURE(D);
    Model model = make_model({ramp, heat, kicks, flips}, 0.3);
    model.set("gaussian.D", D);
    for_paths(1024, [&](uint64_t paths, size_t count) {
      asked.paths = paths;
      Ensembles(model, asked, {"velocity"}, count).column("velocity", theory_of("master", model).at(0));
    });
  }
}

TEST_CASE("calibration: first passages in a double well, some censored") {
  const double D = 0.15, exact = reference::mean_exit(double_well, 0, D, -2.6, -1, 1).time;
  const Model model = make_model({{BM_POTENTIAL, "double_well", {}}, {BM_NOISE, "gaussian", {{"D", D}}}});
  for_paths(1024, [&](uint64_t paths, size_t count) {
    if (paths == 256 && !all_asked()) return;
    count = all_asked() ? count : 500;
    for (const double means : {2.0, 4.0}) {  // 13 % and 2 % are left
      if (means == 2 && !all_asked()) continue;
      CAPTURE(means);
      const Ensembles all(model, timed_run(0.02, means * exact, 0, paths),
                          {{"first_passage", {{"from", {-1}}, {"to", {1}}, {"bins", {8}}}},
                           {"residence", {{"from", {-0.7}}, {"to", {0.7}}}}},
                          count);
      all.column("mean_first_passage_time", exact);
      all.column("first_passage_variance", unknown, 1024);
      if (means == 2) all.column("first_passage_censored", unknown);  // else few are left
      all.element("first_passage_density", 1, unknown);
      all.column("residence_low", unknown);
      all.column("residence_low_fraction", unknown);
    }
  });
}

TEST_CASE("calibration: mean of symmetric Levy flights, which have no variance") {
  for (const double alpha : {1.2, 1.6}) {
    CAPTURE(alpha);
    for_paths(1024, [&](uint64_t paths, size_t count) {
      const Ensembles all(make_model({{BM_NOISE, "levy", {{"alpha", alpha}}}}, 0.3), timed_run(0.5, 2, 0, paths),
                          {"velocity", {"fractional_moment", {{"q", {0.25}}, {"times", {0, 1, 1.5, 2}}}}}, count);
      all.column("velocity", 0.3);
      all.element("fractional_moment", 2, unknown);
    });
  }
}

TEST_CASE("calibration: targets: neither the error nor the mean knows when the run was stopped") {
  const double D = 0.5, F = 0.3;
  for (const Case& one : {Case{"diffusion", D, 0, 0.09},
                          {"diffusion", D, 0.03, 0},
                          {"velocity", F, 0, 0.07},
                          {"velocity", F, 0.1, 0},
                          {"peclet", F / D, 0, 0.03}}) {
    const std::string target = one.column;
    CAPTURE(target);
    CAPTURE(one.relative);
    RunOptions asked = timed_run(0.125, 4, 0.25, one.exact == F / D ? 128 : 64);
    asked.targets = {{one.column, one.relative, one.absolute}};
    const Ensembles all(make_model({heat}, F), asked, {ObservableRequest(one.column)}, 2000);
    all.column(one.column, one.exact);
    double sum = 0, errors = 0;
    for (const Estimate& e : all.outcome.estimates[0])
      if (std::isfinite(e.value)) sum += e.value - one.exact, errors += e.error;
    const double bias_over_error = sum / errors;
    CHECK_NEAR(bias_over_error, 0, 0.1);
  }
}

TEST_CASE("calibration: step_error of few paths, whose shares are a few paths each") {
  const double D = 0.5, F = 0.3;
  for_paths(256, [&](uint64_t paths, size_t count) {
    RunOptions asked = timed_run(0.125, 4, 0.25, paths);
    asked.step_error = true;
    const Ensembles all(make_model({heat}, F), asked, {"velocity", "diffusion"}, count);
    all.column("velocity", F);
    all.column("diffusion", D);
    check({"velocity_extrapolated", all.outcome.extrapolated[0]}, F);
    check({"diffusion_extrapolated", all.outcome.extrapolated[1]}, D);
  });
}
