// Events at zeros of a formula: bounces, thresholds and resets, with and without noise.
//
// Held to: a bouncing ball: energy, rate and time average over hundreds of bounces; a ball on a plate that swings: the
// phase of its orbit; a half of a harmonic trap, with an elastic wall: ⟨x²⟩, ⟨v²⟩, ⟨|x|⟩ and the rate of bounces;
// crossings of levels that only are counted: Rice's rate; integrate and fire: period and average without noise, rate
// with Gaussian noise (Siegert), with an amplitude, with kicks (Richardson and Swarbrick), under flips; a wall that
// holds particles; events that follow others; weak orders: Richardson's extrapolation of two steps; one variable and
// systems alike
#include <doctest/doctest.h>

#include <cmath>

#include "calibration.h"
#include "measures.h"
#include "results.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

using Text = std::vector<std::pair<std::string, std::string>>;

void add_zero(Model& model, const char* name, const char* formula, const char* direction, Text set) {
  model.add_event({.name = name, .trigger = "when", .formula = formula, .direction = direction, .set = std::move(set)},
                  {});
}

/// x'' = -1 above a plate at 0.
Model ball(const char* direction) {
  return make_system(
      {.variables = {{.name = "x", .inertial = true, .mass = 1, .gamma = 0}}, .equations = {{"x", "-1"}}},
      [&](Model& m) {
        add_zero(m, "bounce", "x", direction, {{"v_x", "-v_x"}});
      });
}

/// m = gamma = T = k = 1, with an elastic wall at 0, or with nothing there but a count.
Model half_trap(bool bounces) {
  return make_system({.variables = {{"x", true}},
                      .equations = {{"x", "-x"}},
                      .parts = {{"x", BM_NOISE, "gaussian", {{"D", 1}}, "bath"}}},
                     [&](Model& m) {
                       if (bounces)
                         add_zero(m, "bounce", "x", "down", {{"v_x", "-v_x"}});
                       else
                         for (const auto& [name, formula, direction] :
                              {std::tuple("zero", "x", "both"), std::tuple("rise", "x - 1", "up"),
                               std::tuple("fall", "x - 1", "down")})
                           add_zero(m, name, formula, direction, {{"v_x", "v_x"}});
                     });
}

/// x' = mu - x + noise; at 1 it fires and begins at 0.
Model leaky(double mu, const std::vector<PartOf>& noises) {
  return make_system(
      {.variables = {{"x"}}, .equations = {{"x", "mu - x"}}, .parameters = {{"mu", mu}}, .parts = noises},
      [](Model& m) {
        add_zero(m, "fire", "x - 1", "up", {{"x", "0"}});
      });
}

Estimate of_first_order(const Estimate& coarse, const Estimate& fine) {
  return {2 * fine.value - coarse.value, std::hypot(2 * fine.error, coarse.error)};
}
Estimate of_second_order(const Estimate& coarse, const Estimate& fine) {
  return {(4 * fine.value - coarse.value) / 3, std::hypot(4 * fine.error, coarse.error) / 3};
}

}  // namespace

TEST_CASE("a bouncing ball: energy, bounces and mean height, by either integrator") {
  for (const char* method : {"heun", "aboba"})
    for (const char* direction : {"down", "both"}) {
      CAPTURE(method);
      CAPTURE(direction);
      RunOptions run = timed_run(0.05, 1000, 0.1, 32);
      run.method = method;
      begin_at(run, "x", 1);
      const Results of(ball(direction), run, {average({{"x", "x"}}), "events", "velocity"});
      CHECK(of.column("bounce_rate").value == doctest::Approx(1 / std::sqrt(8.0)).epsilon(0.003));  // whole bounces
      CHECK(of.column("x").value == doctest::Approx(2.0 / 3).epsilon(0.003));
    }
}

TEST_CASE("a bouncing ball keeps its energy" * doctest::test_suite("quick")) {
  RunOptions run = timed_run(0.05, 1000, 0.9, 32);
  begin_at(run, "x", 1);
  const Results of(ball("down"), run, {average({{"e", "v_x^2/2 + x"}})});
  CHECK(of.column("e").value == doctest::Approx(1).epsilon(2e-5));
}

TEST_CASE("a ball on a plate that swings: the phase at which it bounces once in a period") {
  // Restitution r: with w = 2 pi and g = 1, A w cos(phi) = (1 - r)/(1 + r)/2, stable here.
  const double r = 0.8, A = 0.02, phi = std::acos((1 - r) / (1 + r) / 2 / (A * 2 * M_PI));
  const Model model = make_system({.variables = {{.name = "x", .inertial = true, .mass = 1, .gamma = 0}},
                                   .equations = {{"x", "-1"}},
                                   .parameters = {{"r", r}, {"A", A}},
                                   .definitions = {{"u", "A*2*pi*cos(2*pi*t)"}}},
                                  [](Model& m) {
                                    add_zero(m, "bounce", "x - A*sin(2*pi*t)", "down", {{"v_x", "u + r*(u - v_x)"}});
                                  });
  const auto height = [&](double dt) {
    RunOptions run = timed_run(dt, 300, 0.8, 32);
    run.precision = "double";
    run.starts["x"] = StartLaw{0.0908, 0.001, 0, 0};
    begin_at(run, "v_x", -0.3229);
    const Results of(model, run, {{"events", {}, {{"value", "x"}}}});
    CHECK(std::abs(of.column("bounce_rate").value - 1) < 0.02);  // in 60 periods
    return of.column("bounce_before").value;
  };
  // The parabola is exact, and so are the zeros; the plate moves by what it is then.
  CHECK(height(0.05) == doctest::Approx(A * std::sin(phi)).epsilon(1e-6));
  CHECK(height(0.013) == doctest::Approx(A * std::sin(phi)).epsilon(1e-6));
}

TEST_CASE("half of a trap, with an elastic wall: moments, and nothing beyond it") {
  RunOptions run = timed_run(0.025, 40, 0.25, 100000);
  begin_at(run, "x", 0.8);
  const Results of(half_trap(true), run,
                   {average({{"x1", "x"}, {"x2", "x^2"}, {"v2", "v_x^2"}, {"beyond", "if(x < -0.001, 1, 0)"}}),
                    {"events", {}, {{"value", "v_x"}}}});
  CHECK_EXACT(of.column("x1"), std::sqrt(2 / M_PI), 0.002);
  CHECK_EXACT(of.column("x2"), 1, 0.004);
  CHECK_EXACT(of.column("v2"), 1, 0.004);
  CHECK(of.column("beyond").value == 0);
}

TEST_CASE("half of a trap: moments of weak order 2, bounces of order 1, since some return within a step") {
  const auto run_with = [&](double dt) {
    RunOptions run = timed_run(dt, 40, 0.25, 400000);
    run.check_step = false;
    begin_at(run, "x", 0.8);
    return Results(half_trap(true), run,
                   {average({{"x2", "x^2"}, {"v2", "v_x^2"}}), {"events", {}, {{"value", "v_x"}}}});
  };
  const Results coarse = run_with(0.2), fine = run_with(0.1);
  for (const char* name : {"x2", "v2"}) CHECK_EXACT(of_second_order(coarse.column(name), fine.column(name)), 1, 0.004);
  const Results finer = run_with(0.05), finest = run_with(0.025);
  CHECK(std::abs(1 - M_PI * finer.column("bounce_rate").value - 0.005) < 0.0025);  // what the guide says of dt = 0.05
  const auto first = [&](const char* name) { return of_first_order(finer.column(name), finest.column(name)); };
  CHECK_EXACT(first("bounce_rate"), 1 / M_PI, 0.001);
  CHECK_EXACT(first("bounce_before"), -std::sqrt(M_PI / 2), 0.003);  // by flux: <v^2>/<|v|>
}

TEST_CASE("levels that are crossed and only counted: Rice's rate; the motion does not notice" *
          doctest::test_suite("quick")) {
  const auto run_with = [&](double dt) {
    RunOptions run = timed_run(dt, 40, 0.25, 100000);
    run.check_step = false;
    begin_at(run, "x", 0.8);
    return Results(half_trap(false), run, {average({{"x2", "x^2"}, {"v2", "v_x^2"}}), "events"});
  };
  const Results coarse = run_with(0.05), fine = run_with(0.025);
  CHECK_EXACT(fine.column("x2"), 1, 0.004);
  CHECK_EXACT(fine.column("v2"), 1, 0.004);
  const auto rate = [&](const char* name) { return of_first_order(coarse.column(name), fine.column(name)); };
  CHECK_EXACT(rate("zero_rate"), 1 / M_PI, 0.001);
  CHECK_EXACT(rate("rise_rate"), std::exp(-0.5) / (2 * M_PI), 0.001);
  CHECK_EXACT(difference(rate("rise_rate"), rate("fall_rate")), 0, 0.001);
}

TEST_CASE("integrate and fire without noise: period and average, of second order" * doctest::test_suite("quick")) {
  const double mu = 1.3, period = std::log(mu / (mu - 1));
  const auto errors = [&](double dt) {
    RunOptions run = timed_run(dt, 1000, 0.1, 32);
    run.precision = "double";
    run.starts["x"] = StartLaw{0.4, 0.7, 0, 0};
    const Results of(leaky(mu, {}), run, {average({{"x", "x"}}), "events"});
    return std::pair(of.column("fire_rate").value * period - 1, of.column("x").value - mu + 1 / period);
  };
  const auto [rate, mean] = errors(0.1);
  CHECK(std::abs(rate) < 2e-3);
  CHECK(std::abs(mean) < 2e-3);
  const auto [fine_rate, fine_mean] = errors(0.025);
  CHECK(std::abs(fine_rate) < 3e-4);  // and a firing more or less in 200
  CHECK(std::abs(fine_mean) < 3e-4);
}

TEST_CASE("integrate and fire with Gaussian noise: rate and second moment") {
  const double mu = 0.8, D = 0.05, s = std::sqrt(2 * D);
  const double time =
      std::sqrt(M_PI) * integral(-mu / s, (1 - mu) / s, [](double u) { return std::exp(u * u) * (1 + std::erf(u)); });
  const auto value = [&](double dt) {
    RunOptions run = timed_run(dt, 50, 0.2, 40000);
    begin_at(run, "x", 0);
    return Results(leaky(mu, {{"x", BM_NOISE, "gaussian", {{"D", D}}}}), run, {"events"}).column("fire_rate");
  };
  const Estimate coarse = value(0.02), fine = value(0.01);
  CHECK(std::abs(fine.value * time - 1) < 0.01);
  CHECK_EXACT(of_first_order(coarse, fine), 1 / time, 0.001);
}

TEST_CASE("a threshold for noise whose amplitude grows with the state") {
  // dx = a x dt + s x dW (Ito) from 1 to e: ln x drifts by a - s^2/2
  const double a = 0.6, s = 0.5;
  const Model model = [&] {
    Model m;
    const SystemParts parts = {.variables = {{"x"}},
                               .equations = {{"x", "a*x"}},
                               .parameters = {{"a", a}},
                               .parts = {{"x", BM_NOISE, "gaussian", {{"D", s * s / 2}}}}};
    begin_system(m, parts);
    m.set_interpretation("ito");
    m.add_amplitude("gaussian", {"x"}, {});
    add_zero(m, "fire", "x - exp(1)", "up", {{"x", "1"}});
    end_system(m, parts);
    return m;
  }();
  const auto value = [&](double dt) {
    RunOptions run = timed_run(dt, 40, 0.25, 40000);
    begin_at(run, "x", 1);
    return Results(model, run, {"events"}).column("fire_rate");
  };
  const Estimate coarse = value(0.02), fine = value(0.01);
  CHECK_EXACT(fine, a - s * s / 2, 0.005);
  CHECK_EXACT(of_first_order(coarse, fine), a - s * s / 2, 0.0025);
}

TEST_CASE("integrate and fire by kicks: a kick over the threshold fires at once") {
  // x' = -x, exponential kicks of mean a at rate R (M. J. E. Richardson, R. Swarbrick, Phys. Rev. Lett. 105, 178102)
  const double a = 0.3, R = 4;
  const double time = integral(1e-9, 1 / a, [&](double z) {
    const double left = 1 - a * z;
    return left <= 0 ? 0 : std::pow(left, R) / z * (std::exp(z) / left - 1);
  });
  const Model model =
      make_system({.variables = {{"x"}}, .equations = {{"x", "-x"}}, .parameters = {{"R", R}, {"a", a}}}, [](Model& m) {
        m.add_event({.name = "kick", .trigger = "rate", .formula = "R", .set = {{"x", "x + a*E"}}}, {});
        add_zero(m, "fire", "x - 1", "up", {{"x", "0"}});
      });
  RunOptions run = timed_run(0.02, 50, 0.2, 40000);
  begin_at(run, "x", 0);
  CHECK_EXACT(Results(model, run, {"events"}).column("fire_rate"), 1 / time, 0.002);
}

TEST_CASE("a kick of a noise over the threshold fires at once" * doctest::test_suite("quick")) {
  const double a = 0.3, R = 4;  // as above; D = R a^2, and the mean of the kicks is compensated
  const double time = integral(1e-9, 1 / a, [&](double z) {
    const double left = 1 - a * z;
    return left <= 0 ? 0 : std::pow(left, R) / z * (std::exp(z) / left - 1);
  });
  const Model model = leaky(R * a, {{"x", BM_NOISE, "poisson", {{"D", R * a * a}, {"lambda", R}}}});
  RunOptions run = timed_run(0.02, 50, 0.2, 40000);
  begin_at(run, "x", 0);
  CHECK_EXACT(Results(model, run, {"events"}).column("fire_rate"), 1 / time, 0.002);
}

TEST_CASE("events that other events cause: as many of one as of the other") {
  const Model model = make_system(
      {.variables = {{"x"}, {"y"}}, .equations = {{"x", "-x"}}, .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.01}}}}},
      [](Model& m) {
        m.add_event({.name = "a", .trigger = "rate", .formula = "1.5", .set = {{"x", "5"}}}, {});
        m.add_event({.name = "b", .trigger = "rate", .formula = "1 + 0*x", .set = {{"x", "5"}}}, {});
        add_zero(m, "c", "x - 2", "up", {{"x", "0"}, {"y", "y + 1"}});
        add_zero(m, "d", "y - 0.5", "both", {{"y", "0"}});
      });
  RunOptions run = timed_run(0.02, 40, 0.25, 20000);
  begin_at(run, "x", 0);
  const Results of(model, run, {"events"});
  const double a = of.column("a_rate").value, b = of.column("b_rate").value;
  CHECK_EXACT(of.column("a_rate"), 1.5, 0.01);
  CHECK_EXACT(of.column("b_rate"), 1, 0.01);
  CHECK(of.column("c_rate").value == doctest::Approx(a + b).epsilon(1e-5));
  CHECK(of.column("d_rate").value == doctest::Approx(a + b).epsilon(1e-5));
}

TEST_CASE("thresholds of one variable, which flips drive: the mean velocity over the distance") {
  // x' = 1 + 0.6 s: it only rises, and a renewal takes the mean of the flips
  Model model = make_model({{BM_NOISE, "dichotomous", {{"Fa", 0.6}, {"Fb", 0.6}, {"tau", 0.25}}}}, 1);
  add_zero(model, "fire", "x - 0.7", "up", {{"x", "U/2"}});
  RunOptions run = timed_run(0.02, 80, 0.25, 20000);
  begin_at(run, "x", 0);
  const Results of(model, run, {{"events", {{"bins", {6}}, {"range", {3}}}, {{"value", "x"}}}});
  CHECK(of.column("fire_before").value == doctest::Approx(0.7).epsilon(1e-5));
  CHECK_EXACT(of.column("fire_after"), 0.25, 0.001);
  // in a stationary state what firing takes back, 0.7 - 1/4, is what the motion has made
  CHECK_EXACT(of.column("fire_rate"), 1 / 0.45, 0.005);
}

TEST_CASE("a wall that holds particles for a while: the fraction of time that they are free") {
  // adsorbed at 0, put to a, free again at rate k; a wall at 1 reflects: free for T = a (2 - a)/2D on the average
  const double a = 0.2, k = 2, D = 0.5, T = a * (2 - a) / (2 * D);
  Model model;
  const SystemParts parts = {.variables = {{"x"}, {"s"}},
                             .parameters = {{"a", a}, {"k", k}},
                             .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}}}};
  begin_system(model, parts);
  model.add_amplitude("gaussian", {"s", ""}, {});
  add_zero(model, "adsorb", "x", "down", {{"x", "a"}, {"s", "0"}});
  model.add_event({.name = "desorb", .trigger = "rate", .formula = "k*(1 - s)", .set = {{"s", "1"}}}, {});
  model.add_walls({.variable = "x", .from = "", .to = "1"}, {});
  end_system(model, parts);
  const auto value = [&](double dt) {
    RunOptions run = timed_run(dt, 40, 0.1, 40000);
    run.check_step = false;
    begin_at(run, "x", a);
    begin_at(run, "s", 1);
    return Results(model, run, {average({{"free", "s"}})}).column("free");
  };
  const Estimate coarse = value(0.002), fine = value(0.001);
  CHECK_EXACT(of_first_order(coarse, fine), T / (T + 1 / k), 0.0015);
}

TEST_CASE("errors of events at zeros are calibrated") {
  const auto calibrated = [](uint64_t paths, size_t count) {
    RunOptions run = timed_run(0.05, 12, 0.5, paths);
    run.check_step = false;
    run.starts["x"] = StartLaw{0.8, 0, 0.1, 0};
    const Ensembles all(half_trap(true), run, {{"events", {{"bins", {3}}, {"range", {3}}}, {{"value", "v_x"}}}}, count);
    all.column("bounce_rate", unknown);
    // some paths bounce ever faster for a while
    all.column("bounce_fano", unknown, 512);
    all.column("bounce_before", unknown);
    all.element("bounce_wait_density", 1, unknown);
  };
  for_paths(1024, calibrated);
  calibrated(512, 1000);
}
