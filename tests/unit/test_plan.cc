// Plans: dt, steps and transient of every point, the choices that "auto" leaves, and the rules a run can break.
#include <doctest/doctest.h>

#include "message_of.h"
#include "plan/plan.h"

using namespace bmsim;
using bmsim::test::message_of;

namespace {

// Poissonian noise of rate lambda: its time scale is 1 / lambda.
Model motor(const char* potential = "sine") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  model.add(BM_POTENTIAL, potential, "");
  model.add(BM_NOISE, "poisson", "");
  model.set("poisson.lambda", 4);
  model.set("poisson.zeta", 0.5);
  return model;
}
Model timeless() {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  model.add(BM_NOISE, "gaussian", "");
  return model;
}
Model with_white_noise(Model model) {
  model.add(BM_NOISE, "gaussian", "");
  return model;
}
Point only_point(const RunOptions& options) { return std::move(make_plan(motor(), {}, options).points.at(0)); }
std::string refusal(const Model& model, const RunOptions& options) {
  return message_of([&] { make_plan(model, {}, options); });
}
Increments increments_of(Model model, const std::string& method, bool gaussian) {
  if (gaussian) model = with_white_noise(std::move(model));
  RunOptions options;
  options.method = method;
  return make_plan(model, {}, options).kernel.increments;
}

}  // namespace

TEST_CASE("Plan: dt is the time scale over spp, the run lasts `periods` of it") {
  RunOptions options;
  options.spp = 100;
  options.periods = 7.5;
  options.transient = 0.1;
  const Point point = only_point(options);
  CHECK(point.time.dt == 0.25 / 100);
  CHECK(point.time.steps == 750);
  CHECK(point.time.transient == 75);
  CHECK(point.window() == doctest::Approx(675 * 0.25 / 100));
}

TEST_CASE("Plan: neither given means 400 steps a period and 1000 periods") {
  const Point point = only_point({});
  CHECK(point.time.dt == 0.25 / 400);
  CHECK(point.time.steps == 400000);
}

TEST_CASE("Plan: absolute dt and time are taken as they are") {
  RunOptions options;
  options.dt = 0.01;
  options.time = 2;
  options.transient = 0;
  const Point point = only_point(options);
  CHECK(point.time.dt == 0.01);
  CHECK(point.time.steps == 200);
  CHECK(point.time.transient == 0);
}

TEST_CASE("Plan: every point of a sweep has its own dt") {
  Sweep sweep;
  sweep.add_axis({"poisson.lambda"}, {{1, 8}});
  RunOptions options;
  options.spp = 400;
  const Plan plan = make_plan(motor(), sweep, options);
  CHECK(plan.points[0].time.dt == 1.0 / 400);
  CHECK(plan.points[1].time.dt == 1.0 / 8 / 400);
  CHECK(plan.total_steps() == 2.0 * 400000 * 1024);
}

TEST_CASE("Plan: increments are moment-matched where V is smooth, near-Gaussian where it is not") {
  CHECK(increments_of(motor("sine"), "auto", true) == Increments::five_point);
  CHECK(increments_of(motor("piecewise_linear"), "heun", true) == Increments::near_gaussian);
  CHECK(increments_of(motor("piecewise_linear"), "auto", true) == Increments::none);  // exact
  CHECK(increments_of(motor("piecewise_linear"), "paper", true) == Increments::three_point);
  CHECK(increments_of(motor("sine"), "adaptive", true) == Increments::gaussian);
  CHECK(increments_of(motor("sine"), "auto", false) == Increments::none);
}

TEST_CASE("Plan: auto takes method exact where it applies, unless steps are asked for, and says why") {
  RunOptions options;
  Sweep sweep;
  const auto chosen = [&](const Model& model) {
    const Plan plan = make_plan(model, sweep, options);
    return fmt::format("{}: {}", method_name(plan.kernel.method), plan.why_method);
  };
  const Model kinks = motor("piecewise_linear");
  CHECK(chosen(kinks) == "exact: a piecewise-linear potential and events need no steps");
  CHECK(chosen(motor("free")) == "exact: a piecewise-linear potential and events need no steps");
  CHECK(chosen(motor("sine")) == "heun: not exact: potential.sine 'sine' is not piecewise linear");
  CHECK(chosen(with_white_noise(kinks)) ==
        "exact: in a piecewise-linear potential white noise and events need no steps");
  CHECK(chosen(with_white_noise(motor("sine"))) == "heun: not exact: potential.sine 'sine' is not piecewise linear");
  options.observables = {"velocity", {"first_passage", {{"to", {3}}}}};
  CHECK(chosen(with_white_noise(kinks)) ==
        "heun: not exact: with white noise it knows paths at ticks of a random clock, not at given times, as asked for "
        "by observe.first_passage: mean and variance are known, not the density: bins = 0");
  options.observables = {"velocity", "diffusion", "peclet",
                         "density",  "current",   {"first_passage", {{"to", {3}}, {"bins", {0}}}}};
  CHECK(chosen(with_white_noise(kinks)).starts_with("exact: "));
  options.find_transient = true;
  CHECK(chosen(with_white_noise(kinks)).starts_with("heun: "));
  options = {};
  Model inert = kinks;
  inert.make_underdamped();
  CHECK(chosen(inert) == "aboba: not exact: the model is underdamped");
  options.spp = 400;
  CHECK(chosen(kinks) == "heun: not exact: spp is given");
  options.method = "exact";
  CHECK(chosen(kinks) == "exact: ");
  options = {};
  options.dt = 0.01;
  CHECK(chosen(kinks) == "heun: not exact: dt is given");
  options = {};
  options.increments = "gaussian";
  CHECK(chosen(kinks) == "heun: not exact: increments are given");
  options = {};
  options.observables = {"lyapunov"};
  CHECK(chosen(motor("free")) == "heun: not exact: observe.lyapunov needs steps");
  options = {};
  sweep.add_axis({"spp"}, {{100, 200}});
  CHECK(chosen(kinks) == "heun: not exact: dt or spp is swept");
}

TEST_CASE("Plan: numbers out of range are refused") {
  RunOptions options;
  const auto refused = [&](auto set) {
    options = {};
    set(options);
    return refusal(motor(), options);
  };
  CHECK(refused([](auto& o) { o.paths = 0; }) == "run: paths must be >= 1, got 0");
  CHECK(refused([](auto& o) { o.transient = 1; }) == "run: transient must be in [0, 1), got 1");
  CHECK(refused([](auto& o) { o.dt = -1; }) == "run: dt must be > 0 and finite, got -1");
  CHECK(refused([](auto& o) { o.local_error = 0; }) == "run: local_error must be > 0 and finite, got 0");
  CHECK(refused([](auto& o) { o.local_error = 0.1; }) == "run: local_error is for method adaptive; the method is heun");
  CHECK(refused([](auto& o) { o.spp = 0.5; }) == "run: spp must be >= 1, got 0.5");
  CHECK(refused([](auto& o) { o.spp = o.dt = 1; }) == "run: give spp or dt, not both");
  CHECK(refused([](auto& o) { o.time = o.periods = 1; }) == "run: give periods or time, not both");
  CHECK(refused([](auto& o) { o.periods = 1e-6, o.spp = 400; }).starts_with("run: it must last at least one step"));
  CHECK(refused([](auto& o) { o.dt = 1e-300; }).starts_with("run: at most 2^48 steps"));
  CHECK(refused([](auto& o) { o.precision = "half"; }) == "run: unknown precision 'half'; known: auto, single, double");
  CHECK(refused([](auto& o) { o.observables = {"speed"}; }).starts_with("observe: unknown observable 'speed'"));
}

TEST_CASE("Plan: a window shorter than the default step makes that shorter; a step that is given is refused") {
  const auto window_of = [](const Model& model, double time) {
    RunOptions options;
    options.time = time;
    options.method = "heun";
    const Plan plan = make_plan(model, {}, options);
    const PointTime& made = plan.points[0].time;
    CHECK(made.steps >= 20);
    CHECK(made.steps <= 41);
    CHECK(made.steps * made.dt == doctest::Approx(time).epsilon(0.03));
    CHECK(plan.why_step.starts_with("the window: "));
  };
  // V of small slope and curvature: the default step is long
  Model weak = timeless();
  weak.add(BM_POTENTIAL, "sine", "");
  weak.set("sine.V0", 1e-6);
  weak.set("gaussian.D", 1e-6);
  window_of(weak, 1);
  window_of(motor(), 1e-5);
  RunOptions options;
  options.time = 1, options.dt = 3;
  CHECK(refusal(weak, options).starts_with("run: it must last at least one step"));
}

TEST_CASE("Plan: where nothing has a time scale, time must be given") {
  RunOptions options;
  CHECK(refusal(timeless(), options) == "run: give time: no component of the model has a time scale");
  options.spp = 10;
  CHECK(refusal(timeless(), options).starts_with("run: spp counts steps per period, but no component"));
  options = {};
  options.time = 1;
  CHECK(make_plan(timeless(), {}, options).points[0].time.steps == 400);  // ticks
  options.method = "heun";
  CHECK(make_plan(timeless(), {}, options).points[0].time.steps == 1000);  // free motion: any step will do
}

TEST_CASE("Plan: a point that breaks a rule is named with its values") {
  Sweep sweep;
  sweep.add_axis({"poisson.lambda"}, {{1, -1}});
  CHECK(message_of([&] { make_plan(motor(), sweep, {}); }) ==
        "poisson: lambda must be > 0, got -1 (at poisson.lambda = -1)");
}
