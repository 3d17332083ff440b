// The canonical form. Every expression is made here.
#include <algorithm>
#include <cmath>

#include "formula/expression.h"
#include "formula/functions.h"

namespace bmsim::formula {
namespace {

/// Sorts the items, adds up the weights of equal ones, and leaves out those without weight.
std::vector<Item> merged(std::vector<Item> items) {
  std::ranges::stable_sort(items, Less{}, &Item::expression);
  std::vector<Item> result;
  for (const Item& item : items) {
    if (!result.empty() && result.back().expression == item.expression)
      result.back().weight += item.weight;
    else
      result.push_back(item);
  }
  std::erase_if(result, [](const Item& item) { return item.weight == 0; });
  return result;
}

void add_to(std::vector<Item>& flat, double& constant, const Expression& e, double weight) {
  switch (e->kind) {
    case Kind::number:
      constant += weight * e->number;
      break;
    case Kind::sum:
      constant += weight * e->number;
      for (const Item& item : e->items) flat.push_back({item.expression, weight * item.weight});
      break;
    case Kind::product:
      flat.push_back({product(1, e->items), weight * e->number});
      break;
    default:
      flat.push_back({e, weight});
  }
}

void multiply_to(std::vector<Item>& flat, double& coefficient, const Expression& e, double weight) {
  if (e->kind == Kind::number) {
    coefficient *= std::pow(e->number, weight);
  } else if (e->kind == Kind::product && is_integer(weight)) {
    coefficient *= std::pow(e->number, weight);
    for (const Item& item : e->items) flat.push_back({item.expression, weight * item.weight});
  } else {
    flat.push_back({e, weight});
  }
}

/// base^n for an n that is not an integer. A positive coefficient is taken out; an even power becomes one of abs().
Expression rational_power(const Expression& base, double n) {
  if (base->kind != Kind::product) return product(1, {{base, n}});
  if (base->number > 0 && base->number != 1)
    return std::pow(base->number, n) * rational_power(product(1, base->items), n);
  if (base->number != 1 || base->items.size() != 1) return product(1, {{base, n}});
  const Item& item = base->items.front();
  const bool even = is_integer(item.weight / 2);
  return product(1, {{even ? call("abs", {item.expression}) : item.expression, item.weight * n}});
}

/// Whether e is select(p, q, 1, 0), the value of p < q.
bool is_comparison(const Expression& e) {
  return e->kind == Kind::call && e->name == "select" && is_number(e->items[2].expression, 1) &&
         is_number(e->items[3].expression, 0);
}

Expression conditional(const Expression& condition, const Expression& yes, const Expression& no) {
  const auto compared = [](const Expression& e, const Expression& below, const Expression& otherwise) {
    return call("select", {e->items[0].expression, e->items[1].expression, below, otherwise});
  };
  if (is_comparison(condition)) return compared(condition, yes, no);
  const Expression opposite = 1 - condition;
  if (is_comparison(opposite)) return compared(opposite, no, yes);
  return call("select", {0, call("abs", {condition}), yes, no});
}

}  // namespace

// + 0.0: there is no -0.
Expression::Expression(double number) : Expression(Node{Kind::number, number + 0.0, {}, {}}) {}
Expression::Expression(std::string_view name) : Expression(Node{Kind::name, 0, std::string(name), {}}) {}
Expression::Expression(Node node) {
  for (const Item& item : node.items) {
    node.size += item.expression->size;
    node.depth = std::max(node.depth, 1 + item.expression->depth);
  }
  node_ = std::make_shared<const Node>(std::move(node));
}

Expression sum(double constant, const std::vector<Item>& items) {
  std::vector<Item> flat;
  for (const Item& item : items) add_to(flat, constant, item.expression, item.weight);
  flat = merged(std::move(flat));
  if (flat.empty()) return constant;
  if (constant == 0 && flat.size() == 1) {
    const auto& [expression, weight] = flat.front();
    if (weight == 1) return expression;
    return Expression(Node{Kind::product, weight, {}, factors(expression)});
  }
  return Expression(Node{Kind::sum, constant, {}, std::move(flat)});
}

Expression product(double coefficient, const std::vector<Item>& items) {
  std::vector<Item> flat;
  for (const Item& item : items) multiply_to(flat, coefficient, item.expression, item.weight);
  flat = merged(std::move(flat));
  // Roots of one product may have been combined into a whole power of it.
  const auto opens = [](const Item& item) { return item.expression->kind == Kind::product && is_integer(item.weight); };
  if (std::ranges::any_of(flat, opens)) return product(coefficient, flat);
  if (coefficient == 0 || flat.empty()) return coefficient;
  if (flat.size() == 1 && flat.front().weight == 1) {
    const Expression& base = flat.front().expression;
    if (coefficient == 1) return base;
    if (base->kind == Kind::sum) return sum(0, {{base, coefficient}});
  }
  return Expression(Node{Kind::product, coefficient, {}, std::move(flat)});
}

Expression operator+(const Expression& a, const Expression& b) { return sum(0, {{a, 1}, {b, 1}}); }
Expression operator-(const Expression& a, const Expression& b) { return sum(0, {{a, 1}, {b, -1}}); }
Expression operator*(const Expression& a, const Expression& b) { return product(1, {{a, 1}, {b, 1}}); }
Expression operator/(const Expression& a, const Expression& b) { return product(1, {{a, 1}, {b, -1}}); }
Expression operator-(const Expression& a) { return product(-1, {{a, 1}}); }

Expression power(const Expression& base, const Expression& exponent) {
  const bool numeric = exponent->kind == Kind::number;
  const double n = exponent->number;
  if (numeric && n == 0) return 1;
  if (numeric && n == 1) return base;
  // (x^2)^(1/2) is not x where x < 0: only whole powers of a power are powers of its base.
  if (base->kind == Kind::power && numeric && is_integer(n))
    return power(base->items[0].expression, base->items[1].expression * exponent);
  if (numeric) return is_integer(n) || base->kind == Kind::number ? product(1, {{base, n}}) : rational_power(base, n);
  if (is_number(base, 1)) return 1;
  if (base->kind == Kind::call && base->name == "exp") return call("exp", {base->items[0].expression * exponent});
  return Expression(Node{Kind::power, 0, {}, {{base}, {exponent}}});
}

Expression group(const Expression& e) {
  if (e->kind != Kind::product) return e;
  Node node{Kind::group, 0, {}, {}};
  node.items.push_back({e});
  return Expression(std::move(node));
}

Expression call(std::string_view function, const std::vector<Expression>& a) {
  if (function == "sqrt") return power(a[0], 0.5);
  if (function == "pow") return power(a[0], a[1]);
  if (function == "mod") return a[0] - a[1] * call("floor", {a[0] / a[1]});
  if (function == "if") return conditional(a[0], a[1], a[2]);
  if (std::ranges::all_of(a, [](const Expression& e) { return e->kind == Kind::number; })) {
    std::vector<double> values;
    for (const Expression& e : a) values.push_back(e->number);
    return find_function(function)->value(values.data());
  }
  // The argument gets one sign of the two, so that equal waves are combined.
  if ((function == "sin" || function == "tan") && is_negative(a[0])) return -call(function, {-a[0]});
  if (function == "cos" && is_negative(a[0])) return call("cos", {-a[0]});
  if ((function == "min" || function == "max") && a[0] == a[1]) return a[0];
  if (function == "select" && a[2] == a[3]) return a[2];
  Node node{Kind::call, 0, std::string(function), {}};
  for (const Expression& e : a) node.items.push_back({e});
  return Expression(std::move(node));
}

bool is_negative(const Expression& e) {
  if (e->kind == Kind::sum) return (e->items[0].weight < 0) != is_negative(e->items[0].expression);
  bool negative = e->number < 0;
  if (e->kind == Kind::product)
    for (const Item& item : e->items)
      if (item.expression->kind == Kind::sum && is_integer((item.weight - 1) / 2))
        negative = negative != is_negative(item.expression);
  return negative;
}

bool is_number(const Expression& e, double value) { return e->kind == Kind::number && e->number == value; }

std::vector<Item> terms(const Expression& e) {
  if (e->kind == Kind::number) return {};
  if (e->kind == Kind::sum) return e->items;
  if (e->kind == Kind::product) return {{product(1, e->items), e->number}};
  return {{e}};
}

std::vector<Item> factors(const Expression& e) {
  if (e->kind == Kind::number) return {};
  return e->kind == Kind::product ? e->items : std::vector<Item>{{e}};
}

int compare(const Expression& a, const Expression& b) {
  if (a.operator->() == b.operator->()) return 0;
  const auto order = [](const auto& p, const auto& q) { return p < q ? -1 : p > q ? 1 : 0; };
  if (a->kind != b->kind) return order(a->kind, b->kind);
  if (const int by_name = order(a->name, b->name)) return by_name;
  for (size_t i = 0; i < std::min(a->items.size(), b->items.size()); ++i) {
    if (const int by_item = compare(a->items[i].expression, b->items[i].expression)) return by_item;
    if (const int by_weight = order(a->items[i].weight, b->items[i].weight)) return by_weight;
  }
  if (const int by_size = order(a->items.size(), b->items.size())) return by_size;
  return order(a->number, b->number);
}

}  // namespace bmsim::formula
