// A GPU makes the CPU's trajectories: the same random numbers, and the same arithmetic to rounding, over the first
// steps.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "../physics/ensemble.h"
#include "../physics/systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part ramp{BM_POTENTIAL, "piecewise_linear", {}}, wave{BM_POTENTIAL, "sine", {}};
const Part spring{BM_POTENTIAL, "harmonic", {{"k", 3.0}}};
const Part kicks{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}, heat{BM_NOISE, "gaussian", {{"D", 0.1}}};
const Part flips{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.02}}};
const Part push{BM_DRIVE, "cosine", {{"amplitude", 1.0}, {"omega", 20.0}}};

const Part jolts{
    BM_NOISE, "poisson", {{"lambda", 20.0}, {"zeta", 0.1}, {"sigma", 0.2}}, "jolts", {{"law", "gaussian"}}};
const Part sides{BM_NOISE, "poisson", {{"lambda", 20.0}, {"zeta", 0.1}}, "sides", {{"law", "two_sided"}}};
const Part levels{BM_NOISE, "three_state", {{"F", 2.0}, {"nu", 30.0}}};
const Part colour{BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 1.0}, {"tau", 0.1}}};
const Part flights{BM_NOISE, "levy", {{"alpha", 1.5}, {"beta", 0.5}, {"scale", 0.3}}};
const Part flashing{BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 0.5}, {"tau", 0.02}}, "flashing", {}, {}, true};
const Part boiling{BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 0.5}, {"tau", 0.1}}, "boiling", {}, {}, true};
const Part rocking{BM_DRIVE, "biharmonic", {{"A1", 0.4}, {"A2", 0.1}, {"omega", 15.0}}, "rocking", {}, {}, true};
const Part pulses{BM_DRIVE, "pulse", {{"period", 0.3}, {"width", 0.03}}, "", {{"shape", "gaussian"}}};
const Part bumps{BM_POTENTIAL, "table", {}, "", {}, {{"V", {0, 1, 0.5, -1, 0.25}}, {"x", {-0.4, -0.1, 0, 0.3, 0.35}}}};
const Part even_bumps{BM_POTENTIAL, "table", {}, "", {}, {{"V", {0, 1, 0.5, -1, 0.25}}}};
const Part series{BM_POTENTIAL, "fourier", {}, "", {}, {{"a", {0.3, 0.1}}, {"b", {1, -0.25}}}};
const Part nodes{BM_POTENTIAL, "piecewise_linear", {}, "", {}, {{"V", {0, 1, -1}}, {"x", {-0.4, -0.1, 0.3}}}};
const Part well{BM_POTENTIAL, "double_well", {}}, squid{BM_POTENTIAL, "ratchet", {{"phi", 1.5}}};
const Inertial light{0.5, 0.8, 0.2};

constexpr const char* inertial_methods[] = {"heun", "platen", "euler", "aboba"};
constexpr const char* methods[] = {"heun", "platen", "euler", "paper"};

RunOptions first_steps(const char* precision) {
  RunOptions run = options();
  run.precision = precision;
  run.paths = 1000;
  run.dt = 0.01;
  run.time = 0.2;  // 20 steps
  run.transient = 0.25;
  return run;
}

/// The largest distance between the paths of the device and those of the CPU.
void check_same(const Model& model, RunOptions run, double bound) {
  const Sample device = sample(model, run);
  run.device = "cpu";
  const Sample cpu = sample(model, run);
  REQUIRE(device.outcome.device != cpu.outcome.device);
  REQUIRE(device.end.size() == cpu.end.size());
  REQUIRE(device.speed.size() == cpu.speed.size());
  double start = 0, end = 0, speed = 0, moved = 0;
  for (size_t i = 0; i < cpu.end.size(); ++i) {
    start = std::max(start, std::abs(device.start[i] - cpu.start[i]));
    end = std::max(end, std::abs(device.end[i] - cpu.end[i]));
    moved = std::max(moved, std::abs(cpu.end[i] - cpu.start[i]));
  }
  for (size_t i = 0; i < cpu.speed.size(); ++i) speed = std::max(speed, std::abs(device.speed[i] - cpu.speed[i]));
  CHECK(moved > 1e-3);
  CHECK(speed <= 10 * bound);  // V'' of the sine is about (2 pi)^2: a velocity changes 2 pi times as much as a position
  CHECK(start <= bound);
  CHECK(end <= bound);
}

}  // namespace

TEST_CASE("trajectories in double precision: the CPU's to 1e-9 after 20 steps, every plugin and integrator") {
  const Model models[] = {make_model({ramp, kicks}), make_model({wave, flips, heat}), make_model({spring, heat, push}),
                          make_model({heat, kicks}, 0.3), make_model({wave, kicks, flips, heat, push}, 0.1)};
  for (size_t m = 0; m < std::size(models); ++m)
    for (const char* method : methods) {
      CAPTURE(m);
      CAPTURE(method);
      RunOptions run = first_steps("double");
      run.method = method;
      check_same(models[m], run, 1e-9);
    }
}

TEST_CASE("trajectories in double precision: coloured and Levy noises, modulation, tables, series, random phases") {
  const Model models[] = {make_model({bumps, colour, heat, push}),         make_model({series, jolts, levels, pulses}),
                          make_model({wave, flights, flashing, rocking}),  make_model({well, colour, sides, heat}),
                          make_model({nodes, boiling, flights}, 0.3),      make_model({squid, levels, heat, rocking}),
                          make_model({even_bumps, kicks, flights, colour})};
  for (size_t m = 0; m < std::size(models); ++m)
    for (const char* method : {"heun", "platen", "euler"}) {
      CAPTURE(m);
      CAPTURE(method);
      RunOptions run = first_steps("double");
      run.method = method;
      run.random_phases = m % 2 == 0;
      check_same(models[m], run, 1e-8);
    }
}

TEST_CASE("trajectories in double precision: inertial particles, with and without events") {
  const Model models[] = {make_model(light, {wave, heat, push}), make_model(light, {bumps, kicks, colour, heat, push}),
                          make_model(light, {series, flashing, flights, heat, rocking}),
                          make_model(light, {spring, colour, boiling, heat}),
                          make_model(light, {well, jolts, levels, pulses})};
  for (size_t m = 0; m < std::size(models); ++m)
    for (const char* method : inertial_methods) {
      CAPTURE(m);
      CAPTURE(method);
      RunOptions run = first_steps("double");
      run.method = method;
      run.random_phases = m % 2 == 1;
      check_same(models[m], run, 1e-8);
    }
}

TEST_CASE("trajectories in double precision: the CPU's to 1e-9 with every law of the increments") {
  for (const char* law : {"five_point", "three_point", "near_gaussian", "gaussian"})
    for (const auto& model : {make_model({wave, heat}), make_model({spring, heat, flips})}) {
      CAPTURE(law);
      RunOptions run = first_steps("double");
      run.increments = law;
      check_same(model, run, 1e-9);
    }
}

TEST_CASE("trajectories in double precision: walls that reflect, and sticky ones") {
  for (const Model& model : {between_walls(false), between_walls(true), between_sticky_walls()})
    for (const char* method : {"heun", "euler"}) {
      if (model.underdamped() && std::string(method) == "euler") continue;
      CAPTURE(method);
      RunOptions run = first_steps("double");
      run.method = method;
      run.starts["x"] = StartLaw{-0.49, 0, 0, 0};
      run.starts["y"] = StartLaw{1.19, 0, 0, 0};
      check_same(model, run, 1e-8);
    }
}

TEST_CASE("trajectories in double precision: exits, with and without events") {
  for (const bool kicked : {false, true}) {
    Model model = kicked ? make_model({wave, heat, kicks}) : make_model({wave, heat}, 0.3);
    model.add_walls({"x", "-0.2", "0.3", true}, {});
    RunOptions run = first_steps("double");
    run.starts["x"] = StartLaw{0, 0, 0, 0};
    run.time = 1;
    run.observables = {"exits"};
    const auto exits = [&](const char* device) {
      run.device = device;
      std::array<std::vector<double>, 2> found;
      RunHooks hooks;
      hooks.window = [&](size_t, std::span<const Window> windows) {
        size_t i = 0;
        for (const char* what : {"exit.time", "exit.above"}) {
          const std::span<const double> values = windows[0].counted.at(what);
          found[i++].assign(values.begin(), values.end());
        }
      };
      bmsim::run(make_plan(model, Sweep(), run), hooks);
      return found;
    };
    const auto there = exits("cuda"), here = exits("cpu");
    size_t ended = 0;
    REQUIRE(there[0].size() == run.paths);
    for (size_t i = 0; i < run.paths; ++i) {
      CHECK(std::abs(there[0][i] - here[0][i]) < 1e-6);  // steps; where a path has not ended, minus its walls
      if (here[0][i] >= 0) CHECK(there[1][i] == here[1][i]);
      ended += here[0][i] >= 0 ? 1 : 0;
    }
    CHECK(ended > run.paths / 4);
  }
}

// Waves, logarithms and so events come from the special function unit in single precision: not here.
TEST_CASE("trajectories in single precision: the CPU's to 1e-4 where no function is approximated") {
  const Model models[] = {make_model({ramp, heat}), make_model({spring, heat}), make_model({heat}, 0.5)};
  for (size_t m = 0; m < std::size(models); ++m)
    for (const char* method : methods)
      for (const char* law : {"five_point", "three_point", "near_gaussian"}) {
        CAPTURE(m);
        CAPTURE(method);
        CAPTURE(law);
        RunOptions run = first_steps("single");
        run.method = method;
        run.increments = law;
        check_same(models[m], run, 1e-4);
      }
}

TEST_CASE("trajectories in single precision: inertial particles and tables, to 1e-4") {
  const Model models[] = {make_model(light, {ramp, heat}), make_model(light, {spring, heat}),
                          make_model(light, {bumps, heat}), make_model(light, {even_bumps, heat})};
  for (size_t m = 0; m < std::size(models); ++m)
    for (const char* method : inertial_methods) {
      CAPTURE(m);
      CAPTURE(method);
      RunOptions run = first_steps("single");
      run.method = method;
      run.starts["v"] = StartLaw{0.3, 0.5, 0, 0};  // Maxwell's law takes a logarithm
      run.starts["x"] = StartLaw{0, 1, 0, 0};
      check_same(models[m], run, 1e-4);
    }
}

TEST_CASE("the block size never changes a bit") {
  for (const Model& model : {make_model({wave, kicks, flips, heat, push}, 0.1),
                             make_model(light, {bumps, kicks, flights, colour, heat, push}),
                             make_model(light, {wave, flights, boiling, heat, rocking}),
                             make_model(light, {bumps, kicks, colour, heat, push})}) {
    RunOptions run = first_steps("single");
    run.time = 5;
    run.random_phases = model.underdamped();
    const Sample usual = sample(model, run);
    for (const char* block : {"32", "96", "512"}) {
      setenv("BMSIM_CUDA_BLOCK", block, 1);
      const Sample other = sample(model, run);
      unsetenv("BMSIM_CUDA_BLOCK");
      CHECK(other.start == usual.start);
      CHECK(other.end == usual.end);
      CHECK(other.speed == usual.speed);
      // Bits, as it is nan where there are flights.
      CHECK(std::bit_cast<uint64_t>(other.velocity_squared.value) ==
            std::bit_cast<uint64_t>(usual.velocity_squared.value));
    }
  }
}
