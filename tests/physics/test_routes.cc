// Two independent routes to the same number, at twenty sets of parameters drawn with a fixed seed: method exact and
// heun, and the stationary master equation and ensembles with Gaussian noise.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "measures.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part stairs{
    BM_POTENTIAL, "piecewise_linear", {}, "", {}, {{"x", {0, 0.15, 0.4, 0.6, 0.85}}, {"V", {0, 1, 0.7, -0.5, 0.2}}}};
const Part ratchet{BM_POTENTIAL, "ratchet", {}};
const Part kicks{BM_NOISE, "poisson", {}}, flips{BM_NOISE, "dichotomous", {}}, levels{BM_NOISE, "three_state", {}};
const Part even{BM_NOISE, "poisson", {}, "poisson", {{"law", "uniform"}}}, heat{BM_NOISE, "gaussian", {}};

/// Sets of parameters, the same everywhere.
class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }
  /// Gives the noises of a model random parameters, and the potential and the force.
  void set(Model& model, double amplitude) {
    model.set("force", between(-0.8, 0.8));
    for (const Component& component : std::vector<Component>(model.components())) {
      const std::string& name = component.name;
      if (component.plugin->full_name().starts_with("potential.")) model.set(name + ".V0", between(0.3, 1) * amplitude);
      if (name == "poisson") {
        model.set("poisson.lambda", between(1, 5));
        model.set("poisson.zeta", between(0.2, 0.8) * (between(0, 1) < 0.5 ? -1 : 1));
      }
      if (name == "dichotomous") {
        model.set("dichotomous.Fa", between(1, 4));
        model.set("dichotomous.Fb", between(1, 4));
        model.set("dichotomous.tau", between(0.1, 1));
      }
      if (name == "three_state") {
        model.set("three_state.F", between(2, 5));
        model.set("three_state.q", between(0.1, 0.4));
        model.set("three_state.nu", between(1, 5));
      }
      if (name == "gaussian") model.set("gaussian.D", between(0.1, 0.6));
    }
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("two routes: method exact and heun, by all kinds of events" * doctest::test_suite("quick")) {
  Draw draw(11);
  const Model models[] = {make_model({stairs, kicks, flips}), make_model({stairs, even}), make_model({stairs, levels})};
  for (size_t set = 0; set < 20; ++set) {
    CAPTURE(set);
    Model model = models[set % 3];
    draw.set(model, 0.4);
    RunOptions run = timed_run(0.0015, 60, 0.1, 6144);
    run.method = "heun";
    const Estimate steps = sample(model, run).velocity;
    run.method = "exact";
    run.paths = 24576;
    run.seed = 2;
    CHECK_EXACT(difference(steps, sample(model, run).velocity), 0, 0.012);
  }
}

TEST_CASE("two routes: the stationary master equation and ensembles, Gaussian noise with events") {
  Draw draw(12);
  const Model models[] = {make_model({ratchet, kicks, heat}), make_model({ratchet, flips, heat}),
                          make_model({ratchet, levels, heat})};
  for (size_t set = 0; set < 20; ++set) {
    CAPTURE(set);
    Model model = models[set % 3];
    draw.set(model, 0.6);
    RunOptions run = timed_run(0.004, 60, 0.1, 12288);
    CHECK_EXACT(sample(model, run).velocity, theory_of("master", model).at(0), 0.006);
  }
}
