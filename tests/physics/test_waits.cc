// What is drawn for events, seen in the motion of free particles: waiting times, amplitudes, residences in states.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>

#include "tracks.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// The times at which the paths of a free particle with unit kicks first are above `level`.
std::vector<double> passages(double level) {
  RunOptions run = timed_run(0.25, 20, 0, 131072);
  run.starts["x"] = StartLaw{0, 0, 0, 0};
  run.observables = {{"first_passage", {{"to", {level}}}}};
  const Part kicks{
      BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 1.0}, {"compensated", 0.0}}, "", {{"law", "constant"}}};
  std::vector<double> times;
  RunHooks hooks;
  hooks.window = [&](size_t, std::span<const Window> windows) {
    const Window& w = windows[0];
    for (const double steps : w.counted.at("first_passage.time")) times.push_back(steps * w.dt);
  };
  bmsim::run(make_plan(make_model({free_space, kicks}), Sweep(), run), hooks);
  return times;
}

}  // namespace

TEST_CASE("waiting times of Poissonian noise: exponential, the first as the later ones, and uncorrelated" *
          doctest::test_suite("quick")) {
  std::vector<double> before(131072, 0.0), last, all;
  for (int k = 1; k <= 5; ++k) {
    CAPTURE(k);
    const std::vector<double> at = passages(k - 0.5);
    std::vector<double> waits;
    for (size_t i = 0; i < at.size(); ++i) waits.push_back(at[i] - before[i]);
    check_law(waits, exponential_law(0.5));
    CHECK_EXACT(mean(waits), 0.5, 0.0015);
    if (k > 1) CHECK_EXACT(correlation(last, waits), 0, 0.003);
    std::vector<double> neighbours(waits.begin() + 1, waits.end());
    neighbours.push_back(waits[0]);
    CHECK_EXACT(correlation(waits, neighbours), 0, 0.003);
    all.insert(all.end(), waits.begin(), waits.end());
    before = at;
    last = waits;
  }
  check_law(all, exponential_law(0.5));
}

TEST_CASE("waiting times of Poissonian noise: events counted, so that 0.1 % of the mean would be seen") {
  RunOptions run = timed_run(0.25, 30, 0, 393216);
  const Part kicks{
      BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 1.0}, {"compensated", 0.0}}, "", {{"law", "constant"}}};
  for (const char* precision : {"single", "double"}) {
    run.precision = precision;
    const auto counts = displacements(sample(make_model({free_space, kicks}), run));
    CHECK_EXACT(mean(counts), 60, 0.00025 * 60);
    CHECK_EXACT(variance(counts), 60, 0.003 * 60);
  }
}

TEST_CASE("amplitudes of Poissonian noise: each law's, and uncorrelated with the next one and with the wait before") {
  const double m = -0.3, s = 0.8;
  struct Amplitude {
    const char* word;
    double zeta;
    std::function<double(double)> law;
  };
  for (const Amplitude& one :
       {Amplitude{"exponential", 0.7, exponential_law(0.7)},
        Amplitude{"gaussian", m, [&](double z) { return normal_law(z, m, s * s); }},
        Amplitude{"two_sided", 0.7,
                  [](double z) { return z < 0 ? std::exp(z / 0.7) / 2 : 1 - std::exp(-z / 0.7) / 2; }},
        Amplitude{"uniform", 0.7, [](double z) { return std::clamp(z / 1.4, 0.0, 1.0); }}}) {
    CAPTURE(one.word);
    Model model =
        make_model({free_space, {BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 0.7}, {"compensated", 0.0}}}});
    model.set("poisson.zeta", one.zeta);
    model.set_choice("poisson.law", one.word);
    if (std::string(one.word) == "gaussian") model.set("poisson.sigma", s);
    // In one of 250 steps there is a kick, in a few of them a second one.
    const Tracks x = tracks(model, timed_run(0.002, 2, 0, 8192), 1001);
    std::vector<double> jumps, waits, first, second;
    for (size_t path = 0; path < x.paths; ++path) {
      size_t last = 0;
      bool any = false;
      for (size_t i = 0; i < 1000; ++i) {
        const double jump = x.moved(path, i);
        if (std::abs(jump) < 1e-6) continue;
        if (any) first.push_back(jumps.back()), second.push_back(jump);
        jumps.push_back(jump);
        waits.push_back(static_cast<double>(i - last));
        last = i, any = true;
      }
    }
    CHECK(std::abs(static_cast<double>(jumps.size()) - 32768) < 4 * std::sqrt(32768) + 0.003 * 32768);
    check_law(jumps, one.law);
    CHECK_EXACT(correlation(jumps, waits), 0, 0.007);
    CHECK_EXACT(correlation(first, second), 0, 0.008);
  }
}

namespace {

/// How long a free particle's noise that jumps between `forces` stays where it is.
struct Residences {
  std::vector<double> first;              ///< rest of the time in the first state, any
  std::vector<std::vector<double>> time;  ///< by state, the next `changes` of every path
};
/// A step in which the force is between two of them has a change, whose time it tells. With the same force before and
/// after there were two: the time between them is right, where it lies in the step is not.
Residences residences(const Model& model, const std::vector<double>& forces, size_t changes) {
  const double dt = 0.01;
  const size_t steps = 3000;
  const Tracks x = tracks(model, timed_run(dt, dt * static_cast<double>(steps), 0, 4096), steps + 1);
  Residences found{{}, std::vector<std::vector<double>>(forces.size())};
  const auto state_of = [&](double force, double within) {
    for (size_t state = 0; state < forces.size(); ++state)
      if (std::abs(force - forces[state]) < within) return state;
    return forces.size();
  };
  for (size_t path = 0; path < x.paths; ++path) {
    const auto force = [&](size_t i) { return x.moved(path, i) / dt; };
    size_t state = state_of(force(0), 1e-3), passed = 0;
    if (state == forces.size()) continue;
    double since = 0;
    const auto leave = [&](double at, size_t to) {
      if (passed++ <= changes) (passed == 1 ? found.first : found.time[state]).push_back(at - since);
      since = at;
      state = to;
    };
    for (size_t i = 1; i + 1 < steps && passed <= changes; ++i) {
      const double f = force(i), begin = dt * static_cast<double>(i);
      if (std::abs(f - forces[state]) < 1e-3) continue;
      const size_t after = state_of(force(i + 1), 1e-3), towards = f > forces[state] ? state + 1 : state - 1;
      const size_t next = state_of(f, 1e-3) < forces.size() ? state_of(f, 1e-3) : after;
      const size_t to = next < forces.size() && next != state ? next : towards;
      const double away = dt * std::clamp((f - forces[state]) / (forces[to] - forces[state]), 0.0, 1.0);
      if (after != state) {
        leave(begin + dt - away, to);
      } else {
        leave(begin + (dt - away) / 2, to);
        leave(begin + (dt + away) / 2, after);
      }
    }
  }
  return found;
}

}  // namespace

TEST_CASE("dichotomous noise: exponential residences in both states, and occupations of its states in a long run") {
  const double mu_a = 1.3, mu_b = 0.8, occupation = mu_a / (mu_a + mu_b);
  const Model model =
      make_model({free_space, {BM_NOISE, "dichotomous", {{"Fa", 0.5}, {"Fb", 1.0}, {"mu_a", mu_a}, {"mu_b", mu_b}}}});
  const Residences r = residences(model, {-0.5, 1}, 8);
  REQUIRE(r.first.size() > 4000);
  check_law(r.first,
            [&](double t) { return 1 - occupation * std::exp(-mu_b * t) - (1 - occupation) * std::exp(-mu_a * t); });
  CHECK(r.time[0].size() > 16000);
  check_law(r.time[0], exponential_law(1 / mu_a));
  check_law(r.time[1], exponential_law(1 / mu_b));
  CHECK_EXACT(mean(r.time[0]), 1 / mu_a, 0.01 / mu_a);
  CHECK_EXACT(mean(r.time[1]), 1 / mu_b, 0.01 / mu_b);
  // The time up is the occupation of the run: 0.1 % of a mean time in a state would be seen.
  const Sample lasting = sample(model, timed_run(1, 600, 0, 131072));
  CHECK_EXACT(lasting.velocity, 1.5 * occupation - 0.5, 1.5 * occupation * (1 - occupation) * 0.001 / 4);
}

TEST_CASE("three-state noise: exponential residences, left at the rate nu for another state") {
  const double q = 0.3, nu = 1.4;
  const Model model = make_model({free_space, {BM_NOISE, "three_state", {{"F", 1.0}, {"q", q}, {"nu", nu}}}});
  const Residences r = residences(model, {-1, 0, 1}, 8);
  REQUIRE(r.first.size() > 4000);
  for (const size_t outer : {0u, 2u}) {
    CHECK(r.time[outer].size() > 9000);
    check_law(r.time[outer], exponential_law(1 / (nu * (1 - q))));
  }
  check_law(r.time[1], exponential_law(1 / (nu * 2 * q)));
}
