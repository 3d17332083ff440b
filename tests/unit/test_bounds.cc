// Bounds of formulas by interval arithmetic hold what dense samples find, and lead to structure that samples miss.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "formula/bounds.h"
#include "formula/parse.h"
#include "model/structure.h"

using namespace bmsim;
using namespace bmsim::formula;

namespace {

const std::vector<std::string> parameters = {"a"};
constexpr double value_of_a = 1.7;

Expression parsed(const std::string& text) {
  const std::vector<std::string> names = {"x", "t", "a"};
  return formula::parse(text, names, {}, {}, "test");
}

/// A random formula of x, t and a, with every function.
class Formulas {
 public:
  std::string next() { return term(4); }
  double number(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }

 private:
  size_t pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  std::string term(int depth) {
    if (depth == 0 || pick(8) == 0) {
      const std::vector<std::string> leaves = {"x", "x", "t", "a", "pi", "0.37", "2", "(-1.3)"};
      return leaves[pick(leaves.size())];
    }
    const auto inner = [&] { return term(depth - 1); };
    const std::vector<std::string> of_one = {"sin", "cos", "tan",  "sinh", "cosh", "tanh",
                                             "exp", "log", "sqrt", "abs",  "sign", "floor"};
    const std::vector<std::string> of_two = {"min", "max", "atan2", "mod", "pow"};
    switch (pick(9)) {
      case 0:
        return "(" + inner() + " + " + inner() + ")";
      case 1:
        return "(" + inner() + " - " + inner() + ")";
      case 2:
      case 3:
        return inner() + "*" + inner();
      case 4:
        return "(" + inner() + ")/(" + inner() + ")";
      case 5: {
        const std::vector<std::string> powers = {"2", "3", "(-1)", "(-2)", "0.5", "1.5", "a"};
        return "(" + inner() + ")^" + powers[pick(powers.size())];
      }
      case 6:
        return of_two[pick(of_two.size())] + "(" + inner() + ", " + inner() + ")";
      case 7:
        return "if(" + inner() + " < " + inner() + ", " + inner() + ", " + inner() + ")";
      default:
        return of_one[pick(of_one.size())] + "(" + inner() + ")";
    }
  }
  std::mt19937_64 random_{11};
};

Extremes steepest(const std::string& text, double from, double to, double known) {
  static std::vector<std::unique_ptr<Program>> programs;
  programs.push_back(std::make_unique<Program>(parsed(text), parameters));
  Enclosure bounds(*programs.back(), {0, 0, value_of_a}, {0});
  const auto none = [](const Enclosed&, const Box&) { return false; };
  return largest(bounds, {{from, to}}, Extreme::slope, 0, known, none, 4000);
}

}  // namespace

TEST_CASE("bounds of random formulas hold all values and slopes") {
  Formulas formulas;
  size_t finite = 0, compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = formulas.next();
    CAPTURE(text);
    Expression e = 0;
    try {
      e = parsed(text);
    } catch (const std::exception&) {  // a constant that is not finite
      continue;
    }
    const Program program(e, parameters), slope(derivative(e, "x"), parameters);
    const double low = formulas.number(-3, 3), width = std::pow(10, formulas.number(-6, 0.5)),
                 t = formulas.number(-2, 2);
    CAPTURE(low);
    CAPTURE(width);
    CAPTURE(t);
    Enclosure enclosure(program, {0, t, value_of_a}, {0});
    const Enclosed bounds = enclosure.over({low, low + width});
    for (int k = 0; k <= 60; ++k) {
      const double x = low + width * k / 60.0, f = program(x, t, &value_of_a), df = slope(x, t, &value_of_a);
      if (!std::isfinite(f)) continue;
      ++compared;
      const double margin = 1e-9 * std::abs(f) + 1e-300;
      CHECK(bounds.value.low <= f + margin);
      CHECK(f - margin <= bounds.value.high);
      const double ahead = program(x + 1e-7 * width, t, &value_of_a), back = program(x - 1e-7 * width, t, &value_of_a);
      const bool smooth = std::abs((ahead - back) / (2e-7 * width) - df) <= 1e-2 * std::abs(df) + 1e-6;
      if (!std::isfinite(df) || !smooth) continue;  // a kink, or an end of what is defined
      CHECK(bounds.slope.low <= df + 1e-6 * std::abs(df) + 1e-300);
      CHECK(df - 1e-6 * std::abs(df) - 1e-300 <= bounds.slope.high);
    }
    finite += std::isfinite(bounds.value.width()) ? 1 : 0;
  }
  CHECK(finite > 1500);
  CHECK(compared > 50000);
}

TEST_CASE("bounds of a narrow interval are narrow") {
  for (const char* text : {"x^2/2 - 4*exp(-((x-0.8)/0.3)^2)", "sin(3*x)*cosh(x)/(1+x^2)", "tanh(x)^3 + log(2+x)",
                           "atan2(x, 1+x^2)", "abs(x)^1.5", "a^x", "x^a", "max(x, x^2) + min(x, a)"}) {
    CAPTURE(std::string(text));
    const Program program(parsed(text), parameters);
    Enclosure enclosure(program, {0, 0, value_of_a}, {0});
    const Enclosed bounds = enclosure.over({0.7, 0.7 + 1e-6});
    CHECK(bounds.value.width() < 1e-4);
    CHECK(bounds.slope.width() < 1e-3);
    CHECK(!bounds.jumps);
  }
}

TEST_CASE("structure is found however narrow it is") {
  for (const double width : {1e-2, 1e-4, 1e-6, 7e-6}) {
    const std::string w = std::to_string(width);
    CAPTURE(width);
    CHECK(steepest("exp(-((x-0.8123)/" + w + ")^2)", -1, 1, 1).most > 0.5 / width);
    CHECK(steepest("tanh((x+0.61803)/" + w + ")", -1, 1, 1).most > 0.5 / width);
    CHECK(steepest("1/(1+((x-0.1)/" + w + ")^2)", -1, 1, 1).most > 0.3 / width);
    CHECK(steepest("exp(-(sin(pi*(x-0.3137))/" + w + ")^2)", -0.5, 0.5, 1).most > 1.5 / width);
  }
}

TEST_CASE("ordinary formulas are settled at once") {
  for (const char* text : {"x^2/2", "x^4/4 - x^2/2", "sin(2*pi*x) + 0.25*sin(4*pi*x)", "a*cos(x)", "x"}) {
    CAPTURE(std::string(text));
    const Program slope(derivative(parsed(text), "x"), parameters);
    double known = 0;
    for (int k = 0; k <= 100; ++k) known = std::max(known, std::abs(slope(-3 + 0.06 * k, 0, &value_of_a)));
    const Extremes found = steepest(text, -3, 3, known);
    CHECK(found.settled);
    CHECK(found.places.empty());
  }
}

TEST_CASE("pieces between samples that show nothing") {
  const Program program(parsed("if(abs(x - 0.61803) < 1e-6, 3, 0) + x"), parameters);
  Enclosure enclosure(program, {0, 0, value_of_a}, {0});
  std::vector<double> samples;
  for (int k = 0; k <= 64; ++k) samples.push_back(k / 64.0);
  const std::vector<double> found = hidden_pieces(enclosure, samples, 0.1, 10000).at;
  REQUIRE(!found.empty());
  CHECK(std::abs(found[0] - 0.61803) < 1e-6);
}
