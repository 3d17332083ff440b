// The text that a formula becomes on the device, its constants and its phases.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "formula/compiled.h"
#include "message_of.h"

using namespace bmsim::formula;
using bmsim::test::message_of;

namespace {

using Names = std::vector<std::string>;
using Values = std::map<std::string, double, std::less<>>;

Compiled potential(std::string_view formula, const Names& names = {}) { return compile_potential(formula, names); }
Compiled drive(std::string_view formula, const Names& names = {}) { return compile_drive(formula, names); }
Names constants(const Compiled& compiled) {
  Names result;
  for (const Expression& e : compiled.constants) result.push_back(text(e));
  return result;
}
/// "omega reduced", or "1" for the time itself.
Names phases(const Compiled& compiled) {
  Names result;
  for (const Phase& phase : compiled.phases)
    result.push_back(text(phase.turns_per_time) + (phase.reduced ? " reduced" : ""));
  return result;
}
Lookup in(const Values& values) {
  return [values](std::string_view name) { return values.find(name)->second; };
}

}  // namespace

TEST_CASE("Formula text: the sine is what one would write by hand") {
  const Compiled plain = potential("V0*sin(2*pi*x/L)", {"V0", "L"});
  CHECK(plain.force_text == "return p.k0 * cos2pi(u);\n");
  CHECK(plain.energy_text == "return p.k1 * sin2pi(u);\n");
  CHECK(constants(plain) == Names{"-2*V0*pi/L", "V0"});
  CHECK(plain.periodic);
  CHECK_FALSE(plain.folded);
  CHECK(plain.smooth);
  CHECK(plain.phases.empty());

  const Compiled phase = potential("V0*sin(2*pi*x/L + phi)", {"V0", "L", "phi"});
  CHECK(phase.force_text == "return p.k0 * cos2pi(u + p.k1);\n");
  CHECK(phase.energy_text == "return p.k2 * sin2pi(u + p.k1);\n");
  const Values values = {{"V0", 2}, {"L", 0.5}, {"phi", 11 * M_PI}};
  const std::vector<double> k = constant_values(phase, in(values), "test");
  CHECK(k[0] == doctest::Approx(-8 * M_PI).epsilon(1e-15));
  CHECK(std::fabs(k[1]) == doctest::Approx(0.5));  // without whole turns
  CHECK(k[2] == 2);
}

TEST_CASE("Formula text: ratchets") {
  const Compiled ratchet = potential("V0*sin(2*pi*x/L) + V1*sin(4*pi*x/L + phi)", {"V0", "V1", "phi", "L"});
  CHECK(ratchet.force_text == "return fma(p.k0, cos2pi(u), p.k1 * cos2pi(fma((real)2, u, p.k2)));\n");
  CHECK(ratchet.energy_text == "return fma(p.k3, sin2pi(u), p.k4 * sin2pi(fma((real)2, u, p.k2)));\n");

  const Compiled flashing = potential("V0*(1 + A*cos(omega*t))*sin(2*pi*x/L)", {"V0", "A", "omega", "L"});
  CHECK(flashing.force_text == "return cos2pi(u) * fma(p.k0, cos2pi(phase[0]), p.k1);\n");
  CHECK(flashing.energy_text == "return sin2pi(u) * fma(p.k2, cos2pi(phase[0]), p.k3);\n");
  CHECK(constants(flashing) == Names{"-2*A*V0*pi/L", "-2*V0*pi/L", "A*V0", "V0"});
  CHECK(phases(flashing) == Names{"0.5*omega/pi reduced"});

  const Compiled travelling = potential("sin(2*pi*(x/L - f*t))", {"f", "L"});
  CHECK(travelling.force_text == "return p.k0 * cos2pi(u - phase[0]);\n");
  CHECK(phases(travelling) == Names{"f reduced"});
}

TEST_CASE("Formula text: what depends on parameters alone is computed on the host") {
  const Compiled tanh = potential("sqrt(a + 2)*x*exp(b) + tanh(c)", {"a", "b", "c"});
  CHECK(tanh.force_text == "return p.k0;\n");
  CHECK(tanh.energy_text == "return fma(p.k1, u, p.k2);\n");
  CHECK(constants(tanh) == Names{"-exp(b)*(a + 2)^0.5", "exp(b)*(a + 2)^0.5", "tanh(c)"});

  const Compiled numbers = potential("1.5*x^2 + 2*pi*x + 1");
  CHECK(numbers.force_text == "return fma((real)-3, u, (real)-6.283185307179586);\n");
  CHECK(numbers.energy_text == "return fma((real)6.283185307179586, u, fma((real)1.5, u * u, (real)1));\n");
  CHECK(numbers.constants.empty());
  CHECK(potential("2").force_text == "return (real)0;\n");

  CHECK(potential("a*(x^2 + b*(x - 1))", {"a", "b"}).energy_text == "return fma(p.k2, u, fma(p.k3, u * u, p.k1));\n");
  CHECK(message_of([] {
          const Values values = {{"a", 0}};
          constant_values(potential("x/a", {"a"}), in(values), "potential.formula");
        }) == "potential.formula: -1/a must be finite, got -inf");
}

TEST_CASE("Formula text: powers are products, and one value is computed once") {
  CHECK(potential("x^8").energy_text ==
        "const T t0 = u * u;\n"
        "const T t1 = t0 * t0;\n"
        "return t1 * t1;\n");
  CHECK(potential("x^-12 - x^-6").energy_text ==
        "const T t0 = (real)1 / u;\n"
        "const T t1 = t0 * t0;\n"
        "const T t2 = t1 * t1;\n"
        "return fma(t2 * t2, t2, -(t2 * t1));\n");
  CHECK(potential("sin(2*pi*x)*cos(2*pi*x + pi/2)").energy_text == "return cos2pi(u + (real)0.25) * sin2pi(u);\n");
  CHECK(potential("sin(x)^2").energy_text ==
        "const T t0 = sin2pi((real)0.15915494309189535 * u);\n"
        "return t0 * t0;\n");
  CHECK(potential("1/x").energy_text == "return (real)1 / u;\n");
  CHECK(potential("x^1.5").energy_text == "return u * sqrt(u);\n");
  CHECK(potential("-1/sqrt(1 + x^2)").energy_text == "return (real)-1 / sqrt(fma(u, u, (real)1));\n");
  CHECK(potential("2^x").energy_text == "return exp((real)0.6931471805599453 * u);\n");
  CHECK(potential("abs(x)^n", {"n"}).energy_text ==
        "const T t0 = absolute(u);\n"
        "return select(t0 >= (real)0, exp(p.k2 * log(t0)), (real)(0.0 / 0.0));\n");
}

TEST_CASE("Formula text: functions that the dialect lacks") {
  CHECK(potential("tan(2*pi*x)").energy_text == "return sin2pi(u) / cos2pi(u);\n");
  CHECK(potential("cosh(x)").energy_text ==
        "const T t0 = exp(absolute(u));\n"
        "return (real)0.5 * (t0 + (real)1 / t0);\n");
  const std::string sinh = potential("sinh(x)").energy_text, tanh = potential("tanh(x)").energy_text;
  const auto holds = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
  CHECK(holds(sinh, "return select(t0 < (real)0.5, u * fma("));
  CHECK(holds(sinh, ", copysign((real)0.5 * (t"));
  CHECK(holds(tanh, "return select(t0 < (real)0.5, u * fma("));
  CHECK(holds(tanh, ", copysign((real)1 - t"));
  CHECK(potential("abs(x)").force_text ==
        "return -select(u > (real)0, (real)1, select(u < (real)0, (real)-1, (real)0));\n");
  CHECK(potential("min(x, a)", {"a"}).force_text == "return -select(u < p.k0, (real)1, (real)0);\n");
  CHECK(potential("log(x) + floor(x)").energy_text ==
        "return floor(u) + select(u >= (real)0, log(u), (real)(0.0 / 0.0));\n");
}

TEST_CASE("Formula text: a formula that does not show its period is folded into one") {
  const Compiled well = potential("-V0*exp(-x^2)", {"V0", "L"});
  CHECK(well.folded);
  CHECK_FALSE(well.smooth);
  CHECK(well.energy_text ==
        "const T t0 = u - rint(u);\n"
        "return p.k2 * exp(p.k1 * (t0 * t0));\n");
  for (const char* formula : {"sin(2*pi*x/L)^3", "sin(pi*x/L)^2", "tan(pi*x/L)", "abs(sin(3*pi*x/L))",
                              "exp(cos(4*pi*x/L))", "sin(2*pi*x/L + cos(2*pi*x/L))"}) {
    INFO(std::string(formula));
    CHECK_FALSE(potential(formula, {"L"}).folded);
  }
  for (const char* formula :
       {"sin(pi*x/L)", "sin(2*pi*x)", "sin(3*pi*x/L)^3", "cos(2*pi*x/L)*x", "abs(sin(pi*x/L) + 1)"}) {
    INFO(std::string(formula));
    CHECK(potential(formula, {"L"}).folded);
  }
  const Compiled wave = potential("sin(2*pi*x)", {"L"});
  CHECK(energy_at(wave, 1, 0, in({{"L", 1.5}})) == doctest::Approx(std::sin(-M_PI)));
}

TEST_CASE("Formula text: time comes as phases") {
  const Compiled two = drive("A*cos(omega*t) + B*sin(2*omega*t)", {"A", "B", "omega"});
  CHECK(two.force_text == "return fma(p.k0, cos2pi(phase[0]), p.k1 * sin2pi((real)2 * phase[0]));\n");
  CHECK(two.energy_text.empty());
  CHECK(phases(two) == Names{"0.5*omega/pi reduced"});
  CHECK(shortest_period(two.phases, in({{"omega", -4}})) == doctest::Approx(M_PI / 2));

  // The fundamental, wherever it is; a sum of frequencies; a phase that is no multiple.
  CHECK(phases(drive("sin(4*w*t) + sin(6*w*t) + sin(2*w*t)", {"w"})) == Names{"w/pi reduced"});
  CHECK(phases(drive("sin(4*w*t) + sin(6*w*t)", {"w"})) == Names{"2*w/pi reduced", "3*w/pi reduced"});
  const Compiled shifted = drive("sin(w*t + phi - v*t)", {"w", "v", "phi"});
  CHECK(shifted.force_text == "return sin2pi(p.k0 - phase[0]);\n");
  CHECK(phases(shifted) == Names{"0.5*v/pi - 0.5*w/pi reduced"});
  CHECK(shortest_period(drive("sin(2*pi*t/3) + cos(2*pi*t/7 + 1)").phases, {}) == doctest::Approx(3));

  // Elsewhere than linearly in a wave: the time itself, last.
  const Compiled decay = drive("exp(-t/tau)*cos(2*pi*f*t)", {"f", "tau"});
  CHECK(decay.force_text == "return cos2pi(phase[0]) * exp(p.k0 * phase[1]);\n");
  CHECK(phases(decay) == Names{"f reduced", "1"});
  CHECK(frequencies(decay.phases, in({{"f", 3}, {"tau", 1}})) == std::vector<double>{3, 1});
  CHECK(phases(drive("sin(t^2)")) == Names{"1"});
  CHECK(phases(potential("sin(2*pi*x*t + 3*t)")) == Names{"1.5/pi reduced", "1"});
  CHECK(shortest_period(drive("t").phases, {}) == INFINITY);
}

TEST_CASE(
    "Formula text: waves of differences occur once for a pair, or come from those of the terms if they are many") {
  const auto waves = [](int phases) {
    std::vector<Assignment> equations;
    const auto u = [](int i) { return Expression("u:" + std::to_string(i)); };
    for (int i = 0; i < phases; ++i) {
      Expression force = 0;
      for (int j = 0; j < phases; ++j)
        if (j != i) force = force + call("sin", {2 * Expression("pi") * (u(j) - u(i))});
      equations.push_back({"f[" + std::to_string(i) + "]", force});
    }
    Shared shared;
    const std::string text = device_statements(equations, shared);
    std::pair<int, int> found;
    for (size_t at = 0; (at = text.find("2pi(", at)) != text.npos; ++at)
      ++(text[at - 3] == 's' ? found.first : found.second);
    return found;
  };
  CHECK(waves(2) == std::pair(1, 0));
  CHECK(waves(5) == std::pair(10, 0));
  CHECK(waves(6) == std::pair(6, 6));
  CHECK(waves(16) == std::pair(16, 16));
}
