// Steps by the motion: what the force of a potential is like, the step that is taken where none is given, and what is
// said of one that is too long.
#include <doctest/doctest.h>

#include <cmath>

#include "model/formula_plugin.h"
#include "numbers.h"
#include "plan/step_choice.h"
#include "scales/kink_times.h"

using namespace bmsim;

namespace {

Model with(const char* potential, std::initializer_list<std::pair<const char*, double>> values, double D = 0.1) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  model.add(BM_POTENTIAL, potential, "");
  model.add(BM_NOISE, "gaussian", "");
  model.set("gaussian.D", D);
  for (const auto& [name, value] : values) model.set(name, value);
  return model;
}
ForceShape shape_of(const Model& model, double from = 0, double to = 0) {
  ForceShapes shapes;
  const ModelValues values = evaluate(model);
  return shapes.at(model, values, Surroundings(model, values), {from, to}, 100);
}
Plan plan_of(const Model& model, std::optional<double> dt = {}, const char* method = "auto", double time = 10) {
  RunOptions options;
  options.time = time;
  options.dt = dt;
  options.method = method;
  return make_plan(model, {}, options);
}
double default_step(const Model& model, const char* method = "auto") {
  return plan_of(model, {}, method).points[0].time.dt;
}

}  // namespace

TEST_CASE("Steps: paths that end at walls or levels, from the middle, from near by, and in a drift") {
  const auto plan = [](double x, double force, bool walls, double level = 0) {
    Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
    Model model;
    model.add(BM_POTENTIAL, "free", "");
    model.add(BM_NOISE, "gaussian", "");
    model.set("gaussian.D", 0.5);
    model.set("force", force);
    if (walls) model.add_walls({"x", "-1", "1", true}, {});
    RunOptions options;
    options.time = 100;
    options.method = "heun";
    options.starts["x"] = StartLaw{x, 0, 0, 0};
    if (level > 0) options.observables = {{"first_passage", {{"to", {level}}}}};
    return make_plan(model, {}, options);
  };
  CHECK(plan(0, 0, true).points[0].time.dt == doctest::Approx(0.08));         // W^2/2D = 4
  CHECK(plan(0.8, 0, true).points[0].time.dt == doctest::Approx(0.01));       // d^2/2D = 0.04
  CHECK(plan(1 - 1e-6, 0, true).points[0].time.dt == doctest::Approx(4e-4));  // d at least W/50
  CHECK(plan(0, 0, false, 0.2).points[0].time.dt == doctest::Approx(0.01));
  CHECK(plan(0, 2, false, 1).points[0].time.dt == doctest::Approx(0.02));  // d/v = 0.5
  CHECK(plan(0, 0, false, 1e3).points[0].time.dt == doctest::Approx(1));   // far away
  CHECK(plan(0, 0, false).points[0].time.dt == doctest::Approx(0.1));      // velocity
  CHECK(plan(0, 0, true).kernel.increments == Increments::gaussian);
  CHECK(plan(0, 0, false).kernel.increments == Increments::five_point);
}

TEST_CASE("Steps: increments are near-Gaussian where white noise takes paths through levels") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  const auto increments = [](bool inertial, const char* observable) {
    Model model;
    model.add(BM_POTENTIAL, "harmonic", "");
    model.add(BM_NOISE, "gaussian", "");
    if (inertial) model.make_underdamped();
    RunOptions options;
    options.time = 100;
    options.starts["x"] = StartLaw{0, 0, 0, 0};
    options.observables = {{observable, {{"from", {-3}}, {"to", {3}}}}};
    if (observable == std::string("velocity")) options.observables = {observable};
    return make_plan(model, {}, options).kernel.increments;
  };
  CHECK(increments(false, "residence") == Increments::near_gaussian);
  CHECK(increments(false, "velocity") == Increments::five_point);
  CHECK(increments(true, "residence") == Increments::five_point);
}

TEST_CASE("Steps: increments are Gaussian where a density shows what kinks do to single steps") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  const auto increments = [](const char* potential, bool inertial, const char* observable) {
    Model model;
    model.add(BM_POTENTIAL, potential, "");
    model.add(BM_NOISE, "gaussian", "");
    if (inertial) model.make_underdamped();
    RunOptions options;
    options.time = 100;
    if (!inertial) options.method = "heun";
    options.observables = {observable};
    return make_plan(model, {}, options).kernel.increments;
  };
  CHECK(increments("piecewise_linear", false, "density") == Increments::gaussian);
  CHECK(increments("piecewise_linear", false, "velocity") == Increments::near_gaussian);
  CHECK(increments("piecewise_linear", true, "density") == Increments::near_gaussian);
  CHECK(increments("sine", false, "density") == Increments::five_point);
}

TEST_CASE("Steps: a sine's force and curvature are its largest ones, over its smallest length") {
  const ForceShape shape = shape_of(with("sine", {{"sine.V0", 3}, {"sine.L", 2}}));
  CHECK(shape.force == doctest::Approx(2 * pi * 3 / 2).epsilon(1e-3));
  CHECK(shape.curvature == doctest::Approx(4 * pi * pi * 3 / 4).epsilon(1e-3));
  CHECK(shape.length == doctest::Approx(1 / pi).epsilon(2e-3));
  CHECK(shape.height == doctest::Approx(6).epsilon(1e-3));
  CHECK_FALSE(shape.kinks);
}

TEST_CASE("Steps: kinks are no curvature; their distance is the smallest length") {
  const ForceShape shape = shape_of(with("piecewise_linear", {{"piecewise_linear.L", 2}, {"piecewise_linear.k", 0.3}}));
  CHECK(shape.kinks);
  CHECK(shape.curvature < 1e-9);
  CHECK(shape.length == doctest::Approx(0.6).epsilon(2e-3));
  const std::string names[] = {"L"};
  Model model;
  model.add(formula_plugin(BM_POTENTIAL, "abs(sin(2*pi*x/L))", names), "");
  model.set("formula.L", 1);
  model.add(BM_NOISE, "gaussian", "");
  const ForceShape arches = shape_of(model);
  CHECK(arches.kinks);
  CHECK(arches.curvature == doctest::Approx(4 * pi * pi).epsilon(1e-2));
}

TEST_CASE("Steps: forces press to a kink from one side or both, push away from it, or pass it") {
  CHECK(forces_at_jump(2, -2, 0).square() == 4);
  CHECK(forces_at_jump(-2, 2, 0).square() == 4);
  CHECK(forces_at_jump(8, -2, 0).square() == 64);
  CHECK(forces_at_jump(70, -1, 0).square() == 490);  // few are on the steep side
  CHECK(forces_at_jump(0, -20, 0.5).square() == 70);
  CHECK(forces_at_jump(2, 1, 0).square() == 0);
  CHECK(forces_at_jump(1, 2, 0.5).square() == 0);
  CHECK(turning_time(forces_at_jump(2, -2, 0), 4, 1e6) == 2);
  CHECK(turning_time(forces_at_jump(2, -2, 0), 4, 0.5) == doctest::Approx(2));  // sqrt(v^3 damping/f^3)
  CHECK(turning_time(forces_at_jump(2, 1, 0), 4, 0.5) == 0);
}

TEST_CASE("Steps: short against D/f^2 on both sides of a kink, where heat is all that moves a particle") {
  const auto step = [](double D, double force, bool kicks, const char* observable) {
    Model model =
        with("piecewise_linear", {{"piecewise_linear.L", 1}, {"piecewise_linear.k", 0.5}, {"force", force}}, D);
    if (kicks) model.add(BM_NOISE, "poisson", "");
    RunOptions options;
    options.time = 1;
    options.method = "heun";
    options.observables = {{observable, {{"times", {1}}}}};
    if (observable == std::string("velocity")) options.observables = {observable};
    return make_plan(model, {}, options).points[0].time.dt;
  };
  CHECK(step(0.01, 0, false, "moments") == doctest::Approx(0.15 * 0.01 / 4).epsilon(0.01));
  CHECK(step(0.01, 1, false, "moments") == doctest::Approx(0.15 * 0.01 / 9).epsilon(0.01));
  CHECK(step(0.01, 0, false, "velocity") == doctest::Approx(0.15 * 0.01 / 4).epsilon(0.01));
  CHECK(step(1e-8, 0, true, "velocity") > 0.15 * 0.5 / 30 / 2.01);
  CHECK(step(0.5, 0, false, "moments") == doctest::Approx(0.02 * 0.5 / 2).epsilon(0.01));  // from kink to kink
}

TEST_CASE("Steps: without a period the curvature is that where the temperature takes a particle") {
  CHECK(shape_of(with("harmonic", {{"harmonic.k", 7}})).curvature == doctest::Approx(7).epsilon(1e-6));
  const std::string none[] = {"a"};
  Model model;
  model.add(formula_plugin(BM_POTENTIAL, "a*x^4/4", none), "");
  model.set("formula.a", 1);
  model.add(BM_NOISE, "gaussian", "");
  model.set("gaussian.D", 1);
  // V = 12 D at x^4 = 48, and V'' = 3 x^2 there; the reach is rounded up by at most half an octave of energy and a
  // tenth
  const double edge = 3 * std::sqrt(48.0);
  const double curvature = shape_of(model).curvature;
  CHECK(curvature > edge);
  CHECK(curvature < 2.2 * edge);
}

TEST_CASE("Steps: where none is given the shortest time of the motion chooses") {
  const double relaxation = 1 / (4 * pi * pi);
  CHECK(default_step(with("sine", {})) == doctest::Approx(0.1 * relaxation).epsilon(5e-3));
  CHECK(default_step(with("sine", {}), "euler") == doctest::Approx(0.02 * relaxation).epsilon(5e-3));
  // a large force takes the particle over l = 1/2 pi
  CHECK(default_step(with("sine", {{"force", 1000}})) ==
        doctest::Approx(0.1 / (2 * pi) / (1000 + 2 * pi)).epsilon(5e-3));
  // strong noise
  CHECK(default_step(with("sine", {}, 50)) == doctest::Approx(0.1 / (4 * pi * pi) / 100).epsilon(5e-3));
  // free motion: any step will do
  CHECK(default_step(with("free", {}), "heun") == doctest::Approx(10.0 / 1000));
}

TEST_CASE("Steps: an underdamped particle's are short against its damping and its swings") {
  Model model = with("sine", {}, 1e-4);
  model.make_underdamped();
  model.set("mass", 1e-4);
  CHECK(default_step(model) == doctest::Approx(0.25e-4));
  model.set("mass", 100);
  model.set("gamma", 0.001);
  CHECK(default_step(model) <= doctest::Approx(0.3 * std::sqrt(100 / (4 * pi * pi))));
}

TEST_CASE("Steps: the time scale of noises and drives bounds the step too") {
  Model model = with("sine", {{"sine.V0", 1e-3}});
  model.add(BM_NOISE, "poisson", "");
  model.set("poisson.lambda", 1000);
  model.set("poisson.zeta", 1e-3);
  CHECK(default_step(model) == doctest::Approx(1e-3 / 400));
}

TEST_CASE("Steps: short against the time in which noise crosses the structure of its amplitude, however weak that is") {
  const auto model = [](const char* amplitude, const char* potential = "free") {
    Model made = with(potential, {}, 0.5);
    made.add_amplitude("gaussian", {amplitude}, {});
    made.set_interpretation("ito");
    return made;
  };
  const auto step = [&](const char* amplitude) { return plan_of(model(amplitude), {}, "auto", 1e5).points[0].time.dt; };
  constexpr double k2 = 4 * pi * pi;
  const auto of_cosine = [](double c) { return 0.5 / (k2 * (1 + c) * (1 + c)); };
  CHECK(step("1 + 0.1*cos(2*pi*x)") == doctest::Approx(of_cosine(0.1)).epsilon(0.01));
  CHECK(step("1 + 0.3*cos(2*pi*x)") == doctest::Approx(of_cosine(0.3)).epsilon(0.01));
  // strong ones change by the noise before
  CHECK(step("1 + 0.7*cos(2*pi*x)") == doctest::Approx(0.1 / (k2 * 0.49)).epsilon(0.01));
  // a kink does not count, what lies between does
  CHECK(step("1 + 0.3*abs(sin(pi*x))") == doctest::Approx(of_cosine(0.3) * 2).epsilon(0.01));
  // however narrow it is: where b^2 |b''| is largest, in the middle, it is 2 c (1 - c)^2/w^2
  const double narrow = step("1 - 0.2*exp(-(sin(pi*(x - 0.1234))/(pi*1e-3))^2)");
  CHECK(narrow == doctest::Approx(0.5 * 1e-6 / (4 * 0.64)).epsilon(0.1));
  // noise hardly notices
  CHECK(step("1 + 0.01*cos(2*pi*x)") > 1);
  const Plan longer = plan_of(model("1 + 0.3*cos(2*pi*x)"), 0.05);
  REQUIRE(longer.warnings.size() == 1);
  CHECK(longer.warnings[0] ==
        "run: the step is too long for the motion: dt = 0.05, where the time in which noise crosses the structure of "
        "its amplitude is 0.015; dt = 0.0075 would do");
}

TEST_CASE("Steps: one that is given and too long is named, with one that would do") {
  const Plan plan = plan_of(with("sine", {}), 0.1);
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings[0] ==
        "run: the step is too long for the motion: dt = 0.1, where 1/max|V''| is 0.025; dt = 0.0025 would do");
  CHECK(plan.points[0].step_too_long);
  CHECK(plan_of(with("sine", {}), 0.01).warnings.empty());
  CHECK(plan_of(with("free", {}), 1.0).warnings.empty());
}

TEST_CASE("Steps: in a sweep the worst point is named, and how many there are") {
  Sweep sweep;
  sweep.add_axis({"sine.V0"}, {{0.01, 1, 4}});
  RunOptions options;
  options.time = 10;
  options.dt = 0.05;
  const Plan plan = make_plan(with("sine", {}), sweep, options);
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings[0].starts_with(
      "run: the step is too long for the motion at 2 of 3 points: dt = 0.05 at point 3 (sine.V0 = 4)"));
}

TEST_CASE("Steps: single precision where it resolves the motion, else double") {
  Model slow = with("sine", {}, 0);
  CHECK(plan_of(slow, 1e-3).kernel.precision == Precision::single_precision);
  const Plan fine = plan_of(slow, 1e-7, "auto", 0.1);
  CHECK(fine.kernel.precision == Precision::double_precision);
  CHECK(fine.kernel.precision == Precision::double_precision);
  CHECK_FALSE(fine.why_precision.empty());
  // White noise moves a particle more than its drift does; but the drift is lost beside it where it is a digit or so.
  CHECK(plan_of(with("sine", {}, 1), 2e-6, "auto", 0.1).kernel.precision == Precision::single_precision);
  CHECK(plan_of(with("sine", {}, 1), 1e-7, "auto", 0.1).kernel.precision == Precision::double_precision);
}

TEST_CASE("Steps: a potential that changes with time, where it is most curved in the run") {
  const auto plan = [](const char* V, double time, std::optional<double> dt = {}) {
    Model model;
    model.add(formula_plugin(BM_POTENTIAL, V, {}), "");
    model.add(BM_NOISE, "gaussian", "");
    model.set("gaussian.D", 0.1);
    return plan_of(model, dt, "auto", time);
  };
  const auto step = [&](const char* V, double time) { return plan(V, time).points[0].time.dt; };
  CHECK(step("(1+t)*x^2/2", 15) == doctest::Approx(0.1 / 16));
  CHECK(step("(1+t)*x^2/2", 49) == doctest::Approx(0.1 / 50));
  CHECK(step("(1+(t>1))*x^2/2", 1.5) <= doctest::Approx(0.1 / 2));
  CHECK(step("(x-5*t)^4/4", 1000) > 1e-3);  // the particle follows its trap, and does not come to where V is steep
  const Plan coarse = plan("(1+t)*x^2/2", 15, 0.06);
  REQUIRE(coarse.warnings.size() == 1);
  CHECK(coarse.warnings[0] ==
        "run: the step is too long for the motion: dt = 0.06, where 1/max|V''| is 0.062; dt = 0.0063 would do");
}

TEST_CASE("Steps: drives and events that change with time, by how fast they do") {
  const auto step = [](const char* force, std::vector<std::string>* warnings = nullptr) {
    Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
    Model model;
    model.add(BM_POTENTIAL, "harmonic", "");
    model.add(BM_NOISE, "gaussian", "");
    model.add(formula_plugin(BM_DRIVE, force, {}), "");
    const Plan plan = plan_of(model, {}, "auto", 2);
    if (warnings != nullptr) *warnings = plan.warnings;
    return plan.points[0].time.dt;
  };
  const double steepest = std::sqrt(2 / std::exp(1.0));  // of a pulse of height and width 1
  CHECK(step("20*exp(-((t-1)/0.02)^2)") == doctest::Approx(0.1 * 0.02 / steepest).epsilon(0.02));
  CHECK(step("20*exp(-((t-1.2345)/0.002)^2)") == doctest::Approx(0.1 * 0.002 / steepest).epsilon(0.02));
  CHECK(step("5*exp(-t/0.1)") == doctest::Approx(0.01).epsilon(0.02));
  CHECK(step("20*((t>1)-(t>1.02))") == doctest::Approx(0.02 * 0.02).epsilon(1e-3));
  CHECK(step("1+0.5*(t>1)") == doctest::Approx(0.02));           // a jump alone: from the start, and to the end
  CHECK(step("1+1e-9*sin(t^3)") == doctest::Approx(step("1")));  // it hardly changes
  std::vector<std::string> warnings;
  CHECK(step("2000*exp(-((t-1)/0.0002)^2)", &warnings) == doctest::Approx(2.0 / 20000));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].starts_with("run: the step is too long for the motion: dt = 0.0001, where the time between jumps"));

  Model model;
  model.add(BM_POTENTIAL, "free", "");
  model.add(BM_NOISE, "gaussian", "");
  model.add_event({"hop", "rate", "10*exp(-t/0.05)", "both", {{"x", "x+1"}}}, {});
  CHECK(plan_of(model, {}, "auto", 5).points[0].time.dt == doctest::Approx(0.005).epsilon(0.02));
}

TEST_CASE("Steps: formulas of the state are looked at where paths are, whatever the period is") {
  const auto step = [](const char* rate, bool averages) {
    Model model = with("sine", {{"sine.V0", 1e-6}, {"sine.L", 10}}, 0.5);
    model.add_event({"hop", "rate", rate, "both", {{"x", "5"}}}, {});
    RunOptions options;
    options.time = 10;
    options.starts["x"] = StartLaw{5, 0, 0, 0};
    if (averages) options.observables = {{"average", {}, {{"near", "if(cos(2*pi*(x-5)/10)>0.99982,1,0)"}}}};
    return make_plan(model, {}, options).points[0].time.dt;
  };
  CHECK(step("1+if(cos(2*pi*x/10)<-0.8,exp(-((t-5)/0.05)^2),0)", false) < 0.01);
  CHECK(step("1+0.01*cos(2*pi*x/10)", false) > 0.09);
  CHECK(step("1+0.01*cos(2*pi*x/10)", true) < 0.03);
}

TEST_CASE("Steps: equations that change with time, over the whole run") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  const auto step = [](const char* equation) {
    Model model;
    model.make_system({{"x"}});
    model.set_equations({equation});
    model.add(BM_NOISE, "gaussian", "", "x");
    return plan_of(model, {}, "auto", 49).points[0].time.dt;
  };
  CHECK(step("-(1+t)*x") == doctest::Approx(0.1 / 50).epsilon(0.02));
  CHECK(step("-(1+9*(t>40)*(t<41))*x") <= doctest::Approx(0.1 / 10));
  CHECK(step("-(x-t)^3") > 1e-3);
}

TEST_CASE("Steps: those of a system at many points, found side by side, are those of each point alone") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  const auto ring = [](double coupling) {
    Model model;
    model.make_system({{"a"}, {"b"}, {"c"}, {"d"}, {"e"}}, {"K"});
    model.set_equations({"a - a^3 + K*(b - a)", "b - b^3 + K*(a + c - 2*b)", "-abs(c) + K*(b + d - 2*c)",
                         "K*(c + e - 2*d) - d", "sin(7*e) + K*(d - e)"});
    for (const char* variable : {"a", "b", "e"}) {
      const std::string name = std::string("heat_") + variable;
      model.add(BM_NOISE, "gaussian", name.c_str(), variable);
      model.set(name + ".D", 0.3);
    }
    model.set("K", coupling);
    return model;
  };
  const std::vector<double> couplings = {0.1, 0.5, 2, 10, 50, 250};
  Sweep sweep;
  sweep.add_axis({"K"}, {couplings});
  RunOptions options;
  options.time = 10;
  options.threads = 3;
  const Plan plan = make_plan(ring(1), sweep, options);
  for (size_t i = 0; i < couplings.size(); ++i)
    CHECK(plan.points[i].time.dt == plan_of(ring(couplings[i])).points[0].time.dt);
  // Movements of several coordinates at once see what each changes: the stiffest pair alone bounds the step.
  CHECK(plan.points[5].time.dt < 0.1 / (4 * 250 * 0.75));
  CHECK(plan.points[5].time.dt > 0.05 / (4 * 250));
}

TEST_CASE("Steps: starts far from 0 in a periodic potential ask for double precision") {
  RunOptions options;
  options.time = 10;
  options.starts["x"] = StartLaw{1e3, 0, 0};
  CHECK(make_plan(with("sine", {}), {}, options).kernel.precision == Precision::single_precision);
  options.starts["x"] = StartLaw{1e6, 0, 0};
  CHECK(make_plan(with("sine", {}), {}, options).kernel.precision == Precision::double_precision);
}

TEST_CASE("Steps: those of weakly damped oscillations are shorter where their phase is looked at") {
  Model model = with("harmonic", {{"harmonic.k", 1}});
  model.make_underdamped();
  model.set("gamma", 0.01);
  RunOptions options;
  options.time = 1000;
  const double alone = make_plan(model, {}, options).points[0].time.dt;
  options.observables = {{"spectrum", {{"samples", {64}}, {"step", {1}}}, {{"of", "position"}}}};
  const double seen = make_plan(model, {}, options).points[0].time.dt;
  CHECK(seen == doctest::Approx(0.5 * std::sqrt(0.005)).epsilon(0.05));
  CHECK(seen < alone / 2);
}
