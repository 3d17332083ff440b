// Straight-line code in the kernel dialect: every operation occurs once, however often it is requested.
#pragma once
#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bmsim::formula {

class Operations {
 public:
  using Id = size_t;
  /// A number or a name as the dialect writes it: "u", "p.k0", "(real)2", "phase[0]".
  Id leaf(std::string_view text);
  Id negative(Id a);
  Id add(Id a, Id b);
  Id subtract(Id a, Id b);
  Id multiply(Id a, Id b);
  Id divide(Id a, Id b);
  /// A function of the dialect, or a comparison: "<", ">" or ">=" of two.
  Id call(std::string_view function, const std::vector<Id>& arguments);

  size_t count() const;  ///< of operations, without leaves
  /// The two factors of a product, or the value itself.
  std::vector<Id> factors(Id a) const;

  /// The body of a function that returns `root`. Values that are used more than once, or make a line too long, get
  /// names.
  std::string body(Id root) const;
  /// Statements "target = T(value);", after those of the values that get names.
  std::string statements(const std::vector<std::pair<std::string, Id>>& assignments) const;

 private:
  enum class What { leaf, negative, sum, product, comparison, call };
  struct Operation {
    What what;
    std::string text;  // of a leaf; otherwise the operator or function
    std::vector<Id> arguments;
    auto operator<=>(const Operation&) const = default;
  };
  struct Writer;
  Id add_operation(What what, std::string_view text, std::vector<Id> arguments);

  std::vector<Operation> operations_;
  std::map<Operation, Id> known_;
};

}  // namespace bmsim::formula
