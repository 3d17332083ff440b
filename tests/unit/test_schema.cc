// Parameters by name, bounds, parametrisations, and the words of the errors.
#include <doctest/doctest.h>

#include <cmath>

#include "message_of.h"
#include "nearest_name.h"
#include "plugin/schema.h"

using namespace bmsim;
using bmsim::test::message_of;

namespace {

const Plugin& shipped(const char* file) {
  return Registry::instance().load(std::filesystem::path(BMSIM_PLUGIN_BUILD_DIR) / file);
}
const Plugin& poisson() { return shipped("noise_poisson.so"); }
const Plugin& dichotomous() { return shipped("noise_dichotomous.so"); }

std::string resolve_error(const Plugin& plugin, const Given& given) {
  return message_of([&] { resolve(plugin, given, {}, ModelNumbers(), plugin->id); });
}
double value(const Plugin& plugin, const Given& given, const char* name) {
  return resolve(plugin, given, {}, ModelNumbers(), plugin->id).values[find_parameter(plugin, name).slot];
}

bm_parameter bounded(double lower, double upper, uint32_t bound) {
  return {"p", "p", "", "a number", 1, lower, upper, bound, 0, nullptr};
}

}  // namespace

TEST_CASE("Schema: an unknown parameter names the nearest with its meaning and bounds") {
  CHECK(message_of([] { find_parameter(poisson(), "Dp"); }) ==
        "noise.poisson: unknown parameter 'Dp'; did you mean 'D'? (intensity lambda <z^2>/2, > 0)");
  CHECK(message_of([] { find_parameter(poisson(), "lamdba"); }) ==
        "noise.poisson: unknown parameter 'lamdba'; did you mean 'lambda'? (rate of the jumps, > 0)");
}

TEST_CASE("Schema: an unknown parameter that is near none lists the known ones") {
  CHECK(message_of([] { find_parameter(poisson(), "colour"); }) ==
        "noise.poisson: unknown parameter 'colour'; known: lambda, zeta, D, a, law, sigma, compensated");
  CHECK(message_of([] { find_parameter(shipped("potential_free.so"), "L"); }) ==
        "potential.free: unknown parameter 'L'; it has no parameters");
}

TEST_CASE("Schema: the nearest name is one edit in three letters away, case counting half") {
  const std::vector<std::string> known = {"lambda", "zeta", "D", "a", "V0"};
  CHECK(nearest_name("lamda", known) == "lambda");
  CHECK(nearest_name("ztea", known) == "zeta");
  CHECK(nearest_name("d", known) == "D");
  CHECK(nearest_name("v0", known) == "V0");
  CHECK(nearest_name("b", known).empty());
  CHECK(nearest_name("temperature", known).empty());
  CHECK(nearest_name("", known).empty());
  const std::vector<std::string> names = {"gaussian.T", "cosine.omega", "L", "omega", "periods"};
  CHECK(nearest_name("temperature", names).empty());  // of what?
  CHECK(nearest_name("gaussian.temperature", names) == "gaussian.T");
  CHECK(nearest_name("cosine.Frequency", names) == "cosine.omega");
  CHECK(nearest_name("frequency", names) == "omega");
  CHECK(nearest_name("wavelength", names) == "L");
  CHECK(nearest_name("period", names) == "L");
  CHECK(nearest_name("period", std::vector<std::string>{"periods", "paths"}) == "periods");
  CHECK(nearest_name("gpu", std::vector<std::string>{"cpu", "cuda"}) == "cuda");  // not the nearest letters
  CHECK(nearest_name("ornstein_uhlenebck", std::vector<std::string>{"ornstein", "ornstein_uhlenbeck"}) ==
        "ornstein_uhlenbeck");
  const std::string long_name(256, 'x'), too_long(257, 'x');  // whose comparison would take time and memory
  CHECK(nearest_name(long_name, std::vector{long_name + "", too_long}) == long_name);
  CHECK(nearest_name(too_long, std::vector{long_name}).empty());
  CHECK(nearest_name(long_name, std::vector{too_long}).empty());
  CHECK(suggestion("lamda", known) == "; did you mean 'lambda'?");
  CHECK(suggestion("temperature", known).starts_with("; known: lambda, "));
  CHECK(suggestion("lamda", {}) == "; known: none");
}

TEST_CASE("Schema: bounds are written as a physicist would") {
  CHECK(bounds_text(bounded(0, INFINITY, BM_LOWER_OPEN)) == "> 0");
  CHECK(bounds_text(bounded(0, INFINITY, 0)) == ">= 0");
  CHECK(bounds_text(bounded(-INFINITY, 2.5, BM_UPPER_OPEN)) == "< 2.5");
  CHECK(bounds_text(bounded(-INFINITY, 2.5, 0)) == "<= 2.5");
  CHECK(bounds_text(bounded(0, 1, BM_UPPER_OPEN)) == "in [0, 1)");
  CHECK(bounds_text(bounded(0, 1, BM_LOWER_OPEN)) == "in (0, 1]");
  CHECK(bounds_text(bounded(-INFINITY, INFINITY, 0)) == "any");
}

TEST_CASE("Schema: a value out of bounds, NaN or infinite is refused with subject, rule and value") {
  const auto error = [](const bm_parameter& parameter, double x) {
    return message_of([&] { check_value("poisson", parameter, x); });
  };
  const bm_parameter positive = bounded(0, INFINITY, BM_LOWER_OPEN);
  CHECK(error(positive, 1) == "no error");
  CHECK(error(positive, -1) == "poisson: p must be > 0, got -1");
  CHECK(error(positive, 0) == "poisson: p must be > 0, got 0");
  CHECK(error(positive, NAN) == "poisson: p must be > 0, got nan");
  CHECK(error(positive, INFINITY) == "poisson: p must be finite, got inf");
  CHECK(error(bounded(-INFINITY, INFINITY, 0), NAN) == "poisson: p must be a number, got nan");
  CHECK(error(bounded(0, 1, 0), 1) == "no error");
  CHECK(error(bounded(0, 1, BM_UPPER_OPEN), 1) == "poisson: p must be in [0, 1), got 1");
}

TEST_CASE("Schema: the first parametrisation that contains what is given is taken, the rest are defaults") {
  CHECK(value(poisson(), {}, "lambda") == 1);
  CHECK(value(poisson(), {{"D", 2}, {"a", 4}}, "lambda") == 8);
  CHECK(value(poisson(), {{"a", 2}}, "D") == 1);
  CHECK(value(poisson(), {{"a", 2}}, "lambda") == 4);
  CHECK(value(poisson(), {{"lambda", 4}}, "zeta") == 1);
  CHECK(value(poisson(), {{"lambda", 4}}, "a") == 4);
  CHECK(value(dichotomous(), {{"Fa", 3}}, "tau") == 1);
  CHECK(value(dichotomous(), {{"mu_a", 1.5}}, "mu_b") == 0.5);
  CHECK(value(dichotomous(), {{"mu_a", 1.5}}, "tau") == 0.5);
}

TEST_CASE("Schema: too many linked parameters are refused, with the sets that may be given") {
  CHECK(resolve_error(poisson(), {{"lambda", 1}, {"D", 1}, {"a", 1}}) ==
        "poisson: lambda, D and a are linked: give two of lambda, zeta, D, a (one of: lambda zeta | D a | lambda D | "
        "lambda a | zeta D | zeta a)");
  CHECK(resolve_error(shipped("noise_gaussian.so"), {{"D", 1}, {"T", 1}}) ==
        "gaussian: D and T are linked: give one of D, T (one of: D | T)");
  CHECK(resolve_error(dichotomous(), {{"tau", 1}, {"mu_a", 1}}) ==
        "dichotomous: tau and mu_a are linked: give one of: Fa Fb tau | Fa Fb mu_a mu_b");
}

TEST_CASE("Schema: a derived value out of bounds says what it is derived from") {
  CHECK(resolve_error(poisson(), {{"D", 1}, {"a", 0}}) == "poisson: lambda must be > 0, got 0 (derived from D, a)");
  CHECK(resolve_error(poisson(), {{"zeta", -1}, {"a", 1}}) ==
        "poisson: lambda must be > 0, got -1 (derived from zeta, a)");
  CHECK(resolve_error(poisson(), {{"zeta", 0}, {"D", 1}}) ==
        "poisson: lambda must be finite, got inf (derived from zeta, D)");
}

TEST_CASE("Schema: a plugin's own refusal is passed on with the component's name") {
  CHECK(message_of([] {
          resolve(dichotomous(), {{"Fb", 0}}, {}, ModelNumbers(), "flips");
        }) == "flips: zero mean needs Fa > 0 and Fb > 0, got 1 and 0");
  CHECK(message_of([] {
          resolve(poisson(), {{"compensated", 0.5}}, {}, ModelNumbers(), "shots");
        }) == "shots: compensated must be 0 or 1, got 0.5");
}

TEST_CASE("Schema: what is given is checked before anything is derived") {
  CHECK(resolve_error(poisson(), {{"lambda", -1}}) == "poisson: lambda must be > 0, got -1");
  CHECK(resolve_error(poisson(), {{"Dp", 1}}).starts_with("noise.poisson: unknown parameter 'Dp'"));
}

TEST_CASE("Schema: a component without a time scale or a period says infinity and 0") {
  const std::vector<double> values = resolve(shipped("noise_gaussian.so"), {}, {}, ModelNumbers(), "gaussian").values;
  CHECK(std::isinf(time_scale(shipped("noise_gaussian.so"), values, "gaussian")));
  CHECK(period(shipped("noise_gaussian.so"), values, "gaussian") == 0);
}

TEST_CASE("Schema: the documentation of a plugin has its equation, parameters, sets, reference and file") {
  const std::string text = describe(poisson());
  CAPTURE(text);
  for (const char* part :
       {"noise.poisson 1.0: white Poissonian shot noise\n", "eta(t) = sum z_i delta(t - t_i) - a", "lambda ", "> 0",
        "length^2/time", "intensity lambda <z^2>/2", "lambda = r a^2/D, zeta = D/(r a)", "events at exact times",
        "Europhys. Lett. 31, 431 (1995)", "noise_poisson.so\n"})
    CHECK(text.find(part) != text.npos);
}
