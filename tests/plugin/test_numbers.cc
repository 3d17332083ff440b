// Words, lists and arrays of plugins, their host functions, and plugins that are made at run time.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "../unit/message_of.h"
#include "model/model.h"

using namespace bmsim;
using bmsim::test::message_of;
using doctest::Approx;

namespace {

const Plugin& probe(std::string_view name) {
  static Registry registry;
  registry.load_directory(std::filesystem::path(BMSIM_PROBE_DIR) / "good");
  return registry.find(name);
}

Resolved resolved(const char* name, const Given& given, const Lists& lists) {
  return resolve(probe(name), given, lists, ModelNumbers(), name);
}
std::string error(const char* name, const Given& given, const Lists& lists) {
  return message_of([&] { resolved(name, given, lists); });
}

bm_plugin formula_descriptor() {
  bm_plugin d{};
  d.kind = BM_DRIVE;
  d.id = "formula";
  return d;
}

/// A drive of two phases whose descriptor has no functions at all.
class Formula : public Plugin {
 public:
  Formula() : Plugin(&descriptor_, {}) {}
  int derive(const bm_context& context, double*) const override {
    if (context.mass == 0) return 0;
    context.message[0] = '!';
    context.message[1] = '\0';
    return 1;
  }
  double time_scale(const double*) const override { return 0.25; }
  std::vector<double> frequencies(const double*) const override { return {4, 3}; }
  double force(double u, const double*, const bm_numbers*) const override { return 2 * u; }

 private:
  bm_plugin descriptor_ = formula_descriptor();
};

}  // namespace

TEST_CASE("Lists: derive and array get the numbers given, none where they are left out") {
  const Resolved made = resolved("probe", {{"size", 2}}, {{"steps", {3, -1, 0.5}}});
  REQUIRE(made.arrays == std::vector<std::vector<double>>{{1.5, -0.5, 0.25}});
  const std::vector<bm_numbers> spans = made.spans();
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].count == 3);
  CHECK(spans[0].data == made.arrays[0].data());
  CHECK(resolved("probe", {}, {}).arrays == std::vector<std::vector<double>>{{}});
  CHECK(error("probe", {}, {{"steps", {1, 0}}}) == "probe: steps must not be 0, got one at number 2");
}

TEST_CASE("Lists: wrong lengths, numbers and names are refused") {
  CHECK(error("tabulated", {}, {}) == "tabulated: steps must be given (lengths of the steps, 2 to 4 numbers)");
  CHECK(error("tabulated", {}, {{"steps", {1}}}) == "tabulated: steps must have 2 to 4 numbers, got 1");
  CHECK(error("probe", {}, {{"steps", {1, 2, 3, 4, 5}}}) == "probe: steps must have 0 to 4 numbers, got 5");
  CHECK(error("probe", {}, {{"steps", {1, INFINITY}}}) == "probe: steps must be finite numbers, got inf at number 2");
  CHECK(error("probe", {}, {{"step", {1}}}) ==
        "noise.probe: unknown parameter 'step'; did you mean 'steps'? (lengths of the steps, 0 to 4 numbers)");
  CHECK(error("probe", {{"colour", 1}}, {}) ==
        "noise.probe: unknown parameter 'colour'; known: rate, size, law, steps");
  CHECK(error("probe", {}, {{"size", {1}}}) == "noise.probe: size is one number, not a list");
  CHECK(error("probe", {}, {{"law", {1}}}) == "noise.probe: law is one word, not a list");
  CHECK(error("probe", {{"steps", 1}}, {}) == "noise.probe: steps is a list of numbers, not one number");
}

TEST_CASE("Lists: a length is written as a physicist would") {
  const auto text = [](uint32_t least, uint32_t most) { return length_text({"", "", "", "", least, most}); };
  CHECK(text(1, 1) == "1 number");
  CHECK(text(3, 3) == "3 numbers");
  CHECK(text(2, 64) == "2 to 64 numbers");
  CHECK(text(2, UINT32_MAX) == "2 or more numbers");
  CHECK(text(0, UINT32_MAX) == "any count of numbers");
}

TEST_CASE("Choices: a word is its index, and nothing else is taken") {
  const auto index = [](const char* parameter, const char* word) {
    return choice_value(probe("probe"), parameter, word, "shots");
  };
  CHECK(index("law", "slow") == 0);
  CHECK(index("law", "fast") == 1);
  CHECK(message_of([&] { index("law", "fats"); }) ==
        "shots: law must be one of slow, fast, got 'fats'; did you mean 'fast'?");
  CHECK(message_of([&] { index("law", "red"); }) == "shots: law must be one of slow, fast, got 'red'");
  CHECK(message_of([&] { index("rate", "fast"); }) == "shots: rate must be a number, got 'fast'");
  CHECK(message_of([] { check_value("shots", find_parameter(probe("probe"), "law"), 1); }) ==
        "shots: law must be one of the words slow, fast, got 1");
  CHECK(resolved("probe", {}, {}).values[2] == 0);
  CHECK(resolved("probe", {{"law", 1}}, {}).values[2] == 1);
  CHECK(error("probe", {{"law", 2}}, {}) == "probe: law must be one of slow, fast, got 2");
  CHECK(error("probe", {{"law", 0.5}}, {}) == "probe: law must be one of slow, fast, got 0.5");
}

TEST_CASE("Plugins that misbehave when called are reported, not believed") {
  CHECK(error("refuses", {}, {}) == "refuses: the moon is full");
  CHECK(error("forgets", {}, {}) == "forgets: size must be in [0, 2], got nan (derived from rate)");
  CHECK(error("chooses", {}, {}) == "chooses: law must be one of slow, fast, got 7");
  CHECK(error("lies", {}, {}) == "noise.lies: the plugin's array steps must have one length, got 2 and 3");
  CHECK(error("holes", {}, {}) == "holes: the plugin's array steps must be numbers, got nan");
  const Plugin& timeless = probe("timeless");
  CHECK(message_of([&] { time_scale(timeless, resolved("timeless", {}, {}).values, "c"); }) ==
        "c: its time scale must be > 0, got 0");
}

TEST_CASE("Host functions that a plugin does not have say none") {
  const Plugin& plugin = probe("probe");
  const Resolved made = resolved("probe", {}, {});
  CHECK(std::isinf(plugin.time_scale(made.values.data())));
  CHECK(plugin.period(made.values.data()) == 0);
  CHECK_FALSE(plugin.periodic_possible());
  CHECK_FALSE(plugin.piecewise_linear_possible());
  CHECK(plugin.segments(made.values.data(), nullptr).empty());
  CHECK(plugin.frequencies(made.values.data()).empty());
  CHECK_FALSE(plugin.mean(made.values.data()).has_value());
  CHECK_FALSE(plugin.intensity(made.values.data()).has_value());
  CHECK(std::isnan(plugin.energy(0, made.values.data(), nullptr)));
  CHECK(std::isnan(plugin.force(0, made.values.data(), nullptr)));
}

TEST_CASE("Describe: words and lists are in the documentation") {
  const std::string text = describe(probe("tabulated"));
  CAPTURE(text);
  for (const char* part : {"  law        law     slow     a word     1       how it goes\n",
                           "\n  law is one of slow, fast\n", "  list   symbol  length          unit    meaning\n",
                           "  steps  s_i     2 to 4 numbers  length  lengths of the steps\n"})
    CHECK_MESSAGE(text.find(part) != text.npos, part);
  CHECK(describe(probe("probe")).find("  0 to 4 numbers, or left out  ") != std::string::npos);
  CHECK(describe(probe("increments")).find("has: increments with a law of their own\n") != std::string::npos);
}

TEST_CASE("A plugin made at run time is a component by its own functions, and is not found by its id") {
  Registry& registry = Registry::instance();
  registry.load_directory(BMSIM_PLUGIN_BUILD_DIR);
  const size_t loaded = registry.plugins().size();
  const Plugin& formula = registry.adopt(std::make_unique<Formula>());
  CHECK(registry.plugins().size() == loaded);
  CHECK(message_of([&] { registry.find(BM_DRIVE, "formula"); }).starts_with("drive.formula is made from a formula"));
  Model model;
  CHECK(model.add(formula, "").name == "formula");
  CHECK(model.add(formula, "wave").plugin == &formula);
  CHECK(evaluate(model).time_scale == 0.25);
  CHECK(model.components()[1].plugin->frequencies(nullptr) == std::vector<double>{4, 3});
  CHECK(model.components()[1].plugin->force(3, nullptr, nullptr) == 6);
  CHECK(message_of([&] { resolve(formula, {}, {}, {1, 2}, "wave"); }) == "wave: !");
}

TEST_CASE("Model: words and lists are set by name, and neither is swept") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  model.add(probe("tabulated"), "shots");
  model.set_list("shots.steps", std::vector<double>{1, 2});
  model.set_choice("shots.law", "fast");
  model.set("shots.size", 0.5);
  const ModelValues values = evaluate(model);
  CHECK(value_of(model, values, "shots.law") == 1);
  CHECK(values.arrays(0).empty());
  CHECK(values.arrays(1) == std::vector<std::vector<double>>{{2, 4}});
  const auto said = [](auto&& action) { return message_of(action); };
  CHECK(said([&] { model.set("shots.law", 1); }) == "shots: law must be one of the words slow, fast, got 1");
  CHECK(said([&] { model.set_choice("shots.law", "fasst"); }) ==
        "shots: law must be one of slow, fast, got 'fasst'; did you mean 'fast'?");
  CHECK(said([&] { model.set_choice("shot.law", "fast"); }) ==
        "unknown parameter 'shot.law'; did you mean 'shots.law'?");
  CHECK(said([&] { model.set_list("shots.steps", std::vector<double>{1}); }) ==
        "shots: steps must have 2 to 4 numbers, got 1");
  CHECK(said([&] { model.check_sweepable("shots.law"); }) == "shots.law cannot be swept: it is one of slow, fast");
  CHECK(said([&] { model.check_sweepable("shots.steps"); }) == "shots.steps cannot be swept: it is a list of numbers");
  CHECK(said([&] { model.check_sweepable("shots.size"); }) == "no error");
  CHECK(said([&] { model.check_sweepable("force"); }) == "no error");
}

TEST_CASE("Model: drives and noises that are a force modulate the potential, and nothing else does") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  for (const char* id : {"dichotomous", "poisson", "gaussian"}) model.add(BM_NOISE, id, "");
  model.add(BM_DRIVE, "cosine", "");
  model.add(BM_POTENTIAL, "sine", "");
  model.modulate("dichotomous");
  model.modulate("cosine");
  for (const Component& component : model.components())
    CHECK(component.modulates == (component.name == "dichotomous" || component.name == "cosine"));
  for (const char* name : {"noise.poisson", "noise.gaussian", "potential.sine"})
    CHECK(message_of([&] { model.modulate(std::string_view(name).substr(std::string_view(name).find('.') + 1)); }) ==
          std::string(name) +
              ": cannot modulate the potential: only a drive can, or a noise that is a force without jumps");
  CHECK(message_of([&] { model.modulate("kosine"); }) ==
        "unknown component 'kosine'; known: sine, dichotomous, poisson, gaussian, cosine");
}
