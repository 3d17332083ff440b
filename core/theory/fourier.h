// Harmonics of a periodic force.
#pragma once
#include <complex>
#include <vector>

#include "theory/landscape.h"

namespace bmsim::theory {

/// f(x) = sum_k f_k exp(2 pi i k x / L); [k] is f_k for 0 <= k < size (f is real), and 0 beyond.
struct FourierForce {
  double L;
  std::vector<std::complex<double>> coefficient;
  std::complex<double> operator[](long k) const {
    const auto n = static_cast<size_t>(k < 0 ? -k : k);
    if (n >= coefficient.size()) return 0;
    return k < 0 ? std::conj(coefficient[n]) : coefficient[n];
  }
};

/// Harmonics of -V' up to number `most`, by quadrature, without the negligible ones at the end. Their errors are below
/// 1e-12 of the largest. Structure of V matters if it is of the size of `energy`. Throws Error if the force cannot be
/// resolved.
FourierForce harmonics(const Landscape& landscape, int most, double energy);

}  // namespace bmsim::theory
