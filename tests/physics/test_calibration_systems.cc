// Standard errors of observables of systems, of variables and of formulas of the state, against the scatter of
// estimates.
//
// Held to: the same as test_calibration.cc, of systems of two variables: columns of every observable that systems have,
// and elements of its arrays, with Gaussian noise, one noise on both variables, amplitudes, kicks, flips, and inertia;
// with targets and step_error. Exact values are those of linear motion, of exit times and of jumps.
// $BMSIM_CALIBRATION=all runs all of it, as ./bootstrap validation does; else it is the first half.
#include <doctest/doctest.h>

#include <cmath>

#include "calibration.h"
#include "systems.h"
#include "theory/linear.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

using Numbers = std::map<std::string, std::vector<double>>;
using Eigen::Matrix2d, Eigen::Vector2d;

/// An observable of a variable.
ObservableRequest of(const char* observable, const char* variable, Numbers numbers = {}) {
  return {observable, std::move(numbers), {{"of", variable}}};
}
/// Of a formula that is called r.
ObservableRequest of_r(const char* observable, const char* formula, Numbers numbers = {}) {
  return {observable, std::move(numbers), {{"of", formula}, {"name", "r"}}};
}

PartOf white(const char* variable, double D) {
  return {variable, BM_NOISE, "gaussian", {{"D", D}}, variable + std::string("_bath")};
}
void begin_at(RunOptions& run, const std::map<std::string, double>& values) {
  for (const auto& [name, value] : values) run.starts[name] = StartLaw{value, 0, 0, 0};
}

/// Overdamped linear motion of two variables with diffusion D.
theory::LinearLaw stationary(const Matrix2d& A, const Matrix2d& D) {
  Matrix2d B = Matrix2d::Zero();  // B B^T = 2 D
  B(0, 0) = std::sqrt(2 * D(0, 0));
  B(1, 0) = 2 * D(1, 0) / B(0, 0);
  B(1, 1) = std::sqrt(2 * D(1, 1) - B(1, 0) * B(1, 0));
  return theory::LinearLaw({.positions = 2, .constant = Vector2d::Zero(), .matrix = A, .noise = B});
}

/// Probability density of a normal number of mean 0, averaged over a bin.
double normal_density(double from, double to, double variance) {
  return (normal_law(to, 0, variance) - normal_law(from, 0, variance)) / (to - from);
}

/// Free: D = 1/2 of x and 0.3 of y, of which 0.48 are common to both; both drift.
struct FreePair {
  double Fx = 0.3, Fy = -0.2, Dx = 0.5, share = -0.4, own = 0.22;
  double Dy() const { return share * share * Dx + own; }
  double Dxy() const { return share * Dx; }
  Model model() const {
    const SystemParts parts{.variables = {{"x", false, "1"}, {"y"}},
                            .equations = {{"x", "drift_x"}, {"y", "drift_y"}},
                            .parameters = {{"drift_x", Fx}, {"drift_y", Fy}, {"share", share}},
                            .parts = {white("x", Dx), white("y", own)}};
    return make_system(parts, [](Model& m) { m.add_amplitude("x_bath", {"1", "share"}, {}); });
  }
};

/// Two variables in a trap, without noise in common.
const Matrix2d slope{{-1, 0.5}, {0.25, -2}};
const Matrix2d heat{{0.5, 0}, {0, 0.3}};
Model trap() {
  return make_system({.variables = {{"x"}, {"y"}},
                      .equations = {{"x", "-x + y/2"}, {"y", "x/4 - 2*y"}},
                      .parts = {white("x", heat(0, 0)), white("y", heat(1, 1))}});
}

}  // namespace

TEST_CASE("calibration: free pair with common noise" * doctest::test_suite("quick")) {
  const FreePair pair;
  for_paths(4096, [&](uint64_t paths, size_t count) {
    RunOptions run = timed_run(0.125, 4, 0.25, paths);
    begin_at(run, {{"x", 0}, {"y", 0}});
    const Ensembles all(
        pair.model(), run,
        {"velocity", "diffusion", "joint_diffusion", "peclet", "non_gaussianity", of("current", "x", {{"bins", {2}}}),
         of("fractional_moment", "y", {{"q", {0.5}}, {"times", {0, 1, 2, 4}}}),
         of("displacement_density", "y", {{"bins", {4}}, {"range", {-2, 2}}, {"times", {0, 2, 4}}}),
         of("density", "x", {{"bins", {4}}, {"times", {1, 4}}}),
         of_r("density", "y - x", {{"bins", {4}}, {"range", {-4, 4}}, {"times", {4}}}),
         of_r("moments", "y - x", {{"times", {4}}})},
        count);
    all.column("velocity_x", pair.Fx);
    all.column("velocity_y", pair.Fy);
    all.column("diffusion_x", pair.Dx);
    all.column("diffusion_y", pair.Dy());
    all.column("diffusion_x_y", pair.Dxy());
    all.column("peclet_x", pair.Fx / pair.Dx);
    all.column("peclet_y", pair.Fy / pair.Dy());
    all.column("non_gaussianity_y", 0);
    all.element("current_x", 0, pair.Fx);
    all.element("fractional_moment_y", 1, unknown);
    all.column("growth_exponent_y", unknown);
    all.element("displacement_density_y", 5, unknown);
    all.element("density_x", 5, 1);
    all.element("density_r", 1, unknown);
    const double D = pair.Dx + pair.Dy() - 2 * pair.Dxy();
    all.element("r_cumulant_1", 0, 4 * (pair.Fy - pair.Fx));
    all.element("r_cumulant_2", 0, 8 * D);
    all.element("r_cumulant_3", 0, 0);
    all.element("r_cumulant_4", 0, 0);
  });
}

TEST_CASE("calibration: pair in a trap with common noise") {
  const double common = 0.5, share = -0.6, own = 0.3;
  const Model model = make_system({.variables = {{"x"}, {"y"}},
                                   .equations = {{"x", "-x + y/2"}, {"y", "x/4 - 2*y"}},
                                   .parameters = {{"share", share}},
                                   .parts = {white("x", common), white("y", own)}},
                                  [](Model& m) {
                                    m.add_amplitude("x_bath", {"1", "share"}, {});
                                  });
  const theory::LinearLaw law =
      stationary(slope, Matrix2d{{common, share * common}, {share * common, share * share * common + own}});
  const Matrix2d C = law.covariance;
  const Vector2d r(1, -1);
  const double step = 0.25, of_formula = r.dot(C * r);
  const Numbers lags = {{"lags", {4}}, {"step", {step}}, {"origins", {8}}};
  const Numbers samples = {{"samples", {16}}, {"segments", {2}}, {"step", {step}}};
  const Numbers bins = {{"bins", {4}}, {"range", {-2, 2}}, {"count", {4}}};
  for_paths(1024, [&](uint64_t paths, size_t count) {
    const Ensembles all(
        model, timed_run(0.03125, 12, 0.5, paths),
        {{"average",
          {},
          {{"mean_x", "x"}, {"x2", "x^2"}, {"xy", "x*y"}, {"r2", "(x - y)^2"}, {"left", "if(x < 0, 1, 0)"}}},
         of("moments", "y", {{"times", {12}}}),
         of_r("moments", "x - y", {{"times", {12}}}),
         {"moments", {{"times", {12}}}, {{"of", "x*y"}, {"name", "xy"}}},
         of("correlation", "x", lags),
         of_r("correlation", "x - y", lags),
         {"correlation",
          {{"lags", {3}}, {"step", {step}}, {"origins", {8}}, {"normalised", {1}}},
          {{"of", "x*y"}, {"name", "xy"}}},
         of("spectrum", "y", samples),
         of_r("spectrum", "x - y", samples),
         of("density", "x", bins),
         of_r("density", "x - y", bins),
         {"density", {{"bins", {4}}, {"range.x", {-2, 2}}, {"range.y", {-1, 1}}, {"count", {4}}}, {{"of", "x,y"}}},
         {"density",
          {{"bins", {2}}, {"range.x", {-2, 2}}, {"range.r", {-2, 2}}, {"times", {12}}},
          {{"of", "x,x - y"}, {"name", "r"}}}},
        count);
    all.column("mean_x", 0);
    all.column("x2", C(0, 0));
    all.column("xy", C(0, 1));
    all.column("r2", of_formula);
    all.column("left", 0.5);
    all.element("y_cumulant_1", 0, 0);
    all.element("y_cumulant_2", 0, C(1, 1));
    all.element("r_cumulant_2", 0, of_formula);
    all.element("r_cumulant_3", 0, 0);
    all.element("xy_cumulant_1", 0, C(0, 1));
    all.element("xy_cumulant_2", 0, C(0, 0) * C(1, 1) + C(0, 1) * C(0, 1), 1024);
    for (const size_t lag : {0, 3}) {
      const Matrix2d at = law.correlation(step * static_cast<double>(lag));
      all.element("correlation_x", lag, at(0, 0));
      all.element("correlation_r", lag, r.dot(at * r));
    }
    all.element("correlation_xy", 2, unknown, 1024);
    for (const size_t f : {0, 2, 8}) {
      all.element("spectrum_y", f, unknown);
      all.element("spectrum_r", f, unknown);
    }
    for (const size_t bin : {0, 2}) {
      const double from = static_cast<double>(bin) - 2;
      all.element("density_x", bin, normal_density(from, from + 1, C(0, 0)));
      all.element("density_r", bin, normal_density(from, from + 1, of_formula));
    }
    for (const size_t bin : {2, 5}) all.element("density_x_y", bin, unknown);
    all.element("density_x_r", 1, unknown);
  });
}

TEST_CASE("calibration: first passages of a variable and of a formula") {
  const double Dx = 0.3, Dy = 0.7, width = 1.5, D = Dx + Dy;
  const Model free = make_system({.variables = {{"x"}, {"y"}}, .parts = {white("x", Dx), white("y", Dy)}});
  for (const double time : {2.0, 0.6}) {  // 9 % have not passed at 0.6
    CAPTURE(time);
    for_paths(1024, [&](uint64_t paths, size_t count) {
      RunOptions run = timed_run(0.002, time, 0, paths);
      begin_at(run, {{"x", 7.25}, {"y", 7.5}});
      const double mean = width * width / (8 * D), variance = std::pow(width, 4) / (96 * D * D);
      const Ensembles of_formula(free, run, {of_r("first_passage", "y - x", {{"to", {-0.5, 1}}, {"bins", {8}}})},
                                 count);
      of_formula.column("mean_first_passage_time_r", mean);
      of_formula.column("first_passage_variance_r", variance, 1024);
      if (time < 1) of_formula.column("first_passage_censored_r", unknown);
      of_formula.element("first_passage_density_r", 1, unknown);
      if (time < 1 || !all_asked()) return;
      const double least = 7.5 - width / 2, most = 7.5 + width / 2;
      const Ensembles of_y(free, run, {of("first_passage", "y", {{"to", {least, most}}, {"bins", {8}}})}, count);
      of_y.column("mean_first_passage_time_y", mean * D / Dy);
      of_y.column("first_passage_variance_y", variance * D * D / (Dy * Dy), 1024);
      of_y.element("first_passage_density_y", 1, unknown);
    });
  }
}

TEST_CASE("calibration: residence and turning points of a variable and of a formula") {
  const Numbers between = {{"from", {-0.2}}, {"to", {0.2}}}, back = {{"threshold", {1}}};
  for_paths(256, [&](uint64_t paths, size_t count) {
    const RunOptions run = timed_run(0.004, 10, 0.5, paths);
    const Ensembles of_formula(trap(), run,
                               {of_r("residence", "x - y", between), of_r("turning_points", "x - y", back)}, count);
    const Ensembles of_x(trap(), run, {of("residence", "x", between), of("turning_points", "x", back)}, count);
    for (const auto& [all, name] : {std::pair(&of_formula, "_r"), std::pair(&of_x, "_x")}) {
      all->column(std::string("residence_low") + name, unknown);
      all->column(std::string("residence_high") + name, unknown);
      all->column(std::string("residence_low_fraction") + name, 0.5);
      all->column(std::string("turning_rate") + name, unknown);
    }
  });
}

TEST_CASE("calibration: pair with inertia in a common trap") {
  const double k = 1.5, c = 0.5, T = 0.6, mx = 0.8, my = 1.6, step = 0.25;
  Model model = make_system({.variables = {{"x", true}, {"y", true}},
                             .equations = {{"x", "-k*x - c*y"}, {"y", "-k*y - c*x"}},
                             .parameters = {{"k", k}, {"c", c}},
                             .parts = {{"x", BM_NOISE, "gaussian", {{"T", T}}, "x_bath"},
                                       {"y", BM_NOISE, "gaussian", {{"T", T}}, "y_bath"}}});
  model.set("mass_x", mx);
  model.set("mass_y", my);
  const double x2 = T * k / (k * k - c * c), xy = -T * c / (k * k - c * c), v = T / mx + T / my;
  const Numbers lags = {{"lags", {3}}, {"step", {step}}, {"origins", {8}}};
  const Numbers samples = {{"samples", {16}}, {"segments", {1}}, {"step", {step}}};
  const Numbers bins = {{"bins", {4}}, {"range", {-2, 2}}, {"count", {4}}};
  for_paths(1024, [&](uint64_t paths, size_t count) {
    const Ensembles all(
        model, timed_run(0.05, 20, 0.5, paths),
        {"velocity_squared",
         "kinetic_energy",
         "velocity_non_gaussianity",
         {"average", {}, {{"v2", "v_x^2"}, {"xy", "x*y"}, {"xv", "x*v_y"}}},
         of("moments", "x", {{"times", {20}}}),
         of_r("moments", "v_x - v_y", {{"times", {20}}}),
         of("velocity_density", "x", bins),
         of("density", "v_y", bins),
         of("joint_density", "x",
            {{"range", {-2, 2}}, {"position_range", {-2, 2}}, {"bins", {2}}, {"velocity_bins", {4}}, {"times", {20}}}),
         {"density", {{"bins", {4}}, {"range.x", {-2, 2}}, {"range.v_y", {-2, 2}}, {"count", {4}}}, {{"of", "x,v_y"}}},
         of("correlation", "v_x", lags),
         of_r("correlation", "v_x - v_y", lags),
         of("spectrum", "v_y", samples),
         of_r("spectrum", "v_x - v_y", samples)},
        count);
    all.column("velocity_squared_x", T / mx);
    all.column("kinetic_energy_y", T / 2);
    all.column("velocity_non_gaussianity_x", 0);
    all.column("v2", T / mx);
    all.column("xy", xy);
    all.column("xv", 0);
    all.element("x_cumulant_2", 0, x2);
    all.element("v_x_cumulant_2", 0, T / mx);
    all.element("v_x_cumulant_4", 0, 0);
    all.element("r_cumulant_2", 0, v);
    all.element("velocity_density_x", 2, normal_density(0, 1, T / mx));
    all.element("density_v_y", 0, normal_density(-2, -1, T / my));
    all.element("joint_density_x", 1, unknown);
    all.element("density_x_v_y", 5, normal_density(-1, 0, x2) * normal_density(-1, 0, T / my));
    all.element("correlation_v_x", 0, T / mx);
    all.element("correlation_r", 0, v);
    all.element("correlation_r", 2, unknown);
    for (const size_t f : {0, 2}) {
      all.element("spectrum_v_y", f, unknown);
      all.element("spectrum_r", f, unknown);
    }
  });
}

TEST_CASE("calibration: residence, turning points and first passages of velocities") {
  Model model = make_system({.variables = {{"x", true}, {"y", true}},
                             .equations = {{"x", "-x"}, {"y", "x - y"}},
                             .parts = {{"x", BM_NOISE, "gaussian", {{"T", 0.3}}, "x_bath"},
                                       {"y", BM_NOISE, "gaussian", {{"T", 0.2}}, "y_bath"}}});
  for_paths(1024, [&](uint64_t paths, size_t count) {
    RunOptions run = timed_run(0.02, 12, 0, paths);
    begin_at(run, {{"x", 0}, {"y", 0}, {"v_x", 0}, {"v_y", 0}});
    const Ensembles all(model, run,
                        {of_r("residence", "v_x + v_y", {{"from", {-0.2}}, {"to", {0.2}}}),
                         of_r("turning_points", "v_x + v_y", {{"threshold", {1.6}}}),
                         of_r("first_passage", "v_x + v_y", {{"to", {0.5}}, {"bins", {8}}})},
                        count);
    all.column("residence_low_r", unknown);
    all.column("residence_low_fraction_r", unknown);
    all.column("turning_rate_r", unknown);
    all.column("mean_first_passage_time_r", unknown);
    all.element("first_passage_density_r", 1, unknown);
  });
}

TEST_CASE("calibration: noise that multiplies the state: growth of a pair" * doctest::test_suite("quick")) {
  // d(x, y) = A (x, y) dt + s (x, y) dW, Ito: (x, y) = exp(A t) (x0, y0) exp(s W - s^2 t/2), in eigenvectors of A
  const double s = 0.4, fast = 0.3, slow = -0.5, time = 1.5;  // eigenvalues, of (1, 1) and (1, -1)
  const Model model = make_system({.variables = {{"x"}, {"y"}},
                                   .equations = {{"x", "-0.1*x + 0.4*y"}, {"y", "0.4*x - 0.1*y"}},
                                   .parameters = {{"s", s}},
                                   .parts = {white("x", 0.5)}},
                                  [](Model& m) {
                                    m.add_amplitude("x_bath", {"s*x", "s*y"}, {});
                                    m.set_interpretation("ito");
                                  });
  const double a = std::exp(fast * time), b = std::exp(slow * time), more = std::exp(s * s * time);
  const double x = (3 * a + b) / 2, y = (3 * a - b) / 2;  // means, from (2, 1)
  for_paths(4096, [&](uint64_t paths, size_t count) {
    RunOptions run = timed_run(0.0025, time, 0, paths);
    begin_at(run, {{"x", 2}, {"y", 1}});
    const Ensembles all(model, run,
                        {"velocity",
                         "diffusion",
                         "joint_diffusion",
                         "lyapunov",
                         {"average", {}, {{"x2", "x^2"}, {"xy", "x*y"}}},
                         {"moments", {{"times", {time}}}, {{"of", "x,log(x)"}, {"name", "r"}}},
                         of("density", "x", {{"bins", {4}}, {"range", {0, 8}}, {"times", {time}}}),
                         of_r("correlation", "log(x)", {{"lags", {2}}, {"origins", {2}}, {"step", {0.5}}})},
                        count);
    all.column("velocity_x", (x - 2) / time);
    all.column("diffusion_x", x * x * (more - 1) / (2 * time), 1024);
    all.column("diffusion_x_y", x * y * (more - 1) / (2 * time), 1024);
    all.column("lyapunov", unknown);
    // averages over the window of squares of sums of eigenvectors: of exp(2 fast t), exp((fast + slow) t), exp(2 slow
    // t)
    const auto lasting = [&](double rate) { return (std::exp(rate * time) - 1) / (rate * time); };
    const double aa = lasting(2 * fast + s * s) * 9 / 4, ab = lasting(fast + slow + s * s) * 3 / 2,
                 bb = lasting(2 * slow + s * s) / 4;
    all.column("x2", aa + ab + bb);
    all.column("xy", aa - bb);
    all.element("x_cumulant_1", 0, x);
    all.element("x_cumulant_2", 0, x * x * (more - 1), 1024);
    all.element("x_cumulant_3", 0, unknown, 4096);
    all.element("r_cumulant_1", 0, std::log(x) - s * s * time / 2);
    all.element("r_cumulant_2", 0, s * s * time, 1024);
    all.element("density_x", 1, unknown);
    all.element("correlation_r", 1, unknown, 1024);
  });
}

TEST_CASE("calibration: one noise on two variables, one amplitude depending on the other") {
  const double b = 0.7, c = 0.6;
  for_paths(1024, [&](uint64_t paths, size_t count) {
    const Ensembles all(
        correlated("ito"), timed_run(0.01, 8, 0.5, paths),
        {{"average", {}, {{"y2", "y^2"}, {"xy", "x*y"}}},
         of("moments", "y", {{"times", {8}}}),
         of_r("moments", "x + y", {{"times", {8}}}),
         of("correlation", "y", {{"lags", {2}}, {"step", {0.25}}, {"origins", {8}}}),
         {"density", {{"bins", {4}}, {"range", {-0.5, 0.5}}, {"count", {4}}}, {{"of", "x*y"}, {"name", "product"}}}},
        count);
    const double x2 = b * b / 2, y2 = (c * c * x2 + 0.4) / 4;
    all.column("y2", y2);
    all.column("xy", 0);
    all.element("y_cumulant_1", 0, 0);
    all.element("y_cumulant_2", 0, y2, 1024);
    all.element("r_cumulant_2", 0, x2 + y2, 1024);
    all.element("correlation_y", 0, y2, 1024);
    all.element("correlation_y", 1, y2 * std::exp(-0.5), 1024);
    all.element("density_product", 1, unknown);
  });
}

TEST_CASE("calibration: kicks of both variables and flips of one, free") {
  const double lambda = 6, zeta = 0.5, share = -0.4, F = 1.2, tau = 0.25, time = 5, from = 1, t = time - from;
  const Model model = make_system({.variables = {{"x"}, {"y"}},
                                   .parameters = {{"share", share}},
                                   .parts = {{"x", BM_NOISE, "poisson", {{"lambda", lambda}, {"zeta", zeta}}, "kicks"},
                                             {"y", BM_NOISE, "dichotomous", {{"Fa", F}, {"Fb", F}, {"tau", tau}}}}},
                                  [](Model& m) {
                                    m.add_amplitude("kicks", {"1", "share"}, {});
                                  });
  const double Dx = lambda * zeta * zeta;
  for_paths(4096, [&](uint64_t paths, size_t count) {
    const Ensembles all(model, timed_run(0.05, time, from / time, paths),
                        {"velocity", "diffusion", "joint_diffusion", "peclet", of("moments", "x", {{"times", {time}}}),
                         of_r("moments", "y - share*x", {{"times", {time}}}),
                         of_r("density", "y - share*x", {{"bins", {4}}, {"range", {-3, 3}}, {"times", {time}}})},
                        count);
    // the flips' part of y - y(0), of which the window sees the growth of the variance
    const auto flips = [&](double at) { return 2 * F * F * tau * (at - tau * (1 - std::exp(-at / tau))); };
    all.column("velocity_x", 0);
    all.column("velocity_y", 0);
    all.column("diffusion_x", Dx);
    all.column("diffusion_y", share * share * Dx + (flips(time) - flips(from)) / (2 * t));
    all.column("diffusion_x_y", share * Dx);
    all.column("peclet_x", 0);
    all.element("x_cumulant_2", 0, lambda * time * 2 * zeta * zeta);
    all.element("x_cumulant_3", 0, lambda * time * 6 * zeta * zeta * zeta);
    all.element("r_cumulant_1", 0, 0);
    all.element("r_cumulant_2", 0, flips(time));
    all.element("density_r", 1, unknown);
  });
}

TEST_CASE("calibration: kicks and flips in traps") {
  const double lambda = 8, zeta = 0.35, F = 1.2, tau = 0.5;  // kicks in a relaxation time: x is not far from normal
  const Model model = make_system({.variables = {{"x"}, {"y"}},
                                   .equations = {{"x", "-x"}, {"y", "-y"}},
                                   .parts = {{"x", BM_NOISE, "poisson", {{"lambda", lambda}, {"zeta", zeta}}},
                                             {"y", BM_NOISE, "dichotomous", {{"Fa", F}, {"Fb", F}, {"tau", tau}}}}});
  const double x2 = lambda * zeta * zeta, y2 = F * F / (1 + 1 / tau), r2 = x2 + y2;
  for_paths(1024, [&](uint64_t paths, size_t count) {
    const Ensembles all(model, timed_run(0.01, 10, 0.5, paths),
                        {{"average", {}, {{"x2", "x^2"}, {"xy", "x*y"}, {"r2", "(x + y)^2"}}},
                         of("moments", "y", {{"times", {10}}}),
                         of_r("moments", "x + y", {{"times", {10}}}),
                         of("correlation", "x", {{"lags", {2}}, {"step", {0.5}}, {"origins", {4}}}),
                         of_r("correlation", "x + y", {{"lags", {2}}, {"step", {0.5}}, {"origins", {4}}}),
                         of("spectrum", "x", {{"samples", {16}}, {"segments", {1}}, {"step", {0.25}}}),
                         of_r("density", "x + y", {{"bins", {4}}, {"range", {-2, 2}}, {"count", {4}}}),
                         of_r("residence", "x + y", {{"from", {-0.2}}, {"to", {0.2}}}),
                         of_r("turning_points", "x + y", {{"threshold", {1}}}),
                         of_r("first_passage", "x + y", {{"to", {-1.5, 1.5}}, {"bins", {8}}})},
                        count);
    all.column("x2", x2);
    all.column("xy", 0);
    all.column("r2", r2);
    all.element("y_cumulant_1", 0, 0);
    all.element("y_cumulant_2", 0, y2);
    all.element("r_cumulant_2", 0, r2);
    all.element("correlation_x", 0, x2);
    all.element("correlation_x", 1, x2 * std::exp(-0.5));
    all.element("correlation_r", 0, r2);
    all.element("spectrum_x", 0, unknown);
    all.element("density_r", 1, unknown);
    all.column("residence_low_r", unknown);
    all.column("residence_high_r", unknown);
    all.column("residence_low_fraction_r", unknown);
    all.column("turning_rate_r", unknown);
    all.column("mean_first_passage_time_r", unknown);
    all.element("first_passage_density_r", 0, unknown);
  });
}

TEST_CASE("calibration: lyapunov of coupled wells, with inertia and without") {
  for (const bool inertial : {false, true}) {
    CAPTURE(inertial);
    const Model model = make_system({.variables = {{"x", inertial}, {"y", inertial}},
                                     .equations = {{"x", "x - x^3 + y/2"}, {"y", "y - y^3 + x/2"}},
                                     .parts = {white("x", 0.3), white("y", 0.3)}});
    for_paths(1024, [&](uint64_t paths, size_t count) {
      if (paths == 256) return;
      const Ensembles all(model, timed_run(0.02, 16, 0.25, paths), {"lyapunov"}, count);
      all.column("lyapunov", unknown);
    });
  }
}

TEST_CASE("calibration: targets of systems: neither the error nor the mean knows when the run was stopped") {
  const FreePair pair;
  struct Case {
    const char* column;
    double exact, relative, absolute;
  };
  for (const Case& one : {Case{"velocity_y", pair.Fy, 0, 0.05},
                          {"diffusion_y", pair.Dy(), 0, 0.05},
                          {"diffusion_x_y", pair.Dxy(), 0, 0.045},
                          {"diffusion_x_y", pair.Dxy(), 0.25, 0},
                          {"s2", 0.5, 0, 0.02}}) {
    const std::string target = one.column;
    CAPTURE(target);
    CAPTURE(one.relative);
    RunOptions asked = timed_run(0.125, 4, 0.25, 64);
    asked.targets = {{one.column, one.relative, one.absolute}};
    const Ensembles all(pair.model(), asked,
                        {"velocity", "diffusion", "joint_diffusion", {"average", {}, {{"s2", "sin(2*pi*x)^2"}}}}, 2000);
    all.column(one.column, one.exact);
  }
}

TEST_CASE("calibration: step_error of a few paths of a system") {
  const FreePair pair;
  for_paths(256, [&](uint64_t paths, size_t count) {
    RunOptions asked = timed_run(0.125, 4, 0.25, paths);
    asked.step_error = true;
    const Ensembles all(pair.model(), asked, {"velocity", "joint_diffusion"}, count);
    all.column("velocity_x", pair.Fx);
    all.column("diffusion_x_y", pair.Dxy());
    const size_t velocity = all.plan.column("velocity_x"), joint = all.plan.column("diffusion_x_y");
    check({"velocity_x_extrapolated", all.outcome.extrapolated[velocity]}, pair.Fx);
    check({"diffusion_x_y_extrapolated", all.outcome.extrapolated[joint]}, pair.Dxy());
  });
}
