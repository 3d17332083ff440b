// What a potential is at given values: where V and V' jump, and where V is not finite.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "message_of.h"
#include "model/formula_plugin.h"
#include "model/model.h"

using namespace bmsim;
using bmsim::test::message_of;

namespace {

Model formula_model(const char* text, const Given& given) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  std::vector<std::string> names;
  for (const auto& [name, value] : given) names.push_back(name);
  Model model;
  model.add(formula_plugin(BM_POTENTIAL, text, names), "");
  for (const auto& [name, value] : given) model.set("formula." + name, value);
  return model;
}
Continuity found(const char* text, const Given& given) {
  const Model model = formula_model(text, given);
  const Resolved made = resolve(*model.potential().plugin, given, {}, {}, "test");
  const double L = given.contains("L") ? given.at("L") : 0;
  return continuity_of(*model.potential().plugin, made.values, made.arrays, L);
}
std::string refusal(const char* text, const Given& given) {
  return message_of([&] { evaluate(formula_model(text, given)); });
}
std::string start_refusal(const char* text, const Given& given, double from, double to) {
  const Model model = formula_model(text, given);
  return message_of([&] { check_reached(model, evaluate(model), from, to); });
}
bool smooth(const char* text, const Given& given) { return evaluate(formula_model(text, given)).smooth; }

/// A plugin that says that it is smooth, of period 2: V = |x| on [-1, 1], or with a step of 0.3 in it.
class Claims : public Plugin {
 public:
  explicit Claims(double step) : Plugin(&plugin(), {}), step_(step) {}
  double period(const double*) const override { return 2; }
  double energy(double u, const double*, const bm_numbers*) const override {
    const double x = 2 * (u - std::rint(u));
    return std::abs(x) + (std::abs(x) < 0.6 ? step_ : 0);
  }
  double force(double u, const double*, const bm_numbers*) const override { return u - std::rint(u) < 0 ? 1 : -1; }

 private:
  static const bm_plugin& plugin() {
    static const bm_plugin made = [] {
      bm_plugin d{};
      d.kind = BM_POTENTIAL;
      d.flags = BM_SMOOTH;
      d.id = "claims";
      d.summary = d.equation = d.reference = d.source = "";
      return d;
    }();
    return made;
  }
  double step_;
};

struct Case {
  const char* text;
  Given given;
};

}  // namespace

TEST_CASE("Continuity: V without jumps has none") {
  const Case cases[] = {{"V0*sin(2*pi*x/L)", {{"V0", 1}, {"L", 1}}},
                        {"V0*sin(2*pi*x/L)", {{"V0", 1e9}, {"L", 1e-6}}},
                        {"V0*sin(32*pi*x/L) + 1000", {{"V0", 1}, {"L", 7}}},
                        {"abs(x)", {{"L", 3}}},
                        {"min(x^2, 0.09)", {{"L", 1}}},
                        {"V0*abs(x/L - floor(x/L + 0.5))", {{"V0", 3}, {"L", 2}}},
                        {"A*exp(k*(cos(2*pi*x/L) - 1))", {{"A", 1}, {"k", 500}, {"L", 1}}},
                        {"tanh(k*sin(2*pi*x/L))", {{"k", 1e6}, {"L", 1}}},
                        {"sqrt(abs(sin(pi*x/L)))", {{"L", 1}}},
                        {"exp(-x^2/w^2)", {{"w", 0.05}, {"L", 1}}},
                        {"a*x^4 - b*x^2", {{"a", 1}, {"b", 2}}},
                        {"a*x^4 - b*x^2", {{"a", 1e-12}, {"b", 2e-4}}},
                        {"max(0, x)^3 + min(0, x)^2", {}},
                        {"1000 + abs(x - 0.3)", {}},
                        {"cosh(x)", {}},
                        {"(1 - cos(x))/x^2", {}},
                        {"1e9 + sin(2*pi*x/L)", {{"L", 1}}},
                        {"exp(x) - x", {}}};
  for (const Case& one : cases) {
    CAPTURE(std::string(one.text));
    const Continuity c = found(one.text, one.given);
    CHECK(c.jumps.empty());
  }
}

TEST_CASE("Continuity: V that jumps is refused with the place and the height") {
  CHECK(refusal("V0*(x/L - floor(x/L))", {{"V0", 5}, {"L", 1}}) ==
        "potential.formula: V must not jump: at x = 0 it falls by 5, which no force shows; make it a slope");
  CHECK(
      refusal("x^3", {{"L", 2}}) ==
      "potential.formula: V must not jump: at x = 1, where the period L = 2 ends, it falls by 2, which no force shows; "
      "make it a slope");
  CHECK(refusal("sin(2*pi*x)", {{"L", 1.5}}) ==
        "potential.formula: V must not jump: at x = 0.75, where the period L = 1.5 ends, it rises by 2, which no force "
        "shows; make it a slope");
  CHECK(refusal("sin(2*pi*x)", {{"L", 3}}) == "no error");
  CHECK(refusal("V0*floor(x)", {{"V0", 2}}).starts_with("potential.formula: V must not jump: at x = "));
  CHECK(refusal("V0*sign(x - a)", {{"V0", 2}, {"a", 0.7}}) ==
        "potential.formula: V must not jump: at x = 0.7 it rises by 4, which no force shows; make it a slope");
  // Two jumps within a thousandth of the period, which cancel.
  CHECK(refusal("V0*sign(max(0, abs(x - 0.2) - w))", {{"V0", 1}, {"w", 1e-4}, {"L", 1}}) ==
        "potential.formula: V must not jump: at x = 0.1999 it falls by 1, which no force shows (and jumps at 1 more "
        "place); make it a slope");
  CHECK(refusal("sign(x)*cos(omega*t)", {{"omega", 3}}) ==
        "potential.formula: V must not jump: at x = 0 it rises by 2, which no force shows; make it a slope");
  CHECK(refusal("x^2 + h*sign(x - 100)", {{"h", 5}}) ==
        "potential.formula: V must not jump: at x = 100 it rises by 10, which no force shows; make it a slope");
}

TEST_CASE("Continuity: a kink is found where V' jumps, and smooth potentials have none") {
  const Continuity c = found("V0*abs(sin(pi*x/L))", {{"V0", 1}, {"L", 2}});
  REQUIRE(c.kinks.size() == 1);
  CHECK(c.kinks[0].x == 0);
  CHECK(c.kinks[0].left == doctest::Approx(-M_PI / 2));
  CHECK(c.kinks[0].right == doctest::Approx(M_PI / 2));
  CHECK(found("exp(-x^2)", {{"L", 2}}).kinks.size() == 1);  // at the end of the period
  CHECK(found("a*x^2", {{"a", 2}}).kinks.empty());
  CHECK(smooth("V0*sin(2*pi*x/L)", {{"V0", 1}, {"L", 1}}));
  CHECK(smooth("V0*sin(32*pi*x/L)", {{"V0", 1}, {"L", 1}}));
  CHECK(smooth("V0*cos(2*pi*x/L)/(1.1 + sin(2*pi*x/L))", {{"V0", 1}, {"L", 1}}));
  CHECK(smooth("A*exp(k*(cos(2*pi*x/L) - 1))", {{"A", 1}, {"k", 500}, {"L", 1}}));
  CHECK(smooth("a*x^4 - b*x^2", {{"a", 1}, {"b", 2}}));
  CHECK(smooth("(1 - cos(x))/x^2", {}));  // of which rounding leaves little at 0
  CHECK_FALSE(smooth("V0*abs(sin(pi*x/L))", {{"V0", 1}, {"L", 2}}));
  CHECK_FALSE(smooth("sqrt(sin(2*pi*x/L)^2 + e)", {{"e", 1e-30}, {"L", 1}}));  // no abs, and yet as sharp as one
}

TEST_CASE("Continuity: V that is not finite where particles are is refused, walls are not") {
  CHECK(start_refusal("log(x)", {}, 0, 0) ==
        "potential.formula: V must be finite where particles begin (initial x), got nan at x = 0");
  CHECK(start_refusal("log(x)", {}, 1, 1) ==
        "potential.formula: V must be finite wherever particles come, got nan at x = 0");
  CHECK(start_refusal("sqrt(x)", {}, 1, 2) ==
        "potential.formula: V must be finite wherever particles come, got nan at x = 0");
  CHECK(start_refusal("1/x", {}, 0, 0).starts_with("potential.formula: V must be finite where particles begin"));
  CHECK(start_refusal("-1/x^2", {}, 1, 1).starts_with("potential.formula: V must be finite wherever particles come"));
  CHECK(start_refusal("a/x + x", {{"a", 1}}, 1, 1) == "no error");
  CHECK(start_refusal("-a*log(x) + x^2", {{"a", 0.1}}, 0.5, 1) == "no error");
  CHECK(start_refusal("-a*log(2 - x) - a*log(x + 2)", {{"a", 0.1}}, -1, 1) == "no error");
  CHECK(start_refusal("-a*log(2 - x) - a*log(x + 2)", {{"a", 0.1}}, -3, 1) != "no error");
  CHECK(start_refusal("exp(x) + exp(-x)", {}, 0, 0) == "no error");
  CHECK(start_refusal("x^2 - exp(x)", {}, 0, 0) == "no error");  // a particle runs away, which the run says
  CHECK(start_refusal("k*x^2", {{"k", 1}}, -1e3, 1e3) == "no error");
  CHECK(refusal("log(sin(2*pi*x/L))", {{"L", 1}}).find("V must be finite wherever particles come, got nan") !=
        std::string::npos);
  CHECK(refusal("tan(pi*x/L)", {{"L", 1}}) ==
        "potential.formula: V must be finite wherever particles come, got -inf at x = 0.5");
  CHECK(refusal("1/sin(pi*x/L)^2", {{"L", 1}}) == "no error");
}

TEST_CASE("Continuity: every shipped potential is what it says at its defaults") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  for (const auto& plugin : Registry::instance().plugins()) {
    if ((*plugin)->kind != BM_POTENTIAL || (*plugin)->list_count > 0 || plugin->has(BM_SEVERAL)) continue;
    CAPTURE(std::string((*plugin)->id));
    Model model;
    model.add(BM_POTENTIAL, (*plugin)->id, "");
    const ModelValues values = evaluate(model);
    CHECK(values.smooth == plugin->has(BM_SMOOTH));
  }
}

TEST_CASE("Continuity: a plugin is held to what it says like a formula") {
  Registry& registry = Registry::instance();
  Model kinked, broken;
  kinked.add(registry.adopt(std::make_unique<Claims>(0)), "");
  const ModelValues values = evaluate(kinked);
  CHECK_FALSE(values.smooth);
  REQUIRE(values.continuity->kinks.size() == 2);
  CHECK(std::abs(values.continuity->kinks[0].x) < 1e-9);
  CHECK(std::abs(values.continuity->kinks[1].x) == doctest::Approx(1));
  broken.add(registry.adopt(std::make_unique<Claims>(0.3)), "mine");
  CHECK(message_of([&] { evaluate(broken); }) ==
        "potential.claims 'mine': V must not jump: at x = -0.6 it rises by 0.3, which no force shows (and jumps at 1 "
        "more "
        "place); make it a slope");
}

TEST_CASE("Continuity: values that were looked at are not looked at again") {
  const Model model =
      formula_model("V0*sin(2*pi*x/L) + V1*sin(4*pi*x/L + phi)", {{"V0", 1}, {"V1", 0.2}, {"L", 1}, {"phi", 1}});
  const auto first = evaluate(model).continuity;
  Model copy = model;
  copy.set("force", 2);
  CHECK(evaluate(copy).continuity == first);
  copy.set("formula.V0", 2);
  CHECK(evaluate(copy).continuity != first);
}
