#include "plan/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "compose/walk_tables.h"
#include "error.h"
#include "model/walls.h"
#include "observe/jackknife.h"
#include "observe/known.h"
#include "plan/exact.h"
#include "plan/integrals.h"
#include "plan/memory.h"
#include "plan/method.h"
#include "plan/options.h"
#include "plan/results.h"
#include "plan/seen.h"
#include "plan/starts.h"
#include "plan/timing.h"
#include "plan/transient_check.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr unsigned most_threads = 4096;

void check_options(const RunOptions& options) {
  if (options.paths < 1) fail("run: paths must be >= 1, got {}", options.paths);
  if (!(options.transient >= 0 && options.transient < 1))
    fail("run: transient must be in [0, 1), got {}", options.transient);
  if (options.spp && options.dt) fail("run: give spp or dt, not both");
  if (options.periods && options.time) fail("run: give periods or time, not both");
  if (options.threads > most_threads) fail("run: threads must be at most {}, got {}", most_threads, options.threads);
  if (options.replicas && *options.replicas < 1) fail("run: replicas must be >= 1, got {}", *options.replicas);
  const uint64_t least = options.paths * options.replicas.value_or(1);
  if (options.limit > 0 && options.limit < least)
    fail("run: limit must be at least {} = {}, got {}", options.replicas ? "paths * replicas" : "paths", least,
         options.limit);
  if (options.limit > 0 && options.targets.empty() && options.tolerances.empty())
    fail("run: limit is the most paths for a target or a tolerance, and there is neither; got {}", options.limit);
  check_numbers(options);
}

/// model, options: of another point, which become those of this one.
Point evaluate_point(Model& model, RunOptions& options, const Needs& needs, const Sweep& sweep, size_t index) {
  for (size_t i = 0; i < sweep.names().size(); ++i) {
    const std::string& name = sweep.names()[i];
    const double value = sweep.values()[i][index];
    if (is_per_point(name))
      set_number(options, name, value);
    else
      model.set(name, value);
  }
  check_options(options);
  Point point;
  point.asked = options;
  point.values = evaluate(model);
  if (needs.force_step) {
    const double force = point.values.only().force;
    model.set("force", force + *needs.force_step);
    point.perturbed = std::make_shared<const ModelValues>(evaluate(model));
    model.set("force", force);
  }
  set_starts(model, options, point);
  return point;
}

void evaluate_points(Plan& plan, const Sweep& sweep) {
  Patience patience("the evaluation", sweep.points());
  plan.points.resize(sweep.points());
  in_parts(plan, sweep.points(), patience, [&](size_t from, size_t to) {
    Model model = plan.model;
    RunOptions options = plan.options;
    options.starts = plan.starts;
    for (size_t i = from; i < to; ++i) {
      Point& point = plan.points[i];
      at_point(sweep, i, [&] { point = evaluate_point(model, options, plan.needs, sweep, i); });
      if (i > from && point.values.arrays_of == plan.points[i - 1].values.arrays_of)
        point.values.arrays_of = plan.points[i - 1].values.arrays_of;
    }
  });
}

PointFacts facts_of(const EnsemblePlan& plan, const Point& point) {
  const Model& model = plan.model;
  const PointTime& time = point.time;
  PointFacts facts{{}, time.dt * point.substeps, time.transient * time.dt, time.steps * time.dt, point.window_steps()};
  const double fewest = fewest_for_squares(model, point.values);
  std::vector<VariableFacts> variables;
  for (size_t i = 0; i < point.values.variables.size(); ++i) {
    const VariableValues& one = point.values.variables[i];
    variables.push_back({one.period, one.mass, one.gamma, one.force, thermal_intensity(model, point.values, i),
                         grid_of(point.x[i]), grid_of(point.v[i]), fewest});
  }
  for (const StateFormula& formula : plan.formulas)
    variables.push_back({.thermal = thermal_intensity(formula, model, point.values, variables),
                         .fewest_for_squares = std::max(fewest, fewest_for_squares(formula, point.values))});
  if (!plan.needs.integrals.empty() && has_fixed_energy(model))
    variables[0].energy = potential_functions(model, point.values).energy;
  static_cast<VariableFacts&>(facts) = variables[0];
  if (variables.size() > 1) facts.several = std::move(variables);
  if (const Component* absorbing = model.absorbing()) {
    const Walls walls(model, point.values, *absorbing);
    facts.exits = {true, walls.low, walls.high};
  }
  facts.of_state = model.is_system() || model.has_amplitude();
  facts.free = model.is_free();
  facts.drive_period = drive_period(model, point.values);
  set_tail(model, point.values, facts);
  return facts;
}

/// Throws Error if an observable needs forces without jumps, and one may jump, or kicks depend on the state.
void check_jumps(const EnsemblePlan& plan) {
  for (const auto& observable : plan.observables) {
    if (!observable->needs().smooth) continue;
    if (!plan.model.events().empty())
      fail("observe.{}: it follows forces, and not what events set; the model has events.{}", observable->name(),
           plan.model.events()[0]->name);
    if (!plan.model.walls().empty())
      fail("observe.{}: it follows forces, and not walls; the model has some", observable->name());
    if (plan.together())
      fail("observe.{}: it follows one path, and not what its system does; the model has mean fields",
           observable->name());
    for (const Component& noise : plan.model.components()) {
      const Component* amplitude = plan.model.amplitude_of(noise);
      const bool kicks = noise.plugin->has(BM_EVENTS) && !noise.plugin->has(BM_MODULATES);
      if (amplitude == nullptr || !kicks) continue;
      const StateFunctions& b = *amplitude->plugin->state_functions();
      if (b.reads_variables() != 0 || b.reads_velocities_of() != 0)
        fail("observe.{}: kicks must not depend on the state, whose slopes it follows only through forces; got {}",
             observable->name(), subject_of(noise));
    }
    for (const Point& point : plan.points) {
      const std::string& jumps = point.values.jumps;
      if (jumps.empty()) continue;
      if (plan.model.is_system() || point.values.smooth)
        fail(
            "observe.{}: forces and amplitudes must be continuous, since their slope is infinite where they jump; {} "
            "may jump",
            observable->name(), jumps);
      fail("observe.{}: V' must be continuous, since V'' is infinite at a kink; {} may have kinks", observable->name(),
           jumps);
    }
  }
}

void add_needs(EnsemblePlan& plan, const Observable& observable) {
  const Needs asked = observable.needs();
  if (asked.squares && !plan.model.underdamped())
    fail("observe: {} is for underdamped models; the model is overdamped", observable.name());
  plan.kernel.squares |= asked.squares;
  plan.kernel.push |= asked.moments;
  if (asked.steps) plan.needs.steps = true;
  plan.needs.law |= asked.law;
  plan.needs.early_law |= asked.early_law;
  plan.needs.moments |= asked.moments;
  plan.needs.windows |= asked.windows;
  plan.needs.integrals.insert(plan.needs.integrals.end(), asked.integrals.begin(), asked.integrals.end());
  for (const double level : asked.levels)
    if (std::ranges::count(plan.kernel.levels, level) == 0) plan.kernel.levels.push_back(level);
  if (asked.force_step) plan.needs.force_step = asked.force_step;
}

/// Places the marks of all observables, each at the whole step nearest to its time. Marks at the same step are one.
void place_marks(const EnsemblePlan& plan, Point& point) {
  point.facts = facts_of(plan, point);
  if (!makes_steps(plan.kernel.method)) point.facts.push = mean_push(plan.model, point.values);
  if (plan.kernel.method == Method::exact) point.facts.edges = edges_of(plan.model, point.values);
  if (plan.kernel.method == Method::walk) {
    point.facts.tick = point.time.dt;
    point.facts.walked_edges = walked_pieces(plan.model, point.values, plan.kernel.levels).edge;
  }
  point.facts.paths = static_cast<double>(plan.paths);
  point.facts.constants = constants_at(plan, point.values);
  std::vector<std::vector<double>> steps(plan.observables.size());
  for (size_t i = 0; i < plan.observables.size(); ++i)
    for (const double time : plan.observables[i]->times(point.facts))
      steps[i].push_back(std::min(std::round(time / point.facts.dt) * point.substeps, point.time.steps));
  place_marks_at(point, steps);
}

/// Tells observables of events what these are called.
void name_events(const Model& model, ObservableRequest& request) {
  if (!observable_kind(request.name).of_events) return;
  std::vector<std::string> names;
  for (const Component* event : model.events()) names.push_back(event->name);
  if (names.empty()) fail("observe.events: the model has no events");
  request.words["events"] = fmt::format("{}", fmt::join(names, ","));
}

/// Where paths end at walls, runs observe when and where, and what is not of ends.
void observe_exits(const Model& model, std::vector<ObservableRequest>& requests) {
  const Component* walls = model.absorbing();
  const std::string variable = walls == nullptr ? "" : model.variables()[walls->variable].name;
  for (ObservableRequest& one : requests) {
    const ObservableKind& kind = observable_kind(one.name);
    if (kind.of_exits && walls == nullptr) fail("observe.{}: the model has no walls that absorb", one.name);
    if (kind.of_exits && !one.words.contains("of") && model.is_system()) one.words["of"] = variable;
    if (kind.of_exits && model.is_system() && one.words["of"] != variable)
      fail("observe.{}: of must be the variable with walls that absorb, {}, got {}", one.name, variable,
           one.words["of"]);
    if (walls != nullptr && !kind.of_ending_paths)
      fail(
          "observe.{}: paths end at the walls of {}, which absorb; exits tells when and where, paths shows them, and "
          "density, with times, where those are that have not ended",
          one.name, variable);
  }
  if (walls == nullptr || std::ranges::count(requests, "exits", &ObservableRequest::name) > 0) return;
  requests.emplace_back("exits");
  if (model.is_system()) requests.back().words["of"] = variable;
}

void observe(EnsemblePlan& plan) {
  observe_exits(plan.model, plan.requests);
  std::vector<ObservedVariable> variables = observed_variables(plan.model);
  const std::vector<std::string> definitions = definition_names(plan.model);
  std::vector<ObservableRequest> of_each;
  for (ObservableRequest& request : plan.requests) name_events(plan.model, request);
  for (const auto& request : plan.requests)
    for (ObservableRequest& one : of_each_variable(request, variables, definitions)) of_each.push_back(std::move(one));
  plan.requests = std::move(of_each);
  name_times(plan.requests);
  for (const ObservedVariable& one : variables)
    if (one.is_formula())
      plan.formulas.emplace_back(plan.model, one.formula, fmt::format("observe.{}: of", one.asked_by));
  for (const auto& request : plan.requests) plan.observables.push_back(make_observable(request, variables));
  for (size_t i = 0; i < plan.observables.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (plan.observables[i]->name() == plan.observables[k]->name())
        fail("observe: '{}' is asked for twice", plan.observables[i]->name());
  for (const auto& observable : plan.observables) add_needs(plan, *observable);
  std::vector<ObservedFormula> followed;
  for (const auto& observable : plan.observables)
    for (const std::string& formula : observable->needs().formulas) followed.push_back({formula});
  check_constants(plan);
  choose_integrals(plan, followed.size());
  for (const PathIntegral& one : integrals_of(plan))
    if (one.of == PathIntegral::of_formula) followed.push_back({one.formula, one.subject, true});
  plan.kernel.at_events = followed.size();
  for (const auto& observable : plan.observables)
    for (const std::string& formula : observable->needs().at_events)
      followed.push_back({formula, "observe.events: value", false, false});
  if (const StateFormula* seen = seen_formula(plan); seen != nullptr && !seen->linear())
    followed.push_back({seen->text()});
  if (!followed.empty() && plan.model.observed() == nullptr) plan.model.add_observed(followed);
  choose_integral_rules(plan);
}

/// Variables are folded as one kernel does it for all points: together if so at any point, and only if folded at all.
void settle_folds(Plan& plan) {
  const size_t n = plan.points[0].values.variables.size();
  std::vector<int> group(n);
  std::iota(group.begin(), group.end(), 0);
  std::vector<bool> folded(n, true);
  const auto join = [&](int a, int b) { std::replace(group.begin(), group.end(), std::max(a, b), std::min(a, b)); };
  for (const Point& point : plan.points)
    for (size_t i = 0; i < n; ++i) {
      const int with = point.values.variables[i].folds_with;
      if (with == VariableValues::unfolded)
        folded[i] = false;
      else
        join(group[i], group[static_cast<size_t>(with)]);
    }
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k)
      if (group[i] == group[k] && !folded[k]) folded[i] = false;
  for (Point& point : plan.points)
    for (size_t i = 0; i < n; ++i)
      point.values.variables[i].folds_with = folded[i] ? group[i] : VariableValues::unfolded;
  // A kernel keeps whole periods at all points or at none.
  for (const Point& point : plan.points)
    if (point.values.keeps_periods != plan.points[0].values.keeps_periods)
      for (Point& any : plan.points)
        for (VariableValues& one : any.values.variables) one.folds_with = VariableValues::unfolded;
}

void check_tolerance_sweep(const Sweep& sweep) {
  for (const auto& name : sweep.names())
    if (name == "dt" || name == "spp") fail("run: a tolerance chooses the step: {} cannot be swept", name);
}

// The links of the chain by which a plan is made. Each is made of the one before, which is gone then: what a step of
// the plan may rely on is its argument's type.

/// What the script asks for, checked as far as that is possible without points.
struct Asked {
  Plan plan;
};
/// With observables, and what these and the method need of a kernel.
struct Observed {
  Plan plan;
};
/// With the values of all points.
struct Evaluated {
  Plan plan;
};
/// With the method, and whether all that is observed can be had by it.
struct Settled {
  Plan plan;
  ForceShapes shapes;
};
/// With steps, precision and marks.
struct Timed {
  Plan plan;
};

Asked ask(const Model& model, const Sweep& sweep, const RunOptions& options) {
  Plan plan;
  plan.model = model;
  plan.options = options;
  plan.paths = options.paths;
  if (plan.together())
    plan.replicas = options.replicas.value_or(default_replicas);
  else if (options.replicas)
    fail("run: replicas are of models with mean fields, whose paths are one system; here each path is one: give paths");
  plan.pools = plan.together() || is_coupled(options) || !options.targets.empty();
  plan.execution = options;
  plan.requests = options.observables;
  if (plan.requests.empty() && model.absorbing() == nullptr) plan.requests.emplace_back("velocity");
  if (!options.tolerances.empty()) check_tolerance_sweep(sweep);
  check_options(options);
  check_starts(model, options);
  for (const auto& name : sweep.names())
    if (!is_per_point(name)) model.check_sweepable(name);
  return {std::move(plan)};
}

void begin_where_observables_ask(Plan& plan) {
  plan.starts = plan.options.starts;
  for (const auto& observable : plan.observables) {
    const auto from = observable->needs().start_x;
    if (!from) continue;
    const std::string& variable = plan.model.variables()[observable->variable()].name;
    if (plan.options.starts.contains(variable) || plan.options.uniform_starts.contains(variable))
      fail("observe.{}: from and initial {} of the run exclude each other", observable->name(), variable);
    plan.starts[variable] = StartLaw{*from, 0, 0, 0};
  }
}

/// Marks and counters of the kernel, and the most paths.
void choose_what_is_kept(Plan& plan) {
  plan.kernel.marks = !plan.points[0].marks.empty();
  plan.kernel.formulas = plan.formulas.size();
  plan.kernel.counters = counters_of(plan, plan.points[0]);
  choose_halves(plan);
  // paths with coarse steps cost about a hundredth of the others
  const uint64_t times = plan.options.tolerances.empty() ? 100 : 10000;
  plan.limit = plan.options.limit > 0 ? plan.options.limit : times * plan.options.paths * plan.replicas;
}

void note_doubts(Plan& plan) {
  if (const std::string text = unused_starts_text(plan.options); !text.empty()) plan.warnings.push_back(text);
  if (plan.together() && plan.replicas < fewest_parts)
    plan.warnings.push_back(
        fmt::format("run: replicas = {}: standard errors, which are the scatter of replicas, need at least {}",
                    plan.replicas, fewest_parts));
}

Observed observe(Asked asked, const Sweep& sweep) {
  Plan& plan = asked.plan;
  observe(plan);
  choose_kernel(plan, sweep);
  for (const Target& tolerance : plan.options.tolerances) plan.column(tolerance.column);
  begin_where_observables_ask(plan);
  if (plan.kernel.method == Method::adaptive) plan.local_error = plan.options.local_error.value_or(default_local_error);
  return {std::move(plan)};
}

Evaluated evaluate(Observed observed, const Sweep& sweep) {
  Plan& plan = observed.plan;
  evaluate_points(plan, sweep);
  settle_folds(plan);
  for (const Point& point : plan.points) plan.smooth = plan.smooth && point.values.smooth;
  return {std::move(plan)};
}

Settled settle(Evaluated evaluated) {
  Plan& plan = evaluated.plan;
  ForceShapes shapes;
  settle_method(plan, shapes);
  check_jumps(plan);
  check_integrals(plan);
  choose_seen(plan);
  look_at_walls(plan);
  choose_increments(plan);
  check_seen(plan);
  return {std::move(plan), std::move(shapes)};
}

Timed place_in_time(Settled settled, const Sweep& sweep) {
  Plan& plan = settled.plan;
  place_in_time(plan, sweep, settled.shapes);
  Patience patience("the choice of marks", plan.points.size());
  in_parts(plan, plan.points.size(), patience, [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) place_marks(plan, plan.points[i]);
  });
  settle_increments(plan, settled.shapes);
  return {std::move(plan)};
}

/// What can be wrong with all of it, and what the kernel keeps.
Plan complete(Timed timed, const Sweep& sweep) {
  Plan& plan = timed.plan;
  check_energies(plan);
  check_names_of_results(plan, sweep);
  check_targets(plan);
  check_fits(plan, sweep);
  choose_what_is_kept(plan);
  note_doubts(plan);
  return std::move(plan);
}

}  // namespace

double Plan::total_steps() const {
  double sum = 0;
  for (const auto& point : points) sum += point.time.steps;
  const double lengths = options.step_error ? 4.5 : options.tolerances.empty() ? 1 : 10;  // two pairs; three levels
  return sum * static_cast<double>(paths * replicas) * (needs.force_step ? 2 : 1) * lengths;
}

void place_marks_at(Point& point, const std::vector<std::vector<double>>& steps) {
  struct Mark {
    double step;
    size_t observable;
  };
  std::vector<Mark> all;
  for (size_t i = 0; i < steps.size(); ++i)
    for (const double step : steps[i]) all.push_back({step, i});
  std::stable_sort(all.begin(), all.end(), [](const Mark& a, const Mark& b) { return a.step < b.step; });
  point.marks.clear();
  point.marks_of.assign(steps.size(), {});
  for (const Mark& mark : all) {
    if (point.marks.empty() || mark.step > point.marks.back()) point.marks.push_back(mark.step);
    point.marks_of[mark.observable].push_back(static_cast<uint32_t>(point.marks.size() - 1));
  }
}

size_t EnsemblePlan::most_marks() const {
  size_t most = 0;
  for (const auto& point : points) most = std::max(most, point.marks.size());
  return most;
}

size_t EnsemblePlan::column(std::string_view name) const {
  std::vector<std::string> known;
  for (const auto& observable : observables)
    for (const std::string& column : observable->columns()) known.push_back(column);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    fail("run: no error of '{}' can be asked for, which is not observed; observed: {}", name, fmt::join(known, ", "));
  return static_cast<size_t>(found - known.begin());
}

std::vector<ObservedVariable> observed_variables(const Model& model) {
  std::vector<ObservedVariable> all;
  if (!model.is_system()) return all;
  for (const ModelVariable& one : model.variables()) all.push_back({one.name, one.inertial});
  return all;
}

std::vector<std::string> definition_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& [name, text] : model.definitions()) names.push_back(name);
  return names;
}

std::string velocity_name(const Model& model, size_t variable) {
  return model.is_system() ? "v_" + model.variables()[variable].name : "v";
}

PointFacts facts_of_all(const EnsemblePlan& plan) {
  PointFacts first = plan.points[0].facts;
  first.same_times = std::all_of(plan.points.begin(), plan.points.end(), [&](const Point& point) {
    const PointFacts& one = point.facts;
    return one.dt == first.dt && one.transient == first.transient && one.total == first.total;
  });
  return first;
}

std::vector<Counter> counters_of(const EnsemblePlan& plan, const Point& point) {
  std::vector<Counter> all;
  for (const auto& observable : plan.observables)
    for (Counter& counter : observable->counters(point.facts)) all.push_back(std::move(counter));
  if (auto integrals = integral_counter(plan, point)) all.push_back(std::move(*integrals));
  if (auto seen = seen_counter(plan, point)) all.push_back(std::move(*seen));
  return all;
}

size_t sums_per_share(const KernelOptions& kernel) {
  size_t sums = 0;
  for (const Counter& counter : kernel.counters) sums += counter.sums;
  return sums;
}

void set_transient(const EnsemblePlan& plan, Point& point, double steps) {
  point.time.transient = steps;
  keep_whole_periods(plan, point);
  place_middle(plan, point);
  place_marks(plan, point);
}

EnsemblePlan same_model(const EnsemblePlan& plan, std::vector<ObservableRequest> requests, uint64_t paths) {
  EnsemblePlan same;
  same.model = plan.model;  // with its averages, whether they are asked for or not: points have values for them
  same.kernel = plan.kernel;
  same.smooth = plan.smooth;
  same.paths = paths;
  same.replicas = plan.replicas;
  same.pools = plan.pools;
  same.local_error = plan.local_error;
  same.execution = plan.execution;
  same.requests = std::move(requests);
  observe(same);
  return same;
}

EnsemblePlan refined(const EnsemblePlan& plan, unsigned level, uint64_t paths) {
  EnsemblePlan finer = same_model(plan, plan.requests, paths);
  finer.points = plan.points;
  const double factor = std::ldexp(1.0, static_cast<int>(level));
  for (Point& point : finer.points) {
    point.substeps = factor;
    point.time = {point.time.dt / factor, point.time.steps * factor, point.time.transient * factor,
                  point.time.middle < bmsim_abi::NEVER ? point.time.middle * factor : bmsim_abi::NEVER};
    if (point.time.steps > most_steps) fail("run: at most 2^48 steps, got {} (dt {})", point.time.steps, point.time.dt);
    place_marks(finer, point);
  }
  return finer;
}

Plan make_plan(const Model& model, const Sweep& sweep, const RunOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  constexpr size_t many = 10'000;  // points, which take seconds
  if (sweep.points() > many) check_fits(make_plan(model, sweep.only(0), options), sweep);
  Observed observed = observe(ask(model, sweep, options), sweep);
  Settled settled = settle(evaluate(std::move(observed), sweep));
  Plan plan = complete(place_in_time(std::move(settled), sweep), sweep);
  plan.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return plan;
}

}  // namespace bmsim
