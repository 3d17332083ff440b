// Observables of formulas of the state of a system.
//
// Held to: the correlation and the spectrum of cos(theta) of a diffusing angle; cumulants of linear combinations in a
// linear system (A C + C Aᵀ + B Bᵀ = 0); Rayleigh's law of the distance in a trap; paths of a formula against the
// formula of paths, far from the first period; first passages of y - x: exit times of a diffusion with both D, Wald's
// identity with a drift, with kicks and by steps of five points; of the velocity of two particles; residence and
// turning points of y - x against those of one variable; exit of diffusions from a circle and an ellipse, of a velocity
// from an interval by its energy; passages of a geometric Brownian motion and of its logarithm; residence of x^2
#include <doctest/doctest.h>

#include <cmath>

#include "matrices.h"
#include "measures.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double two_pi = 6.283185307179586476925;

using Numbers = std::map<std::string, std::vector<double>>;
using Words = std::map<std::string, std::string>;

/// An observable of a formula that is called r.
ObservableRequest of(const char* observable, const char* formula, Numbers numbers = {}, Words words = {}) {
  words["of"] = formula;
  words["name"] = "r";
  return {observable, std::move(numbers), std::move(words)};
}

/// A run of one point, with its numbers by name.
class Run {
 public:
  Run(const Model& model, RunOptions options, std::vector<ObservableRequest> observables)
      : plan_(planned(model, std::move(options), std::move(observables))), outcome_(bmsim::run(plan_, {})) {}
  Estimate column(const std::string& name) const { return outcome_.estimates[plan_.column(name)][0]; }
  const std::vector<double>& array(const std::string& name) const {
    for (const Array& array : outcome_.arrays)
      if (array.name == name) return array.values;
    FAIL("no array ", name);
    return outcome_.arrays[0].values;
  }
  Estimate at(const std::string& name, size_t i) const { return {array(name)[i], array(name + "_err")[i]}; }

 private:
  static Plan planned(const Model& model, RunOptions options, std::vector<ObservableRequest> observables) {
    options.observables = std::move(observables);
    return make_plan(model, Sweep(), options);
  }
  Plan plan_;
  RunOutcome outcome_;
};

PartOf heat(const char* variable, double D) {
  return {variable, BM_NOISE, "gaussian", {{"D", D}}, variable + std::string("_bath")};
}

/// An angle that diffuses and turns.
Model angle(double D, double Omega) {
  return make_system({.variables = {{"theta", false, "2*pi"}},
                      .equations = {{"theta", "Omega"}},
                      .parameters = {{"Omega", Omega}},
                      .parts = {heat("theta", D)}});
}

/// Two free particles, x with a period; y drifts.
SystemParts free_pair(double Dx, double Dy, double drift) {
  return {.variables = {{"x", false, "1/2"}, {"y"}},
          .equations = {{"y", "drift"}},
          .parameters = {{"drift", drift}},
          .parts = {heat("x", Dx), heat("y", Dy)}};
}

/// All paths begin with these values.
void begin_at(RunOptions& run, const std::map<std::string, double>& values) {
  for (const auto& [name, value] : values) run.starts[name] = StartLaw{value, 0, 0, 0};
}

}  // namespace

TEST_CASE("correlation and spectrum of cos(theta): exp(-D t) cos(Omega t)/2 and its transform" *
          doctest::test_suite("quick")) {
  const double D = 2, Omega = 1.5, step = 0.2;
  const RunOptions run = timed_run(0.01, 60, 0, 8192);
  const Run turned(angle(D, Omega), run,
                   {of("correlation", "cos(theta)", {{"step", {step}}, {"lags", {6}}, {"origins", {200}}})});
  for (size_t i = 0; i < 6; ++i) {
    const double t = step * static_cast<double>(i);
    CHECK_EXACT(turned.at("correlation_r", i), std::exp(-D * t) * std::cos(Omega * t) / 2, 0.001);
  }
  const Run still(angle(D, 0), run,
                  {of("spectrum", "cos(theta)", {{"step", {step}}, {"samples", {256}}, {"segments", {1}}})});
  const double a = std::exp(-D * step);
  for (const size_t k : {4, 32, 100}) {
    const double f = still.array("spectrum_frequency_r")[k];  // of a sampled process
    const double exact = step * (1 - a * a) / (1 - 2 * a * std::cos(two_pi * f * step) + a * a);
    CHECK_EXACT(still.at("spectrum_r", k), exact, 0.06 * exact);
  }
}

TEST_CASE("cumulants of linear combinations of a linear system's variables") {
  const Model model = make_system({.variables = {{"x"}, {"y"}},
                                   .equations = {{"x", "-x + k*y"}, {"y", "x/4 - 2*y"}},
                                   .parameters = {{"k", 0.5}},
                                   .definitions = {{"sum", "x + y"}},
                                   .parts = {heat("x", 0.5), heat("y", 0.3)}});
  const double k = 0.5;     // covariances: A C + C Aᵀ + 2 D = 0
  Eigen::MatrixXd L(3, 3);  // xx, xy, yy
  L << -2, 2 * k, 0, 0.25, -3, k, 0, 0.5, -4;
  const Eigen::VectorXd C = matrices::carefully_solved(L, Eigen::Vector3d(-1, 0, -0.6));
  RunOptions run = timed_run(0.01, 10, 0, 65536);
  run.method = "platen";
  const Numbers last = {{"times", {10}}};
  const Run both(model, run, {{"moments", last, {{"of", "sum, x - k*y, k*x*y"}, {"name", "difference,xy"}}}});
  CHECK_EXACT(both.at("sum_cumulant_2", 0), C[0] + 2 * C[1] + C[2], 0.006);
  CHECK_EXACT(both.at("difference_cumulant_2", 0), C[0] - 2 * k * C[1] + k * k * C[2], 0.004);
  CHECK_EXACT(both.at("difference_cumulant_1", 0), 0, 0.004);
  CHECK_EXACT(both.at("xy_cumulant_1", 0), k * C[1], 0.002);
}

TEST_CASE("density of the distance in a trap: Rayleigh's law; of x and a formula of y: a product") {
  const Model trap = make_system({.variables = {{"x"}, {"y"}},
                                  .equations = {{"x", "-x"}, {"y", "-y"}},
                                  .definitions = {{"r", "sqrt(x^2 + y^2)"}},
                                  .parts = {heat("x", 0.5), heat("y", 0.5)}});
  RunOptions run = timed_run(0.01, 12, 0.5, 16384);
  run.method = "platen";
  const Numbers bins = {{"bins", {6}}, {"range", {0, 3}}, {"count", {7}}};
  const Run all(trap, run,
                {{"density", bins, {{"of", "r"}}},
                 {"density",
                  {{"bins", {2}}, {"range.x", {0, 1}}, {"range.s", {0, 2}}, {"count", {7}}},
                  {{"of", "x,y^2"}, {"name", "s"}}}});
  for (size_t i = 0; i < 6; ++i) {
    const double a = 0.5 * static_cast<double>(i), b = a + 0.5;  // variance 1/2 of each
    CHECK_EXACT(all.at("density_r", i), (std::exp(-a * a) - std::exp(-b * b)) / 0.5, 0.005);
  }
  const auto of_x = [](double i) { return (std::erf(0.5 * (i + 1)) - std::erf(0.5 * i)) / 2 / 0.5; };
  const auto of_square = [](double i) { return std::erf(std::sqrt(i + 1)) - std::erf(std::sqrt(i)); };
  for (const size_t i : {0, 1})
    for (const size_t j : {0, 1})
      CHECK_EXACT(all.at("density_x_s", 2 * i + j), of_square(static_cast<double>(i)) * of_x(static_cast<double>(j)),
                  0.005);
}

TEST_CASE("paths of a formula are the formula of paths, unfolded" * doctest::test_suite("quick")) {
  Model model = two_junctions();
  model.set("force_x", 40);
  const RunOptions run = timed_run(0.01, 30, 0, 100);
  const Numbers few = {{"paths", {7}}, {"count", {9}}};
  const Run all(model, run,
                {{"paths",
                  few,
                  {{"of", "x,y,x^2 - 3*y, atan2(v_y, v_x)*exp(-x/1000), if(x > 9, min(x, y), mod(y, 3)/v_x)"},
                   {"name", "a,b,c"}}}});
  double farthest = 0;
  for (size_t i = 0; i < all.array("paths_a").size(); ++i) {
    const double x = all.array("paths_x")[i], y = all.array("paths_y")[i], vx = all.array("paths_v_x")[i],
                 vy = all.array("paths_v_y")[i];
    const double c = x > 9 ? std::min(x, y) : (y - 3 * std::floor(y / 3)) / vx;
    CHECK(all.array("paths_a")[i] == doctest::Approx(x * x - 3 * y).epsilon(1e-13));
    CHECK(all.array("paths_b")[i] == doctest::Approx(std::atan2(vy, vx) * std::exp(-x / 1000)).epsilon(1e-13));
    CHECK(all.array("paths_c")[i] == doctest::Approx(c).epsilon(1e-12));
    farthest = std::max(farthest, x);
  }
  CHECK(farthest > 100);
}

TEST_CASE("arrays of several variables and formulas in a run with step_error") {
  const Model model = make_system({.variables = {{"x"}, {"y"}},
                                   .equations = {{"x", "-x"}, {"y", "-y"}},
                                   .parts = {heat("x", 0.3), heat("y", 0.7)}});
  RunOptions run = timed_run(0.01, 4, 0, 8192);
  run.step_error = true;
  const Run all(model, run, {{"moments", {{"times", {4}}}, {{"of", "x,y,x + y"}, {"name", "r"}}}});
  CHECK(all.array("moments_time")[0] == doctest::Approx(4));
  const double grown = 1 - std::exp(-8.0);
  CHECK_EXACT(all.at("x_cumulant_2", 0), 0.3 * grown, 0.01);
  CHECK_EXACT(all.at("y_cumulant_2", 0), 0.7 * grown, 0.02);
  CHECK_EXACT(all.at("r_cumulant_2", 0), grown, 0.03);
}

TEST_CASE("first passage of y - x: exit from an interval, as of a diffusion with D = Dx + Dy") {
  RunOptions run = timed_run(0.002, 12, 0, 65536);
  begin_at(run, {{"x", 7.25}, {"y", 7.5}});
  const Run exit(make_system(free_pair(0.3, 0.7, 0)), run, {of("first_passage", "y - x", {{"to", {-0.5, 1}}})});
  CHECK_EXACT(exit.column("mean_first_passage_time_r"), 0.75 * 0.75 / 2, 0.002);

  const Run scaled(make_system(free_pair(0.3, 0.7, 0)), run,
                   {of("first_passage", "(3*y - 2*x + drift)/2", {{"to", {2.75, 4.75}}})});  // begins at 4
  CHECK_EXACT(scaled.column("mean_first_passage_time_r"), 1.25 * 0.75 / (2 * (0.3 + 2.25 * 0.7)), 0.002);
}

TEST_CASE("first passage of y - x with a drift, and against kicks: Wald's identity") {
  SystemParts parts = free_pair(0.2, 0.1, 2);
  RunOptions run = timed_run(0.002, 40, 0, 32768);
  begin_at(run, {{"x", 3.1}, {"y", 3.1}});
  const std::vector<ObservableRequest> passage = {of("first_passage", "y - x", {{"to", {1.5}}})};
  CHECK_EXACT(Run(make_system(parts), run, passage).column("mean_first_passage_time_r"), 0.75, 0.003);
  parts.parts.push_back({"x", BM_NOISE, "poisson", {{"lambda", 2}, {"D", 0.125}}});  // kicks of x up, less their mean
  const Run kicked(make_system(parts), run, passage);
  CHECK_EXACT(kicked.column("mean_first_passage_time_r"), 0.75, 0.003);
}

TEST_CASE("first passage of y - x by the noise of one variable, in steps of every law") {
  SystemParts parts = free_pair(0.3, 0.7, 0.4);
  parts.parts.pop_back();  // y moves evenly
  RunOptions run = timed_run(0.005, 12, 0, 65536);
  begin_at(run, {{"x", 0}, {"y", 0}});
  const double F = 0.4 / 0.3, mean = (1 * (1 - std::exp(-F)) / (1 - std::exp(-2 * F)) * 2 - 1) / 0.4;
  for (const std::string law : {"five_point", "near_gaussian", "gaussian"}) {
    CAPTURE(law);
    run.increments = law;
    const Run exit(make_system(parts), run, {of("first_passage", "y - x", {{"to", {-1, 1}}})});
    CHECK_EXACT(exit.column("mean_first_passage_time_r"), mean, 0.006);
  }
}

TEST_CASE("first passage of v_x + v_y, from rest: the mean time of an Ornstein-Uhlenbeck process") {
  const Model model = make_system({.variables = {{"x", true}, {"y", true}},
                                   .parts = {{"x", BM_NOISE, "gaussian", {{"T", 0.3}}, "x_bath"},
                                             {"y", BM_NOISE, "gaussian", {{"T", 0.2}}, "y_bath"}}});
  RunOptions run = timed_run(0.005, 60, 0, 32768);
  begin_at(run, {{"x", 0}, {"y", 0}, {"v_x", 0}, {"v_y", 0}});
  // (1/gamma) sqrt(pi) integral of exp(u^2) (1 + erf u) from 0 to a/sqrt(2 T), for T together
  const double end = 1 / std::sqrt(2 * 0.5);
  const size_t n = 2000;
  double mean = 0;
  for (size_t i = 0; i < n; ++i) {
    const double u = end * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    mean += std::sqrt(two_pi / 2) * std::exp(u * u) * (1 + std::erf(u)) * end / static_cast<double>(n);
  }
  for (const std::string method : {"aboba", "heun"}) {
    CAPTURE(method);
    run.method = method;
    const Run passage(model, run, {of("first_passage", "v_x + v_y", {{"to", {1}}})});
    CHECK_EXACT(passage.column("mean_first_passage_time_r"), mean, 0.02 * mean);
  }
}

TEST_CASE("residence and turning points of y - x are those of one variable with the same D") {
  const Model pair = make_system({.variables = {{"x"}, {"y"}},
                                  .equations = {{"x", "-x"}, {"y", "-y"}},
                                  .parts = {heat("x", 0.3), heat("y", 0.7)}});
  const Model one = make_system({.variables = {{"z"}}, .equations = {{"z", "-z"}}, .parts = {heat("z", 1)}});
  RunOptions run = timed_run(0.002, 20, 0.2, 8192);
  run.increments = "gaussian";
  const Numbers between = {{"from", {-0.5}}, {"to", {0.7}}}, back = {{"threshold", {0.7}}};
  const Run two(pair, run, {of("residence", "y - x", between), of("turning_points", "y - x", back)});
  const Run alone(one, run, {{"residence", between, {{"of", "z"}}}, {"turning_points", back, {{"of", "z"}}}});
  CHECK_EXACT(difference(two.column("residence_low_r"), alone.column("residence_low_z")), 0, 0.02);
  CHECK_EXACT(difference(two.column("residence_high_r"), alone.column("residence_high_z")), 0, 0.02);
  CHECK_EXACT(difference(two.column("turning_rate_r"), alone.column("turning_rate_z")), 0, 0.01);
}

namespace {

/// Two free particles, each of its own bath.
Model plane(double Dx, double Dy) {
  return make_system({.variables = {{"x"}, {"y"}}, .parts = {heat("x", Dx), heat("y", Dy)}});
}

/// Of f between a and b.
template <class F> double integral(double a, double b, F f) {
  const size_t n = 4000;
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += f(a + (b - a) * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
  return sum * (b - a) / static_cast<double>(n);
}

}  // namespace

TEST_CASE("exit from a circle and an ellipse" * doctest::test_suite("quick")) {
  RunOptions run = timed_run(0.002, 12, 0, 65536);
  begin_at(run, {{"x", 0.3}, {"y", -0.4}});
  const Run circle(plane(0.5, 0.5), run, {of("first_passage", "sqrt(x^2 + y^2)", {{"to", {1}}})});
  CHECK_EXACT(circle.column("mean_first_passage_time_r"), (1 - 0.25) / (4 * 0.5), 0.004);
  const Run ellipse(plane(1, 0.2), run, {of("first_passage", "x^2/4 + y^2", {{"to", {1}}})});
  const double begin = 0.3 * 0.3 / 4 + 0.4 * 0.4;
  CHECK_EXACT(ellipse.column("mean_first_passage_time_r"), (1 - begin) / (2 * 1 / 4.0 + 2 * 0.2), 0.005);
}

TEST_CASE("first passage of the logarithm of a geometric Brownian motion, and of it in a system of two variables") {
  const double s = 0.8, level = 0.7, drift = -s * s / 2, D = s * s / 2;
  const SystemParts parts{.variables = {{"x"}, {"y"}}, .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "noise"}}};
  const Model model = make_system(parts, [](Model& m) {
    m.set_interpretation("ito");
    m.add_amplitude("noise", {"x", ""}, {});
  });
  RunOptions run = timed_run(0.005, 40, 0, 65536);
  begin_at(run, {{"x", 1}, {"y", 0}});
  const double exact = level / drift * std::tanh(level * drift / (2 * D));
  const Run logarithm(model, run, {of("first_passage", "log(x)", {{"to", {-level, level}}})});
  CHECK_EXACT(logarithm.column("mean_first_passage_time_r"), exact, 0.008);
  const Run itself(model, run, {{"first_passage", {{"to", {std::exp(-level), std::exp(level)}}}, {{"of", "x"}}}});
  CHECK_EXACT(itself.column("mean_first_passage_time_x"), exact, 0.008);
}

TEST_CASE("residence of x^2: passages of |x|, of an Ornstein-Uhlenbeck process") {
  const double D = 0.5, a = 0.5, b = 1;
  const auto weight = [&](double z) { return std::exp(-z * z / (2 * D)); };
  const double low = integral(a, b, [&](double z) { return integral(0, z, weight) / weight(z) / D; }),
               high = integral(a, b, [&](double z) { return integral(z, 8, weight) / weight(z) / D; });
  const Model model =
      make_system({.variables = {{"x"}, {"y"}}, .equations = {{"x", "-x"}, {"y", "-y"}}, .parts = {heat("x", D)}});
  for (const char* law : {"five_point", "gaussian"}) {
    CAPTURE(law);
    RunOptions run = timed_run(0.002, 120, 0.05, 4096);
    run.increments = law;
    const Run x2(model, run, {of("residence", "x^2", {{"from", {a * a}}, {"to", {b * b}}})});
    CHECK_EXACT(x2.column("residence_low_r"), low, 0.004 * low);
    CHECK_EXACT(x2.column("residence_high_r"), high, 0.004 * high);
  }
}

TEST_CASE("first passage of a kinetic energy: exit of a velocity from an interval") {
  const double T = 0.4, level = 0.9;
  const Model model =
      make_system({.variables = {{"x", true}, {"y"}}, .parts = {{"x", BM_NOISE, "gaussian", {{"T", T}}, "bath"}}});
  RunOptions run = timed_run(0.005, 60, 0, 32768);
  begin_at(run, {{"x", 0}, {"v_x", 0}, {"y", 0}});
  const auto weight = [&](double v) { return std::exp(-v * v / (2 * T)); };
  const double exact =
      integral(0, std::sqrt(2 * level), [&](double v) { return integral(0, v, weight) / weight(v) / T; });
  const Run energy(model, run, {of("first_passage", "v_x^2/2", {{"to", {level}}})});
  CHECK_EXACT(energy.column("mean_first_passage_time_r"), exact, 0.01 * exact);
}
