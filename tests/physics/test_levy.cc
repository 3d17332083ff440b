// Levy noise: characteristic function and moments of a free particle's displacement, the stable law in a harmonic
// potential.
//
// Held to: characteristic function for α = 1.5, 1, 0.8, β = 0 and 0.5; scaling of a fractional moment; stationary law
// in the harmonic well
#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "measures.h"
#include "reference_noise.h"

using namespace bmsim;
using namespace bmsim::test;
using reference::Stable;

namespace {

Model with(Model model, const Stable& law) {
  model.add(BM_NOISE, "levy", "");
  model.set("levy.alpha", law.alpha);
  model.set("levy.beta", law.beta);
  model.set("levy.scale", law.sigma);
  return model;
}

/// <exp(i q x)> at several q of the order of 1 / sigma.
void check_characteristic(const std::vector<double>& x, const Stable& law, double resolution) {
  for (const double turn : {0.2, 0.5, 1.0, 2.0}) {
    const double q = turn / law.sigma;
    CAPTURE(turn);
    const auto exact = reference::stable_characteristic(law, q);
    CHECK_EXACT(average(x, [&](double one) { return std::cos(q * one); }), exact.real(), resolution);
    CHECK_EXACT(average(x, [&](double one) { return std::sin(q * one); }), exact.imag(), resolution);
  }
}

/// <|x|^p> of a symmetric law, p a quarter of alpha, so that the error exists.
Estimate moment(const std::vector<double>& x, double p) {
  return average(x, [p](double one) { return std::pow(std::abs(one), p); });
}

}  // namespace

TEST_CASE("free particle: characteristic function of the stable law of scale sigma t^(1/alpha), for any step" *
          doctest::test_suite("quick")) {
  for (const double alpha : {1.5, 1.0, 0.8, 2.0})
    for (const double beta : {0.0, 0.5}) {
      if (alpha == 2 && beta != 0) continue;
      CAPTURE(alpha);
      CAPTURE(beta);
      const Stable law{alpha, beta, 0.7};
      for (const double dt : {0.5, 0.0625}) {
        CAPTURE(dt);
        const Sample run = sample(with(make_model({}), law), timed_run(dt, 1.5, 0, 393216));
        check_characteristic(displacements(run), reference::stable_increment(law, 1.5), 0.0015);
      }
    }
}

TEST_CASE("free particle: fractional moments grow as t^(p/alpha), and are those of the law") {
  for (const double alpha : {1.5, 1.0, 0.8}) {
    CAPTURE(alpha);
    const double p = alpha / 4, early = 0.5, late = 8;
    const Stable law{alpha, 0, 0.7};
    Estimate at[2];
    int i = 0;
    for (const double time : {early, late}) {
      RunOptions run = timed_run(0.125, time, 0, 393216);
      run.seed = 2 + static_cast<uint64_t>(i);  // the two are independent
      at[i] = moment(displacements(sample(with(make_model({}), law), run)), p);
      const double exact = reference::stable_moment(reference::stable_increment(law, time), p);
      CHECK_EXACT(at[i], exact, 0.001 * exact);
      ++i;
    }
    const double logs = p * std::log(late / early);
    const Estimate exponent{std::log(at[1].value / at[0].value) / logs,
                            std::hypot(at[0].error / at[0].value, at[1].error / at[1].value) / logs};
    CHECK_EXACT(exponent, 1 / alpha, 0.002);
  }
}

TEST_CASE("free particle: as many displacements beyond x as the stable law has, far out in its tail") {
  const Stable law{1.5, 0, 1};
  const Sample run = sample(with(make_model({}), law), timed_run(0.25, 1, 0, 786432));
  for (const double x : {3.0, 30.0}) {
    const double exact = reference::stable_tail(law, x);
    CHECK_EXACT(average(displacements(run), [x](double one) { return std::abs(one) > x ? 1.0 : 0.0; }), exact,
                0.05 * exact);
  }
}

TEST_CASE("harmonic potential: the stationary law is stable, with scale sigma / (alpha k)^(1/alpha)") {
  const double k = 1.4;
  for (const auto& [alpha, beta] : {std::pair{1.5, 0.0}, {1.5, 0.5}, {1.0, 0.0}, {0.8, 0.5}}) {
    CAPTURE(alpha);
    CAPTURE(beta);
    const Stable law{alpha, beta, 0.6};
    const Model model = with(make_model({{BM_POTENTIAL, "harmonic", {{"k", k}}}}), law);
    const Sample run = sample(model, timed_run(0.02, 6, 0, 196608));
    check_characteristic(run.end, reference::stable_harmonic(k, law), 0.002);
  }
}

TEST_CASE("Levy noise next to thermal and Poissonian noise: the characteristic functions multiply") {
  const Stable law{1.2, 0, 0.5};
  const Model model = with(make_model({{BM_NOISE, "gaussian", {{"D", 0.3}}},
                                       {BM_NOISE, "poisson", {{"lambda", 2}, {"zeta", 0.5}}, "kicks"}}),
                           law);
  const Sample run = sample(model, timed_run(0.1, 1, 0, 393216));
  const double q = 1.5;
  const auto jumps = 2.0 * (1.0 / std::complex(1.0, -q * 0.5) - std::complex(1.0, q * 0.5));
  const auto exact = reference::stable_characteristic(law, q) * std::exp(jumps - 0.3 * q * q);
  CHECK_EXACT(average(displacements(run), [&](double x) { return std::cos(q * x); }), exact.real(), 0.0015);
  CHECK_EXACT(average(displacements(run), [&](double x) { return std::sin(q * x); }), exact.imag(), 0.0015);
}
