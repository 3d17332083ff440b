#include "theory/plane_waves.h"

#include <cmath>
#include <random>

#include "error.h"
#include "interruption.h"
#include "numbers.h"

namespace bmsim::theory {

namespace {

constexpr Index most_places = 512;
constexpr double negligible = 1e-13;  // harmonic, over the largest value

/// The number from -n/2 to n/2 - 1 that is i modulo n.
Index unwrapped(Index i, Index n) { return i < n / 2 ? i : i - n; }

std::array<double, fields> numbers(const TorusMotion::Local& local) {
  return {local.drift_x, local.drift_y, local.D_xx, local.D_xy, local.D_yy};
}

}  // namespace

void transform(MatrixXcd& f, bool to_places) {
  matrices::Fourier fourier;
  VectorXcd in, out;
  for (int pass = 0; pass < 2; ++pass) {
    for (Index i = 0; i < f.cols(); ++i) {
      in = f.col(i);
      if (to_places)
        fourier.backward(in, out);
      else
        fourier.forward(in, out);
      f.col(i) = out;
    }
    f.transposeInPlace();
  }
}

void PlaneWaves::sample(const TorusMotion& motion, Index n) {
  for (MatrixXcd& field : f) field.resize(n, n);
  largest.fill(0);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      check_interruption();
      const double x = length[0] * static_cast<double>(unwrapped(i, n)) / static_cast<double>(n),
                   y = length[1] * static_cast<double>(unwrapped(j, n)) / static_cast<double>(n);
      const TorusMotion::Local local = motion.at(x, y);
      const auto values = numbers(local);
      for (size_t k = 0; k < fields; ++k) {
        if (!std::isfinite(values[k])) fail("forces must be finite, got {} at {:.4g}, {:.4g}", values[k], x, y);
        f[k](i, j) = values[k];
        double& most = largest[k < D_xx ? drift_x : D_xx];
        most = std::max(most, std::abs(values[k]));
      }
      const double least = std::min(local.D_xx, local.D_yy), area = local.D_xx * local.D_yy;
      if (!(least > 0 && area - local.D_xy * local.D_xy > 1e-12 * area))
        fail(
            "noise must act on both variables, in all directions, everywhere, got D = {:.4g}, {:.4g}, {:.4g} at "
            "{:.4g}, {:.4g}",
            local.D_xx, local.D_xy, local.D_yy, x, y);
    }
  for (MatrixXcd& field : f) {
    transform(field, false);
    field /= static_cast<double>(n * n);
  }
  reach = 0;
  for (size_t k = 0; k < fields; ++k)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        if (std::abs(f[k](i, j)) > negligible * largest[k < D_xx ? drift_x : D_xx])
          reach = std::max({reach, std::abs(unwrapped(i, n)), std::abs(unwrapped(j, n))});
        else
          f[k](i, j) = 0;
}

/// Whether the harmonics also give the right values between the places.
bool PlaneWaves::resolved(const TorusMotion& motion) const {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (int trial = 0; trial < 24; ++trial) {
    check_interruption();
    const double u = uniform(random), w = uniform(random);
    const auto exact = numbers(motion.at(u * length[0], w * length[1]));
    for (size_t k = 0; k < fields; ++k) {
      Complex sum = 0;
      for (Index j = 0; j < places(); ++j)
        for (Index i = 0; i < places(); ++i)
          if (f[k](i, j) != 0.0)
            sum += f[k](i, j) * std::polar(1.0, 2 * pi *
                                                    (static_cast<double>(unwrapped(i, places())) * u +
                                                     static_cast<double>(unwrapped(j, places())) * w));
      if (!(std::abs(sum - exact[k]) <= 1e-10 * largest[k < D_xx ? drift_x : D_xx])) return false;
    }
  }
  return true;
}

PlaneWaves::PlaneWaves(const TorusMotion& motion) : length(motion.length) {
  for (Index n = 64; n <= most_places; n *= 2) {
    sample(motion, n);
    if (resolved(motion)) return;
  }
  fail("forces and amplitudes must be smooth and periodic, got what {} harmonics do not resolve", most_places / 2);
}

}  // namespace bmsim::theory
