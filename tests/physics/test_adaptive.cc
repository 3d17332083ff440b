// Method adaptive gives the right values where steps of the same dt throughout are far off, and steps that depend on
// the place cause no bias.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "measures.h"
#include "observed.h"
#include "reference.h"
#include "reference_detail.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part heat{BM_NOISE, "gaussian", {{"D", 0.2}}};
const Part saw{
    BM_POTENTIAL, "piecewise_linear", {{"L", 1.0}, {"V0", 1.0}, {"k", 0.95}}};  // falls within 0.05: force 20
const Part kicks{BM_NOISE, "poisson", {{"D", 0.5}, {"a", 2.0}}};
/// 1 + f is 0 in all but a millionth of the time, the potential is felt by nobody: but steps are chosen as if it was.
const Part nowhere{BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 0.0}, {"mu_a", 1e-7}, {"mu_b", 1.0}}, "off", {},
                   {},       true};

RunOptions adaptive(RunOptions run, double local_error = 0.001) {
  run.method = "adaptive";
  run.local_error = local_error;
  return run;
}
RunOptions heun(RunOptions run) {
  run.method = "heun";
  return run;
}

}  // namespace

TEST_CASE("adaptive: current over a steep sawtooth against Stratonovich's, at a dt where heun's has the wrong sign" *
          doctest::test_suite("quick")) {
  const Model model = make_model({saw, heat}, 0.5);
  const double exact = theory_of("stratonovich", model).at(0);
  const RunOptions run = timed_run(0.02, 50, 0.1, 12288);
  const Sample whole = sample(model, heun(run));
  CHECK(whole.velocity.value < 0);
  CHECK(std::abs(deviation(whole.velocity, exact)) > 10);
  const Sample parts = sample(model, adaptive(run));
  CHECK_EXACT(parts.velocity, exact, 0.0006);
}

TEST_CASE("adaptive: Boltzmann density in a quartic well in which heun diverges at the same dt") {
  Model model =
      make_model({{BM_POTENTIAL, "double_well", {{"V0", 6.0}, {"x0", 1.0}}}, {BM_NOISE, "gaussian", {{"D", 2.0}}}});
  RunOptions run = timed_run(0.1, 6, 0, 49152);
  run.starts["x"] = StartLaw{0, 1, 0, 0};
  CHECK(!sample(model, heun(run)).outcome.diverged.empty());
  const Sample end = sample(model, adaptive(run, 0.003));
  CHECK(end.outcome.diverged.empty());
  const auto weight = [](double x) { return std::exp(-3 * (x * x - 1) * (x * x - 1)); };
  const auto moment = [&](auto f) {
    return reference::integrate(-4, 4, 64, [&](double x) { return f(x) * weight(x); }) /
           reference::integrate(-4, 4, 64, weight);
  };
  const auto square = [](double x) { return x * x; };
  const auto fourth = [](double x) { return x * x * x * x; };
  const auto beyond = [](double x) { return std::abs(x) > 1.25 ? 1.0 : 0.0; };
  CHECK_EXACT(average(end.end, square), moment(square), 0.003);
  CHECK_EXACT(average(end.end, fourth), moment(fourth), 0.006);
  const double outside = 2 * reference::integrate(1.25, 4, 64, weight) / reference::integrate(-4, 4, 64, weight);
  CHECK_EXACT(average(end.end, beyond), outside, 0.002);
}

TEST_CASE("adaptive: far out in a quartic well it comes back in steps as short as that takes") {
  Model model = make_model({{BM_POTENTIAL, "double_well", {{"a", 1.0}, {"b", 1.0}}}});
  RunOptions run = timed_run(0.1, 0.5, 0, 16);
  run.starts["x"] = StartLaw{30, 0, 0, 0};
  run.precision = "double";
  const Sample back = sample(model, adaptive(run, 1e-4));
  const double E = std::exp(2 * 0.5);  // of dx/dt = x - x^3
  CHECK(back.end[0] == doctest::Approx(std::sqrt(E / (E - 1 + 1.0 / 900))).epsilon(1e-3));
}

TEST_CASE("adaptive: kicks and heat together on the sawtooth, against the master equation") {
  const Model model = make_model({saw, kicks, heat}, 0.2);
  const double exact =
      reference::master_velocity(reference::PiecewiseLinear{1, 1, 0.95}, reference::PoissonNoise{0.5, 2}, 0.2, 0.2);
  const RunOptions run = timed_run(0.02, 50, 0.1, 12288);
  CHECK(std::abs(deviation(sample(model, heun(run)).velocity, exact)) > 10);
  CHECK_EXACT(sample(model, adaptive(run)).velocity, exact, 0.0015);
}

TEST_CASE("adaptive: a free particle's displacement keeps its exact law while steps vary with the place") {
  for (const char* precision : {"single", "double"}) {
    CAPTURE(precision);
    RunOptions run = adaptive(timed_run(0.02, 2, 0.25, precision == std::string("single") ? 65536 : 24576));
    run.precision = precision;
    const Sample free = sample(make_model({saw, nowhere, heat}, 0.3), run);
    CHECK(free.duration == doctest::Approx(1.5));
    const BatchedCumulants k = cumulants(displacements(free));
    const double variance = 2 * 0.2 * free.duration;
    CHECK_EXACT(k.mean, 0.3 * free.duration, 0.006);
    CHECK_EXACT(k.variance, variance, 0.008);
    CHECK_EXACT(k.third, 0, 0.015);
    CHECK_EXACT(k.fourth, 0, 0.03);
  }
}

TEST_CASE("adaptive: levels are met in time by steps of any length; mean exit time of a free particle") {
  const double b = 0.4;
  RunOptions run = adaptive(timed_run(0.002, 4, 0, 49152));
  const Observed r = observe(make_model({saw, nowhere, heat}), run,
                             {{"first_passage", {{"from", {0}}, {"to", {-b, b}}, {"bins", {10}}}}});
  CHECK_EXACT(r.column("mean_first_passage_time"), b * b / (2 * 0.2), 0.003);
}

TEST_CASE("adaptive: coloured noise and a drive, as in short steps") {
  const Model model = make_model({{BM_POTENTIAL, "sine", {{"L", 1.0}}},
                                  {BM_NOISE, "gaussian", {{"D", 0.1}}},
                                  {BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 2.0}, {"tau", 0.4}}},
                                  {BM_DRIVE, "cosine", {{"amplitude", 3.0}, {"omega", 4.0}}}},
                                 3);
  RunOptions run = timed_run(0.02, 40, 0.1, 12288), fine = heun(run);
  fine.dt = 0.001;
  run.seed = 2;
  const Estimate off = difference(sample(model, adaptive(run)).velocity, sample(model, fine).velocity);
  CHECK_EXACT(off, 0, 0.008);
}

TEST_CASE("adaptive: the Lyapunov exponent of the sine is -<V''>, though steps are short where V'' is large") {
  const double D = 0.3, pi = std::numbers::pi;
  const double exact = -4 * pi * pi * std::cyl_bessel_i(1, 1 / D) / std::cyl_bessel_i(0, 1 / D);
  const Model model = make_model({{BM_POTENTIAL, "sine", {{"L", 1.0}}}, {BM_NOISE, "gaussian", {{"D", D}}}});
  const RunOptions run = adaptive(timed_run(0.02, 20, 0.1, 12288));
  CHECK_EXACT(observe(model, run, {"lyapunov"}).column("lyapunov"), exact, 0.03);
}
