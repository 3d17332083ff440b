// Kicks, flips and coloured noise whose amplitude depends on the state and on time.
//
// Held to: moments of linear systems under kicks, dichotomous and Ornstein-Uhlenbeck noise that multiply the state, and
// kicks times cos(omega t); the same with inertia, where one noise kicks two variables; forces times noise against
// potentials that the same noise modulates
#include <doctest/doctest.h>

#include <cmath>

#include "matrices.h"
#include "measures.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using matrices::product;

MatrixXd transposed(const MatrixXd& A) { return A.transpose(); }

/// Linear motion dz = (A + s F) z dt + s g dt + kicks, s = +-1 flipped at rate `rate`: means and second moments, each
/// where s = 1 and where s = -1, times the probability of that.
struct TwoStates {
  struct Kicks {
    MatrixXd B;
    VectorXd c;           ///< a kick of size zeta is zeta (B z + c)
    double mean, square;  ///< rate times <zeta>, 0 if it is compensated; rate times <zeta^2>
    double omega = 0;     ///< c is multiplied by cos(omega t)
  };
  MatrixXd A = MatrixXd(4, 4), F = MatrixXd::Zero(4, 4);
  VectorXd g = VectorXd(4);
  double rate;
  std::vector<Kicks> kicks;
  MatrixXd white = MatrixXd::Zero(4, 4);  ///< increase of the second moments per time

  struct Moments {
    double p[2];
    VectorXd m[2];
    MatrixXd S[2];
  };
  Moments change(const Moments& at, double t) const {
    Moments d{};
    for (int k = 0; k < 2; ++k) {
      const double s = k == 0 ? 1 : -1, p = at.p[k];
      const VectorXd &m = at.m[k], drift = s * g;
      const MatrixXd &S = at.S[k], M = A + s * F, half = product(M, S) + product(drift, transposed(m));
      d.m[k] = product(M, m) + drift * p + rate * (at.m[1 - k] - m);
      d.S[k] = half + half.transpose() + white * p + rate * (at.S[1 - k] - S);
      for (const Kicks& one : kicks) {
        const VectorXd c = one.c * std::cos(one.omega * t), b = product(one.B, m) + c * p;
        const MatrixXd bz = product(one.B, S) + product(c, transposed(m)),
                       Bmc = product(product(one.B, m), transposed(c)),
                       squares = product(product(one.B, S), transposed(one.B)) + product(c, transposed(c)) * p;
        d.m[k] += one.mean * b;
        d.S[k] += one.mean * (bz + bz.transpose()) + one.square * (squares + Bmc + Bmc.transpose());
      }
    }
    return d;
  }
  /// From z = start, both s equally probable.
  std::pair<VectorXd, MatrixXd> at(const VectorXd& start, double time) const {
    const VectorXd m = start / 2;
    const MatrixXd S = product(m, transposed(start));
    Moments z{{0.5, 0.5}, {m, m}, {S, S}};
    const auto plus = [](const Moments& a, double h, const Moments& d) {
      Moments sum = a;
      for (int k = 0; k < 2; ++k) sum.m[k] += h * d.m[k], sum.S[k] += h * d.S[k];
      return sum;
    };
    constexpr int steps = 4000;
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {  // Runge, Kutta
      const double t = i * h;
      const Moments d1 = change(z, t), d2 = change(plus(z, h / 2, d1), t + h / 2),
                    d3 = change(plus(z, h / 2, d2), t + h / 2), d4 = change(plus(z, h, d3), t + h);
      z = plus(plus(plus(plus(z, h / 6, d1), h / 3, d2), h / 3, d3), h / 6, d4);
    }
    return {z.m[0] + z.m[1], z.S[0] + z.S[1]};
  }
};

RunOptions from(std::initializer_list<std::pair<const char*, double>> starts, uint64_t paths) {
  RunOptions run = options();
  run.paths = paths;
  run.dt = 0.005;
  run.transient = 0;
  for (const auto& [name, value] : starts) run.starts[name] = StartLaw{value, 0, 0, 0};
  return run;
}

}  // namespace

TEST_CASE("kicks, flips and coloured noise multiply the state: means and variances" * doctest::test_suite("quick")) {
  const MultipliedNoise q;
  const double t = 1;
  const RunOptions run = from({{"k", 1}, {"s", 0}, {"c", 0}, {"d", 1}, {"o", 1}}, 98304);
  const RunOutcome outcome = moments_at(q.model(), run, t, {"k", "s", "c", "d", "o"});

  const double spread = q.jumps * q.growth * q.growth, growing = spread - 2 * q.decay;
  CHECK_EXACT(last_of(outcome, "k_cumulant_1"), std::exp(-q.decay * t), 0.001);
  CHECK_EXACT(last_of(outcome, "k_cumulant_2"), std::exp(growing * t) - std::exp(-2 * q.decay * t), 0.001);
  CHECK_EXACT(last_of(outcome, "s_cumulant_1"), 0, 0.001);
  CHECK_EXACT(last_of(outcome, "s_cumulant_2"), spread / 4 * std::expm1(growing * t) / growing, 0.0005);

  const double angle = q.omega * t;
  CHECK_EXACT(last_of(outcome, "c_cumulant_1"), q.kicks * q.zeta * std::sin(angle) / q.omega, 0.0025);
  CHECK_EXACT(last_of(outcome, "c_cumulant_2"),
              2 * q.kicks * q.zeta * q.zeta * (t / 2 + std::sin(2 * angle) / (4 * q.omega)), 0.004);

  const auto flipped = [&](double n) {  // <d^n>
    // exp(M t) for M = ((n F - rate, rate), (rate, -n F - rate)), whose eigenvalues are -rate +- w
    const double rate = 1 / (2 * q.flips), w = std::hypot(n * q.F, rate);
    return (std::cosh(w * t) + rate / w * std::sinh(w * t)) * std::exp(-(rate + n * q.decay) * t);
  };
  CHECK_EXACT(last_of(outcome, "d_cumulant_1"), flipped(1), 0.0015);
  CHECK_EXACT(last_of(outcome, "d_cumulant_2"), flipped(2) - flipped(1) * flipped(1), 0.0015);

  const double V = 2 * q.D * (t + q.tau * std::expm1(-t / q.tau));  // of the integral of the noise
  CHECK_EXACT(last_of(outcome, "o_cumulant_1"), std::exp(-q.decay * t + V / 2), 0.001);
  CHECK_EXACT(last_of(outcome, "o_cumulant_2"), std::exp(-2 * q.decay * t + V) * std::expm1(V), 0.001);
}

TEST_CASE("with inertia: one noise kicks two variables by a place, kicks and flips by place and time") {
  // z = (x, v_x, y, v_y)
  const double omega = 2, t = 3;
  TwoStates exact;
  exact.A << 0, 1, 0, 0, -2, -0.5, 0, 0, 0, 0, 0, 1, 0, 0, -1, -0.5;
  exact.F(3, 0) = 0.5;
  exact.g << 0, 0, 0, 1;
  exact.rate = 1 / (2 * 0.3);
  exact.white(1, 1) = 2 * 0.1;
  MatrixXd by_place = MatrixXd::Zero(4, 4);
  by_place(1, 2) = 0.3;
  exact.kicks = {{MatrixXd::Zero(4, 4), VectorXd::Unit(4, 1), 1.0, 2 * 0.3, omega},
                 {by_place, 0.5 * VectorXd::Unit(4, 3), 0, 2 * 0.5}};
  const auto [mean, square] = exact.at(VectorXd{{0.5, 0, 1, 0}}, t);
  for (const char* method : {"aboba", "heun"}) {
    CAPTURE(method);
    RunOptions run = from({{"x", 0.5}, {"v_x", 0}, {"y", 1}, {"v_y", 0}}, 196608);
    run.method = method;
    run.dt = 0.01;
    const RunOutcome outcome = moments_at(kicked_by_place(omega), run, t, {"x", "y"});
    CHECK_EXACT(last_of(outcome, "x_cumulant_1"), mean(0), 0.003);
    CHECK_EXACT(last_of(outcome, "x_cumulant_2"), square(0, 0) - mean(0) * mean(0), 0.003);
    CHECK_EXACT(last_of(outcome, "y_cumulant_1"), mean(2), 0.003);
    CHECK_EXACT(last_of(outcome, "y_cumulant_2"), square(2, 2) - mean(2) * mean(2), 0.005);
  }
}

TEST_CASE("noise that multiplies the force of a potential modulates it") {
  // The same random numbers: only rounding differs.
  const auto compare = [](const char* id, const std::map<std::string, double>& given) {
    CAPTURE(id);
    const Part sine{BM_POTENTIAL, "sine", {{"V0", 0.3}}}, heat{BM_NOISE, "gaussian", {{"D", 0.1}}};
    const auto made = [&](bool modulates) {
      Model model = make_model({sine, heat});
      if (modulates)
        model.add(BM_NOISE, "gaussian", "none"), model.set("none.D", 0);  // the amplitude has a number, too
      model.add(BM_NOISE, id, "factor");
      for (const auto& [name, value] : given) model.set("factor." + name, value);
      model.set("force", 0.4);
      model.add(BM_DRIVE, "cosine", "drive");
      if (modulates)
        model.modulate("factor");
      else
        model.add_amplitude("factor", {"-2*pi*0.3*cos(2*pi*x)"}, {});
      return model;
    };
    RunOptions run = timed_run(0.01, 20, 0, 64);
    run.precision = "double";
    run.increments = "gaussian";
    run.method = "heun";
    const Sample modulated = sample(made(true), run), multiplied = sample(made(false), run);
    for (size_t i = 0; i < run.paths; ++i) CHECK(multiplied.end[i] == doctest::Approx(modulated.end[i]).epsilon(1e-9));
  };
  compare("dichotomous", {{"Fa", 0.8}, {"Fb", 0.8}, {"tau", 0.3}});
  compare("ornstein_uhlenbeck", {{"D", 0.2}, {"tau", 0.5}});
}
