// Values, derivatives, substitution and text of expressions.
#include "formula/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <span>

#include "formula/functions.h"

namespace bmsim::formula {

size_t index_in(std::vector<Expression>& list, const Expression& e) {
  const auto found = std::ranges::find(list, e);
  const auto index = static_cast<size_t>(found - list.begin());
  if (found == list.end()) list.push_back(e);
  return index;
}

Expression rebuilt(const Expression& e, const std::function<Expression(const Expression&)>& change) {
  std::vector<Item> items = e->items;
  for (Item& item : items) item.expression = change(item.expression);
  switch (e->kind) {
    case Kind::call: {
      std::vector<Expression> arguments;
      for (const Item& item : items) arguments.push_back(item.expression);
      return call(e->name, arguments);
    }
    case Kind::power:
      return power(items[0].expression, items[1].expression);
    case Kind::product: {
      // power() instead of product(): the new item may be a number or a product under a root.
      Expression result = e->number;
      for (const Item& item : items) result = result * power(item.expression, item.weight);
      return result;
    }
    case Kind::sum:
      return sum(e->number, items);
    case Kind::group:
      return group(items[0].expression);
    default:
      return e;
  }
}

namespace {

/// Derivative of a function of one argument with respect to it. The derivative of cosh keeps cosh as a factor, and that
/// of tanh has no cosh: their ratios then stay finite where cosh overflows.
Expression outer_derivative(const Expression& e) {
  const std::string& f = e->name;
  const Expression& a = e->items[0].expression;
  if (f == "sin") return call("cos", {a});
  if (f == "cos") return -call("sin", {a});
  if (f == "tan") return 1 + power(e, 2);
  if (f == "sinh") return call("cosh", {a});
  if (f == "cosh") return call("tanh", {a}) * e;
  if (f == "tanh") return 1 - power(e, 2);
  if (f == "exp") return e;
  if (f == "log") return 1 / a;
  if (f == "abs") return call("sign", {a});
  return 0;  // sign, floor
}

Expression call_derivative(const Expression& e, std::string_view name) {
  const auto a = [&](size_t k) { return e->items[k].expression; };
  const auto d = [&](size_t k) { return derivative(a(k), name); };
  if (e->name == "select") return call("select", {a(0), a(1), d(2), d(3)});
  if (e->name == "min") return call("select", {a(0), a(1), d(0), d(1)});
  if (e->name == "atan2") return (a(1) * d(0) - a(0) * d(1)) / (power(a(0), 2) + power(a(1), 2));
  if (e->name == "max") return call("select", {a(1), a(0), d(0), d(1)});
  const Expression inner = d(0);
  return is_number(inner, 0) ? inner : outer_derivative(e) * inner;
}

/// A product and its derivative.
struct Derived {
  Expression value, slope;
};

/// e^n, and n e^(n-1) e'.
Derived derived_power(const Item& factor, std::string_view name) {
  const auto [e, n] = factor;
  return {product(1, {factor}), product(n, {{e, n - 1}, {derivative(e, name)}})};
}

/// A product of many factors. Each half is a group, by which the slopes of the factors of the other half are
/// multiplied. The number of operations then grows as the number of factors. In the sum over all factors of their
/// slopes times all others it grows as its square.
Derived derived_product(std::span<const Item> factors, std::string_view name) {
  if (factors.size() == 1) return derived_power(factors[0], name);
  const size_t half = factors.size() / 2;
  const Derived left = derived_product(factors.first(half), name), right = derived_product(factors.subspan(half), name);
  return {group(left.value * right.value), left.slope * right.value + left.value * right.slope};
}

constexpr size_t few_factors = 8;  // up to which that sum costs as little

Expression product_derivative(const Expression& e, std::string_view name) {
  std::vector<Item> varying, rest;
  for (const Item& item : e->items) (depends(item.expression, name) ? varying : rest).push_back(item);
  if (varying.size() > few_factors) {
    rest.push_back({derived_product(varying, name).slope});
    return product(e->number, rest);
  }
  std::vector<Item> summands;
  for (size_t i = 0; i < e->items.size(); ++i) {
    const Expression inner = derivative(e->items[i].expression, name);
    if (is_number(inner, 0)) continue;
    std::vector<Item> others = e->items;
    const double weight = others[i].weight--;
    if (others[i].weight == 0) others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    others.push_back({inner});
    summands.push_back({product(e->number * weight, others)});
  }
  return sum(0, summands);
}

/// The text of e, in parentheses if its precedence is below `least`. Sums have 1, products 2, powers 3, all else 4.
std::string written(const Expression& e, int least);

std::string written_product(const Expression& e) {
  std::string above, below;
  for (const Item& item : e->items) {
    const double weight = std::fabs(item.weight);
    const std::string factor =
        weight == 1 ? written(item.expression, 3) : fmt::format("{}^{}", written(item.expression, 4), weight);
    if (item.weight < 0)
      below += "/" + factor;
    else
      above += (above.empty() ? "" : "*") + factor;
  }
  const double size = std::fabs(e->number);
  if (size != 1 || above.empty()) above = above.empty() ? fmt::format("{}", size) : fmt::format("{}*{}", size, above);
  return (e->number < 0 ? "-" : "") + above + below;
}

std::string written_sum(const Expression& e) {
  std::string result;
  for (const Item& item : e->items) {
    const std::string term = written(product(item.weight, {{item.expression}}), 1);
    result += result.empty() ? term : term.starts_with('-') ? " - " + term.substr(1) : " + " + term;
  }
  if (e->number != 0) result += fmt::format(" {} {}", e->number < 0 ? '-' : '+', std::fabs(e->number));
  return result;
}

std::string written(const Expression& e, int least) {
  const auto in = [&](int precedence, const std::string& inside) {
    return precedence < least ? "(" + inside + ")" : inside;
  };
  switch (e->kind) {
    case Kind::number:
      return in(e->number < 0 ? 2 : 4, fmt::format("{}", e->number));
    case Kind::name:
      return e->name;
    case Kind::power:
      return in(3, written(e->items[0].expression, 4) + "^" + written(e->items[1].expression, 4));
    case Kind::product:
      return in(2, written_product(e));
    case Kind::sum:
      return in(1, written_sum(e));
    case Kind::group:
      return written(e->items[0].expression, least);
    default:
      break;
  }
  if (e->name == "select") {
    const auto a = [&](size_t i) { return written(e->items[i].expression, 1); };
    return fmt::format("if({} < {}, {}, {})", a(0), a(1), a(2), a(3));
  }
  std::string arguments;
  for (const Item& item : e->items) arguments += (arguments.empty() ? "" : ", ") + written(item.expression, 1);
  return fmt::format("{}({})", e->name, arguments);
}

}  // namespace

std::string text(const Expression& e) { return written(e, 1); }

bool depends(const Expression& e, std::string_view name) {
  if (e->kind == Kind::name) return e->name == name;
  return std::ranges::any_of(e->items, [&](const Item& item) { return depends(item.expression, name); });
}

Expression substitute(const Expression& e, std::string_view name, const Expression& replacement) {
  if (e->kind == Kind::name) return e->name == name ? replacement : e;
  return rebuilt(e, [&](const Expression& inner) { return substitute(inner, name, replacement); });
}

Expression derivative(const Expression& e, std::string_view name) {
  switch (e->kind) {
    case Kind::number:
      return 0;
    case Kind::name:
      return e->name == name ? 1 : 0;
    case Kind::call:
      return call_derivative(e, name);
    case Kind::power: {
      const Expression &base = e->items[0].expression, &exponent = e->items[1].expression;
      return exponent * power(base, exponent - 1) * derivative(base, name) +
             (depends(exponent, name) ? e * call("log", {base}) * derivative(exponent, name) : Expression(0));
    }
    case Kind::sum: {
      std::vector<Item> items;
      for (const Item& item : e->items) items.push_back({derivative(item.expression, name), item.weight});
      return sum(0, items);
    }
    case Kind::group:
      return derivative(e->items[0].expression, name);
    default:
      return product_derivative(e, name);
  }
}

Expression distribute(const Expression& factor, const Expression& e,
                      const std::function<bool(const Expression&)>& is_constant) {
  if (e->kind == Kind::sum) {
    std::vector<Item> items = {{e->number * factor}};
    for (const Item& item : e->items) items.push_back({distribute(factor, item.expression, is_constant), item.weight});
    return sum(0, items);
  }
  if (e->kind != Kind::product) return factor * e;
  std::vector<Item> constant, varying;
  for (const Item& item : e->items) (is_constant(item.expression) ? constant : varying).push_back(item);
  if (varying.size() != 1 || varying[0].weight != 1 || varying[0].expression->kind != Kind::sum) return factor * e;
  return distribute(factor * product(e->number, constant), varying[0].expression, is_constant);
}

double evaluate(const Expression& e, const Lookup& lookup) {
  const auto value = [&](const Item& item) { return evaluate(item.expression, lookup); };
  switch (e->kind) {
    case Kind::number:
      return e->number;
    case Kind::name:
      return e->name == "pi" ? std::numbers::pi : lookup(e->name);
    case Kind::power:
      return std::pow(value(e->items[0]), value(e->items[1]));
    case Kind::group:
      return value(e->items[0]);
    case Kind::sum: {
      double result = e->number;
      for (const Item& item : e->items) result += item.weight * value(item);
      return result;
    }
    case Kind::product: {
      double result = e->number;
      for (const Item& item : e->items) result *= item.weight == 1 ? value(item) : std::pow(value(item), item.weight);
      return result;
    }
    default:
      break;
  }
  std::vector<double> arguments;
  for (const Item& item : e->items) arguments.push_back(value(item));
  return find_function(e->name)->value(arguments.data());
}

}  // namespace bmsim::formula
