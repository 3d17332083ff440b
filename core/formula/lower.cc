// From an expression to operations of the kernel dialect.
#include "formula/lower.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "error.h"
#include "formula/operations.h"
#include "formula/waves.h"

namespace bmsim::formula {
namespace {

using Id = Operations::Id;

/// constant * product of above / below; negative if `minus`.
struct Term {
  bool minus = false;
  std::vector<Id> above = {};
  std::optional<Id> below = {};
};

/// The terms that are not constant; those that are powers of one expression, times constants, as one product by
/// Horner's rule: x (a + b x^2).
std::vector<Expression> in_powers(const std::vector<Item>& terms) {
  std::vector<Expression> all;
  std::map<Expression, std::map<double, Expression>, Less> polynomials;
  for (const Item& item : terms) {
    const Expression one = item.weight * item.expression;
    if (is_constant(one)) continue;
    const Split parts = split(one);
    const std::vector<Item> list = factors(parts.other);
    const bool is_power = list.size() == 1 && list[0].weight > 0 && list[0].weight == std::floor(list[0].weight);
    if (is_power) {
      Expression& coefficient = polynomials[list[0].expression].try_emplace(list[0].weight, 0).first->second;
      coefficient = coefficient + parts.constant;
    } else {
      all.push_back(one);
    }
  }
  for (const auto& [base, coefficients] : polynomials) {
    Expression sum = 0;
    double above = coefficients.rbegin()->first;
    for (auto one = coefficients.rbegin(); one != coefficients.rend(); ++one) {
      sum = one->second + product(1, {{base, above - one->first}}) * sum;
      above = one->first;
    }
    all.push_back(product(1, {{base, above}}) * sum);
  }
  return all;
}

class Lowering {
 public:
  Lowering(bool folded, Shared& shared) : folded_(folded), shared_(shared) {}

  std::string body(const Expression& e) {
    count_inverses(e);
    const Id root = lower(e);
    count_operations();
    return operations_.body(root);
  }
  std::string statements(const std::vector<Assignment>& assignments) {
    for (const Assignment& one : assignments) count_inverses(one.value);
    std::vector<std::pair<std::string, Id>> values;
    for (const Assignment& one : assignments)
      values.emplace_back(one.target, one.how == Assignment::set ? lower(one.value) : lower_onto(one));
    count_operations();
    return operations_.statements(values);
  }

 private:
  void count_operations() { shared_.operations = std::max(shared_.operations, operations_.count()); }
  void count_inverses(const Expression& e) {
    if (!seen_.try_emplace(e.operator->(), e).second) return;
    for (const Item& item : e->items) {
      count_inverses(item.expression);
      if (e->kind == Kind::product && item.weight < 0) ++inverses_[item.expression];
    }
  }

  Id number(double value) {
    if (!std::isfinite(value)) fail("formula: a constant must be finite, got {}", value);
    return operations_.leaf(fmt::format("(real){}", value));
  }
  Id constant(const Expression& e) {
    if (is_literal(e)) return number(evaluate(e, {}));
    size_t index = 0;
    while (index < shared_.constants.size() && !(shared_.constants[index] == e)) ++index;
    if (index == shared_.constants.size()) shared_.constants.push_back(e);
    return operations_.leaf(fmt::format("p.k{}", index));
  }

  Id lower(const Expression& e) {
    const auto [place, is_new] = lowered_.try_emplace(e.operator->(), e, Id{0});
    if (is_new) {
      const Id id = lower_new(e);
      place->second.second = id;
    }
    return place->second.second;
  }
  Id lower_new(const Expression& e) {
    if (is_constant(e)) return constant(e);
    switch (e->kind) {
      case Kind::name:
        if (e->name == position_name) return position();
        if (e->name.starts_with("f:"))
          return operations_.leaf(fmt::format("phase[{}]", field(std::stoi(e->name.substr(2)))));
        if (e->name[1] == ':') return operations_.leaf(fmt::format("{}[{}]", e->name[0], e->name.substr(2)));
        return operations_.leaf(fmt::format("phase[{}]", time()));
      case Kind::sum:
        return lower_sum(e);
      case Kind::product:
        return value(term(e));
      case Kind::group:
        return is_marked(e) ? turning(e) : lower(e->items[0].expression);
      case Kind::power:
        return general_power(e->items[0].expression, e->items[1].expression);
      default:
        return is_wave(e) ? wave(e) : lower_call(e);
    }
  }

  Id position() {
    const Id u = operations_.leaf("u");
    return folded_ ? operations_.subtract(u, operations_.call("rint", {u})) : u;
  }
  /// The phase that is the time itself.
  size_t time() {
    size_t index = 0;
    while (index < shared_.phases.size() && !shared_.phases[index].is_time()) ++index;
    if (index == shared_.phases.size()) shared_.phases.push_back({1, false});
    return index;
  }
  /// The phase that is this mean field.
  size_t field(int number) {
    const auto found = std::ranges::find(shared_.phases, number, &Phase::field);
    const auto index = static_cast<size_t>(found - shared_.phases.begin());
    if (found == shared_.phases.end()) shared_.phases.push_back({0, false, number});
    return index;
  }

  Id lower_onto(const Assignment& to) {
    std::vector<Term> list;
    for (const Expression& one : in_powers(terms(distribute(1, to.value, is_constant)))) list.push_back(term(one));
    list.push_back({false, {operations_.leaf(to.target)}, {}});
    return total(list, to.how == Assignment::add ? constant_part(to.value) : 0);
  }

  Id lower_sum(const Expression& e) {
    const Expression flat = distribute(1, e, is_constant);
    if (flat->kind != Kind::sum) return lower(flat);
    Expression offset = flat->number;
    std::vector<Term> list;
    for (const Item& item : flat->items) {
      const Expression one = item.weight * item.expression;
      if (is_constant(one))
        offset = offset + one;
      else
        list.push_back(term(one));
    }
    return total(list, offset);
  }

  /// The sum of terms and an offset, from the last to the first, with fma where a term is a product.
  Id total(std::vector<Term> list, const Expression& offset) {
    for (Term& one : list)
      if (one.above.size() == 1) one.above = operations_.factors(one.above[0]);
    std::optional<Id> sum;
    if (!is_number(offset, 0)) sum = constant(offset);
    bool minus = false;  // the sum so far is to be subtracted
    for (auto one = list.rbegin(); one != list.rend(); ++one) {
      if (!sum) {
        sum = value({false, one->above, one->below});
        minus = one->minus;
      } else if (one->above.size() > 1 && !one->below) {
        const Id first = one->minus ? operations_.negative(one->above[0]) : one->above[0];
        const Id rest = value({false, {one->above.begin() + 1, one->above.end()}, {}});
        sum = operations_.call("fma", {first, rest, minus ? operations_.negative(*sum) : *sum});
        minus = false;
      } else {
        const Id plain = value({false, one->above, one->below});
        if (one->minus == minus) {
          sum = operations_.add(plain, *sum);
        } else {
          sum = minus ? operations_.subtract(plain, *sum) : operations_.subtract(*sum, plain);
          minus = false;
        }
      }
    }
    return minus ? operations_.negative(*sum) : sum ? *sum : number(0);
  }

  Id value(const Term& term) {
    std::optional<Id> result;
    for (const Id id : term.above) result = result ? operations_.multiply(*result, id) : id;
    if (term.minus && result) result = operations_.negative(*result);
    if (!result) result = number(term.minus ? -1 : 1);
    return term.below ? operations_.divide(*result, *term.below) : *result;
  }

  /// A product with all constants in one number. A sum among the factors absorbs it, where it costs least.
  Term term(const Expression& e) {
    const Split parts = split(e);
    std::vector<Item> list = factors(parts.other);
    Expression factor = parts.constant;
    for (Item& item : list) {
      if (item.expression->kind != Kind::sum || item.weight != 1 || is_number(factor, 1)) continue;
      item.expression = distribute(factor, item.expression, is_constant);
      factor = 1;
    }
    Term result;
    if (is_number(factor, -1))
      result.minus = true;
    else if (!is_number(factor, 1))
      result.above.push_back(constant(factor));
    for (const Item& item : list) multiply(result, item.expression, item.weight);
    return result;
  }

  /// Multiplies the term by base^weight.
  void multiply(Term& term, const Expression& base, double weight) {
    const double whole = std::floor(std::fabs(weight)), rest = std::fabs(weight) - whole;
    if (rest != 0 && rest != 0.5) {
      term.above.push_back(general_power(base, weight));
      return;
    }
    Id root = lower(base);
    bool below = weight < 0;
    // One division, shared by all terms that need it.
    if (below && inverses_[base] > 1) {
      root = operations_.divide(number(1), root);
      below = false;
    }
    std::vector<Id> parts;
    if (whole > 0) parts.push_back(whole_power(root, whole));
    if (rest != 0) parts.push_back(operations_.call("sqrt", {root}));
    if (!below) term.above.insert(term.above.end(), parts.begin(), parts.end());
    if (below) {
      if (term.below) parts.insert(parts.begin(), *term.below);
      term.below = value({false, parts, {}});
    }
  }

  Id whole_power(Id base, double n) {
    std::optional<Id> result;
    for (Id square = base;; square = operations_.multiply(square, square)) {
      if (std::fmod(n, 2) == 1) result = result ? operations_.multiply(square, *result) : square;
      n = std::floor(n / 2);
      if (n == 0) return *result;
    }
  }

  Id not_a_number() { return operations_.leaf("(real)(0.0 / 0.0)"); }

  /// base^exponent for base > 0. The dialect's log does not check; a wrong sign must not pass silently.
  Id general_power(const Expression& base, const Expression& exponent) {
    if (is_constant(base)) return lower(call("exp", {exponent * call("log", {base})}));
    const Id b = lower(base), product = operations_.multiply(lower(exponent), operations_.call("log", {b}));
    return operations_.call(
        "select", {operations_.call(">=", {b, number(0)}), operations_.call("exp", {product}), not_a_number()});
  }

  /// sin(a) as sin2pi(a / (2 pi)).
  Id wave(const Expression& e) {
    const Turns parts = turns(e->items[0].expression);
    std::vector<Term> list;
    Expression offset = parts.offset;
    for (const Item& item : terms(parts.waves)) list.push_back(term(item.weight * item.expression));
    if (!is_number(parts.frequency, 0)) list.push_back(phase_term(parts.frequency));
    if (!is_number(offset, 0)) offset = without_whole(offset);
    const Id turn = total(list, offset);
    if (e->name == "tan")
      return operations_.divide(operations_.call("sin2pi", {turn}), operations_.call("cos2pi", {turn}));
    return operations_.call(e->name == "sin" ? "sin2pi" : "cos2pi", {turn});
  }
  /// A frequency as n times that of a phase.
  std::pair<size_t, double> phase_of(const Expression& frequency) {
    for (size_t i = 0; i < shared_.phases.size(); ++i)
      if (const double n = shared_.phases[i].reduced ? whole_multiple(frequency, shared_.phases[i].turns_per_time) : 0;
          n != 0)
        return {i, n};
    fail("formula: collect_phases must come before device_text, got frequency {}", text(frequency));
  }
  Term scaled(const Expression& factor, Id id) {
    Term result;
    if (is_number(factor, -1))
      result.minus = true;
    else if (!is_number(factor, 1))
      result.above.push_back(constant(factor));
    result.above.push_back(id);
    return result;
  }
  Id phase_leaf(size_t i) { return operations_.leaf(fmt::format("phase[{}]", i)); }
  Term phase_term(const Expression& frequency) {
    const auto [i, n] = phase_of(frequency);
    Term result{n < 0, {}, {}};
    if (std::fabs(n) != 1) result.above.push_back(number(std::fabs(n)));
    result.above.push_back(phase_leaf(i));
    return result;
  }
  /// Floors, and the growth with t that they take back, n phases for each: of both, whole turns count for nothing.
  Id turning(const Expression& e) {
    std::vector<Term> list;
    std::map<size_t, Expression> taken_back;
    for (const Floor& floor : marked_floors(e)) {
      const auto [i, n] = phase_of(floor.argument.frequency);
      std::vector<Term> inside{phase_term(floor.argument.frequency)};
      for (const Item& item : terms(floor.argument.waves)) inside.push_back(term(item.weight * item.expression));
      list.push_back(scaled(floor.factor, operations_.call("floor", {total(inside, floor.argument.offset)})));
      Expression& sum = taken_back.try_emplace(i, 0).first->second;
      sum = sum - n * floor.factor;
    }
    for (const auto& [i, factor] : taken_back)
      if (!is_number(factor, 0)) list.push_back(scaled(factor, phase_leaf(i)));
    return total(list, 0);
  }
  Id lower_call(const Expression& e) {
    std::vector<Id> a;
    for (const Item& item : e->items) a.push_back(lower(item.expression));
    const auto make = [&](std::string_view function, const std::vector<Id>& arguments) {
      return operations_.call(function, arguments);
    };
    const std::string& f = e->name;
    if (f == "exp" || f == "floor" || f == "atan2") return make(f, a);
    if (f == "log") return make("select", {make(">=", {a[0], number(0)}), make("log", a), not_a_number()});
    if (f == "abs") return make("absolute", a);
    if (f == "min") return make("minimum", a);
    if (f == "max") return make("maximum", a);
    if (f == "select") return make("select", {make("<", {a[0], a[1]}), a[2], a[3]});
    if (f == "sign") {
      const Id zero = number(0), below = make("select", {make("<", {a[0], zero}), number(-1), zero});
      return make("select", {make(">", {a[0], zero}), number(1), below});
    }
    // sinh, cosh and tanh from exp(|a|) and its inverse, which may underflow without harm. Near 0 they would lose all
    // digits: there sinh is its series, and tanh(a) = 2 sinh(a) exp(|a|)/(exp(2|a|) + 1).
    const Id size = make("absolute", a), grown = make("exp", {size}), half = number(0.5);
    if (f == "cosh") return operations_.multiply(half, operations_.add(grown, operations_.divide(number(1), grown)));
    const Id near = make("<", {size, half}), series = sinh_near_0(a[0]);
    if (f == "tanh") {
      const Id square = operations_.add(operations_.multiply(grown, grown), number(1));
      const Id rest = operations_.divide(number(2), square);
      return make("select", {near, operations_.multiply(operations_.multiply(series, grown), rest),
                             make("copysign", {operations_.subtract(number(1), rest), a[0]})});
    }
    const Id shrunk = operations_.divide(number(1), grown);
    const Id far = operations_.multiply(half, operations_.subtract(grown, shrunk));
    return make("select", {near, series, make("copysign", {far, a[0]})});
  }
  /// Of |a| < 1/2, to the last digit but one of double precision.
  Id sinh_near_0(Id a) {
    const Id square = operations_.multiply(a, a);
    double factorial = 6227020800;  // 13!
    Id sum = number(1 / factorial);
    for (int n = 13; n > 1; n -= 2) {
      factorial /= n * (n - 1);
      sum = operations_.call("fma", {square, sum, number(1 / factorial)});
    }
    return operations_.multiply(a, sum);
  }

  bool folded_;
  Shared& shared_;
  Operations operations_;
  // By node, with the expression that keeps it alive.
  std::map<const Node*, std::pair<Expression, Id>> lowered_;
  std::map<const Node*, Expression> seen_;
  std::map<Expression, size_t, Less> inverses_;
};

}  // namespace

void check_operations(size_t operations, std::string_view subject, size_t most) {
  if (operations > most)
    fail("{}: there must be at most {} operations, got {}, which a compiler would need minutes for", subject, most,
         operations);
}

std::string device_text(const Expression& e, bool folded, Shared& shared) { return Lowering(folded, shared).body(e); }

Expression constant_part(const Expression& e) {
  const Expression flat = distribute(1, e, is_constant);
  if (flat->kind != Kind::sum) return is_constant(flat) ? flat : Expression(0);
  Expression constant = flat->number;
  for (const Item& item : flat->items)
    if (is_constant(item.expression)) constant = constant + item.weight * item.expression;
  return constant;
}

std::string device_statements(const std::vector<Assignment>& assignments, Shared& shared) {
  return Lowering(false, shared).statements(assignments);
}

}  // namespace bmsim::formula
