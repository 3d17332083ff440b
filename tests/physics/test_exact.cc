// Method exact: against closed forms, against steps, and that time steps do not matter to it.
//
// Held to: `method = "exact"` against closed forms, master equations and `heun`: any number of pieces, forces, rests,
// sums of noises, densities, levels; dt does not matter
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "exact_cases.h"
#include "measures.h"
#include "observed.h"
#include "recorded.h"
#include "reference.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

TEST_CASE("exact: Poissonian currents, with any D and a" * doctest::test_suite("quick")) {
  for (const auto& [D, a, paths] : {std::tuple{0.1, 2.5, 98304},
                                    {0.3, 2.5, 49152},
                                    {1.0, 2.5, 49152},
                                    {3.0, 2.5, 49152},
                                    {10.0, 2.5, 98304},
                                    {0.3, 1.5, 24576},
                                    {1.0, 1.5, 24576},
                                    {3.0, 1.02, 49152}}) {
    CAPTURE(D);
    CAPTURE(a);
    CHECK_EXACT(sample(poissonian(ramp, D, a), exactly(static_cast<uint64_t>(paths), 2000)).velocity,
                reference::poisson_velocity(D, a), 0.0004);
  }
}

TEST_CASE("exact: dichotomous currents, also with rare flips") {
  for (const auto& [Fa, Fb, tau] : {std::tuple{3.0, 1.6, 0.05},
                                    {3.0, 1.6, 0.2},
                                    {3.0, 1.1, 0.2},
                                    {1.1, 3.0, 1.0},
                                    {3.0, 1.1, 10.0},
                                    {1.3, 1.2, 10.0}}) {
    CAPTURE(Fa);
    CAPTURE(Fb);
    CAPTURE(tau);
    CHECK_EXACT(sample(dichotomous(ramp, Fa, Fb, tau), exactly(49152, 3000)).velocity,
                reference::dichotomous_velocity(Fa, Fb, tau), 0.0004);
  }
}

TEST_CASE("exact: double precision") {
  RunOptions run = exactly(49152, 2000);
  run.precision = "double";
  CHECK_EXACT(sample(poissonian(ramp, 1, 2.5), run).velocity, reference::poisson_velocity(1, 2.5), 0.0004);
  CHECK_EXACT(sample(dichotomous(ramp, 3, 1.1, 1), run).velocity, reference::dichotomous_velocity(3, 1.1, 1), 0.0004);
}

TEST_CASE("exact: any number of pieces, a force, and rests between kicks") {
  for (const auto& [potential, a, force] : {std::tuple{skewed, 2.5, 0.3},
                                            {skewed, 0.5, 0.1},  // rests at the minimum
                                            {stairs, 2.5, 0.0},
                                            {stairs, 0.4, 0.0},     // rests on the flat piece's left, too
                                            {stairs, 0.4, 0.4},     // stands still on the flat piece
                                            {stairs, -0.3, 0.2},    // kicks to the left
                                            {skewed, 1.0, 4.0}}) {  // runs to the right
    const Model model = poissonian(potential, 0.6, a, force);
    CAPTURE(a);
    CAPTURE(force);
    CHECK_EXACT(sample(model, exactly(98304, 1000)).velocity, theory_of("poisson_velocity", model).at(0), 0.0006);
  }
  const Model model = dichotomous(stairs, 3, 4, 0.4, 0.3);
  CHECK_EXACT(sample(model, exactly(98304, 1000)).velocity, theory_of("dichotomous_velocity", model).at(0), 0.001);
}

TEST_CASE("exact: Poissonian and dichotomous currents at random parameters, whichever way the particle runs or rests") {
  std::mt19937_64 random(7);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  for (int set = 0; set < 20; ++set) {
    CAPTURE(set);
    Model model = set % 2 == 0 ? make_model({stairs, kicks}) : make_model({skewed, kicks});
    model.set("piecewise_linear.L", between(2.8, 4));
    model.set("piecewise_linear.V0", between(-1, 1));
    if (set % 2 == 1) model.set("piecewise_linear.k", between(0.1, 0.9));
    model.set("poisson.D", between(0.2, 2));
    model.set("poisson.a", between(0.5, 3) * (set % 3 == 0 ? -1 : 1));
    model.set("force", between(-1, 1));
    RunOptions run = exactly(8192, 400);
    run.precision = set % 4 < 2 ? "single" : "double";
    CHECK_EXACT(sample(model, run).velocity, theory_of("poisson_velocity", model).at(0), 0.005);
    model = make_model({skewed, flips}, between(-0.2, 0.2));
    model.set("piecewise_linear.k", between(0.3, 0.7));
    model.set("piecewise_linear.V0", between(-0.7, 0.7));
    model.set("dichotomous.Fa", between(2, 4));
    model.set("dichotomous.Fb", between(2, 4));
    model.set("dichotomous.tau", between(0.05, 3));
    CHECK_EXACT(sample(model, run).velocity, theory_of("dichotomous_velocity", model).at(0), 0.01);
  }
}

TEST_CASE("exact: free particles, cumulants of Poissonian noise and variance of dichotomous noise" *
          doctest::test_suite("quick")) {
  RunOptions run = exactly(98304, 10);
  run.transient = 0;
  const reference::PoissonNoise noise{0.7, 1.4};
  const Sample kicked = sample(poissonian({BM_POTENTIAL, "free", {}}, noise.D, noise.a), run);
  const BatchedCumulants k = cumulants(displacements(kicked));
  const reference::Cumulants exact = reference::free_poisson(noise, kicked.duration);
  CHECK_EXACT(k.mean, 0, 0.01);
  CHECK_EXACT(k.variance, exact.variance, 0.005 * exact.variance);
  CHECK_EXACT(k.third, exact.third, 0.05 * exact.third);
  const Sample flipped = sample(dichotomous({BM_POTENTIAL, "free", {}}, 1, 0.6, 0.5), run);
  const double variance = reference::free_dichotomous_variance(1, 0.6, 0.5, flipped.duration);
  CHECK_EXACT(test::variance(displacements(flipped)), variance, 0.005 * variance);
}

TEST_CASE("exact: three states, and several noises together, as steps do in the limit") {
  for (const Model& model : {make_model({ramp, three}, 0.2), make_model({ramp, kicks, flips}),
                             make_model({stairs, kicks, three, flips}, 0.1)}) {
    RunOptions steps = exactly(49152, 100, 400);
    steps.method = "heun";
    steps.seed = 2;
    const Sample stepped = sample(model, steps), exact = sample(model, exactly(98304, 200));
    CHECK_EXACT(difference(stepped.velocity, exact.velocity), 0, 0.005);
    CHECK_EXACT(difference(stepped.diffusion, exact.diffusion), 0, 0.05);
  }
}

TEST_CASE("exact: a particle that no state of the noise can free rests for ever") {
  for (const std::string precision : {"single", "double"}) {
    RunOptions run = exactly(2000, 500);
    run.precision = precision;
    for (const Model& model :
         {dichotomous(ramp, 0.9, 0.5, 0.2), dichotomous(ramp, 0.9, 0.5, 0.2, 0.3), dichotomous(stairs, 0.05, 0.2, 3),
          make_model({skewed, {BM_NOISE, "three_state", {{"F", 0.6}}}})}) {
      const Sample r = sample(model, run);
      CHECK(r.velocity.value == 0);
      CHECK(r.velocity.error == 0);
      CHECK(r.start == r.end);
    }
  }
  // V rises to the right of a minimum by 1: a force of 1 just lets it stand where it is.
  const Sample r = sample(make_model({ramp, nothing}, -1), exactly(2000, 100));
  const auto rest = [](double x) { return x - 2 * std::rint(x / 2); };
  size_t still = 0;
  for (const double x : r.end) still += rest(x) > 1e-6 && rest(x) < 1 - 1e-6 ? 1 : 0;
  CHECK(still > 900);
  CHECK(still < 1100);
}

TEST_CASE("exact: without a noise that does anything the motion is the one on paper") {
  const double F = 2.3, period = 1 / (F - 1) + 1 / (F + 1), time = 1000, rest = std::fmod(time, period);
  RunOptions run = exactly(500, time);
  run.transient = 0;
  run.starts["x"] = StartLaw{0.5};
  for (const double sign : {1.0, -1.0}) {
    // To the right quickly to 1, slowly to 2, quickly on; to the left slowly to 0, quickly to -1, slowly on.
    double left = rest, way = 2 * std::floor(time / period);
    for (const auto& [distance, speed] : {std::pair{0.5, F + sign}, {1.0, F - sign}, {0.5, F + sign}}) {
      const double taken = std::min(left, distance / speed);
      way += taken * speed;
      left -= taken;
    }
    for (const double end : sample(make_model({ramp, nothing}, sign * F), run).end)
      CHECK(end == doctest::Approx(0.5 + sign * way).epsilon(1e-5));
  }
}

TEST_CASE("exact: dt does not matter") {
  for (const Model& model :
       {poissonian(ramp, 1, 2.5), make_model({stairs, flips, kicks}), make_model({ramp, three}, 0.1)}) {
    std::vector<Sample> runs;
    for (const double spp : {10.0, 400.0, 1000.0}) runs.push_back(sample(model, exactly(3000, 200, spp)));
    for (const Sample& other : {runs[1], runs[2]}) {
      CHECK_NEAR(other.velocity.value / runs[0].velocity.value, 1, 1e-4);
      for (size_t i = 0; i < other.end.size(); ++i) CHECK(std::abs(other.end[i] - runs[0].end[i]) < 0.01);
    }
  }
}

TEST_CASE("exact: first passages and residences on the straight lines of the motion") {
  RunOptions run = exactly(200, 20);
  const Observed r = observe(make_model({ramp, nothing}, 2), run,
                             {{"first_passage", {{"from", {-0.5}}, {"to", {7.25}}, {"bins", {10}}}}, "velocity"});
  const double period = 1 + 1.0 / 3;  // on [-1, 0] at speed 1, on [0, 1] at speed 3
  CHECK_NEAR(r.column("mean_first_passage_time").value, 0.5 + 1.0 / 3 + 3 * period + 0.25, 5e-5);
  const Model model = make_model({ramp, kicks, flips});
  RunOptions steps = exactly(24576, 200, 400), exact = exactly(24576, 200);
  steps.method = "heun";
  steps.seed = 5;
  const std::vector<ObservableRequest> both = {{"first_passage", {{"from", {0}}, {"to", {-3, 1.5}}, {"bins", {10}}}},
                                               {"residence", {{"from", {-0.6}}, {"to", {0.7}}}}};
  const Observed a = observe(model, steps, both), b = observe(model, exact, both);
  for (const std::string column : {"mean_first_passage_time", "first_passage_variance", "residence_low",
                                   "residence_high", "residence_low_fraction"}) {
    CAPTURE(column);
    CHECK_EXACT(difference(a.column(column), b.column(column)), 0, 0.03 * b.column(column).value);
  }
}

TEST_CASE("exact: what is watched on the way depends neither on launches, threads nor batches, and changes little") {
  const Model model = make_model({stairs, kicks, flips, three}, 0.2);
  const auto watched = [&](RunOptions asked, std::vector<ObservableRequest> observables) {
    asked.observables = std::move(observables);
    std::vector<std::vector<double>> all;
    RunHooks hooks;
    hooks.window = [&](size_t, std::span<const Window> windows) {
      const Window& w = windows[0];
      all.emplace_back(w.end.begin(), w.end.end());
      for (const auto& [name, values] : w.counted) all.emplace_back(values.begin(), values.end());
    };
    for (const Array& array : run(make_plan(model, Sweep(), asked), hooks).arrays) all.push_back(array.values);
    return all;
  };
  const std::vector<ObservableRequest> levels = {{"first_passage", {{"to", {-0.7, 1.2}}}},
                                                 {"residence", {{"from", {-0.3}}, {"to", {0.4}}}},
                                                 {"turning_points", {{"threshold", {0.5}}}},
                                                 {"density", {{"bins", {17}}}}};
  RunOptions asked = exactly(500, 60);
  const auto whole = watched(asked, levels), unwatched = watched(asked, {"velocity"});
  REQUIRE(whole.size() == 14);  // nine of the paths, and arrays
  for (size_t i = 0; i < 500; ++i) CHECK(std::abs(whole[0][i] - unwatched[0][i]) < 1e-3);
  asked.chunk = 100;
  asked.threads = 3;
  CHECK(watched(asked, levels) == whole);
  asked.chunk = 0;
  asked.memory = 1;
  CHECK(watched(asked, levels) == whole);
}
