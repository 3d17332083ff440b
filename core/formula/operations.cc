#include "formula/operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace bmsim::formula {

Operations::Id Operations::add_operation(What what, std::string_view text, std::vector<Id> arguments) {
  Operation operation{what, std::string(text), std::move(arguments)};
  const auto [place, is_new] = known_.try_emplace(operation, operations_.size());
  if (is_new) operations_.push_back(std::move(operation));
  return place->second;
}

Operations::Id Operations::leaf(std::string_view text) { return add_operation(What::leaf, text, {}); }
Operations::Id Operations::negative(Id a) {
  const Operation& operation = operations_[a];
  return operation.what == What::negative ? operation.arguments[0] : add_operation(What::negative, "-", {a});
}
Operations::Id Operations::add(Id a, Id b) { return add_operation(What::sum, "+", {a, b}); }
Operations::Id Operations::subtract(Id a, Id b) { return add_operation(What::sum, "-", {a, b}); }
Operations::Id Operations::multiply(Id a, Id b) { return add_operation(What::product, "*", {a, b}); }
Operations::Id Operations::divide(Id a, Id b) { return add_operation(What::product, "/", {a, b}); }
Operations::Id Operations::call(std::string_view function, const std::vector<Id>& arguments) {
  return add_operation(function == "<" || function == ">" || function == ">=" ? What::comparison : What::call, function,
                       arguments);
}

size_t Operations::count() const {
  return static_cast<size_t>(
      std::ranges::count_if(operations_, [](const Operation& operation) { return operation.what != What::leaf; }));
}

std::vector<Operations::Id> Operations::factors(Id a) const {
  const Operation& operation = operations_[a];
  return operation.what == What::product && operation.text == "*" ? operation.arguments : std::vector<Id>{a};
}

struct Operations::Writer {
  const std::vector<Operation>& operations;
  std::vector<size_t> uses = std::vector<size_t>(operations.size());
  std::map<Id, std::string> names = {};
  std::string lines = {};

  void count(Id a) {
    if (uses[a]++ > 0) return;
    for (const Id b : operations[a].arguments) count(b);
  }

  static int precedence(What what) {
    switch (what) {
      case What::comparison:
        return 0;
      case What::sum:
        return 1;
      case What::product:
      case What::negative:
        return 2;
      default:
        return 3;
    }
  }

  /// The value as text, in parentheses if its precedence is below `least`.
  std::string value(Id a, int least) {
    constexpr size_t longest_text = 90;  // characters of a value without a name
    if (const auto known = names.find(a); known != names.end()) return known->second;
    const Operation& operation = operations[a];
    std::string text = unnamed(operation);
    const bool named = uses[a] > 1 || text.size() > longest_text;
    if (named && operation.what != What::leaf && operation.what != What::comparison) {
      const std::string name = fmt::format("t{}", names.size());
      lines += fmt::format("const T {} = {};\n", name, text);
      return names[a] = name;
    }
    return precedence(operation.what) < least ? "(" + text + ")" : text;
  }

  std::string unnamed(const Operation& operation) {
    const std::vector<Id>& a = operation.arguments;
    const int precedence_here = precedence(operation.what);
    switch (operation.what) {
      case What::leaf:
        return operation.text;
      case What::negative:
        return fmt::format("-{}", value(a[0], 3));
      case What::call:
        break;
      default: {
        const std::string left = value(a[0], precedence_here);
        return fmt::format("{} {} {}", left, operation.text, value(a[1], precedence_here + 1));
      }
    }
    std::string list;
    for (const Id b : a) list += (list.empty() ? "" : ", ") + value(b, 0);
    return fmt::format("{}({})", operation.text, list);
  }
};

std::string Operations::body(Id root) const {
  Writer writer{operations_};
  writer.count(root);
  const std::string result = writer.unnamed(operations_[root]);
  return fmt::format("{}return {};\n", writer.lines, result);
}

std::string Operations::statements(const std::vector<std::pair<std::string, Id>>& assignments) const {
  Writer writer{operations_};
  for (const auto& [target, root] : assignments) writer.count(root);
  std::vector<std::string> values;  // all of them before the first assignment, which may overwrite what they read
  for (const auto& [target, root] : assignments) values.push_back(writer.value(root, 0));
  std::string text = writer.lines;
  for (size_t i = 0; i < values.size(); ++i) text += fmt::format("{} = T({});\n", assignments[i].first, values[i]);
  return text;
}

}  // namespace bmsim::formula
