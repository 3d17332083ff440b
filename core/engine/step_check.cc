#include "engine/step_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

#include "compose/trajectory.h"
#include "engine/angles.h"
#include "hypotenuse.h"
#include "model/events.h"
#include "observe/known.h"
#include "observe/quantiles.h"

namespace bmsim {

namespace {

constexpr double steps_share = 0.045;  // steps of the check over those of the run
// Where a point's step is above this part of the longest one, its error may be as large with steps twice as long: parts
// of higher order cancel that of second order. There some paths make steps three times as long, too. Default steps are
// shorter.
constexpr double coarse_part = 0.3;
constexpr double thrice = 3, least_of_thrice = 0.95;
constexpr double steps_share_beside_thrice = 0.04, steps_share_of_thrice = 0.01;
constexpr uint64_t least_paths_of_thrice = 16;
// The same of a brief run whose step was given and is longer than the default, which would have cost more. It is likely
// to be wrong, and more paths see an error of four or five standard errors.
constexpr double steps_share_of_given = 0.3;
// Lane groups of the check over those of the run. On a CPU a longer step takes up to 1.5 times as long, because of its
// events.
constexpr double time_share = 0.065;
// Paths of the check over those of the run where they are recorded: to record and to reduce a path costs the same in
// both.
constexpr double recorded_share = 0.09;
constexpr uint64_t least_paths = 32;   // fewest whose scatter gives an error
constexpr double brief = 1e8;          // steps: a shorter run may cost twice as much
constexpr double false_alarms = 0.01;  // their probability in a run, over all points and columns
constexpr size_t least_points = 8;     // fewest points that are judged together
// Paths that begin at one place without noise all have one value: nothing scatters beyond rounding. Part of the value
// up to which an error of the step is then as good as none, about what default steps make.
constexpr double allowed_part = 0.01;
constexpr double rounding_part = 1e-6;
// The error of a step so long that motion hardly allows it is not of the order that it is extrapolated with: part of it
// that is in doubt then, over the part that the step is of the longest one. In tilted sines it is too small by 10 to 30
// % at half of the longest step, by 40 % at 0.8 of it, by 55 % at 1.07 of it.
constexpr double doubtful_part = 0.75;
// Share numbers of the check. They differ from those of the run and of step levels (engine/levels.cc), so that all
// ensembles are independent.
constexpr uint64_t first_share = uint64_t{15} << 38, first_share_of_thrice = uint64_t{14} << 38,
                   first_share_between = uint64_t{13} << 38;
// An error of first order is believed unless steps of a length between differ from the run by less than it says, by
// more than so many standard errors.
constexpr double sure_of_order = 2;
constexpr double highest_order = 8;

/// Whether forces or noise change with t by themselves.
bool varies(const EnsemblePlan& plan) {
  return std::ranges::any_of(plan.model.components(), [](const Component& one) {
    return (*one.plugin)->kind != observed_kind && one.plugin->depends_on_time();
  });
}

/// Wanted ratio of the longer step to the step of the run. With the order of the error it makes the error four times as
/// large. What changes with t must not be met at the same phases by both: pulses between the steps of one, or periods
/// that are whole numbers of steps, are seen by the other.
double longer_by(const EnsemblePlan& plan, const Point& point) {
  if (has_events_at_ends(plan.model)) return point.error_order <= 1 ? 4 : 2;
  const double more = varies(plan) ? std::sqrt(5.0) / 2 : 1;
  return more * (point.error_order <= 1 ? 4 : 2);
}

/// Whether steps of two lengths do not suffice.
bool is_coarse(const Plan& plan, const Point& point) {
  return !plan.together() && point.error_order > 1 && point.of_longest > coarse_part;
}

/// Number of points, of shares of each, and of their paths, that the cost allows. shares 0: as many as the run has.
struct Size {
  uint64_t points = 0, paths = 0, shares = 0;
};
/// The same where paths are systems, of which whole ones are run again: fewest_parts at every point, or at some.
Size affordable_systems(const Plan& plan, const std::vector<double>& ratios) {
  if (plan.replicas < fewest_parts) return {};
  double steps = 0, longer_steps = 0;
  for (size_t i = 0; i < plan.points.size(); ++i)
    steps += plan.points[i].time.steps, longer_steps += plan.points[i].time.steps / ratios[i];
  const uint64_t points = plan.points.size();
  if (steps * static_cast<double>(plan.paths * plan.replicas) < brief) return {points, plan.paths, fewest_parts};
  const auto systems =
      static_cast<uint64_t>(steps_share * steps / longer_steps * static_cast<double>(points * plan.replicas));
  if (systems < fewest_parts) return {};
  return {std::min(points, systems / fewest_parts), plan.paths, std::max<uint64_t>(fewest_parts, systems / points)};
}
/// Nodes of the grid of initial values at a point, from which paths begin in turn.
uint64_t nodes_of(const Point& point) {
  uint64_t nodes = 1;
  for (const auto* laws : {&point.x, &point.v})
    for (const StartLaw& law : *laws) nodes *= std::max<uint64_t>(1, law.count);
  return nodes;
}
Size affordable(const Plan& plan, const std::vector<double>& ratios, uint64_t lanes) {
  const auto paths = static_cast<double>(plan.paths), points = static_cast<double>(plan.points.size());
  const auto whole = [](double x) { return static_cast<uint64_t>(std::max(0.0, std::floor(x))); };
  if (plan.paths < least_paths) return {};
  double steps = 0, longer_steps = 0;
  for (size_t i = 0; i < plan.points.size(); ++i) {
    steps += plan.points[i].time.steps * paths;
    longer_steps += plan.points[i].time.steps * paths / ratios[i];
  }
  const double factor = steps / longer_steps;
  const bool coarse = std::ranges::any_of(plan.points, [&](const Point& point) { return is_coarse(plan, point); });
  const double share = coarse ? steps_share_beside_thrice : steps_share;
  if (steps < brief) {
    const bool given = std::ranges::any_of(plan.points, &Point::given_long);
    const double some = given ? std::min(steps_share_of_given * factor * paths, paths) : share * factor * paths;
    const double enough = std::max<double>(least_paths, some);
    return {plan.points.size(), whole(enough)};
  }
  const double groups = std::ceil(paths / static_cast<double>(lanes));  // of a point
  const double steps_for_all = share * factor * paths * points;
  const double most_points = std::min({points, std::floor(time_share * points * groups * factor),
                                       std::floor(steps_for_all / static_cast<double>(least_paths))});
  if (most_points < 1) return {};
  uint64_t at_each = whole(steps_for_all / most_points);
  const double recorded = recorded_share * paths * points / most_points;
  if (plan.most_marks() > 0 && recorded >= static_cast<double>(least_paths))
    at_each = std::min(at_each, whole(recorded));
  if (most_points == points && at_each >= lanes) at_each -= at_each % lanes;
  if (most_points < points) at_each = std::min(at_each, lanes);
  return {whole(most_points), std::min(at_each, plan.paths)};
}

/// Paths of steps three times as long, at each of so many points that are coarse; 0: too few.
uint64_t affordable_of_thrice(const Plan& plan, uint64_t points, uint64_t lanes) {
  const double paths = steps_share_of_thrice * thrice * static_cast<double>(plan.paths);
  double steps = 0;
  for (const Point& point : plan.points) steps += point.time.steps * static_cast<double>(plan.paths);
  if (steps < brief) return std::max<uint64_t>(least_paths_of_thrice, static_cast<uint64_t>(paths));
  // those that are not coarse, or not checked, leave their part to the others
  auto each = static_cast<uint64_t>(paths * static_cast<double>(plan.points.size()) / static_cast<double>(points));
  each = std::min({each, plan.paths, std::max<uint64_t>(lanes, static_cast<uint64_t>(paths))});
  if (each >= lanes) each -= each % lanes;
  return each < least_paths_of_thrice ? 0 : each;
}

/// Requests of a run for an ensemble of a part of its paths: what is of some paths is of this part of them, and grids
/// of initial values have more nodes than there are paths.
std::vector<ObservableRequest> checked_requests(const Plan& plan, uint64_t of_paths) {
  const auto most = static_cast<double>(of_paths);
  const double part = most / static_cast<double>(plan.paths);
  std::vector<ObservableRequest> requests;
  for (ObservableRequest one : plan.requests) {
    const ObservableKind& kind = observable_kind(one.name);
    if (!kind.compared) continue;
    if (kind.most_compared > 0 && plan.paths > kind.most_compared)
      one.numbers.emplace("paths", std::vector<double>{static_cast<double>(kind.most_compared)});
    if (const auto given = one.numbers.find("paths"); given != one.numbers.end())
      for (double& paths : given->second)
        paths = std::min({paths, std::max<double>(least_paths, std::floor(part * paths)), most});
    requests.push_back(std::move(one));
  }
  return requests;
}

bool has_errors(const std::vector<Array>& arrays) {
  return std::ranges::any_of(arrays, [](const Array& array) { return array.name.ends_with("_err"); });
}

/// Whether there is a number with an error.
bool has_numbers(const Plan& plan) {
  const PointFacts facts = facts_of_all(plan);
  for (size_t i = 0; i < plan.observables.size(); ++i) {
    const Observable& one = *plan.observables[i];
    if (!observable_kind(plan.requests[i].name).compared) continue;
    if (!one.columns().empty() || has_errors(one.arrays(facts)) || has_errors(one.probes(facts))) return true;
  }
  return false;
}

constexpr double at_a_step = 1e-6;  // part of a step within which a time is that of its end

/// The marks of an observable in the steps of an ensemble whose steps are `ratio` times as long.
struct Marks {
  std::vector<double> steps;
  std::vector<bool> usable;  ///< by block of its arrays: whether they are at the times that the run has
};

/// fractions: whether marks need not be whole steps.
Marks placed(const Point& point, size_t observable, Sampling sampling, double ratio, double last, bool fractions) {
  Marks marks;
  std::vector<bool> there;
  const auto& of = point.marks_of[observable];
  double lead = 0;  // of all marks together over their times
  const double first = of.empty() ? 0 : point.marks[of[0]] / ratio, shift = std::ceil(first - at_a_step) - first;
  for (const uint32_t mark : of) {
    const double place = point.marks[mark] / ratio;
    double step = place;
    if (!fractions) {
      const double near = std::round(place);
      const bool between = std::abs(place - near) > at_a_step;
      step = near;
      if (sampling == Sampling::evenly) step = std::round(place + shift);
      if (sampling == Sampling::together && between) step = lead > 0 ? std::floor(place) : std::ceil(place);
      step = std::min(step, last);
      if (!marks.steps.empty()) step = std::max(step, marks.steps.back());
    }
    lead += step - place;
    there.push_back(std::abs(step - place - (sampling == Sampling::evenly && !fractions ? shift : 0)) < at_a_step);
    marks.steps.push_back(step);
  }
  const auto all = [&] { return std::ranges::count(there, false) == 0; };
  switch (sampling) {
    case Sampling::together:
      marks.usable = {true};
      break;
    case Sampling::evenly:
      marks.usable = {all()};
      break;
    case Sampling::each:
      marks.usable = there;
      break;
    default:
      for (size_t k = 1; k < there.size(); ++k)
        marks.usable.push_back(there[k] && there[sampling == Sampling::between ? k - 1 : 0]);
  }
  return marks;
}

/// Whether marks and the ends of the window may be anywhere, not only at ends of steps.
bool ends_anywhere(const EnsemblePlan& plan) {
  return has_countdowns(count(plan.model), plan.kernel) && plan.kernel.method != Method::paper;
}

/// How much of what is recorded at a point can be compared with steps `ratio` times as long, and a little for the same
/// beginning and end of the window: what comes at times, such as pulses, is in both or in none.
double worth(const Plan& plan, const Point& point, double ratio) {
  const double steps = point.time.steps / ratio;
  const double transient = point.time.transient / ratio;
  double sum = std::abs(steps - std::round(steps)) < at_a_step ? 0.5 : 0;
  if (std::abs(transient - std::round(transient)) < at_a_step) sum += 0.5;
  for (size_t i = 0; i < plan.observables.size(); ++i) {
    if (point.marks_of[i].empty()) continue;
    const Marks marks = placed(point, i, plan.observables[i]->sampling(), ratio, std::ceil(steps), false);
    sum += static_cast<double>(std::ranges::count(marks.usable, true)) / static_cast<double>(marks.usable.size());
  }
  return sum;
}

/// Ratio of a longer step to the step of the run, about as wanted: one at which the times of the run are at ends of
/// longer steps, too, as many of them as can be. least, most: parts of the wanted one.
double ratio_of(const Plan& plan, const Point& point, double wanted, double least = 0.5, double most = 1.5) {
  constexpr size_t most_marks = 12;
  if (ends_anywhere(plan) || has_events_at_ends(plan.model)) return wanted;
  double best = wanted, most_worth = worth(plan, point, wanted);
  const auto consider = [&](double steps) {
    for (const double longer : {std::floor(steps / wanted), std::ceil(steps / wanted)}) {
      const double ratio = steps / longer;
      if (!(ratio > 1.25 && ratio >= least * wanted && ratio <= most * wanted)) continue;
      if (point.of_longest * ratio > std::max(1.0, point.of_longest * wanted)) continue;  // it may be unstable
      const double its = worth(plan, point, ratio) - 0.1 * std::abs(std::log(ratio / wanted));
      if (its > most_worth) best = ratio, most_worth = its;
    }
  };
  consider(point.time.steps);
  if (point.time.transient > 0) consider(point.time.transient);
  for (const auto& marks : point.marks_of) {
    const size_t stride = std::max<size_t>(1, marks.size() / most_marks);
    for (size_t k = marks.size(); k > 0; k -= std::min(k, stride)) consider(point.marks[marks[k - 1]]);
    if (marks.size() > 1) consider(point.marks[marks[1]] - point.marks[marks[0]]);
  }
  return best;
}

}  // namespace

/// An ensemble with longer steps at some points of a run.
struct LongerSteps {
  EnsemblePlan plan;
  std::vector<size_t> point;                           ///< index in the run, by point
  std::vector<double> ratio;                           ///< of the steps, by point
  std::vector<std::vector<std::vector<bool>>> usable;  ///< by point, observable and block of its arrays
};

namespace {

/// The run's plan at some of its points, with longer steps.
LongerSteps with_longer_steps(const Plan& plan, const std::vector<size_t>& points, uint64_t paths,
                              const std::vector<double>& ratios) {
  LongerSteps longer;
  longer.plan = same_model(plan, checked_requests(plan, paths), paths);
  longer.point = points;
  // Clocks of their own end the window anywhere, so that it is the same: an event that comes after a fixed time is in
  // both or in none.
  const bool anywhere = ends_anywhere(plan);
  for (const size_t i : points) {
    const Point& run = plan.points[i];
    Point point = run;
    const double ratio = ratios[i];
    const double steps = run.time.steps / ratio, transient = run.time.transient / ratio;
    const double whole = run.marks.empty() ? std::round(steps) : std::ceil(steps - at_a_step);
    point.time = anywhere ? PointTime{run.time.dt * ratio, steps, transient}
                          : PointTime{run.time.dt * ratio, std::max(1.0, whole), std::floor(transient + at_a_step)};
    point.substeps = run.time.dt / point.time.dt;  // observables know the run's step, to the last bit
    for (int k = 0; k < 4 && point.substeps * point.time.dt != run.time.dt; ++k)
      point.substeps = std::nextafter(point.substeps, point.substeps * point.time.dt < run.time.dt ? 2.0 : 0.0);
    longer.ratio.push_back(ratio);
    longer.plan.points.push_back(std::move(point));
  }
  for (size_t i = 0; i < points.size(); ++i) {
    Point& point = longer.plan.points[i];
    const Point& run = plan.points[points[i]];
    set_transient(longer.plan, point, point.time.transient);
    std::vector<std::vector<double>> steps;
    auto& usable = longer.usable.emplace_back();
    for (const auto& observable : longer.plan.observables) {
      const auto same =
          std::ranges::find_if(plan.observables, [&](const auto& one) { return one->name() == observable->name(); });
      const auto index = static_cast<size_t>(same - plan.observables.begin());
      Marks marks = placed(run, index, observable->sampling(), longer.ratio[i], point.time.steps, anywhere);
      steps.push_back(std::move(marks.steps));
      usable.push_back(std::move(marks.usable));
    }
    place_marks_at(point, steps);
  }
  return longer;
}

/// Judges the errors of a column at all points together; adds nothing if chance explains them.
void add_together(StepCheck& check, size_t column, const Estimates& run, double freedom) {
  double squares = 0, excess = 0, count = 0;  // relative to their own errors; excess in standard errors of the run
  const double expected = freedom / (freedom - 2);  // of Student's law
  for (const StepCheck::Seen& one : check.seen) {
    if (one.column != column || !one.scatters) continue;
    const double z = one.error / one.error_of_it, scale = one.error_of_it / run.column(column, one.point).error;
    squares += z * z;
    excess += (z * z - expected) * scale * scale;
    ++count;
  }
  if (count < least_points || squares / count < expected * (1 + 4 * std::sqrt(2 / count))) return;
  const double size = std::sqrt(std::max(0.0, excess / count));
  if (size > 2) check.together.push_back({column, static_cast<size_t>(count), size});
}

}  // namespace

/// Numbers of all points of the check and the run, from which errors of the step are judged.
struct StepChecker::Ensemble {
  /// An array of numbers with errors, by index of the estimates here and of the run.
  struct Compared {
    size_t observable, value, error, value_of_run, error_of_run;
  };

  Ensemble(const Plan& run, std::vector<size_t> points, uint64_t paths, const std::vector<double>& ratios,
           const RunHooks& run_hooks, const Backends& backends, const Kernels& kernels)
      : longer(with_longer_steps(run, points, paths, ratios)),
        plan(longer.plan),
        point(longer.point),
        estimates(std::make_unique<Estimates>(plan)),
        turns(turns_of(plan)) {
    hooks.journal = run_hooks.journal;
    runner = std::make_unique<Runner>(
        plan, hooks, backends, kernels, outcome,
        [this](size_t i, const ShareResult& share) { estimates->add(i, share.columns, share.arrays, share.pooled); });
    for (const auto& observable : plan.observables)
      for (const std::string& name : observable->columns()) column.push_back(run.column(name));
  }
  Ensemble(const Ensemble&) = delete;
  Ensemble& operator=(const Ensemble&) = delete;
  Runner* begin(const std::vector<Share>& shares, uint64_t first, uint64_t most_shares) {
    const uint64_t offset = first / plan.points.size();
    std::vector<Share> mine;
    for (const Share& share : shares) {
      const auto found = std::find(point.begin(), point.end(), share.point);
      if (found == point.end() || (most_shares > 0 && share.number >= most_shares)) continue;
      mine.push_back({static_cast<uint32_t>(found - point.begin()), offset + share.number});
    }
    runner->begin(mine);
    return runner.get();
  }
  /// How many times the difference to the run is the error of the run's step, at a point.
  double weight(size_t i) const { return std::pow(longer.ratio[i], plan.points[i].error_order) - 1; }
  std::vector<Compared> compared(const Estimates& run) const;

  LongerSteps longer;
  EnsemblePlan& plan;
  std::vector<size_t>& point;  ///< index in the run, by point
  RunHooks hooks;
  RunOutcome outcome;
  std::unique_ptr<Estimates> estimates;
  std::vector<double> turns;  ///< by column, see angles.h
  std::unique_ptr<Runner> runner;
  std::vector<size_t> column;  ///< index in the run, by column
};

/// All arrays with errors; of an observable with probes only these.
std::vector<StepChecker::Ensemble::Compared> StepChecker::Ensemble::compared(const Estimates& run) const {
  const std::vector<Array>&mine = estimates->arrays(), &theirs = run.arrays();
  const auto find = [](const std::vector<Array>& arrays, const std::string& name) {
    return static_cast<size_t>(std::ranges::find(arrays, name, &Array::name) - arrays.begin());
  };
  const PointFacts facts = facts_of_all(plan);
  std::vector<Compared> all;
  for (size_t i = 0; i < plan.observables.size(); ++i) {
    std::vector<Array> shapes = plan.observables[i]->probes(facts);
    if (shapes.empty()) shapes = plan.observables[i]->arrays(facts);
    for (const Array& one : shapes) {
      const std::string error = one.name + "_err";
      const Compared its{i, find(mine, one.name), find(mine, error), find(theirs, one.name), find(theirs, error)};
      if (its.error < mine.size() && its.error_of_run < theirs.size()) all.push_back(its);
    }
  }
  return all;
}

StepChecker::StepChecker(const Plan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels)
    : plan_(plan), backends_(backends), kernels_(kernels) {
  if (!plan.options.check_step) why_not_ = "not checked: check_step is false";
  if (!makes_steps(plan.kernel.method)) why_not_ = "method exact makes no steps";
  if (why_not_.empty() && !has_numbers(plan)) why_not_ = "not checked: no observable has a number with an error";
  if (!why_not_.empty()) return;
  const uint64_t lanes = kernels[0]->layout().lanes;
  std::vector<double> ratios, of_thrice;  // by point of the run
  for (const Point& point : plan.points) {
    ratios.push_back(ratio_of(plan, point, longer_by(plan, point)));
    of_thrice.push_back(is_coarse(plan, point) ? ratio_of(plan, point, thrice, least_of_thrice) : thrice);
  }
  const Size size = plan.together() ? affordable_systems(plan, ratios) : affordable(plan, ratios, lanes);
  if (size.points == 0 || (size.paths < least_paths && !plan.together())) {
    why_not_ = fmt::format("not checked: {} are too few; step_error = true tells",
                           plan.together() ? fmt::format("{} points of {} replicas", plan.points.size(), plan.replicas)
                                           : fmt::format("{} paths", plan.paths));
    return;
  }
  shares_ = size.shares;
  std::vector<size_t> points, coarse;
  for (uint64_t i = 0; i < size.points; ++i) {
    points.push_back((2 * i + 1) * plan.points.size() / (2 * size.points));
    if (is_coarse(plan, plan.points[points.back()])) coarse.push_back(points.back());
  }
  uint64_t nodes = 1;
  for (const Point& point : plan.points) nodes = std::max(nodes, nodes_of(point));
  const uint64_t of_grid = size.paths < nodes ? 0 : size.paths - size.paths % nodes;
  if (of_grid == 0) {
    why_not_ = fmt::format(
        "not checked: the grid of initial values has {} nodes, more than the check has paths; "
        "step_error = true tells",
        nodes);
    return;
  }
  longer_ = std::make_unique<Ensemble>(plan, points, of_grid, ratios, hooks, backends, kernels);
  const uint64_t paths = coarse.empty() ? 0 : affordable_of_thrice(plan, coarse.size(), lanes);
  if (paths > 0) thrice_ = std::make_unique<Ensemble>(plan, coarse, paths, of_thrice, hooks, backends, kernels);
}
StepChecker::~StepChecker() = default;

std::vector<Runner*> StepChecker::begin(const std::vector<Share>& shares) {
  std::vector<Runner*> all;
  begun_.insert(begun_.end(), shares.begin(), shares.end());
  if (longer_) all.push_back(longer_->begin(shares, first_share, shares_));
  if (thrice_) all.push_back(thrice_->begin(shares, first_share_of_thrice, 0));
  return all;
}

namespace {

constexpr size_t most_blocks = 8, most_of_a_block = 8;  // numbers of an array that are compared

/// So many of these, evenly.
std::vector<size_t> some_of(const std::vector<size_t>& all, size_t most) {
  if (all.size() <= most) return all;
  std::vector<size_t> some;
  for (size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return some;
}

/// Numbers of a block that stand for all: of ascending or descending ones at equal differences, of others at equal
/// distances, or at places that double.
std::vector<size_t> standing_for(std::span<const double> block, bool doubling) {
  std::vector<size_t> all;
  const bool up = std::ranges::is_sorted(block), down = std::ranges::is_sorted(block, std::greater<>());
  if ((up || down) && block.size() > most_of_a_block) {
    const double from = block.front(), to = block.back();
    for (size_t i = 0; i < most_of_a_block; ++i) {
      const double part = (static_cast<double>(i) + 0.5) / most_of_a_block, wanted = from + part * (to - from);
      const auto nearest = std::ranges::min_element(block, {}, [&](double value) { return std::abs(value - wanted); });
      const auto k = static_cast<size_t>(nearest - block.begin());
      if (all.empty() || k != all.back()) all.push_back(k);
    }
    if (all.back() + 1 != block.size()) all.push_back(block.size() - 1);
    return all;
  }
  for (size_t k = 0; k < block.size(); k = doubling ? std::max<size_t>(1, 2 * k) : k + 1) all.push_back(k);
  return doubling ? all : some_of(all, most_of_a_block);
}

/// "x_cumulant_2 at t = 10"
std::string name_of(const Array& array, bool probe, size_t element, std::optional<double> time) {
  std::vector<std::string> places;
  size_t left = element;
  for (size_t k = array.coordinates.size(); k-- > 0;) {
    const Coordinate& one = array.coordinates[k];
    const size_t at = left % one.values.size();
    left /= one.values.size();
    if (time && k == 0) continue;
    const bool compares = one.label.ends_with("<") || one.label.ends_with("=");
    places.insert(places.begin(), fmt::format("{} {}{:.4g}", one.label, compares ? "" : "= ", one.values[at]));
  }
  if (time) places.insert(places.begin(), fmt::format("t = {:.4g}", *time));
  std::string text = probe ? array.label : array.name;
  if (!places.empty()) text += fmt::format(" at {}", fmt::join(places, ", "));
  return text;
}

}  // namespace

/// Numbers of the run and of an ensemble, with their errors.
struct StepChecker::Pair {
  Estimate run, longer;
  double turn = 0;
};

/// Judges the error of the step from one number.
StepCheck::Seen StepChecker::judge(const Ensemble& ensemble, size_t i, const Pair& pair, double scale,
                                   double quantile) const {
  const double weight = ensemble.weight(i);
  StepCheck::Seen seen{};
  seen.column = StepCheck::Seen::no_column;
  seen.point = ensemble.point[i];
  seen.order = plan_.points[seen.point].error_order;
  seen.value = pair.run.value;
  seen.error = unwrapped(pair.longer.value - pair.run.value, 0, pair.turn) / weight;
  seen.error_of_it = hypotenuse(pair.run.error, pair.longer.error) / weight;
  seen.doubt = hypotenuse(seen.error_of_it, doubtful_part * plan_.points[seen.point].of_longest * std::abs(seen.error));
  if (seen.error_of_it <= rounding_part * scale) {
    seen.resolution = seen.allowed = std::max(allowed_part * scale, rounding_part);
    seen.warned = std::abs(seen.error) > seen.allowed;
    seen.scatters = false;
    return seen;
  }
  const double bound = quantile * seen.error_of_it + 2 * pair.run.error;
  seen.resolution = bound + 1.645 * seen.error_of_it;
  seen.allowed = pair.run.error;
  seen.warned = std::abs(seen.error) > bound;
  return seen;
}

/// The error of a step that has parts of second and of fourth order, from steps of three lengths: with e(k) for steps k
/// times as long, 0.6 (e(2) - e(1)) - 0.1 (e(3) - e(1)) = e(1).
StepChecker::Fit StepChecker::fit(size_t c, size_t i, const Estimates& run) const {
  const auto found = std::find(thrice_->point.begin(), thrice_->point.end(), longer_->point[i]);
  if (found == thrice_->point.end()) return {};
  const auto k = static_cast<size_t>(found - thrice_->point.begin());
  const Estimate& one = run.column(longer_->column[c], longer_->point[i]);
  const Estimate& two = longer_->estimates->column(c, i);
  const Estimate& three = thrice_->estimates->column(c, k);
  const auto change = [&](const Estimate& other) { return unwrapped(other.value - one.value, 0, longer_->turns[c]); };
  const double a = std::pow(longer_->longer.ratio[i], 2), b = std::pow(thrice_->longer.ratio[k], 2);
  const double of_two = b / (a - 1) / (b - a), of_three = -a / (b - 1) / (b - a);
  return {of_two * change(two) + of_three * change(three),
          std::hypot((of_two + of_three) * one.error, of_two * two.error, of_three * three.error)};
}

/// Where steps of three lengths tell an error that those of two do not, it is the one seen.
void StepChecker::judge_fit(StepCheck::Seen& seen, const Fit& fit, double z) const {
  if (!std::isfinite(fit.error) || !std::isfinite(fit.of_it)) return;
  const double bound = student(z, static_cast<double>(least_paths_of_thrice)) * fit.of_it + 2 * seen.allowed;
  seen.resolution = std::max(seen.resolution, bound + 1.645 * fit.of_it);
  if (seen.warned || !(std::abs(fit.error) > bound)) return;
  seen.warned = true;
  seen.error = fit.error, seen.error_of_it = fit.of_it;
  seen.doubt = hypotenuse(fit.of_it, doubtful_part * plan_.points[seen.point].of_longest * fit.error);
}

namespace {
/// The order, from `least` on, of an error that changes by `between` with steps `by_between` times as long, and by
/// `longer` with those `by_longer` times as long.
double order_of(double least, double between, double by_between, double longer, double by_longer) {
  double low = least, high = highest_order;
  for (int i = 0; i < 50; ++i) {
    const double order = (low + high) / 2;
    const bool higher = between * (std::pow(by_longer, order) - 1) < longer * (std::pow(by_between, order) - 1);
    (higher ? low : high) = order;
  }
  return (low + high) / 2;
}
}  // namespace

/// Where an error of at most first order is seen, and steps of a length between show that its order is higher, it is
/// smaller. It is taken for as large as they allow. Long steps may also make errors of another kind, so that those
/// between are the only ones to tell of the run's.
void StepChecker::judge_order(StepCheck::Seen& seen, const Pair& pair, const Estimate& between, double of_longer,
                              double of_between, double quantile) const {
  if (!seen.warned || !seen.scatters || !std::isfinite(between.value) || !std::isfinite(between.error)) return;
  const double change = unwrapped(pair.longer.value - pair.run.value, 0, pair.turn), size = std::abs(change);
  const double towards = std::copysign(1.0, change) * unwrapped(between.value - pair.run.value, 0, pair.turn),
               of_towards = hypotenuse(pair.run.error, between.error), most = towards + sure_of_order * of_towards;
  const double least = plan_.points[seen.point].error_order, weight_of_between = std::pow(of_between, least) - 1;
  if (most * (std::pow(of_longer, least) - 1) > size * weight_of_between) return;
  const double doubtful = doubtful_part * plan_.points[seen.point].of_longest;
  const auto take = [&](double error, double of_it, double order, double doubt) {
    seen.error = error, seen.error_of_it = of_it, seen.order = order;
    seen.doubt = std::hypot(of_it, doubtful * std::abs(error), doubt);
    seen.warned = std::abs(error) > quantile * of_it + 2 * pair.run.error;
  };
  const double order = order_of(least, std::max(0.0, most), of_between, size, of_longer),
               likely = order_of(least, std::max(0.0, towards), of_between, size, of_longer);
  const double weight = std::pow(of_longer, order) - 1;
  take(change / weight, hypotenuse(pair.run.error, pair.longer.error) / weight, order,
       size / weight - size / (std::pow(of_longer, likely) - 1));
  if (seen.warned) return;
  const double of_it = of_towards / weight_of_between;
  take(std::copysign(towards / weight_of_between, change * towards), of_it, least, 0);
  seen.resolution = (quantile + 1.645) * of_it + 2 * pair.run.error;
}

void StepChecker::compare_columns(const Estimates& run, double false_alarms_here, StepCheck& check) const {
  const size_t points = longer_->point.size() + (thrice_ ? thrice_->point.size() : 0);
  const double cases = static_cast<double>(points * longer_->column.size());
  const double z = normal_quantile_of_tails(false_alarms_here / cases);
  for (size_t c = 0; c < longer_->column.size(); ++c)
    for (size_t i = 0; i < longer_->point.size(); ++i) {
      const Pair pair{run.column(longer_->column[c], longer_->point[i]), longer_->estimates->column(c, i),
                      longer_->turns[c]};
      const double freedom =
          static_cast<double>((plan_.together() ? 1 : longer_->plan.paths) * longer_->estimates->shares(i)) - 1;
      StepCheck::Seen seen = judge(*longer_, i, pair, std::abs(pair.run.value), student(z, freedom));
      if (!std::isfinite(seen.error) || !std::isfinite(seen.error_of_it)) continue;
      seen.column = longer_->column[c];
      if (thrice_ && seen.scatters) judge_fit(seen, fit(c, i, run), z);
      if (const auto k = place_between(i))
        judge_order(seen, pair, between_->estimates->column(c, *k), longer_->longer.ratio[i],
                    between_->longer.ratio[*k], student(z, freedom));
      check.seen.push_back(std::move(seen));
    }
}

/// Numbers of arrays. Of those of an observable at a point the one with the largest error is kept.
void StepChecker::compare_arrays(const Estimates& run, double false_alarms_here, StepCheck& check) const {
  struct Number {
    size_t point, array, element;
  };
  const std::vector<Ensemble::Compared> arrays = longer_->compared(run);
  const auto number = [](const Estimates& of, size_t value, size_t error, size_t point, size_t points, size_t k) {
    const std::vector<double>&values = of.arrays()[value].values, &errors = of.arrays()[error].values;
    const size_t at = point * (values.size() / points) + k;
    return Estimate{values[at], errors[at]};
  };
  std::vector<Number> numbers;
  for (size_t i = 0; i < longer_->point.size(); ++i)
    for (size_t a = 0; a < arrays.size(); ++a) {
      const Array& array = run.arrays()[arrays[a].value_of_run];
      const size_t size = array.values.size() / plan_.points.size();
      const std::vector<bool>& usable = longer_->longer.usable[i][arrays[a].observable];
      if (usable.empty() || size % usable.size() != 0) continue;
      const size_t length = size / usable.size();
      const std::span values = std::span(array.values).subspan(longer_->point[i] * size, size);
      std::vector<size_t> blocks;
      for (size_t block = 0; block < usable.size(); ++block)
        if (usable[block] && length > 0 && !std::isnan(values[block * length])) blocks.push_back(block);
      const bool doubling = longer_->plan.observables[arrays[a].observable]->sampling() == Sampling::evenly;
      for (const size_t block : some_of(blocks, most_blocks))
        for (const size_t k : standing_for(values.subspan(block * length, length), doubling))
          numbers.push_back({i, a, block * length + k});
    }
  if (numbers.empty()) return;
  const double z = normal_quantile_of_tails(false_alarms_here / static_cast<double>(numbers.size()));
  StepCheck::Seen* worst = nullptr;
  for (const Number& one : numbers) {
    const Ensemble::Compared& its = arrays[one.array];
    const size_t i = one.point, point = longer_->point[i];
    Pair pair{number(run, its.value_of_run, its.error_of_run, point, plan_.points.size(), one.element),
              number(*longer_->estimates, its.value, its.error, i, longer_->point.size(), one.element)};
    // The error of a few paths is taken from many, where that is larger.
    const double of_run = static_cast<double>(plan_.paths * run.shares(point)),
                 of_longer = static_cast<double>(longer_->plan.paths * longer_->estimates->shares(i));
    pair.longer.error = std::max(pair.longer.error, pair.run.error * std::sqrt(of_run / of_longer));
    const Array& array = run.arrays()[its.value_of_run];
    const size_t size = array.values.size() / plan_.points.size();
    double scale = 0;  // of the array
    for (size_t k = 0; k < size; ++k)
      if (const double value = std::abs(array.values[point * size + k]); value > scale) scale = value;
    const double parts = plan_.together()
                             ? static_cast<double>(longer_->estimates->shares(i))
                             : static_cast<double>(path_groups_of(static_cast<size_t>(longer_->plan.paths)));
    StepCheck::Seen seen = judge(*longer_, i, pair, scale, student(z, parts - 1));
    if (!std::isfinite(seen.error) || !std::isfinite(seen.error_of_it)) continue;
    if (const auto k = place_between(i); k && usable_between(*k, its.observable, one.element, size)) {
      Estimate there = number(*between_->estimates, its.value, its.error, *k, between_->point.size(), one.element);
      there.error = std::max(there.error, pair.longer.error);
      judge_order(seen, pair, there, longer_->longer.ratio[i], between_->longer.ratio[*k], student(z, parts - 1));
    }
    seen.warned = seen.warned && std::abs(seen.error) > allowed_part * std::abs(seen.value);
    seen.observable = plan_observable(its.observable);
    const auto size_of = [](const StepCheck::Seen& any) { return std::abs(any.error) / any.allowed; };
    if (worst != nullptr && (worst->point != point || worst->observable != seen.observable)) worst = nullptr;
    const double resolution =
        std::max(seen.resolution / seen.allowed, worst == nullptr ? 0.0 : worst->resolution / worst->allowed);
    if (worst == nullptr)
      worst = &check.seen.emplace_back(seen);
    else if (seen.warned == worst->warned ? size_of(seen) > size_of(*worst) : seen.warned)
      *worst = seen;
    else {
      worst->resolution = resolution * worst->allowed;
      continue;
    }
    worst->resolution = resolution * worst->allowed;
    const std::vector<uint32_t>& marks = plan_.points[point].marks_of[seen.observable];
    const std::vector<bool>& usable = longer_->longer.usable[i][its.observable];
    std::optional<double> time;
    if (const size_t block = one.element / (size / usable.size()); usable.size() > 1)
      time = plan_.points[point].marks[marks[block + marks.size() - usable.size()]] * plan_.points[point].time.dt;
    worst->what = name_of(array, its.value_of_run >= run.probes_from(), one.element, time);
  }
}

/// Index in the run of an observable of the check.
size_t StepChecker::plan_observable(size_t observable) const {
  const std::string name = longer_->plan.observables[observable]->name();
  const auto same = std::ranges::find_if(plan_.observables, [&](const auto& one) { return one->name() == name; });
  return static_cast<size_t>(same - plan_.observables.begin());
}

/// Whether the run has no value at a point.
bool StepChecker::has_diverged(const Estimates& run, size_t point) const {
  if (!longer_->column.empty()) return !std::isfinite(run.column(longer_->column[0], point).value);
  const auto there = [&](const Ensemble::Compared& its) {
    const std::vector<double>& values = run.arrays()[its.value_of_run].values;
    const size_t size = values.size() / plan_.points.size();
    return std::ranges::any_of(std::span(values).subspan(point * size, size),
                               [](double value) { return std::isfinite(value); });
  };
  return std::ranges::none_of(longer_->compared(run), there);
}

/// Index of a point of the longer steps among those of the steps between.
std::optional<size_t> StepChecker::place_between(size_t i) const {
  if (!between_) return std::nullopt;
  const auto found = std::ranges::find(between_->point, longer_->point[i]);
  if (found == between_->point.end()) return std::nullopt;
  return static_cast<size_t>(found - between_->point.begin());
}

/// Whether the times of an element of an array, which has so many at a point, are there with steps between, too.
bool StepChecker::usable_between(size_t k, size_t observable, size_t element, size_t size) const {
  const std::vector<bool>& usable = between_->longer.usable[k][observable];
  return !usable.empty() && size % usable.size() == 0 && usable[element / (size / usable.size())];
}

void StepChecker::find_orders(const Estimates& run) {
  if (!longer_ || plan_.together()) return;
  std::vector<size_t> points;
  for (const StepCheck::Seen& one : compare(run).seen)
    if (one.warned && one.scatters && plan_.points[one.point].error_order <= 1) points.push_back(one.point);
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.empty()) return;
  std::vector<double> ratios;  // by point of the run
  for (const Point& point : plan_.points) ratios.push_back(ratio_of(plan_, point, std::sqrt(longer_by(plan_, point))));
  const RunHooks hooks;  // without a journal: another part of the run would have to wait for it
  auto between = std::make_unique<Ensemble>(plan_, points, longer_->plan.paths, ratios, hooks, backends_, kernels_);
  Runner::run_round({between->begin(begun_, first_share_between, shares_)});
  between_ = std::move(between);
}

StepCheck StepChecker::compare(const Estimates& run) const {
  StepCheck check;
  check.text = why_not_;
  if (!longer_) return check;
  for (const Ensemble* one : {longer_.get(), thrice_.get(), between_.get()})
    if (one != nullptr) check.steps += one->outcome.steps;
  const bool has_columns = !longer_->column.empty(), has_arrays = !longer_->compared(run).empty();
  const double each = has_columns && has_arrays ? false_alarms / 2 : false_alarms;
  if (has_columns) compare_columns(run, each, check);
  if (has_arrays) compare_arrays(run, each, check);
  for (const size_t column : longer_->column)
    add_together(check, column, run, static_cast<double>(plan_.together() ? shares_ : longer_->plan.paths) - 1);
  for (const Divergence& one : longer_->outcome.diverged) {
    const size_t point = longer_->point[one.point];
    if (!has_diverged(run, point)) check.diverged.push_back(point);
  }
  return check;
}

}  // namespace bmsim
