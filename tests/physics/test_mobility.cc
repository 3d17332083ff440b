// Absolute negative mobility: an inertial, driven particle in a symmetric potential moves against a small bias.
// L. Machura, M. Kostur, P. Talkner, J. Luczka, P. Haenggi, PRL 98, 040601 (2007):
//   x'' + gamma x' = -V'(x) + a cos(omega t) + f + sqrt(2 gamma D) xi(t),  V = sin 2 pi x
#include <doctest/doctest.h>

#include <cmath>

#include "measures.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// At the paper's numbers; D is the temperature. A quarter of 2000 periods of the drive is transient.
Estimate velocity(double f, const char* method = "auto", double spp = 200) {
  const Model model = make_model(Inertial{1, 0.9, f}, {{BM_POTENTIAL, "sine", {}},
                                                       {BM_NOISE, "gaussian", {{"T", 0.001}}},
                                                       {BM_DRIVE, "cosine", {{"amplitude", 4.2}, {"omega", 4.9}}}});
  RunOptions run = options();
  run.paths = 3072;
  run.periods = 2000;
  run.spp = spp;
  run.transient = 0.25;
  run.start_x = StartLaw{0, 1, 0, 0};
  run.start_v = StartLaw{0, 4, 0, 0};
  run.random_phases = true;
  run.method = method;
  return sample(model, run).velocity;
}

/// Their sum, in standard errors.
double imbalance(const Estimate& a, const Estimate& b) { return (a.value + b.value) / std::hypot(a.error, b.error); }

}  // namespace

TEST_CASE("absolute negative mobility: <v> opposes a small force by more than 4 standard errors, either way") {
  for (const double f : {0.05, 0.1}) {
    const Estimate right = velocity(f), left = velocity(-f);
    MESSAGE("f = ", f, ": <v> = ", right.value, " +- ", right.error, ", at -f ", left.value, " +- ", left.error);
    CHECK(right.value < -4 * right.error);
    CHECK(left.value > 4 * left.error);
    CHECK(std::abs(imbalance(right, left)) < 4);
  }
}

TEST_CASE("absolute negative mobility does not depend on the integrator, nor on the step") {
  const Estimate aboba = velocity(0.1), heun = velocity(-0.1, "heun", 400), fine = velocity(-0.1, "aboba", 400);
  CHECK(aboba.error < 0.03 * std::abs(aboba.value));
  CHECK(std::abs(imbalance(aboba, heun)) < 4);
  CHECK(std::abs(imbalance(aboba, fine)) < 4);
}

TEST_CASE("without a bias there is no current, and a large one is followed") {
  CHECK_EXACT(velocity(0), 0, 0.0005);
  const Estimate pushed = velocity(0.3);
  CHECK(pushed.value > 4 * pushed.error);
}
