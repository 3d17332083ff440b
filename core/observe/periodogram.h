// Periodograms of real series: one-sided spectral densities, by the fast Fourier transform of Eigen (KISS FFT).
#pragma once
#include <memory>
#include <span>
#include <vector>

namespace bmsim {

/// S(f) = c step / sum_j w_j^2 |sum_j w_j (z_j - centre) exp(-2 pi i f j step)|^2 at f = k / (samples step), k = 0 ...
/// samples / 2. c is 2, but 1 at both ends. Then the sum of S over f, times 1 / (samples step), is the mean square of
/// z - centre, weighted with w^2.
class Periodogram {
 public:
  enum class Taper { hann, none };  ///< w_j = sin^2(pi j / samples), or 1

  /// samples: even.
  Periodogram(size_t samples, double step, Taper window);
  ~Periodogram();
  size_t frequencies() const { return weights_.size() / 2 + 1; }
  /// Adds S of a series of `samples` numbers to the sum, of shape (frequencies).
  void add(const double* series, double centre, std::span<double> sum);

 private:
  struct Transform;
  std::vector<double> weights_;
  double share_;
  std::unique_ptr<Transform> transform_;
};

}  // namespace bmsim
