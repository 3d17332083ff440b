// Fractional moments of the displacement against exact laws of growth.
//
// Held to: ⟨|Δx|^q⟩ and its exponent: Brownian (q = 1/2, 1, 3), ballistic, Lévy flights
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "recorded.h"
#include "reference_noise.h"

using namespace bmsim;
using namespace bmsim::test;

TEST_CASE("fractional_moment: (4 D t)^(q/2) Gamma((q + 1)/2) / sqrt(pi) of the free Brownian particle" *
          doctest::test_suite("quick")) {
  const double D = 0.7;
  for (const double q : {0.5, 1.0, 3.0}) {
    CAPTURE(q);
    RunOptions asked = timed_run(0.01, 12, 0.1, 32768);
    asked.transient = 0.25;
    const Recorded r = record(make_model({{BM_NOISE, "gaussian", {{"D", D}}}}), asked,
                              {{"fractional_moment", {{"q", {q}}, {"count", {21}}}}});
    const std::vector<double>& t = r.array("fractional_moment_time");
    REQUIRE(t.size() == 20);
    CHECK(t[0] == doctest::Approx(0.01));
    CHECK(t[19] == doctest::Approx(9));
    for (size_t i = 0; i < t.size(); ++i) {
      CAPTURE(t[i]);
      const double exact = std::pow(4 * D * t[i], q / 2) * std::tgamma((q + 1) / 2) / std::sqrt(std::numbers::pi);
      CHECK_EXACT(r.estimate("fractional_moment", i), exact, 0.02 * exact);
    }
    CHECK_EXACT(r.column(0), 0.5, 0.003);
  }
}

TEST_CASE("fractional_moment: ballistic before the velocity is forgotten, from given times") {
  RunOptions asked = timed_run(0.002, 1, 0.1, 4096);
  const Recorded r = record(make_model({.mass = 10, .gamma = 0.01}, {{BM_NOISE, "gaussian", {{"T", 2.0}}}}), asked,
                            {{"fractional_moment", {{"q", {2}}, {"times", {0.3, 0.4, 0.6, 0.8, 1}}}}});
  const std::vector<double>& t = r.array("fractional_moment_time");
  REQUIRE(t.size() == 4);
  for (size_t i = 0; i < 4; ++i) {
    const double s = 0.01 / 10 * t[i], exact = 2 * 2.0 * 10 / (0.01 * 0.01) * (s - 1 + std::exp(-s));
    CHECK_EXACT(r.estimate("fractional_moment", i), exact, 0.03 * exact);
  }
  CHECK(t[0] == doctest::Approx(0.1));
  CHECK_NEAR(r.column(0).value, 1, 1e-3);
}

TEST_CASE("fractional_moment: t^(q/alpha) of free Levy flights, q < alpha") {
  const double alpha = 1.4, q = 0.5, sigma = 0.3;
  const Part flights{BM_NOISE, "levy", {{"alpha", alpha}, {"scale", sigma}}};
  RunOptions asked = timed_run(0.02, 20, 0.1, 65536);
  asked.transient = 0;
  const Recorded r = record(make_model({flights}), asked, {{"fractional_moment", {{"q", {q}}, {"count", {21}}}}});
  const std::vector<double>& t = r.array("fractional_moment_time");
  for (size_t i = 0; i < t.size(); ++i) {
    CAPTURE(t[i]);
    const double exact = reference::stable_moment(reference::stable_increment({alpha, 0, sigma}, t[i]), q);
    CHECK_EXACT(r.estimate("fractional_moment", i), exact, 0.02 * exact);
  }
  CHECK_EXACT(r.column(0), 1 / alpha, 0.01);
}
