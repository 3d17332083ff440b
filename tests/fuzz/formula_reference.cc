#include "formula_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bmsim::fuzz {
namespace {

constexpr long double epsilon = 0x1p-50L, doubt = 16, tiny = 1e-140L, huge = 1e140L;

// ---- writing ----

int precedence(const Tree& tree) {
  const std::string& w = tree.what;
  if (w == "<" || w == ">" || w == "<=" || w == ">=") return 0;
  if (w == "+" || w == "-") return 1;
  if (w == "*" || w == "/") return 2;
  if (w == "neg" || w == "plus") return 3;
  return w == "^" ? 4 : 5;
}

std::string written(const Tree& tree, int least) {
  const auto part = [&](size_t i, int at_least) { return written(*tree.parts[i], at_least); };
  const int here = precedence(tree);
  std::string text;
  switch (here) {
    case 0:
      text = fmt::format("{} {} {}", part(0, 1), tree.what, part(1, 1));
      break;
    case 1:
    case 2:
      text = fmt::format("{} {} {}", part(0, here), tree.what, part(1, here + 1));
      break;
    case 3:
      text = (tree.what == "neg" ? "-" : "+") + part(0, 3);
      break;
    case 4:
      text = fmt::format("{}^{}", part(0, 5), part(1, 3));
      break;
    default:
      if (tree.what == "number") return fmt::format("{}", tree.number);
      text = tree.what;
      for (size_t i = 0; i < tree.parts.size(); ++i) text += (i == 0 ? "(" : ", ") + part(i, 0);
      if (!tree.parts.empty()) text += ")";
  }
  return here < least ? "(" + text + ")" : text;
}

// ---- what it is worth ----

bool depends_on_x(const Tree& tree) {
  return tree.what == "x" ||
         std::ranges::any_of(tree.parts, [](const std::unique_ptr<Tree>& part) { return depends_on_x(*part); });
}

/// Whether doubles may say otherwise than that a is above 0, below it, or just 0.
bool sign_unknown(long double a, long double e) { return e > 0 && std::fabs(a) <= doubt * e; }

/// Notices what is out of range, or has too large an error to be compared.
Worth checked(Worth w) {
  const auto out = [](long double a) { return !(std::fabs(a) < huge) || (a != 0 && std::fabs(a) < tiny); };
  if (w.v != 0) w.range = std::max(w.range, std::fabs(std::log(std::fabs(w.v))));
  w.known = w.known && !out(w.v) && w.m < huge && w.e < huge && w.range < 300;
  w.slope_known = w.slope_known && w.known && !out(w.d) && w.dm < huge && w.de < huge;
  return w;
}

Worth constant(long double v, long double e = 0) {
  Worth w;
  w.v = v;
  w.m = std::fabs(v);
  w.e = e;
  return checked(w);
}

Worth combined(const Worth& a, const Worth& b) {
  Worth w;
  w.known = a.known && b.known;
  w.slope_known = a.slope_known && b.slope_known;
  w.range = std::max(a.range, b.range);
  return w;
}

Worth added(const Worth& a, const Worth& b, int sign) {
  Worth w = combined(a, b);
  w.v = a.v + sign * b.v;
  w.m = a.m + b.m;
  w.e = a.e + b.e + epsilon * w.m;
  w.d = a.d + sign * b.d;
  w.dm = a.dm + b.dm;
  w.de = a.de + b.de + epsilon * w.dm;
  return checked(w);
}

Worth multiplied(const Worth& a, const Worth& b) {
  Worth w = combined(a, b);
  w.range = a.range + b.range;
  w.v = a.v * b.v;
  w.m = a.m * b.m;
  // A value of the size of its error counts with it: in sin(pi) * sin(pi) all is error.
  const long double am = a.m + a.e, bm = b.m + b.e;
  w.e = a.e * bm + a.m * b.e + epsilon * w.m;
  w.d = a.d * b.v + a.v * b.d;
  w.dm = a.dm * b.m + a.m * b.dm;
  w.de = a.de * bm + a.dm * b.e + a.e * b.dm + am * b.de + epsilon * w.dm;
  return checked(w);
}

/// f(a) for a smooth f with the derivative f1, whose terms add up to f1m.
template <class F, class F1, class F1m> Worth smooth(const Worth& a, const F& f, const F1& f1, const F1m& f1m) {
  Worth w = a;
  const long double e = doubt * a.e, up = a.v + e, down = a.v - e;
  const auto spread = [&](const auto& of, long double middle) {
    return std::max(std::fabs(of(up) - middle), std::fabs(of(down) - middle));
  };
  w.v = f(a.v);
  w.m = std::fabs(w.v);
  w.e = spread(f, w.v) + epsilon * w.m;
  const long double slope = f1(a.v), slope_m = std::fabs(f1m(a.v));
  const long double slope_e = spread(f1, slope) + epsilon * slope_m;
  w.e += slope_m * a.e;
  w.d = slope * a.d;
  w.dm = slope_m * a.dm;
  w.de = slope_e * a.dm + slope_m * a.de + epsilon * w.dm;
  w.known = a.known && e < 0.1L * (1 + std::fabs(a.v)) && w.e <= 0.1L * (1 + w.m);
  return checked(w);
}
template <class F, class F1> Worth smooth(const Worth& a, const F& f, const F1& f1) { return smooth(a, f, f1, f1); }

/// a^n for a whole n.
Worth whole_power(const Worth& a, long double n) {
  if (n == 0) return constant(1);
  Worth w = a;
  if (n < 0 && (a.v == 0 || sign_unknown(a.v, a.e))) w.known = false;
  const long double base = n < 0 ? std::fabs(a.v) - doubt * a.e : std::max(a.m, std::fabs(a.v) + doubt * a.e);
  const auto p = [](long double b, long double k) { return k == 0 ? 1.0L : std::pow(b, k); };
  w.range = std::fabs(n) * (a.range + 1);
  w.v = p(a.v, n);
  w.m = std::max(std::fabs(w.v), p(base, n));
  const long double size = std::fabs(n) * p(base, n - 1), bend = std::fabs(n * (n - 1)) * (n == 1 ? 0 : p(base, n - 2));
  w.e = size * a.e + epsilon * std::fabs(n) * w.m;
  w.d = n * p(a.v, n - 1) * a.d;
  w.dm = size * a.dm;
  w.de = size * a.de + bend * a.e * a.dm + epsilon * std::fabs(n) * w.dm;
  if (!(base > 0) && n != 1) w.known = false;
  return checked(w);
}

Worth power(const Worth& a, const Worth& b, bool exponent_varies, bool exponent_literal) {
  Worth unknown = combined(a, b);
  unknown.known = false;
  if (exponent_literal && b.v == std::rint(b.v)) {
    Worth w = std::fabs(b.v) <= 1000 ? whole_power(a, b.v) : unknown;
    return w;
  }
  const bool whole = b.e == 0 && b.v == std::rint(b.v);
  if (!a.known || !b.known || a.v == 0 || sign_unknown(a.v, a.e) || (a.v < 0 && !whole)) return unknown;
  const long double size = std::fabs(a.v), in_a = a.e / size, in_b = std::fabs(std::log(size));
  const long double relative = std::fabs(b.v) * in_a + in_b * b.e + epsilon * (1 + std::fabs(b.v) * (in_b + 1));
  Worth w = combined(a, b);
  w.range = std::fabs(b.v) * (a.range + 1) + in_b;
  w.v = std::pow(a.v, b.v);
  w.m = std::fabs(w.v);
  w.e = w.m * relative;
  w.d = b.v * std::pow(a.v, b.v - 1) * a.d;
  w.dm = std::fabs(b.v) * w.m / size * a.dm;
  w.de = std::fabs(b.v) * w.m / size * a.de + w.dm * (relative + 2 * in_a + epsilon) + w.m / size * a.dm * b.e;
  if (exponent_varies) {
    if (a.v < 0) w.slope_known = false;
    w.d += w.v * std::log(size) * b.d;
    w.dm += w.m * in_b * b.dm;
    w.de += w.m * (in_b * b.de + b.dm * (in_a + epsilon * (1 + in_b))) + w.m * in_b * b.dm * (relative + epsilon);
  }
  w.known = w.known && relative * doubt < 0.1L;
  return checked(w);
}

Worth divided(const Worth& a, const Worth& b) { return multiplied(a, whole_power(b, -1)); }

/// Whether a < b; the difference decides, and is unknown near 0.
Worth compared(const Worth& a, const Worth& b, std::string_view how) {
  Worth w = combined(a, b);
  const bool equal_unknown = sign_unknown(a.v - b.v, a.e + b.e);
  const bool holds = how == "<" ? a.v < b.v : how == ">" ? a.v > b.v : how == "<=" ? a.v <= b.v : a.v >= b.v;
  w.v = holds ? 1 : 0;
  w.m = how.size() == 2 ? 2 : w.v;  // a <= b is 1 - (b < a)
  w.known = w.known && !equal_unknown;
  return checked(w);
}

/// One of two branches; `known` whether it is known which.
Worth branch(const Worth& chosen, bool known, bool slope_known) {
  Worth w = chosen;
  w.known = w.known && known;
  w.slope_known = w.slope_known && slope_known;
  return w;
}

Worth floor_of(const Worth& a) {
  Worth w = constant(std::floor(a.v));
  w.known = w.known && a.known && std::floor(a.v + doubt * a.e) == std::floor(a.v - doubt * a.e);
  w.slope_known = w.slope_known && a.v != std::floor(a.v);
  return w;
}

Worth atan2_of(const Worth& a, const Worth& b) {
  Worth w = combined(a, b);
  const long double square = a.v * a.v + b.v * b.v, e = a.e * std::fabs(b.v) + std::fabs(a.v) * b.e;
  w.v = std::atan2(a.v, b.v);
  w.m = std::fabs(w.v);
  w.e = doubt * (a.e + b.e) / std::sqrt(square) + epsilon;
  w.known = w.known && square > tiny && !(a.e > 0 && sign_unknown(a.v, a.e)) && doubt * e < 0.01L * square;
  w.d = (b.v * a.d - a.v * b.d) / square;
  w.dm = (b.m * a.dm + a.m * b.dm) / square;
  w.de = (b.e * a.dm + b.m * a.de + a.e * b.dm + a.m * b.de) / square +
         w.dm * (epsilon + 8 * (a.e * a.m + b.e * b.m) / square);
  // Where both errors are 0 the sign of a zero decides, which formulas do not have.
  w.known = w.known && a.v != 0;
  return checked(w);
}

Worth call(const Tree& tree, const std::vector<Worth>& a) {
  const std::string& f = tree.what;
  using real = long double;
  const auto cosh_slope = [](real x) { return std::sinh(x); };
  if (f == "sin")
    return smooth(
        a[0], [](real x) { return std::sin(x); }, [](real x) { return std::cos(x); });
  if (f == "cos")
    return smooth(
        a[0], [](real x) { return std::cos(x); }, [](real x) { return -std::sin(x); });
  if (f == "tan") {
    const auto slope = [](real x) { return 1 + std::tan(x) * std::tan(x); };
    return smooth(
        a[0], [](real x) { return std::tan(x); }, slope);
  }
  if (f == "sinh")
    return smooth(
        a[0], [](real x) { return std::sinh(x); }, [](real x) { return std::cosh(x); });
  if (f == "cosh")
    return smooth(
        a[0], [](real x) { return std::cosh(x); }, cosh_slope);
  if (f == "tanh") {
    const auto slope = [](real x) { return 1 - std::tanh(x) * std::tanh(x); };
    return smooth(
        a[0], [](real x) { return std::tanh(x); }, slope, [](real x) { return 1 + std::tanh(x) * std::tanh(x); });
  }
  if (f == "exp")
    return smooth(
        a[0], [](real x) { return std::exp(x); }, [](real x) { return std::exp(x); });
  if (f == "log")
    return smooth(
        a[0], [](real x) { return std::log(x); }, [](real x) { return 1 / x; });
  if (f == "sqrt") return power(a[0], constant(0.5L), false, false);
  if (f == "pow") {
    const bool literal = tree.parts[1]->what == "number";
    return power(a[0], a[1], depends_on_x(*tree.parts[1]), literal);
  }
  if (f == "abs" || f == "sign") {
    const int sign = (a[0].v > 0) - (a[0].v < 0);
    const bool unknown = sign_unknown(a[0].v, a[0].e);
    if (f == "sign") return branch(constant(sign), a[0].known && !unknown, a[0].slope_known && sign != 0);
    Worth w = multiplied(a[0], constant(sign < 0 ? -1 : 1));
    return branch(w, true, !unknown && sign != 0);
  }
  if (f == "min" || f == "max") {
    const Worth &lower = a[0].v < a[1].v ? a[0] : a[1], &upper = a[0].v < a[1].v ? a[1] : a[0];
    Worth w = f == "min" ? lower : upper;
    w.e = std::max(a[0].e, a[1].e);
    const bool clear = a[0].v != a[1].v && !sign_unknown(a[0].v - a[1].v, a[0].e + a[1].e);
    return branch(w, a[0].known && a[1].known, clear && a[0].slope_known && a[1].slope_known);
  }
  if (f == "floor") return floor_of(a[0]);
  if (f == "mod") return added(a[0], multiplied(a[1], floor_of(divided(a[0], a[1]))), -1);
  if (f == "atan2") return atan2_of(a[0], a[1]);
  // if(condition, yes, no)
  return branch(a[0].v != 0 ? a[1] : a[2], a[0].known && !sign_unknown(a[0].v, a[0].e), true);
}

}  // namespace

std::string written(const Tree& tree) { return written(tree, 0); }

Worth worth(const Tree& tree, const Values& values) {
  const std::string& w = tree.what;
  if (w == "number") return constant(tree.number);
  if (w == "pi") return constant(std::numbers::pi_v<long double>, epsilon);
  if (tree.parts.empty()) {
    Worth name = constant(values.find(w)->second);
    if (w == "x") name.d = name.dm = 1;
    return name;
  }
  std::vector<Worth> a;
  for (const auto& part : tree.parts) a.push_back(worth(*part, values));
  if (w == "plus") return a[0];
  if (w == "neg") return multiplied(constant(-1), a[0]);
  if (w == "+" || w == "-") return added(a[0], a[1], w == "+" ? 1 : -1);
  if (w == "*") return multiplied(a[0], a[1]);
  if (w == "/") return divided(a[0], a[1]);
  if (w == "^") {
    const Tree& exponent = *tree.parts[1];
    const bool negative = exponent.what == "neg" && exponent.parts[0]->what == "number";
    return power(a[0], a[1], depends_on_x(exponent), exponent.what == "number" || negative);
  }
  if (precedence(tree) == 0) return compared(a[0], a[1], w);
  return call(tree, a);
}

}  // namespace bmsim::fuzz
