// Ratchets: adiabatic averages, the deep limit of flashing, periodic forces in time.
#include "reference_ratchets.h"

#include <cmath>

#include "exponential.h"
#include "matrices.h"
#include "reference_detail.h"

namespace bmsim::reference {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

Complex harmonic(const FourierForce& force, Index k) {
  const auto n = static_cast<size_t>(std::abs(k));
  if (n >= force.coefficient.size()) return 0;
  return k < 0 ? std::conj(force.coefficient[n]) : force.coefficient[n];
}

void check(const FourierForce& force, double D, int modes) {
  require(force.L > 0, "L must be > 0", force.L);
  require(D > 0, "D must be > 0", D);
  require(modes >= 1, "modes must be >= 1", modes);
}

/// exp(generator t): harmonic k of p in row modes + k; the last row collects L int (f p)_0 dt, the displacement.
MatrixXcd propagator(const FourierForce& force, double t, double D, int modes) {
  const Index zero = modes, size = 2 * modes + 1;
  MatrixXcd generator = MatrixXcd::Zero(size + 1, size + 1);
  for (Index row = 0; row < size; ++row) {
    const double q = 2 * pi * static_cast<double>(row - zero) / force.L;
    for (Index column = 0; column < size; ++column)
      generator(row, column) = Complex{0, -q} * harmonic(force, row - column);
    generator(row, row) -= D * q * q;
    generator(size, row) = force.L * harmonic(force, zero - row);
  }
  return exponential(MatrixXcd(generator * t));
}

double check_deep(double L, double d, double D, double t_off) {
  require(L > 0, "L must be > 0", L);
  require(d > 0 && d < L, "d must be in (0, L)", d);
  require(D * t_off > 0, "D t_off must be > 0", D * t_off);
  return D * t_off;
}

}  // namespace

double TwoWaves::energy(double x) const {
  const double turns = 2 * pi * x / L;
  return V0 * (std::sin(turns) + b * std::sin(2 * turns + phi));
}

FourierForce TwoWaves::force(double F) const {
  return {L, {F, -pi * V0 / L, -2 * pi * b * V0 / L * std::polar(1.0, phi)}};
}

double rocked_square(const std::function<double(double)>& V, double A, double F, double D, double L) {
  return (stratonovich(V, F + A, D, L).v + stratonovich(V, F - A, D, L).v) / 2;
}

double rocked_cosine(const std::function<double(double)>& V, double A, double F, double D, double L, int phases) {
  require(phases >= 1, "phases must be >= 1", phases);
  double sum = 0;
  for (int n = 0; n < phases; ++n) sum += stratonovich(V, F + A * std::cos(pi * (n + 0.5) / phases), D, L).v;
  return sum / phases;
}

double alternating_velocity(const FourierForce& first, double t1, const FourierForce& second, double t2, double D,
                            int modes) {
  check(first, D, modes);
  require(second.L == first.L, "L of both forces must be equal", second.L);
  require(t1 > 0, "t1 must be > 0", t1);
  require(t2 > 0, "t2 must be > 0", t2);
  const Index zero = modes, size = 2 * modes + 1;
  const MatrixXcd period = matrices::product(propagator(second, t2, D, modes), propagator(first, t1, D, modes));
  MatrixXcd system = period.topLeftCorner(size, size) - MatrixXcd::Identity(size, size);
  system.row(zero).setZero();
  system(zero, zero) = first.L;  // normalisation
  const VectorXcd p = matrices::Lu<MatrixXcd>(system).solve(VectorXcd(VectorXcd::Unit(size, zero)));
  return period.row(size).head(size).transpose().cwiseProduct(p).sum().real() / (t1 + t2);
}

double rocked_velocity(const FourierForce& force, double A, double omega, double D, int modes, int turns) {
  check(force, D, modes);
  require(omega > 0, "omega must be > 0", omega);
  require(turns >= 1, "turns must be >= 1", turns);
  // Harmonics k != 0 of x, n of t: 0 = -i n omega p_kn - i q [(f p_n)_k + A (p_k(n-1) + p_k(n+1)) / 2] - D q^2 p_kn,
  // and p_0n = delta_n0 / L. v = L (f p_0)_0.
  const Index width = 2 * modes, reach = static_cast<Index>(force.coefficient.size()) - 1;
  const auto unknown = [&](Index k, Index n) { return (n + turns) * width + k + modes - (k > 0 ? 1 : 0); };
  std::vector<matrices::Entry> entries;
  VectorXcd right = VectorXcd::Zero(width * (2 * turns + 1));
  for (Index n = -turns; n <= turns; ++n) {
    for (Index k = -modes; k <= modes; ++k) {
      if (k == 0) continue;
      const double q = 2 * pi * static_cast<double>(k) / force.L;
      const Index row = unknown(k, n);
      const auto add = [&](Index k2, Index n2, Complex value) {
        if (std::abs(k2) > modes || std::abs(n2) > turns) return;
        if (k2 != 0) entries.push_back({row, unknown(k2, n2), value});
        if (k2 == 0 && n2 == 0) right(row) -= value / force.L;
      };
      add(k, n, Complex{-D * q * q, -static_cast<double>(n) * omega});
      for (Index j = -reach; j <= reach; ++j) add(k - j, n, Complex{0, -q} * harmonic(force, j));
      for (const Index side : {-1, 1}) add(k, n + side, Complex{0, -q * A / 2});
    }
  }
  const VectorXcd p = matrices::sparsely_solved(entries, right);
  Complex v = harmonic(force, 0);
  for (Index k = -modes; k <= modes; ++k)
    if (k != 0) v += force.L * harmonic(force, -k) * p(unknown(k, 0));
  return v.real();
}

DichotomousNoise on_and_off(double mean_on, double mean_off) {  // states -1 (off) and 0 (on)
  require(mean_on > 0, "mean_on must be > 0", mean_on);
  require(mean_off > 0, "mean_off must be > 0", mean_off);
  return {1, 0, 1 / mean_off, 1 / mean_on};
}

double deep_flashing_distance(const PiecewiseLinear& potential, double D) {
  const auto& [L, V0, k] = potential;
  require(V0 > 0, "V0 must be > 0", V0);
  return k * L + 2 * (1 - 2 * k) * L * D / V0;
}

double deep_flashing_fixed(double L, double d, double D, double t_on, double t_off) {
  const double width = 2 * std::sqrt(check_deep(L, d, D, t_off));
  double hops = 0, term = 1;
  for (int j = 0; term > 1e-17; ++j) {
    const double right = std::erfc((d + j * L) / width) / 2, left = std::erfc((L - d + j * L) / width) / 2;
    hops += right - left;
    term = right + left;
  }
  return L * hops / (t_on + t_off);
}

double deep_flashing_random(double L, double d, double D, double t_on, double t_off) {
  const double width = std::sqrt(check_deep(L, d, D, t_off));
  const double hops = (std::exp(-d / width) - std::exp((d - L) / width)) / (-2 * std::expm1(-L / width));
  return L * hops / (t_on + t_off);
}

}  // namespace bmsim::reference
