// Events of the script: resets, tumbles, divisions, at constant rates, at rates of the state and of time, and after
// fixed intervals.
//
// Held to: diffusion with resetting: variance, density, mean first passage; growth and division: ⟨x²⟩ = 2/l; run and
// tumble in a trap: ⟨x²⟩ and density; two kinds of events: moments from their linear equations; a rate that changes in
// time: mean and Fano factor of the number; a thermostat that sets velocities (Andersen): ⟨v²⟩ = T/m, D = T/(m nu);
// kicks after fixed intervals; waiting times: exponential, fixed, and those of growth and division, by quadrature; the
// state before and after events; weak order 2: Richardson's extrapolation of two steps; an information ratchet, by a
// tenth of the step; folded and unfolded variables alike
#include <doctest/doctest.h>

#include <cmath>

#include "calibration.h"
#include "measures.h"
#include "results.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// Diffusion with D = 0.5, reset to 0.3 at rate 2. by_state: the rate is a formula of x, whose value is the same.
Model resetting(bool by_state, double drift = 0) {
  Model model = make_model({{BM_NOISE, "gaussian", {{"D", 0.5}}}}, drift);
  std::vector<std::string> parameters = {"r"};
  if (by_state) parameters.emplace_back("e");
  model.add_event({.name = "reset", .trigger = "rate", .formula = by_state ? "r + e*x" : "r", .set = {{"x", "0.3"}}},
                  parameters);
  model.set("reset.r", 2);
  if (by_state) model.set("reset.e", 0);
  return model;
}

/// dx = dt, x -> x/2 at rate l x.
Model growth(double l) {
  return make_system({.variables = {{"x"}}, .equations = {{"x", "1"}}, .parameters = {{"l", l}}}, [&](Model& model) {
    model.add_event({.name = "divide", .trigger = "rate", .formula = "l*x", .set = {{"x", "x/2"}}}, {});
  });
}

}  // namespace

TEST_CASE("resetting: variance, density and first passages, by a constant rate and by one of the state" *
          doctest::test_suite("quick")) {
  const double D = 0.5, r = 2, q = std::sqrt(r / D), x0 = 0.3;
  for (const bool by_state : {false, true}) {
    CAPTURE(by_state);
    RunOptions run = timed_run(0.02, 8, 0.5, 200000);
    begin_at(run, "x", x0);
    const Results of(resetting(by_state), run,
                     {{"moments", {{"times", {8}}}},
                      {"density", {{"bins", {8}}, {"range", {-0.825, 1.175}}, {"count", {3}}}},
                      {"events", {{"bins", {5}}, {"range", {1}}}}});
    CHECK_EXACT(of.element("x_cumulant_1", 0), x0, 0.01);
    CHECK_EXACT(of.element("x_cumulant_2", 0), 2 * D / r, 0.02);
    for (const size_t bin : {0, 3, 4, 5}) {
      const double from = -0.825 + 0.25 * static_cast<double>(bin);
      const double p = integral(from, from + 0.25, [&](double x) { return q / 2 * std::exp(-q * std::abs(x - x0)); });
      CHECK_EXACT(of.element("density", bin), p / 0.25, 0.02);
    }
    CHECK_EXACT(of.column("reset_rate"), r, 0.01);
    CHECK_EXACT(of.column("reset_fano"), 1, 0.03);
    for (const size_t bin : {0, 1, 4}) {
      const double from = 0.2 * static_cast<double>(bin);
      CHECK_EXACT(of.element("reset_wait_density", bin), (std::exp(-r * from) - std::exp(-r * (from + 0.2))) / 0.2,
                  0.03);
    }
  }
}

TEST_CASE("resetting in a trap, again and again before the motion relaxes: the default step") {
  const double D = 0.7, number = 20;
  const auto trap = [&](const char* trigger, const char* formula) {
    return make_system(
        {.variables = {{"x"}},
         .equations = {{"x", "-x"}},
         .parameters = {{"n", number}},
         .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}}}},
        [&](Model& model) {
          model.add_event({.name = "reset", .trigger = trigger, .formula = formula, .set = {{"x", "0"}}}, {});
        });
  };
  RunOptions run = timed_run(0.1, 20, 0.5, 8192);
  run.dt.reset();
  begin_at(run, "x", 0);
  const Results random(trap("rate", "n"), run, {average({{"x2", "x^2"}})});
  CHECK_EXACT(random.column("x2"), 2 * D / (2 + number), 0.0002);
  const Results regular(trap("every", "1/n"), run, {average({{"x2", "x^2"}})});
  CHECK_EXACT(regular.column("x2"), D * (1 - (1 - std::exp(-2 / number)) * number / 2), 0.0002);
}

TEST_CASE("a rate that vanishes: a small one brings no events of more than the step") {
  // Of paths that end at x = 1 and are put to x = 0, too.
  Model model = make_model({{BM_NOISE, "gaussian", {{"D", 0.5}}}});
  model.add_event({.name = "reset", .trigger = "rate", .formula = "k*x^2", .set = {{"x", "0.5"}}}, {"k"});
  model.set("reset.k", 100);
  model.add_walls({"x", "", "1", true}, {});
  for (const uint64_t seed : {1, 2, 3, 4}) {
    RunOptions run = timed_run(0.01, 5, 0, 20000);
    run.seed = seed;
    begin_at(run, "x", 0.2);
    CHECK(Results(model, run, {{"exits"}}).outcome.diverged.empty());
  }
}

TEST_CASE("resetting: first passages") {
  const double D = 0.5, r = 2, q = std::sqrt(r / D);
  for (const bool by_state : {false, true}) {
    CAPTURE(by_state);
    RunOptions run = timed_run(0.0005, 60, 0, 40000);
    begin_at(run, "x", 0.3);
    const Results of(resetting(by_state), run, {{"first_passage", {{"to", {1.3}}}}});
    CHECK_EXACT(of.column("mean_first_passage_time"), (std::exp(q) - 1) / r, 0.02);
  }
}

TEST_CASE("resetting of a particle that runs far away: what is folded is set in its whole") {
  // dx = F dt + dW, to x0 at rate r: <x> = x0 + F/r, variance 2 D/r + (F/r)^2
  const double F = 40, D = 0.5, r = 2;
  for (const bool by_state : {false, true}) {
    CAPTURE(by_state);
    RunOptions run = timed_run(0.02, 12, 0.5, 100000);
    begin_at(run, "x", 0.3);
    const Results of(resetting(by_state, F), run, {{"moments", {{"times", {12}}}}});
    CHECK_EXACT(of.element("x_cumulant_1", 0), 0.3 + F / r, 0.1);
    CHECK_EXACT(of.element("x_cumulant_2", 0), 2 * D / r + F * F / (r * r), 5);
  }
}

TEST_CASE("jumps by a period keep whole periods: a particle in a cosine that hops") {
  // V does not see hops of a period: v = hops + 0
  Model model = make_model({{BM_POTENTIAL, "sine", {{"V0", 0.2}}}, {BM_NOISE, "gaussian", {{"D", 0.3}}}});
  model.add_event({.name = "hop", .trigger = "rate", .formula = "1.5", .set = {{"x", "x + 1"}}}, {});
  model.add_event({.name = "back", .trigger = "rate", .formula = "a*(1 + cos(2*pi*x))", .set = {{"x", "x - 2"}}},
                  {"a"});
  model.set("back.a", 0.25);
  const ModelValues values = evaluate(model);
  CHECK(values.variables[0].folds_with == 0);
  CHECK(values.keeps_periods == std::vector<uint32_t>{1, 1});
  const Results of(model, timed_run(0.01, 40, 0.25, 4000), {"velocity", "events"});
  CHECK_EXACT(of.column("hop_rate"), 1.5, 0.01);
  const Estimate v = of.column("velocity"), back = of.column("back_rate");
  CHECK_EXACT((Estimate{v.value - 1.5 + 2 * back.value, std::hypot(v.error, 2 * back.error)}), 0, 0.05);
}

TEST_CASE("growth and division: the stationary second moment, and waiting times") {
  const double l = 1.3;
  RunOptions run = timed_run(0.01, 24, 0.5, 100000);
  begin_at(run, "x", 1);
  const Results of(growth(l), run, {average({{"x2", "x^2"}, {"x", "x"}}), {"events", {{"bins", {4}}, {"range", {2}}}}});
  CHECK_EXACT(of.column("x2"), 2 / l, 0.003);
  // each division halves x, on average by what grows in between: rate <x>/2 of loss = 1
  const Estimate x = of.column("x"), rate = of.column("divide_rate");
  CHECK_EXACT((Estimate{rate.value - l * x.value, std::hypot(rate.error, l * x.error)}), 0, 0.01);
  CHECK(of.column("divide_fano").value < 0.5);  // divisions repel each other
}

TEST_CASE("what is there just before and after events: of growth and division, and at the times of others") {
  // Rates l x see x by its own weight: <x> before is <x^2>/<x>, after half of it; a constant rate sees the average.
  const double l = 1.3;
  for (const bool constant : {false, true}) {
    CAPTURE(constant);
    Model model = growth(l);
    model.add_event({.name = "look", .trigger = "rate", .formula = constant ? "2" : "2 + 0*x", .set = {{"x", "x"}}},
                    {});
    RunOptions run = timed_run(0.01, 20, 0.5, 20000);
    begin_at(run, "x", 1);
    const Results of(model, run, {{"events", {}, {{"value", "x"}}}, average({{"x", "x"}})});
    const Estimate x = of.column("x"), before = of.column("divide_before"), look = of.column("look_before");
    CHECK_EXACT((Estimate{before.value * x.value, std::hypot(before.error * x.value, before.value * x.error)}), 2 / l,
                0.01);
    CHECK(of.column("divide_after").value == doctest::Approx(before.value / 2).epsilon(1e-6));
    CHECK_EXACT(difference(look, x), 0, 0.003);
  }
}

TEST_CASE("run and tumble in a trap: second moment and density") {
  // speed v, direction s = 1 or -1, which a tumble draws anew: flips at rate a/2
  const double v = 1, k = 1, a = 3;
  for (const bool by_state : {false, true}) {
    CAPTURE(by_state);
    const Model model = make_system(
        {.variables = {{"x"}, {"s"}}, .equations = {{"x", "v*s - k*x"}}, .parameters = {{"v", v}, {"k", k}, {"a", a}}},
        [&](Model& m) {
          m.add_event({.name = "tumble",
                       .trigger = "rate",
                       .formula = by_state ? "a*(1 + (s^2 - 1)*x)" : "a",
                       .set = {{"s", "sign(U - 0.5)"}}},
                      {});
        });
    RunOptions run = timed_run(0.01, 16, 0.5, 100000);
    begin_at(run, "x", 0);
    begin_at(run, "s", 1);
    const Results of(
        model, run,
        {average({{"x2", "x^2"}}), {"density", {{"bins", {8}}, {"range", {-1, 1}}, {"count", {3}}}, {{"of", "x"}}}});
    CHECK_EXACT(of.column("x2"), v * v / (k * (k + a)), 0.005);
    const double power = a / (2 * k) - 1;
    const auto p = [&](double x) { return std::pow(std::max(0.0, 1 - x * x * k * k / (v * v)), power); };
    const double all = integral(-1, 1, p);
    for (const size_t bin : {1, 4, 6}) {
      const double from = -1 + 0.25 * static_cast<double>(bin);
      CHECK_EXACT(of.element("density_x", bin), integral(from, from + 0.25, p) / all / 0.25, 0.02);
    }
  }
}

TEST_CASE("two kinds of events: moments from their linear equations" * doctest::test_suite("quick")) {
  // x -> x + U at rate a, x -> 0 at rate b, diffusion
  const double a = 2, b = 1, D = 0.1;
  const Model model = make_system(
      {.variables = {{"x"}},
       .parameters = {{"a", a}, {"b", b}, {"e", 0}},
       .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "bath"}}},
      [&](Model& m) {
        m.add_event({.name = "up", .trigger = "rate", .formula = "a*(1 + e*x)", .set = {{"x", "x + U"}}}, {});
        m.add_event({.name = "reset", .trigger = "rate", .formula = "b + e*x", .set = {{"x", "0"}}}, {});
      });
  RunOptions run = timed_run(0.02, 20, 0.5, 100000);
  begin_at(run, "x", 0);
  const Results of(model, run, {average({{"x1", "x"}, {"x2", "x^2"}})});
  CHECK_EXACT(of.column("x1"), a / 2 / b, 0.005);
  CHECK_EXACT(of.column("x2"), (2 * D + a * (a / 2 / b + 1.0 / 3)) / b, 0.015);
}

TEST_CASE("a rate that changes in time: mean and scatter of the number of events") {
  const double a = 2, w = 3, time = 10;
  const Model model = make_system({.variables = {{"x"}}, .parameters = {{"a", a}, {"w", w}}}, [&](Model& m) {
    m.add_event({.name = "hit", .trigger = "rate", .formula = "a*(1 + sin(w*t))", .set = {{"x", "x + E"}}}, {});
  });
  RunOptions run = timed_run(0.02, time, 0, 200000);
  begin_at(run, "x", 0);
  const Results of(model, run, {"velocity", "events", {"moments", {{"times", {time}}}}});
  const double number = a * (time + (1 - std::cos(w * time)) / w);
  CHECK_EXACT(of.column("hit_rate"), number / time, 0.005);
  CHECK_EXACT(of.column("hit_fano"), 1, 0.03);
  CHECK_EXACT(of.column("velocity_x"), number / time, 0.01);
  // <E^2> = 2; the error is sqrt((<E^4> + 8 number) number/paths) = 0.14
  CHECK_EXACT(of.element("x_cumulant_2", 0), 2 * number, 0.17);
}

TEST_CASE("a thermostat: velocities drawn anew at a constant rate, and at one of the state") {
  const double T = 0.7, m = 1.6, nu = 2;
  for (const bool by_state : {false, true}) {
    CAPTURE(by_state);
    Model model = make_model(Inertial{m, 0}, {});
    model.add_event(
        {.name = "collide", .trigger = "rate", .formula = by_state ? "nu + e*v" : "nu", .set = {{"v", "sqrt(T/m)*N"}}},
        by_state ? std::vector<std::string>{"nu", "T", "m", "e"} : std::vector<std::string>{"nu", "T", "m"});
    model.set("collide.nu", nu);
    model.set("collide.T", T);
    model.set("collide.m", m);
    if (by_state) model.set("collide.e", 0);
    RunOptions run = timed_run(0.02, 100, 0.1, 20000);
    run.method = "heun";
    const Results of(model, run, {"diffusion", "velocity_squared"});
    CHECK_EXACT(of.column("velocity_squared"), T / m, 0.005);
    const double window = 90;  // D = T/(m nu) [1 - (1 - exp(-nu t))/(nu t)]
    CHECK_EXACT(of.column("diffusion"), T / m / nu * (1 - (1 - std::exp(-nu * window)) / (nu * window)), 0.05);
  }
}

TEST_CASE("kicks after fixed intervals, which also end with the window" * doctest::test_suite("quick")) {
  const double tau = 0.5;
  const Model model =
      make_system({.variables = {{"x"}}, .equations = {{"x", "-x"}}, .parameters = {{"tau", tau}}}, [&](Model& m) {
        m.add_event({.name = "kick", .trigger = "every", .formula = "tau", .set = {{"x", "x + N"}}}, {});
      });
  RunOptions run = timed_run(0.02, 40, 0.5, 20000);
  begin_at(run, "x", 0);
  const Results of(model, run, {average({{"x2", "x^2"}}), {"events", {{"bins", {4}}, {"range", {2}}}}});
  CHECK_EXACT(of.column("x2"), 1 / (2 * tau), 0.01);  // 1/(1 - exp(-2 tau)) after a kick, decaying
  CHECK(std::abs(of.column("kick_rate").value - 1 / tau) < 1e-9);
  CHECK(of.element("kick_wait_density", 1).value + of.element("kick_wait_density", 0).value == doctest::Approx(2));
}

TEST_CASE("information ratchet: the current is that of a tenth of the step") {
  // On until the next look if the force pushes to the right; V = cos(2 pi x), D = 1.
  Model model = make_system(
      {.variables = {{"x", false, "1"}, {"on"}},
       .equations = {{"x", "on*f"}},
       .definitions = {{"f", "2*pi*sin(2*pi*x)"}},
       .parts = {{"x", BM_NOISE, "gaussian", {{"D", 1.0}}}}},
      [](Model& m) {
        m.add_event({.name = "look", .trigger = "every", .formula = "0.03", .set = {{"on", "if(f > 0, 1, 0)"}}}, {});
      });
  const auto velocity = [&](double dt) {
    RunOptions run = timed_run(dt, 20, 0.1, dt < 0.001 ? 20000 : 60000);
    run.check_step = false;
    return Results(model, run, {{"velocity", {}, {{"of", "x"}}}}).column("velocity_x");
  };
  const Estimate plain = velocity(0.002), fine = velocity(0.0002);
  CHECK_EXACT(difference(plain, fine), 0, 0.004);
  CHECK(fine.value > 0.9);
}

TEST_CASE("events by the state are of weak order 2: two steps extrapolate to the exact value") {
  const double r = 2, D = 0.5;
  const Model reset =
      make_system({.variables = {{"x"}},
                   .parameters = {{"r", r}, {"e", 0}},
                   .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "bath"}}},
                  [&](Model& m) {
                    m.add_event({.name = "reset", .trigger = "rate", .formula = "r + e*x", .set = {{"x", "0"}}}, {});
                  });
  const auto check = [](const Model& model, double exact) {
    const auto value = [&](double dt) {
      RunOptions run = timed_run(dt, 20, 0.5, 400000);
      begin_at(run, "x", 0.5);
      return Results(model, run, {average({{"x2", "x^2"}})}).column("x2");
    };
    const Estimate coarse = value(0.2), fine = value(0.1);
    CHECK(coarse.value - exact > 8 * coarse.error);  // there is something to extrapolate
    CHECK_EXACT((Estimate{(4 * fine.value - coarse.value) / 3, std::hypot(4 * fine.error, coarse.error) / 3}), exact,
                0.004);
  };
  check(reset, 2 * D / r);
  check(growth(1), 2);
}

TEST_CASE("errors of events are calibrated") {
  const double r = 2;
  for_paths(1024, [&](uint64_t paths, size_t count) {
    for (const bool by_state : {false, true}) {
      CAPTURE(by_state);
      RunOptions run = timed_run(0.05, 4, 0.25, paths);
      begin_at(run, "x", 0.3);
      const Ensembles all(resetting(by_state), run, {{"events", {{"bins", {3}}, {"range", {1}}}}}, count);
      all.column("reset_rate", r);
      all.column("reset_fano", 1, 512);
      all.element("reset_wait_density", 0, (1 - std::exp(-r / 3)) * 3);
      all.element("reset_wait_density", 2, unknown);
    }
  });
}
