// Formulas as immutable shared trees in a canonical form, in which equal terms are combined and cancelled terms are
// gone. Products are coefficient * powers, sums are constant + coefficient * products, both sorted; pi stays a name.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bmsim::formula {

struct Node;
struct Item;

/// A value; copies share the tree. All functions below return the canonical form, so that nothing remains to simplify:
/// 2*pi*x/L with x*L substituted for x is 2*pi*x. Cancelling removes gaps of a formula: x/x is 1.
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
  group     // items[0], whose factors are not put among others
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
  double size = 1;   ///< number of nodes, those that are shared each time
  size_t depth = 1;  ///< of the nesting of nodes
};

Expression sum(double constant, const std::vector<Item>& items);
Expression product(double coefficient, const std::vector<Item>& items);
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);
Expression power(const Expression& base, const Expression& exponent);
/// A product as a value of its own, which products that it is a factor of share with others.
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
/// The terms of a sum, or the factors of a product; any other expression is its own only term and factor. Numbers are
/// left out.
std::vector<Item> terms(const Expression& e);
std::vector<Item> factors(const Expression& e);
/// Whether the name occurs.
bool depends(const Expression& e, std::string_view name);
Expression substitute(const Expression& e, std::string_view name, const Expression& replacement);
Expression derivative(const Expression& e, std::string_view name);
/// factor * e, with `factor` and those factors of e for which `is_constant` holds multiplied into the sum in e.
Expression distribute(const Expression& factor, const Expression& e,
                      const std::function<bool(const Expression&)>& is_constant);

/// The value of a name; never called for pi.
using Lookup = std::function<double(std::string_view)>;
double evaluate(const Expression& e, const Lookup& lookup);
/// The expression as the parser reads it: "-2*V0*pi/L".
std::string text(const Expression& e);

}  // namespace bmsim::formula
