// kernel_files DIRECTORY: writes what kernels/ includes and the composer generates (settings.h, model.h, calls.h) for
// some models, DIRECTORY/NAME/DIALECT/, so that compilers and tools can read kernels/ as ordinary files, and what the
// host believes of the structs that it shares with them (contract.h). Together the models have every file of kernels/
// and most of its branches.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "../physics/systems.h"
#include "compose/composer.h"
#include "contract.h"
#include "plan/plan.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

struct Case {
  const char* name;
  Model model;
  KernelOptions options;
};

/// A kernel that a run with these observables asks for.
Case observing(const char* name, const Model& model, std::vector<ObservableRequest> observables) {
  RunOptions run;
  run.time = 1;
  run.dt = 0.01;
  run.observables = std::move(observables);
  Plan plan = make_plan(model, Sweep(), run);
  return {name, plan.model, plan.kernel};
}

std::vector<Case> cases() {
  const Part ramp{BM_POTENTIAL, "piecewise_linear", {}}, wave{BM_POTENTIAL, "sine", {}},
      well{BM_POTENTIAL, "double_well", {}};
  const Part kicks{BM_NOISE, "poisson", {}}, flips{BM_NOISE, "dichotomous", {}}, heat{BM_NOISE, "gaussian", {}};
  const Part colour{BM_NOISE, "ornstein_uhlenbeck", {}}, flights{BM_NOISE, "levy", {}}, rocking{BM_DRIVE, "cosine", {}};
  std::vector<Case> all;
  all.push_back({"events",
                 make_model({wave, kicks, flips, heat, rocking}),
                 {.increments = Increments::near_gaussian, .marks = true}});
  all.push_back({"one_noise", make_model({ramp, kicks}), {.marks = true}});
  all.push_back({"inertia",
                 make_model(Inertial{}, {wave, kicks, colour, heat, rocking}),
                 {.method = Method::aboba,
                  .increments = Increments::five_point,
                  .squares = true,
                  .marks = true,
                  .random_phases = true}});
  all.push_back({"driven",
                 make_model({well, heat, colour, rocking}),
                 {.method = Method::platen,
                  .increments = Increments::gaussian,
                  .precision = Precision::double_precision,
                  .marks = true}});
  all.push_back({"exact", make_model({ramp, kicks, flips}), {.method = Method::exact}});
  all.push_back({"walk",
                 make_model({ramp, kicks, flips, heat}),
                 {.method = Method::walk,
                  .marks = true,
                  .counters = make_observable({"first_passage", {{"to", {0.3}}}})->counters({}),
                  .levels = {0.3}}});
  all.push_back({"adaptive",
                 make_model({well, kicks, heat}),
                 {.method = Method::adaptive, .increments = Increments::three_point}});
  all.push_back(
      {"paper", make_model({wave, kicks, heat}), {.method = Method::paper, .increments = Increments::three_point}});
  all.push_back({"coarse",
                 make_model(Inertial{}, {wave, flights, kicks, colour, heat}),
                 {.method = Method::aboba, .increments = Increments::five_point, .squares = true, .coarse = true}});
  all.push_back({"phases",
                 make_model({wave, heat, rocking}),
                 {.method = Method::heun, .increments = Increments::five_point, .random_phases = true}});
  Model averaged = mixed();
  averaged.add_observed({{"x*v_x"}, {"y^2"}});
  const ObservableRequest averages("average", {}, {{"a", "x*v_x"}, {"b", "y^2"}});
  all.push_back({"system",
                 averaged,
                 {.method = Method::heun,
                  .increments = Increments::five_point,
                  .squares = true,
                  .marks = true,
                  .formulas = 2,
                  .counters = make_observable(averages)->counters({})}});
  typedef KernelOptions::Seen Seen;
  const Seen difference{.of = Seen::linear_formula, .variables = 3}, sum{.of = Seen::linear_formula, .velocities = 2},
      any{.of = Seen::formula, .variables = 3, .velocities = 1};
  all.push_back({"seen_formula",
                 active_particle(0.3, 2, 0.1, 0.5),
                 {.method = Method::heun,
                  .increments = Increments::near_gaussian,
                  .seen = difference,
                  .counters = counters_of_formula(active_particle(0.3, 2, 0.1, 0.5), difference)}});
  all.push_back({"seen_formula_inertia",
                 two_junctions(),
                 {.method = Method::aboba,
                  .increments = Increments::gaussian,
                  .seen = sum,
                  .counters = counters_of_formula(two_junctions(), sum)}});
  for (const Seen& seen : {difference, any})
    all.push_back({seen.of == Seen::formula ? "seen_kicked" : "seen_formula_kicked",
                   averaged,
                   {.method = Method::heun,
                    .increments = Increments::gaussian,
                    .coarse = true,
                    .seen = seen,
                    .counters = counters_of_formula(mixed(), seen)}});
  Model multiplied = correlated("ito");
  multiplied.add_observed({{"sqrt(x^2 + y^2)"}});
  all.push_back({"seen_multiplied",
                 multiplied,
                 {.method = Method::heun,
                  .increments = Increments::gaussian,
                  .seen = {.of = Seen::formula, .variables = 3},
                  .counters = counters_of_formula(multiplied, any)}});
  const ObservableRequest swing("integral", {}, {{"swing", "cos(2*pi*x)*sin(3*t)"}, {"turn.x", "cos(3*t)"}});
  all.push_back(observing("integrals", dimer(4, 0.3), {"work", "entropy_production", swing}));
  all.push_back(observing("integrals_inertia", two_junctions(),
                          {"heat", {"integral", {}, {{"swing", "v_x*sin(3*t)"}, {"turn.v_x", "v_x"}}}}));
  all.push_back(observing("integrals_driven", make_model(Inertial{}, {wave, heat, rocking}), {"heat", "work", swing}));
  all.push_back(observing("integrals_kicked", mixed(), {{"integral", {}, {{"swing", "v_x*sin(3*t)"}}}}));
  all.back().options.coarse = true;
  Model box = make_model({wave, heat, kicks}), spreading = landauer("ito");
  box.add_walls({"x", "-0.3", "0.4", true}, {});
  spreading.add_walls({"x", "", "0.4", true}, {});
  all.push_back(observing("exits_kicked", box, {"exits"}));
  all.push_back(observing("exits_multiplied", spreading, {"exits"}));
  all.push_back({"system_inertia",
                 two_junctions(),
                 {.method = Method::aboba, .increments = Increments::gaussian, .squares = true, .marks = true}});
  all.push_back({"amplitudes", correlated("ito"), {.method = Method::heun, .increments = Increments::three_point}});
  all.push_back(
      {"multiplied", MultipliedNoise().model(), {.method = Method::heun, .increments = Increments::gaussian}});
  all.push_back({"multiplied_inertia",
                 kicked_by_place(2),
                 {.method = Method::aboba, .increments = Increments::gaussian, .squares = true, .coarse = true}});
  all.push_back({"coarse_system",
                 correlated("anti_ito"),
                 {.method = Method::heun, .increments = Increments::gaussian, .coarse = true}});
  all.push_back({"mean_field", kuramoto(2, 1), {.method = Method::heun, .increments = Increments::five_point}});
  all.push_back(observing("mean_fields", crowd(true), {{"average", {}, {{"a", "m*x"}}}}));
  for (const bool inertial : {false, true})
    all.push_back(observing(inertial ? "network_inertia" : "network", network(inertial),
                            {{"average", {}, {{"a", "m*x"}}}, {"integral", {}, {{"b", "m*y"}}}}));
  PointFacts facts;
  facts.total = 2, facts.paths = 64;
  for (const bool timed : {false, true})
    all.push_back(
        {timed ? "timed_events" : "state_events",
         changed_by_events(timed),
         {.method = Method::heun,
          .increments = Increments::five_point,
          .marks = true,
          .counters =
              make_observable({"events", {{"bins", {4}}, {"range", {1}}}, {{"events", "a,b,c,d"}}})->counters(facts)}});
  for (const bool swings : {false, true})
    all.push_back({swings ? "zeros_in_time" : "zeros",
                   zeros(swings),
                   {.method = Method::heun,
                    .increments = swings ? Increments::gaussian : Increments::five_point,
                    .squares = true,
                    .marks = true}});
  for (const bool inertial : {false, true})
    all.push_back({inertial ? "walls_inertia" : "walls",
                   between_walls(inertial),
                   {.method = Method::heun, .increments = Increments::gaussian, .marks = true}});
  for (const bool coarse : {false, true})
    all.push_back({coarse ? "sticky_walls_coarse" : "sticky_walls",
                   between_sticky_walls(),
                   {.method = Method::heun, .increments = Increments::gaussian, .marks = true, .coarse = coarse}});
  size_t i = 0, k = 0;
  for (Case& one : all)
    one.options.halves = !one.options.coarse && one.options.method != Method::adaptive && k++ % 3 != 0;
  for (Case& one : all)
    if ((i++ % 2 == 0 || one.options.method == Method::adaptive) && one.options.counters.empty())
      one.options.counters = counters_for(one.model, one.options.method == Method::exact);
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::cerr << "kernel_files DIRECTORY\n", 2;
  for (Case& one : cases())
    for (const Dialect dialect : {Dialect::cpu, Dialect::cuda}) {
      one.options.dialect = dialect;
      one.options.group = dialect == Dialect::cpu ? 4 : 1;
      const std::filesystem::path directory =
          std::filesystem::path(arguments[1]) / one.name / (dialect == Dialect::cpu ? "cpu" : "cuda");
      std::filesystem::create_directories(directory);
      for (const char* name : generated_files)
        std::ofstream(directory / name) << generated_file(one.model, one.options, name);
      std::ofstream(directory / "contract.h") << contract_text(one.model, one.options);
    }
}
