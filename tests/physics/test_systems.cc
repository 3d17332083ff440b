// Systems of several variables, and noise whose amplitude depends on the state.
//
// Held to: variances of linear systems (A C + C Aᵀ + B Bᵀ = 0), with and without inertia; free active particle: D_eff;
// generalised Langevin equation with exponential memory: ⟨x²⟩, ⟨v²⟩; one variable with amplitude in the three
// interpretations: v by quadrature; geometric Brownian motion: ⟨x⟩, ⟨x²⟩; moments of a linear system with
// multiplicative noise; mean exit times of a variable of a system, and under noise with an amplitude; the diffusion
// tensor of correlated noise; potential plugins of several variables: averages over exp(-V/D); friction that depends on
// the place: Boltzmann's law and the drift of a free particle; a system of one variable against the same model without
// one, bit for bit, and under coloured noise against its exact variance
#include "systems.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "matrices.h"
#include "measures.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double two_pi = 6.283185307179586476925;

/// Estimates of the columns of a run of one point, by name.
std::map<std::string, Estimate> columns_of(const Model& model, RunOptions run) {
  const Plan plan = make_plan(model, Sweep(), run);
  const RunOutcome outcome = bmsim::run(plan, {});
  std::map<std::string, Estimate> all;
  size_t i = 0;
  for (const auto& observable : plan.observables)
    for (const std::string& name : observable->columns()) all[name] = outcome.estimates[i++][0];
  return all;
}

/// C of A C + C Aᵀ + 2 D = 0.
Eigen::MatrixXd stationary(const Eigen::MatrixXd& A, const Eigen::MatrixXd& D) {
  const auto n = A.rows();
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n * n, n * n);
  Eigen::VectorXd b(n * n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      b(i * n + j) = -2 * D(i, j);
      for (Eigen::Index k = 0; k < n; ++k) L(i * n + j, k * n + j) += A(i, k), L(i * n + j, i * n + k) += A(j, k);
    }
  const Eigen::VectorXd c = matrices::carefully_solved(L, b);
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(c.data(), n, n);
}

/// Mean velocity of dx = f dt + b dW, f = -V0 2 pi cos(2 pi x), D(x) = D0 (1 + a cos(2 pi x + phi)), in the
/// interpretation alpha, by quadrature.
double exact_landauer(double V0, double D0, double a, double phi, double alpha) {
  const size_t n = 20000;
  const double h = 1.0 / static_cast<double>(n);
  const auto D = [&](double x) { return D0 * (1 + a * std::cos(two_pi * x + phi)); };
  const auto rate = [&](double x) {
    const double slope = -two_pi * D0 * a * std::sin(two_pi * x + phi);  // D' = b b'
    return -(-V0 * two_pi * std::cos(two_pi * x) + alpha * slope) / D(x);
  };
  std::vector<double> psi(2 * n + 1), inner(2 * n + 1);
  for (size_t i = 1; i <= 2 * n; ++i) {
    psi[i] = psi[i - 1] + h * rate((static_cast<double>(i) - 0.5) * h);
    inner[i] = inner[i - 1] + h * (std::exp(psi[i]) + std::exp(psi[i - 1])) / 2;
  }
  double sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += h * std::exp(-psi[i]) / D(static_cast<double>(i) * h) * (inner[i + n] - inner[i]);
  return (1 - std::exp(psi[n])) / sum;
}

}  // namespace

TEST_CASE("a system of one variable has the bits of the same model without one" * doctest::test_suite("quick")) {
  const Part wave{BM_POTENTIAL, "sine", {{"V0", 0.7}}}, heat{BM_NOISE, "gaussian", {{"D", 0.3}}},
      push{BM_DRIVE, "cosine", {{"amplitude", 1.5}, {"omega", 4.0}}};
  RunOptions run = timed_run(0.01, 20, 0.1, 3000);
  for (const bool inertial : {false, true}) {
    const Model plain =
        inertial ? make_model(Inertial{0.7, 0.9, 0.2}, {wave, heat, push}) : make_model({wave, heat, push}, 0.2);
    Model system = make_system({.variables = {{"x", inertial}},
                                .parts = {{"x", BM_POTENTIAL, "sine", {{"V0", 0.7}}},
                                          {"x", BM_NOISE, "gaussian", {{"D", 0.3}}},
                                          {"x", BM_DRIVE, "cosine", {{"amplitude", 1.5}, {"omega", 4.0}}}}});
    system.set("force_x", 0.2);
    if (inertial) system.set("mass_x", 0.7), system.set("gamma_x", 0.9);
    run.method = inertial ? "aboba" : "heun";
    run.observables = {"velocity", "diffusion"};
    if (inertial) run.observables.emplace_back("velocity_squared");
    auto one = columns_of(plain, run), other = columns_of(system, run);
    CHECK(one.at("velocity").value == other.at("velocity_x").value);
    CHECK(one.at("diffusion").value == other.at("diffusion_x").value);
    if (inertial) CHECK(one.at("velocity_squared").value == other.at("velocity_squared_x").value);
  }
}

TEST_CASE("a modulated potential: velocity and diffusion of the same model without a system") {
  const Part saw{BM_POTENTIAL, "ratchet", {{"V0", 2.0}}}, heat{BM_NOISE, "gaussian", {{"D", 0.3}}};
  Model plain = make_model({saw, {BM_NOISE, "dichotomous", {{"Fa", 1}, {"Fb", 0}, {"mu_a", 2}, {"mu_b", 1}}}, heat});
  plain.modulate("dichotomous");
  Model system =
      make_system({.variables = {{"x"}},
                   .parts = {{"x", BM_POTENTIAL, "ratchet", {{"V0", 2.0}}},
                             {"x", BM_NOISE, "dichotomous", {{"Fa", 1}, {"Fb", 0}, {"mu_a", 2}, {"mu_b", 1}}},
                             {"x", BM_NOISE, "gaussian", {{"D", 0.3}}}}});
  system.modulate("dichotomous");
  RunOptions run = timed_run(0.002, 40, 0.1, 12288);
  run.observables = {"velocity", "diffusion"};
  run.method = "heun";
  auto one = columns_of(plain, run), other = columns_of(system, run);
  // events have other random numbers, since components are numbered after the equations
  CHECK_EXACT(difference(one.at("velocity"), other.at("velocity_x")), 0, 0.004);
  CHECK_EXACT(difference(one.at("diffusion"), other.at("diffusion_x")), 0, 0.006);
  CHECK(std::abs(one.at("velocity").value) > 5 * one.at("velocity").error);  // a flashing ratchet
}

TEST_CASE("free active particle: D_eff = D + v0^2/(2 D_r), by default steps") {
  const double v0 = 2, D = 0.1, turning = 0.5;
  RunOptions run = options();
  run.time = 400;
  run.paths = 24576;
  run.observables = {"velocity", "diffusion"};
  const auto found = columns_of(active_particle(0, v0, D, turning), run);
  // the persistence makes the variance begin later by a time of order 1/D_r
  const double Dr = turning, window = 360, begin = 40, end = begin + window;
  const auto msd = [&](double t) { return 2 * D * t + v0 * v0 / (Dr * Dr) * (Dr * t - 1 + std::exp(-Dr * t)); };
  const double exact = (msd(end) - msd(begin)) / (2 * window);
  CHECK_EXACT(found.at("velocity_x"), 0, 0.002);
  CHECK_EXACT(found.at("diffusion_x"), exact, 0.045);
  CHECK_EXACT(found.at("diffusion_y"), exact, 0.045);
  CHECK_EXACT(found.at("diffusion_theta"), turning, 0.006);
}

TEST_CASE("linear systems: variances from A C + C A^T + 2 D = 0" * doctest::test_suite("quick")) {
  // Brownian gyrator: two temperatures in a tilted trap
  Eigen::MatrixXd A(2, 2), D(2, 2);
  A << -2, 0.8, 0.8, -1;
  D << 0.3, 0, 0, 1.1;
  const SystemParts parts{
      .variables = {{"x"}, {"y"}},
      .equations = {{"x", "-2*x + u*y"}, {"y", "u*x - y"}},
      .parameters = {{"u", 0.8}},
      .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.3}}, "cold"}, {"y", BM_NOISE, "gaussian", {{"D", 1.1}}, "hot"}}};
  RunOptions run = options();
  run.paths = 98304;
  run.dt = 0.02;
  const RunOutcome outcome = moments_at(make_system(parts), run, 12, {"x", "y"});
  const Eigen::MatrixXd C = stationary(A, D);
  CHECK_EXACT(last_of(outcome, "x_cumulant_2"), C(0, 0), 0.003);
  CHECK_EXACT(last_of(outcome, "y_cumulant_2"), C(1, 1), 0.012);
  CHECK_EXACT(last_of(outcome, "y_cumulant_1"), 0, 0.006);
  // averages over the window; the rotation x dy/dt - y dx/dt, of the drifts, has the mean u (C_xx - C_yy) + C_xy
  run.time = 40;
  run.paths = 8192;
  run.observables = {{"average", {}, {{"xy", "x*y"}, {"x2", "x^2"}, {"rotation", "x*(u*x - y) - y*(-2*x + u*y)"}}}};
  const auto found = columns_of(make_system(parts), run);
  CHECK_EXACT(found.at("x2"), C(0, 0), 0.0015);
  CHECK_EXACT(found.at("xy"), C(0, 1), 0.003);
  CHECK_EXACT(found.at("rotation"), 0.8 * (C(0, 0) - C(1, 1)) + C(0, 1), 0.003);
}

TEST_CASE("one variable under coloured noise: <x^2> = D/(k (1 + k tau)), with inertia that of the linear system") {
  // A state of the noise beside x: with inertia <x^2> = D (1 + tau gamma/m)/(gamma k (1 + tau gamma/m + tau^2 k/m))
  const double k = 2, D = 1, tau = 0.5;
  RunOptions run = timed_run(0.01, 40, 0.5, 24576);
  run.observables = {{"average", {}, {{"x2", "x^2"}}}};
  for (const bool inertial : {false, true}) {
    const Model model = make_system({.variables = {{"x", inertial}},
                                     .equations = {{"x", "-k*x"}},
                                     .parameters = {{"k", k}},
                                     .parts = {{"x", BM_NOISE, "ornstein_uhlenbeck", {{"D", D}, {"tau", tau}}}}});
    const double exact = inertial ? D * (1 + tau) / (k * (1 + tau + tau * tau * k)) : D / (k * (1 + k * tau));
    CHECK_EXACT(columns_of(model, run).at("x2"), exact, 0.003);
  }
}

TEST_CASE("with kicks the mean velocity is the average of the force") {
  // the Poissonian noise has no mean; both are from the same paths, whose ends the window divides
  const Model model = make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}});
  RunOptions run = timed_run(0.0005, 20, 0.1, 8192);
  run.observables = {"velocity", {"average", {}, {{"mean_force", "-2*pi*cos(2*pi*x)"}}}};
  run.method = "heun";
  const auto found = columns_of(model, run);
  CHECK(std::abs(found.at("velocity").value) > 0.3);
  CHECK_EXACT(difference(found.at("mean_force"), found.at("velocity")), 0, 0.01);
}

TEST_CASE("generalised Langevin equation with exponential memory in a trap: <x^2> = T/k, <v^2> = T/m") {
  // m dv = (-k x + z) dt, dz = (-z - c v) dt / tau + sqrt(2 T c)/tau dW: memory kernel (c/tau) exp(-t/tau)
  const double T = 0.7, k = 2, m = 0.5, c = 1.5, tau = 0.8;
  const SystemParts parts{.variables = {{"x", true}, {"z"}},
                          .equations = {{"x", "-k*x + z"}, {"z", "-(z + c*v_x)/tau"}},
                          .parameters = {{"k", k}, {"c", c}, {"tau", tau}},
                          .parts = {{"z", BM_NOISE, "gaussian", {{"D", T * c / (tau * tau)}}, "bath"}}};
  Model model = make_system(parts);
  model.set("mass_x", m);
  model.set("gamma_x", 0);
  RunOptions run = options();
  run.paths = 98304;
  run.dt = 0.01;
  const RunOutcome outcome = moments_at(model, run, 40, {"x"});
  CHECK_EXACT(last_of(outcome, "x_cumulant_2"), T / k, 0.003);
  CHECK_EXACT(last_of(outcome, "v_x_cumulant_2"), T / m, 0.008);
}

TEST_CASE("one variable with amplitude: v in the three interpretations, by quadrature") {
  const std::pair<const char*, double> interpretations[] = {{"ito", 0}, {"stratonovich", 0.5}, {"anti_ito", 1}};
  for (const auto& [word, alpha] : interpretations)
    for (const char* method : {"heun", "euler"}) {
      CAPTURE(word);
      CAPTURE(method);
      RunOptions run = options();
      run.method = method;
      run.dt = 0.0001;  // errors are of first order: 2.5 dt for heun
      run.time = 20;
      run.paths = 12288;
      run.check_step = false;
      const auto found = columns_of(landauer(word), run);
      CHECK_EXACT(found.at("velocity"), exact_landauer(1, 0.5, 0.6, 0.8, alpha), 0.0015);
    }
}

TEST_CASE("geometric Brownian motion: <x> and <x^2> in the three interpretations" * doctest::test_suite("quick")) {
  const double mu = 0.3, s = 0.5, t = 1;
  const std::pair<const char*, double> interpretations[] = {{"ito", 0}, {"stratonovich", 0.5}, {"anti_ito", 1}};
  for (const auto& [word, alpha] : interpretations) {
    CAPTURE(word);
    const SystemParts parts{.variables = {{"x"}},
                            .equations = {{"x", "mu*x"}},
                            .parameters = {{"mu", mu}, {"s", s}},
                            .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.5}}}}};
    const Model model = make_system(parts, [&](Model& m) {
      m.add_amplitude("gaussian", {"s*x"}, {});
      m.set_interpretation(word);
    });
    RunOptions run = options();
    run.paths = 98304;
    run.dt = 0.001;
    run.starts["x"] = StartLaw{1, 0, 0, 0};
    const RunOutcome outcome = moments_at(model, run, t, {"x"});
    const double rate = mu + alpha * s * s, mean = std::exp(rate * t);
    CHECK_EXACT(last_of(outcome, "x_cumulant_1"), mean, 0.003);
    CHECK_EXACT(last_of(outcome, "x_cumulant_2"), mean * mean * (std::exp(s * s * t) - 1), 0.01);
  }
}

TEST_CASE("one noise on two variables, one amplitude depending on the other: means and variances") {
  // dx = -x dt + b dW, dy = -2 y dt + c x dW + noise of D = 0.2; b = 0.7, c = 0.6, W of variance t.
  // Stationary: <x^2> = b^2/2; drift of y: alpha b c, so <y> = alpha b c/2; <x y> = (drift <x> + b c <x>)/3 = 0;
  // var y = (c^2 <x^2> + 0.4)/4
  const double b = 0.7, c = 0.6;
  for (const auto& [word, alpha] :
       {std::pair("ito", 0.0), std::pair("stratonovich", 0.5), std::pair("anti_ito", 1.0)}) {
    CAPTURE(word);
    RunOptions run = options();
    run.paths = 196608;
    run.dt = 0.005;
    const RunOutcome outcome = moments_at(correlated(word), run, 10, {"x", "y"});
    CHECK_EXACT(last_of(outcome, "x_cumulant_2"), b * b / 2, 0.001);
    CHECK_EXACT(last_of(outcome, "y_cumulant_1"), alpha * b * c / 2, 0.0012);
    CHECK_EXACT(last_of(outcome, "y_cumulant_2"), (c * c * b * b / 2 + 0.4) / 4, 0.0008);
  }
}

TEST_CASE("mean exit time from (-1, 1): of a variable of a system, and under noise with an amplitude") {
  const ObservableRequest exit_of_y("first_passage", {{"to", {-1, 1}}, {"from", {0}}}, {{"of", "y"}});
  RunOptions run = options();
  run.paths = 98304;
  run.time = 20;
  run.dt = 0.002;
  run.observables = {exit_of_y};
  // y diffuses freely with D = 0.5, and x does something else: 1/(2 D)
  const Model other = make_system({.variables = {{"x"}, {"y"}},
                                   .equations = {{"x", "2 - x"}},
                                   .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.7}}, "shaking"},
                                             {"y", BM_NOISE, "gaussian", {{"D", 0.5}}, "diffusing"}}});
  CHECK_EXACT(columns_of(other, run).at("mean_first_passage_time_y"), 1, 0.003);
  // dx = (1 + x^2)^(-1/2) dW (Ito), D = 1/2: T'' = -2 (1 + x^2), so T(0) = 7/6
  Model tapering = make_model({{BM_NOISE, "gaussian", {{"D", 0.5}}}});
  tapering.add_amplitude("gaussian", {"1/sqrt(1 + x^2)"}, {});
  tapering.set_interpretation("ito");
  run.observables = {{"first_passage", {{"to", {-1, 1}}, {"from", {0}}}}};
  CHECK_EXACT(columns_of(tapering, run).at("mean_first_passage_time"), 7.0 / 6, 0.004);
}

TEST_CASE("diffusion tensor of one noise on two variables") {
  const Model model =
      make_system({.variables = {{"x"}, {"y"}}, .parts = {{"x", BM_NOISE, "gaussian", {{"D", 1}}}}}, [](Model& m) {
        m.add_amplitude("gaussian", {"1", "-0.5"}, {});
      });
  RunOptions run = options();
  run.paths = 65536;
  run.time = 10;
  run.dt = 0.01;
  run.observables = {"diffusion", "joint_diffusion"};
  const auto columns = columns_of(model, run);
  CHECK_EXACT(columns.at("diffusion_x"), 1, 0.007);
  CHECK_EXACT(columns.at("diffusion_y"), 0.25, 0.002);
  CHECK_EXACT(columns.at("diffusion_x_y"), -0.5, 0.004);
}

TEST_CASE("a sweep to no coupling folds variables as the coupled points need it") {
  // a strong spring and a weak force: both heads move together, over many periods
  Sweep sweep;
  sweep.add_axis({"spring.k"}, {{0, 50}});
  RunOptions run = options();
  run.time = 60;
  run.dt = 0.002;
  run.paths = 2000;
  run.observables = {"velocity"};
  const Plan plan = make_plan(dimer(0, 2), sweep, run);
  CHECK(plan.points[0].values.variables[1].folds_with == 0);
  const RunOutcome outcome = bmsim::run(plan, {});
  const Estimate x = outcome.estimates[0][1], y = outcome.estimates[1][1];
  CHECK(std::abs(x.value) > 0.5);
  // their distance has a variance of about 2 D/k, which the window divides
  CHECK(std::abs(x.value - y.value) < 4 * std::sqrt(2 * 0.3 / 50) / 54 / std::sqrt(2000.0) * 2);
}

TEST_CASE("potential plugins of several variables: averages over exp(-V/D)") {
  struct Case {
    const char* id;
    std::map<std::string, double> given;
    double width;  ///< of the square over which the law is integrated
    std::function<double(double x, double y)> V;
    const char* formula;
    std::function<double(double x, double y)> averaged;
    double bound;
  };
  const Case cases[] = {{"bond",
                         {{"k", 3}, {"l", 0.4}},
                         12,
                         [](double x, double y) { return 1.5 * std::pow(y - x - 0.4, 2) + (x * x + y * y) / 2; },
                         "x*y",
                         [](double x, double y) { return x * y; },
                         0.0015},
                        {"egg_crate",
                         {{"V0", 1.5}, {"V1", 0.7}, {"L", 2}},
                         2,
                         [](double x, double y) {
                           const double cx = std::cos(two_pi * x / 2), cy = std::cos(two_pi * y / 2);
                           return 0.75 * (cx + cy) + 0.7 * cx * cy;
                         },
                         "cos(pi*x)*cos(pi*y)",
                         [](double x, double y) { return std::cos(two_pi * x / 2) * std::cos(two_pi * y / 2); },
                         0.0008},
                        {"ring",
                         {{"V0", 2}, {"V1", 0.6}, {"R", 1.2}, {"n", 2}},
                         7,
                         [](double x, double y) {
                           const double r = std::hypot(x, y) / 1.2, phi = std::atan2(y, x);
                           return 2 * std::pow(r * r - 1, 2) + 0.6 * std::pow(r, 3) * std::cos(3 * phi);
                         },
                         "x^3 - 3*x*y^2",  // r^3 cos(3 phi)
                         [](double x, double y) { return x * (x * x - 3 * y * y); },
                         0.003}};
  for (const Case& one : cases) {
    CAPTURE(one.id);
    const double D = 0.7;
    SystemParts parts{
        .variables = {{"x"}, {"y"}},
        .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "first"}, {"y", BM_NOISE, "gaussian", {{"D", D}}, "second"}}};
    if (one.id == std::string("bond")) parts.equations = {{"x", "-x"}, {"y", "-y"}};
    const Model model = make_system(parts, [&](Model& made) {
      made.add_joint(Registry::instance().find(BM_POTENTIAL, one.id), std::vector<std::string>{"x", "y"}, "V");
      for (const auto& [name, value] : one.given)
        if (name != "n") made.set("V." + name, value);
      if (one.given.contains("n")) made.set_choice("V.n", "3");
    });
    double weight = 0, sum = 0;
    constexpr int cells = 600;
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j) {
        const double x = one.width * ((i + 0.5) / cells - 0.5), y = one.width * ((j + 0.5) / cells - 0.5);
        const double w = std::exp(-one.V(x, y) / D);
        weight += w, sum += w * one.averaged(x, y);
      }
    RunOptions run = options();
    run.dt = 0.002;
    run.time = 24;
    run.transient = 0.2;
    run.paths = 24576;
    run.observables = {{"average", {}, {{"found", one.formula}}}};
    CHECK_EXACT(columns_of(model, run).at("found"), sum / weight, one.bound);
  }
}

TEST_CASE("friction that depends on the place, noise of a temperature: <x^2> = T/k, <v^2> = T/m, and D = T/<gamma>") {
  const double T = 0.6, m = 0.02;
  const auto model = [&](const char* force, const char* gamma) {
    Model made;
    const SystemParts parts{.variables = {{"x", true}}, .equations = {{"x", force}}};
    begin_system(made, parts);
    made.set_friction("x", gamma);
    made.add(BM_NOISE, "gaussian", "bath", "x");
    made.set("bath.T", T);
    made.add_amplitude("bath", {fmt::format("sqrt({})", gamma)}, {});
    end_system(made, parts);
    return made;
  };
  RunOptions run = options();
  run.paths = 24576;
  run.time = 12;
  run.transient = 0.5;
  run.observables = {{"average", {}, {{"x2", "x^2"}, {"v2", "v_x^2"}}}};
  Model trap = model("-2*x", "0.5 + x^2");
  trap.set("mass_x", 0.7);
  const auto found = columns_of(trap, run);  // by default steps
  CHECK_EXACT(found.at("x2"), T / 2, 0.003);
  CHECK_EXACT(found.at("v2"), T / 0.7, 0.006);
  Model free = model("", "2 + 1.6*cos(2*pi*x)");
  free.set("mass_x", m);
  run.observables = {"diffusion"};
  run.time = 40;
  CHECK_EXACT(columns_of(free, run).at("diffusion_x"), T / 2, 0.01);  // of an overdamped particle T/<gamma>
}
