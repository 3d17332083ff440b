// What is wrong with a formula, and where.
#include <doctest/doctest.h>

#include "formula/compiled.h"
#include "formula/parse.h"
#include "message_of.h"

using namespace bmsim::formula;
using bmsim::test::message_of;

namespace {

std::string error(std::string_view formula, std::vector<std::string> names = {}) {
  return message_of([&] { compile_potential(formula, names, "formula"); });
}
std::string drive_error(std::string_view formula, std::vector<std::string> names = {}) {
  return message_of([&] { compile_drive(formula, names); });
}

}  // namespace

TEST_CASE("Formula errors: an unknown name names the nearest, or all") {
  CHECK(error("V0*sin(x) + V2*cos(x)", {"V0", "V1"}) ==
        "formula: unknown name 'V2'; did you mean 'V0'?\n"
        "  V0*sin(x) + V2*cos(x)\n"
        "              ^");
  CHECK(error("colour*x", {"a"}) ==
        "formula: unknown name 'colour'; known: x, t, pi, a\n"
        "  colour*x\n"
        "  ^");
  CHECK(error("2*X") == "formula: unknown name 'X'; did you mean 'x'?\n  2*X\n    ^");
  CHECK(drive_error("x") == "drive.formula: unknown name 'x'; known: t, pi\n  x\n  ^");
  CHECK(error("select(x)").starts_with("formula: unknown function 'select'; known: sin, cos, tan, sinh,"));
}

TEST_CASE("Formula errors: functions") {
  CHECK(error("1 + sni(x)") == "formula: unknown function 'sni'; did you mean 'sin'?\n  1 + sni(x)\n      ^");
  CHECK(error("sin + x") == "formula: 'sin' is a function; write sin(...)\n  sin + x\n  ^");
  CHECK(error("2*x(3)") == "formula: 'x' is not a function; write x*(...)\n  2*x(3)\n     ^");
  CHECK(error("x*sin(x, 2)") == "formula: sin takes 1 argument, got 2\n  x*sin(x, 2)\n    ^");
  CHECK(error("min(x)") == "formula: min takes 2 arguments, got 1\n  min(x)\n  ^");
  CHECK(error("exp()") == "formula: exp takes 1 argument, got 0\n  exp()\n  ^");
}

TEST_CASE("Formula names: what is called is a function and no name") {
  CHECK(names_in("ln(x) + a*b - c (2) + 1e3*c") == std::vector<std::string>{"x", "a", "b", "c"});
}

TEST_CASE("Formula errors: what is missing or too much") {
  CHECK(error("") == "formula: the formula is empty\n  \n  ^");
  CHECK(error("  ") == "formula: the formula is empty\n    \n  ^");
  CHECK(error("sin(x") == "formula: missing ')'\n  sin(x\n       ^");
  CHECK(error("(x, 2)") == "formula: expected ')', got ','\n  (x, 2)\n    ^");
  CHECK(error("x)") == "formula: this ')' has no '('\n  x)\n   ^");
  CHECK(error("x, 2") == "formula: a ',' only separates a function's arguments\n  x, 2\n   ^");
  CHECK(error("2 x") == "formula: an operator is missing here, as in 2*x\n  2 x\n    ^");
  CHECK(error("(x)(x)") == "formula: an operator is missing here, as in 2*x\n  (x)(x)\n     ^");
  CHECK(error("1.2.3*x") == "formula: an operator is missing here, as in 2*x\n  1.2.3*x\n     ^");
  CHECK(error("x*") == "formula: a number, a name or '(' is missing at the end\n  x*\n    ^");
  CHECK(error("x + *2") == "formula: expected a number, a name or '(', got '*'\n  x + *2\n      ^");
  CHECK(error("x**2") == "formula: '**' is not an operator; a power is written '^'\n  x**2\n   ^");
  CHECK(error("x = 2") == "formula: numbers are compared by <, >, <= and >=\n  x = 2\n    ^");
  CHECK(error("0 < x < 1") == "formula: a comparison has two sides; write (a < b)*(b < c)\n  0 < x < 1\n        ^");
  CHECK(error("x >") == "formula: a number, a name or '(' is missing at the end\n  x >\n     ^");
  CHECK(error("if(x > 0, x)") == "formula: if takes 3 arguments, got 2\n  if(x > 0, x)\n  ^");
  CHECK(error(".") == "formula: expected a number, got '.'\n  .\n  ^");
}

TEST_CASE("Formula errors: a character of several bytes is one column, and a formula is one line") {
  CHECK(error("φ*x") == "formula: expected a number, a name or '(', got 'φ'\n  φ*x\n  ^");
  CHECK(error("x·x") == "formula: unexpected '·'\n  x·x\n   ^");
  CHECK(error("x +\n\ty") == "formula: unknown name 'y'; known: x, t, pi\n  x +  y\n       ^");
}

TEST_CASE("Formula errors: numbers that are none, and limits") {
  const std::string range = "formula: a number must lie between 1e-307 and 1e308 in size\n";
  CHECK(error("x + 1e999") == range + "  x + 1e999\n      ^");
  CHECK(error("x*1e-999") == range + "  x*1e-999\n    ^");
  CHECK(error("x/(2 - 2)") == "formula: this has no finite value\n  x/(2 - 2)\n   ^");
  CHECK(error("x + log(0)") == "formula: this has no finite value\n  x + log(0)\n      ^");
  CHECK(error("(-8)^0.3*x") == "formula: this has no finite value\n  (-8)^0.3*x\n      ^");
  CHECK(error("x^(2*1000)") == "formula: an exponent must be at most 1000 in size, got 2000\n  x^(2*1000)\n   ^");
  const std::string deep(100, '('), signs(100, '-');
  CHECK(error(deep + "x") == "formula: nested more than 100 deep\n  " + deep + "x\n  " + std::string(100, ' ') + "^");
  CHECK(error(signs + "x").starts_with("formula: nested more than 100 deep\n"));
  CHECK(error(deep.substr(1) + "x" + std::string(99, ')')) == "no error");
  CHECK(error(std::string(4001, '1')) ==
        "formula: a formula must have at most 4000 characters, got 4001: " + std::string(40, '1') + "...");
  CHECK(error("x*log(pi - pi)") == "formula: this has no finite value\n  x*log(pi - pi)\n    ^");
}

TEST_CASE("Formula errors: parameters") {
  CHECK(error("x", {"V0"}) == "formula: parameter 'V0' must occur in the formula, got x");
  CHECK(error("x - x + 0*a", {"a"}) == "no error");
  CHECK(error("x", {"L"}) == "no error");
  CHECK(drive_error("t", {"L"}) == "drive.formula: parameter 'L' must occur in the formula, got t");
  CHECK(error("x", {"sin"}) == "formula: a parameter must not have the name of a function, got 'sin'");
  CHECK(error("x", {"t"}) == "formula: a parameter must not be called x, t or pi, got 't'");
  CHECK(drive_error("t", {"x"}) == "drive.formula: a parameter must not be called x, t or pi, got 'x'");
  CHECK(error("x", {"2a"}) == "formula: a parameter's name must be letters, digits and '_', no digit first, got '2a'");
  CHECK(error("x*a", {"a", "a"}) == "formula: parameter 'a' is there twice");
}
