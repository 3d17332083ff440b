// Mean fields: all paths of a share are one system, replicas of which give the errors.
//
// Held to: particles drawn to their centre, dx_i = -a x_i - k (x_i - m) + noise: m^2 and x^2 of 4, 50 and 3000 of them,
// with inertia, too, and with jumps at a rate; identical Kuramoto oscillators: r = I1(K r/D)/I0(K r/D), and 1/N for
// <r^2> of free ones; a rate and an amplitude that a field sets; a controller that looks at the mean at intervals: the
// variance that it leaves, and of one particle the current without fields; networks that fire: integrators in turn or
// all at once, exactly, a system of one path by that path, an inhibited network with noise (Siegert); calibration: z
// over replicas
#include <doctest/doctest.h>

#include <cmath>

#include "engine/runner.h"
#include "measures.h"
#include "results.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

RunOptions replicas_of(uint64_t paths, uint64_t replicas, double dt, double time, double transient = 0.2) {
  RunOptions run = timed_run(dt, time, transient, paths);
  run.replicas = replicas;
  return run;
}

/// dx = -a x - k (x - m) + noise of intensity D, m the mean of all; and, at a rate, x -> x + b N.
struct Drawn {
  double a = 1, k = 2, D = 1, rate = 0, b = 0.5;
  bool inertial = false;
  Model model() const {
    Model made;
    make_model({});
    made.make_system({{"x", inertial}}, {"a", "k"});
    made.add_fields({{"m", "x"}});
    made.add(BM_NOISE, "gaussian", "gaussian", "x");
    made.set("gaussian.D", D);
    if (rate > 0) {
      made.add_event({.name = "jump", .trigger = "rate", .formula = "l", .set = {{"x", "x + b*N"}}}, {"l", "b"});
      made.set("jump.l", rate);
      made.set("jump.b", b);
    }
    made.set_equations({"-a*x - k*(x - m)"});
    made.set("a", a);
    made.set("k", k);
    return made;
  }
  double strength() const { return D + rate * b * b / 2; }
  double mean_square(double n) const { return strength() / (a * n); }
  double square(double n) const { return mean_square(n) + strength() / (a + k) * (1 - 1 / n); }
};

double order_parameter(double K, double D) {
  double r = 0.9;
  for (int i = 0; i < 2000; ++i) r = std::cyl_bessel_i(1.0, K * r / D) / std::cyl_bessel_i(0.0, K * r / D);
  return r;
}

/// Everything that a run leaves, bit for bit.
std::vector<double> all_of(const Model& model, RunOptions run) {
  run.observables = {average({{"a", "x*y"}, {"b", "m^2"}}), {"moments", {{"count", {3}}}, {{"of", "y"}}}, {"events"}};
  std::vector<double> all;
  RunHooks hooks;
  hooks.window = [&](size_t, std::span<const Window> windows) {
    for (const Window& one : windows) all.insert(all.end(), one.end.begin(), one.end.end());
  };
  const RunOutcome outcome = bmsim::run(make_plan(model, Sweep(), run), hooks);
  for (const auto& column : outcome.estimates) all.push_back(column[0].value), all.push_back(column[0].error);
  for (const Array& array : outcome.arrays) all.insert(all.end(), array.values.begin(), array.values.end());
  return all;
}

}  // namespace

TEST_CASE("particles that are drawn to their centre: few and many, with inertia, with jumps") {
  struct Case {
    Drawn drawn;
    uint64_t paths, replicas;
    double resolution;
  };
  for (const auto& [drawn, paths, replicas, resolution] :
       {Case{{}, 4, 8000, 0.01}, Case{{}, 50, 800, 0.02}, Case{{.rate = 3}, 4, 8000, 0.01},
        Case{{.inertial = true}, 4, 8000, 0.01}, Case{{.k = -0.5}, 3000, 64, 0.05}}) {
    CAPTURE(paths);
    CAPTURE(drawn.rate);
    CAPTURE(drawn.inertial);
    const auto n = static_cast<double>(paths);
    const double transient = drawn.k < 0 ? 0.5 : 0.2;  // x comes to rest at the rate a + k
    const Results of(drawn.model(), replicas_of(paths, replicas, 0.01, 20, transient),
                     {average({{"m2", "m^2"}, {"x2", "x^2"}})});
    CHECK_EXACT(of.column("m2"), drawn.mean_square(n), resolution * drawn.mean_square(n) * 2);
    CHECK_EXACT(of.column("x2"), drawn.square(n), resolution * drawn.square(n));
  }
}

TEST_CASE("the step is of second order, also for what N paths have in common") {
  // Richardson's extrapolation of two steps: (4 - 1)/3.
  const Drawn drawn;
  for (const bool inertial : {false, true}) {
    CAPTURE(inertial);
    Drawn one = drawn;
    one.inertial = inertial;
    const auto at = [&](double dt) {
      return Results(one.model(), replicas_of(4, 20000, dt, 20), {average({{"m2", "m^2"}, {"x2", "x^2"}})});
    };
    const Results longer = at(0.16), shorter = at(0.08);
    for (const char* name : {"m2", "x2"}) {
      const Estimate a = longer.column(name), b = shorter.column(name);
      const Estimate best{(4 * b.value - a.value) / 3, std::hypot(4 * b.error, a.error) / 3};
      CHECK_EXACT(best, std::string(name) == "m2" ? one.mean_square(4) : one.square(4), 0.004);
    }
  }
}

TEST_CASE("identical Kuramoto oscillators: the order parameter, and that of free ones") {
  for (const double K : {3.0, 4.0}) {
    CAPTURE(K);
    // Without the corrections of order 1/N. r grows from 1/sqrt(N) at the rate K/2 - D.
    const auto of = [&](uint64_t paths) {
      return Results(kuramoto(K, 1), replicas_of(paths, 65536 / paths, 0.02, 80, 0.3), {average({{"r2", "c^2 + s^2"}})})
          .column("r2");
    };
    const Estimate few = of(512), many = of(1024);
    const double r = order_parameter(K, 1);
    CHECK_EXACT((Estimate{2 * many.value - few.value, std::hypot(2 * many.error, few.error)}), r * r, 0.003);
  }
  const Results free(kuramoto(0, 1), replicas_of(100, 4000, 0.02, 8), {average({{"r2", "c^2 + s^2"}})});
  CHECK_EXACT(free.column("r2"), 0.01, 1e-4);
}

TEST_CASE("a rate and an amplitude that a field sets" * doctest::test_suite("quick")) {
  // y: dy = -y + sqrt(2 D e) dW, e = <z^2> = 1/2 of z with dz = -z + sqrt(1) dW in a large system: <y^2> = D e.
  // Events of y at rate e*l: counted.
  Model made;
  make_model({});
  made.make_system({{"z"}, {"y"}, {"c"}}, {"l"});
  made.add_fields({{"e", "z^2"}});
  made.add(BM_NOISE, "gaussian", "own", "z");
  made.set("own.D", 0.5);
  made.add(BM_NOISE, "gaussian", "seen", "y");
  made.set("seen.D", 0.8);
  made.add_amplitude("seen", {"", "sqrt(e)", ""}, {});
  made.add_event({.name = "count", .trigger = "rate", .formula = "l*e", .set = {{"c", "c + 1"}}}, {});
  made.set_equations({"-z", "-y", ""});
  made.set("l", 3);
  RunOptions run = replicas_of(1000, 100, 0.02, 20);
  run.transient = 0.5;
  const Results of(made, run, {average({{"y2", "y^2"}}), {"events"}});
  CHECK_EXACT(of.column("y2"), 0.4, 0.002);
  CHECK_EXACT(of.column("count_rate"), 1.5, 0.004);
}

TEST_CASE("a path follows a field that events change" * doctest::test_suite("quick")) {
  // x grows and is reset at rate r, y relaxes to the mean of all x: <x> = <y> = 1/r, for every number of paths.
  const double r = 1;
  Model made;
  make_model({});
  made.make_system({{"x"}, {"y"}}, {"r"});
  made.add_fields({{"m", "x"}});
  made.add_event({.name = "reset", .trigger = "rate", .formula = "r", .set = {{"x", "0"}}}, {});
  made.set_equations({"1", "m - y"});
  made.set("r", r);
  RunOptions run = replicas_of(200, 64, 0.1, 40);
  run.transient = 0.5;
  const Results of(made, run, {average({{"m", "m"}, {"y", "y"}})});
  CHECK_EXACT(of.column("m"), 1 / r, 0.005);
  CHECK_EXACT(of.column("y"), 1 / r, 0.005);
}

TEST_CASE("a controller looks at the mean of all at intervals: what it leaves of it") {
  // dx = -a x - k s + noise, and s becomes m = <x> every tau: m -> q m + noise, q = l - (1 - l) k/a, l = e^(-a tau).
  constexpr double a = 1, k = 1.5, D = 1, tau = 0.4;
  Model made;
  make_model({});
  made.make_system({{"x"}, {"s"}}, {"a", "k", "tau"});
  made.add_fields({{"m", "x"}});
  made.add(BM_NOISE, "gaussian", "gaussian", "x");
  made.set("gaussian.D", D);
  made.add_event({.name = "look", .trigger = "every", .formula = "tau", .set = {{"s", "m"}}}, {});
  made.set_equations({"-a*x - k*s", ""});
  for (const auto& [name, value] : {std::pair("a", a), std::pair("k", k), std::pair("tau", tau)}) made.set(name, value);
  const double left = std::exp(-a * tau), q = left - (1 - left) * k / a;
  for (const int n : {1, 8, 300}) {
    CAPTURE(n);
    const Results of(made, replicas_of(static_cast<uint64_t>(n), 24000 / static_cast<uint64_t>(n + 7), 0.02, 12, 0.3),
                     {average({{"s2", "s^2"}}), {"events"}});
    const double exact = D / (a * n) * (1 - left * left) / (1 - q * q);
    CHECK_EXACT(of.column("s2"), exact, exact * (n == 300 ? 0.05 : 0.015));
    CHECK(of.column("look_rate").value == doctest::Approx(1 / tau).epsilon(1e-12));
    CHECK(of.column("look_rate").error == doctest::Approx(0));
  }
  // The default step: the interval is an even number of steps.
  RunOptions run = replicas_of(8, 16, 0.02, 3.3);
  run.dt.reset();
  for (const double interval : {0.4, 0.017}) {
    made.set("tau", interval);
    const double dt = make_plan(made, Sweep(), run).points[0].time.dt, half = interval / 2 / dt;
    CHECK(half == doctest::Approx(std::round(half)).epsilon(1e-12));
    CHECK(half >= 1);
  }
}

TEST_CASE("information ratchet of one particle: with its force as a mean field, and without fields") {
  const auto ratchet = [](bool fields) {
    Model made;
    make_model({});
    made.make_system({{"x"}, {"on"}}, {"V", "tau"});
    const std::string force = "-2*pi*V*(cos(2*pi*x) + cos(4*pi*x)/2)";
    if (fields) made.add_fields({{"f", force}});
    made.add(BM_NOISE, "gaussian", "gaussian", "x");
    made.set("gaussian.D", 1);
    made.add_event({.name = "look",
                    .trigger = "every",
                    .formula = "tau",
                    .set = {{"on", "if(" + (fields ? "f" : force) + " > 0, 1, 0)"}}},
                   {});
    made.set_equations({"on*(" + force + ")", ""});
    made.set("V", 1);
    made.set("tau", 0.02);
    return made;
  };
  RunOptions run = timed_run(0.001, 4, 0.25, 20000);
  const Estimate alone = Results(ratchet(false), run, {"velocity"}).column("velocity_x");
  const Results of(ratchet(true), replicas_of(1, 20000, 0.001, 4, 0.25), {"velocity"});
  const Estimate together = of.column("velocity_x");
  CHECK(together.value > 20 * together.error);
  CHECK_EXACT(Estimate({together.value, std::hypot(together.error, alone.error)}), alone.value, 0.03);
}

TEST_CASE("results depend neither on launches, threads, batches nor on groups") {
  const FastestGroups groups;
  for (const auto& [name, model] : {std::pair("crowd", crowd(false)), std::pair("crowd, inertia", crowd(true)),
                                    std::pair("network", network(false)), std::pair("network, inertia", network(true))})
    for (const uint64_t paths : {7, 200}) {
      CAPTURE(name);
      CAPTURE(paths);
      RunOptions run = replicas_of(paths, 13, 0.02, 8);
      run.threads = 1;
      const std::vector<double> whole = all_of(model, run);
      for (const double one : whole) REQUIRE(std::isfinite(one));
      CHECK(whole[0] != whole[1]);
      run.chunk = 100;
      run.threads = 3;
      CHECK(all_of(model, run) == whole);
      run.chunk = 0;
      run.memory = 1;
      CHECK(all_of(model, run) == whole);
    }
}

TEST_CASE("launches of many short batches stay within what counts blocks: their number does not overflow" *
          doctest::test_suite("quick")) {
  RunOptions run = replicas_of(7, 13, 0.02, 8);
  const Plan plan = make_plan(crowd(false), Sweep(), run);
  KernelLayout layout{};
  layout.block = 64;
  LaunchLength length(plan, layout);
  uint64_t before = length.blocks();
  for (int i = 0; i < 400; ++i) {
    length.adapt(1e-6);
    REQUIRE(length.blocks() >= before);
    before = length.blocks();
  }
  CHECK(before <= uint64_t{1} << 41);
}

TEST_CASE("errors are the scatter of replicas: z over many runs") {
  Sweep sweep;
  sweep.add_axis({"a"}, {std::vector<double>(200, 1.0)});
  const Drawn drawn;
  for (const uint64_t paths : {8, 64}) {
    CAPTURE(paths);
    RunOptions run = replicas_of(paths, 32, 0.02, 12);
    run.transient = 0.4;
    run.observables = {average({{"m2", "m^2"}, {"x2", "x^2"}})};
    const Plan plan = make_plan(drawn.model(), sweep, run);
    const RunOutcome outcome = bmsim::run(plan, {});
    for (const char* name : {"m2", "x2"}) {
      const double exact = std::string(name) == "m2" ? drawn.mean_square(static_cast<double>(paths))
                                                     : drawn.square(static_cast<double>(paths));
      double sum = 0, squares = 0;
      const auto& column = outcome.estimates[plan.column(name)];
      for (const Estimate& one : column) {
        const double z = (one.value - exact) / one.error;
        sum += z, squares += z * z;
      }
      const auto n = static_cast<double>(column.size());
      CHECK(std::abs(sum / n) < 0.25);
      CHECK(std::abs(std::sqrt(squares / n) - 1) < 0.15);
    }
  }
}
