// The founding paper's algorithms to the letter, `method = "paper"`: they give the paper's numbers, with the paper's
// errors.
#include <doctest/doctest.h>

#include <cmath>

#include "ensemble.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

Estimate paper_velocity(const Model& model, double spp) {
  RunOptions run = options();
  run.paths = 24576;
  run.periods = 1000;
  run.spp = spp;
  run.method = "paper";
  return sample(model, run).velocity;
}

/// The relative error of the Poissonian current, and what the paper says of it.
void check_lowered(double spp, double low) {
  const Model model =
      make_model({{BM_POTENTIAL, "piecewise_linear", {}}, {BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}});
  const double exact = reference::poisson_velocity(1, 2.5);
  const Estimate v = paper_velocity(model, spp);
  CAPTURE(spp);
  // the last digit of the published error, and four standard errors
  CHECK_NEAR(1 - v.value / exact, low, 0.03 * low + 4 * v.error / exact);
}

}  // namespace

TEST_CASE("rounded waiting times lower the Poissonian current by 6.6 % and 25 % at spp 100 and 25" *
          doctest::test_suite("quick")) {
  check_lowered(100, 0.066);
  check_lowered(25, 0.25);
}
TEST_CASE("rounded waiting times lower the Poissonian current by 1.6 % at spp 400") { check_lowered(400, 0.016); }

TEST_CASE("without events the literal algorithm is the three-evaluation scheme" * doctest::test_suite("quick")) {
  const Model model = make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", 0.5}}}}, 2);
  RunOptions run = options();
  run.paths = 960;
  run.dt = 0.004;
  run.time = 4;
  run.precision = "double";
  run.increments = "three_point";
  run.method = "paper";
  const Sample paper = sample(model, run);
  run.method = "platen";
  const Sample platen = sample(model, run);
  for (size_t i = 0; i < paper.end.size(); ++i) REQUIRE(paper.end[i] == doctest::Approx(platen.end[i]).epsilon(1e-9));
}
