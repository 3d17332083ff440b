// Formulas with values for their parameters, one of each kind there is, for the tests of core/formula.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace bmsim::test {

struct FormulaCase {
  const char* text;
  std::map<std::string, double, std::less<>> values;
  bool drive = false;
  double from = -2.2, to = 2.2;  // of x
};

inline std::vector<std::string> names_of(const FormulaCase& one) {
  std::vector<std::string> names;
  for (const auto& [name, value] : one.values) names.push_back(name);
  return names;
}

inline const std::vector<FormulaCase>& formula_cases() {
  static const std::vector<FormulaCase> cases = {
      {"V0*sin(2*pi*x/L)", {{"V0", 1.3}, {"L", 0.7}}},
      {"V0*sin(2*pi*x/L + phi)", {{"V0", 1.3}, {"L", 2}, {"phi", 12.5}}},
      {"V0*sin(2*pi*x/L) + V1*sin(4*pi*x/L + phi)", {{"V0", 1}, {"V1", 0.25}, {"phi", 1.57}, {"L", 1}}},
      {"V0*(sin(2*pi*(x - c)/L) + 0.25*sin(4*pi*(x - c)/L))", {{"V0", 1}, {"c", 0.3}, {"L", 1.5}}},
      {"V0*(1 + A*cos(omega*t))*cos(2*pi*x/L)", {{"V0", 1}, {"A", 0.4}, {"omega", 4.9}, {"L", 1}}},
      {"V0*sin(2*pi*(x/L - f*t))", {{"V0", 1}, {"f", 0.8}, {"L", 1.2}}},
      {"V0*sin(pi*x/L)^2", {{"V0", 2}, {"L", 1}}},
      {"V0*abs(cos(pi*x/L - 0.2))", {{"V0", 2}, {"L", 1}}},
      {"-V0*exp(-x^2/(2*w^2))", {{"V0", 2}, {"w", 0.2}, {"L", 2}}},
      {"-V0*exp(-x^2/(2*w^2))", {{"V0", 2}, {"w", 0.7}}},
      {"k*x^2/2", {{"k", 3}}},
      {"a*x^4 - b*x^2 - F*x", {{"a", 1}, {"b", 2}, {"F", 0.3}}},
      {"k*abs(x)^n", {{"k", 1.5}, {"n", 1.3}}},
      {"abs(x)^1.3 - abs(x)^2.5", {}},
      {"4*e*((s/x)^12 - (s/x)^6)", {{"e", 1}, {"s", 1}}, false, 0.9, 2.5},
      {"k/x + 1/x^2 - x^-3/(x + 1)", {{"k", 2}}, false, 0.4, 3},
      {"-V0/cosh(x/w)^2", {{"V0", 1}, {"w", 0.5}}},
      {"sinh(x) + cosh(2*x)/4 + tanh(x - 1)", {}},
      {"1e6*(tanh(x) + sinh(x))", {}, false, -1e-4, 1e-4},  // all digits of small values
      {"tanh(x) + 3*sinh(x)", {}, false, 0.45, 0.55},
      {"x*tanh(k*x)", {{"k", 8}}},
      {"tan(x/2)", {}},
      {"tan(x/2 + t/9)*a", {{"a", 0.3}}, false, -1, 1},
      {"log(1 + x^2)", {}},
      {"log(x)*x", {}, false, 0.2, 3},
      {"sqrt(1 + x^2)", {}},
      {"x/sqrt(a + x^2)^3", {{"a", 0.4}}},
      {"sqrt(4*x^2)", {}},
      {"min(x^2, 1 + x/3)", {}},
      {"max(V0*sin(2*pi*x), min(x, 0.2))", {{"V0", 0.8}}},
      {"sign(x - 0.3)*x^2 + floor(3*x)", {}},
      {"if(x < a, x^2, 2*a*x - a^2)*(1 + (x > 1)*(x - 1)^3)", {{"a", 0.4}}},
      {"if((x <= 1.5)*(x >= -1), x, b) + mod(x, 0.7)^2", {{"b", -0.3}}},
      {"x*atan2(x, 0.3 + x^2) + atan2(1 + x^2, x)", {}},
      {"atan2(x, a)^2 + atan2(1.5, x) + atan2(x - t, 2)^2", {{"a", 0.4}}},
      {"2^x + x^2^0.5*a", {{"a", 0}}, false, 0.3, 2},
      {"pow(1.5 + sin(x), cos(x))", {}},
      {"x^x", {}, false, 0.2, 2},
      {"exp(sin(3*x)) * (x - 1)^3 * (x + 2)^2", {}},
      {"(x^2 - 1)/(x^2 + 1)", {}},
      {"a*(x - 3)*(x + 4)^2*sin(x)*(x - 5)*(x + 3)*exp(x/4)*(x - 4)*(x^2 + 1)/(x + 5)", {{"a", 1e-3}}},
      {"1/(1 + exp(-x/w))", {{"w", 0.1}}},
      {"sin(x^2 + phi)*cos(x*sin(t))", {{"phi", 0.4}}},
      {"x*(a - b)*(c*x + (d - x)*e)", {{"a", 1}, {"b", 0.3}, {"c", 2}, {"d", 1}, {"e", 4}}},
      {"-x^2 + (-x)^2 - -x - 2*-x^3", {}},
      {"x/L - floor(x/L)", {{"L", 0.9}}},
      {"x*sin(omega*t)*exp(-t/tau) + V0*sin(x)", {{"omega", 3}, {"tau", 2}, {"V0", 1}}},
      {"A*cos(omega*t) + B*sin(2*omega*t)", {{"A", 1}, {"B", 0.5}, {"omega", 3}}, true},
      {"A*sin(omega*t + phi)^2", {{"A", 1}, {"phi", -8}, {"omega", 3}}, true},
      {"A*sign(sin(omega*t + 0.1)) + t^2/10", {{"A", 1}, {"omega", 3}}, true},
      {"cos(2*w*t) + sin(3*w*t) + cos(w*t) + tan(v*t/4)", {{"w", 3}, {"v", 0.7}}, true},
      {"A*cos(omega*t + a*sin(t))", {{"A", 1}, {"omega", 3}, {"a", 2}}, true},
      {"F", {{"F", 0.7}}, true},
  };
  return cases;
}

}  // namespace bmsim::test
