// Densities and probability currents against exact laws, and against each other.
//
// Held to: Boltzmann's, Maxwell's and their product; the wrapped normal law of a particle that spreads on a ring, time
// by time; J = ⟨v⟩/L at every place of a tilted sine (Stratonovich); driven, with kicks: what enters a bin less what
// leaves it is the growth of its density, to rounding
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "measures.h"
#include "recorded.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part wave{BM_POTENTIAL, "sine", {}};

double normal_between(double from, double to, double centre, double variance) {
  return normal_law(to, centre, variance) - normal_law(from, centre, variance);
}

/// exp(-V / T) averaged over each of `bins` bins of a period of V = sin 2 pi x, as a density.
std::vector<double> boltzmann(size_t bins, double T) {
  std::vector<double> exact(bins);
  double norm = 0;
  constexpr size_t fine = 200;
  for (size_t i = 0; i < bins * fine; ++i) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(bins * fine) - 0.5;
    const double weight = std::exp(-std::sin(2 * std::numbers::pi * x) / T);
    exact[i / fine] += weight * static_cast<double>(bins);
    norm += weight;
  }
  for (double& p : exact) p /= norm;
  return exact;
}

}  // namespace

TEST_CASE("density: Boltzmann's in the sine potential") {
  const double D = 0.7;
  const size_t bins = 20;
  const Recorded r = record(make_model({wave, {BM_NOISE, "gaussian", {{"D", D}}}}), timed_run(0.001, 10, 0.1, 8192),
                            {{"density", {{"bins", {static_cast<double>(bins)}}, {"count", {50}}}}});
  const std::vector<double> exact = boltzmann(bins, D);
  for (size_t bin = 0; bin < bins; ++bin) {
    CAPTURE(bin);
    CHECK_EXACT(r.estimate("density", bin), exact[bin], 0.02);
  }
}

TEST_CASE("density at times: a free particle on a ring spreads from a point, a normal law wrapped around it") {
  const double D = 0.3, start = 0.15;
  const size_t bins = 10;
  const std::vector<double> times = {0, 0.1, 0.2, 0.5};
  RunOptions asked = timed_run(0.01, 0.6, 0.1, 65536);
  asked.start_x = StartLaw{start};
  asked.increments = "gaussian";
  const Recorded r = record(make_model({{BM_NOISE, "gaussian", {{"D", D}}}}), asked,
                            {{"density", {{"bins", {static_cast<double>(bins)}}, {"times", times}}}});
  REQUIRE(r.array("density").size() == times.size() * bins);
  for (size_t bin = 0; bin < bins; ++bin) CHECK(r.array("density")[bin] == (bin == 6 ? bins : 0));
  for (size_t i = 1; i < times.size(); ++i)
    for (size_t bin = 0; bin < bins; ++bin) {
      CAPTURE(times[i]);
      CAPTURE(bin);
      double exact = 0;
      for (int turn = -5; turn <= 5; ++turn) {
        const double from = static_cast<double>(bin) / static_cast<double>(bins) - 0.5 + turn;
        exact += bins * normal_between(from, from + 0.1, start, 2 * D * times[i]);
      }
      CHECK_EXACT(r.estimate("density", i * bins + bin), exact, 0.02);
    }
}

TEST_CASE("velocity_density: Maxwell's, of which the range cuts off the tails") {
  const double m = 2, T = 1.5, limit = 1.6;
  const size_t bins = 16;
  const Recorded r =
      record(make_model({.mass = m, .gamma = 0.7}, {{BM_NOISE, "gaussian", {{"T", T}}}}), timed_run(0.02, 20, 0.1, 8192),
             {{"velocity_density", {{"bins", {16}}, {"range", {-limit, limit}}, {"count", {20}}}}});
  const double width = 2 * limit / static_cast<double>(bins);
  for (size_t bin = 0; bin < bins; ++bin) {
    const double from = -limit + width * static_cast<double>(bin);
    CAPTURE(from);
    CHECK_EXACT(r.estimate("velocity_density", bin), normal_between(from, from + width, 0, T / m) / width, 0.005);
  }
}

TEST_CASE("joint_density: Boltzmann's in x times Maxwell's in v") {
  const double m = 1.3, T = 0.6, low = -1.5, high = 2;
  const size_t columns = 8, lines = 7;
  RunOptions asked = timed_run(0.005, 20, 0.1, 16384);
  asked.transient = 0.4;  // x begins uniform
  const Recorded r =
      record(make_model({.mass = m, .gamma = 1.5}, {wave, {BM_NOISE, "gaussian", {{"T", T}}}}), asked,
             {{"joint_density", {{"bins", {8}}, {"velocity_bins", {7}}, {"range", {low, high}}, {"count", {20}}}}});
  REQUIRE(r.array("joint_density").size() == columns * lines);
  const std::vector<double> p = boltzmann(columns, T);
  const double width = (high - low) / static_cast<double>(lines);
  for (size_t line = 0; line < lines; ++line)
    for (size_t column = 0; column < columns; ++column) {
      const double from = low + width * static_cast<double>(line);
      CAPTURE(from);
      CAPTURE(column);
      const double exact = p[column] * normal_between(from, from + width, 0, T / m) / width;
      CHECK_EXACT(r.estimate("joint_density", line * columns + column), exact, 0.012);
    }
}

TEST_CASE("current: <v>/L through every place of a tilted sine potential") {
  const double D = 0.5, F = 2;
  RunOptions asked = timed_run(0.002, 20, 0.1, 16384);
  asked.transient = 0.25;
  const Recorded r =
      record(make_model({wave, {BM_NOISE, "gaussian", {{"D", D}}}}, F), asked, {{"current", {{"bins", {8}}}}});
  const double exact = reference::stratonovich([](double x) { return std::sin(2 * std::numbers::pi * x); }, F, D, 1).v;
  REQUIRE(r.array("current").size() == 8);
  for (size_t place = 0; place < 8; ++place) {
    CAPTURE(place);
    CHECK_EXACT(r.estimate("current", place), exact, 0.003);
  }
}

TEST_CASE("current and density: what enters a bin less what leaves it is how its density grows, path for path") {
  const Part push{BM_DRIVE, "cosine", {{"amplitude", 6.0}, {"omega", 5.0}}}, heat{BM_NOISE, "gaussian", {{"D", 0.3}}};
  const Part kicks{BM_NOISE, "poisson", {{"D", 0.5}, {"a", 2.0}}}, sawtooth{BM_POTENTIAL, "piecewise_linear", {}};
  const std::vector<double> times = {0, 0.13, 0.5, 1.7, 2};
  const double L = 2, bins = 9;
  const Recorded r =
      record(make_model({sawtooth, heat, kicks, push}), timed_run(0.01, 2, 0.1, 3000),
             {{"density", {{"bins", {bins}}, {"times", times}}}, {"current", {{"bins", {bins}}, {"times", times}}}});
  const std::vector<double>&p = r.array("density"), &J = r.array("current");
  const size_t n = 9;
  REQUIRE(J.size() == (times.size() - 1) * n);
  double largest = 0;
  for (size_t i = 0; i + 1 < times.size(); ++i)
    for (size_t bin = 0; bin < n; ++bin) {
      const double entered = J[i * n + bin] - J[i * n + (bin + 1) % n];
      CHECK((p[(i + 1) * n + bin] - p[i * n + bin]) * L / bins ==
            doctest::Approx(entered * (times[i + 1] - times[i])).epsilon(1e-9));
      largest = std::max(largest, std::abs(entered));
    }
  CHECK(largest > 0.1);
}
