// From an expression to operations of the kernel dialect.
#include "formula/lower.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "error.h"
#include "formula/addition.h"
#include "formula/operations.h"
#include "formula/waves.h"

namespace bmsim::formula {
namespace {

using Id = Operations::Id;

/// The product of `above` over `below`, negative if `minus`.
struct Term {
  bool minus = false;
  std::vector<Id> above = {};
  std::optional<Id> below = {};
};

/// The terms that are not constant. Powers of one expression become one product by Horner's rule: x (a + b x^2).
std::vector<Expression> in_powers(const std::vector<Item>& terms) {
  std::vector<Expression> result;
  std::map<Expression, std::map<double, Expression>, Less> polynomials;
  for (const Item& item : terms) {
    const Expression term = item.weight * item.expression;
    if (is_constant(term)) continue;
    const Split parts = split(term);
    const std::vector<Item> list = factors(parts.varying);
    const bool is_power = list.size() == 1 && list[0].weight > 0 && is_integer(list[0].weight);
    if (is_power) {
      Expression& coefficient = polynomials[list[0].expression].try_emplace(list[0].weight, 0).first->second;
      coefficient = coefficient + parts.constant;
    } else {
      result.push_back(term);
    }
  }
  for (const auto& [base, coefficients] : polynomials) {
    Expression sum = 0;
    double above = coefficients.rbegin()->first;
    for (auto power = coefficients.rbegin(); power != coefficients.rend(); ++power) {
      const auto& [exponent, coefficient] = *power;
      sum = coefficient + product(1, {{base, above - exponent}}) * sum;
      above = exponent;
    }
    result.push_back(product(1, {{base, above}}) * sum);
  }
  return result;
}

class Lowering {
 public:
  Lowering(bool folded, Shared& shared) : folded_(folded), shared_(shared) {}

  std::string body(const Expression& e) {
    look_at(e);
    const Id root = lower(e);
    count_operations();
    return operations_.body(root);
  }
  std::string statements(const std::vector<Assignment>& assignments) {
    for (const Assignment& assignment : assignments) look_at(assignment.value);
    std::vector<std::pair<std::string, Id>> values;
    for (const Assignment& assignment : assignments) {
      const Id id = assignment.how == Assignment::set ? lower(assignment.value) : lower_onto(assignment);
      values.emplace_back(assignment.target, id);
    }
    count_operations();
    return operations_.statements(values);
  }

 private:
  void count_operations() { shared_.operations = std::max(shared_.operations, operations_.count()); }
  void look_at(const Expression& e) {
    additions_.note(e);
    count_inverses(e);
  }
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
    return operations_.leaf(fmt::format("p.k{}", index_in(shared_.constants, e)));
  }

  Id lower(const Expression& e) {
    const auto [place, is_new] = lowered_.try_emplace(e.operator->(), e, Id{0});
    if (is_new) place->second.second = lower_new(e);  // references into a map stay
    return place->second.second;
  }
  Id lower_new(const Expression& e) {
    if (is_constant(e)) return constant(e);
    switch (e->kind) {
      case Kind::name:
        if (e->name == position_name) return position();
        if (e->name.starts_with("f:")) return phase_leaf(field(std::stoi(e->name.substr(2))));
        if (e->name[1] == ':') return operations_.leaf(fmt::format("{}[{}]", e->name[0], e->name.substr(2)));
        return phase_leaf(time());
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
  /// Index of the phase that was found, or of this one, which is then added.
  size_t index_of(std::vector<Phase>::iterator found, const Phase& phase) {
    const auto index = static_cast<size_t>(found - shared_.phases.begin());
    if (found == shared_.phases.end()) shared_.phases.push_back(phase);
    return index;
  }
  /// Index of the phase that is the time itself.
  size_t time() { return index_of(std::ranges::find_if(shared_.phases, &Phase::is_time), {1, false}); }
  /// Index of the phase that is this mean field.
  size_t field(int number) {
    return index_of(std::ranges::find(shared_.phases, number, &Phase::field), {0, false, number});
  }

  Id lower_onto(const Assignment& assignment) {
    const auto& [target, value, how] = assignment;
    std::vector<Term> list;
    for (const Expression& e : in_powers(terms(distribute(1, value, is_constant)))) list.push_back(term(e));
    list.push_back({false, {operations_.leaf(target)}, {}});
    return total(list, how == Assignment::add ? constant_part(value) : 0);
  }

  Id lower_sum(const Expression& e) {
    const Expression flat = distribute(1, e, is_constant);
    if (flat->kind != Kind::sum) return lower(flat);
    Expression offset = flat->number;
    std::vector<Term> list;
    for (const Item& item : flat->items) {
      const Expression summand = item.weight * item.expression;
      if (is_constant(summand))
        offset = offset + summand;
      else
        list.push_back(term(summand));
    }
    return total(list, offset);
  }

  /// The sum of terms and an offset, from the last to the first, with fma where a term is a product.
  Id total(std::vector<Term> list, const Expression& offset) {
    for (Term& summand : list)
      if (summand.above.size() == 1) summand.above = operations_.factors(summand.above[0]);
    std::optional<Id> sum;
    if (!is_number(offset, 0)) sum = constant(offset);
    bool subtracted = false;  // the sum so far is to be subtracted
    for (auto summand = list.rbegin(); summand != list.rend(); ++summand) {
      const auto& [minus, above, below] = *summand;
      if (!sum) {
        sum = value({false, above, below});
        subtracted = minus;
      } else if (above.size() > 1 && !below) {
        const Id first = minus ? operations_.negative(above[0]) : above[0];
        const Id rest = value({false, {above.begin() + 1, above.end()}, {}});
        sum = operations_.call("fma", {first, rest, subtracted ? operations_.negative(*sum) : *sum});
        subtracted = false;
      } else {
        const Id plain = value({false, above, below});
        if (minus == subtracted) {
          sum = operations_.add(plain, *sum);
        } else {
          sum = subtracted ? operations_.subtract(plain, *sum) : operations_.subtract(*sum, plain);
          subtracted = false;
        }
      }
    }
    return subtracted ? operations_.negative(*sum) : sum ? *sum : number(0);
  }

  Id value(const Term& term) {
    std::optional<Id> result;
    for (const Id id : term.above) result = result ? operations_.multiply(*result, id) : id;
    if (term.minus && result) result = operations_.negative(*result);
    if (!result) result = number(term.minus ? -1 : 1);
    return term.below ? operations_.divide(*result, *term.below) : *result;
  }

  /// A product as a term. All its constants are one number, which costs least in a sum among the factors.
  Term term(const Expression& e) {
    const Split parts = split(e);
    std::vector<Item> list = factors(parts.varying);
    Expression factor = parts.constant;
    for (Item& item : list) {
      if (item.expression->kind != Kind::sum || item.weight != 1 || is_number(factor, 1)) continue;
      item.expression = distribute(factor, item.expression, is_constant);
      factor = 1;
    }
    Term result = constant_term(factor);
    for (const Item& item : list) multiply(result, item.expression, item.weight);
    return result;
  }
  Term constant_term(const Expression& factor) {
    if (is_number(factor, -1)) return {true};
    if (is_number(factor, 1)) return {};
    return {false, {constant(factor)}};
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
    if (!below) {
      term.above.insert(term.above.end(), parts.begin(), parts.end());
    } else {
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

  /// base^exponent for base > 0. The dialect's log does not check the sign: a negative base must give a nan.
  Id general_power(const Expression& base, const Expression& exponent) {
    if (is_constant(base)) return lower(call("exp", {exponent * call("log", {base})}));
    const Id b = lower(base), product = operations_.multiply(lower(exponent), operations_.call("log", {b}));
    return operations_.call(
        "select", {operations_.call(">=", {b, number(0)}), operations_.call("exp", {product}), not_a_number()});
  }

  /// sin(a) as sin2pi(a / (2 pi)).
  Id wave(const Expression& e) {
    if (const Addends* addends = additions_.of(e)) return wave_of(*addends, e->name == "sin");
    const Id turn = turns_of(turns(e->items[0].expression));
    if (e->name == "tan")
      return operations_.divide(operations_.call("sin2pi", {turn}), operations_.call("cos2pi", {turn}));
    return operations_.call(e->name == "sin" ? "sin2pi" : "cos2pi", {turn});
  }
  Id turns_of(const Turns& parts) {
    std::vector<Term> list;
    for (const Item& item : terms(parts.waves)) list.push_back(term(item.weight * item.expression));
    if (!is_number(parts.frequency, 0)) list.push_back(phase_term(parts.frequency));
    return total(list, is_number(parts.offset, 0) ? parts.offset : without_whole(parts.offset));
  }
  /// sin(a + b) = sin a cos b + cos a sin b, cos(a + b) = cos a cos b - sin a sin b.
  Id wave_of(const Addends& addends, bool is_sine) {
    const Id a = turns_of(addends.first), b = turns_of(addends.second);
    const Id sin_a = operations_.call("sin2pi", {a}), cos_a = operations_.call("cos2pi", {a});
    const Id sin_b = operations_.call("sin2pi", {b}), cos_b = operations_.call("cos2pi", {b});
    const Id product = operations_.multiply(is_sine ? cos_a : sin_a, sin_b);
    const Id added = is_sine == addends.minus ? operations_.negative(product) : product;
    return operations_.call("fma", {is_sine ? sin_a : cos_a, cos_b, added});
  }
  /// A frequency as n times that of a phase: the index of the phase, and n.
  std::pair<size_t, double> phase_of(const Expression& frequency) {
    for (size_t i = 0; i < shared_.phases.size(); ++i)
      if (const double n = shared_.phases[i].reduced ? whole_multiple(frequency, shared_.phases[i].turns_per_time) : 0;
          n != 0)
        return {i, n};
    fail("formula: collect_phases must come before device_text, got frequency {}", text(frequency));
  }
  Term scaled(const Expression& factor, Id id) {
    Term result = constant_term(factor);
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
  /// A marked sum: floors, and the growth with t that they take back, n phases for each. Whole turns count for nothing
  /// in both.
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
  /// sinh(a) for |a| < 1/2, to the last digit but one of double precision.
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
  Additions additions_;
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
