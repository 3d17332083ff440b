// Method exact with white noise: against the stationary master equation and closed forms, for every noise that it
// knows.
//
// Held to: `method = "exact"` with Gaussian noise against the stationary master equation at random models of 3 to 9
// nodes, with D_G from 10⁻³ to 100, alone and with Poissonian noise of every law, dichotomous and three-state noise as
// forces and modulating V; diffusion coefficients of Stratonovich and of free particles; both precisions; the
// stationary density and the current; mean and variance of first-passage times, with kicks that pass the level, too;
// the limit of no white noise
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "exact_cases.h"
#include "measures.h"
#include "observed.h"
#include "plan/exact.h"
#include "reference.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// The model with Gaussian noise.
Model heated(Model model, double D) {
  model.add(BM_NOISE, "gaussian", "");
  model.set("gaussian.D", D);
  return model;
}

RunOptions walk(uint64_t paths, double time) {
  RunOptions run = options();
  run.method = "exact";
  run.paths = paths;
  run.time = time;
  return run;
}

/// Numbers that a seed gives.
struct Random {
  std::mt19937_64 words;
  double between(double low, double high) { return low + (high - low) * static_cast<double>(words() >> 11) * 0x1p-53; }
};

/// A model of the class. kinds: mask of its noises with events, Poissonian (1), dichotomous (2), three-state (4);
/// flashes (8): the dichotomous noise modulates V.
Model random_model(Random& random, unsigned kinds, const char* law, size_t nodes, double D) {
  std::vector<double> x, V;
  for (size_t i = 0; i < nodes; ++i) {
    x.push_back((static_cast<double>(i) + random.between(0.1, 0.9)) / static_cast<double>(nodes));
    V.push_back(random.between(0, 1));
  }
  Model model = heated(make_model({{BM_POTENTIAL, "piecewise_linear", {{"L", 1.0}}, "", {}, {{"x", x}, {"V", V}}}}), D);
  model.set("force", random.between(-1, 1));
  model.set("piecewise_linear.V0", random.between(0.2, 1));
  if (kinds & 1) {
    model.add(BM_NOISE, "poisson", "");
    model.set_choice("poisson.law", law);
    model.set("poisson.lambda", random.between(0.5, 8));
    model.set("poisson.zeta", random.between(0.05, 0.4));
    if (std::string_view(law) == "gaussian") model.set("poisson.sigma", random.between(0.05, 0.3));
  }
  if (kinds & 2) {
    model.add(BM_NOISE, "dichotomous", "");
    for (const char* depth : {"Fa", "Fb"})
      model.set(fmt::format("dichotomous.{}", depth), random.between(0.3, 1) * (kinds & 8 ? 1 : 3));
    model.set("dichotomous.tau", random.between(0.1, 1));
    if (kinds & 8) model.modulate("dichotomous");
  }
  if (kinds & 4) {
    model.add(BM_NOISE, "three_state", "");
    model.set("three_state.F", random.between(0.5, 2));
    model.set("three_state.q", random.between(0.1, 0.45));
    model.set("three_state.nu", random.between(0.5, 5));
  }
  return model;
}

/// Against the master equation, with about `events` events.
void check_velocity(const Model& model, double D, const char* precision, double events) {
  const double rate = 5 * tick_rate(model, evaluate(model)).rate;
  const uint64_t paths = fewer_in_ci(16384);
  RunOptions run = walk(paths, std::max(events / rate / 16384, 40.0));
  run.precision = precision;
  run.transient = 0.5;
  const double scatter = std::sqrt(2 * (D + 1) / (0.5 * *run.time * static_cast<double>(paths)));
  CHECK_EXACT(sample(model, run).velocity, theory_of("master", model).at(0), 2 * scatter);
}

}  // namespace

TEST_CASE("walk: the paper's particle with thermal noise, and Gaussian noise alone" * doctest::test_suite("quick")) {
  for (const double D : {0.001, 0.1, 1.0}) {
    CAPTURE(D);
    const Model model = heated(make_model({ramp, kicks}), D);
    CHECK_EXACT(sample(model, walk(98304, 48)).velocity, theory_of("master", model).at(0), 0.0015);
  }
  const Model tilted = heated(make_model({ramp}, 0.5), 0.3);
  const Sample moved = sample(tilted, walk(49152, 100));
  const std::vector<double> exact = theory_of("stratonovich", tilted);
  CHECK_EXACT(moved.velocity, exact.at(0), 0.0004);
  CHECK_EXACT(moved.diffusion, exact.at(1), 0.0025);
}

TEST_CASE("walk: random models of every kind") {
  Random random{std::mt19937_64(11)};
  const char* const laws[] = {"exponential", "constant", "gaussian", "two_sided", "uniform"};
  for (unsigned set = 0; set < 20; ++set) {
    const unsigned kinds = set < 16 ? set : 1;
    if ((kinds & 8) && !(kinds & 2)) continue;
    const char* const law = set < 16 ? laws[0] : laws[set - 15];
    const double D = std::pow(10, law == laws[0] ? random.between(-3, 2) : random.between(-1, 1));
    const size_t nodes = 3 + set % 7;
    CAPTURE(kinds);
    CAPTURE(law);
    CAPTURE(nodes);
    CAPTURE(D);
    check_velocity(random_model(random, kinds, law, nodes, D), D, set % 3 == 2 ? "double" : "single", 1e7);
  }
}

TEST_CASE("walk: free particles have the diffusion of all their noises, and a force moves them") {
  const Model free = heated(make_model({{BM_POTENTIAL, "free", {}}, kicks}, 0.7), 0.3);
  const Sample moved = sample(free, walk(98304, 30));
  CHECK_EXACT(moved.velocity, 0.7, 0.002);
  CHECK_EXACT(moved.diffusion, 1.3, 0.01);
}

TEST_CASE("walk: strong white noise leaves a small error of the velocity" * doctest::test_suite("quick")) {
  const double D = 100;
  const Model model = heated(make_model({ramp, kicks}, 0.3), D);
  const Sample moved = sample(model, walk(4096, 100));
  const double plain = std::sqrt(2 * moved.diffusion.value / 50 / 4096);  // without the control variate
  CHECK_EXACT(moved.velocity, theory_of("master", model).at(0), plain / 1000);
}

TEST_CASE("walk: a short window has many ticks, too") {
  RunOptions brief = walk(393216, 20);
  brief.transient = 0.75;
  const Model model = heated(make_model({ramp, kicks}), 0.1);
  const Sample moved = sample(model, brief);
  CHECK_EXACT(moved.velocity, theory_of("master", model).at(0), 0.002);
}

namespace {

/// V of `ramp` with a force.
double tilted_ramp(double x, double force) {
  const double u = x - 2 * std::rint(x / 2);
  return 1 - std::abs(u) - force * x;
}

/// Mean and variance of the time from x0 to b, or to a if that absorbs; else a reflects. D u'' - U' u' = -g for the
/// mean with g = 1, for half of the mean square with g = u, by fluxes between the points of a grid.
std::array<double, 2> passage(double force, double D, double a, double b, double x0, bool absorbs) {
  constexpr size_t cells = 24000;
  const double h = (b - a) / cells;
  const auto boltzmann = [&](double x) { return std::exp(-tilted_ramp(x, force) / D); };
  const auto solve = [&](const std::vector<double>& g) {
    // -(flux into cell i from both sides) = g e^{-U/D}, with absorbing ends half a cell away; Thomas's algorithm
    std::vector<double> diagonal(cells), right(cells), rest(cells);
    for (size_t i = 0; i < cells; ++i) {
      const double x = a + (static_cast<double>(i) + 0.5) * h;
      const double below = (i == 0 ? (absorbs ? 2 : 0) : 1) * boltzmann(x - h / 2);
      const double above = (i + 1 == cells ? 2 : 1) * boltzmann(x + h / 2);
      diagonal[i] = below + above, right[i] = above, rest[i] = g[i] * boltzmann(x) * h * h / D;
      if (i == 0) continue;
      const double factor = below / diagonal[i - 1];
      diagonal[i] -= factor * right[i - 1], rest[i] += factor * rest[i - 1];
    }
    std::vector<double> u(cells);
    for (size_t i = cells; i-- > 0;) u[i] = (rest[i] + (i + 1 < cells ? right[i] * u[i + 1] : 0)) / diagonal[i];
    return u;
  };
  const auto at = [&](const std::vector<double>& u) {
    const double place = (x0 - a) / h - 0.5, below = std::floor(place);
    const auto i = static_cast<size_t>(below);
    return u[i] + (place - below) * (u[i + 1] - u[i]);
  };
  const std::vector<double> mean = solve(std::vector<double>(cells, 1)), half_square = solve(mean);
  return {at(mean), 2 * at(half_square) - at(mean) * at(mean)};
}

Observed passages(const Model& model, std::vector<double> to, double from, double time, const char* precision,
                  uint64_t paths = 196608) {
  RunOptions run = walk(paths, time);
  run.precision = precision;
  run.check_transient = false;
  return observe(model, run, {{"first_passage", {{"from", {from}}, {"to", std::move(to)}, {"bins", {0}}}}});
}

void check_passages(const Observed& found, const std::array<double, 2>& exact) {
  CHECK_EXACT(found.column("mean_first_passage_time"), exact[0], 0.012 * exact[0]);
  CHECK_EXACT(found.column("first_passage_variance"), exact[1], 0.04 * exact[1]);
}

}  // namespace

TEST_CASE("walk: mean and variance of first-passage times, levels on and between kinks" *
          doctest::test_suite("quick")) {
  const double D = 0.3, force = 0.5;
  const Model model = heated(make_model({ramp}, force), D);
  check_passages(passages(model, {2.3}, 0.4, 60, "single"), passage(force, D, -12, 2.3, 0.4, false));
  check_passages(passages(model, {3.0}, 1.0, 60, "double"), passage(force, D, -12, 3, 1, false));
  check_passages(passages(model, {-0.7, 0.25}, 0.1, 20, "single"), passage(force, D, -0.7, 0.25, 0.1, true));
  // downwards, from beyond a period
  const Model mirrored = heated(make_model({ramp}, -force), D);
  check_passages(passages(mirrored, {4.5}, 5.1, 60, "single"), passage(force, D, -16, -4.5, -5.1, false));
  // some of the paths have not passed by the end, and are taken to go on as others have
  const Observed cut = passages(model, {2.3}, 0.4, 16, "single");
  const double open = cut.column("first_passage_censored").value;
  CHECK(open > 0.1);
  CHECK_EXACT(cut.column("mean_first_passage_time"), passage(force, D, -12, 2.3, 0.4, false)[0], 0.09);
}

TEST_CASE("walk: kicks over a level pass it at once") {
  // S. G. Kou, H. Wang, Adv. Appl. Probab. 35, 504 (2003): the probability that an exponential kick passes the level is
  // (1 - eta/beta) (1 - exp(-beta b)), beta > eta the root of D beta^2 + c beta + lambda beta/(eta - beta) = 0, where c
  // is the drift between kicks. With the mean overshoot 1/eta it gives the mean time.
  const double D = 0.2, F = 0.3, lambda = 1.5, zeta = 0.4, eta = 1 / zeta, b = 1.3, c = F - lambda * zeta;
  Model model = heated(make_model({{BM_POTENTIAL, "free", {}}}, F), D);
  model.add(BM_NOISE, "poisson", "");
  model.set("poisson.lambda", lambda);
  model.set("poisson.zeta", zeta);
  const double p = c / D - eta, q = -(c * eta + lambda) / D, beta = -p / 2 + std::sqrt(p * p / 4 - q);
  const double kicked = (1 - eta / beta) * (1 - std::exp(-beta * b));
  const double exact = (b + zeta * kicked) / F;
  CHECK_EXACT(passages(model, {b}, 0, 60, "single").column("mean_first_passage_time"), exact, 0.012 * exact);
}

TEST_CASE("walk: the stationary density and the current" * doctest::test_suite("quick")) {
  const double D = 0.3, force = 0.5;
  constexpr size_t bins = 8, fine = 2000;
  const Model model = heated(make_model({ramp}, force), D);
  RunOptions run = walk(24576, 60);
  const Observed found =
      observe(model, run, {{"density", {{"bins", {bins}}}}, {"current", {{"bins", {4}}}}, "velocity"});
  // p(x) in proportion to e^{-U/D} times the integral of e^{U/D} over the period that follows
  const double h = 2.0 / fine;
  std::vector<double> place(2 * fine), sums(2 * fine + 1), p(fine);
  for (size_t i = 0; i < 2 * fine; ++i) {
    place[i] = -1 + (static_cast<double>(i) + 0.5) * h;
    sums[i + 1] = sums[i] + std::exp(tilted_ramp(place[i], force) / D);
  }
  double all = 0;
  for (size_t i = 0; i < fine; ++i) {
    const double here = std::exp(tilted_ramp(place[i], force) / D) / 2;
    p[i] = (sums[i + fine] - sums[i] - here + std::exp(tilted_ramp(place[i + fine], force) / D) / 2) / here;
    all += p[i] * h;
  }
  const std::vector<double>&value = found.array("density").values, &error = found.array("density_err").values;
  for (size_t i = 0; i < bins; ++i) {
    double exact = 0;
    for (size_t j = i * fine / bins; j < (i + 1) * fine / bins; ++j) exact += p[j] / all / (fine / bins);
    CAPTURE(i);
    CHECK_EXACT((Estimate{value[i], error[i]}), exact, 0.006);
  }
  const double v = theory_of("stratonovich", model).at(0);
  for (size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK_EXACT((Estimate{found.array("current").values[i], found.array("current_err").values[i]}), v / 2, 0.0012);
  }
}

TEST_CASE("walk: what is watched depends neither on launches, threads nor batches") {
  const Model model = heated(make_model({stairs, kicks, flips, three}, 0.2), 0.2);
  const auto watched = [&](const RunOptions& asked) {
    const Observed found = observe(model, asked,
                                   {{"first_passage", {{"to", {-0.7, 1.2}}, {"bins", {0}}}},
                                    {"density", {{"bins", {17}}}},
                                    {"current", {{"bins", {4}}}},
                                    "velocity"});
    std::vector<double> all = {found.column("mean_first_passage_time").value, found.column("velocity").value};
    for (const char* name : {"density", "density_err", "current"})
      all.insert(all.end(), found.array(name).values.begin(), found.array(name).values.end());
    return all;
  };
  RunOptions asked = walk(500, 60);
  const auto whole = watched(asked);
  asked.chunk = 100;
  asked.threads = 3;
  CHECK(watched(asked) == whole);
  asked.chunk = 0;
  asked.memory = 1;
  CHECK(watched(asked) == whole);
}

TEST_CASE("walk: a sweep of the white noise may begin at none") {
  const Model model = heated(make_model({ramp, kicks}), 0);
  const Sample moved = sample(model, walk(98304, 48));
  CHECK_EXACT(moved.velocity, reference::poisson_velocity(1, 2.5), 0.0015);
  const Model locked = heated(make_model({ramp}, 0.5), 0), sliding = heated(make_model({ramp}, 2), 0);
  CHECK_NEAR(sample(locked, walk(64, 50)).velocity.value, 0, 1e-6);
  CHECK_EXACT(sample(sliding, walk(24576, 50)).velocity, 1.5, 0.01);
}
