// The device texts of formulas, compiled in the kernel dialect, against the formulas in double on the host. Compiled
// once per precision: BM_REAL is float or double.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "special.h"

namespace bmsim_kernel {
#include "formula_texts.h"
}  // namespace bmsim_kernel
namespace device = bmsim_kernel;

namespace {

using device::points;
using device::real;
using device::WIDTH;
using Lanes = device::Lanes<1>;

// Largest error at all points, on lanes and on one number, of f that takes u and the phases.
template <class Formula, class F> double worst(F f, const double (&wanted)[points]) {
  double largest = 0, scale = 1;
  for (const double one : wanted) scale = std::max(scale, std::fabs(one));
  for (int first = 0; first < points; first += WIDTH) {
    Lanes u(0), phase[Formula::phases + 1];
    for (int l = 0; l < WIDTH; ++l) {
      u.v[0][l] = (real)Formula::u[first + l];
      for (int j = 0; j < Formula::phases; ++j) phase[j].v[0][l] = (real)Formula::phase[j][first + l];
    }
    const Lanes got = f(u, phase);
    for (int l = 0; l < WIDTH; ++l) {
      real own[Formula::phases + 1];
      for (int j = 0; j < Formula::phases; ++j) own[j] = phase[j].v[0][l];
      const double error = std::fabs(got.v[0][l] - wanted[first + l]) / scale;
      const double error_of_one = std::fabs(f((real)u.v[0][l], own) - wanted[first + l]) / scale;
      if (!(error <= largest)) largest = error;  // NaN too
      if (!(error_of_one <= largest)) largest = error_of_one;
    }
  }
  return largest;
}

template <class Formula> void check_formula() {
  const typename Formula::P p;
  // Rounding of u and the phases, times what they are multiplied by.
  const double bound = device::SINGLE ? 2e-5 : 1e-13;
  INFO(std::string(Formula::text));
  CHECK(worst<Formula>([&](auto u, const auto* phase) { return Formula::force(u, phase, p); }, Formula::wanted_force) <
        bound);
  CHECK(worst<Formula>([&](auto u, const auto* phase) { return Formula::energy(u, phase, p); },
                       Formula::wanted_energy) < bound);
}

}  // namespace

TEST_CASE("Formulas: the device's text gives what the formula gives") {
#define CHECK_FORMULA(Formula) check_formula<device::Formula>();
  FORMULAS(CHECK_FORMULA)
}
