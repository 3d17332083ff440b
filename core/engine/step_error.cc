#include "engine/step_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "hypotenuse.h"
#include "numbers.h"

namespace bmsim {

namespace {

uint64_t shares_of(const Plan& plan) {
  return plan.together() ? std::max(default_replicas, plan.replicas) : std::clamp<uint64_t>(plan.paths / 64, 16, 64);
}

/// Error of the step h, over the difference between steps h and h/2, if the error goes as h^order.
double richardson_weight(double order) { return 1 / (1 - std::exp2(-order)); }

/// Richardson extrapolation of one quantity, from pairs with steps h, h/2 and h/2, h/4.
struct Richardson {
  Estimate step_error, extrapolated;
  bool trusted = true;  ///< the error falls with the step according to its order

  Richardson(const Levels& levels, size_t point, size_t i, double order, bool step_too_long) {
    const double weight = richardson_weight(order);
    const LevelSums &first = levels.at(1, point), &second = levels.at(2, point);
    const Estimate halved = levels.difference(first, point, i), quartered = levels.difference(second, point, i),
                   removed = levels.estimate(first.combined, point, i);
    // The error is weight * halved by the pair of longer steps, and halved + weight * quartered by the other.
    const double doubt = std::abs((weight - 1) * halved.value - weight * quartered.value);
    const double noise = hypotenuse((weight - 1) * halved.error, weight * quartered.error);
    const bool likely = !(doubt <= 2 * noise), seen = !(doubt <= 4 * noise);
    const double more = seen ? doubt + 2 * noise : likely ? doubt : noise > removed.error ? noise : 0;
    step_error = {-weight * halved.value, hypotenuse(weight * halved.error, likely ? more : 0)};
    extrapolated = {removed.value, hypotenuse(removed.error, more)};
    trusted = !step_too_long && !(seen && doubt > 3 * removed.error && doubt > 0.5 * std::abs(weight * halved.value));
    if (!trusted) extrapolated = {nan, nan};
  }
};

/// Correction factors, by column, for standard errors from the scatter of `shares` shares of `paths` paths. The
/// variance of a share is as skewed as chi squared with paths - 1 degrees of freedom. This contributes to the next
/// order of Student's t (R. C. Geary, Biometrika 34, 209, 1947). nan if all paths together are too few for an error.
std::vector<double> widenings(const Plan& plan, double shares, double paths) {
  std::vector<double> factors;
  for (const auto& observable : plan.observables) {
    for (const std::string& column : observable->columns()) {
      const double order = observable->order(column);
      const bool few = std::ranges::any_of(plan.points, [&](const Point& point) {
        return paths * shares < point.facts.of(observable->variable()).fewest_for_order(order);
      });
      const double of_squares = std::sqrt(1 + (2 + 14 / std::max(1.0, paths - 1)) / shares);
      factors.push_back(few ? nan : order < 2 ? 1 : of_squares);
    }
  }
  return factors;
}

/// Index of the array with this name; the number of arrays if there is none.
size_t find(const std::vector<Array>& arrays, const std::string& name) {
  return static_cast<size_t>(std::ranges::find(arrays, name, &Array::name) - arrays.begin());
}

/// Sets the values of an array at all points to quantities, from number `first` on.
template <class Number> void fill(Array& array, size_t points, size_t first, Number number) {
  const size_t size = array.values.size() / points;
  for (size_t point = 0; point < points; ++point)
    for (size_t k = 0; k < size; ++k) array.values[point * size + k] = number(point, first + k);
}

void fill_arrays(const Plan& plan, const Levels& levels, const Quantity& value, const Quantity& step_error,
                 size_t columns, RunOutcome& outcome) {
  std::vector<Array> arrays = Estimates(plan).take_arrays(), steps = step_arrays(arrays);
  const size_t points = plan.points.size();
  size_t first = columns;
  for (Array& array : arrays) {
    const size_t error = find(arrays, array.name + "_err"), step = find(steps, array.name + "_step");
    if (error < arrays.size()) {
      fill(array, points, first, [&](size_t point, size_t i) { return value(point, i).value; });
      fill(arrays[error], points, first, [&](size_t point, size_t i) { return value(point, i).error; });
      fill(steps[step], points, first, [&](size_t point, size_t i) { return step_error(point, i).value; });
      fill(steps[step + 1], points, first, [&](size_t point, size_t i) { return step_error(point, i).error; });
    } else if (!array.name.ends_with("_err")) {
      fill(array, points, first,
           [&](size_t point, size_t i) { return finished(outcome, point) ? levels.first(point, i) : nan; });
    }
    first += array.values.size() / points;
  }
  std::ranges::move(steps, std::back_inserter(arrays));
  outcome.arrays = std::move(arrays);
}

template <class Trusted> void note_untrusted(const Plan& plan, Trusted trusted, RunOutcome& outcome) {
  size_t column = 0;
  for (const auto& observable : plan.observables)
    for (const std::string& name : observable->columns()) {
      size_t first = plan.points.size(), count = 0;
      for (size_t point = plan.points.size(); point-- > 0;)
        if (!trusted(point, column)) first = point, ++count;
      ++column;
      if (count > 0)
        outcome.warnings.push_back(
            fmt::format("run: step_error: the error of {} does not fall with the step as it should at {} of {} points, "
                        "point {} among "
                        "them: {}_extrapolated is nan there; give a smaller step than dt = {:.3g}",
                        name, count, plan.points.size(), first + 1, name, plan.points[first].time.dt));
    }
}

}  // namespace

std::vector<Array> step_arrays(const std::vector<Array>& arrays) {
  std::vector<Array> steps;
  for (const Array& array : arrays) {
    if (find(arrays, array.name + "_err") == arrays.size()) continue;
    Array step = array;
    step.name += "_step", step.label = "step error of " + step.label;
    steps.push_back(step);
    step.name += "_err", step.label = "err(" + step.label + ")";
    steps.push_back(std::move(step));
  }
  return steps;
}

void fill_outcome(const Plan& plan, const Levels& levels, const Quantity& value, const Quantity& step_error,
                  const Quantity& extrapolated, RunOutcome& outcome) {
  const std::vector<double> turns = turns_of(plan);
  const size_t columns = turns.size();
  const auto fill = [&](std::vector<std::vector<Estimate>>& table, const Quantity& quantity) {
    table.assign(columns, {});
    for (size_t i = 0; i < columns; ++i)
      for (size_t point = 0; point < plan.points.size(); ++point) table[i].push_back(quantity(point, i));
  };
  const auto of_finished = [&](const Quantity& quantity) -> Quantity {
    return [&](size_t point, size_t i) { return finished(outcome, point) ? quantity(point, i) : Estimate{nan, nan}; };
  };
  fill(outcome.estimates, of_finished(value));
  fill(outcome.step_errors, of_finished(step_error));
  fill(outcome.extrapolated, of_finished(extrapolated));
  for (auto* table : {&outcome.estimates, &outcome.extrapolated})
    for (size_t i = 0; i < columns; ++i)
      for (Estimate& estimate : (*table)[i]) estimate.value = within(estimate.value, turns[i]);
  fill_arrays(plan, levels, of_finished(value), of_finished(step_error), columns, outcome);
}

RunOutcome run_with_step_error(const Plan& plan, const RunHooks& hooks) {
  RunOutcome outcome;
  std::optional<InterruptionScope> heard(std::in_place, check_of(hooks));
  const uint64_t shares = shares_of(plan);
  const uint64_t paths = plan.together() ? plan.paths : (plan.paths + shares - 1) / shares;  // of a share
  const double order = order_of_errors(plan);
  Levels levels(plan, paths, richardson_weight(order), hooks, outcome, 2);
  const auto started = Clock::now();
  const uint64_t finer_shares = std::max<uint64_t>(8, shares / 4);
  try {
    double steps = 0;
    for (size_t i = 0; i < plan.points.size(); ++i)
      steps += static_cast<double>(shares) * levels.cost(1, i, true) +
               static_cast<double>(finer_shares) * levels.cost(2, i, true);
    levels.expect(steps);
    const size_t points = plan.points.size();
    levels.run_pairs({{1, std::vector(points, shares)}, {2, std::vector(points, finer_shares)}});
    levels.end_progress();
  } catch (const Interruption& end) {
    std::vector<bool> finished;
    for (size_t i = 0; i < plan.points.size(); ++i)
      finished.push_back(levels.pairs(1, i) == shares && levels.pairs(2, i) == finer_shares);
    keep_finished(end, std::move(finished), outcome);
  }
  heard.reset();
  outcome.seconds = seconds_since(started);
  const std::vector<double> wider = widenings(plan, static_cast<double>(shares), static_cast<double>(paths));
  const auto widened = [&](Estimate estimate, size_t i) {
    if (i < wider.size()) estimate.error *= wider[i];
    return estimate;
  };
  const auto richardson = [&](size_t point, size_t i) {
    return Richardson(levels, point, i, order, plan.points[point].step_too_long);
  };
  fill_outcome(
      plan, levels,
      [&](size_t point, size_t i) { return widened(levels.estimate(levels.at(1, point).coarse, point, i), i); },
      [&](size_t point, size_t i) { return widened(richardson(point, i).step_error, i); },
      [&](size_t point, size_t i) { return widened(richardson(point, i).extrapolated, i); }, outcome);
  note_untrusted(
      plan, [&](size_t point, size_t i) { return !finished(outcome, point) || richardson(point, i).trusted; }, outcome);
  for (size_t i = 0; i < plan.points.size(); ++i) outcome.paths.push_back(finished(outcome, i) ? shares * paths : 0);
  Halves halves(plan);
  for (size_t i = 0; i < plan.points.size(); ++i)
    for (const unsigned level : {1U, 2U})
      if (finished(outcome, i)) levels.add_halves(level, i, halves);
  outcome.transient_check = check_transient(plan, halves);
  outcome.steps_per_second = (outcome.steps - outcome.steps_known) / outcome.seconds;
  outcome.kernel_details = levels.kernel().details;
  return outcome;
}

}  // namespace bmsim
