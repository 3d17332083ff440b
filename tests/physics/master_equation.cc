// Stationary periodic master equations by Fourier-Galerkin: p(x) = sum_k p_k exp(i q_k x), q_k = 2 pi k / L.
// The flux is constant, so that its harmonics k != 0 vanish and v = L (its harmonic 0). With exponential kicks of mean
// zeta the Poissonian noise adds -i q D / (1 + i q zeta) p_k to the flux: an intensity that depends on the harmonic.
// Haenggi, Z. Phys. B 36 (1980) 271 (integro-differential master equations of white shot noise).
#include <cmath>
#include <stdexcept>

#include "matrices.h"
#include "reference.h"
#include "reference_ratchets.h"

namespace bmsim::reference {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;
constexpr Complex i{0, 1};
const double two_pi = 2 * std::acos(-1.0);

void check(const FourierForce& force, double D_G, int modes) {
  if (!(force.L > 0)) throw std::invalid_argument("master equation: L must be > 0, got " + std::to_string(force.L));
  if (!(D_G > 0)) throw std::invalid_argument("master equation: D_G must be > 0, got " + std::to_string(D_G));
  if (modes < 1) throw std::invalid_argument("master equation: modes must be >= 1, got " + std::to_string(modes));
}

/// Toeplitz matrix of the harmonics of f p: row and column `modes + k` belong to harmonic k.
MatrixXcd convolution(const FourierForce& force, int modes) {
  const auto harmonic = [&force](Index k) {
    const auto n = static_cast<size_t>(std::abs(k));
    if (n >= force.coefficient.size()) return Complex{0};
    return k < 0 ? std::conj(force.coefficient[n]) : force.coefficient[n];
  };
  const Index size = 2 * modes + 1;
  MatrixXcd matrix(size, size);
  for (Index row = 0; row < size; ++row)
    for (Index column = 0; column < size; ++column) matrix(row, column) = harmonic(row - column);
  return matrix;
}

}  // namespace

FourierForce sine_force(double V0, double L, double F) { return {L, {F, -two_pi / 2 * V0 / L}}; }

FourierForce piecewise_linear_force(const PiecewiseLinear& potential, int k_max, double F) {
  const double k = potential.k;
  FourierForce force{potential.L, {F}};
  for (int n = 1; n <= k_max; ++n) {
    const double q = two_pi * n;  // x in periods
    const Complex rising = std::exp(i * (q * k)) - 1.0, falling = 1.0 - std::exp(-i * (q * (1 - k)));
    force.coefficient.push_back((potential.rising_force() * rising + potential.falling_force() * falling) / (i * q));
  }
  return force;
}

FourierForce sampled_force(const std::function<double(double)>& force, double L, int k_max) {
  const int samples = 4 * k_max;
  std::vector<double> value;
  value.reserve(static_cast<size_t>(samples));
  for (int n = 0; n < samples; ++n) value.push_back(force(L * n / samples));
  FourierForce series{L, {}};
  for (int k = 0; k <= k_max; ++k) {
    Complex sum = 0;
    for (int n = 0; n < samples; ++n) {
      const int turn = static_cast<int>(static_cast<long long>(k) * n % samples);
      sum += value[static_cast<size_t>(n)] * std::exp(-i * (two_pi * turn / samples));
    }
    series.coefficient.push_back(sum / static_cast<double>(samples));
  }
  return series;
}

double master_velocity(const FourierForce& force, const PoissonNoise& noise, double D_G, int modes) {
  check(force, D_G, modes);
  const Index zero = modes, size = 2 * modes + 1;
  MatrixXcd flux = convolution(force, modes);
  for (Index row = 0; row < size; ++row) {
    const double q = two_pi * static_cast<double>(row - zero) / force.L;
    flux(row, row) -= i * q * (D_G + noise.D / (1.0 + i * (q * noise.zeta())));
  }
  MatrixXcd system = flux;
  system.row(zero).setZero();
  system(zero, zero) = force.L;  // normalisation
  VectorXcd right = VectorXcd::Zero(size);
  right(zero) = 1;
  const VectorXcd p = matrices::Lu<MatrixXcd>(system).solve(right);
  return force.L * flux.row(zero).transpose().cwiseProduct(p).sum().real();
}

namespace {

/// Stationary velocity of two states between which `noise` flips; row k of force_a and force_b: harmonic k of f p.
double two_state_velocity(const MatrixXcd& force_a, const MatrixXcd& force_b, const DichotomousNoise& noise, double D,
                          double L) {
  const Index size = force_a.rows(), zero = size / 2;
  MatrixXcd system = MatrixXcd::Zero(2 * size, 2 * size);  // state -Fa, then state Fb
  for (Index row = 0; row < size; ++row) {
    const double q = two_pi * static_cast<double>(row - zero) / L;
    const Index a = row, b = size + row;
    system.row(a).head(size) = -i * q * force_a.row(row);
    system.row(b).tail(size) = -i * q * force_b.row(row);
    system(a, a) -= D * q * q + noise.mu_a;
    system(b, b) -= D * q * q + noise.mu_b;
    system(a, b) += noise.mu_b;
    system(b, a) += noise.mu_a;
  }
  VectorXcd right = VectorXcd::Zero(2 * size);
  system.row(size + zero).setZero();  // at harmonic 0 the two equations say the same; one gives way to normalisation
  system(size + zero, zero) = system(size + zero, size + zero) = L;
  right(size + zero) = 1;
  const VectorXcd p = matrices::Lu<MatrixXcd>(system).solve(right);
  return L * (force_a.row(zero).transpose().cwiseProduct(p.head(size)) +
              force_b.row(zero).transpose().cwiseProduct(p.tail(size)))
                 .sum()
                 .real();
}

}  // namespace

double master_velocity(const FourierForce& force, const DichotomousNoise& noise, double D_G, int modes) {
  check(force, D_G, modes);
  const MatrixXcd same = convolution(force, modes), unit = MatrixXcd::Identity(same.rows(), same.cols());
  return two_state_velocity(same - noise.Fa * unit, same + noise.Fb * unit, noise, D_G, force.L);
}

double flashing_velocity(const FourierForce& modulated, const DichotomousNoise& noise, double F, double D, int modes) {
  check(modulated, D, modes);
  const MatrixXcd on = convolution(modulated, modes), tilt = F * MatrixXcd::Identity(on.rows(), on.cols());
  return two_state_velocity((1 - noise.Fa) * on + tilt, (1 + noise.Fb) * on + tilt, noise, D, modulated.L);
}

}  // namespace bmsim::reference
