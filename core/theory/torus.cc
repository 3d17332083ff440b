#include "theory/torus.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "error.h"
#include "interruption.h"
#include "numbers.h"
#include "theory/plane_waves.h"

namespace bmsim::theory {
namespace {

constexpr Index most_plane_waves = 128, direct_modes = 16;  // direct_modes: most for a direct solution

// ---- the equation in modes (k, l), |k| and |l| <= M, of which one of each pair (k, l), (-k, -l) is kept ----

struct Mode {
  Index k, l;
};

class Equation {
 public:
  Equation(const PlaneWaves& c, Index most) : c_(c), most_(most), places_(4 * most) {
    for (Index k = 0; k <= most; ++k)
      for (Index l = k == 0 ? 1 : -most; l <= most; ++l) kept_.push_back({k, l});
    for (size_t i = 0; i < fields; ++i) {
      values_[i] = MatrixXcd::Zero(places_, places_);
      for (Index k = 1 - 2 * most; k < 2 * most; ++k)
        for (Index l = 1 - 2 * most; l < 2 * most; ++l)
          values_[i](wrapped(k, places_), wrapped(l, places_)) = c.at(static_cast<Field>(i), k, l);
      transform(values_[i], true);
    }
  }
  Index size() const { return 2 * static_cast<Index>(kept_.size()); }
  /// The equation's matrix times p, each row over its term of the mean D. mean: p_00.
  VectorXd apply(const VectorXd& p, double mean) const {
    const MatrixXcd density = field_of(p, mean);
    Harmonics product;
    for (size_t i = 0; i < fields; ++i) {
      product[i] = values_[i].cwiseProduct(density) / static_cast<double>(places_ * places_);
      transform(product[i], false);
    }
    VectorXd result(size());
    for (size_t i = 0; i < kept_.size(); ++i) {
      const Index k = wrapped(kept_[i].k, places_), l = wrapped(kept_[i].l, places_);
      const double q = wave(0, kept_[i].k), r = wave(1, kept_[i].l);
      const Complex flux = q * product[drift_x](k, l) + r * product[drift_y](k, l);
      const Complex spread =
          q * q * product[D_xx](k, l) + 2 * q * r * product[D_xy](k, l) + r * r * product[D_yy](k, l);
      const Complex sum = (Complex{0, -1} * flux - spread) / rate(kept_[i]);
      result(2 * static_cast<Index>(i)) = sum.real();
      result(2 * static_cast<Index>(i) + 1) = sum.imag();
    }
    return result;
  }
  MatrixXd matrix() const {
    MatrixXd A(size(), size());
    for (Index j = 0; j < size() / 2; ++j)
      for (Index i = 0; i < size() / 2; ++i) {
        const Mode row = kept_[static_cast<size_t>(i)], column = kept_[static_cast<size_t>(j)];
        const Complex direct = entry(row, column), mirrored = entry(row, {-column.k, -column.l});
        const Complex of_real = direct + mirrored, of_imaginary = Complex{0, 1} * (direct - mirrored);
        A(2 * i, 2 * j) = of_real.real(), A(2 * i + 1, 2 * j) = of_real.imag();
        A(2 * i, 2 * j + 1) = of_imaginary.real(), A(2 * i + 1, 2 * j + 1) = of_imaginary.imag();
      }
    return A;
  }
  std::array<double, 2> velocities(const VectorXd& p) const {
    std::array<double, 2> v{c_.at(drift_x, 0, 0).real(), c_.at(drift_y, 0, 0).real()};
    for (size_t i = 0; i < kept_.size(); ++i) {
      const Complex conjugate = std::conj(coefficient(p, i));
      v[0] += 2 * (c_.at(drift_x, kept_[i].k, kept_[i].l) * conjugate).real();
      v[1] += 2 * (c_.at(drift_y, kept_[i].k, kept_[i].l) * conjugate).real();
    }
    return v;
  }
  /// Where the modes of an equation with fewer are in p.
  std::vector<Index> places_of(const Equation& lower) const {
    std::vector<Index> places;
    for (size_t i = 0; i < kept_.size(); ++i)
      if (kept_[i].k <= lower.most_ && std::abs(kept_[i].l) <= lower.most_)
        for (Index part = 0; part < 2; ++part) places.push_back(2 * static_cast<Index>(i) + part);
    return places;
  }

 private:
  double wave(size_t variable, Index k) const { return 2 * pi * static_cast<double>(k) / c_.length[variable]; }
  double rate(Mode mode) const {
    const double q = wave(0, mode.k), r = wave(1, mode.l);
    return q * q * c_.at(D_xx, 0, 0).real() + r * r * c_.at(D_yy, 0, 0).real();
  }
  static Complex coefficient(const VectorXd& p, size_t i) {
    return {p(2 * static_cast<Index>(i)), p(2 * static_cast<Index>(i) + 1)};
  }
  Complex entry(Mode row, Mode column) const {
    const double q = wave(0, row.k), r = wave(1, row.l);
    const Index k = row.k - column.k, l = row.l - column.l;
    const Complex flux{q * c_.at(drift_x, k, l).imag() + r * c_.at(drift_y, k, l).imag(),
                       -q * c_.at(drift_x, k, l).real() - r * c_.at(drift_y, k, l).real()};
    const Complex spread = q * q * c_.at(D_xx, k, l) + 2 * q * r * c_.at(D_xy, k, l) + r * r * c_.at(D_yy, k, l);
    return (flux - spread) / rate(row);
  }
  MatrixXcd field_of(const VectorXd& p, double mean) const {
    MatrixXcd f = MatrixXcd::Zero(places_, places_);
    f(0, 0) = mean;
    for (size_t i = 0; i < kept_.size(); ++i) {
      const Complex p_kl = coefficient(p, i);
      f(wrapped(kept_[i].k, places_), wrapped(kept_[i].l, places_)) = p_kl;
      f(wrapped(-kept_[i].k, places_), wrapped(-kept_[i].l, places_)) = std::conj(p_kl);
    }
    transform(f, true);
    return f;
  }

  const PlaneWaves& c_;
  Index most_, places_;
  std::vector<Mode> kept_;
  Harmonics values_;  // at places, for apply()
};

// Not by Eigen's indexed views: g++ 12 warns of them without reason.
VectorXd at_places(const VectorXd& p, const std::vector<Index>& places) {
  VectorXd part(static_cast<Index>(places.size()));
  for (size_t i = 0; i < places.size(); ++i) part(static_cast<Index>(i)) = p(places[i]);
  return part;
}
void put(VectorXd& p, const std::vector<Index>& places, const VectorXd& part) {
  for (size_t i = 0; i < places.size(); ++i) p(places[i]) = part(static_cast<Index>(i));
}

/// The direct solution of few modes.
struct Direct {
  Equation equation;
  matrices::Lu<MatrixXd> lu;
  Direct(const PlaneWaves& c, Index most) : equation(c, most), lu(equation.matrix()) {}
  VectorXd density() const { return -lu.solve(equation.apply(VectorXd::Zero(equation.size()), 1)); }
};

/// p of more modes, from p of fewer; empty if GMRES does not converge.
VectorXd refine(const Equation& equation, const Direct& low, VectorXd p) {
  constexpr int most_rounds = 6, most_steps = 60;
  constexpr double tolerance = 1e-13;
  const std::vector<Index> inner = equation.places_of(low.equation);
  // Rows are over their terms of the mean D, so that -1 is about the inverse of those of high modes.
  const auto precondition = [&](const VectorXd& r) {
    VectorXd result = -r;
    put(result, inner, low.lu.solve(at_places(r, inner)));
    return result;
  };
  const double size = std::max(1.0, p.norm());
  for (int round = 0; round < most_rounds; ++round) {
    const VectorXd residual = precondition(-equation.apply(p, 1));
    if (!residual.allFinite()) return {};
    if (residual.norm() <= tolerance * size) return p;
    MatrixXd basis(p.size(), most_steps + 1), H = MatrixXd::Zero(most_steps + 1, most_steps);
    basis.col(0) = residual / residual.norm();
    VectorXd best;
    int steps = 0;
    while (steps < most_steps) {
      check_interruption();
      VectorXd next = precondition(equation.apply(basis.col(steps), 0));
      for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i <= steps; ++i) {
          const double part = basis.col(i).dot(next);
          H(i, steps) += part;
          next -= part * basis.col(i);
        }
      H(steps + 1, steps) = next.norm();
      if (H(steps + 1, steps) > 0) basis.col(steps + 1) = next / next.norm();
      ++steps;
      MatrixXd least = MatrixXd::Zero(steps + 1, steps + 1);  // squares: H, and the right side in the last column
      least.leftCols(steps) = H.topLeftCorner(steps + 1, steps);
      least(0, steps) = residual.norm();
      matrices::reflect(least, steps);
      best = matrices::triangularly_solved(least, VectorXd(least.col(steps).head(steps)));
      if (std::abs(least(steps, steps)) <= 0.1 * tolerance * size || H(steps, steps - 1) == 0) break;
    }
    p += product(basis.leftCols(steps), best);
  }
  return precondition(-equation.apply(p, 1)).norm() <= 10 * tolerance * size ? p : VectorXd();
}

}  // namespace

std::array<double, 2> torus_velocities(const TorusMotion& motion) {
  const PlaneWaves c(motion);
  Index most = 4;
  while (2 * most < c.reach && most < direct_modes) most *= 2;
  std::array<double, 2> before{};
  double change = 0;
  bool first = true;
  const auto settled = [&](const std::array<double, 2>& v) {
    bool both = !first;
    change = 0;
    for (size_t i = 0; i < 2; ++i) {
      const double difference = std::abs(v[i] - before[i]);
      change = std::max(change, difference);
      both = both && difference <= 1e-9 * std::abs(v[i]) + 1e-11 * c.scale();
    }
    before = v;
    first = false;
    return both;
  };
  std::unique_ptr<Direct> direct;
  VectorXd p;
  for (; most <= direct_modes; most *= 2) {
    check_interruption();
    direct = std::make_unique<Direct>(c, most);
    p = direct->density();
    if (settled(direct->equation.velocities(p)) && 2 * most >= c.reach) return before;
  }
  const Equation* lower = &direct->equation;
  std::unique_ptr<Equation> equation;
  for (; most <= most_plane_waves; most *= 2) {
    check_interruption();
    auto finer = std::make_unique<Equation>(c, most);
    VectorXd start = VectorXd::Zero(finer->size());
    put(start, finer->places_of(*lower), p);
    p = refine(*finer, *direct, start);
    if (p.size() == 0)
      fail("D must be larger against the forces, up to {:.4g}: {} modes do not converge", c.scale(), most);
    if (settled(finer->velocities(p)) && 2 * most >= c.reach) return before;
    equation = std::move(finer);
    lower = equation.get();
  }
  fail(
      "the density must be resolved by {} modes, got changes of {:.2g} in the velocities: a larger D, or smoother "
      "forces",
      most_plane_waves, change);
}

}  // namespace bmsim::theory
