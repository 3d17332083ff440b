#include "engine/step_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "compose/trajectory.h"
#include "hypotenuse.h"
#include "model/events.h"
#include "observe/jackknife.h"
#include "observe/known.h"
#include "plan/step_choice.h"

namespace bmsim {

namespace {

constexpr double steps_share = 0.045;  // steps of the check, over those of the run
// If a point's step is above this part of the longest step, its error may be as large with steps twice as long, since
// parts of higher order cancel the part of second order. Some paths then make steps three times as long, too.
constexpr double coarse_part = 0.3;
constexpr double thrice = 3, least_of_thrice = 0.95;
constexpr double steps_share_beside_thrice = 0.04, steps_share_of_thrice = 0.01;
constexpr uint64_t least_paths_of_thrice = 16;
// Steps of the check, over those of the run, for a brief run whose step was given and is longer than the default, which
// would have cost more. Its step is likely to be wrong, and more paths see an error of four or five standard errors.
constexpr double steps_share_of_given = 0.3;
// Lane groups of the check, over those of the run. Longer steps take up to 1.5 times as long on a CPU.
constexpr double time_share = 0.065;
// Paths of the check, over those of the run, if they are recorded, which costs the same in both.
constexpr double recorded_share = 0.09;
constexpr uint64_t least_paths = 32;   // fewest paths whose scatter gives an error
constexpr double brief = 1e8;          // steps: a shorter run may cost twice as much
constexpr double false_alarms = 0.01;  // their probability in a run, over all points and columns
constexpr size_t least_points = 8;     // fewest points that are judged together
// Paths that begin at one place without noise all have one value: nothing scatters beyond rounding. An error of the
// step is then as good as none up to this part of the value, which is about what default steps make.
constexpr double allowed_part = 0.01;
constexpr double rounding_part = 1e-6;
// The error of a step so long that motion hardly allows it does not have the order with which it is extrapolated. This
// is the part of the error that is in doubt, for the longest step; it is in proportion to the step. In tilted sines the
// error is found too small by 10 to 30 % at half of the longest step, by 40 % at 0.8 of it, by 55 % at 1.07 of it.
constexpr double doubtful_part = 0.75;
// Share numbers of the check. They differ from those of the run and of levels of steps (engine/levels.cc), so that all
// ensembles are independent.
constexpr uint64_t first_share = uint64_t{15} << 38, first_share_of_thrice = uint64_t{14} << 38,
                   first_share_between = uint64_t{13} << 38;
// An error is believed to be of first order unless steps of a length between differ from the run by less than that
// predicts: less by more than this many standard errors.
constexpr double sure_of_order = 2;
constexpr double highest_order = 8;

/// Wanted ratio of the longer step to the step of the run: with the order of the error it makes the error four times as
/// large. Where anything changes with t the two must not meet it at the same phases: pulses between the steps of one,
/// or periods that are whole numbers of steps, are then seen by the other.
double longer_by(const EnsemblePlan& plan, const Point& point) {
  if (has_events_at_ends(plan.model)) return point.error_order <= 1 ? 4 : 2;
  const double more = varies(plan.model) ? std::sqrt(5.0) / 2 : 1;
  return more * (point.error_order <= 1 ? 4 : 2);
}

/// Whether the step is so long that steps of two lengths do not suffice.
bool is_coarse(const Plan& plan, const Point& point) {
  return !plan.together() && point.error_order > 1 && point.of_longest > coarse_part;
}

/// Number of points that the check can afford, of paths of a share, and of shares of each point; 0: as many as the run.
struct Size {
  uint64_t points = 0, paths = 0, shares = 0;
};
/// Size of the check if shares are systems. Whole systems are run: at least fewest_parts at a point.
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
/// Number of nodes in the grid of initial values at a point, from which paths begin in turn.
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
    const double wanted = given ? std::min(steps_share_of_given * factor * paths, paths) : share * factor * paths;
    return {plan.points.size(), whole(std::max<double>(least_paths, wanted))};
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

/// Number of paths with steps three times as long, at each of `points` coarse points; 0 if there would be too few.
uint64_t affordable_of_thrice(const Plan& plan, uint64_t points, uint64_t lanes) {
  const double paths = steps_share_of_thrice * thrice * static_cast<double>(plan.paths);
  double steps = 0;
  for (const Point& point : plan.points) steps += point.time.steps * static_cast<double>(plan.paths);
  if (steps < brief) return std::max<uint64_t>(least_paths_of_thrice, static_cast<uint64_t>(paths));
  // points that are not coarse, or not checked, leave their part to the others
  auto at_each = static_cast<uint64_t>(paths * static_cast<double>(plan.points.size()) / static_cast<double>(points));
  at_each = std::min({at_each, plan.paths, std::max<uint64_t>(lanes, static_cast<uint64_t>(paths))});
  if (at_each >= lanes) at_each -= at_each % lanes;
  return at_each < least_paths_of_thrice ? 0 : at_each;
}

/// The requests of a run, for an ensemble with a part of its paths: where an observable is of some paths only, it gets
/// the same part of them. Grids of initial values may have more nodes than there are paths.
std::vector<ObservableRequest> checked_requests(const Plan& plan, uint64_t of_paths) {
  const auto most = static_cast<double>(of_paths);
  const double part = most / static_cast<double>(plan.paths);
  std::vector<ObservableRequest> requests;
  for (ObservableRequest request : plan.requests) {
    const ObservableKind& kind = observable_kind(request.name);
    if (!kind.compared) continue;
    if (kind.most_compared > 0 && plan.paths > kind.most_compared)
      request.numbers.emplace("paths", std::vector<double>{static_cast<double>(kind.most_compared)});
    if (const auto given = request.numbers.find("paths"); given != request.numbers.end())
      for (double& paths : given->second)
        paths = std::min({paths, std::max<double>(least_paths, std::floor(part * paths)), most});
    requests.push_back(std::move(request));
  }
  return requests;
}

bool has_errors(const std::vector<Array>& arrays) {
  return std::ranges::any_of(arrays, [](const Array& array) { return array.name.ends_with("_err"); });
}

bool has_numbers(const Plan& plan) {
  const PointFacts facts = facts_of_all(plan);
  for (size_t i = 0; i < plan.observables.size(); ++i) {
    const Observable& observable = *plan.observables[i];
    if (observable_kind(plan.requests[i].name).compared &&
        (!observable.columns().empty() || has_errors(observable.arrays(facts)) || has_errors(observable.probes(facts))))
      return true;
  }
  return false;
}

constexpr double at_a_step = 1e-6;  // a time so near to the end of a step, in steps, is taken to be there

struct Marks {
  std::vector<double> steps;
  std::vector<bool> usable;  ///< by block of its arrays: whether its marks are at the times of the run
};

/// The marks with steps `ratio` times as long as those of the run. last: the last step. fractions: marks need not be
/// whole steps.
Marks placed(const Point& point, size_t observable, Sampling sampling, double ratio, double last, bool fractions) {
  Marks marks;
  std::vector<bool> matches;  // by mark: whether it is at the time of the run
  const auto& indices = point.marks_of[observable];
  double lead = 0;  // of all marks so far together, over their times in the run
  const double first = indices.empty() ? 0 : point.marks[indices[0]] / ratio,
               shift = std::ceil(first - at_a_step) - first;
  for (const uint32_t mark : indices) {
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
    matches.push_back(std::abs(step - place - (sampling == Sampling::evenly && !fractions ? shift : 0)) < at_a_step);
    marks.steps.push_back(step);
  }
  if (sampling == Sampling::together) {
    marks.usable = {true};
  } else if (sampling == Sampling::evenly) {
    marks.usable = {std::ranges::count(matches, false) == 0};
  } else if (sampling == Sampling::each) {
    marks.usable = matches;
  } else {
    for (size_t k = 1; k < matches.size(); ++k)
      marks.usable.push_back(matches[k] && matches[sampling == Sampling::between ? k - 1 : 0]);
  }
  return marks;
}

/// Whether marks and the ends of the window may lie within steps, not only at their ends.
bool ends_anywhere(const EnsemblePlan& plan) {
  return has_countdowns(count(plan.model), plan.kernel) && plan.kernel.method != Method::paper;
}

/// How much of what is recorded at a point can be compared with steps `ratio` times as long. The same beginning and end
/// of the window are worth a little, too: what comes at fixed times is then in both windows or in neither.
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

/// Ratio of the longer step to the step of the run: near the wanted ratio, and such that as many times of the run as
/// possible are at ends of longer steps, too. least, most: bounds, over the wanted ratio.
double ratio_of(const Plan& plan, const Point& point, double wanted, double least = 0.5, double most = 1.5) {
  constexpr size_t most_marks = 12;
  if (ends_anywhere(plan) || has_events_at_ends(plan.model)) return wanted;
  double best = wanted, best_score = worth(plan, point, wanted);
  const auto consider = [&](double steps) {
    for (const double longer : {std::floor(steps / wanted), std::ceil(steps / wanted)}) {
      const double ratio = steps / longer;
      if (!(ratio > 1.25 && ratio >= least * wanted && ratio <= most * wanted)) continue;
      if (point.of_longest * ratio > std::max(1.0, point.of_longest * wanted)) continue;  // it may be unstable
      const double score = worth(plan, point, ratio) - 0.1 * std::abs(std::log(ratio / wanted));
      if (score > best_score) best = ratio, best_score = score;
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

size_t observable_index(const EnsemblePlan& plan, const std::string& name) {
  return static_cast<size_t>(std::ranges::find(plan.observables, name, &Observable::name) - plan.observables.begin());
}

}  // namespace

struct LongerSteps {
  EnsemblePlan plan;
  std::vector<size_t> point;                           ///< index in the run, by point
  std::vector<double> ratio;                           ///< of its steps to those of the run, by point
  std::vector<std::vector<std::vector<bool>>> usable;  ///< by point, observable and block of its arrays
};

namespace {

/// The plan of the run at some of its points, with longer steps. ratios: by point of the run.
LongerSteps with_longer_steps(const Plan& plan, const std::vector<size_t>& points, uint64_t paths,
                              const std::vector<double>& ratios) {
  LongerSteps longer;
  longer.plan = same_model(plan, checked_requests(plan, paths), paths);
  longer.point = points;
  // Paths with clocks of their own can end the window within a step, so it is the same: an event that comes after a
  // fixed time is in both windows or in neither.
  const bool anywhere = ends_anywhere(plan);
  for (const size_t i : points) {
    const Point& run = plan.points[i];
    Point point = run;
    const double ratio = ratios[i];
    const double steps = run.time.steps / ratio, transient = run.time.transient / ratio;
    const double whole = run.marks.empty() ? std::round(steps) : std::ceil(steps - at_a_step);
    point.time = anywhere ? PointTime{run.time.dt * ratio, steps, transient}
                          : PointTime{run.time.dt * ratio, std::max(1.0, whole), std::floor(transient + at_a_step)};
    point.substeps = run.time.dt / point.time.dt;  // so that observables see the run's step, to the last bit
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
      const size_t index = observable_index(plan, observable->name());
      Marks marks = placed(run, index, observable->sampling(), longer.ratio[i], point.time.steps, anywhere);
      steps.push_back(std::move(marks.steps));
      usable.push_back(std::move(marks.usable));
    }
    place_marks_at(point, steps);
  }
  return longer;
}

/// Judges the errors of a column at all points together. Adds nothing if chance explains them.
void add_together(StepCheck& check, size_t column, const Estimates& run, double freedom) {
  double squares = 0, excess = 0, count = 0;  // squares: over their own standard errors; excess: over those of the run
  const double expected = freedom / (freedom - 2);  // of Student's law
  for (const StepCheck::Seen& seen : check.seen) {
    if (seen.column != column || !seen.scatters) continue;
    const double z = seen.error / seen.error_of_it, scale = seen.error_of_it / run.column(column, seen.point).error;
    squares += z * z;
    excess += (z * z - expected) * scale * scale;
    ++count;
  }
  if (count < least_points || squares / count < expected * (1 + 4 * std::sqrt(2 / count))) return;
  const double size = std::sqrt(std::max(0.0, excess / count));
  if (size > 2) check.together.push_back({column, static_cast<size_t>(count), size});
}

constexpr size_t most_blocks = 8, most_of_a_block = 8;  // blocks of an array, and numbers of a block, to compare

/// At most this many of the indices, evenly spread.
std::vector<size_t> thinned(const std::vector<size_t>& indices, size_t most) {
  if (indices.size() <= most) return indices;
  std::vector<size_t> kept;
  for (size_t i = 0; i < most; ++i) kept.push_back(indices[i * (indices.size() - 1) / (most - 1)]);
  return kept;
}

/// Indices of numbers that stand for a whole block. Ascending or descending numbers are taken at equal differences of
/// their values, others at equal distances, or at places that double.
std::vector<size_t> standing_for(std::span<const double> block, bool doubling) {
  std::vector<size_t> indices;
  const bool up = std::ranges::is_sorted(block), down = std::ranges::is_sorted(block, std::greater<>());
  if ((up || down) && block.size() > most_of_a_block) {
    const double from = block.front(), to = block.back();
    for (size_t i = 0; i < most_of_a_block; ++i) {
      const double part = (static_cast<double>(i) + 0.5) / most_of_a_block, wanted = from + part * (to - from);
      const auto nearest = std::ranges::min_element(block, {}, [&](double value) { return std::abs(value - wanted); });
      const auto k = static_cast<size_t>(nearest - block.begin());
      if (indices.empty() || k != indices.back()) indices.push_back(k);
    }
    if (indices.back() + 1 != block.size()) indices.push_back(block.size() - 1);
    return indices;
  }
  for (size_t k = 0; k < block.size(); k = doubling ? std::max<size_t>(1, 2 * k) : k + 1) indices.push_back(k);
  return doubling ? indices : thinned(indices, most_of_a_block);
}

std::string name_of(const Array& array, bool probe, size_t element, std::optional<double> time) {
  std::vector<std::string> places;
  size_t left = element;
  for (size_t k = array.coordinates.size(); k-- > 0;) {
    const Coordinate& coordinate = array.coordinates[k];
    const double value = coordinate.values[left % coordinate.values.size()];
    left /= coordinate.values.size();
    if (time && k == 0) continue;
    const bool compares = coordinate.label.ends_with("<") || coordinate.label.ends_with("=");
    places.insert(places.begin(), fmt::format("{} {}{:.4g}", coordinate.label, compares ? "" : "= ", value));
  }
  if (time) places.insert(places.begin(), fmt::format("t = {:.4g}", *time));
  std::string text = probe ? array.label : array.name;
  if (!places.empty()) text += fmt::format(" at {}", fmt::join(places, ", "));
  return text;
}

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

/// An ensemble of the check: it makes longer steps, and its numbers are compared with those of the run.
struct StepChecker::Ensemble {
  /// An array with errors: indices of values and errors among the arrays of this ensemble, and of the run.
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
  /// Begins the shares of the run that are at its points, with numbers from `first` on. most_shares: of a point, 0 for
  /// all of them.
  Runner* begin(const std::vector<Share>& shares, uint64_t first, uint64_t most_shares) {
    const uint64_t offset = first / plan.points.size();
    std::vector<Share> own_shares;
    for (const Share& share : shares) {
      const std::optional<size_t> i = index_of(share.point);
      if (i && (most_shares == 0 || share.number < most_shares))
        own_shares.push_back({static_cast<uint32_t>(*i), offset + share.number});
    }
    runner->begin(own_shares);
    return runner.get();
  }
  /// Index here of a point of the run; nothing if it is not among the points of this ensemble.
  std::optional<size_t> index_of(size_t point_of_run) const {
    const auto found = std::ranges::lower_bound(point, point_of_run);
    if (found == point.end() || *found != point_of_run) return std::nullopt;
    return static_cast<size_t>(found - point.begin());
  }
  /// The difference to the run, over the error of the run's step, at a point.
  double weight(size_t i) const { return std::pow(longer.ratio[i], plan.points[i].error_order) - 1; }
  std::vector<Compared> compared(const Estimates& run) const;

  LongerSteps longer;
  EnsemblePlan& plan;
  std::vector<size_t>& point;  ///< index in the run, by point, ascending
  RunHooks hooks;
  RunOutcome outcome;
  std::unique_ptr<Estimates> estimates;
  std::vector<double> turns;  ///< by column, see turns_of
  std::unique_ptr<Runner> runner;
  std::vector<size_t> column;  ///< index in the run, by column
};

/// All arrays with errors; for an observable with probes only the probes.
std::vector<StepChecker::Ensemble::Compared> StepChecker::Ensemble::compared(const Estimates& run) const {
  const std::vector<Array>&arrays_here = estimates->arrays(), &arrays_of_run = run.arrays();
  const auto find = [](const std::vector<Array>& arrays, const std::string& name) {
    return static_cast<size_t>(std::ranges::find(arrays, name, &Array::name) - arrays.begin());
  };
  const PointFacts facts = facts_of_all(plan);
  std::vector<Compared> found;
  for (size_t i = 0; i < plan.observables.size(); ++i) {
    std::vector<Array> shapes = plan.observables[i]->probes(facts);
    if (shapes.empty()) shapes = plan.observables[i]->arrays(facts);
    for (const Array& shape : shapes) {
      const std::string error = shape.name + "_err";
      const Compared candidate{i, find(arrays_here, shape.name), find(arrays_here, error),
                               find(arrays_of_run, shape.name), find(arrays_of_run, error)};
      if (candidate.error < arrays_here.size() && candidate.error_of_run < arrays_of_run.size())
        found.push_back(candidate);
    }
  }
  return found;
}

StepChecker::StepChecker(const Plan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels)
    : plan_(plan), backends_(backends), kernels_(kernels) {
  if (!plan.options.check_step) why_not_ = "not checked: check_step is false";
  if (!makes_steps(plan.kernel.method)) why_not_ = "method exact makes no steps";
  if (why_not_.empty() && !has_numbers(plan)) why_not_ = "not checked: no observable has a number with an error";
  if (!why_not_.empty()) return;
  const uint64_t lanes = kernels[0]->layout().lanes;
  std::vector<double> ratios, ratios_of_thrice;  // by point of the run
  for (const Point& point : plan.points) {
    ratios.push_back(ratio_of(plan, point, longer_by(plan, point)));
    ratios_of_thrice.push_back(is_coarse(plan, point) ? ratio_of(plan, point, thrice, least_of_thrice) : thrice);
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
  if (paths > 0) thrice_ = std::make_unique<Ensemble>(plan, coarse, paths, ratios_of_thrice, hooks, backends, kernels);
}
StepChecker::~StepChecker() = default;

std::vector<Runner*> StepChecker::begin(const std::vector<Share>& shares) {
  std::vector<Runner*> runners;
  begun_.insert(begun_.end(), shares.begin(), shares.end());
  if (longer_) runners.push_back(longer_->begin(shares, first_share, shares_));
  if (thrice_) runners.push_back(thrice_->begin(shares, first_share_of_thrice, 0));
  return runners;
}

/// A number of the run, and the same number of an ensemble with longer steps. turn: see turns_of.
struct StepChecker::Pair {
  Estimate run, longer;
  double turn = 0;
};

/// Judges the error of the step from one number. scale: of such numbers. quantile: standard errors beyond chance.
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
  const std::optional<size_t> k = thrice_->index_of(longer_->point[i]);
  if (!k) return {};
  const Estimate& of_run = run.column(longer_->column[c], longer_->point[i]);
  const Estimate& doubled = longer_->estimates->column(c, i);
  const Estimate& tripled = thrice_->estimates->column(c, *k);
  const auto change = [&](const Estimate& other) {
    return unwrapped(other.value - of_run.value, 0, longer_->turns[c]);
  };
  const double a = std::pow(longer_->longer.ratio[i], 2), b = std::pow(thrice_->longer.ratio[*k], 2);
  const double weight2 = b / (a - 1) / (b - a), weight3 = -a / (b - 1) / (b - a);
  return {weight2 * change(doubled) + weight3 * change(tripled),
          std::hypot((weight2 + weight3) * of_run.error, weight2 * doubled.error, weight3 * tripled.error)};
}

/// If steps of three lengths show an error that those of two do not, takes it in place of theirs.
void StepChecker::judge_fit(StepCheck::Seen& seen, const Fit& fit, double z) const {
  if (!std::isfinite(fit.error) || !std::isfinite(fit.error_of_it)) return;
  const double bound = student(z, static_cast<double>(least_paths_of_thrice)) * fit.error_of_it + 2 * seen.allowed;
  seen.resolution = std::max(seen.resolution, bound + 1.645 * fit.error_of_it);
  if (seen.warned || !(std::abs(fit.error) > bound)) return;
  seen.warned = true;
  seen.error = fit.error, seen.error_of_it = fit.error_of_it;
  seen.doubt = hypotenuse(fit.error_of_it, doubtful_part * plan_.points[seen.point].of_longest * fit.error);
}

/// If an error of at most first order is seen, and steps of a length between show that its order is higher, the error
/// is smaller: it is taken to be as large as they allow. Long steps may also make errors of another kind; then only the
/// steps between tell the error of the run.
void StepChecker::judge_order(StepCheck::Seen& seen, const Pair& pair, const Estimate& between, double by_longer,
                              double by_between, double quantile) const {
  if (!seen.warned || !seen.scatters || !std::isfinite(between.value) || !std::isfinite(between.error)) return;
  const double change = unwrapped(pair.longer.value - pair.run.value, 0, pair.turn), size = std::abs(change);
  const double towards = std::copysign(1.0, change) * unwrapped(between.value - pair.run.value, 0, pair.turn),
               error_of_towards = hypotenuse(pair.run.error, between.error),
               most = towards + sure_of_order * error_of_towards;
  const double least = plan_.points[seen.point].error_order, weight_of_between = std::pow(by_between, least) - 1;
  if (most * (std::pow(by_longer, least) - 1) > size * weight_of_between) return;
  const double doubtful = doubtful_part * plan_.points[seen.point].of_longest;
  const auto take = [&](double error, double error_of_it, double order, double doubt) {
    seen.error = error, seen.error_of_it = error_of_it, seen.order = order;
    seen.doubt = std::hypot(error_of_it, doubtful * std::abs(error), doubt);
    seen.warned = std::abs(error) > quantile * error_of_it + 2 * pair.run.error;
  };
  const double order = order_of(least, std::max(0.0, most), by_between, size, by_longer),
               likely = order_of(least, std::max(0.0, towards), by_between, size, by_longer);
  const double weight = std::pow(by_longer, order) - 1;
  take(change / weight, hypotenuse(pair.run.error, pair.longer.error) / weight, order,
       size / weight - size / (std::pow(by_longer, likely) - 1));
  if (seen.warned) return;
  const double error_of_it = error_of_towards / weight_of_between;
  take(std::copysign(towards / weight_of_between, change * towards), error_of_it, least, 0);
  seen.resolution = (quantile + 1.645) * error_of_it + 2 * pair.run.error;
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

/// Judges numbers of arrays. Keeps the one with the largest error for each observable at each point.
void StepChecker::compare_arrays(const Estimates& run, double false_alarms_here, StepCheck& check) const {
  struct Number {
    size_t point, array, element;
  };
  const std::vector<Ensemble::Compared> arrays = longer_->compared(run);
  const auto estimate_at = [](const Estimates& estimates, size_t value, size_t error, size_t point, size_t points,
                              size_t k) {
    const std::vector<double>&values = estimates.arrays()[value].values, &errors = estimates.arrays()[error].values;
    const size_t place = point * (values.size() / points) + k;
    return Estimate{values[place], errors[place]};
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
      for (const size_t block : thinned(blocks, most_blocks))
        for (const size_t k : standing_for(values.subspan(block * length, length), doubling))
          numbers.push_back({i, a, block * length + k});
    }
  if (numbers.empty()) return;
  const double z = normal_quantile_of_tails(false_alarms_here / static_cast<double>(numbers.size()));
  StepCheck::Seen* worst = nullptr;
  for (const auto& [i, index, element] : numbers) {
    const Ensemble::Compared& compared = arrays[index];
    const size_t point = longer_->point[i];
    Pair pair{estimate_at(run, compared.value_of_run, compared.error_of_run, point, plan_.points.size(), element),
              estimate_at(*longer_->estimates, compared.value, compared.error, i, longer_->point.size(), element)};
    // The error that many paths predict for a few is taken if it is larger than the few paths' own.
    const double paths_of_run = static_cast<double>(plan_.paths * run.shares(point)),
                 paths_of_longer = static_cast<double>(longer_->plan.paths * longer_->estimates->shares(i));
    pair.longer.error = std::max(pair.longer.error, pair.run.error * std::sqrt(paths_of_run / paths_of_longer));
    const Array& array = run.arrays()[compared.value_of_run];
    const size_t size = array.values.size() / plan_.points.size();
    double scale = 0;  // of the array
    for (size_t k = 0; k < size; ++k)
      if (const double value = std::abs(array.values[point * size + k]); value > scale) scale = value;
    const double parts = plan_.together()
                             ? static_cast<double>(longer_->estimates->shares(i))
                             : static_cast<double>(path_groups_of(static_cast<size_t>(longer_->plan.paths)));
    StepCheck::Seen seen = judge(*longer_, i, pair, scale, student(z, parts - 1));
    if (!std::isfinite(seen.error) || !std::isfinite(seen.error_of_it)) continue;
    if (const auto k = place_between(i); k && usable_between(*k, compared.observable, element, size)) {
      Estimate between =
          estimate_at(*between_->estimates, compared.value, compared.error, *k, between_->point.size(), element);
      between.error = std::max(between.error, pair.longer.error);
      judge_order(seen, pair, between, longer_->longer.ratio[i], between_->longer.ratio[*k], student(z, parts - 1));
    }
    seen.warned = seen.warned && std::abs(seen.error) > allowed_part * std::abs(seen.value);
    seen.observable = observable_index(plan_, longer_->plan.observables[compared.observable]->name());
    const auto size_of = [](const StepCheck::Seen& number) { return std::abs(number.error) / number.allowed; };
    if (worst != nullptr && (worst->point != point || worst->observable != seen.observable)) worst = nullptr;
    const double resolution =
        std::max(seen.resolution / seen.allowed, worst == nullptr ? 0.0 : worst->resolution / worst->allowed);
    const bool is_worst =
        worst == nullptr || (seen.warned == worst->warned ? size_of(seen) > size_of(*worst) : seen.warned);
    if (worst == nullptr)
      worst = &check.seen.emplace_back(seen);
    else if (is_worst)
      *worst = seen;
    worst->resolution = resolution * worst->allowed;
    if (!is_worst) continue;
    const std::vector<uint32_t>& marks = plan_.points[point].marks_of[seen.observable];
    const std::vector<bool>& usable = longer_->longer.usable[i][compared.observable];
    std::optional<double> time;
    if (const size_t block = element / (size / usable.size()); usable.size() > 1)
      time = plan_.points[point].marks[marks[block + marks.size() - usable.size()]] * plan_.points[point].time.dt;
    worst->what = name_of(array, compared.value_of_run >= run.probes_from(), element, time);
  }
}

/// Whether the run has no value at a point.
bool StepChecker::has_diverged(const Estimates& run, size_t point) const {
  if (!longer_->column.empty()) return !std::isfinite(run.column(longer_->column[0], point).value);
  const auto has_value = [&](const Ensemble::Compared& compared) {
    const std::vector<double>& values = run.arrays()[compared.value_of_run].values;
    const size_t size = values.size() / plan_.points.size();
    return std::ranges::any_of(std::span(values).subspan(point * size, size),
                               [](double value) { return std::isfinite(value); });
  };
  return std::ranges::none_of(longer_->compared(run), has_value);
}

/// Index of a point of the longer steps among those of the steps between.
std::optional<size_t> StepChecker::place_between(size_t i) const {
  return between_ ? between_->index_of(longer_->point[i]) : std::nullopt;
}

/// Whether steps of the length between give an element of an array at the same times. size: elements of a point.
bool StepChecker::usable_between(size_t k, size_t observable, size_t element, size_t size) const {
  const std::vector<bool>& usable = between_->longer.usable[k][observable];
  return !usable.empty() && size % usable.size() == 0 && usable[element / (size / usable.size())];
}

void StepChecker::find_orders(const Estimates& run) {
  if (!longer_ || plan_.together()) return;
  std::vector<size_t> points;
  for (const StepCheck::Seen& seen : compare(run).seen)
    if (seen.warned && seen.scatters && plan_.points[seen.point].error_order <= 1) points.push_back(seen.point);
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
  for (const Ensemble* ensemble : {longer_.get(), thrice_.get(), between_.get()})
    if (ensemble != nullptr) check.steps += ensemble->outcome.steps;
  const bool has_columns = !longer_->column.empty(), has_arrays = !longer_->compared(run).empty();
  const double alarms = has_columns && has_arrays ? false_alarms / 2 : false_alarms;
  if (has_columns) compare_columns(run, alarms, check);
  if (has_arrays) compare_arrays(run, alarms, check);
  for (const size_t column : longer_->column)
    add_together(check, column, run, static_cast<double>(plan_.together() ? shares_ : longer_->plan.paths) - 1);
  for (const Divergence& divergence : longer_->outcome.diverged) {
    const size_t point = longer_->point[divergence.point];
    if (!has_diverged(run, point)) check.diverged.push_back(point);
  }
  return check;
}

}  // namespace bmsim
