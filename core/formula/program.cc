#include "formula/program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "error.h"

namespace bmsim::formula {
namespace {

double to_power(double base, double exponent) {
  if (exponent == 1) return base;
  if (exponent == 2) return base * base;
  if (exponent == 3) return base * base * base;
  return exponent == -1 ? 1 / base : std::pow(base, exponent);
}

}  // namespace

class Program::Writer {
 public:
  Writer(Program& program, std::span<const std::string> names) : program_(program), names_(names) {}

  size_t add(const Expression& e) {
    if (e->kind == Kind::group) return add(e->items[0].expression);
    const auto [place, is_new] = known_.try_emplace(e, 0);
    if (is_new) place->second = add_new(e);  // references into a map stay
    return place->second;
  }

 private:
  size_t add_new(const Expression& e) {
    Operation operation = operation_of(e);
    std::vector<Argument> arguments;
    for (const Item& item : e->items) arguments.push_back({add(item.expression), item.weight});
    operation.first = program_.arguments_.size();
    operation.count = arguments.size();
    program_.arguments_.insert(program_.arguments_.end(), arguments.begin(), arguments.end());
    program_.operations_.push_back(operation);
    return program_.operations_.size() - 1;
  }

  Operation operation_of(const Expression& e) const {
    switch (e->kind) {
      case Kind::number:
        return {.what = What::weighted_sum, .number = e->number};
      case Kind::name:
        if (e->name == "pi") return {.what = What::weighted_sum, .number = std::numbers::pi};
        return {.what = What::input, .input = input_of(e->name)};
      case Kind::sum:
        return {.what = What::weighted_sum, .number = e->number};
      case Kind::product:
        return {.what = What::product, .number = e->number};
      case Kind::power:
        return {.what = What::power};
      default:
        return {.what = What::call, .function = find_function(e->name)};
    }
  }

  size_t input_of(std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) return 2 + static_cast<size_t>(found - names_.begin());
    if (name != "x" && name != "t") fail("formula: unknown name '{}'", name);
    return name == "x" ? 0 : 1;
  }

  Program& program_;
  std::span<const std::string> names_;
  std::map<Expression, size_t, Less> known_;
};

Program::Program(const Expression& e, std::span<const std::string> names) { Writer(*this, names).add(e); }

template <size_t places, class Input>
void Program::compute(std::array<double, places>* results, size_t count, const Input& input) const {
  for (size_t i = 0; i < operations_.size(); ++i) {
    const Operation& operation = operations_[i];
    const std::span<const Argument> arguments = arguments_of(operation);
    std::array<double, places>& result = results[i];
    const auto set_to = [&](const auto& value) {
      for (size_t k = 0; k < count; ++k) result[k] = value(k);
    };
    result.fill(operation.number);
    switch (operation.what) {
      case What::input:
        set_to([&](size_t k) { return input(operation.input, k); });
        break;
      case What::weighted_sum:
        for (const Argument& a : arguments)
          set_to([&](size_t k) { return result[k] + a.weight * results[a.operation][k]; });
        break;
      case What::product:
        for (const Argument& a : arguments)
          set_to([&](size_t k) { return result[k] * to_power(results[a.operation][k], a.weight); });
        break;
      case What::power:
        set_to(
            [&](size_t k) { return std::pow(results[arguments[0].operation][k], results[arguments[1].operation][k]); });
        break;
      case What::call:
        set_to([&](size_t k) {
          std::array<double, 4> inputs{};  // no function takes more
          for (size_t j = 0; j < arguments.size(); ++j) inputs[j] = results[arguments[j].operation][k];
          return operation.function->value(inputs.data());
        });
        break;
    }
  }
}

double Program::operator()(double x, double t, const double* parameters) const {
  constexpr size_t few = 64;
  std::array<std::array<double, 1>, few> on_stack;
  std::vector<std::array<double, 1>> on_heap(operations_.size() > few ? operations_.size() : 0);
  std::array<double, 1>* const results = on_heap.empty() ? on_stack.data() : on_heap.data();
  compute(results, 1, [&](size_t index, size_t) { return index == 0 ? x : index == 1 ? t : parameters[index - 2]; });
  return results[operations_.size() - 1][0];
}

void Program::evaluate(std::span<const Column> parameters, size_t count, double* values) const {
  constexpr size_t places_at_once = 64;
  std::vector<std::array<double, places_at_once>> results(operations_.size());
  for (size_t from = 0; from < count; from += places_at_once) {
    const size_t places = std::min(places_at_once, count - from);
    compute(results.data(), places, [&](size_t index, size_t k) {
      const auto& [numbers, factor] = parameters[index - 2];
      return numbers == nullptr ? factor : factor * numbers[from + k];
    });
    std::copy_n(results.back().begin(), places, values + from);
  }
}

bool Program::reads(size_t parameter) const {
  return std::ranges::any_of(operations_, [&](const Operation& operation) {
    return operation.what == What::input && operation.input == 2 + parameter;
  });
}

OperationList Program::list() const {
  // A slot is free again after the last operation that reads it.
  std::vector<size_t> last(operations_.size()), slot(operations_.size());
  for (size_t i = 0; i < operations_.size(); ++i)
    for (const Argument& a : arguments_of(operations_[i])) last[a.operation] = i;
  OperationList result;
  std::vector<bool> in_use;  // by slot
  for (size_t i = 0; i < operations_.size(); ++i) {
    const Operation& operation = operations_[i];
    const std::span<const Argument> arguments = arguments_of(operation);
    slot[i] = static_cast<size_t>(std::ranges::find(in_use, false) - in_use.begin());
    if (slot[i] == in_use.size()) in_use.push_back(false);
    in_use[slot[i]] = true;
    constexpr std::array steps = {bmsim_abi::FORMULA_INPUT, bmsim_abi::FORMULA_SUM, bmsim_abi::FORMULA_PRODUCT,
                                  bmsim_abi::FORMULA_POWER, bmsim_abi::FORMULA_CALL};
    const size_t index = operation.what == What::input  ? operation.input - 2
                         : operation.what == What::call ? static_cast<size_t>(operation.function - functions().data())
                                                        : 0;
    result.operations.push_back({steps[static_cast<size_t>(operation.what)], static_cast<uint32_t>(index),
                                 static_cast<uint32_t>(result.arguments.size()), static_cast<uint32_t>(operation.count),
                                 static_cast<uint32_t>(slot[i]), operation.number});
    for (const Argument& a : arguments)
      result.arguments.push_back({static_cast<uint32_t>(slot[a.operation]), a.weight});
    for (const Argument& a : arguments)
      if (last[a.operation] == i) in_use[slot[a.operation]] = false;
  }
  result.slots = static_cast<uint32_t>(in_use.size());
  return result;
}

}  // namespace bmsim::formula
