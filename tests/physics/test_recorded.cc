// Observables of recorded paths against exact results; what is recorded is what the run ends with.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ensemble.h"
#include "reference_inertial.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

struct Recorded {
  Plan plan;
  RunOutcome outcome;
  std::vector<double> end;  // x of every path at the end of the run
  const std::vector<double>& array(const std::string& name) const {
    const auto found = std::find_if(outcome.arrays.begin(), outcome.arrays.end(),
                                    [&](const Array& array) { return array.name == name; });
    REQUIRE(found != outcome.arrays.end());
    return found->values;
  }
  Estimate estimate(const std::string& name, size_t i) const { return {array(name)[i], array(name + "_err")[i]}; }
};

Recorded record(const Model& model, RunOptions asked, std::vector<ObservableRequest> observables) {
  asked.observables = std::move(observables);
  Recorded result;
  result.plan = make_plan(model, Sweep(), asked);
  RunHooks hooks;
  hooks.window = [&](size_t, const Window& window) { result.end.assign(window.end.begin(), window.end.end()); };
  result.outcome = run(result.plan, hooks);
  return result;
}

RunOptions timed(double dt, double time, uint64_t paths) {
  RunOptions result = options();
  result.dt = dt;
  result.time = time;
  result.paths = paths;
  return result;
}

const Part heat{BM_NOISE, "gaussian", {{"T", 1.5}}}, kicks{BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 0.5}}};

}  // namespace

TEST_CASE("moments: variances of x and v of a free inertial particle, from the start") {
  const double m = 2, gamma = 0.7, T = 1.5;
  RunOptions asked = timed(0.01, 8, 49152);
  asked.transient = 0;
  asked.start_x = StartLaw{};
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
  RunOptions asked = timed(0.05, 6, 98304);
  asked.transient = 0;
  asked.start_x = StartLaw{};
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

TEST_CASE("correlation: exp(-gamma t / m) of the free inertial particle") {
  const double m = 2, gamma = 0.7, T = 1.5;
  const Recorded r = record(make_model({.mass = m, .gamma = gamma}, {heat}), timed(0.02, 20, 8192),
                            {{"correlation", {{"lags", {6}}, {"step", {1}}, {"origins", {12}}}}});
  for (size_t lag = 0; lag < 6; ++lag) {
    CAPTURE(lag);
    CHECK_EXACT(r.estimate("correlation", lag), T / m * std::exp(-gamma * static_cast<double>(lag) / m), 0.01);
  }
}

TEST_CASE("density: Boltzmann's in the sine potential") {
  const double D = 0.7;
  const size_t bins = 20;
  const Part wave{BM_POTENTIAL, "sine", {}}, bath{BM_NOISE, "gaussian", {{"D", D}}};
  const Recorded r = record(make_model({wave, bath}), timed(0.001, 10, 8192),
                            {{"density", {{"bins", {static_cast<double>(bins)}}, {"count", {50}}}}});
  std::vector<double> exact(bins);
  double norm = 0;
  constexpr size_t fine = 200;
  for (size_t i = 0; i < bins * fine; ++i) {
    const double x = (static_cast<double>(i) + 0.5) / (bins * fine) - 0.5;
    const double weight = std::exp(-std::sin(2 * std::numbers::pi * x) / D);
    exact[i / fine] += weight * bins;
    norm += weight;
  }
  for (size_t bin = 0; bin < bins; ++bin) {
    CAPTURE(bin);
    CHECK_EXACT(r.estimate("density", bin), exact[bin] / norm, 0.02);
  }
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
  // at whole periods v = a gamma / (gamma^2 + m^2 omega^2), with an error of the step of second order
  const std::vector<double>& v = r.array("stroboscope_v");
  REQUIRE(v.size() == 15);
  for (const double one : v) CHECK(one == doctest::Approx(2.0 * 0.8 / (0.64 + 9)).epsilon(1e-3));
}

TEST_CASE("paths: the last record is where the run ends, bit for bit, whatever launches, batches and threads are") {
  const Part wave{BM_POTENTIAL, "sine", {}}, push{BM_DRIVE, "cosine", {}}, bath{BM_NOISE, "gaussian", {{"D", 0.3}}};
  for (const Model& model : {make_model({wave, bath, push}), make_model({wave, bath, kicks, push})}) {
    RunOptions asked = timed(0.01, 7.3, 700);
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
