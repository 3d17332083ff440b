// Structure that samples and short paths of a plan do not meet: the step that is taken where none is given resolves it,
// or a warning says that it may not.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "model/formula_plugin.h"
#include "plan/plan.h"

using namespace bmsim;

namespace {

Plan plan_of(const Model& model, double time) {
  RunOptions options;
  options.time = time;
  return make_plan(model, {}, options);
}
double step(const Model& model, double time) { return plan_of(model, time).points[0].time.dt; }

/// "%" in a formula is the width.
std::string with(std::string text, double width) {
  const std::string number = "(" + std::to_string(width * 1e9) + "e-9)";
  for (size_t at; (at = text.find('%')) != text.npos;) text.replace(at, 1, number);
  return text;
}
Model one(const std::string& V, double D) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  if (V.empty())
    model.add(BM_POTENTIAL, "free", "");
  else
    model.add(formula_plugin(BM_POTENTIAL, V, {}), "");
  model.add(BM_NOISE, "gaussian", "");
  model.set("gaussian.D", D);
  return model;
}
/// Each variable with white noise, and with inertia if it has a velocity in the list.
Model several(const std::vector<std::string>& names, const std::vector<std::string>& equations, bool inertial = false) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  std::vector<ModelVariable> variables;
  for (const std::string& name : names) {
    variables.push_back({name});
    variables.back().inertial = inertial;
  }
  model.make_system(variables);
  model.set_equations(equations);
  for (const std::string& name : names) {
    model.add(BM_NOISE, "gaussian", "of_" + name, name);
    model.set("of_" + name + ".D", 0.5);
  }
  return model;
}
/// The step is short against a time that falls with the width of the structure: time(width).
void check(const std::function<Model(double)>& make, const std::function<double(double)>& time, double duration = 1,
           std::initializer_list<double> widths = {1e-2, 1e-4, 1e-6}) {
  for (const double w : widths) {
    CAPTURE(w);
    const double share = step(make(w), duration * std::min(1.0, 1e12 * time(w))) / time(w);
    CHECK(share < 0.2);
    CHECK(share > 1e-4);
  }
}

}  // namespace

TEST_CASE("Structure: amplitudes, far from the start, between walls of a free particle, and of a velocity") {
  const auto noisy = [](const char* V, const char* amplitude, double w) {
    Model model = one(V, 0.1);
    model.set_interpretation("ito");
    model.add_amplitude("gaussian", {with(amplitude, w)}, {});
    return model;
  };
  const auto blurring = [](double w) { return w * w / 0.6; };  // w^2/(2 D depth^2), about
  check([&](double w) { return noisy("0.005*x^2", "1+2*exp(-((x-6.7137)/%)^2)", w); }, blurring, 200, {1e-2, 1e-3});
  check(
      [&](double w) {
        Model model = noisy("", "1+2*exp(-((x-0.7137)/%)^2)", w);
        model.add_walls({"x", "-1", "1"}, {});
        return model;
      },
      blurring);
  check(
      [&](double w) {
        Model model = one("x^2/2", 0.5);
        model.make_underdamped();
        model.set_interpretation("ito");
        model.add_amplitude("gaussian", {with("1+2*exp(-((v-0.7137)/%)^2)", w)}, {});
        return model;
      },
      [](double w) { return w * w / 3; }, 1, {1e-2, 1e-4});
}

TEST_CASE("Structure: wells of several variables, along a line, in all of them, and with inertia") {
  const auto relaxing = [](double w) { return w * w / 12; };
  check(
      [](double w) {
        return several({"x", "y"}, {with("-x-12*(x-0.8123)/%^2*exp(-((x-0.8123)/%)^2)+0.1*y", w), "-y"});
      },
      relaxing);
  check(
      [](double w) {
        const std::string r = "((x-0.8123)^2+(y-0.3)^2+(z-0.2)^2+(u-0.1)^2)";
        return several({"x", "y", "z", "u"}, {with("-x-12*(x-0.8123)/%^2*exp(-" + r + "/%^2)", w), "-y", "-z", "-u"});
      },
      relaxing);
  check(
      [](double w) {
        return several({"x", "y"}, {with("-x-12*(x-0.8123)/%^2*exp(-((x-0.8123)/%)^2)+0.1*y", w), "-y"}, true);
      },
      [](double w) { return w / std::sqrt(12.0); });
}

TEST_CASE("Structure: a bond that is narrow is resolved, or it is said that it may not be") {
  for (const double w : {1e-2, 1e-4, 1e-6}) {
    CAPTURE(w);
    const Plan plan = plan_of(several({"x", "y"}, {with("-x-12*(x-y-0.4)/%^2*exp(-((x-y-0.4)/%)^2)", w),
                                                   with("-y+12*(x-y-0.4)/%^2*exp(-((x-y-0.4)/%)^2)", w)}),
                              1);
    const bool said = std::ranges::any_of(plan.warnings, [](const std::string& one) {
      return one.find("run: dt must resolve the equations, whose formula is too complicated to be sure") == 0;
    });
    CHECK((said || plan.points[0].time.dt < 0.5 * w * w / 24));
  }
}

namespace {

/// A variable that relaxes to 0.3, among others, with a mean field m.
Model among(const std::string& equation, const std::string& m = "x") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  model.make_system({{"x"}});
  model.add_fields({{"m", m}});
  model.set_equations({"0.3-x" + equation});
  model.add(BM_NOISE, "gaussian", "", "x");
  model.set("gaussian.D", 0.1);
  return model;
}

}  // namespace

TEST_CASE("Structure: what is narrow in a mean field") {
  const auto check_force = [&](const char* force, const char* m = "x", double slope = 1) {  // of m with x
    CAPTURE(std::string(force));
    check([&](double w) { return among(with(force, w), m); }, [&](double w) { return w / 2 / slope; }, 5);
  };
  check_force("-2*(m-0.2123)/%*exp(-((m-0.2123)/%)^2)");
  check_force("-2*exp(-((m-0.2123)/%)^2)");
  check_force("+5*x*exp(-((m-0.2123)/%)^2)");
  check_force("+2*tanh((m-0.2123)/%)");
  check_force("+2*exp(-((m-x-0.2123)/%)^2)");
  check_force("+2*exp(-((m-0.1123)/%)^2)", "x^2", 0.6);
  check_force("+2*exp(-((m-0.9723)/%)^2)", "cos(x)", 0.2);
  check(
      [](double w) {
        Model model = among("");
        model.set_interpretation("ito");
        model.add_amplitude("gaussian", {with("1+2*exp(-((m-0.2123)/%)^2)", w)}, {});
        return model;
      },
      [](double w) { return w * w / 0.6; }, 5);
  const auto hopping = [](const char* kind, const char* trigger, double w) {
    Model model = among("");
    model.add_event({"hop", kind, with(trigger, w), "up", {{"x", "0"}}}, {});
    return step(model, 5);
  };
  for (const double w : {1e-2, 1e-4, 1e-6}) {
    CAPTURE(w);
    CHECK(hopping("rate", "10*exp(-((m-0.2123)/%)^2)", w) < 0.0022);
    CHECK(hopping("when", "x-1+3*exp(-((m-0.2123)/%)^2)", w) < 0.5 * w);
    CHECK(hopping("when", "exp(-((m-0.2123)/%)^2)-0.5", w) < 0.5 * w);
  }
  for (const double w : {1e-2, 1e-4}) {  // to which a slow variable comes late
    CAPTURE(w);
    Model model = several({"x", "y"}, {"-50*x", "0.1"});
    model.add_fields({{"m", "y"}});
    model.set_equations({"-50*x", with("0.3-2*exp(-((m-5.2123)/%)^2)", w)});
    CHECK(step(model, 50) < 0.1 * w);
  }
  for (const char* force : {"+0.5*m", "+sin(x-m)", "+m*(1-m^2)", "-x*m^2+exp(-m^2)"}) {
    CAPTURE(std::string(force));
    CHECK(step(among(force), 5) > 0.018);
  }
}

TEST_CASE("Structure: rates of events, far away on the way of a slow variable") {
  for (const double w : {3.0, 0.1, 1e-3}) {
    CAPTURE(w);
    Model model = several({"x", "y"}, {"-50*x", "0.3"});
    model.add_event({"hop", "rate", with("0.01+1000*exp(-((y-20.123)/%)^2)", w), "both", {{"x", "x+1"}}}, {});
    CHECK(step(model, 100) < 5e-4);
  }
}

TEST_CASE("Structure: formulas that pass levels, narrow between the start and a level, and at it") {
  const auto passing = [](const std::string& formula, double level) {
    RunOptions options;
    options.time = 8;
    options.observables = {{"first_passage", {{"to", {level}}, {"bins", {0}}}, {{"of", formula}, {"name", "q"}}}};
    return make_plan(several({"x", "y"}, {"-x", "-y"}), {}, options).points[0].time.dt;
  };
  for (const char* formula : {"x+0.5*exp(-((x-0.3123)/%)^2)", "x*(1-0.999*exp(-((x-0.3)/%)^2))",
                              "x+0.5*exp(-((x-0.3123)^2+(y-0.2)^2)/%^2)", "x+0.5*tanh((x-0.6)/%)"})
    for (const double w : {0.1, 0.01, 1e-3, 1e-4}) {
      CAPTURE(std::string(formula));
      CAPTURE(w);
      const double dt = passing(with(formula, w), 0.6);
      CHECK(dt < 0.4 * w * w);
      CHECK(dt > 0.004 * w * w);
    }
  CHECK(passing("x+y^2", 0.6) == doctest::Approx(0.00184886));  // without structure
  CHECK(passing("exp(x)+y", 2) == doctest::Approx(0.00389864));
  CHECK(passing("x*y", 0.6) > 0.09);
}

TEST_CASE("Structure: a narrow hump of a rate, beside the start and elsewhere, and increments that pass over it") {
  const auto hopping = [](const char* rate, double w) {
    Model model = several({"x"}, {"-x"});
    model.add_event({"hop", "rate", with(rate, w), "both", {{"x", "0"}}}, {});
    return plan_of(model, 50);
  };
  for (const char* rate :
       {"if(abs(x-0.1)<%/2,10,0)", "if(abs(x-1)<%/2,10,0)", "if(abs(x)<%/2,0,10)", "10*exp(-((x-0.1)/(0.6*%))^2)"})
    for (const double w : {0.1, 0.03, 1e-3}) {
      CAPTURE(std::string(rate));
      CAPTURE(w);
      const Plan plan = hopping(rate, w);
      const double dt = plan.points[0].time.dt;
      CHECK(dt < std::max(0.35 * w * w, 0.0022));
      CHECK(dt > 0.0015);
      if (w < 0.05) CHECK(plan.kernel.increments == Increments::near_gaussian);
    }
  for (const char* rate : {"10*(x>0.1)", "10/(1+x^2)", "5+5*sin(x)", "if(abs(x-0.1)<%,10,0)"}) {
    CAPTURE(std::string(rate));
    const Plan plan = hopping(rate, 0.5);
    CHECK(plan.points[0].time.dt > 0.009);
    CHECK(plan.kernel.increments == Increments::five_point);
  }
}

TEST_CASE("Structure: events at two zeros that are near to each other") {
  const auto crossing = [](double w) { return w * w; };
  for (const char* formula : {"1-3*exp(-((x-0.3123)/%)^2)", "(x-0.3)*(x-0.3-%)"}) {
    CAPTURE(std::string(formula));
    check(
        [&](double w) {
          Model model = several({"x"}, {"-x"});
          model.add_event({"hop", "when", with(formula, w), "both", {{"x", "x+2"}}}, {});
          return model;
        },
        crossing, 10, {1e-2, 1e-4, 1e-5});
  }
  check(
      [](double w) {
        Model model = several({"x", "y"}, {"-x", "-y"});
        model.add_event({"hop", "when", with("1-3*exp(-((x-0.3123)^2+(y-0.1)^2)/%^2)", w), "both", {{"x", "x+2"}}}, {});
        return model;
      },
      crossing, 10);
  // Zeros far from each other ask for no shorter step, nor does one that is steep.
  const auto alone = [](const char* formula) {
    Model model = several({"x"}, {"-x"});
    model.add_event({"hop", "when", formula, "both", {{"x", "0"}}}, {});
    return step(model, 10);
  };
  CHECK(alone("tanh((x-1)/1e-4)") > 1e-3);
  CHECK(alone("x^2-1") > 1e-3);
}

TEST_CASE("Structure: pulses of t that last a small part of the run") {
  for (const char* pulse : {"0.1/%*exp(-((t-6.1803)/%)^2)", "0.1/%*exp(-(sin(t)/%)^2)",
                            "0.1/%*exp(-((mod(t,1)-0.5)/%)^2)", "if(abs(t-6.1803)<%,0.1/%,0)"})
    for (const double w : {3e-3, 1e-4, 1e-5}) {
      CAPTURE(std::string(pulse));
      CAPTURE(w);
      Model model = one("x^2/2", 0.1);
      model.add(formula_plugin(BM_DRIVE, with(pulse, w), {}), "pulse");
      const Plan plan = plan_of(model, 10);
      CHECK((plan.points[0].time.dt < 0.5 * w || !plan.warnings.empty()));
    }
}

TEST_CASE("Structure: pulses of a drive that does work on a variable without inertia") {
  for (const char* drive : {"pulse", "square"})
    for (const double w : {1e-2, 1e-4, 1e-5, 1e-6}) {  // of the period
      CAPTURE(std::string(drive));
      CAPTURE(w);
      Model model = one("x^2/2", 0.1);
      model.add(BM_DRIVE, drive, "");
      const double period = 6.283185307179586;
      if (drive == std::string("pulse"))
        model.set("pulse.width", w * period);
      else
        model.set("square.duty", w);
      RunOptions options;
      options.time = 10;
      options.observables = {"work"};
      const double dt = make_plan(model, {}, options).points[0].time.dt;
      CHECK(dt < 0.002 * w * period);
      CHECK(dt > 1e-4 * w * period);
    }
}

TEST_CASE("Structure: where the search ends without an answer, it is said of what") {
  const char* wild = "0.01*(sin(1e4*x)^2 + cos(1e4*x)^2)^6*(sin(2e4*x) + cos(3e4*x))^3";
  const auto says = [](const Model& model, double time, const char* what) {
    for (const std::string& one : plan_of(model, time).warnings) {
      INFO(one);
      if (one.find("run: dt must resolve " + std::string(what) + ", whose formula is too complicated") == 0)
        return true;
    }
    return false;
  };
  Model noisy = one("x^2/2", 0.5);
  noisy.set_interpretation("ito");
  noisy.add_amplitude("gaussian", {"1+" + std::string(wild)}, {});
  CHECK(says(noisy, 1e-4, "the amplitude of noise.gaussian"));
  CHECK(says(several({"x"}, {"-x+" + std::string(wild)}), 1, "the equations"));
  std::string of_t = wild;
  for (char& c : of_t)
    if (c == 'x') c = 't';
  Model driven = one("x^2/2", 0.5);
  driven.add(formula_plugin(BM_DRIVE, of_t + "*exp(-t/50)", {}), "pulse");
  CHECK(says(driven, 100, "drive.formula 'pulse'"));
  const auto jumping = [](const char* pulse) {
    Model model = one("x^2/2", 0.5);
    model.add(formula_plugin(BM_DRIVE, pulse, {}), "pulse");
    return model;
  };
  CHECK(says(jumping("if(sin(t^2)*cos(1.1*t^2)>0.999,1,0)"), 1000, "drive.formula 'pulse'"));
  for (const char* pulse : {"mod(t,1)", "if(sin(3*t)+sin(4.1*t)>1.9,3,0)", "floor(3*sin(t)+2*sin(2.7*t))"})
    CHECK(!says(jumping(pulse), 1000, "drive.formula 'pulse'"));
}
