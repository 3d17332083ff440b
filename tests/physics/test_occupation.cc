// Densities of method exact, which are times in bins: against closed forms, and against densities of positions at one
// time.
#include <doctest/doctest.h>

#include <cmath>

#include "exact_cases.h"
#include "recorded.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

std::vector<ObservableRequest> density(size_t bins) { return {{"density", {{"bins", {static_cast<double>(bins)}}}}}; }

}  // namespace

TEST_CASE("occupation: the density under Poissonian noise" * doctest::test_suite("quick")) {
  const double D = 1, a = 2.5, L = 2;
  const size_t bins = 16;
  const Recorded r = record(poissonian(ramp, D, a), exactly(49152, 500), density(bins));
  // The flux h = c p of the motion between kicks obeys h' = -k h + J/zeta on a piece, k = lambda/c + 1/zeta; see
  // theory/pieces.h.
  const double zeta = D / a, rate = a * a / D, c[2] = {1.0 * -1 - a, 1 - a};  // V rises, then falls: force -1, then 1
  double k[2], level[2], decay[2], amplitude[2];
  for (int i = 0; i < 2; ++i) {
    k[i] = rate / c[i] + 1 / zeta;
    level[i] = reference::poisson_velocity(D, a) / L / (zeta * k[i]);
    decay[i] = std::exp(-k[i] * L / 2);
  }
  // h = level + amplitude exp(-k (x - left)) is the same on both sides of both edges.
  amplitude[0] = (level[1] - level[0]) * (1 - decay[1]) / (1 - decay[0] * decay[1]);
  amplitude[1] = level[0] - level[1] + amplitude[0] * decay[0];
  for (size_t bin = 0; bin < bins; ++bin) {
    CAPTURE(bin);
    const size_t i = bin < bins / 2 ? 0 : 1;
    const double width = L / bins, left = width * static_cast<double>(bin - i * bins / 2);
    const double mean = level[i] + amplitude[i] * std::exp(-k[i] * left) * -std::expm1(-k[i] * width) / (k[i] * width);
    CHECK_EXACT(r.estimate("density", bin), mean / c[i], 0.0006);
  }
}

TEST_CASE("occupation: the density of what runs through whole periods is the slowness, and rests are where they are") {
  const double F = 2.3, period = 1 / (F - 1) + 1 / (F + 1);
  for (const char* precision : {"single", "double"})
    for (const double sign : {1.0, -1.0}) {
      RunOptions run = timed_run(period / 1000, 50 * period, 0, 100);
      run.method = "exact";
      run.precision = precision;
      const size_t bins = 13;  // the middle one has both slopes
      const Recorded r = record(make_model({ramp, nothing}, sign * F), run, density(bins));
      for (size_t bin = 0; bin < bins; ++bin) {
        const double left = 1 / (F - sign) / period, right = 1 / (F + sign) / period;
        const double p = bin < bins / 2 ? left : bin > bins / 2 ? right : (left + right) / 2;
        CHECK(r.array("density")[bin] == doctest::Approx(p).epsilon(1e-5));
      }
    }
  const Recorded r = record(dichotomous(skewed, 0.2, 0.3, 0.2), exactly(1000, 500), density(11));
  for (size_t bin = 0; bin < 11; ++bin)  // the minimum is at -0.3 periods
    CHECK(r.array("density")[bin] == doctest::Approx(bin == 2 ? 11 / 1.5 : 0).epsilon(1e-6));
}

TEST_CASE("occupation: densities from times in bins and from places at one time agree") {
  const Model model = make_model({stairs, kicks, flips, three}, 0.2);
  const std::vector<ObservableRequest> at_once = {{"density", {{"bins", {37}}, {"times", {12}}}}};
  RunOptions run = timed_run(0.01, 12, 0.5, 393216);
  run.method = "exact";
  const Recorded recorded = record(model, run, at_once);
  run.seed = 2;
  run.paths = 49152;
  const Recorded timed = record(model, run, density(37));
  for (size_t bin = 0; bin < 37; ++bin) {
    CAPTURE(bin);
    CHECK_EXACT(difference(timed.estimate("density", bin), recorded.estimate("density", bin)), 0, 0.008);
  }
}
