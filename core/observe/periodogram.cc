#include "observe/periodogram.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace bmsim {

struct Periodogram::Transform {
  explicit Transform(size_t samples) : in(samples) { fft.SetFlag(Eigen::FFT<double>::HalfSpectrum); }
  Eigen::FFT<double> fft;
  std::vector<double> in;
  std::vector<std::complex<double>> out;
};

Periodogram::Periodogram(size_t samples, double step, Taper window)
    : weights_(samples, 1.0), transform_(std::make_unique<Transform>(samples)) {
  double squares = 0;
  for (size_t j = 0; j < samples; ++j) {
    const double s = std::sin(std::numbers::pi * static_cast<double>(j) / static_cast<double>(samples));
    if (window == Taper::hann) weights_[j] = s * s;
    squares += weights_[j] * weights_[j];
  }
  share_ = 2 * step / squares;
}

Periodogram::~Periodogram() = default;

void Periodogram::add(const double* series, double centre, std::span<double> sum) {
  for (size_t j = 0; j < weights_.size(); ++j) transform_->in[j] = weights_[j] * (series[j] - centre);
  transform_->fft.fwd(transform_->out, transform_->in);
  for (size_t k = 0; k < frequencies(); ++k) {
    const bool end = k == 0 || k + 1 == frequencies();
    sum[k] += share_ * (end ? 0.5 : 1.0) * std::norm(transform_->out[k]);
  }
}

}  // namespace bmsim
