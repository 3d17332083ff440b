// Harmonics of the densities: p_s(x) = sum_k p_sk exp(i q_k x), q_k = 2 pi k / L. The flux is constant, so that
//   0 = -i q_k sum_j f_s,k-j p_sj - (D q_k^2 - symbol(-q_k)) p_sk + sum_r rate_rs p_rk - ...,  v = L sum_s (f_s p_s)_0
//   + mean. Haenggi, Z. Phys. B 36, 271 (1980) (integro-differential master equations of white shot noise).
#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "error.h"
#include "interruption.h"
#include "theory/fourier.h"
#include "theory/master.h"

namespace bmsim::theory {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXcd;
constexpr int most_modes = 512;

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
    const auto states = static_cast<Index>(e_.states.size());
    std::vector<Eigen::Triplet<Complex>> entries;
    for (Index s = 0; s < states; ++s)
      for (Index k = -modes_; k <= modes_; ++k)
        if (s > 0 || k != 0) add_row(entries, s, k);
    for (Index s = 0; s < states; ++s) entries.emplace_back(place(0, 0), place(s, 0), slope_.L);  // normalisation
    VectorXcd right = VectorXcd::Zero(states * width_);
    right(place(0, 0)) = 1;
    const VectorXcd p = solve(entries, right);
    Complex v = e_.mean;
    for (const Kicks& one : e_.kicks) v += one.rate * one.mean;
    for (Index s = 0; s < states; ++s)
      for (Index k = -reach(); k <= reach(); ++k) v += slope_.L * force(s, -k) * p(place(s, k));
    return v.real();
  }

 private:
  Index place(Index s, Index k) const { return s * width_ + k + modes_; }
  Index reach() const { return std::min<Index>(modes_, static_cast<Index>(slope_.coefficient.size()) - 1); }
  Complex force(Index s, Index k) const {
    const State& state = e_.states[static_cast<size_t>(s)];
    return state.potential * slope_[k] + (k == 0 ? e_.force + state.force : 0);
  }
  void add_row(std::vector<Eigen::Triplet<Complex>>& entries, Index s, Index k) const {
    const double q = 6.283185307179586476925 * static_cast<double>(k) / slope_.L;
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

  const MasterEquation& e_;
  const FourierForce& slope_;
  Index modes_, width_;
};

}  // namespace

double galerkin_velocity(const MasterEquation& equation) {
  const Landscape& landscape = equation.landscape;
  const FourierForce slope = harmonics(landscape, 2 * most_modes);
  double scale = std::abs(equation.force) + magnitude(landscape.force, 0, landscape.period);
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
