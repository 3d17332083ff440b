// Densities and probability currents against exact laws, and against each other.
//
// Held to: Boltzmann's, Maxwell's and their product; the wrapped normal law of a particle that spreads on a ring, time
// by time; Boltzmann's in a harmonic trap, of the unfolded x in a range; displacements of a free particle from the
// first step on, of kicks and of a tilted one; J = ⟨v⟩/L at every place of a tilted sine (Stratonovich); driven, with
// kicks: what enters a bin less what leaves it is the growth of its density, to rounding
#include <doctest/doctest.h>

#include <array>
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

TEST_CASE("density: Boltzmann's in the sine potential" * doctest::test_suite("quick")) {
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
  asked.starts["x"] = StartLaw{start};
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
  const Recorded r = record(make_model({.mass = m, .gamma = 0.7}, {{BM_NOISE, "gaussian", {{"T", T}}}}),
                            timed_run(0.02, 20, 0.1, 8192),
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

TEST_CASE(
    "density and joint density of the unfolded x in a range: a harmonic trap's, and what lies beyond is in no bin") {
  const double k = 1.5, T = 0.6, m = 0.8;
  const Model model = make_model({.mass = m, .gamma = 1.2},
                                 {{BM_POTENTIAL, "harmonic", {{"k", k}}}, {BM_NOISE, "gaussian", {{"T", T}}}});
  const Recorded r = record(model, timed_run(0.02, 20, 0.5, 16384),
                            {{"density", {{"bins", {6}}, {"count", {20}}, {"range", {-0.5, 1.0}}}},
                             {"joint_density",
                              {{"bins", {3}},
                               {"velocity_bins", {2}},
                               {"count", {20}},
                               {"position_range", {-0.5, 1.0}},
                               {"range", {-1, 1}}}}});
  const Array& density = r.outcome.arrays[0];
  CHECK(density.coordinates[0].name == "x");
  CHECK(density.coordinates[0].values[0] == doctest::Approx(-0.375));
  CHECK(density.label == "p(x)");
  CHECK(density.unit == "1/length");
  for (size_t bin = 0; bin < 6; ++bin) {
    CAPTURE(bin);
    const double from = -0.5 + 0.25 * static_cast<double>(bin);
    CHECK_EXACT(r.estimate("density", bin), normal_between(from, from + 0.25, 0, T / k) / 0.25, 0.01);
  }
  for (size_t bin = 0; bin < 6; ++bin) {
    CAPTURE(bin);
    const double x = -0.5 + 0.5 * static_cast<double>(bin % 3), v = bin < 3 ? -1 : 0;
    const double exact = normal_between(x, x + 0.5, 0, T / k) / 0.5 * normal_between(v, v + 1, 0, T / m);
    CHECK_EXACT(r.estimate("joint_density", bin), exact, 0.01);
  }
}

TEST_CASE("density in a range: of a periodic potential's unfolded x, a particle that runs away") {
  const double D = 0.3, F = 2;
  RunOptions asked = timed_run(0.01, 3, 0, 32768);
  asked.starts["x"] = StartLaw{};
  const Recorded r = record(make_model({{BM_NOISE, "gaussian", {{"D", D}}}}, F), asked,
                            {{"density", {{"bins", {4}}, {"times", {1, 3}}, {"range", {1, 7}}}}});
  for (size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    const double t = i < 4 ? 1 : 3, from = 1 + 1.5 * static_cast<double>(i % 4);
    CHECK_EXACT(r.estimate("density", i), normal_between(from, from + 1.5, F * t, 2 * D * t) / 1.5, 0.005);
  }
}

TEST_CASE("displacement_density: a normal law from the first step on, whatever the transient was" *
          doctest::test_suite("quick")) {
  const double D = 0.7, F = 0.4, dt = 0.02;
  const Recorded r =
      record(make_model({{BM_NOISE, "gaussian", {{"D", D}}}}, F), timed_run(dt, 2, 0.1, 65536),
             {{"displacement_density", {{"bins", {8}}, {"times", {0.5, 0.52, 0.6, 1.5}}, {"range", {-0.8, 0.8}}}}});
  const Array& density = r.outcome.arrays[1];
  REQUIRE(density.name == "displacement_density");
  CHECK(density.coordinates[0].name == "time_since");
  for (size_t i = 0; i < 3; ++i) {
    const double t = r.array("displacement_density_time")[i];
    CHECK(t == doctest::Approx(std::array{0.02, 0.1, 1.0}[i]));
    CHECK(t == density.coordinates[0].values[i]);
    for (size_t bin = 0; bin < 8; ++bin) {
      CAPTURE(t);
      CAPTURE(bin);
      const double from = -0.8 + 0.2 * static_cast<double>(bin), mean = F * t, variance = 2 * D * t;
      const double exact = normal_between(from, from + 0.2, mean, variance) / 0.2;
      if (exact < 0.02) continue;  // too few
      CHECK_EXACT(r.estimate("displacement_density", i * 8 + bin), exact, 0.02);
    }
  }
}

TEST_CASE("displacement_density: shot noise leaves exp(-lambda t) of the paths where the drift takes them" *
          doctest::test_suite("quick")) {
  const double lambda = 2, zeta = 0.5, t = 0.5;
  RunOptions asked = timed_run(0.05, 1, 0, 32768);
  const Recorded r =
      record(make_model({{BM_NOISE, "poisson", {{"lambda", lambda}, {"zeta", zeta}}}}), asked,
             {{"displacement_density", {{"bins", {10}}, {"times", {0.5, 1}}, {"range", {-0.55, 0.45}}}}});
  CHECK_EXACT(
      r.estimate("displacement_density", 0),
      10 * std::exp(-lambda * t) *
          (1 + lambda * t * (1 - std::exp(-0.05 / zeta)) + lambda * lambda * t * t / 2 * (1 - std::exp(-0.1) * 1.1) +
           std::pow(lambda * t, 3) / 6 * (1 - std::exp(-0.1) * 1.105)),
      0.05);
}

TEST_CASE("times are those that were recorded, after rounding to steps, and a coordinate where all points share them") {
  const Part heat{BM_NOISE, "gaussian", {{"T", 1.0}}};
  const Model model = make_model({.mass = 1, .gamma = 1}, {wave, heat});
  const std::vector<ObservableRequest> all = {{"moments", {{"times", {0.26, 1.01}}}},
                                              {"density", {{"bins", {2}}, {"times", {0.26, 1.01}}}},
                                              {"correlation", {{"lags", {3}}, {"step", {0.26}}, {"origins", {2}}}},
                                              {"current", {{"bins", {2}}, {"times", {0.26, 0.76}}}},
                                              {"fractional_moment", {{"count", {5}}}},
                                              {"paths", {{"count", {3}}}}};
  Sweep one, two;
  one.add_axis({"force"}, {{0, 1}});
  two.add_axis({"dt"}, {{0.1, 0.05}});
  RunOptions asked = timed_run(0.1, 2, 0, 16);
  const Recorded same = record(model, asked, all, one);
  const auto coordinate = [](const Recorded& r, const std::string& name, size_t i = 0) {
    const auto found = std::find_if(r.outcome.arrays.begin(), r.outcome.arrays.end(),
                                    [&](const Array& array) { return array.name == name; });
    REQUIRE(found != r.outcome.arrays.end());
    return found->coordinates[i];
  };
  const auto is = [](const std::vector<double>& a, const std::vector<double>& b) {
    CHECK(a.size() == b.size());
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) CHECK(a[i] == doctest::Approx(b[i]));
  };
  CHECK(coordinate(same, "x_cumulant_1").name == "time");
  is(coordinate(same, "x_cumulant_1").values, {0.3, 1.0});
  is(coordinate(same, "density").values, {0.3, 1.0});
  is(coordinate(same, "correlation").values, {0, 0.3, 0.6});
  is(coordinate(same, "current").values, {0.55});
  CHECK(coordinate(same, "paths_x", 1).name == "time");
  is(coordinate(same, "paths_x", 1).values, {0, 1, 2});
  CHECK(coordinate(same, "fractional_moment").name == "time_since");
  is(coordinate(same, "fractional_moment").values,
     {same.array("fractional_moment_time").begin(), same.array("fractional_moment_time").begin() + 4});
  asked.dt.reset();
  const Recorded differ = record(model, asked, all, two);
  CHECK(coordinate(differ, "x_cumulant_1").name == "asked_time");
  CHECK(coordinate(differ, "correlation").name == "asked_lag");
  CHECK(coordinate(differ, "paths_x", 1).name == "fraction");
  is({differ.array("moments_time")[0], differ.array("moments_time")[2]}, {0.3, 0.25});
}
