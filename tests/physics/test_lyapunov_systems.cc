// Lyapunov exponents of systems, and where noise depends on the state. Part of physics_lyapunov.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "matrices.h"
#include "measures.h"
#include "observed.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

PartOf white(const char* variable, double D, const char* name) {
  return {variable, BM_NOISE, "gaussian", {{"D", D}}, name};
}
Estimate exponent(const Model& model, const RunOptions& run) {
  return observe(model, run, {"lyapunov"}).column("lyapunov");
}
double largest_real_part(const Eigen::MatrixXd& A) { return matrices::eigenvalues(A).real().maxCoeff(); }

/// One variable with an equation, noise of D = 1/2, and its amplitude.
Model multiplied(const char* equation, const char* amplitude, const char* interpretation) {
  const SystemParts parts{.variables = {{"x"}},
                          .equations = {{"x", equation}},
                          .parameters = {{"k", 0.4}, {"s", 0.7}},
                          .parts = {white("x", 0.5, "noise")}};
  return make_system(parts, [&](Model& m) {
    m.add_amplitude("noise", {amplitude}, {});
    m.set_interpretation(interpretation);
  });
}

}  // namespace

TEST_CASE("lyapunov: the largest real part of a linear system's eigenvalues, whatever the noise and the method") {
  Eigen::MatrixXd A(3, 3);
  A << -0.3, -2, 0.4, 2, -0.5, 1, 0.2, -0.7, -1.5;
  for (const std::string method : {"heun", "platen", "euler"})
    for (const bool events : {false, true}) {
      CAPTURE(method);
      CAPTURE(events);
      SystemParts parts{
          .variables = {{"x"}, {"y"}, {"z"}},
          .equations = {{"x", "-0.3*x - 2*y + 0.4*z"}, {"y", "2*x - 0.5*y + z"}, {"z", "0.2*x - 0.7*y - 1.5*z"}},
          .parts = {white("x", 0.5, "first"), white("z", 0.2, "second")}};
      if (events) {
        parts.parts.push_back({"y", BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 0.3}}});
        parts.parts.push_back({"x", BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 0.5}, {"tau", 0.4}}});
      }
      RunOptions run = timed_run(0.01, 200, 0.1, 64);
      run.method = method;
      // Euler's scheme multiplies by 1 + A h: exactly its own exponent, not that of the equation
      const Eigen::MatrixXd factor = Eigen::MatrixXd::Identity(3, 3) + A * 0.01;
      const double own = std::log(matrices::eigenvalues(factor).cwiseAbs().maxCoeff()) / 0.01;
      const bool eulers = method == "euler" && !events;  // events cut steps
      CHECK_NEAR(exponent(make_system(parts), run).value, eulers ? own : largest_real_part(A),
                 method == "euler" && events ? 0.03 : 2e-3);
    }
}

TEST_CASE("lyapunov: damped oscillators in the plane, and one coupled to a variable without inertia" *
          doctest::test_suite("quick")) {
  const double m = 1.25, k = 2, c = 0.7;
  for (const double gamma : {0.5, 6.0})
    for (const std::string method : {"aboba", "heun"}) {
      CAPTURE(gamma);
      CAPTURE(method);
      Model plane = make_system({.variables = {{"x", true}, {"y", true}},
                                 .equations = {{"x", "-2*x + 0.7*y"}, {"y", "-2*y + 0.7*x"}},
                                 .parts = {white("x", 0.5, "first"), white("y", 0.2, "second")}});
      for (const char* variable : {"x", "y"})
        plane.set(std::string("mass_") + variable, m), plane.set(std::string("gamma_") + variable, gamma);
      Eigen::MatrixXd A(4, 4);
      A << 0, 0, 1, 0, 0, 0, 0, 1, -k / m, c / m, -gamma / m, 0, c / m, -k / m, 0, -gamma / m;
      RunOptions run = timed_run(0.01, 400, 0.25, 64);
      run.method = method;
      CHECK_NEAR(exponent(plane, run).value, largest_real_part(A), 3e-3);
    }
  Model both = make_system({.variables = {{"x", true}, {"y"}},
                            .equations = {{"x", "-2*x + 0.7*y"}, {"y", "-0.7*y - 1.3*v_x"}},
                            .parts = {white("x", 0.5, "first"),
                                      white("y", 0.2, "second"),
                                      {"x", BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 0.3}}}}});
  both.set("mass_x", m), both.set("gamma_x", 0.5);
  Eigen::MatrixXd A(3, 3);
  A << 0, 0, 1, 0, -0.7, -1.3, -k / m, c / m, -0.5 / m;
  CHECK_NEAR(exponent(both, timed_run(0.01, 400, 0.25, 64)).value, largest_real_part(A), 3e-3);
}

TEST_CASE("lyapunov: without coupling the larger one of the variables', and no path is changed by it" *
          doctest::test_suite("quick")) {
  // the same noise: the same paths, whose slopes are once dual numbers and once centred differences
  for (const bool inertial : {false, true}) {
    CAPTURE(inertial);
    const Part well{BM_POTENTIAL, "double_well", {}}, heat{BM_NOISE, "gaussian", {{"D", 0.3}}};
    const Model plain = inertial ? make_model(Inertial{}, {well, heat}) : make_model({well, heat});
    const Model system =
        make_system({.variables = {{"x", inertial}, {"y"}},
                     .equations = {{"y", "-9*y"}},
                     .parts = {{"x", BM_POTENTIAL, "double_well", {}}, {"x", BM_NOISE, "gaussian", {{"D", 0.3}}}}});
    RunOptions run = timed_run(0.005, 40, 0.2, 512);
    run.method = "heun";
    const Observed alone = observe(plain, run, {"lyapunov", "velocity"});
    const Observed together = observe(system, run, {"lyapunov", "velocity"});
    const double bound = inertial ? 3e-3 : 1e-4;  // the plain tangent vector of inertial motion is aboba's
    CHECK_NEAR(together.column("lyapunov").value, alone.column("lyapunov").value, bound);
    CHECK(together.column("velocity_x").value == alone.column("velocity").value);
    CHECK(together.column("velocity_x").value == observe(system, run, {"velocity"}).column("velocity_x").value);
  }
}

TEST_CASE("lyapunov: potentials of plugins by dual numbers and by differences") {
  const std::vector<std::pair<const char*, std::vector<double>>> shapes[] = {
      {{"V", {0.0, 1.0, 0.2, -0.6}}}, {{"b", {0.2, 0.05}}}, {}, {}};
  const char* ids[] = {"table", "fourier", "sine", "ratchet"};
  for (size_t i = 0; i < 4; ++i) {
    CAPTURE(ids[i]);
    Part potential{BM_POTENTIAL, ids[i], {}};
    Model system = make_system({.variables = {{"x"}, {"y"}},
                                .equations = {{"y", "-90*y"}},
                                .parts = {{"x", BM_POTENTIAL, ids[i]}, white("x", 0.3, "gaussian")}});
    Model plain = make_model({potential, {BM_NOISE, "gaussian", {{"D", 0.3}}}});
    for (const auto& [name, values] : shapes[i])
      for (Model* model : {&system, &plain}) model->set_list(fmt::format("{}.{}", ids[i], name), values);
    const RunOptions run = timed_run(0.001, 10, 0.1, 256);
    const double expected = exponent(plain, run).value;
    CHECK_NEAR(exponent(system, run).value, expected, 2e-3 * std::abs(expected) + 1e-3);
  }
}

TEST_CASE("lyapunov: every function of a formula has the derivative that is written out") {
  // w follows the linearised equation under the same scheme: it grows by what the tangent vector grows
  const std::pair<const char*, const char*> functions[] = {
      {"tanh(20*x)", "20*(1 - tanh(20*x)^2)"},
      {"sinh(x) - cosh(x)", "cosh(x) - sinh(x)"},
      {"log(2 + x^2)", "2*x/(2 + x^2)"},
      {"(1 + x^2)^0.3 + 2^x", "0.6*x*(1 + x^2)^(-0.7) + 2^x*log(2)"},
      {"pow(2 + x, x)", "pow(2 + x, x)*(log(2 + x) + x/(2 + x))"},
      {"sqrt(1 + x^2)*exp(-x^2)", "exp(-x^2)*(x/sqrt(1 + x^2) - 2*x*sqrt(1 + x^2))"},
      {"sin(3*x)*cos(x) + tan(x)", "3*cos(3*x)*cos(x) - sin(3*x)*sin(x) + 1 + tan(x)^2"},
      {"2*abs(x - 0.2) + min(x, 0.3) + max(x, 0.4)", "2*sign(x - 0.2) + if(x < 0.3, 1, 0) + if(x > 0.4, 1, 0)"},
      {"sin(atan2(x, 2 - x))", "cos(atan2(x, 2 - x))*2/(x^2 + (2 - x)^2)"}};
  for (const auto& [function, slope] : functions) {
    CAPTURE(function);
    const PartOf heat = white("x", 0.05, "heat");
    const Model one =
        make_system({.variables = {{"x"}}, .equations = {{"x", fmt::format("{} - 2*x", function)}}, .parts = {heat}});
    const Model two =
        make_system({.variables = {{"x"}, {"w"}},
                     .equations = {{"x", fmt::format("{} - 2*x", function)}, {"w", fmt::format("({} - 2)*w", slope)}},
                     .parts = {heat}});
    RunOptions run = timed_run(0.01, 1, 0, 1);
    run.precision = "double";
    run.method = "heun";
    run.increments = "gaussian";
    run.starts["x"] = StartLaw{0.25, 0, 0, 0};
    const Estimate tangent = exponent(one, run);
    run.starts["w"] = StartLaw{1, 0, 0, 0};
    const double grown = 1 + observe(two, run, {"velocity"}).column("velocity_w").value;
    CHECK_NEAR(tangent.value, std::log(grown), 1e-11);
  }
}

TEST_CASE("lyapunov: geometric Brownian motion, mu - s^2/2 by Ito and mu by Stratonovich" *
          doctest::test_suite("quick")) {
  for (const std::string word : {"ito", "stratonovich"})
    for (const std::string method : {"heun", "euler", "platen"}) {
      CAPTURE(word);
      CAPTURE(method);
      RunOptions run = timed_run(0.002, 10, 0, 16384);
      run.method = method;
      run.starts["x"] = StartLaw{1, 0, 0, 0};
      const Estimate got = exponent(multiplied("k*x", "s*x", word.c_str()), run);
      CHECK_EXACT(got, word == "ito" ? 0.4 - 0.245 : 0.4, 0.02);
    }
}

TEST_CASE("lyapunov: noise of amplitude s sqrt(1 + x^2) in a trap, by quadrature; coarse steps") {
  // dx = -k x dt + b dW (Ito): p ~ (1 + x^2)^(-1 - k/s^2), and the exponent is -k - <b'^2>/2
  const double k = 0.4, s = 0.7;
  double norm = 0, square = 0;
  for (int i = 0; i < 20000; ++i) {
    const double angle = (i + 0.5) / 20000 * std::numbers::pi - std::numbers::pi / 2, x = std::tan(angle);
    const double weight = std::pow(1 + x * x, -k / (s * s));  // dx = (1 + x^2) d angle
    norm += weight;
    square += weight * s * s * x * x / (1 + x * x);
  }
  const double exact = -k - square / norm / 2;
  const Model model = multiplied("-k*x", "s*sqrt(1 + x^2)", "ito");
  for (const std::string method : {"heun", "platen", "euler"}) {
    CAPTURE(method);
    RunOptions run = timed_run(0.005, 200, 0.3, 2048);
    run.method = method;
    run.step_error = method == "heun";
    CHECK_EXACT(exponent(model, run), exact, 0.02);
  }
}

TEST_CASE("lyapunov: the Lorenz system, 0.9056" * doctest::test_suite("quick")) {
  // sigma = 10, rho = 28, beta = 8/3: J. C. Sprott, Chaos and Time-Series Analysis (2003), table 4.1
  const Model lorenz = make_system({.variables = {{"x"}, {"y"}, {"z"}},
                                    .equations = {{"x", "10*(y - x)"}, {"y", "x*(28 - z) - y"}, {"z", "x*y - 8/3*z"}}});
  RunOptions run = timed_run(0.004, 200, 0.1, 512);
  run.starts["x"] = StartLaw{3, 4, 0, 0};
  run.starts["y"] = StartLaw{1, 0, 0, 0};
  run.starts["z"] = StartLaw{20, 0, 0, 0};
  CHECK_NEAR(exponent(lorenz, run).value, 0.9056, 0.003);
}

TEST_CASE("lyapunov: a Stuart-Landau oscillator with shear and noise, against a plain program") {
  // M. Breden, M. Engel, Ann. Appl. Probab. 33, 1052 (2023): shear turns noise into chaos.
  const double b = 10, D = 0.5, h = 0.002, time = 60, begin = 12;
  const Model model = make_system({.variables = {{"x"}, {"y"}},
                                   .equations = {{"x", "x - (x - b*y)*r2"}, {"y", "y - (b*x + y)*r2"}},
                                   .parameters = {{"b", b}},
                                   .definitions = {{"r2", "x^2 + y^2"}},
                                   .parts = {white("x", D, "first"), white("y", D, "second")}});
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, std::sqrt(2 * D * h));
  std::vector<double> exponents;
  for (int path = 0; path < 200; ++path) {
    double x = 1, y = 0, wx = 0.6, wy = 0.8, grown = 0;
    const auto drift = [&](double px, double py, double& fx, double& fy) {
      const double r2 = px * px + py * py;
      fx = px - (px - b * py) * r2, fy = py - (b * px + py) * r2;
    };
    const auto linear = [&](double px, double py, double ux, double uy, double& gx, double& gy) {
      const double r2 = px * px + py * py, dr2 = 2 * (px * ux + py * uy);
      gx = ux - (ux - b * uy) * r2 - (px - b * py) * dr2, gy = uy - (b * ux + uy) * r2 - (b * px + py) * dr2;
    };
    for (int step = 0; step < time / h; ++step) {
      const double dx = normal(random), dy = normal(random);
      double fx, fy, gx, gy, tx, ty, sx, sy;
      drift(x, y, fx, fy), linear(x, y, wx, wy, gx, gy);
      const double px = x + fx * h + dx, py = y + fy * h + dy;
      drift(px, py, tx, ty), linear(px, py, wx + gx * h, wy + gy * h, sx, sy);
      x += (fx + tx) * h / 2 + dx, y += (fy + ty) * h / 2 + dy;
      wx += (gx + sx) * h / 2, wy += (gy + sy) * h / 2;
      const double length = std::hypot(wx, wy);
      if (step * h >= begin) grown += std::log(length);
      wx /= length, wy /= length;
    }
    exponents.push_back(grown / (time - begin));
  }
  const Estimate plain = mean(exponents), got = exponent(model, timed_run(h, time, begin / time, 8192));
  CHECK(got.value > 10 * got.error);
  CHECK_EXACT(difference(got, plain), 0, 0.05);
}
