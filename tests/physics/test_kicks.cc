// White Poissonian noise, every law of its jumps: cumulants of a free particle's displacement, of the stationary state
// in a harmonic potential, and of an inertial particle's velocity.
//
// Held to: first four cumulants under shot noise of each of the five laws of amplitudes, over- and underdamped
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "measures.h"
#include "reference_inertial.h"

using namespace bmsim;
using namespace bmsim::test;
using reference::KickLaw;
using reference::ShotNoise;

namespace {

struct Law {
  const char* word;
  double lambda, zeta;
  KickLaw kick;
};

constexpr double sigma = 0.6;  // of law gaussian

const Law laws[] = {{"exponential", 3, 0.5, KickLaw::exponential(0.5)},
                    {"constant", 2.5, -0.7, KickLaw::constant(-0.7)},
                    {"gaussian", 2, 0.4, KickLaw::gaussian(0.4, sigma)},
                    {"two_sided", 3, 0.5, KickLaw::two_sided_exponential(0.5)},
                    {"uniform", 2, 0.7, KickLaw::uniform(0.7)}};

/// `model` with the noise of that law.
Model with(Model model, const Law& law, bool compensated = true) {
  model.add(BM_NOISE, "poisson", "");
  model.set("poisson.lambda", law.lambda);
  model.set("poisson.zeta", law.zeta);
  model.set_choice("poisson.law", law.word);
  if (std::string(law.word) == "gaussian") model.set("poisson.sigma", sigma);
  model.set("poisson.compensated", compensated ? 1 : 0);
  return model;
}

/// Resolutions in units of the exact cumulant, or of the power of the deviation where that is 0.
void check_cumulants(const BatchedCumulants& found, const reference::Cumulants& exact) {
  const double s = std::sqrt(exact.variance);
  CHECK_EXACT(found.mean, exact.mean, 0.003 * s);
  CHECK_EXACT(found.variance, exact.variance, 0.006 * exact.variance);
  CHECK_EXACT(found.third, exact.third, 0.03 * s * s * s);
  CHECK_EXACT(found.fourth, exact.fourth, 0.2 * s * s * s * s);
}

}  // namespace

TEST_CASE("free particle: four cumulants lambda t <z^n> of the displacement for every law of the jumps") {
  for (const Law& law : laws)
    for (const bool compensated : {true, false}) {
      CAPTURE(std::string(law.word));
      CAPTURE(compensated);
      const Sample run = sample(with(make_model({}), law, compensated), timed_run(0.02, 2, 0.25, 589824));
      check_cumulants(cumulants(displacements(run)), reference::free_shots({law.lambda, law.kick, compensated}, 1.5));
    }
}

TEST_CASE("free particle, jumps at exact times: the same cumulants with a step in which six of them fall" *
          doctest::test_suite("quick")) {
  const Law& law = laws[2];
  RunOptions run = timed_run(3, 6, 0, 589824);
  check_cumulants(cumulants(displacements(sample(with(make_model({}), law), run))),
                  reference::free_shots({law.lambda, law.kick}, 6));
}

TEST_CASE("harmonic potential: stationary cumulants lambda <z^n> / (n k) for every law of the jumps") {
  const double k = 1.5;
  for (const Law& law : laws) {
    CAPTURE(std::string(law.word));
    RunOptions run = timed_run(0.02, 4, 0, 393216);
    run.starts["x"] = StartLaw{0, 0, std::sqrt(reference::harmonic_shots(k, {law.lambda, law.kick}).variance), 0};
    const Model model = with(make_model({{BM_POTENTIAL, "harmonic", {{"k", k}}}}), law);
    check_cumulants(cumulants(sample(model, run).end), reference::harmonic_shots(k, {law.lambda, law.kick}));
  }
}

TEST_CASE("inertial particle: stationary cumulants lambda <z^n> / (n gamma m^(n-1)) of v for every law of the kicks") {
  const reference::Particle particle{0.8, 1.2, 0};
  for (const Law& law : laws) {
    CAPTURE(std::string(law.word));
    const Model model = with(make_model(Inertial{particle.m, particle.gamma}, {}), law);
    const Sample run = sample(model, timed_run(0.1, 10, 0.5, 786432));
    check_cumulants(cumulants(run.speed), reference::free_inertial_shots(particle, {law.lambda, law.kick}));
  }
}
