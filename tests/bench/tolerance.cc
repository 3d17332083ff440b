// What a tolerance costs against one step for all points: the thermal ratchet, its velocity to 0.5 %.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "benchmarks.h"
#include "ensemble.h"
#include "requirements.h"

namespace bmsim::bench {

using namespace bmsim::test;

namespace {

constexpr double relative = 0.005, periods = 2000;

Plan plan_of(RunOptions run) {
  const Model ratchet = make_model({{BM_POTENTIAL, "piecewise_linear", {}},
                                    {BM_NOISE, "poisson", {{"D", 1}, {"a", 2.5}}},
                                    {BM_NOISE, "gaussian", {{"D", 0.1}}}});
  std::vector<double> D;
  for (int i = 0; i < 100; ++i) D.push_back(0.1 * std::pow(100, i / 99.0));
  Sweep sweep;
  sweep.add_axis({"poisson.D"}, {D});
  run.periods = periods;
  return make_plan(ratchet, sweep, run);
}

}  // namespace

void print_tolerance() {
  RunOptions chosen = options();
  chosen.tolerances = {{"velocity", relative, 0}};
  chosen.limit = 100000000;
  const RunOutcome found = bmsim::run(plan_of(chosen), {});
  double cost = 0;
  for (const double one : found.choices[2].values) cost += one;
  const auto reached = std::count(found.reached.begin(), found.reached.end(), true);
  fmt::print("tolerance {}: {:.3g} steps, {:.3g} s; reached at {} of 100 points\n", relative, cost, found.seconds,
             reached);
  require_at_least("points at which the tolerance is reached", static_cast<double>(reached), 100);
  fmt::print("uniform spp   step error   steps for the same standard error   over the tolerance's (required: 5)\n");
  for (double spp = 16; spp <= 1024; spp *= 2) {
    RunOptions uniform = options();
    uniform.step_error = true;
    uniform.spp = spp;
    uniform.paths = 65536;
    const RunOutcome run = bmsim::run(plan_of(uniform), {});
    double worst = 0, steps = 0;
    for (size_t i = 0; i < 100; ++i) {
      const double part = relative / std::sqrt(2.0) * std::abs(found.estimates[0][i].value);
      const Estimate step = run.step_errors[0][i];
      worst = std::max(worst, std::max(0.0, std::abs(step.value) - 4 * step.error) / part);
      steps += static_cast<double>(uniform.paths) * std::pow(run.estimates[0][i].error / part, 2) * periods * spp;
    }
    const double percent = 100 * relative / std::sqrt(2.0);
    fmt::print("{:>11}   {:>8.2f} %   {:>33.3g}   {:>8.1f}\n", spp, worst * percent, steps, steps / cost);
    std::fflush(stdout);
    if (worst <= 1 || spp == 1024) {
      require_at_least("steps of one spp for all points over the tolerance's", steps / cost, 5);
      return;
    }
  }
}

}  // namespace bmsim::bench
