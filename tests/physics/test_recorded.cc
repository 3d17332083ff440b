// Observables of recorded paths against exact results; what is recorded is what the run ends with.
//
// Held to: cumulants of x and v as functions of time under thermal and shot noise; correlations of v (free) and of x
// (harmonic), about the mean, about 0 and normalised; non-Gaussian parameters of displacements and of v; the same bits
// whether a point is one batch or several
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "backend/backend.h"
#include "recorded.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part heat{BM_NOISE, "gaussian", {{"T", 1.5}}}, kicks{BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 0.5}}};

/// nan, of errors that so many paths do not know, is the same as nan.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("moments: variances of x and v of a free inertial particle, from the start" * doctest::test_suite("quick")) {
  const double m = 2, gamma = 0.7, T = 1.5;
  RunOptions asked = timed_run(0.01, 8, 0.1, 49152);
  asked.transient = 0;
  asked.starts["x"] = StartLaw{};
  const Recorded r =
      record(make_model({.mass = m, .gamma = gamma}, {heat}), asked, {{"moments", {{"times", {0.5, 2, 8}}}}});
  for (size_t i = 0; i < 3; ++i) {
    const double t = r.array("moments_time")[i], s = gamma * t / m;
    CAPTURE(t);
    const double exact = 2 * T * m / (gamma * gamma) * (s - 1 + std::exp(-s));  // Ornstein, Uhlenbeck
    CHECK_EXACT(r.estimate("x_cumulant_2", i), exact, 0.015 * exact);
    CHECK_EXACT(r.estimate("v_cumulant_2", i), T / m, 0.015 * T / m);
    CHECK_EXACT(r.estimate("v_cumulant_4", i), 0, 0.06 * T * T / (m * m));
  }
}

TEST_CASE("moments: four cumulants of free shot noise at exact times, every trajectory on its own clock") {
  RunOptions asked = timed_run(0.05, 6, 0.1, 98304);
  asked.transient = 0;
  asked.starts["x"] = StartLaw{};
  const Recorded r = record(make_model({kicks}), asked, {{"moments", {{"times", {1, 2.5, 6}}}}});
  for (size_t i = 0; i < 3; ++i) {
    const double t = r.array("moments_time")[i];
    CAPTURE(t);
    double factorial = 1;
    for (int n = 2; n <= 4; ++n) {
      factorial *= n;
      const double exact = 2 * t * factorial * std::pow(0.5, n);
      CHECK_EXACT(r.estimate("x_cumulant_" + std::to_string(n), i), exact, 0.15 * exact);
    }
    CHECK_EXACT(r.estimate("x_cumulant_1", i), 0, 0.02);
  }
}

TEST_CASE("correlation: exp(-gamma t / m) of the free inertial particle" * doctest::test_suite("quick")) {
  const double m = 2, gamma = 0.7, T = 1.5;
  const Recorded r = record(make_model({.mass = m, .gamma = gamma}, {heat}), timed_run(0.02, 20, 0.1, 8192),
                            {{"correlation", {{"lags", {6}}, {"step", {1}}, {"origins", {12}}}}});
  for (size_t lag = 0; lag < 6; ++lag) {
    CAPTURE(lag);
    CHECK_EXACT(r.estimate("correlation", lag), T / m * std::exp(-gamma * static_cast<double>(lag) / m), 0.01);
  }
}

TEST_CASE("correlation of the position: D/k exp(-k lag) in a harmonic trap, about 0, about the mean, and normalised") {
  const double D = 0.4, k = 1.5, force = 0.9, step = 0.2;
  const Part trap{BM_POTENTIAL, "harmonic", {{"k", k}}}, bath{BM_NOISE, "gaussian", {{"D", D}}};
  const Model model = make_model({trap, bath}, force);
  const auto correlation = [&](double centred, double normalised) {
    return record(
        model, timed_run(0.01, 20, 0.1, 16384),
        {{"correlation",
          {{"lags", {6}}, {"step", {step}}, {"origins", {40}}, {"centred", {centred}}, {"normalised", {normalised}}},
          {{"of", "position"}}}});
  };
  const Recorded about_mean = correlation(1, 0), about_zero = correlation(0, 0), normalised = correlation(1, 1);
  CHECK(normalised.array("correlation")[0] == 1);
  for (size_t lag = 0; lag < 6; ++lag) {
    CAPTURE(lag);
    const double decay = std::exp(-k * step * static_cast<double>(lag)), mean = force / k;
    CHECK_EXACT(about_mean.estimate("correlation", lag), D / k * decay, 0.002);
    CHECK_EXACT(about_zero.estimate("correlation", lag), D / k * decay + mean * mean, 0.002);
    if (lag > 0) CHECK_EXACT(normalised.estimate("correlation", lag), decay, 0.004);
  }
}

TEST_CASE(
    "correlation of an oscillator of quality 50 keeps its phase at the default step, with inertia and as equations") {
  const double gamma = 0.02, T = 0.5, step = 0.6, omega = std::sqrt(1 - gamma * gamma / 4);
  const StartLaw thermal{0, 0, std::sqrt(T)};
  RunOptions asked;
  asked.time = 300, asked.paths = 4096;
  asked.starts["x"] = thermal;
  const std::map<std::string, std::vector<double>> lags = {{"lags", {81}}, {"step", {step}}, {"origins", {200}}};
  const auto look = [&](const Recorded& r, const std::string& name) {
    for (const size_t lag : {40, 60, 80}) {
      const auto found = std::ranges::find(r.outcome.arrays, name, &Array::name);
      const double t = found->coordinates[0].values[lag];
      CAPTURE(t);
      CHECK_EXACT(r.estimate(name, lag),
                  T * std::exp(-gamma * t / 2) * (std::cos(omega * t) + gamma / (2 * omega) * std::sin(omega * t)),
                  0.005);
    }
  };
  const Part trap{BM_POTENTIAL, "harmonic", {{"k", 1}}}, bath{BM_NOISE, "gaussian", {{"T", T}}};
  look(record(make_model({.mass = 1, .gamma = gamma}, {trap, bath}), asked,
              {{"correlation", lags, {{"of", "position"}}}}),
       "correlation");
  SystemParts parts{.variables = {{"x"}, {"y"}}, .parts = {{"y", BM_NOISE, "gaussian", {{"D", gamma * T}}}}};
  parts.equations = {{"x", "y"}, {"y", "-x - g*y"}}, parts.parameters = {{"g", gamma}};
  asked.starts["y"] = thermal;
  look(record(make_system(parts), asked, {{"correlation", lags, {{"of", "x"}}}}), "correlation_x");
}

TEST_CASE("velocity_non_gaussianity: none in Maxwell's law, 2 gamma / (m lambda) under shot noise") {
  const double m = 2, gamma = 0.7, lambda = 2;
  const Recorded thermal = record(make_model({.mass = m, .gamma = gamma}, {heat}), timed_run(0.02, 20, 0.1, 98304),
                                  {"velocity_non_gaussianity"});
  CHECK_EXACT(thermal.column(0), 0, 0.006);
  // cumulant n of v: lambda n! zeta^n / (n gamma m^(n - 1))
  const Recorded shots = record(make_model({.mass = m, .gamma = gamma}, {kicks}), timed_run(0.02, 40, 0.1, 98304),
                                {"velocity_non_gaussianity"});
  CHECK_EXACT(shots.column(0), 2 * gamma / (m * lambda), 0.03);
}

TEST_CASE("non_gaussianity: 2 / (lambda t) of free shot noise, in the window alone") {
  RunOptions asked = timed_run(0.05, 6, 0.1, 196608);
  asked.transient = 0.5;
  const Recorded r = record(make_model({kicks}), asked, {"non_gaussianity"});
  CHECK_EXACT(r.column(0), 2 / (2.0 * 3), 0.03);
}

TEST_CASE("stroboscope: a driven linear particle without noise repeats itself every period") {
  const Part push{BM_DRIVE, "cosine", {{"amplitude", 2.0}, {"omega", 3.0}}};
  RunOptions asked = options();
  asked.spp = 200;
  asked.periods = 60;
  asked.paths = 64;
  asked.precision = "double";
  const Recorded r = record(make_model({.mass = 1, .gamma = 0.8}, {push}), asked,
                            {{"stroboscope", {{"periods", {5}}, {"paths", {3}}}}});
  // v = a (gamma cos wt + m w sin wt) / (gamma^2 + m^2 w^2), with an error of the step of second order
  const auto exact = [](double phase) {
    const double turn = 2 * std::numbers::pi * phase;
    return 2.0 * (0.8 * std::cos(turn) + 3 * std::sin(turn)) / (0.64 + 9);
  };
  const std::vector<double>& v = r.array("stroboscope_v");
  REQUIRE(v.size() == 15);
  for (const double one : v) CHECK(one == doctest::Approx(exact(0)).epsilon(1e-3));
  const Recorded phased = record(make_model({.mass = 1, .gamma = 0.8}, {push}), asked,
                                 {{"stroboscope", {{"periods", {5}}, {"paths", {3}}, {"phases", {0, 0.25, 0.7}}}}});
  const std::vector<double>& all = phased.array("stroboscope_v");
  REQUIRE(all.size() == 45);
  for (size_t i = 0; i < 45; ++i) CHECK(std::abs(all[i] - exact(std::array{0.0, 0.25, 0.7}[i % 3])) < 1e-3);
}

TEST_CASE("paths: the last record is where the run ends, bit for bit, whatever launches, batches and threads are") {
  const Part wave{BM_POTENTIAL, "sine", {}}, push{BM_DRIVE, "cosine", {}}, bath{BM_NOISE, "gaussian", {{"D", 0.3}}};
  for (const Model& model : {make_model({wave, bath, push}), make_model({wave, bath, kicks, push})}) {
    RunOptions asked = timed_run(0.01, 7.3, 0.1, 700);
    const std::vector<ObservableRequest> all = {{"paths", {{"paths", {700}}, {"times", {0, 0.004, 1.23, 5, 7.3}}}},
                                                "velocity"};
    const Recorded r = record(model, asked, all);
    const std::vector<double>& x = r.array("paths_x");
    REQUIRE(x.size() == 700 * 5);
    double start = 0;
    for (size_t i = 0; i < 700; ++i) {
      CHECK(x[5 * i + 4] == r.end[i]);
      start = std::max(start, std::abs(x[5 * i]));
    }
    CHECK(start <= 0.5);
    CHECK(start > 0.4);
    asked.chunk = 130;
    asked.threads = 1;
    asked.memory = 30000;
    const Recorded again = record(model, asked, all);
    CHECK(again.outcome.batches > 1);
    CHECK(again.array("paths_x") == x);
  }
}

TEST_CASE("marks at one step are one, and points of a sweep may have different numbers of them") {
  const Part wave{BM_POTENTIAL, "sine", {{"V0", 0.1}}}, bath{BM_NOISE, "gaussian", {{"D", 0.3}}};
  Sweep sweep;
  sweep.add_axis({"dt"}, {{0.02, 0.5}});
  for (const Model& model : {make_model({wave, bath}), make_model({wave, bath, kicks})}) {
    RunOptions asked = timed_run(0, 5, 0, 96);
    asked.dt.reset();
    const Recorded r = record(model, asked, {{"paths", {{"paths", {96}}, {"times", {0, 0.3, 0.4, 1.2, 5}}}}}, sweep);
    CHECK(r.plan.points[0].marks == std::vector<double>{0, 15, 20, 60, 250});
    CHECK(r.plan.points[1].marks == std::vector<double>{0, 1, 2, 10});
    const std::vector<double>& x = r.array("paths_x");
    REQUIRE(x.size() == size_t{2} * 96 * 5);
    for (size_t path = 0; path < 96; ++path) {
      const double *fine = &x[5 * path], *coarse = &x[5 * (96 + path)];
      CHECK(fine[1] != fine[2]);
      CHECK(coarse[1] == coarse[2]);
      CHECK(coarse[2] != coarse[3]);
      CHECK(coarse[4] == r.end[path]);
    }
  }
}

TEST_CASE("a point whose paths are split over batches gives the same bits") {
  const Part wave{BM_POTENTIAL, "sine", {}};
  const Model model = make_model({.mass = 1, .gamma = 0.8}, {wave, heat});
  RunOptions asked = timed_run(0.01, 3, 0.1, 700);
  const std::vector<ObservableRequest> all = {
      {"moments", {{"times", {0.5, 3}}}},
      {"density", {{"bins", {12}}, {"count", {7}}}},
      {"joint_density", {{"bins", {5}}, {"velocity_bins", {4}}, {"range", {-2, 2}}, {"times", {1, 2.5}}}},
      {"correlation", {{"lags", {5}}, {"origins", {9}}}},
      {"spectrum", {{"samples", {16}}, {"segments", {2}}}},
      {"fractional_moment", {{"q", {0.7}}, {"count", {6}}}},
      {"current", {{"bins", {3}}, {"times", {0.3, 1, 3}}}},
      "non_gaussianity",
      "velocity"};
  const Recorded whole = record(model, asked, all);
  asked.memory = 40000;
  const Recorded split = record(model, asked, all);
  CHECK(whole.outcome.batches == device_count(asked.device));
  CHECK(split.outcome.batches > 1);
  REQUIRE(whole.outcome.arrays.size() == split.outcome.arrays.size());
  for (size_t i = 0; i < whole.outcome.arrays.size(); ++i) {
    CAPTURE(whole.outcome.arrays[i].name);
    CHECK(same(whole.outcome.arrays[i].values, split.outcome.arrays[i].values));
  }
  for (size_t i = 0; i < whole.outcome.estimates.size(); ++i) {
    CHECK(whole.column(i).value == split.column(i).value);
    CHECK(same({whole.column(i).error}, {split.column(i).error}));
  }
}

TEST_CASE(
    "marks at the beginnings of blocks, which a clock may be past by its rounding, make no step of negative length") {
  const Part wave{BM_POTENTIAL, "sine", {{"V0", 0.5}}}, bath{BM_NOISE, "gaussian", {{"D", 0.1}}};
  RunOptions asked = options();
  asked.paths = 512;
  asked.periods = 100;
  asked.spp = 100;
  const Recorded r = record(make_model({wave, {BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}, bath}), asked,
                            {{"density", {{"bins", {10}}, {"count", {500}}}}});
  CHECK(r.outcome.diverged.empty());
}

TEST_CASE("paths that diverge are recorded as nan from then on, and the others to their end, whatever launches do" *
          doctest::test_suite("quick")) {
  // Jumps take some paths to where the step is too long for the force.
  const Part well{BM_POTENTIAL, "double_well", {}}, jumps{BM_NOISE, "levy", {{"alpha", 1.5}, {"scale", 0.3}}};
  const Model system = make_system({.variables = {{"x"}, {"y"}},
                                    .equations = {{"x", "4*(x - x^3)"}, {"y", "x - y"}},
                                    .parts = {{"x", BM_NOISE, "levy", {{"alpha", 1.5}, {"scale", 0.3}}}}});
  for (const auto& [name, model, dt] :
       {std::tuple("overdamped", make_model({well, jumps}), 0.05),
        std::tuple("underdamped", make_model(Inertial{0.2, 1}, {well, jumps}), 0.1),
        std::tuple("kicked", make_model({well, jumps, kicks}), 0.05), std::tuple("system", system, 0.05)}) {
    const std::string kind = name;
    CAPTURE(kind);
    constexpr size_t paths = 300, marks = 40;
    RunOptions asked = timed_run(dt, 3000 * dt, 0.1, paths);
    asked.method = "heun";
    const std::vector<ObservableRequest> observables = {{"paths", {{"paths", {paths}}, {"count", {marks}}}}};
    const Recorded whole = record(model, asked, observables);
    asked.chunk = 64;  // steps
    const Recorded split = record(model, asked, observables);
    CHECK(same(whole.array("paths_x"), split.array("paths_x")));
    REQUIRE(split.outcome.diverged.size() == 1);
    size_t lost = 0;
    for (size_t path = 0; path < paths; ++path) {
      CHECK(same({split.array("paths_x")[(path + 1) * marks - 1]}, {split.end[path]}));
      if (std::isnan(split.end[path])) ++lost;
    }
    CHECK(lost > 0);
    CHECK(lost < paths);
  }
}
