// Stationary periodic master equations for a force that is constant on pieces, free of discretisation. With the flux J
// and exponential kicks (int rho(z) p(x - z) dz solves an equation of first order) they are linear systems
//   Poissonian:   D_G p' = f p - g - J,  zeta g' = D p' - g
//   dichotomous:  D_G p_G' = (f + G) p_G - j_G,  j_b' = mu_a p_a - mu_b p_b = -j_a',  j_a + j_b = J
// with constant coefficients on each piece. All quantities are continuous where f jumps. Pieces are cut into parts so
// short that their matrix exponential is harmless; the parts are matched in one sparse system (multiple shooting).
#include <cmath>
#include <stdexcept>

#include "exponential.h"
#include "matrices.h"
#include "reference.h"
#include "reference_ratchets.h"

namespace bmsim::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

/// y' = generator y over `width`; the last two components of y are J and the probability passed since the start.
struct Piece {
  MatrixXd generator;
  double width;
};

/// The flux J of the periodic solution with total probability 1.
double periodic_flux(const std::vector<Piece>& pieces) {
  const Index states = pieces.front().generator.rows() - 2, flux = states, probability = states + 1;
  std::vector<MatrixXd> steps;
  for (const auto& [generator, width] : pieces) {
    const double parts = std::ceil(generator.cwiseAbs().rowwise().sum().maxCoeff() * width / 4);
    if (!(parts < 1e5))
      throw std::invalid_argument("master equation: layers too thin for exact pieces (small D_G or zeta)");
    const MatrixXd step = exponential(MatrixXd(generator * (width / parts)));
    steps.insert(steps.end(), static_cast<size_t>(parts), step);
  }
  const auto nodes = static_cast<Index>(steps.size());
  const Index J = nodes * states;  // the last unknown; the last equation is normalisation
  std::vector<matrices::Entry> entries;
  for (Index node = 0; node < nodes; ++node) {
    const MatrixXd& step = steps[static_cast<size_t>(node)];
    const Index here = node * states, next = (node + 1) % nodes * states;
    for (Index row = 0; row < states; ++row) {
      entries.push_back({here + row, next + row, 1});
      for (Index column = 0; column < states; ++column) {
        entries.push_back({here + row, here + column, -step(row, column)});
      }
      entries.push_back({here + row, J, -step(row, flux)});
      entries.push_back({J, here + row, step(probability, row)});
    }
    entries.push_back({J, J, step(probability, flux)});
  }
  return matrices::sparsely_solved(entries, VectorXcd::Unit(J + 1, J))(J).real();
}

/// Velocity L J for the generator that belongs to each slope -V'.
template <class Generator> double velocity(const PiecewiseLinear& potential, const Generator& generator) {
  const auto& [L, V0, k] = potential;
  return L * periodic_flux(
                 {{generator(potential.rising_force()), k * L}, {generator(potential.falling_force()), (1 - k) * L}});
}

/// Two states of forces f_a and f_b between which `noise` flips.
MatrixXd two_states(double f_a, double f_b, const DichotomousNoise& noise, double D) {
  enum { p_a, p_b, j_b, J, probability, size };
  MatrixXd generator = MatrixXd::Zero(size, size);
  generator.row(p_a) << f_a / D, 0, 1 / D, -1 / D, 0;
  generator.row(p_b) << 0, f_b / D, -1 / D, 0, 0;
  generator.row(j_b) << noise.mu_a, -noise.mu_b, 0, 0, 0;
  generator(probability, p_a) = generator(probability, p_b) = 1;
  return generator;
}

void check(double D_G) {
  if (!(D_G > 0)) throw std::invalid_argument("master equation: D_G must be > 0, got " + std::to_string(D_G));
}

}  // namespace

double master_velocity(const PiecewiseLinear& potential, const PoissonNoise& noise, double D_G, double F) {
  check(D_G);
  return velocity(potential, [&](double slope) {
    enum { p, g, J, probability, size };
    MatrixXd generator = MatrixXd::Zero(size, size);
    generator.row(p) << (slope + F) / D_G, -1 / D_G, -1 / D_G, 0;
    generator.row(g) = noise.D / noise.zeta() * generator.row(p);
    generator(g, g) -= 1 / noise.zeta();
    generator(probability, p) = 1;
    return generator;
  });
}

double master_velocity(const PiecewiseLinear& potential, const DichotomousNoise& noise, double D_G, double F) {
  check(D_G);
  return velocity(potential,
                  [&](double slope) { return two_states(slope + F - noise.Fa, slope + F + noise.Fb, noise, D_G); });
}

double flashing_velocity(const PiecewiseLinear& potential, const DichotomousNoise& noise, double F, double D) {
  check(D);
  return velocity(potential, [&](double slope) {
    return two_states(slope * (1 - noise.Fa) + F, slope * (1 + noise.Fb) + F, noise, D);
  });
}

}  // namespace bmsim::reference
