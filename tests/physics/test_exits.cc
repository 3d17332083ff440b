// Exits: paths that end at walls which absorb.
//
// Held to: exits from a box: the survival of paths, by the sum of sines, both moments of the time, and the side; mean
// time and side under a force; a wall that absorbs beside one that reflects; a variable of a system with a drift: both
// moments of the time, and that its paths are not there later; the fall with inertia and without noise; under kicks,
// first_passage; from an unstable place, where what goes on would diverge; with noise in proportion to x; the search
// with resetting (Evans and Majumdar); the density of the paths that are still in a box, by sums of sines, alone and
// beside another variable with kicks; resonant activation over a barrier that flips, by its differential equations
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "measures.h"
#include "results.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// Paths that end at these places.
Model ending(Model model, const char* from, const char* to) {
  model.add_walls({"x", from, to, true}, {});
  return model;
}

/// Mean time to leave [-1, 1] from 0 under a force F towards 0 or away from it, which flips at a rate each way:
/// D T'' + f T' + rate (T_other - T) = -1 on x > 0, T'(0) = 0, T(1) = 0, by shooting, in which T is linear.
double activation_time(double F, double D, double rate) {
  const int n = 2000;
  const double h = 1.0 / n;
  const auto shoot = [&](double a, double b, bool source) {
    // y = (T1, T1', T2, T2'), under -F and +F
    std::array<double, 4> y = {a, 0, b, 0};
    const auto f = [&](const std::array<double, 4>& z) {
      const double one = source ? 1 : 0;
      return std::array<double, 4>{z[1], (-one + F * z[1] - rate * (z[2] - z[0])) / D, z[3],
                                   (-one - F * z[3] - rate * (z[0] - z[2])) / D};
    };
    const auto moved = [](const std::array<double, 4>& z, const std::array<double, 4>& d, double by) {
      std::array<double, 4> sum = z;
      for (size_t i = 0; i < 4; ++i) sum[i] += by * d[i];
      return sum;
    };
    for (int i = 0; i < n; ++i) {
      const auto k1 = f(y), k2 = f(moved(y, k1, h / 2)), k3 = f(moved(y, k2, h / 2)), k4 = f(moved(y, k3, h));
      for (size_t j = 0; j < 4; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
    return std::pair(y[0], y[2]);
  };
  const auto [p1, p2] = shoot(0, 0, true);
  const auto [a1, a2] = shoot(1, 0, false);
  const auto [b1, b2] = shoot(0, 1, false);
  const double det = a1 * b2 - a2 * b1, first = (-p1 * b2 + p2 * b1) / det, second = (-p2 * a1 + p1 * a2) / det;
  return (first + second) / 2;
}

}  // namespace

TEST_CASE("exits from a box: survival, moments, sides" * doctest::test_suite("quick")) {
  const double D = 0.5, x0 = 0.4;
  for (const double force : {0.0, 0.8}) {
    CAPTURE(force);
    RunOptions run = timed_run(0.04, 12, 0, 400000);
    begin_at(run, "x", x0);
    const Results of(ending(make_model({{BM_NOISE, "gaussian", {{"D", D}}}}, force), "-1", "1"), run,
                     {{"exits", {{"bins", {6}}, {"longest", {3}}}}});
    const double v = force / D;
    if (force == 0) {
      CHECK_EXACT(of.column("mean_exit_time"), (1 - x0 * x0) / (2 * D), 0.0015);
      // <t^2>: D u'' = -2 T
      const double square = (5 - 6 * x0 * x0 + x0 * x0 * x0 * x0) / (12 * D * D), mean = (1 - x0 * x0) / (2 * D);
      CHECK_EXACT(of.column("exit_time_variance"), square - mean * mean, 0.004);
      CHECK_EXACT(of.column("exit_above"), (1 + x0) / 2, 0.001);
      for (const size_t bin : {0, 2, 5}) {
        const double t = 0.5 * (static_cast<double>(bin) + 1);
        double sum = 0;
        for (int k = 1; k < 60; k += 2) {
          const double q = k * M_PI / 2;
          sum += 4 / (k * M_PI) * std::sin(q * (x0 + 1)) * std::exp(-D * q * q * t);
        }
        CHECK_EXACT(of.element("survival_probability", bin), sum, 0.001);
      }
    } else {
      const double above = (1 - std::exp(-v * (x0 + 1))) / (1 - std::exp(-2 * v));
      CHECK_EXACT(of.column("exit_above"), above, 0.001);
      CHECK_EXACT(of.column("mean_exit_time"), (2 * above - 1 - x0) / force, 0.0015);
    }
  }
}

TEST_CASE("one wall that absorbs, another that reflects; with inertia; of a system") {
  const double D = 0.5;
  {
    Model box = make_model({{BM_NOISE, "gaussian", {{"D", D}}}});
    box.add_walls({"x", "0"}, {});
    RunOptions run = timed_run(0.002, 20, 0, 30000);
    begin_at(run, "x", 0.2);
    const Results of(ending(box, "", "1"), run, {{"exits"}});
    CHECK_EXACT(of.column("mean_exit_time"), (1 - 0.04) / (2 * D), 0.006);
    CHECK_EXACT(of.column("exit_above"), 1, 1e-4);
  }
  {
    // y drifts to its wall at 2, whatever x does: mean 2/v, variance 2 D 2/v^3
    Model two = make_system({.variables = {{"x"}, {"y"}},
                             .equations = {{"x", "y - x"}, {"y", "v"}},
                             .parameters = {{"v", 1}, {"top", 2}},
                             .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.3}}, "one"},
                                       {"y", BM_NOISE, "gaussian", {{"D", 0.2}}, "other"}}},
                            [](Model& m) {
                              m.add_walls({"y", "", "top", true}, {});
                            });
    RunOptions run = timed_run(0.005, 30, 0, 30000);
    begin_at(run, "y", 0);
    const Results of(two, run, {{"exits"}, {"paths", {{"paths", {20}}, {"count", {30}}}, {{"of", "y"}}}});
    CHECK_EXACT(of.column("mean_exit_time_y"), 2, 0.01);
    CHECK_EXACT(of.column("exit_time_variance_y"), 0.8, 0.02);
    size_t ended = 0;
    for (const double y : of.array("paths_y").values) ended += std::isnan(y) ? 1 : 0;
    CHECK(ended > 300);
  }
  {
    // Deterministic with inertia: x = t^2/2 from rest reaches 2 at t = 2
    RunOptions run = timed_run(0.01, 3, 0, 16);
    begin_at(run, "x", 0);
    run.starts["v"] = StartLaw{0, 0, 0, 0};
    const Results of(ending(make_model(Inertial{.gamma = 0, .force = 1}, {}), "", "2"), run, {{"exits"}});
    CHECK(of.column("mean_exit_time").value == doctest::Approx(2).epsilon(1e-4));
  }
}

TEST_CASE("exits under kicks are first passages") {
  const auto model = [] {
    return make_model({{BM_NOISE, "gaussian", {{"D", 0.2}}}, {BM_NOISE, "poisson", {{"D", 0.3}, {"a", 2.0}}}}, -0.2);
  };
  RunOptions run = timed_run(0.01, 20, 0, 40000);
  begin_at(run, "x", 0);
  const Results exits(ending(model(), "-1", "1"), run, {{"exits"}});
  const Results passages(model(), run, {{"first_passage", {{"to", {-1, 1}}}}});
  for (const auto& [exit, passage] : {std::pair("mean_exit_time", "mean_first_passage_time"),
                                      std::pair("exit_time_variance", "first_passage_variance")}) {
    CHECK_EXACT(difference(exits.column(exit), passages.column(passage)), 0, 0.04);
  }
}

TEST_CASE("after its end a path does not matter: exits from an unstable place" * doctest::test_suite("quick")) {
  // V = -k x^2/2, which takes what is outside to infinity. D T'' + k x T' = -1: T'(x) = -(1/D) e^{-kx^2/2D} int_0^x ...
  const double k = 4, D = 0.2;
  double time = 0;
  const int n = 4000;
  double inner = 0;
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) / n, h = 1.0 / n;
    inner += std::exp(k * x * x / (2 * D)) * h / 2;
    time += std::exp(-k * x * x / (2 * D)) * inner / D * h;
    inner += std::exp(k * x * x / (2 * D)) * h / 2;
  }
  Model unstable = make_system({.variables = {{"x"}},
                                .equations = {{"x", "k*x"}},
                                .parameters = {{"k", k}},
                                .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}}}},
                               [](Model& m) {
                                 m.add_walls({"x", "-1", "1", true}, {});
                               });
  RunOptions run = timed_run(0.001, 60, 0, 40000);
  begin_at(run, "x", 0);
  const Results of(unstable, run, {{"exits"}});
  CHECK_EXACT(of.column("mean_exit_time_x"), time, 0.003);
  CHECK(of.column("survival_x").value == 0);
}

TEST_CASE("exits with noise in proportion to x, alone and beside another variable") {
  // ln x diffuses from 0 to +-L with the drift -D
  const double D = 0.5, L = std::log(2.0), above = (1 - std::exp(L)) / (1 - std::exp(2 * L));
  const double exact = (L - 2 * L * above) / D;
  for (const bool beside : {false, true}) {
    CAPTURE(beside);
    SystemParts parts{.variables = {{"x"}}, .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "bath"}}};
    if (beside) {
      parts.variables.push_back({"y"});
      parts.equations["y"] = "x - y";
    }
    const Model model = make_system(parts, [&](Model& m) {
      m.add_amplitude("bath", beside ? std::vector<std::string>{"x", ""} : std::vector<std::string>{"x"}, {});
      m.set_interpretation("ito");
      m.add_walls({"x", "1/2", "2", true}, {});
    });
    RunOptions run = timed_run(0.02, 20, 0, 200000);
    begin_at(run, "x", 1);
    const Results of(model, run, {{"exits"}});
    CHECK_EXACT(of.column("mean_exit_time_x"), exact, 0.0012);
    CHECK_EXACT(of.column("exit_above_x"), above, 0.0012);
  }
}

TEST_CASE("the time to find a wall by diffusion with resetting") {
  const double D = 0.5, r = 1;
  Model model = make_model({{BM_NOISE, "gaussian", {{"D", D}}}});
  model.add_event({.name = "reset", .trigger = "rate", .formula = "r", .set = {{"x", "1"}}}, {"r"});
  model.set("reset.r", r);
  RunOptions run = timed_run(0.02, 60, 0, 100000);
  begin_at(run, "x", 1);
  // M. R. Evans, S. N. Majumdar, Phys. Rev. Lett. 106, 160601 (2011)
  const double exact = std::expm1(std::sqrt(r / D)) / r;
  const Results of(ending(model, "0", ""), run, {{"exits"}});
  CHECK_EXACT(of.column("mean_exit_time"), exact, 0.012);

  // of a rate that is a formula, an event of one path must not make its neighbours meet the wall
  model = make_model({{BM_NOISE, "gaussian", {{"D", D}}}});
  model.add_event({.name = "reset", .trigger = "rate", .formula = "r*if(x < 10, 1, 0)", .set = {{"x", "1"}}}, {"r"});
  model.set("reset.r", r);
  const Results by_formula(ending(model, "0", ""), run, {{"exits"}});
  CHECK_EXACT(by_formula.column("mean_exit_time"), exact, 0.012);
}

TEST_CASE("exits and first passages in steps that kicks divide") {
  // Against steps a tenth as long: a part of a step that was looked at twice would have twice its chance.
  const Model kicked =
      make_model({{BM_NOISE, "gaussian", {{"D", 0.5}}}, {BM_NOISE, "poisson", {{"lambda", 20.0}, {"zeta", 0.05}}}});
  const auto time_of = [&](const Model& model, double dt, const char* observed, const char* column) {
    RunOptions run = timed_run(dt, 12, 0, 200000);
    begin_at(run, "x", 0);
    ObservableRequest request{observed};
    if (std::string(observed) == "first_passage") request.numbers["to"] = {-1, 1};
    return Results(model, run, {request}).column(column);
  };
  const Estimate fine = time_of(ending(kicked, "-1", "1"), 0.002, "exits", "mean_exit_time");
  CHECK_EXACT(time_of(ending(kicked, "-1", "1"), 0.02, "exits", "mean_exit_time"), fine.value, 0.002);
  CHECK_EXACT(time_of(kicked, 0.02, "first_passage", "mean_first_passage_time"), fine.value, 0.002);
}

TEST_CASE("the density of the paths that are still in a box: sums of sines, and one sine in the end") {
  const double D = 0.5, x0 = 0.3;
  // Its integral from 0 to x.
  const auto below = [&](double x, double t) {
    double sum = 0;
    for (int n = 1; n < 60; ++n) {
      const double k = n * M_PI;
      sum += 2 / k * std::sin(k * x0) * (1 - std::cos(k * x)) * std::exp(-D * k * k * t);
    }
    return sum;
  };
  const auto exact_in = [&](double from, double to, double t) {
    return (below(to, t) - below(from, t)) / below(1, t) / (to - from);
  };
  const std::vector<double> times = {0.02, 0.1, 0.6};
  RunOptions run = timed_run(0.002, 0.6, 0, 400000);
  begin_at(run, "x", x0);
  const Model alone = ending(make_model({{BM_NOISE, "gaussian", {{"D", D}}}}), "0", "1");
  const Results of(alone, run,
                   {{"density", {{"bins", {10}}, {"range", {0, 1}}, {"times", times}}},
                    {"paths", {{"paths", {2000}}, {"times", times}}}});
  for (size_t k = 0; k < 3; ++k) {
    double sum = 0;
    for (size_t i = 0; i < 10; ++i) {
      CAPTURE(k);
      CAPTURE(i);
      const double from = 0.1 * static_cast<double>(i), exact = exact_in(from, from + 0.1, times[k]);
      const Estimate p = of.element("density", 10 * k + i);
      CHECK_EXACT(p, exact, 0.05);
      const double sine = 5 * (std::cos(M_PI * from) - std::cos(M_PI * (from + 0.1)));
      if (k == 2) CHECK(exact == doctest::Approx(sine).epsilon(0.01));
      sum += p.value * 0.1;
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-9));
  }
  size_t there = 0;
  for (size_t path = 0; path < 2000; ++path) there += std::isfinite(of.array("paths_x").values[3 * path + 1]) ? 1 : 0;
  CHECK(std::abs(static_cast<double>(there) / 2000 - below(1, 0.1)) < 0.045);
  // in the end near the wall, where a step is twice as long as a bin, whatever the increments
  for (const char* increments : {"gaussian", "near_gaussian"}) {
    CAPTURE(std::string(increments));
    RunOptions coarse = timed_run(0.01, 0.6, 0, 1000000);
    coarse.increments = increments;
    begin_at(coarse, "x", x0);
    const Results near(alone, coarse, {{"density", {{"bins", {20}}, {"range", {0, 1}}, {"times", {0.6}}}}});
    for (const size_t i : {0, 1, 18, 19}) {
      const double from = 0.05 * static_cast<double>(i);
      CHECK_EXACT(near.element("density", i), exact_in(from, from + 0.05, 0.6), 0.015);
    }
  }
  // beside another variable, with kicks: every path on a clock of its own
  Model system;
  make_model({});
  system.make_system({{"x"}, {"y"}}, {});
  for (const char* variable : {"x", "y"}) {
    system.add(BM_NOISE, "gaussian", std::string("bath_") + variable, variable);
    system.set(std::string("bath_") + variable + ".D", D);
  }
  system.add(BM_NOISE, "poisson", "kicks", "y");
  system.set_equations({"", "-y"});
  system.add_walls({"x", "0", "1", true}, {});
  run.dt = 1e-3;
  run.paths = 40000;
  const Results plane(
      system, run,
      {{"density", {{"bins", {4}}, {"range.x", {0, 1}}, {"range.y", {-40, 40}}, {"times", {0.1}}}, {{"of", "x,y"}}}});
  for (size_t i = 0; i < 4; ++i) {
    const double from = 0.25 * static_cast<double>(i);
    Estimate p{0, 0};
    for (size_t k = 0; k < 4; ++k) {
      const Estimate one = plane.element("density_x_y", 4 * k + i);
      p.value += one.value * 20, p.error = std::hypot(p.error, one.error * 20);
    }
    CHECK(std::abs(p.value - exact_in(from, from + 0.25, 0.1)) < 4 * p.error + 0.02);
  }
}

TEST_CASE("resonant activation: the mean exit time over a barrier that flips has a minimum") {
  const double F = 4, D = 0.5;
  std::vector<double> times;
  for (const double rate : {0.02, 2.0, 200.0}) {
    CAPTURE(rate);
    Model model = make_system(
        {.variables = {{"x"}},
         .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}},
                   {"x", BM_NOISE, "dichotomous", {{"Fa", F}, {"Fb", F}, {"tau", 1 / (2 * rate)}}, "flips"}}},
        [](Model& m) {
          m.add_amplitude("flips", {"-sign(x)"}, {});
          m.add_walls({"x", "-1", "1", true}, {});
        });
    RunOptions run = timed_run(rate > 100 ? 0.001 : 0.004, rate < 1 ? 800 : 60, 0, 80000);
    run.check_step = false;
    begin_at(run, "x", 0);
    const Results of(model, run, {{"exits"}});
    times.push_back(activation_time(F, D, rate));
    CHECK_EXACT(of.column("mean_exit_time_x"), times.back(), 0.01 * times.back());
  }
  CHECK(times[1] < 0.6 * times[0]);
  CHECK(times[1] < 0.8 * times[2]);
}
