// Results depend on (seed, model, sweep, paths) and on nothing else, bit for bit.
#include <doctest/doctest.h>

#include "ensemble.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

struct Case {
  const char* name;
  Model model;
  const char* method;
};

std::vector<Case> cases() {
  const Part ramp{BM_POTENTIAL, "piecewise_linear", {}}, wave{BM_POTENTIAL, "sine", {}};
  const Part kicks{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}, heat{BM_NOISE, "gaussian", {{"D", 0.1}}};
  const Part flips{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.2}}};
  const Part drive{BM_DRIVE, "cosine", {{"amplitude", 1.0}, {"omega", 2.0}}};
  std::vector<Case> all;
  all.push_back({"jumps", make_model({ramp, kicks}), "heun"});
  all.push_back({"flips", make_model({ramp, flips}), "platen"});
  all.push_back({"thermal jumps", make_model({ramp, kicks, heat}), "heun"});
  all.push_back({"everything", make_model({wave, kicks, flips, heat, drive}, 0.1), "heun"});
  all.push_back({"driven and thermal", make_model({wave, heat, drive}), "euler"});
  all.push_back({"paper", make_model({ramp, kicks, flips, heat}), "paper"});
  return all;
}

RunOptions base(const Case& one) {
  RunOptions run = options();
  run.paths = 500;
  run.spp = 30;
  run.periods = 40;
  run.transient = 0.13;
  run.method = one.method;
  run.threads = 1;
  return run;
}

void check_same(const Sample& a, const Sample& b) {
  CHECK(a.start == b.start);
  CHECK(a.end == b.end);
  CHECK(a.velocity.value == b.velocity.value);
  CHECK(a.diffusion.error == b.diffusion.error);
}

}  // namespace

TEST_CASE("the chunk length never changes a result") {
  for (const auto& one : cases()) {
    CAPTURE(one.name);
    const Sample whole = sample(one.model, base(one));
    for (const uint64_t chunk : {1u, 100u, 777u}) {
      RunOptions run = base(one);
      run.chunk = chunk;
      const Sample parts = sample(one.model, run);
      CHECK(parts.outcome.launches > 1);
      check_same(whole, parts);
    }
  }
}

TEST_CASE("the number of threads never changes a result") {
  for (const auto& one : cases()) {
    CAPTURE(one.name);
    RunOptions run = base(one);
    const Sample alone = sample(one.model, run);
    run.threads = 5;
    check_same(alone, sample(one.model, run));
  }
}

TEST_CASE("batches never change a result, also when they end within a point") {
  for (const auto& one : cases()) {
    CAPTURE(one.name);
    const Sample whole = sample(one.model, base(one));
    RunOptions run = base(one);
    run.memory = 1;  // one group at a time
    const Sample parts = sample(one.model, run);
    CHECK(parts.outcome.batches > 1);
    check_same(whole, parts);
  }
}

TEST_CASE("estimates have the same bits whether the device or the host adds them up, and in whichever batches") {
  for (const auto& one : cases()) {
    CAPTURE(one.name);
    RunOptions asked = base(one);
    asked.observables = {"velocity", "diffusion"};
    const Sample host = sample(one.model, asked);  // sees every path
    for (const uint64_t memory : {uint64_t{0}, uint64_t{1}}) {
      asked.memory = memory;
      const RunOutcome device = run(make_plan(one.model, Sweep(), asked), {});
      CHECK(device.estimates[0][0].value == host.velocity.value);
      CHECK(device.estimates[0][0].error == host.velocity.error);
      CHECK(device.estimates[1][0].value == host.diffusion.value);
      CHECK(device.estimates[1][0].error == host.diffusion.error);
    }
  }
}

TEST_CASE("a path does not depend on how many there are, nor on the size of its group") {
  for (const auto& one : cases()) {
    CAPTURE(one.name);
    RunOptions run = base(one);
    const Sample many = sample(one.model, run);
    run.paths = 16;
    const Sample few = sample(one.model, run);
    for (size_t i = 0; i < few.end.size(); ++i) CHECK(few.end[i] == many.end[i]);
  }
}

TEST_CASE("the end of the transient does not change the path, but for the step that it ends") {
  const auto all = cases();
  RunOptions run = base(all[4]);  // without events every step ends on the grid
  const Sample early = sample(all[4].model, run);
  run.transient = 0.5;
  CHECK(sample(all[4].model, run).end == early.end);
}

TEST_CASE("another seed gives other paths") {
  const auto all = cases();
  RunOptions run = base(all[0]);
  const Sample one = sample(all[0].model, run);
  run.seed = 2;
  CHECK(sample(all[0].model, run).end != one.end);
}
