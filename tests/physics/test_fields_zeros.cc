// Events at zeros in systems with mean fields: paths of one system that fire, and drive one another.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "measures.h"
#include "recorded.h"
#include "results.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

void add_zero(Model& model, const char* formula, std::vector<std::pair<std::string, std::string>> set) {
  model.add_event({.name = "fire", .trigger = "when", .formula = formula, .direction = "up", .set = std::move(set)},
                  {});
}

/// A system with one field, m, of x.
Model coupled(const std::vector<ModelVariable>& variables, const char* field, const std::vector<std::string>& equations,
              const char* when, std::vector<std::pair<std::string, std::string>> set, double D = 0) {
  Model made;
  make_model({});
  made.make_system(variables, {});
  if (field != nullptr) made.add_fields({{"m", field}});
  if (D > 0) {
    made.add(BM_NOISE, "gaussian", "gaussian", "x");
    made.set("gaussian.D", D);
  }
  add_zero(made, when, std::move(set));
  made.set_equations(equations);
  return made;
}

RunOptions one_system(uint64_t paths, double dt, double time) {
  RunOptions run = timed_run(dt, time, 0.5, paths);
  run.replicas = 1;
  run.precision = "double";
  run.check_step = run.check_transient = false;
  return run;
}

/// N integrators x' = 1 + k m^power, m = <x>, that begin evenly spaced in (0, 1), fire at 1 and go on at 0. Since all
/// move alike, m goes up and down between 1/2 - 1/(2N) and 1/2 + 1/(2N).
struct Integrators {
  double k;
  int power;
  uint64_t n;
  Model model() const { return coupled({{"x"}}, "x", {fmt::format("1 + {}*m^{}", k, power)}, "x - 1", {{"x", "0"}}); }
  /// Time from m = 1/2 to another m.
  double time_to(double m) const {
    const auto primitive = [&](double at) {
      return power == 1 ? std::log(1 + k * at) / k : std::atan(std::sqrt(k) * at) / std::sqrt(k);
    };
    return primitive(m) - primitive(0.5);
  }
  double high() const { return 0.5 + 0.5 / static_cast<double>(n); }
  double low() const { return 1 - high(); }
  double cycle() const { return time_to(high()) - time_to(low()); }  // from one firing to the next
  /// How far each has come.
  double way(double t) const {
    const double first = time_to(high());
    const bool fired = t > first;
    const double number = fired ? std::floor((t - first) / cycle()) : 0;
    const double begin = fired ? low() : 0.5, since = fired ? t - first - number * cycle() : t;
    double from = begin, to = high();
    for (int i = 0; i < 60; ++i) {
      const double middle = (from + to) / 2;
      (time_to(middle) - time_to(begin) < since ? from : to) = middle;
    }
    return (fired ? high() - 0.5 + number / static_cast<double>(n) : 0) + from - begin;
  }
  /// Mean of m^2 over a cycle.
  double mean_square() const {
    return integral(low(), high(), [&](double m) { return m * m / (1 + k * std::pow(m, power)); }) / cycle();
  }
  /// Mean distance of the first from where it should be, at some times.
  double error(double dt) const {
    RunOptions run = one_system(n, dt, 16);
    run.starts["x"] = StartLaw{0.5, 1, 0, static_cast<uint32_t>(n)};
    std::vector<double> times;
    for (int i = 1; i <= 60; ++i) times.push_back(8 + 0.12 * i);
    const Recorded made = record(model(), run, {{"paths", {{"paths", {1}}, {"times", times}}}});
    double sum = 0;
    for (size_t i = 0; i < times.size(); ++i) {
      const double off = made.array("paths_x")[i] - 0.5 / static_cast<double>(n) - way(made.array("paths_time")[i]);
      sum += std::abs(off - std::round(off));
    }
    return sum / static_cast<double>(times.size());
  }
};

/// Where the only path of a system is at some times.
std::vector<double> track(const Model& model, const std::string& method, double dt) {
  RunOptions run = one_system(1, dt, 6);
  if (model.fields().empty()) run.replicas.reset();
  run.method = method;
  begin_at(run, "x", 0.3);
  std::vector<double> times;
  for (int i = 1; i <= 60; ++i) times.push_back(0.08 * i);
  return record(model, run, {{"paths", {{"paths", {1}}, {"times", times}}, {{"of", "x"}}}}).array("paths_x");
}

}  // namespace

TEST_CASE("integrators that fire one after the other, or all at once: second order, for few and for many") {
  for (const double k : {0.8, -0.5})
    for (const int power : {1, 2})
      for (const uint64_t n : {1, 2, 7, 64, 1000}) {
        if (k < 0 && power == 2) continue;
        CAPTURE(k);
        CAPTURE(power);
        CAPTURE(n);
        const Integrators all{k, power, n};
        // The error is about c dt^2, but depends on where within steps they fire.
        for (const double dt : {0.04, 0.01, 0.0025}) CHECK(all.error(dt) < 13 * dt * dt);
      }
}

TEST_CASE("time averages of what jumps within steps") {
  for (const uint64_t n : {1, 2, 7}) {
    CAPTURE(n);
    const Integrators all{0.8, 1, n};
    RunOptions run = one_system(n, 0.01, 400);
    run.starts["x"] = StartLaw{0.5, 1, 0, static_cast<uint32_t>(n)};
    const Results of(all.model(), run,
                     {average({{"x", "x"}, {"m2", "m^2"}}), {"integral", {}, {{"w", "x*m"}}}, {"events"}});
    const double rate = 1 / (static_cast<double>(n) * all.cycle()), window = 200;
    CHECK(of.column("x").value ==
          doctest::Approx(integral(all.low(), all.high(), [](double m) { return m / (1 + 0.8 * m); }) / all.cycle())
              .epsilon(0.003));
    CHECK(of.column("m2").value == doctest::Approx(all.mean_square()).epsilon(0.005));
    CHECK(of.column("fire_rate").value == doctest::Approx(rate).epsilon(0.005));
    if (n == 1) CHECK(of.column("w").value == doctest::Approx(all.mean_square() * window).epsilon(0.005));
  }
}

TEST_CASE("a system of one path is that path: with inertia, a drive, a threshold that depends on fields" *
          doctest::test_suite("quick")) {
  struct Case {
    std::string name, method;
    std::vector<ModelVariable> variables;
    const char *field, *equation, *alone, *when, *when_alone;
    std::pair<std::string, std::string> set;
    double most;
  };
  const ModelVariable inert{.name = "x", .inertial = true, .mass = 1, .gamma = 0.05};
  for (const Case& one :
       {Case{"overdamped",
             "heun",
             {{"x"}},
             "x^2",
             "1 + sin(3*t)/2 + m",
             "1 + sin(3*t)/2 + x^2",
             "x - 1",
             "x - 1",
             {"x", "-x/3"},
             1e-3},
        Case{"euler", "euler", {{"x"}}, "x", "1 + m", "1 + x", "x - 1", "x - 1", {"x", "0"}, 0.05},
        Case{"ball",
             "heun",
             {inert},
             "x",
             "-2 - sin(m) + cos(2*t)",
             "-2 - sin(x) + cos(2*t)",
             "-x",
             "-x",
             {"v_x", "-v_x"},
             1e-3},
        Case{"ball",
             "aboba",
             {inert},
             "x",
             "-2 - sin(m) + cos(2*t)",
             "-2 - sin(x) + cos(2*t)",
             "-x",
             "-x",
             {"v_x", "-v_x"},
             1e-3},
        Case{"threshold", "heun", {{"x"}}, "x", "1 - x/2", "1 - x/2", "x + m/4 - 1", "1.25*x - 1", {"x", "0"}, 1e-3}}) {
    CAPTURE(one.name);
    CAPTURE(one.method);
    const Model together = coupled(one.variables, one.field, {one.equation}, one.when, {one.set});
    const Model alone = coupled(one.variables, nullptr, {one.alone}, one.when_alone, {one.set});
    const std::vector<double> exact = track(alone, one.method == "euler" ? "heun" : one.method, 1e-3);
    const auto distance = [&](double dt) {
      const std::vector<double> x = track(together, one.method, dt);
      std::vector<double> off;
      for (size_t i = 0; i < x.size(); ++i) off.push_back(std::abs(x[i] - exact[i]));
      std::ranges::sort(off);
      return off[off.size() * 3 / 4];  // a few times are between two firings
    };
    const double coarse = distance(0.04), fine = distance(0.005);
    CHECK(fine < one.most);
    CHECK(coarse / fine > (one.method == "euler" ? 4 : 20));  // 8 or 64, but for where within steps it fires
  }
}

TEST_CASE("what fires first takes others along at once, by a threshold that depends on a field") {
  // Begin at 0, 0.2, ... 0.8; each firing lowers the threshold by 0.25: when the first fires, at t = 0.2, all do.
  Model made = coupled({{"x"}, {"s"}}, "s", {"1", ""}, "x - 1 + 1.25*m", {{"x", "x - 10"}, {"s", "s + 1"}});
  RunOptions run = one_system(5, 0.01, 0.5);
  run.transient = 0;
  run.starts["x"] = StartLaw{0.4, 1, 0, 5};
  const Results of(made, run, {{"moments", {{"times", {0.18, 0.27}}}, {{"of", "s"}}}});
  const Array& mean = of.array("s_cumulant_1");
  CHECK(mean.values[0] == 0);
  CHECK(mean.values[1] == 1);
}

TEST_CASE("an inhibited network with noise fires at the rate of one neuron in the field of all") {
  // x' = mu + k m - x + noise: the mean m is I - r, where I = mu + k m, and r is the rate at the input I (Siegert).
  const double mu = 1.8, k = -0.8, D = 0.05, s = std::sqrt(2 * D);
  const auto rate = [&](double input) {
    return 1 / (std::sqrt(M_PI) *
                integral(-input / s, (1 - input) / s, [](double u) { return std::exp(u * u) * (1 + std::erf(u)); }));
  };
  double input = mu;
  for (int i = 0; i < 200; ++i) input = 0.5 * input + 0.5 * (mu + k * (input - rate(input)));
  const Model model = coupled({{"x"}}, "x", {fmt::format("{} + ({})*m - x", mu, k)}, "x - 1", {{"x", "0"}}, D);
  const auto run_with = [&](double dt) {
    RunOptions run = timed_run(dt, 40, 0.5, 4096);
    run.replicas = 24;
    run.check_step = false;
    return Results(model, run, {average({{"m", "m"}}), {"events"}});
  };
  const Results coarse = run_with(0.01), fine = run_with(0.005);  // of first order
  for (const auto& [name, exact] : {std::pair("fire_rate", rate(input)), std::pair("m", input - rate(input))}) {
    CAPTURE(name);
    const Estimate a = coarse.column(name), b = fine.column(name);
    CHECK_EXACT((Estimate{2 * b.value - a.value, std::hypot(2 * b.error, a.error)}), exact, 0.003);
  }
}
