// What a run will cost, said before it starts.

#include "backend/warn.h"
#include "capi/objects.h"
#include "plan/exact.h"

namespace bmsim {

namespace {

constexpr double long_time = 60;      // s
constexpr double much_cheaper = 0.7;  // of the time
constexpr size_t few_points = 8;      // so few are planned in a moment

/// Why the steps of a point are as short as they are.
std::string why_short(const Plan& plan, const Point& point) {
  const double dt = point.time.dt;
  if (plan.kernel.method == Method::exact) return "it makes a move for every event, and from edge to edge of V";
  if (plan.kernel.method == Method::walk)
    return fmt::format("its clock ticks every {}", tick_rate(plan.model, point.values).text());
  if (point.asked.dt) return fmt::format("dt = {:.3g} is given", dt);
  if (point.asked.spp) return fmt::format("spp = {:.3g} is given, so that dt = {:.3g}", *point.asked.spp, dt);
  return fmt::format("dt = {:.3g} by {}", dt,
                     plan.why_step.empty() ? "the time scale of noises and drives, over 400" : plan.why_step);
}

std::string what_is_cheaper(const bm_run& run, const Plan& plan, const Expected& expected_now) {
  const RunOptions asked = run.session->overridden(run.options);
  const bool few = run.sweep.points() <= few_points;
  const Sweep looked_at = few ? run.sweep : run.sweep.only(expected_now.slowest);  // a plan of all points may take long
  const WarningScope silent([](const std::string&) {});
  const double now =
      few ? expected_now.typical_seconds : expected(make_plan(run.model, looked_at, asked)).typical_seconds;
  std::vector<std::string> suggestions;
  // Plans the run with other options. Adds nothing if that is not much cheaper, or is refused.
  const auto consider = [&](const char* words, auto change) {
    RunOptions options = asked;
    change(options);
    try {
      const Plan other = make_plan(run.model, looked_at, options);
      const double part = expected(other).typical_seconds / now;
      if (part > much_cheaper) return;
      // methods and precision are chosen for all points
      const std::string choice = few ? fmt::format(" ({}, {} precision)", method_name(other.kernel.method),
                                                   precision_name(other.kernel.precision))
                                     : "";
      suggestions.push_back(
          fmt::format("{}{} would take about {}", words, choice, duration_text(part * expected_now.seconds)));
    } catch (const Error&) {
    }
  };
  if (asked.method != "auto") consider("method = \"auto\"", [](RunOptions& options) { options.method = "auto"; });
  if (asked.dt || asked.spp)
    consider("the default step", [](RunOptions& options) { options.dt.reset(), options.spp.reset(); });
  if (asked.precision == "double")
    consider("precision = \"auto\"", [](RunOptions& options) { options.precision = "auto"; });
  if (suggestions.empty() && plan.options.targets.empty() && plan.options.tolerances.empty() && plan.paths > 256)
    suggestions.push_back("a quarter of the paths would take a quarter of it, with errors twice as large");
  return fmt::format("{}", fmt::join(suggestions, "; "));
}

}  // namespace

std::string cost_text(const bm_run& run, const Plan& plan, const Expected& expected) {
  if (!(expected.seconds > long_time)) return "";
  const bool begins = !plan.options.targets.empty() || !plan.options.tolerances.empty();
  std::string text = fmt::format("run: {:.2g} {}{}, about {} on {} (at {:.2g} {} per second, {})", expected.steps,
                                 makes_steps(plan.kernel.method) ? "steps" : "ticks", begins ? " to begin with" : "",
                                 duration_text(expected.seconds), expected.device, expected.steps_per_second,
                                 makes_steps(plan.kernel.method) ? "steps" : "ticks",
                                 expected.measured ? "as measured before" : "which is typical of such models");
  const Point& slowest = plan.points[expected.slowest];
  if (plan.points.size() > 1)
    text += fmt::format("; the slowest of {} points, {}, takes {:.2g} % of it: {}", plan.points.size(),
                        run.sweep.describe(expected.slowest), 100 * expected.part, why_short(plan, slowest));
  else
    text += "; " + why_short(plan, slowest);
  const std::string cheaper = what_is_cheaper(run, plan, expected);
  return cheaper.empty() ? text : text + "; " + cheaper;
}

}  // namespace bmsim
