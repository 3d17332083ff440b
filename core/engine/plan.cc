#include "engine/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/exact.h"
#include "error.h"

namespace bmsim {

namespace {

constexpr double most_steps = 281474976710656.0;  // 2^48: so many increments have random numbers of their own
constexpr double most_periods = 1e9;              // and so many events
constexpr unsigned most_threads = 4096;

bool is_time(std::string_view name) { return name == "dt" || name == "spp" || name == "time" || name == "periods"; }

void set_time(RunOptions& options, std::string_view name, double value) {
  if (name == "dt") options.dt = value;
  if (name == "spp") options.spp = value;
  if (name == "time") options.time = value;
  if (name == "periods") options.periods = value;
}

void check_positive(std::string_view name, const std::optional<double>& value) {
  if (value && !(*value > 0 && std::isfinite(*value))) fail("run: {} must be > 0 and finite, got {}", name, *value);
}

void check_options(const RunOptions& options) {
  if (options.paths < 1) fail("run: paths must be >= 1, got {}", options.paths);
  if (!(options.transient >= 0 && options.transient < 1))
    fail("run: transient must be in [0, 1), got {}", options.transient);
  if (options.spp && options.dt) fail("run: give spp or dt, not both");
  if (options.periods && options.time) fail("run: give periods or time, not both");
  if (options.threads > most_threads) fail("run: threads must be at most {}, got {}", most_threads, options.threads);
  if (options.limit > 0 && options.limit < options.paths)
    fail("run: limit must be at least paths = {}, got {}", options.paths, options.limit);
  check_positive("spp", options.spp);
  if (options.spp && *options.spp < 1) fail("run: spp must be >= 1, got {}", *options.spp);
  check_positive("dt", options.dt);
  check_positive("periods", options.periods);
  check_positive("time", options.time);
}

// dt and the number of steps of a point whose options and time scale are known.
PointTime point_time(const RunOptions& options, double time_scale) {
  const bool has_scale = std::isfinite(time_scale);
  if (!has_scale) {
    constexpr std::string_view why = "no component of the model has a time scale";
    if (options.spp) fail("run: spp counts steps per period, but {}; give dt instead", why);
    if (options.periods) fail("run: periods counts time scales, but {}; give time instead", why);
    if (!options.dt) fail("run: give dt: {}", why);
    if (!options.time) fail("run: give time: {}", why);
  }
  PointTime time;
  time.dt = options.dt ? *options.dt : time_scale / options.spp.value_or(default_spp);
  const double duration = options.time ? *options.time : options.periods.value_or(default_periods) * time_scale;
  time.steps = std::round(duration / time.dt);
  time.transient = std::floor(options.transient * time.steps);
  if (time.steps < 1) fail("run: it must last at least one step, but time {} is shorter than dt {}", duration, time.dt);
  if (time.steps > most_steps) fail("run: at most 2^48 steps, got {} (time {}, dt {})", time.steps, duration, time.dt);
  if (has_scale && duration / time_scale > most_periods)
    fail("run: at most 10^9 of the model's time scale, got {} (time {}, time scale {})", duration / time_scale,
         duration, time_scale);
  return time;
}

/// D of all Gaussian white noise together: the temperature is D / gamma.
double thermal_intensity(const Model& model, const ModelValues& values) {
  double intensity = 0;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Plugin& plugin = *model.components()[k].plugin;
    if (plugin.has(BM_SIGMA)) intensity += plugin.intensity(values.values[k].data()).value_or(0);
  }
  return intensity;
}

/// Maxwell's.
StartLaw thermal_law(const Model& model, const ModelValues& values) {
  if (!(values.gamma > 0)) return {};
  return {0, 0, std::sqrt(thermal_intensity(model, values) / values.gamma / values.mass), 0};
}

Point evaluate_point(Model model, RunOptions options, const Needs& needs, const Sweep& sweep, size_t index) {
  try {
    for (size_t i = 0; i < sweep.names().size(); ++i) {
      const std::string& name = sweep.names()[i];
      const double value = sweep.values()[i][index];
      if (is_time(name))
        set_time(options, name, value);
      else
        model.set(name, value);
    }
    check_options(options);
    Point point;
    point.values = evaluate(model);
    if (needs.force_step) {
      model.set("force", point.values.force + *needs.force_step);
      point.pushed = evaluate(model);
    }
    point.time = point_time(options, point.values.time_scale);
    point.x = options.start_x.value_or(StartLaw{0, point.values.period, 0, 0});
    if (point.values.underdamped) point.v = options.start_v.value_or(thermal_law(model, point.values));
    return point;
  } catch (const Error& error) {
    if (sweep.names().empty()) throw;
    throw Error(fmt::format("{} (at {})", error.what(), sweep.describe(index)), error.status());
  }
}

/// What the founding paper's algorithms know nothing of.
const char* unknown_to_paper(const Model& model) {
  if (model.underdamped()) return "an underdamped model";
  for (const Component& one : model.components()) {
    if (one.modulates) return "a modulated potential";
    if (one.plugin->has(BM_EVOLVE | BM_INCREMENT)) return "coloured or Levy noise";
    if ((*one.plugin)->kind == BM_POTENTIAL && !one.plugin->phases_wrap().empty())
      return "a potential that depends on time";
  }
  return nullptr;
}

void check_method(const Model& model, Method method) {
  if (method == Method::aboba && !model.underdamped())
    fail("run: method aboba is for underdamped models; the model is overdamped");
  if (method == Method::exact) check_exact(model);
  if (method != Method::paper) return;
  if (const char* what = unknown_to_paper(model)) fail("run: method paper does not know {}", what);
}

PointFacts facts_of(const Model& model, const Point& point) {
  const PointTime& time = point.time;
  PointFacts facts{time.dt,
                   time.transient * time.dt,
                   time.steps * time.dt,
                   point.window_steps(),
                   point.values.period,
                   0,
                   point.values.underdamped ? point.values.mass : 0,
                   point.values.gamma,
                   point.values.force,
                   thermal_intensity(model, point.values)};
  double shortest = std::numeric_limits<double>::infinity();
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k)
    if ((*components[k].plugin)->kind == BM_DRIVE)
      shortest = std::min(shortest, components[k].plugin->time_scale(point.values.values[k].data()));
  if (std::isfinite(shortest)) facts.drive_period = shortest;
  return facts;
}

std::vector<double> grid_of(const StartLaw& law) {
  std::vector<double> values(law.count);
  for (uint32_t i = 0; i < law.count; ++i) values[i] = law.centre + law.width * ((i + 0.5) / law.count - 0.5);
  return values;
}

/// Adds what an observable needs to what the others do.
void add_needs(Plan& plan, const Observable& observable) {
  const Needs asked = observable.needs();
  if (asked.squares && !plan.model.underdamped())
    fail("observe: {} is for underdamped models; the model is overdamped", observable.name());
  if (asked.start_x && plan.options.start_x)
    fail("observe.{}: from and initial x of the run exclude each other", observable.name());
  plan.kernel.squares |= asked.squares;
  plan.kernel.lyapunov |= asked.lyapunov;
  plan.needs.windows |= asked.windows;
  if (asked.passage) plan.needs.passage = asked.passage, plan.kernel.passage = true;
  if (asked.residence) plan.needs.residence = asked.residence, plan.kernel.residence = true;
  if (asked.start_x) plan.needs.start_x = asked.start_x;
  if (asked.force_step) plan.needs.force_step = asked.force_step;
}

/// The marks of all observables together, each at the whole step next to its time.
void place_marks(const Plan& plan, Point& point) {
  point.facts = facts_of(plan.model, point);
  point.marks.clear();
  point.marks_of.clear();
  point.facts.paths = static_cast<double>(plan.options.paths);
  point.facts.grid_x = grid_of(point.x);
  point.facts.grid_v = grid_of(point.v);
  struct Mark {
    double step;
    size_t observable;
  };
  std::vector<Mark> all;
  for (size_t i = 0; i < plan.observables.size(); ++i)
    for (const double time : plan.observables[i]->times(point.facts))
      all.push_back({std::min(std::round(time / point.time.dt), point.time.steps), i});
  std::stable_sort(all.begin(), all.end(), [](const Mark& a, const Mark& b) { return a.step < b.step; });
  point.marks_of.resize(plan.observables.size());
  for (const Mark& mark : all) {
    point.marks_of[mark.observable].push_back(static_cast<uint32_t>(point.marks.size()));
    point.marks.push_back(mark.step);
  }
}

KernelOptions choose_kernel(const Model& model, const RunOptions& options) {
  KernelOptions kernel;
  kernel.method = options.method != "auto" ? method_of(options.method)
                  : model.underdamped()    ? Method::aboba
                                           : Method::heun;
  check_method(model, kernel.method);
  kernel.random_phases = options.random_phases;
  if (options.precision == "double")
    kernel.precision = Precision::double_precision;
  else if (options.precision != "single")
    fail("run: unknown precision '{}'; known: single, double", options.precision);
  const Increments asked = options.increments == "auto" ? Increments::none : increments_of(options.increments);
  if (!has_gaussian(model)) return kernel;
  if (asked != Increments::none)
    kernel.increments = asked;
  else if (kernel.method == Method::paper)
    kernel.increments = Increments::three_point;
  else if (((*model.potential().plugin)->flags & BM_SMOOTH) != 0)
    kernel.increments = Increments::five_point;
  else
    kernel.increments = Increments::near_gaussian;
  return kernel;
}

}  // namespace

double Plan::total_steps() const {
  double sum = 0;
  for (const auto& point : points) sum += point.time.steps;
  return sum * static_cast<double>(options.paths) * (needs.force_step ? 2 : 1);
}

size_t Plan::column(std::string_view name) const {
  std::vector<std::string> known;
  for (const auto& observable : observables)
    for (const std::string& column : observable->columns()) known.push_back(column);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) fail("run: target: '{}' is not observed; observed: {}", name, fmt::join(known, ", "));
  return static_cast<size_t>(found - known.begin());
}

void observe(Plan& plan) {
  auto requests = plan.options.observables;
  if (requests.empty()) requests.emplace_back("velocity");
  for (const auto& request : requests) {
    plan.observables.push_back(make_observable(request));
    add_needs(plan, *plan.observables.back());
  }
}

void set_transient(const Plan& plan, Point& point, double steps) {
  point.time.transient = steps;
  place_marks(plan, point);
}

Plan make_plan(const Model& model, const Sweep& sweep, const RunOptions& options) {
  Plan plan;
  plan.model = model;
  plan.options = options;
  check_options(options);
  if (options.start_v && !model.underdamped())
    fail("run: initial v is for underdamped models; the model is overdamped");
  for (const auto& name : sweep.names())
    if (!is_time(name)) model.check_sweepable(name);
  plan.kernel = choose_kernel(model, options);
  observe(plan);
  for (const Target& target : options.targets) plan.column(target.column);
  if (plan.needs.start_x) plan.options.start_x = StartLaw{*plan.needs.start_x, 0, 0, 0};
  plan.points.reserve(sweep.points());
  for (size_t i = 0; i < sweep.points(); ++i) {
    plan.points.push_back(evaluate_point(model, plan.options, plan.needs, sweep, i));
    if (plan.kernel.method == Method::exact) check_exact(model, plan.points.back().values, plan.kernel);
    place_marks(plan, plan.points.back());
  }
  plan.kernel.marks = !plan.points[0].marks.empty();
  if (plan.options.limit == 0) plan.options.limit = 100 * options.paths;
  return plan;
}

}  // namespace bmsim
