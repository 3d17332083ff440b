// Formulas as immutable shared trees in a canonical form, in which equal terms are combined and cancelled terms are
// gone. Products are coefficient * powers, sums are constant + coefficient * products, both sorted; pi stays a name.
#pragma once
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bmsim::formula {

struct Node;
struct Item;

/// A value; copies share the tree. All functions below return the canonical form, so that nothing remains to simplify:
/// 2*pi*x/L with x*L substituted for x is 2*pi*x. Cancelling may define a formula at more places: x/x is 1.
class Expression {
 public:
  Expression(double number = 0);
  explicit Expression(std::string_view name);
  explicit Expression(Node node);
  const Node* operator->() const { return node_.get(); }
  const Node& operator*() const { return *node_; }

 private:
  std::shared_ptr<const Node> node_;
};

enum class Kind {
  number,   // number
  name,     // name; "pi" is the constant
  call,     // name(items): a function of functions.h
  power,    // items[0]^items[1], the exponent not a number
  product,  // number * product of expression^weight over the items
  sum,      // number + sum of weight * expression over the items
  group     // items[0], a product whose factors are not merged with others
};

struct Item {
  Expression expression;
  double weight = 1;
};

struct Node {
  Kind kind = Kind::number;
  double number = 0;
  std::string name = {};
  std::vector<Item> items = {};
  double size = 1;   ///< number of nodes; shared ones count every time
  size_t depth = 1;  ///< of nested nodes
};

Expression sum(double constant, const std::vector<Item>& items);
Expression product(double coefficient, const std::vector<Item>& items);
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);
Expression power(const Expression& base, const Expression& exponent);
/// A product as a value of its own: it stays one factor of larger products, which can share it with others.
Expression group(const Expression& e);
/// A function of functions.h, with as many arguments as it takes. A condition is a number: it holds unless that is 0.
Expression call(std::string_view function, const std::vector<Expression>& arguments);

/// -1, 0 or 1: the order of the canonical form, which depends only on the expressions.
int compare(const Expression& a, const Expression& b);
inline bool operator==(const Expression& a, const Expression& b) { return compare(a, b) == 0; }
struct Less {
  bool operator()(const Expression& a, const Expression& b) const { return compare(a, b) < 0; }
};

bool is_number(const Expression& e, double value);
inline bool is_integer(double x) { return x == std::rint(x); }
/// Whether the first coefficient of e is negative, as in -2*x, -x + 3*y or 2*(-x + 3*y).
bool is_negative(const Expression& e);
/// The terms of a sum, and the factors of a product, without numbers. Any other expression is its only term and factor.
std::vector<Item> terms(const Expression& e);
std::vector<Item> factors(const Expression& e);
/// Whether the name occurs in e.
bool depends(const Expression& e, std::string_view name);
/// The index of e in the list, where it is added if it is not there.
size_t index_in(std::vector<Expression>& list, const Expression& e);
/// e with `change` applied to its items.
Expression rebuilt(const Expression& e, const std::function<Expression(const Expression&)>& change);
Expression substitute(const Expression& e, std::string_view name, const Expression& replacement);
Expression derivative(const Expression& e, std::string_view name);
/// factor * e. If e is a sum, or a sum times factors for which `is_constant` holds, these and `factor` are multiplied
/// into its terms.
Expression distribute(const Expression& factor, const Expression& e,
                      const std::function<bool(const Expression&)>& is_constant);

/// The value of a name; never called for pi.
using Lookup = std::function<double(std::string_view)>;
double evaluate(const Expression& e, const Lookup& lookup);
/// The expression as the parser reads it: "-2*V0*pi/L".
std::string text(const Expression& e);

}  // namespace bmsim::formula
