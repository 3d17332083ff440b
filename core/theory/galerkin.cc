// Harmonics of the densities: p_s(x) = sum_k p_sk exp(i q_k x), q_k = 2 pi k / L. The flux is constant, so that
//   0 = -i q_k sum_j f_s,k-j p_sj - (D q_k^2 - symbol(-q_k)) p_sk + sum_r rate_rs p_rk - ...,  v = L sum_s (f_s p_s)_0
//   + mean. Haenggi, Z. Phys. B 36, 271 (1980) (integro-differential master equations of white shot noise).
//
// Where V has many harmonics the matrix is full. It is large for high k on its diagonal only, q_k^2 against q_k, so
// that GMRES (Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7, 856 (1986)) converges in a few tens of steps once
// the lowest harmonics are solved exactly. Products with the force are convolutions, computed by Fourier transforms.
#include <algorithm>
#include <cmath>

#include "error.h"
#include "interruption.h"
#include "numbers.h"
#include "theory/algebra.h"
#include "theory/master.h"

namespace bmsim::theory {
namespace {

using Entries = std::vector<matrices::Entry>;
constexpr int most_modes = 512;
constexpr Index full_size = 600;    // largest full matrix that is solved by elimination
constexpr Index lowest_size = 400;  // part of a larger one, the lowest harmonics, that is
constexpr Index most_iterations = 600;
constexpr double residual = 1e-13;  // relative, of GMRES

/// The term of white noise in the equation of the harmonic q.
Complex white(const MasterEquation& e, double q) {
  Complex sum = -e.D * q * q;
  for (const Kicks& kicks : e.kicks) sum += kicks.rate * (1.0 / Complex{1, q * kicks.mean} - 1.0);
  for (const Symbol& symbol : e.symbols) sum += symbol(-q);
  return sum;
}

/// Solves A x = b by GMRES. times: A; precondition: about A^-1, applied from the right. Throws Error if that takes too
/// many steps.
template <class Times, class Precondition>
VectorXcd gmres(const Times& times, const Precondition& precondition, const VectorXcd& b) {
  const double size = b.norm();
  std::vector<VectorXcd> basis = {b / size};
  MatrixXcd H = MatrixXcd::Zero(most_iterations + 1, most_iterations);  // triangular by rotations
  VectorXcd g = VectorXcd::Zero(most_iterations + 1), sine = g;
  Eigen::VectorXd cosine(most_iterations);
  g(0) = size;
  for (Index n = 0; n < most_iterations; ++n) {
    check_interruption();
    VectorXcd w = times(precondition(basis.back()));
    for (int pass = 0; pass < 2; ++pass)  // the second takes out the rounding errors of the first
      for (Index i = 0; i <= n; ++i) {
        const Complex part = basis[static_cast<size_t>(i)].dot(w);
        H(i, n) += part;
        w -= part * basis[static_cast<size_t>(i)];
      }
    const double norm = w.norm();
    for (Index i = 0; i < n; ++i) {
      const Complex above = H(i, n), below = H(i + 1, n);
      H(i, n) = cosine(i) * above + std::conj(sine(i)) * below;
      H(i + 1, n) = cosine(i) * below - sine(i) * above;
    }
    const double length = std::hypot(std::abs(H(n, n)), norm);
    const Complex turn = H(n, n) == 0.0 ? Complex{1} : H(n, n) / std::abs(H(n, n));
    cosine(n) = std::abs(H(n, n)) / length;
    sine(n) = norm / length * std::conj(turn);
    H(n, n) = turn * length;
    g(n + 1) = -sine(n) * g(n);
    g(n) *= cosine(n);
    if (std::abs(g(n + 1)) <= residual * size || norm <= residual * length) {
      const VectorXcd y = matrices::triangularly_solved(H, VectorXcd(g.head(n + 1)));
      VectorXcd x = VectorXcd::Zero(b.size());
      for (Index i = 0; i <= n; ++i) x += y(i) * basis[static_cast<size_t>(i)];
      return precondition(x);
    }
    basis.push_back(w / norm);
  }
  fail("the equations of the harmonics must be solved in {} steps, got a residual of {:.2g}", most_iterations,
       std::abs(g(most_iterations)) / size);
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
    for (const Kicks& kicks : e_.kicks) v += kicks.rate * kicks.mean;
    for (Index s = 0; s < states(); ++s)
      for (Index k = -reach(); k <= reach(); ++k) v += slope_.L * force(s, -k) * p(place(s, k));
    return v.real();
  }

 private:
  Index states() const { return static_cast<Index>(e_.states.size()); }
  Index place(Index s, Index k) const { return s * width_ + k + modes_; }
  double wave(Index k) const { return 2 * pi * static_cast<double>(k) / slope_.L; }
  Index highest() const { return static_cast<Index>(slope_.coefficient.size()) - 1; }  // harmonic of the force
  Index reach() const { return std::min(modes_, highest()); }
  const State& state(Index s) const { return e_.states[static_cast<size_t>(s)]; }
  double rate(Index from, Index to) const { return e_.rates[static_cast<size_t>(from)][static_cast<size_t>(to)]; }
  Complex force(Index s, Index k) const {
    return state(s).potential * slope_[k] + (k == 0 ? e_.force + state(s).force : 0);
  }
  Entries entries() const {
    Entries entries;
    for (Index s = 0; s < states(); ++s)
      for (Index k = -modes_; k <= modes_; ++k)
        if (s > 0 || k != 0) add_row(entries, s, k);
    for (Index s = 0; s < states(); ++s) entries.push_back({place(0, 0), place(s, 0), slope_.L});  // normalisation
    return entries;
  }
  void add_row(Entries& entries, Index s, Index k) const {
    const double q = wave(k);
    Complex diagonal = Complex{0, -q} * force(s, 0) + white(e_, q);
    for (Index r = 0; r < states(); ++r) {
      if (r == s) continue;
      entries.push_back({place(s, k), place(r, k), rate(r, s)});
      diagonal -= rate(s, r);
    }
    for (Index j = std::max(-modes_, k - highest()); j <= std::min(modes_, k + highest()); ++j)
      entries.push_back({place(s, k), place(s, j), j == k ? diagonal : Complex{0, -q} * force(s, k - j)});
  }
  static MatrixXcd full(const Entries& entries, Index size) {
    MatrixXcd matrix = MatrixXcd::Zero(size, size);
    for (const auto& [row, column, value] : entries) matrix(row, column) = value;
    return matrix;
  }
  static VectorXcd solve(const Entries& entries, const VectorXcd& right) {
    if (static_cast<Index>(entries.size()) <= right.size() * 40) return matrices::sparsely_solved(entries, right);
    return matrices::Lu<MatrixXcd>(full(entries, right.size())).solve(right);
  }

  /// The matrix of entries(), times p.
  VectorXcd times(const VectorXcd& p) const {
    Index places = 1;
    while (places < 4 * modes_ + 1) places *= 2;  // so that harmonics of the product do not overlap
    matrices::Fourier fourier;
    const auto at_places = [&](Index most, const auto& harmonic) {
      VectorXcd f = VectorXcd::Zero(places), out;
      for (Index k = -most; k <= most; ++k) f(k < 0 ? k + places : k) = harmonic(k);
      fourier.backward(f, out);
      return out;
    };
    const VectorXcd slope = at_places(std::min(2 * modes_, highest()), [&](Index k) { return slope_[k]; });
    VectorXcd result(p.size()), product;
    for (Index s = 0; s < states(); ++s) {
      const VectorXcd density = at_places(modes_, [&](Index k) { return p(place(s, k)); });
      fourier.forward(slope.cwiseProduct(density) / static_cast<double>(places), product);
      double leaving = 0;
      for (Index r = 0; r < states(); ++r) leaving += r == s ? 0 : rate(s, r);
      for (Index k = -modes_; k <= modes_; ++k) {
        const double q = wave(k);
        const Complex p_k = p(place(s, k));
        Complex sum = Complex{0, -q} *
                          (state(s).potential * product(k < 0 ? k + places : k) + (e_.force + state(s).force) * p_k) +
                      (white(e_, q) - leaving) * p_k;
        for (Index r = 0; r < states(); ++r)
          if (r != s) sum += rate(r, s) * p(place(r, k));
        result(place(s, k)) = sum;
      }
    }
    Complex probability = 0;
    for (Index s = 0; s < states(); ++s) probability += slope_.L * p(place(s, 0));
    result(place(0, 0)) = probability;
    return result;
  }
  /// By GMRES. The preconditioner solves the lowest harmonics by elimination, and every other harmonic without V.
  VectorXcd solve_by_parts(const VectorXcd& right) const {
    const Index lowest = std::clamp<Index>((lowest_size / states() - 1) / 2, 0, modes_ - 1);
    const Galerkin low(e_, slope_, static_cast<int>(lowest));
    const matrices::Lu<MatrixXcd> solve_low(full(low.entries(), states() * low.width_));
    std::vector<matrices::Lu<MatrixXcd>> solve_high;  // k = lowest + 1, ..., and then the negative ones
    for (const int sign : {1, -1})
      for (Index k = lowest + 1; k <= modes_; ++k) {
        const double q = wave(sign * k);
        MatrixXcd block = MatrixXcd::Zero(states(), states());
        for (Index s = 0; s < states(); ++s) {
          block(s, s) += white(e_, q) + Complex{0, -q} * (e_.force + state(s).force);
          for (Index r = 0; r < states(); ++r)
            if (r != s) block(s, r) += rate(r, s), block(s, s) -= rate(s, r);
        }
        solve_high.emplace_back(block);
      }
    const auto precondition = [&](const VectorXcd& p) {
      VectorXcd result(p.size()), part(states() * low.width_);
      for (Index s = 0; s < states(); ++s)
        for (Index k = -lowest; k <= lowest; ++k) part(low.place(s, k)) = p(place(s, k));
      part = solve_low.solve(part);
      for (Index s = 0; s < states(); ++s)
        for (Index k = -lowest; k <= lowest; ++k) result(place(s, k)) = part(low.place(s, k));
      auto solver = solve_high.begin();
      for (const int sign : {1, -1})
        for (Index k = lowest + 1; k <= modes_; ++k) {
          VectorXcd p_k(states());
          for (Index s = 0; s < states(); ++s) p_k(s) = p(place(s, sign * k));
          p_k = (solver++)->solve(p_k);
          for (Index s = 0; s < states(); ++s) result(place(s, sign * k)) = p_k(s);
        }
      return result;
    };
    return gmres([&](const VectorXcd& p) { return times(p); }, precondition, right);
  }

  const MasterEquation& e_;
  const FourierForce& slope_;
  Index modes_, width_;
};

}  // namespace

double galerkin_velocity(const MasterEquation& equation) {
  const Landscape& landscape = equation.landscape;
  const double largest = magnitude(landscape.force, 0, landscape.period);
  const double energy = equation.D > 0 ? equation.D : largest * landscape.period;
  const FourierForce slope = harmonics(landscape, 2 * most_modes, energy);
  double scale = std::abs(equation.force) + largest;
  for (const State& state : equation.states) scale = std::max(scale, std::abs(state.force));
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
