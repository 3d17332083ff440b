// With fluxes in units of a scale b:  D p_s' = c_s p_s + b (sum_k g_ks - j_s),  b j_s' = sum_r rate_rs p_r - ...,
// b g_ks' = rate_k p_s - b g_ks / mean_k.  j_s: flux of state s, that of the last one being J less the others; g_ks:
// flux by kicks of kind k; c_s: force.
#include <algorithm>
#include <cmath>

#include "error.h"
#include "interruption.h"
#include "theory/algebra.h"
#include "theory/master.h"

namespace bmsim::theory {
namespace {

constexpr double most_parts = 2e5;
constexpr size_t stages = 6;

/// Gauss's collocation on [0, 1]. weight(i, j): of the slope at node j in the value at node i, in the last row at 1.
struct Collocation {
  std::array<double, stages> node{};
  Eigen::Matrix<double, stages + 1, stages> weight;
};
const Collocation& collocation() {
  static const Collocation rule = [] {
    Collocation gauss;
    auto& node = gauss.node;
    for (size_t i = 0; i < stages; ++i) {
      double x = std::cos(std::acos(-1.0) * (static_cast<double>(i) + 0.75) / (stages + 0.5));
      for (int step = 0; step < 8; ++step) {
        const double p = std::legendre(stages, x);
        x -= p * (x * x - 1) / (stages * (x * p - std::legendre(stages - 1, x)));
      }
      node[stages - 1 - i] = (1 + x) / 2;
    }
    for (size_t i = 0; i <= stages; ++i) {
      const double end = i < stages ? node[i] : 1;
      for (size_t j = 0; j < stages; ++j) {
        double sum = 0;
        for (size_t k = 0; k < gauss_points; ++k) {
          double basis = 1;
          for (size_t m = 0; m < stages; ++m)
            if (m != j) basis *= (end * gauss_rule().node[k] - node[m]) / (node[j] - node[m]);
          sum += end * gauss_rule().weight[k] * basis;
        }
        gauss.weight(static_cast<Index>(i), static_cast<Index>(j)) = sum;
      }
    }
    return gauss;
  }();
  return rule;
}

/// y' = generator(-V') y. y: densities, fluxes of all states but the last, fluxes of kicks, J, probability so far.
class System {
 public:
  explicit System(const MasterEquation& equation)
      : e_(equation),
        states_(static_cast<Index>(e_.states.size())),
        unknowns_(2 * states_ - 1 + states_ * static_cast<Index>(e_.kicks.size())) {
    double fastest = 0;
    for (const Kicks& kicks : e_.kicks) fastest = std::max(fastest, kicks.rate);
    for (const auto& row : e_.rates)
      for (const double rate : row) fastest = std::max(fastest, rate);
    scale_ = std::max(e_.D / e_.landscape.period, std::sqrt(e_.D * fastest));
  }
  Index unknowns() const { return unknowns_; }
  Index size() const { return unknowns_ + 2; }
  double scale() const { return scale_; }

  MatrixXd generator(double slope) const {
    const Index J = unknowns_, probability = J + 1, last = states_ - 1;
    MatrixXd a = MatrixXd::Zero(size(), size());
    for (Index s = 0; s < states_; ++s) {
      const State& state = e_.states[static_cast<size_t>(s)];
      a(s, s) = (state.potential * slope + e_.force + state.force) / e_.D;
      for (Index k = 0; k < static_cast<Index>(e_.kicks.size()); ++k) a(s, kick(k, s)) = scale_ / e_.D;
      a(probability, s) = 1;
      if (s < last) {
        a(s, states_ + s) = -scale_ / e_.D;
        a(last, states_ + s) = scale_ / e_.D;
        add_flips(a, s);
      }
    }
    a(last, J) = -scale_ / e_.D;
    for (Index k = 0; k < static_cast<Index>(e_.kicks.size()); ++k) {
      const Kicks& kicks = e_.kicks[static_cast<size_t>(k)];
      for (Index s = 0; s < states_; ++s) {
        a(kick(k, s), s) = kicks.rate / scale_;
        a(kick(k, s), kick(k, s)) = -1 / kicks.mean;
      }
    }
    return a;
  }

 private:
  Index kick(Index k, Index s) const { return 2 * states_ - 1 + k * states_ + s; }
  void add_flips(MatrixXd& a, Index s) const {
    for (Index r = 0; r < states_; ++r) {
      if (r == s) continue;
      a(states_ + s, r) += e_.rates[static_cast<size_t>(r)][static_cast<size_t>(s)] / scale_;
      a(states_ + s, s) -= e_.rates[static_cast<size_t>(s)][static_cast<size_t>(r)] / scale_;
    }
  }

  const MasterEquation& e_;
  Index states_, unknowns_;
  double scale_ = 1;
};

/// The propagator: y at the right end for every unit vector at the left end.
MatrixXd step(const System& system, const Function& force, double left, double width, bool constant) {
  const auto& [node, weight] = collocation();
  const Index n = system.size(), size = n * static_cast<Index>(stages);
  MatrixXd slopes(n, size);  // generators side by side, times the width
  for (size_t j = 0; j < stages; ++j) {
    const double x = constant ? left + width / 2 : left + width * node[j];
    if (constant && j > 0)
      slopes.middleCols(static_cast<Index>(j) * n, n) = slopes.leftCols(n);
    else
      slopes.middleCols(static_cast<Index>(j) * n, n) = width * system.generator(force(x));
  }
  MatrixXd implicit = MatrixXd::Identity(size, size), start(size, n);
  for (Index i = 0; i < static_cast<Index>(stages); ++i) {
    start.middleRows(i * n, n).setIdentity();
    for (Index j = 0; j < static_cast<Index>(stages); ++j)
      implicit.block(i * n, j * n, n, n) -= weight(i, j) * slopes.middleCols(j * n, n);
  }
  const MatrixXd at_nodes = matrices::Lu<MatrixXd>(implicit).solve(start);
  for (Index j = 0; j < static_cast<Index>(stages); ++j) slopes.middleCols(j * n, n) *= weight(stages, j);
  return MatrixXd::Identity(n, n) + product(slopes, at_nodes);
}

/// The propagators of all parts of the period.
std::vector<MatrixXd> steps(const MasterEquation& equation, const System& system) {
  const Landscape& landscape = equation.landscape;
  const double L = landscape.period, largest = magnitude(landscape.force, 0, L);
  const auto panels =
      mesh(landscape.force, 0, L, landscape.breaks, {1e-11 * largest, INFINITY, landscape.hidden_force(equation.D)});
  std::vector<MatrixXd> propagators;
  const auto refuse = [&] {
    fail("D must be larger, and kicks longer, for the layers of the density to be resolved, got D = {}", equation.D);
  };
  if (panels.empty()) refuse();
  for (const Panel& panel : panels) {
    double norm = 0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < gauss_points; ++i) {
      const double f = landscape.force(panel.node(i));
      least = std::min(least, f);
      most = std::max(most, f);
    }
    for (const double f : {least, most})
      norm = std::max(norm, system.generator(f).cwiseAbs().rowwise().sum().head(system.unknowns()).maxCoeff());
    const double parts = std::ceil(std::max(1.0, norm * panel.width));
    if (!(static_cast<double>(propagators.size()) + parts < most_parts)) refuse();
    const double width = panel.width / parts;
    if (most == least) {
      const MatrixXd propagator = step(system, landscape.force, panel.left, width, true);
      propagators.insert(propagators.end(), static_cast<size_t>(parts), propagator);
      continue;
    }
    for (double part = 0; part < parts; ++part) {
      check_interruption();
      propagators.push_back(step(system, landscape.force, panel.left + part * width, width, false));
    }
  }
  return propagators;
}

}  // namespace

double shooting_velocity(const MasterEquation& equation) {
  if (!(equation.D > 0)) fail("D of the Gaussian noise must be > 0, got {}", equation.D);
  const System system(equation);
  const Index n = system.unknowns(), flux = n, probability = flux + 1;
  // With y_i at the beginning of part i: first y_0 + last y_i + flux_column J = 0, and the sum of all probabilities so
  // far is first_weight y_0 + last_weight y_i + flux_weight J, in the end 1. Each part takes y_i out by a QR
  // decomposition, which is stable since no part is longer than a layer: S. J. Wright, SIAM J. Sci. Stat. Comput. 13,
  // 742 (1992).
  MatrixXd first = -MatrixXd::Identity(n, n), last = MatrixXd::Identity(n, n);
  VectorXd flux_column = VectorXd::Zero(n);
  Eigen::RowVectorXd first_weight = Eigen::RowVectorXd::Zero(n), last_weight = Eigen::RowVectorXd::Zero(n);
  double flux_weight = 0;
  for (const MatrixXd& propagator : steps(equation, system)) {
    check_interruption();
    last_weight += propagator.row(probability).head(n);
    flux_weight += propagator(probability, flux);
    Eigen::RowVectorXd next_weight = Eigen::RowVectorXd::Zero(n);
    MatrixXd both = MatrixXd::Zero(2 * n, 3 * n + 1);  // columns of y_i, y_0, y_{i + 1} and J
    both.topLeftCorner(n, n) = last;
    both.bottomLeftCorner(n, n) = -propagator.topLeftCorner(n, n);
    both.block(0, n, n, n) = first;
    both.block(n, 2 * n, n, n).setIdentity();
    both.col(3 * n).head(n) = flux_column;
    both.col(3 * n).tail(n) = -propagator.col(flux).head(n);
    matrices::reflect(both, n);
    for (Index i = 0; i < n; ++i) {  // takes y_i out of the sum of probabilities
      const double part = last_weight(i) / both(i, i);
      last_weight -= part * both.row(i).head(n);
      first_weight -= part * both.row(i).segment(n, n);
      next_weight -= part * both.row(i).segment(2 * n, n);
      flux_weight -= part * both(i, 3 * n);
    }
    last_weight = next_weight;
    first = both.block(n, n, n, n);
    last = both.block(n, 2 * n, n, n);
    flux_column = both.col(3 * n).tail(n);
  }
  MatrixXd around(n + 1, n + 1);  // y_0 is what comes after the last part
  around.topLeftCorner(n, n) = first + last;
  around.col(n).head(n) = flux_column;
  around.row(n).head(n) = first_weight + last_weight;
  around(n, n) = flux_weight;
  const VectorXd solution = matrices::carefully_solved(around, VectorXd::Unit(n + 1, n));
  const double velocity = equation.landscape.period * system.scale() * solution(n);
  if (!std::isfinite(velocity)) fail("the master equation must have one solution");
  return velocity;
}

}  // namespace bmsim::theory
