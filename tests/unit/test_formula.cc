// Expressions of formulas: the canonical form, values, and derivatives against differences.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "formula/compiled.h"
#include "formula/parse.h"
#include "formula/program.h"
#include "formula/system.h"
#include "formula_cases.h"
#include "message_of.h"

using namespace bmsim::formula;
using namespace bmsim::test;

namespace {

Expression parsed(std::string_view formula) {
  const std::string variables[] = {"x", "t"}, names[] = {"L", "V0", "a", "b", "c", "n"};
  return parse(formula, variables, names, names, "test");
}
std::string canonical(std::string_view formula) { return text(parsed(formula)); }
std::string derived(std::string_view formula) { return text(derivative(parsed(formula), "x")); }
double number(std::string_view formula) { return evaluate(parsed(formula), {}); }

}  // namespace

TEST_CASE("Formula: precedence is that of mathematics") {
  CHECK(number("-2^2") == -4);
  CHECK(number("2^3^2") == 512);
  CHECK(number("2^-1") == 0.5);
  CHECK(number("1 - 2 - 3") == -4);
  CHECK(number("8/4/2") == 1);
  CHECK(number("2 + 3*4") == 14);
  CHECK(number("2*-3") == -6);
  CHECK(number("(1 + 2)*3 - -1") == 10);
  CHECK(number(".5e1*2.e-1") == 1);
  CHECK(number("pow(2, 3) + max(1, 2)*min(3, 4) - abs(-5) + sign(-2) + floor(-0.5)") == 7);
  CHECK(number("sqrt(9) + exp(0) + log(1) + cos(0) + sin(0) + tan(0) + sinh(0) + cosh(0) + tanh(0)") == 6);
  CHECK(number("sin(pi/2)") == 1);
  CHECK(number("mod(7, 3) + mod(-1, 3) + 4*atan2(1, 1) - pi") == 3);
  CHECK(number("(1 < 2) + 2*(2 < 1) + 4*(2 > 1) + 8*(2 <= 2) + 16*(3 <= 2) + 32*(2 >= 2)") == 45);
  CHECK(number("if(1 < 2, 3, 4) + if(2 <= 1, 10, 20) + if((1 < 2)*(3 < 2), 100, 200)") == 223);
}

TEST_CASE("Formula: a canonical form cancels what is there twice and gathers what is alike") {
  CHECK(text(substitute(parsed("2*pi*x/L"), "x", Expression("x") * Expression("L"))) == "2*pi*x");
  CHECK(text(substitute(parsed("sqrt(L)*x^2/sqrt(L)"), "x", Expression("x") / Expression("L"))) == "x^2/L^2");
  CHECK(canonical("a + b - a") == "b");
  CHECK(canonical("x*a/x") == "a");
  CHECK(canonical("3*x - x/2 + x*2") == "4.5*x");
  CHECK(canonical("b*a - a*b") == "0");
  CHECK(canonical("(a*x)^2*x/a") == "a*x^3");
  CHECK(canonical("2*(a - (b - 1))") == "2*a - 2*b + 2");
  CHECK(canonical("(x^2)^3 * sqrt(x) * sqrt(x)") == "x^7");
  CHECK(canonical("sqrt(4*x^2)") == "2*abs(x)");
  CHECK(canonical("sin(-x) + cos(-2*x) - tan(-x)") == "cos(2*x) - sin(x) + tan(x)");
  CHECK(canonical("x^0 + x^1 + 1^x + 0*x") == "x + 2");
  CHECK(canonical("exp(x)^n + (a^x)^3") == "exp(n*x) + a^(3*x)");
  CHECK(canonical("pi*2/pi") == "2");
  CHECK(canonical("sin(x)^2 + cos(x)^2") == "cos(x)^2 + sin(x)^2");
  CHECK(canonical("1/(x*L)") == "1/L/x");
  CHECK(canonical("-(x + 1)^2") == "-(x + 1)^2");
}

TEST_CASE("Formula: a root of a power is not a power of its base, which may be negative") {
  const auto value = [](std::string_view formula) {
    return evaluate(parsed(formula), [](std::string_view name) { return name == "x" ? -2 : name == "n" ? 0.5 : 2; });
  };
  CHECK(value("sqrt(x^a)") == 2);
  CHECK(value("(x^a)^0.5") == 2);
  CHECK(value("(x^a)^n") == 2);
}

TEST_CASE("Formula: what text() writes is read as the same expression") {
  for (const FormulaCase& one : formula_cases()) {
    const std::string variables[] = {"x", "t"};
    const std::vector<std::string> names = names_of(one);
    const Expression e = parse(one.text, variables, names, names, "test");
    INFO(std::string(one.text), " -> ", text(e));
    CHECK(parse(text(e), variables, names, names, "test") == e);
  }
}

TEST_CASE("Formula: derivatives of every function") {
  CHECK(derived("sin(2*x)") == "2*cos(2*x)");
  CHECK(derived("cos(x)*a") == "-a*sin(x)");
  CHECK(derived("tan(x)") == "tan(x)^2 + 1");
  CHECK(derived("sinh(x)") == "cosh(x)");
  CHECK(derived("cosh(x)") == "cosh(x)*tanh(x)");
  CHECK(derived("1/cosh(x)") == "-tanh(x)/cosh(x)");
  CHECK(derived("tanh(x)") == "-tanh(x)^2 + 1");
  CHECK(derived("exp(a*x)") == "a*exp(a*x)");
  CHECK(derived("log(x)") == "1/x");
  CHECK(derived("sqrt(x)") == "0.5/x^0.5");
  CHECK(derived("abs(x)") == "sign(x)");
  CHECK(derived("sign(x) + floor(x)") == "0");
  CHECK(derived("min(x, a)") == "if(x < a, 1, 0)");
  CHECK(derived("max(x^2, a)") == "if(a < x^2, 2*x, 0)");
  CHECK(derived("if(x < a, x^2, a)") == "if(x < a, 2*x, 0)");
  CHECK(derived("if(x >= a, x^2, a)") == "if(x < a, 0, 2*x)");
  CHECK(derived("(x > a)*x") == "if(a < x, 1, 0)");
  CHECK(derived("atan2(x, a)") == "a/(a^2 + x^2)");
  CHECK(derived("mod(x, a)") == "1");
  CHECK(derived("x^n") == "n*x^(n - 1)");
  CHECK(derived("a^x") == "log(a)*a^x");
  CHECK(derived("a*b + t") == "0");
}

TEST_CASE("Formula: forces agree with differences of the potential") {
  std::mt19937_64 random(7);
  for (const FormulaCase& one : formula_cases()) {
    if (one.drive) continue;
    const Compiled compiled = compile_potential(one.text, names_of(one));
    const Lookup lookup = [&](std::string_view name) { return one.values.find(name)->second; };
    int off = 0;
    constexpr int points = 200;
    for (int i = 0; i < points; ++i) {
      const double x = std::uniform_real_distribution(one.from, one.to)(random);
      const double t = std::uniform_real_distribution(0.0, 3.0)(random), h = 1e-5;
      const double difference =
          (energy_at(compiled, x - h, t, lookup) - energy_at(compiled, x + h, t, lookup)) / (2 * h);
      const double force = force_at(compiled, x, t, lookup);
      // Relative to the rounding of V/h, too.
      const double scale = 1 + std::fabs(force) + std::fabs(energy_at(compiled, x, t, lookup));
      if (!(std::fabs(force - difference) < 2e-6 * scale)) ++off;
    }
    INFO(std::string(one.text), ": ", text(compiled.force));
    CHECK(off == 0);
  }
}

TEST_CASE("Formula: a list of operations has the values of the expression") {
  std::mt19937_64 random(8);
  for (const FormulaCase& one : formula_cases()) {
    const std::vector<std::string> names = names_of(one);
    const Compiled compiled = one.drive ? compile_drive(one.text, names) : compile_potential(one.text, names);
    std::vector<double> values;
    for (const std::string& name : names) values.push_back(one.values.at(name));
    const Program program(compiled.force, names);
    double x = 0, t = 0;
    const Lookup lookup = [&](std::string_view name) {
      return name == "x" ? x : name == "t" ? t : one.values.find(name)->second;
    };
    INFO(std::string(one.text));
    for (int i = 0; i < 50; ++i) {
      x = std::uniform_real_distribution(one.from, one.to)(random);
      t = std::uniform_real_distribution(0.0, 3.0)(random);
      CHECK(program(x, t, values.data()) == doctest::Approx(evaluate(compiled.force, lookup)).epsilon(1e-13));
    }
  }
}

/// A list of operations as kernels/cuda/formulas.h goes through it.
double value_of(const OperationList& list, const std::vector<double>& inputs) {
  std::vector<double> slot(list.slots);
  double result = 0;
  for (const auto& one : list.operations) {
    const auto argument = [&](size_t k) { return slot.at(list.arguments.at(one.first + k).slot); };
    result = one.number;
    if (one.step == bmsim_abi::FORMULA_INPUT) {
      result = inputs.at(one.which);
    } else if (one.step == bmsim_abi::FORMULA_POWER) {
      result = std::pow(argument(0), argument(1));
    } else if (one.step == bmsim_abi::FORMULA_CALL) {
      std::vector<double> a(4);
      for (size_t k = 0; k < one.count; ++k) a[k] = argument(k);
      result = functions()[one.which].value(a.data());
    } else {
      for (size_t k = 0; k < one.count; ++k) {
        const double weight = list.arguments[one.first + k].weight;
        if (one.step == bmsim_abi::FORMULA_SUM)
          result += weight * argument(k);
        else
          result *= std::pow(argument(k), weight);
      }
    }
    slot.at(one.slot) = result;
  }
  return result;
}

TEST_CASE("Formula: many places at a time, and operations in few slots, give the same values") {
  std::mt19937_64 random(9);
  for (const FormulaCase& one : formula_cases()) {
    std::vector<std::string> names = names_of(one);
    const Compiled compiled = one.drive ? compile_drive(one.text, names) : compile_potential(one.text, names);
    std::vector<double> inputs;
    std::vector<Column> columns;
    for (const std::string& name : names)
      inputs.push_back(one.values.at(name)), columns.push_back({nullptr, inputs.back()});
    const Program expected(compiled.force, names);
    const std::vector<double> parameters = inputs;
    names.insert(names.end(), {"x", "t"});
    inputs.resize(names.size());
    constexpr size_t places = 100;
    std::vector<double> x(places), t(places), values(places);
    for (double& place : x) place = std::uniform_real_distribution(one.from, one.to)(random) / 2;
    for (double& time : t) time = std::uniform_real_distribution(0.0, 3.0)(random);
    columns.push_back({x.data(), 2}), columns.push_back({t.data(), 1});
    const Program program(compiled.force, names);
    const OperationList list = program.list();
    program.evaluate(columns, places, values.data());
    INFO(std::string(one.text));
    CHECK(list.slots <= list.operations.size());
    CHECK(list.slots <= 16);
    for (size_t i = 0; i < places; ++i) {
      const double exact = expected(2 * x[i], t[i], parameters.data());
      CHECK(values[i] == doctest::Approx(exact).epsilon(1e-13));
      inputs[names.size() - 2] = 2 * x[i], inputs[names.size() - 1] = t[i];
      CHECK(value_of(list, inputs) == doctest::Approx(exact).epsilon(1e-12));
    }
  }
}

TEST_CASE("Formula: switches are what abs, sign, min, max and floor of x depend on, each once") {
  const auto list = [](std::string_view formula) {
    std::string all;
    for (const Switch& one : switches(parsed(formula))) all += text(one.argument) + (one.whole ? " whole; " : "; ");
    return all;
  };
  CHECK(list("sin(x) + abs(a)") == "");
  CHECK(list("abs(x - a) + sign(x - a)*floor(2*x)") == "-a + x; 2*x whole; ");
  CHECK(list("min(x^2, 1)") == "x^2 - 1; ");
  CHECK(list("max(a, abs(x))") == "x; a - abs(x); ");
}

TEST_CASE("Formula: a potential is smooth unless a function of x has kinks or steps") {
  const auto smooth = [](const char* formula, std::vector<std::string> names = {}) {
    return compile_potential(formula, names).smooth;
  };
  CHECK(smooth("sin(x) + abs(a)*x + min(a, b)", {"a", "b"}));
  for (const char* formula : {"abs(x)", "sign(x)", "1 + min(x, 1)", "max(1, sin(x))", "sin(floor(x))"}) {
    INFO(std::string(formula));
    CHECK_FALSE(smooth(formula));
  }
  CHECK_FALSE(smooth("a*sqrt(x^2)", {"a"}));
  CHECK(smooth("x*sign(sin(t))"));
}

TEST_CASE("Formula: the degree in some names, as far as the form shows") {
  const std::vector<std::string> names = {"x", "t"};
  for (const char* formula : {"a", "a*b^2 + sin(c)", "if(a > b, a, 1)"}) {
    INFO(std::string(formula));
    CHECK(degree(parsed(formula), names) == 0);
  }
  for (const char* formula :
       {"x", "a*(x - 2*t + b)/c", "x*t - t*x + x", "(x - (x + t)/2)*exp(a)", "x^2/x + floor(a)"}) {
    INFO(std::string(formula));
    CHECK(degree(parsed(formula), names) == 1);
  }
  for (const char* formula : {"x*t", "x^2", "1/x", "a*sin(x)", "floor(x)", "(x > a)*b", "if(x > 0, 1, 2)", "a^x",
                              "abs(x + t)", "x*(a + t)"}) {
    INFO(std::string(formula));
    CHECK(degree(parsed(formula), names) == 2);
  }
}

namespace {

/// Operations of V' as a device does them.
size_t operations(const Expression& e) {
  Shared shared;
  const Expression of_u = substitute(e, "x", Expression(position_name));
  collect_phases(of_u, shared.phases);
  device_text(of_u, false, shared);
  return shared.operations;
}

/// factor(1)*factor(2)*...*factor(n)
template <class Factor> std::string product_of(int n, const Factor& factor) {
  std::string all;
  for (int i = 1; i <= n; ++i) all += fmt::format("{}{}", i > 1 ? "*" : "", factor(i));
  return all;
}

}  // namespace

TEST_CASE("Formula: what a shift of variables changes shows at some places, or may hide") {
  const auto hides = [](const char* formula, const std::vector<std::string>& names, std::vector<double> amounts) {
    return hides_shift(parsed(formula), names, amounts);
  };
  for (const char* formula : {"3", "a*t", "x", "a*x + sin(2*pi*x/L)", "sin(x)^2*if(cos(x) > 0.9, 1, 0)", "mod(x, L)^3",
                              "exp(cos(x - t))*max(sin(x), 0)", "a*(x + 2) - b", "atan2(sin(x), cos(x))",
                              "x - floor(x)", "max(x/L - floor(x/L), a)"}) {
    CAPTURE(formula);
    CHECK_FALSE(hides(formula, {"x"}, {1}));
  }
  for (const char* formula : {"x > 5", "if(x > 5, 1, 0)", "max(x - 5, 0)", "exp(-(x - 50)^2)", "x*sin(x)", "x^2",
                              "sin(x^2)", "abs(x) - abs(x - 5)", "sin(x) + (x > 5)", "mod(t, x)", "a^x", "1/x",
                              "cos(x*max(x, 0))", "floor(x/10)", "sin(floor(x))"}) {
    CAPTURE(formula);
    CHECK(hides(formula, {"x"}, {1}));
  }
  // together: b is a second variable here
  for (const char* formula : {"max(x - b, 0)", "exp(-(x - b)^2)", "max(a*x - a*b, 0) + sin(x)", "(x - b + sin(x))^2"}) {
    CAPTURE(formula);
    CHECK_FALSE(hides(formula, {"x", "b"}, {1, 1}));
    CHECK(hides(formula, {"x"}, {1}));
    CHECK(hides(formula, {"x", "b"}, {1, 2}));
  }
  CHECK_FALSE(hides("max(2*x - b, 0)", {"x", "b"}, {1, 2}));
  CHECK(hides("max(x + b, 0)", {"x", "b"}, {1, 1}));
}

TEST_CASE("Formula: the derivative of a product grows as the product, and is that of its logarithm times it") {
  for (const int n : {3, 8, 9, 30, 100, 300}) {
    CAPTURE(n);
    const Expression sines = parsed(product_of(n, [](int i) { return fmt::format("sin({}*x)", i); }));
    const Expression slope = derivative(sines, "x");
    CHECK(operations(slope) < static_cast<size_t>(8 * n + 60));
    for (const double x : {0.37, 1.1, -2.3}) {
      const Lookup at = [&](std::string_view) { return x; };
      double of_logarithm = 0;
      for (int i = 1; i <= n; ++i) of_logarithm += i * std::cos(i * x) / std::sin(i * x);
      const double wanted = evaluate(sines, at) * of_logarithm;
      CHECK(std::fabs(evaluate(slope, at) - wanted) <= 1e-11 * std::fabs(wanted));
      const std::string names[] = {"x"};
      CHECK(Program(slope, names)(0, 0, &x) == doctest::Approx(evaluate(slope, at)).epsilon(1e-13));
    }
  }
  const Expression powers = parsed(product_of(20, [](int i) { return fmt::format("a*(x^2 + {})^{}", i, i % 3 + 1); }) +
                                   "/" + product_of(20, [](int i) { return fmt::format("(b + cos({}*x))", i); }));
  const Lookup at = [](std::string_view name) { return name == "x" ? 0.4 : name == "a" ? 0.1 : 1.7; };
  const Lookup before = [](std::string_view name) { return name == "x" ? 0.4 - 1e-6 : name == "a" ? 0.1 : 1.7; };
  const Lookup after = [](std::string_view name) { return name == "x" ? 0.4 + 1e-6 : name == "a" ? 0.1 : 1.7; };
  CHECK(evaluate(derivative(powers, "x"), at) ==
        doctest::Approx((evaluate(powers, after) - evaluate(powers, before)) / 2e-6).epsilon(1e-7));
  CHECK(text(derivative(parsed(product_of(9, [](int i) { return fmt::format("sin({}*x)", i); })), "x")).size() < 700);
}
