// Harmonics of the densities: p_s(x) = sum_k p_sk exp(i q_k x), q_k = 2 pi k / L. The flux is constant, so that
//   0 = -i q_k sum_j f_s,k-j p_sj - (D q_k^2 - symbol(-q_k)) p_sk + sum_r rate_rs p_rk - ...,  v = L sum_s (f_s p_s)_0
//   + mean. Haenggi, Z. Phys. B 36, 271 (1980) (integro-differential master equations of white shot noise).
//
// Where V has many harmonics the matrix is full. It is large for high k on its diagonal only, q_k^2 against q_k, so
// that GMRES (Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7, 856 (1986)) converges in a few tens of steps once
// the lowest harmonics are solved exactly; products with the force are convolutions, made by Fourier transforms.
#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/FFT>

#include "error.h"
#include "interruption.h"
#include "theory/fourier.h"
#include "theory/master.h"

namespace bmsim::theory {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;
constexpr int most_modes = 512;
constexpr Index full_size = 600, lowest_size = 400;  // of matrices that are solved by elimination, and of their part
constexpr Index most_iterations = 600;
constexpr double residual = 1e-13;  // of GMRES, relative

/// The term of white noise in the equation of the harmonic q.
Complex white(const MasterEquation& e, double q) {
  Complex sum = -e.D * q * q;
  for (const Kicks& one : e.kicks) sum += one.rate * (1.0 / Complex{1, q * one.mean} - 1.0);
  for (const Symbol& one : e.symbols) sum += one(-q);
  return sum;
}

class Galerkin {
 public:
  Galerkin(const MasterEquation& equation, const FourierForce& slope, int modes)
      : e_(equation), slope_(slope), modes_(modes), width_(2 * modes + 1) {}

  double velocity() const {
    VectorXcd right = VectorXcd::Zero(states() * width_);
    right(place(0, 0)) = 1;
    const bool banded = 2 * reach() + 1 + states() <= 40;
    const VectorXcd p = !banded && right.size() > full_size ? solve_by_parts(right) : solve(entries(), right);
    Complex v = e_.mean;
    for (const Kicks& one : e_.kicks) v += one.rate * one.mean;
    for (Index s = 0; s < states(); ++s)
      for (Index k = -reach(); k <= reach(); ++k) v += slope_.L * force(s, -k) * p(place(s, k));
    return v.real();
  }

 private:
  Index states() const { return static_cast<Index>(e_.states.size()); }
  Index place(Index s, Index k) const { return s * width_ + k + modes_; }
  double wave(Index k) const { return 6.283185307179586476925 * static_cast<double>(k) / slope_.L; }
  Index reach() const { return std::min<Index>(modes_, static_cast<Index>(slope_.coefficient.size()) - 1); }
  Complex force(Index s, Index k) const {
    const State& state = e_.states[static_cast<size_t>(s)];
    return state.potential * slope_[k] + (k == 0 ? e_.force + state.force : 0);
  }
  std::vector<Eigen::Triplet<Complex>> entries() const {
    std::vector<Eigen::Triplet<Complex>> all;
    for (Index s = 0; s < states(); ++s)
      for (Index k = -modes_; k <= modes_; ++k)
        if (s > 0 || k != 0) add_row(all, s, k);
    for (Index s = 0; s < states(); ++s) all.emplace_back(place(0, 0), place(s, 0), slope_.L);  // normalisation
    return all;
  }
  void add_row(std::vector<Eigen::Triplet<Complex>>& entries, Index s, Index k) const {
    const double q = wave(k);
    const Index most = static_cast<Index>(slope_.coefficient.size()) - 1;
    for (Index j = std::max(-modes_, k - most); j <= std::min(modes_, k + most); ++j)
      entries.emplace_back(place(s, k), place(s, j), Complex{0, -q} * force(s, k - j));
    entries.emplace_back(place(s, k), place(s, k), white(e_, q));
    for (size_t r = 0; r < e_.states.size(); ++r) {
      const auto here = static_cast<size_t>(s);
      if (r == here) continue;
      entries.emplace_back(place(s, k), place(static_cast<Index>(r), k), e_.rates[r][here]);
      entries.emplace_back(place(s, k), place(s, k), -e_.rates[here][r]);
    }
  }
  static VectorXcd solve(const std::vector<Eigen::Triplet<Complex>>& entries, const VectorXcd& right) {
    Eigen::SparseMatrix<Complex> matrix(right.size(), right.size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    if (matrix.nonZeros() > right.size() * 40) return Eigen::MatrixXcd(matrix).partialPivLu().solve(right);
    Eigen::SparseLU<Eigen::SparseMatrix<Complex>> solver(matrix);
    if (solver.info() != Eigen::Success)
      fail("the master equation must have one solution, got: {}", solver.lastErrorMessage());
    return solver.solve(right);
  }

  /// The rows of add_row, times p.
  VectorXcd times(const VectorXcd& p) const;
  VectorXcd solve_by_parts(const VectorXcd& right) const;

  const MasterEquation& e_;
  const FourierForce& slope_;
  Index modes_, width_;
};

/// Solves A x = b by GMRES; near: about A^-1, applied from the right. Throws Error if that takes too long.
template <class Times, class Near> VectorXcd gmres(const Times& times, const Near& near, const VectorXcd& b) {
  const double size = b.norm();
  std::vector<VectorXcd> basis = {b / size};
  MatrixXcd H = MatrixXcd::Zero(most_iterations + 1, most_iterations);  // triangular by rotations
  VectorXcd g = VectorXcd::Zero(most_iterations + 1), sine = g;
  Eigen::VectorXd cosine(most_iterations);
  g(0) = size;
  for (Index n = 0; n < most_iterations; ++n) {
    check_interruption();
    VectorXcd w = times(near(basis.back()));
    for (int twice = 0; twice < 2; ++twice)
      for (Index i = 0; i <= n; ++i) {
        const Complex part = basis[static_cast<size_t>(i)].dot(w);
        H(i, n) += part;
        w -= part * basis[static_cast<size_t>(i)];
      }
    const double rest = w.norm();
    for (Index i = 0; i < n; ++i) {
      const Complex above = H(i, n), below = H(i + 1, n);
      H(i, n) = cosine(i) * above + std::conj(sine(i)) * below;
      H(i + 1, n) = cosine(i) * below - sine(i) * above;
    }
    const double length = std::hypot(std::abs(H(n, n)), rest);
    const Complex turn = H(n, n) == 0.0 ? Complex{1} : H(n, n) / std::abs(H(n, n));
    cosine(n) = std::abs(H(n, n)) / length;
    sine(n) = rest / length * std::conj(turn);
    H(n, n) = turn * length;
    g(n + 1) = -sine(n) * g(n);
    g(n) *= cosine(n);
    if (std::abs(g(n + 1)) <= residual * size || rest <= residual * length) {
      const VectorXcd y = H.topLeftCorner(n + 1, n + 1).triangularView<Eigen::Upper>().solve(g.head(n + 1));
      VectorXcd x = VectorXcd::Zero(b.size());
      for (Index i = 0; i <= n; ++i) x += y(i) * basis[static_cast<size_t>(i)];
      return near(x);
    }
    basis.push_back(w / rest);
  }
  fail("the equations of the harmonics must be solved in {} steps, got a residual of {:.2g}", most_iterations,
       std::abs(g(most_iterations)) / size);
}

VectorXcd Galerkin::times(const VectorXcd& p) const {
  Index places = 1;
  while (places < 4 * modes_ + 1) places *= 2;  // no harmonic of the product is another one's
  Eigen::FFT<double> fft;
  const auto at_places = [&](Index most, const auto& harmonic) {
    VectorXcd f = VectorXcd::Zero(places), out;
    for (Index k = -most; k <= most; ++k) f(k < 0 ? k + places : k) = harmonic(k);
    fft.inv(out, f);
    return out;
  };
  const Index most = std::min<Index>(2 * modes_, static_cast<Index>(slope_.coefficient.size()) - 1);
  const VectorXcd slope = at_places(most, [&](Index k) { return slope_[k]; });
  VectorXcd result(p.size()), product;
  for (Index s = 0; s < states(); ++s) {
    const auto here = static_cast<size_t>(s);
    const State& state = e_.states[here];
    const VectorXcd density = at_places(modes_, [&](Index k) { return p(place(s, k)); });
    fft.fwd(product, VectorXcd(static_cast<double>(places) * slope.cwiseProduct(density)));
    double leaving = 0;
    for (size_t r = 0; r < e_.states.size(); ++r) leaving += r == here ? 0 : e_.rates[here][r];
    for (Index k = -modes_; k <= modes_; ++k) {
      const double q = wave(k);
      const Complex own = p(place(s, k));
      Complex sum =
          Complex{0, -q} * (state.potential * product(k < 0 ? k + places : k) + (e_.force + state.force) * own) +
          (white(e_, q) - leaving) * own;
      for (size_t r = 0; r < e_.states.size(); ++r)
        if (r != here) sum += e_.rates[r][here] * p(place(static_cast<Index>(r), k));
      result(place(s, k)) = sum;
    }
  }
  Complex all = 0;
  for (Index s = 0; s < states(); ++s) all += slope_.L * p(place(s, 0));
  result(place(0, 0)) = all;
  return result;
}

/// GMRES after the lowest harmonics have been solved by elimination, and every other one without V.
VectorXcd Galerkin::solve_by_parts(const VectorXcd& right) const {
  const Index lowest = std::clamp<Index>((lowest_size / states() - 1) / 2, 0, modes_ - 1);
  const Galerkin low(e_, slope_, static_cast<int>(lowest));
  MatrixXcd of_low = MatrixXcd::Zero(states() * low.width_, states() * low.width_);
  for (const auto& one : low.entries()) of_low(one.row(), one.col()) += one.value();
  const Eigen::PartialPivLU<MatrixXcd> solve_low(of_low);
  std::vector<Eigen::PartialPivLU<MatrixXcd>> solve_high;  // k = lowest + 1, ..., and then the negative ones
  for (const int sign : {1, -1})
    for (Index k = lowest + 1; k <= modes_; ++k) {
      const double q = wave(sign * k);
      MatrixXcd one = MatrixXcd::Zero(states(), states());
      for (Index s = 0; s < states(); ++s) {
        const auto here = static_cast<size_t>(s);
        one(s, s) += white(e_, q) + Complex{0, -q} * (e_.force + e_.states[here].force);
        for (size_t r = 0; r < e_.states.size(); ++r)
          if (r != here) one(s, static_cast<Index>(r)) += e_.rates[r][here], one(s, s) -= e_.rates[here][r];
      }
      solve_high.emplace_back(one);
    }
  const auto near = [&](const VectorXcd& p) {
    VectorXcd result(p.size()), part(states() * low.width_);
    for (Index s = 0; s < states(); ++s)
      for (Index k = -lowest; k <= lowest; ++k) part(low.place(s, k)) = p(place(s, k));
    part = solve_low.solve(part).eval();
    for (Index s = 0; s < states(); ++s)
      for (Index k = -lowest; k <= lowest; ++k) result(place(s, k)) = part(low.place(s, k));
    auto solver = solve_high.begin();
    for (const int sign : {1, -1})
      for (Index k = lowest + 1; k <= modes_; ++k) {
        VectorXcd of_k(states());
        for (Index s = 0; s < states(); ++s) of_k(s) = p(place(s, sign * k));
        of_k = (solver++)->solve(of_k).eval();
        for (Index s = 0; s < states(); ++s) result(place(s, sign * k)) = of_k(s);
      }
    return result;
  };
  return gmres([&](const VectorXcd& p) { return times(p); }, near, right);
}

}  // namespace

double galerkin_velocity(const MasterEquation& equation) {
  const Landscape& landscape = equation.landscape;
  const double largest = magnitude(landscape.force, 0, landscape.period);
  const double energy = equation.D > 0 ? equation.D : largest * landscape.period;
  const FourierForce slope = harmonics(landscape, 2 * most_modes, energy);
  double scale = std::abs(equation.force) + largest;
  for (const State& one : equation.states) scale = std::max(scale, std::abs(one.force));
  double before = Galerkin(equation, slope, 8).velocity(), change = 0;
  for (int modes = 16; modes <= most_modes; modes *= 2) {
    check_interruption();
    const double v = Galerkin(equation, slope, modes).velocity();
    change = std::abs(v - before);
    if (change <= (modes < most_modes ? 1e-9 : 1e-5) * (scale + std::abs(v))) return v;
    before = v;
  }
  fail("the density must be resolved by {} harmonics, got changes of {:.2g} in v: a larger D of Gaussian noise",
       most_modes, change);
}

}  // namespace bmsim::theory
