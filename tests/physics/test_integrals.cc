// Functionals of the path: work and heat path by path, and their laws.
//
// Held to: the work on a particle in a trap that is dragged at constant velocity u, which is normal with mean u^2 [t -
// (1 - exp(-k t))/k] and variance 2 T times that, Jarzynski's equality and Crooks's theorem; the first law path by
// path, exact in a harmonic trap, else to first order in the step, and to second order with inertia; second order of
// integrals of smooth motion; integrals of a trap kicked by Poissonian noise; entropy production of forces without a
// potential, of a drive and of two temperatures, and the thermodynamic uncertainty of free motion; with inertia and
// without, on both clocks.
#include <doctest/doctest.h>

#include <cmath>

#include "measures.h"
#include "observe/energies.h"
#include "observed.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

typedef std::map<std::string, std::string> Words;

/// Flips of a variable y that nothing depends on: paths have clocks of their own, and steps end at events.
const PartOf flips{"y", BM_NOISE, "dichotomous", {{"Fa", 1}, {"Fb", 1}, {"tau", 0.3}}, "flips"};

struct DraggedTrap {
  double k = 1.5, u = 0.8, T = 1.5, time = 2;
  bool own_clocks = false;
  Model model() const {
    SystemParts parts{.variables = {{"x"}},
                      .equations = {{"x", "-k*(x - u*t)"}},
                      .parameters = {{"k", k}, {"u", u}},
                      .parts = {{"x", BM_NOISE, "gaussian", {{"D", T}}}}};
    if (own_clocks) {
      parts.variables.push_back({"y"});
      parts.equations["y"] = "-y";
      parts.parts.push_back(flips);
    }
    return make_system(parts);
  }
  RunOptions run(uint64_t paths) const {
    RunOptions run = timed_run(0.01, time, 0, paths);
    run.starts["x"] = {0, 0, std::sqrt(T / k), 0};
    return run;
  }
  double work() const { return u * u * (time - (1 - std::exp(-k * time)) / k); }
};

/// Path by path, in the units of the script: integrals by name, and the two ends of every variable.
struct Paths {
  std::map<std::string, std::vector<double>> integral;
  std::vector<std::vector<double>> start, end;
};
Paths paths_of(const Model& model, RunOptions asked, std::vector<ObservableRequest> observables) {
  asked.observables = std::move(observables);
  Paths all;
  RunHooks hooks;
  hooks.window = [&](size_t, std::span<const Window> windows) {
    for (const auto& [name, values] : windows[0].counted) all.integral[name].assign(values.begin(), values.end());
    for (const Window& one : windows) {
      all.start.emplace_back(one.start.begin(), one.start.end());
      all.end.emplace_back(one.end.begin(), one.end.end());
    }
  };
  run(make_plan(model, Sweep(), asked), hooks);
  return all;
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double one : values) sum += one * one;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// Root mean square, over the paths, of the change of V = sin(2 pi x)/10 plus the integral of -V' over x of this name.
double law_error(const SystemParts& parts, RunOptions run, const ObservableRequest& asked, const std::string& name) {
  run.precision = "double";
  const Paths paths = paths_of(make_system(parts), run, {asked});
  std::vector<double> law;
  for (size_t i = 0; i < paths.start[0].size(); ++i) {
    const auto V = [](double x) { return std::sin(2 * M_PI * x) / 10; };
    law.push_back(V(paths.end[0][i]) - V(paths.start[0][i]) + paths.integral.at("integral." + name)[i]);
  }
  return root_mean_square(law);
}

}  // namespace

TEST_CASE("dragged trap: the work is normal, and obeys Jarzynski's equality" * doctest::test_suite("quick")) {
  for (const bool own_clocks : {false, true}) {
    CAPTURE(own_clocks);
    const DraggedTrap trap{.own_clocks = own_clocks};
    const Observed all =
        observe(trap.model(), trap.run(1 << 17),
                {{"integral", {{"cumulants", {4}}, {"exponential", {-1 / trap.T}}}, {{"W", "-k*u*(x - u*t)"}}}});
    CHECK_EXACT(all.column("W"), trap.work(), 0.005);
    CHECK_EXACT(all.column("W_variance"), 2 * trap.T * trap.work(), 0.012);
    CHECK_EXACT(all.column("W_cumulant_3"), 0, 0.03);
    CHECK_EXACT(all.column("W_cumulant_4"), 0, 0.1);
    CHECK_EXACT(all.column("W_exponential"), 1, 0.02);
    CHECK_EXACT(all.column("W_free_energy"), 0, 0.015);
  }
}

TEST_CASE("dragged trap: Crooks's theorem, value by value") {
  const DraggedTrap trap{.own_clocks = true};
  const Paths paths = paths_of(trap.model(), trap.run(1 << 17), {{"integral", {}, {{"W", "-k*u*(x - u*t)"}}}});
  const std::vector<double>& W = paths.integral.at("integral.integral_W_0");
  // p(W) exp(-W/T) = p(-W): the trap that is dragged back is its mirror image
  for (const double from : {0.0, 0.4, 0.8}) {
    CAPTURE(from);
    const Estimate excess = average(W, [&](double w) {
      const auto within = [&](double value) { return value >= from && value < from + 0.4 ? 1.0 : 0.0; };
      return within(w) * std::exp(-w / trap.T) - within(-w);
    });
    CHECK_EXACT(excess, 0, 0.002);
  }
}

TEST_CASE("the first law path by path: heat over dx in a harmonic trap") {
  const double k = 2, f = 0.7;
  const std::vector<ObservableRequest> asked = {
      {"integral", {}, {{"work.x", "f"}, {"heat.x", "f - k*x"}, {"length.x", "1"}}}};
  for (const bool own_clocks : {false, true})
    for (const char* precision : {"single", "double"}) {
      CAPTURE(own_clocks);
      CAPTURE(std::string(precision));
      SystemParts parts{.variables = {{"x"}},
                        .equations = {{"x", "f - k*x"}},
                        .parameters = {{"f", f}, {"k", k}},
                        .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.5}}}}};
      if (own_clocks) {
        parts.variables.push_back({"y"});
        parts.equations["y"] = "-y";
        parts.parts.push_back({"y", BM_NOISE, "poisson", {{"lambda", 20}, {"D", 0.5}}, "kicks"});
      }
      RunOptions run = timed_run(0.01, 4, 0.25, 1024);
      run.precision = precision;
      const Paths paths = paths_of(make_system(parts), run, asked);
      std::vector<double> law, length;
      for (size_t i = 0; i < paths.start[0].size(); ++i) {
        const double a = paths.start[0][i], b = paths.end[0][i];
        law.push_back(k / 2 * (b * b - a * a) - (paths.integral.at("integral.integral_work_0")[i] -
                                                 paths.integral.at("integral.integral_heat_0")[i]));
        length.push_back(b - a - paths.integral.at("integral.integral_length_0")[i]);
      }
      const double bound = std::string(precision) == "single" ? 2e-5 : 1e-12;
      CHECK_NEAR(root_mean_square(law), 0, bound);
      CHECK_NEAR(root_mean_square(length), 0, bound);
    }
}

TEST_CASE("the first law path by path: work and heat of a driven trap, with inertia and without") {
  // Heat is known from V at both ends of the window. In a harmonic trap the sum over all steps is the same.
  const double k = 2, mass = 0.5;
  const Part trap{BM_POTENTIAL, "harmonic", {{"k", k}}}, bath{BM_NOISE, "gaussian", {{"D", 0.4}}},
      drive{BM_DRIVE, "cosine", {{"amplitude", 0.7}, {"omega", 3}}};
  for (const bool inertial : {false, true}) {
    CAPTURE(inertial);
    const Model model = inertial ? make_model({.mass = mass, .gamma = 0.8, .force = 0.3}, {trap, bath, drive})
                                 : make_model({trap, bath, drive}, 0.3);
    RunOptions run = timed_run(0.02, 5, 0, 1024);
    run.precision = "double";
    run.starts["x"] = {0.5, 0, 0, 0};
    if (inertial) run.starts["v"] = {0, 0, 0, 0};
    run.observables = {"work", "heat", {"integral", {}, {{"q.x", "0.3 + 0.7*cos(3*t) - 2*x"}}}};
    Plan plan = make_plan(model, Sweep(), run);
    std::vector<double> law, heats;
    RunHooks hooks;
    hooks.window = [&](size_t, std::span<const Window> windows) {
      const Measured m{
          .facts = plan.points[0].facts, .moments = {}, .recording = {}, .window = windows[0], .windows = windows};
      const Window& w = windows[0];
      const std::vector<double> work = work_on(m, 0), heat = heat_from(m, 0);
      for (size_t i = 0; i < w.end.size(); ++i) {
        const double v = inertial ? w.velocity[i] : 0, kinetic = mass / 2 * v * v;
        const double summed = w.counted.at("integral.integral_q_0")[i] - kinetic;
        law.push_back(k / 2 * (w.end[i] * w.end[i] - w.start[i] * w.start[i]) + kinetic - (work[i] - summed));
        heats.push_back(heat[i] - summed);
      }
    };
    bmsim::run(plan, hooks);
    CHECK(law.size() == 1024);
    CHECK_NEAR(root_mean_square(law), 0, 1e-12);
    CHECK_NEAR(root_mean_square(heats), 0, 1e-12);
  }
}

TEST_CASE("the first law path by path: a step's error of heat is of first order where V is not harmonic") {
  const auto error = [](double dt) {
    const SystemParts parts{.variables = {{"x"}},
                            .equations = {{"x", "-2*pi*cos(2*pi*x)/10 + 0.5"}},
                            .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.2}}}}};
    return law_error(parts, timed_run(dt, 4, 0.25, 4096), {"integral", {}, {{"q.x", "-2*pi*cos(2*pi*x)/10"}}},
                     "integral_q_0");
  };
  const double coarse = error(0.01), fine = error(0.005);
  CHECK_NEAR(fine, 0, 0.01);
  CHECK_NEAR(coarse / fine, 2, 0.15);
}

TEST_CASE("the first law path by path: with inertia a step's error of heat is of second order, with aboba and heun") {
  for (const std::string method : {"aboba", "heun"}) {
    CAPTURE(method);
    const auto error = [&](double dt) {
      const SystemParts parts{.variables = {{"x", true}},
                              .equations = {{"x", "-2*pi*cos(2*pi*x)/10"}},
                              .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.2}}}}};
      RunOptions run = timed_run(dt, 4, 0.25, 4096);
      run.method = method;
      return law_error(parts, run, "heat", "force_0");
    };
    const double coarse = error(0.02), fine = error(0.01);
    CHECK_NEAR(fine, 0, 5e-5);
    CHECK_NEAR(coarse / fine, 4, 0.3);
  }
}

TEST_CASE("an integral over t, and its error of the step, from steps of two lengths") {
  // <x^2> = T + (1 - T) exp(-2 t) from x = 1
  const double T = 0.1, time = 4, exact = T * time + (1 - T) * (1 - std::exp(-2 * time)) / 2;
  RunOptions run = timed_run(0.02, time, 0, 4096);
  run.starts["x"] = {1, 0, 0, 0};
  run.step_error = true;
  run.observables = {{"integral", {}, {{"W", "x^2"}}}};
  const Model trap = make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}}, {BM_NOISE, "gaussian", {{"D", T}}}});
  const RunOutcome outcome = bmsim::run(make_plan(trap, Sweep(), run), {});
  CHECK_EXACT(outcome.estimates[0][0], exact, 0.02);
  CHECK_EXACT(outcome.step_errors[0][0], 0, 0.002);
}

TEST_CASE("integrals of smooth motion are of second order in the step") {
  // x = exp(-t) + sin(t), without inertia; with inertia, m = gamma = 1, the force is the sum of what x'' + x' is
  const double time = 3;
  const auto exact = [&] {  // of x sin(2 t), of x o dx and of cos(2 t) dx, by Simpson's rule
    std::array<double, 3> sum{};
    const int n = 60000;
    for (int i = 0; i <= n; ++i) {
      const double t = time * i / n, w = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * time / n / 3;
      const double x = std::exp(-t) + std::sin(t), v = std::cos(t) - std::exp(-t);
      sum[0] += w * x * std::sin(2 * t), sum[1] += w * x * v, sum[2] += w * std::cos(2 * t) * v;
    }
    return sum;
  }();
  for (const char* method : {"heun", "platen", "aboba"})
    for (const bool inertial : {false, true}) {
      if (!inertial && method == std::string("aboba")) continue;
      for (const bool own_clocks : {false, true}) {
        CAPTURE(std::string(method));
        CAPTURE(inertial);
        CAPTURE(own_clocks);
        SystemParts parts{.variables = {{"x", inertial}},
                          .equations = {{"x", inertial ? "-sin(t) + cos(t)" : "-x + sin(t) + cos(t)"}}};
        if (own_clocks) {
          parts.variables.push_back({"y", inertial});
          parts.equations["y"] = "-y";
          parts.parts.push_back(flips);
        }
        const auto errors = [&](double dt) {
          RunOptions run = timed_run(dt, time, 0, 1024);
          run.precision = "double";
          run.method = method;
          run.check_step = false;
          run.starts["x"] = {1, 0, 0, 0};
          if (inertial) run.starts["v_x"] = {0, 0, 0, 0};
          const Observed all = observe(make_system(parts), run,
                                       {{"integral", {}, {{"a", "x*sin(2*t)"}, {"b.x", "x"}, {"c.x", "cos(2*t)"}}}});
          std::array<double, 3> found{};
          for (size_t i = 0; i < 3; ++i) found[i] = all.column(std::string(1, "abc"[i])).value - exact[i];
          return found;
        };
        const auto coarse = errors(0.04), fine = errors(0.02);
        for (size_t i = 0; i < 3; ++i) {
          CAPTURE(i);
          // the ends of steps alone would give errors of 0.01
          CHECK_NEAR(coarse[i], 0, 8e-4);
          CHECK_NEAR(fine[i], 0, 2e-4);
        }
      }
    }
}

TEST_CASE("integrals where kicks end steps: those of white noise, whatever the noise is") {
  // x = integral of exp(s - t) noise(s): that of x over time has the variance 2 D integral of (1 - exp(-s))^2
  const double D = 0.5, time = 2;
  const double variance = 2 * D * (time - 2 * (1 - std::exp(-time)) + (1 - std::exp(-2 * time)) / 2);
  for (const char* noise : {"gaussian", "poisson"}) {
    CAPTURE(std::string(noise));
    PartOf part{"x", BM_NOISE, noise, {{"D", D}}};
    if (noise == std::string("poisson")) part.given["lambda"] = 4;
    const Model model = make_system({.variables = {{"x"}}, .equations = {{"x", "-x"}}, .parts = {part}});
    RunOptions run = timed_run(0.05, time, 0, 1 << 17);
    run.starts["x"] = {0, 0, 0, 0};
    const Observed all = observe(model, run, {{"integral", {}, {{"area", "x"}, {"age", "t"}}}});
    CHECK_EXACT(all.column("area_variance"), variance, 0.01);
    CHECK_NEAR(all.column("age").value, time * time / 2, 1e-5);
    CHECK_EXACT(all.column("area"), 0, 0.003);  // Poissonian noise has the mean 0, too
  }
}

TEST_CASE("a driven trap: the work of the drive, by full names and by its own observable") {
  const double k = 1.5, A = 0.8, omega = 2, time = 8 * M_PI, D = 0.3;
  const Model model = make_model({{BM_POTENTIAL, "harmonic", {{"k", k}}},
                                  {BM_NOISE, "gaussian", {{"D", D}}},
                                  {BM_DRIVE, "cosine", {{"amplitude", A}, {"omega", omega}}}});
  RunOptions run = timed_run(time / 2000, time, 0.5, 1 << 14);
  const Observed all = observe(model, run,
                               {{"integral",
                                 {},
                                 {{"over_t", "cosine.amplitude*cosine.omega*sin(cosine.omega*t)*x"},
                                  {"over_x.x", "cosine.amplitude*cos(cosine.omega*t)"}}},
                                "work",
                                "heat",
                                {"average", {}, {{"stiff", "harmonic.k*x^2 + force"}}}});
  // power A^2 omega sin(phi) / (2 sqrt(k^2 + omega^2)), tan(phi) = omega/k, over half of the time
  const double exact = A * A * omega * omega / (k * k + omega * omega) / 2 * time / 2;
  CHECK_EXACT(all.column("over_t"), exact, 0.03);
  CHECK_EXACT(all.column("over_x"), exact, 0.03);
  CHECK_EXACT(all.column("work"), exact, 0.03);
  CHECK_EXACT(all.column("heat"), exact, 0.03);
  CHECK_NEAR(all.column("work").value, all.column("over_x").value, 1e-5);
  // the variance D/k, and the mean square of the motion with the drive
  CHECK_EXACT(all.column("stiff"), D + k * A * A / (k * k + omega * omega) / 2, 0.001);
}

TEST_CASE("entropy production and uncertainty of free motion") {
  const double f = 1.2, gamma = 2, T = 0.5, mass = 0.3, time = 40;
  for (const bool inertial : {false, true}) {
    CAPTURE(inertial);
    const double friction = inertial ? gamma : 1;
    const Model model =
        inertial ? make_model({.mass = mass, .gamma = gamma, .force = f}, {{BM_NOISE, "gaussian", {{"T", T}}}})
                 : make_model({{BM_NOISE, "gaussian", {{"D", T}}}}, f);
    const Observed all = observe(model, timed_run(0.02, time, 0.25, 1 << 14), {"work", "heat", "entropy_production"});
    const double window = 0.75 * time, heat = f * f / friction * window;
    CHECK_EXACT(all.column("work"), heat, 0.1);
    CHECK_EXACT(all.column("work_variance"), 2 * T * heat, 1.2 * (inertial ? 1 : 2));
    CHECK_EXACT(all.column("heat"), heat, 0.1);
    CHECK_EXACT(all.column("entropy_production"), f * f / friction / T, 0.005);
    // with inertia v is correlated over m/gamma: 2 (1 - (1 - exp(-s))/s), s = gamma t/m
    const double s = gamma / mass * window;
    CHECK_EXACT(all.column("uncertainty"), inertial ? 2 * (1 - (1 - std::exp(-s)) / s) : 2, 0.03);
  }
}

TEST_CASE("entropy production of two temperatures") {
  // Heat flows from x to y at the rate gamma c^2 (T_x - T_y)/(2 (gamma^2 k + m c^2)), here with gamma = 1 and with m =
  // 1 or without inertia.
  const double k = 1, c = 0.5, hot = 1, cold = 0.4;
  for (const std::string method : {"heun", "aboba", "heun without inertia"}) {
    const bool inertial = method != "heun without inertia";
    for (const bool own_temperatures : {true, false}) {
      CAPTURE(method);
      CAPTURE(own_temperatures);
      const Model model =
          make_system({.variables = {{"x", inertial}, {"y", inertial}},
                       .equations = {{"x", "-k*x - c*y"}, {"y", "-k*y - c*x"}},
                       .parameters = {{"k", k}, {"c", c}},
                       .parts = {{"x", BM_NOISE, "gaussian", {{"D", hot}}, "hot"},
                                 {"y", BM_NOISE, "gaussian", {{"D", own_temperatures ? cold : hot}}, "cold"}}});
      RunOptions run = timed_run(method == "aboba" ? 0.02 : 0.005, 40, 0.2, 1 << 13);
      run.method = method.substr(0, method.find(' '));
      const Observed all = observe(model, run, {"heat", "entropy_production"});
      const double flow = c * c * (own_temperatures ? hot - cold : 0) / (2 * (k + (inertial ? c * c : 0)));
      CHECK_EXACT(all.column("entropy_production"), flow * (1 / cold - 1 / hot), 0.002);
      CHECK_EXACT(all.column("heat"), 0, 0.025);
    }
  }
}

TEST_CASE("rotation in a trap: the step's error of areas is of first order, and its extrapolation is right" *
          doctest::test_suite("quick")) {
  const double a = 1, w = 1, T = 1;
  const Model model = make_system(
      {.variables = {{"x"}, {"y"}},
       .equations = {{"x", "-a*x - w*y"}, {"y", "-a*y + w*x"}},
       .parameters = {{"a", a}, {"w", w}},
       .parts = {{"x", BM_NOISE, "gaussian", {{"D", T}}, "along"}, {"y", BM_NOISE, "gaussian", {{"D", T}}, "across"}}});
  const double dt = 0.04;
  RunOptions run = timed_run(dt, 40, 0.2, 1 << 14);
  run.step_error = true;
  const Observed all = observe(model, run, {"entropy_production"});
  const double exact = 2 * w * w / a;
  CHECK(all.column("entropy_production").value == doctest::Approx(exact * (1 - a * dt)).epsilon(0.01));
  CHECK_EXACT(all.outcome.extrapolated[all.plan.column("entropy_production")][0], exact, 0.006);
}
