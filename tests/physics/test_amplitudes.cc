// Weak orders of schemes with noise whose amplitude depends on the state.
//
// Held to: moments of linear systems dz = (A z + a) dt + sum of (B_k z + c_k) dW_k, whose equations are closed;
// additive noise, diagonal, one noise on two variables, two noises that move each other's amplitudes, inertia with an
// amplitude of x and of v; all methods, the three interpretations
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "matrices.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using matrices::product;

/// A noise of unit variance per time: the coefficients B and c of its amplitude, (B z + c).
struct Noise {
  MatrixXd B;
  VectorXd c;
};

MatrixXd transposed(const MatrixXd& A) { return A.transpose(); }
/// <z> and <z z^T> at time t, from a given z at 0.
std::pair<VectorXd, MatrixXd> moments(MatrixXd A, VectorXd a, const std::vector<Noise>& noises, double alpha,
                                      const VectorXd& start, double t) {
  for (const Noise& one : noises) A += alpha * product(one.B, one.B), a += alpha * product(one.B, one.c);
  const auto rates = [&](const VectorXd& m, const MatrixXd& S) {
    const MatrixXd half = product(A, S) + product(a, transposed(m));
    MatrixXd dS = half + half.transpose();
    for (const Noise& one : noises) {
      const MatrixXd mixed = product(product(one.B, m), transposed(one.c));
      dS +=
          product(product(one.B, S), transposed(one.B)) + mixed + mixed.transpose() + product(one.c, transposed(one.c));
    }
    return std::pair<VectorXd, MatrixXd>(product(A, m) + a, dS);
  };
  VectorXd m = start;
  MatrixXd S = product(start, transposed(start));
  constexpr int steps = 2000;
  for (int i = 0; i < steps; ++i) {  // Runge, Kutta
    const double h = t / steps;
    const auto [m1, S1] = rates(m, S);
    const auto [m2, S2] = rates(m + h / 2 * m1, S + h / 2 * S1);
    const auto [m3, S3] = rates(m + h / 2 * m2, S + h / 2 * S2);
    const auto [m4, S4] = rates(m + h * m3, S + h * S3);
    m += h / 6 * (m1 + 2 * m2 + 2 * m3 + m4);
    S += h / 6 * (S1 + 2 * S2 + 2 * S3 + S4);
  }
  return {m, S};
}

/// A linear system of x and y, or of x and v_x.
struct Case {
  const char* name;
  bool inertial;  ///< of x and v_x: m = 1, gamma = 0.5
  MatrixXd A;
  VectorXd a;
  std::vector<Noise> noises;
  bool platen;  ///< covers it

  bool multiplied() const {
    return std::any_of(noises.begin(), noises.end(), [](const Noise& n) { return !n.B.isZero(); });
  }
  Model model(const char* interpretation) const {
    const char* names[2] = {"x", inertial ? "v_x" : "y"};
    const auto row = [&](const MatrixXd& M, const VectorXd& c, Eigen::Index i) {
      return fmt::format("({}) + ({})*{} + ({})*{}", c(i), M(i, 0), names[0], M(i, 1), names[1]);
    };
    SystemParts parts{.variables = {{"x", inertial}}};
    const Eigen::Index driven = inertial ? 1 : 0;
    if (!inertial) parts.variables.push_back({"y"});
    parts.equations["x"] = row(A + (inertial ? 0.5 : 0.0) * MatrixXd::Identity(2, 2), a, driven);
    if (!inertial) parts.equations["y"] = row(A, a, 1);
    for (size_t k = 0; k < noises.size(); ++k)
      parts.parts.push_back({"x", BM_NOISE, "gaussian", {{"D", 0.5}}, fmt::format("noise{}", k)});
    Model made = make_system(parts, [&](Model& m) {
      for (size_t k = 0; k < noises.size(); ++k) {
        std::vector<std::string> amplitudes = {row(noises[k].B, noises[k].c, driven)};
        if (!inertial) amplitudes.push_back(row(noises[k].B, noises[k].c, 1));
        m.add_amplitude(fmt::format("noise{}", k), amplitudes, {});
      }
      m.set_interpretation(interpretation);
    });
    if (inertial) made.set("gamma_x", 0.5);
    return made;
  }
};

MatrixXd matrix(double xx, double xy, double yx, double yy) {
  MatrixXd M(2, 2);
  M << xx, xy, yx, yy;
  return M;
}
VectorXd pair(double x, double y) {
  VectorXd v(2);
  v << x, y;
  return v;
}

std::vector<Case> cases() {
  const MatrixXd none = MatrixXd::Zero(2, 2), A = matrix(-1, 0.5, -0.3, -1.5), spring = matrix(0, 1, -2, -0.5);
  const VectorXd zero = VectorXd::Zero(2);
  return {
      {"additive", false, A, pair(0.3, 0), {{none, pair(0.8, 0)}, {none, pair(0, 0.5)}}, true},
      {"diagonal", false, A, zero, {{matrix(0.7, 0, 0, 0), zero}, {matrix(0, 0, 0, 0.5), pair(0, 0.3)}}, true},
      {"one noise", false, A, zero, {{matrix(0.5, 0.2, 0.6, 0), pair(0.3, 0.7)}}, true},
      {"non-diagonal", false, A, zero, {{matrix(0.4, 0.6, 0, 0), pair(0.4, 0)}, {matrix(0, 0, 0.8, 0), zero}}, false},
      {"inertia, amplitude of x", true, spring, zero, {{matrix(0, 0, 0.9, 0), pair(0, 0.5)}}, true},
      {"inertia, amplitude of v", true, spring, zero, {{matrix(0, 0, 0, 0.6), pair(0, 0.4)}}, true}};
}

/// <x^2> at t = 1 for a step.
Estimate square(const Model& model, const std::string& method, double h, uint64_t seed) {
  RunOptions run = options();
  run.seed = seed;
  run.paths = fewer_in_ci(3145728);
  run.method = method;
  run.increments = "five_point";
  run.check_step = false;
  run.dt = h;
  run.time = 1;
  run.starts["x"] = StartLaw{1, 0, 0, 0};
  if (model.underdamped()) run.starts["v_x"] = StartLaw{0, 0, 0, 0};
  run.observables = {"velocity"};
  return average(sample(model, run).end, [](double x) { return x * x; });
}

/// A polynomial in the step through the values at h, h/2 and h/4 and one known at 0, or of second order: its value at
/// 0 and its slope there.
struct Limit {
  Estimate value, slope;
};
Limit limit_of(const Model& model, const std::string& method, double exact) {
  const double longest = method == "euler" ? 0.125 : 0.25;  // of first order, with more of the third
  const double steps[3] = {longest, longest / 2, longest / 4};
  // weights of the values in the extrapolation
  const double to_zero[3] = {1.0 / 3, -2, 8.0 / 3};
  Limit all{{0, 0}, {0, 0}};
  for (int i = 0; i < 3; ++i) {
    const Estimate e = square(model, method, steps[i], static_cast<uint64_t>(i + 1));
    double w = 1 / steps[i];  // Lagrange's polynomial through 0 and the steps, its slope at 0
    for (int k = 0; k < 3; ++k)
      if (k != i) w *= steps[k] / (steps[k] - steps[i]);
    all.value.value += to_zero[i] * e.value, all.value.error += std::pow(to_zero[i] * e.error, 2);
    all.slope.value += w * (e.value - exact), all.slope.error += std::pow(w * e.error, 2);
  }
  all.value.error = std::sqrt(all.value.error), all.slope.error = std::sqrt(all.slope.error);
  return all;
}

}  // namespace

TEST_CASE("one noise on two variables: platen has weak order 2" * doctest::test_suite("quick")) {
  const Case one = cases()[2];
  const double exact = moments(one.A, one.a, one.noises, 1, pair(1, 0), 1).second(0, 0);
  const Limit limit = limit_of(one.model("anti_ito"), "platen", exact);
  CHECK_EXACT(limit.value, exact, 0.01);
  CHECK_EXACT(limit.slope, 0, 0.12);
}

TEST_CASE("linear systems: all schemes converge to the interpretation asked for, with weak order 1 or 2") {
  for (const Case& one : cases()) {
    double before = NAN;
    for (const auto& [interpretation, alpha] :
         {std::pair("ito", 0.0), std::pair("stratonovich", 0.5), std::pair("anti_ito", 1.0)}) {
      const Model model = one.model(interpretation);
      const double exact = moments(one.A, one.a, one.noises, alpha, pair(1, 0), 1).second(0, 0);
      if (exact == before) continue;  // the interpretation does not matter
      before = exact;
      for (const std::string method : {"euler", "heun", "platen"}) {
        if (method == "platen" && !one.platen) continue;
        const bool second_order = method == "platen" || (method == "heun" && !one.multiplied());
        const Limit limit = limit_of(model, method, exact);
        INFO(std::string(one.name), ", ", std::string(interpretation), ", ", method);
        MESSAGE(std::string(one.name), ", ", std::string(interpretation), ", ", method, ": limit ", limit.value.value,
                " +- ", limit.value.error, ", exact ", exact, ", slope ", limit.slope.value, " +- ", limit.slope.error);
        CHECK_EXACT(limit.value, exact, 0.01 * coarseness());
        if (second_order) CHECK_EXACT(limit.slope, 0, 0.12 * coarseness());
      }
    }
  }
}
