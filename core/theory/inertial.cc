// Stationary Klein-Kramers equation of a periodic force, by matrix continued fractions: p(x, v) = M(v) sum_n c_n(x)
// He_n((v - w) / u) / sqrt(n!), u^2 = T / m, M Maxwell's law about the centre w. Brinkman's hierarchy
//   dc_n/dt = -[n gamma / m + w d/dx] c_n - u sqrt(n) [d/dx - (f - gamma w) / T] c_(n-1) - u sqrt(n + 1) dc_(n+1)/dx
// is block tridiagonal in the harmonics of c_n, and is eliminated from the highest n down.
// D_eff = <v> of g, where L g = -(v - <v>) p, int g = 0: the same system with a right-hand side.
#include "theory/inertial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "error.h"
#include "interruption.h"
#include "numbers.h"
#include "theory/algebra.h"

namespace bmsim::theory {
namespace {

using Levels = std::vector<VectorXcd>;  // c_n, harmonic k in row modes + k

double root(size_t n) { return std::sqrt(static_cast<double>(n)); }

struct Hierarchy {
  double u, w, L;
  Index zero;                         // row of harmonic 0
  std::vector<matrices::Entry> down;  // -u [d/dx - (f - gamma w) / T], which is sparse
  VectorXcd up;                       // -u d/dx, diagonal
  std::vector<MatrixXcd> inverse;     // of level n > 0, after elimination of the levels above; [0] is unused
  matrices::Lu<MatrixXcd> ground;

  Hierarchy(const FourierForce& force, const Particle& particle, int hermite, int modes, double centre)
      : u(std::sqrt(particle.T / particle.mass)),
        w(centre),
        L(force.L),
        zero(modes),
        up(2 * modes + 1),
        inverse(static_cast<size_t>(hermite)) {
    const Index size = up.size(), reach = static_cast<Index>(force.coefficient.size()) - 1;
    for (Index row = 0; row < size; ++row) {
      up(row) = Complex{0, -u * 2 * pi * static_cast<double>(row - zero) / L};
      for (Index k = std::max(-reach, row - size + 1); k <= std::min(reach, row); ++k) {
        const Complex f = force[k] - (k == 0 ? particle.gamma * w : 0);
        down.push_back({row, row - k, u / particle.T * f + (k == 0 ? up(row) : 0)});
      }
    }
    MatrixXcd above = MatrixXcd::Zero(size, size);  // what level n + 1 adds to level n
    for (size_t n = inverse.size() - 1; n > 0; --n) {
      check_interruption();
      above.diagonal() += w / u * up;
      above.diagonal().array() -= static_cast<double>(n) * particle.gamma / particle.mass;
      inverse[n] = matrices::Lu<MatrixXcd>(above).inverse();
      above.setZero();
      for (const auto& [row, column, value] : down) above.col(column) += value * inverse[n].col(row);
      for (Index column = 0; column < size; ++column)
        above.col(column) = -static_cast<double>(n) * up.cwiseProduct(above.col(column));
    }
    above.diagonal() += w / u * up;
    above.row(zero).setZero();  // normalisation replaces conservation of probability
    above(zero, zero) = 1;
    ground = matrices::Lu<MatrixXcd>(above);
  }
  /// c with L c = right and int c_0 dx = total; the harmonic 0 of right[0] must vanish.
  Levels solve(const Levels& right, Complex total) const {
    Levels c(inverse.size());
    VectorXcd source = right.back();
    for (size_t n = inverse.size() - 1; n > 0; --n) {
      check_interruption();
      c[n] = product(inverse[n], source);
      source = right[n - 1] - root(n) * up.cwiseProduct(c[n]);
    }
    source(zero) = total / L;
    c[0] = ground.solve(source);
    for (size_t n = 1; n < c.size(); ++n) {
      VectorXcd from_below = VectorXcd::Zero(up.size());
      for (const auto& [row, column, value] : down) from_below(row) += value * c[n - 1](column);
      c[n] -= root(n) * product(inverse[n], from_below);
    }
    return c;
  }
};

/// How doubtful a series is: its last coefficients (truncation) and its largest (rounding, if the sum is far smaller
/// than its terms), relative to their limits.
struct Doubt {
  double tail = 0, largest = 0;

  void add(const Levels& c, double scale) {
    double last = std::max(c.back().cwiseAbs().maxCoeff(), c[c.size() - 2].cwiseAbs().maxCoeff()), top = 0;
    for (const auto& level : c) {
      last = std::max({last, std::abs(level(0)), std::abs(level(level.size() - 1))});
      top = std::max(top, level.cwiseAbs().maxCoeff());
    }
    tail = worse(tail, last / (1e-7 * scale));
    largest = worse(largest, top / (1e5 * scale));
  }
  double worst() const { return worse(tail, largest); }
  static double worse(double a, double b) { return std::isfinite(a) && std::isfinite(b) ? std::max(a, b) : infinity; }
};

struct Attempt {
  InertialTransport transport;
  Doubt doubt;
};

Attempt attempt(const FourierForce& force, const Particle& particle, int hermite, int modes, double centre) {
  const Hierarchy hierarchy(force, particle, hermite, modes, centre);
  const Index zero = modes;
  const double u = hierarchy.u, L = force.L;
  const VectorXcd no_source = VectorXcd::Zero(2 * modes + 1);
  const Levels p = hierarchy.solve(Levels(static_cast<size_t>(hermite), no_source), 1);
  Doubt doubt;
  doubt.add(p, 1 / L);
  const double shift = u * L * p[1](zero).real(), v = centre + shift;
  const double v2 = centre * (v + shift) + u * u * (1 + std::sqrt(2.0) * L * p[2](zero).real());
  Levels right(p.size());
  for (size_t n = 0; n < p.size(); ++n) {
    right[n] = shift * p[n];
    if (n > 0) right[n] -= u * root(n) * p[n - 1];
    if (n + 1 < p.size()) right[n] -= u * root(n + 1) * p[n + 1];
  }
  const Levels g = hierarchy.solve(right, 0);
  const double D_eff = u * L * g[1](zero).real();
  doubt.add(g, std::max(D_eff, particle.T / particle.gamma) / (u * L));
  return {{v, v2, D_eff}, doubt};
}

}  // namespace

InertialTransport inertial_transport(const FourierForce& force, const Particle& particle, int hermite, int modes,
                                     double centre) {
  const auto [transport, doubt] = attempt(force, particle, hermite, modes, centre);
  const auto [tail, largest] = doubt;
  if (!(tail < 1)) fail("the last coefficients of the density must be < 1e-7, got {:.2g}", 1e-7 * tail);
  if (!(largest < 1)) fail("the coefficients of the density must be < 1e5, got {:.2g}", 1e5 * largest);
  return transport;
}

InertialTransport inertial_transport(const Landscape& landscape, double force, const Particle& particle) {
  struct Basis {
    int hermite, modes;
  };
  constexpr std::array<Basis, 6> ladder = {{{40, 12}, {100, 20}, {200, 28}, {400, 32}, {800, 40}, {1500, 48}}};
  FourierForce series = harmonics(landscape, 2 * ladder.back().modes, particle.T);
  series.coefficient[0] += force;
  struct Centre {
    double velocity, doubt;
  };
  std::vector<Centre> centres = {{0, 0}};
  const double drift = force / particle.gamma;
  if (std::abs(drift) > std::sqrt(particle.T / particle.mass))
    for (const double part : {0.2, 0.4, 0.6, 0.8, 1.0}) centres.push_back({part * drift, 0});
  for (const auto& [hermite, modes] : ladder) {
    for (Centre& centre : centres) {
      const auto [transport, doubt] = attempt(series, particle, hermite, modes, centre.velocity);
      centre.doubt = doubt.worst();
      if (centre.doubt < 1) return transport;
    }
    std::ranges::sort(centres, {}, &Centre::doubt);
    if (hermite > 40 && centres.size() > 2) centres.pop_back();
  }
  fail("gamma and T must be larger against the potential and the force for {} Hermite functions of v, got {} and {}",
       ladder.back().hermite, particle.gamma, particle.T);
}

}  // namespace bmsim::theory
