// A model's components and parameters by name, and its values at one point.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "message_of.h"
#include "model/model.h"

using namespace bmsim;
using bmsim::test::message_of;

namespace {

void load_plugins() { Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR); }

Model motor() {
  load_plugins();
  Model model;
  model.add(BM_DRIVE, "cosine", "");
  model.add(BM_NOISE, "poisson", "");
  model.add(BM_NOISE, "gaussian", "thermal");
  model.add(BM_POTENTIAL, "piecewise_linear", "");
  return model;
}

std::vector<std::string> component_names(const Model& model) {
  std::vector<std::string> names;
  for (const Component& component : model.components()) names.push_back(component.name);
  return names;
}

}  // namespace

TEST_CASE("Model: components are potential, noises, drives, each as they were added") {
  CHECK(component_names(motor()) == std::vector<std::string>{"piecewise_linear", "poisson", "thermal", "cosine"});
}

TEST_CASE("Model: one without a potential has the free one, until another is added") {
  load_plugins();
  Model model;
  model.add(BM_NOISE, "gaussian", "");
  CHECK(component_names(model) == std::vector<std::string>{"free", "gaussian"});
  CHECK(evaluate(model).only().period == 1);
  model.add(BM_POTENTIAL, "sine", "");
  CHECK(component_names(model) == std::vector<std::string>{"sine", "gaussian"});
  CHECK(component_names(Model()) == std::vector<std::string>{"free"});
}

TEST_CASE("Model: names of components are identifiers, unique, and none of the model's own") {
  Model model = motor();
  const auto error = [&](uint32_t kind, const char* id, const char* name) {
    return message_of([&] { model.add(kind, id, name); });
  };
  CHECK(error(BM_NOISE, "poisson", "") ==
        "noise.poisson: its name must be unique in the model, got 'poisson', that of a noise.poisson: give name =");
  CHECK(error(BM_NOISE, "poisson", "force") ==
        "noise.poisson: its name must not be 'force', which has a meaning of its own");
  CHECK(error(BM_NOISE, "poisson", "free") ==
        "noise.poisson: its name must not be 'free', which has a meaning of its own");
  CHECK(error(BM_NOISE, "poisson", "a.b") ==
        "noise.poisson: its name must be an identifier (letters, digits, '_'), got 'a.b'");
  CHECK(error(BM_POTENTIAL, "sine", "") ==
        "potential.sine: a model must have one potential, and has 'piecewise_linear'");
  CHECK(error(BM_NOISE, "poison", "").starts_with("unknown noise 'poison'; did you mean 'poisson'? (known: "));
  CHECK(model.components().size() == 4);
  CHECK(error(BM_NOISE, "poisson", "second") == "no error");
  CHECK(model.components().size() == 5);
}

TEST_CASE("Model: its parameters are component.parameter, and force") {
  const std::vector<std::string> names = motor().parameter_names();
  for (const char* name : {"poisson.D", "thermal.T", "cosine.omega", "piecewise_linear.V0", "force"})
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
  CHECK(names.size() == 3 + 7 + 2 + 3 + 1);
}

TEST_CASE("Model: an unknown parameter names the nearest, or all there are") {
  Model model = motor();
  const auto error = [&](const char* name) { return message_of([&] { model.set(name, 1); }); };
  CHECK(error("poison.D") == "unknown parameter 'poison.D'; did you mean 'poisson.D'?");
  CHECK(error("Force") == "unknown parameter 'Force'; did you mean 'force'?");
  CHECK(error("viscosity").starts_with("unknown parameter 'viscosity'; known: piecewise_linear.L, "));
  CHECK(error("poisson.Dp") ==
        "noise.poisson: unknown parameter 'Dp'; did you mean 'D'? (intensity lambda <z^2>/2, > 0)");
  CHECK(message_of([&] { model.check_sweepable("poison.D"); }) == error("poison.D"));
  CHECK(message_of([&] { model.check_sweepable("poisson.D"); }) == "no error");
}

TEST_CASE("Model: bad values are refused when they are set") {
  Model model = motor();
  CHECK(message_of([&] { model.set("poisson.D", -1); }) == "poisson: D must be > 0, got -1");
  CHECK(message_of([&] { model.set("force", NAN); }) == "force must be finite, got nan");
}

TEST_CASE("Model: at a point it has every value, the smallest time scale and the potential's period") {
  Model model = motor();
  model.set("poisson.D", 2);
  model.set("poisson.a", 4);
  model.set("cosine.omega", 4.9);
  model.set("force", 0.25);
  const ModelValues values = evaluate(model);
  CHECK(values.values.size() == 4);
  CHECK(values.only().period == 2);
  CHECK(values.time_scale == doctest::Approx(1.0 / 8));
  CHECK(value_of(model, values, "poisson.lambda") == 8);
  CHECK(value_of(model, values, "poisson.zeta") == 0.5);
  CHECK(value_of(model, values, "thermal.D") == 1);
  CHECK(value_of(model, values, "force") == 0.25);
  CHECK(message_of([&] { value_of(model, values, "poisson.b"); }).starts_with("noise.poisson: unknown parameter 'b'"));
  model.set("cosine.omega", 400);
  CHECK(evaluate(model).time_scale == doctest::Approx(2 * M_PI / 400));
}

TEST_CASE("Model: sweeping one of two linked parameters keeps the other") {
  Model model = motor();
  model.set("poisson.a", 2.5);
  for (const double D : {0.1, 1.0, 10.0}) {
    model.set("poisson.D", D);
    const ModelValues values = evaluate(model);
    CHECK(value_of(model, values, "poisson.a") == 2.5);
    CHECK(value_of(model, values, "poisson.lambda") == doctest::Approx(6.25 / D));
  }
}

TEST_CASE("Model: without a component that has a time scale it has none") {
  load_plugins();
  Model model;
  model.add(BM_NOISE, "gaussian", "");
  CHECK(std::isinf(evaluate(model).time_scale));
}

TEST_CASE("Model: variables are folded that no force knows, and others together; a weak force is a force") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  const auto folds = [](const std::vector<std::string>& equations, const std::vector<std::string>& periods = {}) {
    Model model;
    std::vector<ModelVariable> variables;
    for (size_t i = 0; i < equations.size(); ++i) {
      variables.push_back({std::string(1, static_cast<char>('x' + i))});
      if (i < periods.size()) variables.back().period = periods[i];
    }
    model.make_system(variables);
    model.set_equations(equations);
    std::vector<int> all;
    for (const VariableValues& one : evaluate(model).variables) all.push_back(one.folds_with);
    return all;
  };
  constexpr int no = VariableValues::unfolded;
  CHECK(folds({"1"}) == std::vector<int>{0});
  for (const char* weak : {"1 - 1e-6*x", "1 - 1e-9*x", "1000000 - x", "1e-7*x^3", "1e6 + 1e-3*x"})
    CHECK_MESSAGE(folds({weak}) == std::vector<int>{no}, weak);
  CHECK(folds({"100*y - 1e-7*x", "-y"}) == std::vector<int>{no, no});
  CHECK(folds({"sin(x - y) + 3", "1e3*(y - x)"}) == std::vector<int>{0, 0});
  CHECK(folds({"sin(x - y) + 3", "x - y - 1e-8*y"}) == std::vector<int>{no, no});
  CHECK(folds({"sin(x)"}, {"2*3.1415927"}) == std::vector<int>{0});
  // flat at most places
  for (const char* far : {"1 - max(x - 5, 0)", "x > 5", "exp(-(x - 60)^2)", "abs(x - 0.1) < 1e-4"})
    CHECK_MESSAGE(folds({far}) == std::vector<int>{no}, far);
  CHECK(folds({"max(y - x - 5, 0)", "max(x - y - 5, 0)"}) == std::vector<int>{0, 0});
  CHECK(folds({"if(mod(x, 1) > 0.9, 1, 0) + (x - floor(x))^2"}) == std::vector<int>{0});
}
