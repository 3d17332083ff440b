// A GPU makes the CPU's trajectories: the same random numbers, and the same arithmetic to rounding, over the first
// steps.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "../physics/ensemble.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part ramp{BM_POTENTIAL, "piecewise_linear", {}}, wave{BM_POTENTIAL, "sine", {}};
const Part spring{BM_POTENTIAL, "harmonic", {{"k", 3.0}}};
const Part kicks{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}, heat{BM_NOISE, "gaussian", {{"D", 0.1}}};
const Part flips{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.02}}};
const Part push{BM_DRIVE, "cosine", {{"amplitude", 1.0}, {"omega", 20.0}}};

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
  double start = 0, end = 0, moved = 0;
  for (size_t i = 0; i < cpu.end.size(); ++i) {
    start = std::max(start, std::abs(device.start[i] - cpu.start[i]));
    end = std::max(end, std::abs(device.end[i] - cpu.end[i]));
    moved = std::max(moved, std::abs(cpu.end[i] - cpu.start[i]));
  }
  CHECK(moved > 1e-3);
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

TEST_CASE("trajectories in double precision: the CPU's to 1e-9 with every law of the increments") {
  for (const char* law : {"five_point", "three_point", "near_gaussian", "gaussian"})
    for (const auto& model : {make_model({wave, heat}), make_model({spring, heat, flips})}) {
      CAPTURE(law);
      RunOptions run = first_steps("double");
      run.increments = law;
      check_same(model, run, 1e-9);
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

TEST_CASE("the block size never changes a bit") {
  const Model model = make_model({wave, kicks, flips, heat, push}, 0.1);
  RunOptions run = first_steps("single");
  run.time = 5;
  const Sample usual = sample(model, run);
  for (const char* block : {"32", "96", "512"}) {
    setenv("BMSIM_CUDA_BLOCK", block, 1);
    const Sample other = sample(model, run);
    unsetenv("BMSIM_CUDA_BLOCK");
    CHECK(other.start == usual.start);
    CHECK(other.end == usual.end);
  }
}
