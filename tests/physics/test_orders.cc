// Weak orders on smooth potentials: a stationary mean against the step, for each integrator and law of the increments.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "ensemble.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double D = 0.5;

RunOptions stationary(const std::string& method, const std::string& increments, double h, double time) {
  RunOptions run = options();
  run.paths = 3145728;
  run.dt = h;
  run.time = time;
  run.transient = 0;
  run.method = method;
  run.increments = increments;
  return run;
}

/// <sin 2 pi x> in V = sin 2 pi x at equilibrium; several seeds, since memory holds so many paths.
Estimate sine_mean(const std::string& method, const std::string& increments, double h, uint64_t seeds) {
  const Model model = make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", D}}}});
  Estimate sum{0, 0};
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    RunOptions run = stationary(method, increments, h, 1);
    run.seed = seed;
    const Estimate e = average(sample(model, run).end, [](double x) { return std::sin(2 * std::numbers::pi * x); });
    sum.value += e.value / static_cast<double>(seeds);
    sum.error += e.error * e.error;
  }
  return {sum.value, std::sqrt(sum.error) / static_cast<double>(seeds)};
}

/// It is -I1(1/D) / I0(1/D).
double sine_exact() { return -std::cyl_bessel_i(1, 1 / D) / std::cyl_bessel_i(0, 1 / D); }

/// Variance in V = k x^2 / 2, k = 1: D.
Estimate harmonic_variance(const std::string& method, const std::string& increments, double h) {
  const Model model = make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}}, {BM_NOISE, "gaussian", {{"D", D}}}});
  return variance(sample(model, stationary(method, increments, h, 12)).end);
}

template <class Measure>
reference::WeakOrder order(const std::string& what, double exact, std::initializer_list<double> steps,
                           Measure measure) {
  std::vector<reference::BiasPoint> points;
  for (const double h : steps) {
    const Estimate e = measure(h);
    points.push_back({h, std::abs(e.value - exact), e.error});
    MESSAGE(what, ", h = ", h, ": bias ", e.value - exact, " +- ", e.error);
  }
  const auto fit = reference::fit_weak_order(points);
  MESSAGE(what, ": order ", fit.order, " +- ", fit.error);
  return fit;
}

}  // namespace

TEST_CASE("in a harmonic potential euler is of weak order 1, heun of 2, platen of 2 or better") {
  // platen's error is an eighth of heun's: it takes twice the step to show, and falls faster since the drift is linear.
  for (const auto& [method, expected, scale] :
       {std::tuple<std::string, double, double>{"euler", 1, 1}, {"heun", 2, 1}, {"platen", 2, 2}})
    for (const std::string increments : {"five_point", "three_point", "gaussian"}) {
      const auto fit = order(fmt::format("{}, {}", method, increments), D, {0.4 * scale, 0.3 * scale, 0.2 * scale},
                             [&](double h) { return harmonic_variance(method, increments, h); });
      CHECK(fit.error < 0.15);
      CAPTURE(method);
      CAPTURE(increments);
      if (method == "platen")
        CHECK(fit.order > expected - 0.4);
      else
        CHECK_NEAR(fit.order, expected, 0.4);
    }
}

TEST_CASE("in a sine potential euler is of weak order 1, too" * doctest::test_suite("quick")) {
  const auto fit =
      order("euler", sine_exact(), {0.008, 0.004}, [](double h) { return sine_mean("euler", "five_point", h, 1); });
  CHECK_NEAR(fit.order, 1, 0.25);
}

TEST_CASE("in a sine potential heun and platen are of weak order 2, where the drift is not linear") {
  for (const auto& [method, increments] :
       {std::pair<std::string, std::string>{"heun", "five_point"}, {"heun", "gaussian"}, {"platen", "five_point"}}) {
    const auto fit = order(fmt::format("{}, {}", method, increments), sine_exact(), {0.008, 0.004},
                           [&](double h) { return sine_mean(method, increments, h, h < 0.005 ? 15 : 6); });
    CHECK(fit.error < 0.3);
    CHECK(fit.order > 1.5);
  }
}
