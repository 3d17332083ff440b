// Formulas. The first byte decides: raw text for the parser, or a tree whose text must be legal and whose values and
// derivatives must be those of formula_reference.h.
#include <cmath>
#include <numbers>

#include "error.h"
#include "formula/compiled.h"
#include "formula/parse.h"
#include "formula/program.h"
#include "formula_reference.h"
#include "fuzz.h"

namespace bmsim::fuzz {
namespace {

using formula::Expression;

const std::vector<std::string> variables = {"x", "t"}, parameters = {"a", "b", "L"};

// ---- trees ----

constexpr std::array<double, 16> numbers = {0, 1, 2, 3, 0.5, 10, 1.5, 0.1, 1e-3, 7, 4, 12, 1e16, 1e-9, 1.0 / 3, 1024};
constexpr std::array<const char*, 6> names = {"x", "x", "t", "a", "b", "pi"};
constexpr std::array<std::pair<const char*, int>, 29> operations = {
    {{"+", 2},     {"-", 2},   {"*", 2},     {"/", 2},    {"^", 2},   {"neg", 1},  {"plus", 1}, {"<", 2},
     {">", 2},     {"<=", 2},  {">=", 2},    {"sin", 1},  {"cos", 1}, {"tan", 1},  {"sinh", 1}, {"cosh", 1},
     {"tanh", 1},  {"exp", 1}, {"log", 1},   {"sqrt", 1}, {"abs", 1}, {"sign", 1}, {"min", 2},  {"max", 2},
     {"floor", 1}, {"pow", 2}, {"atan2", 2}, {"mod", 2},  {"if", 3}}};

std::unique_ptr<Tree> leaf(Bytes& bytes) {
  auto made = std::make_unique<Tree>();
  const unsigned kind = bytes.below(8);
  if (kind < 5) {
    made->what = bytes.one_of(names);
    return made;
  }
  made->what = "number";
  made->number =
      kind < 7 ? bytes.one_of(numbers) : std::ldexp(1 + bytes.byte() / 256.0, static_cast<int>(bytes.below(16)) - 8);
  return made;
}

std::unique_ptr<Tree> tree(Bytes& bytes, int depth, int& room) {
  if (depth == 0 || room <= 0 || bytes.empty() || bytes.below(4) == 0) return leaf(bytes);
  const auto& [what, count] = operations[bytes.below(static_cast<unsigned>(operations.size()))];
  auto made = std::make_unique<Tree>();
  made->what = what;
  room -= count;
  for (int i = 0; i < count; ++i) made->parts.push_back(tree(bytes, depth - 1, room));
  return made;
}

double value(Bytes& bytes) {
  const unsigned kind = bytes.below(4);
  const double size =
      std::ldexp(1 + bytes.byte() / 256.0 + bytes.byte() / 65536.0, static_cast<int>(bytes.below(12)) - 6);
  return kind == 0 ? bytes.one_of(numbers) : kind == 1 ? -size : size;
}

// ---- what must hold ----

/// What a legal formula may be refused for: its size, and constants in it.
bool allowed(std::string_view message) {
  for (const char* words : {"this has no finite value", "an exponent must be at most", "nested more than",
                            "a formula must have at most", "a number must lie between", "too large", "too long"})
    if (message.find(words) != message.npos) return true;
  return false;
}

bool is_near(double value, long double expected, long double error) {
  return std::fabs(value - expected) <= 64 * error + 1e-250L;
}

[[noreturn]] void differs(const char* what, const std::string& text, const Values& values, double got,
                          const Worth& expected) {
  std::string at;
  for (const auto& [name, number] : values) at += fmt::format(" {} = {:.17g}", name, number);
  finding(fmt::format("{} of {} at{} is {:.17g}, expected {:.17g} with an error of {:.3g}, derivative {:.17g}, {:.3g}",
                      what, text, at, got, static_cast<double>(expected.v), static_cast<double>(expected.e),
                      static_cast<double>(expected.d), static_cast<double>(expected.de)));
}

double evaluate_list(const formula::OperationList& list, const std::vector<double>& inputs) {
  std::vector<double> slots(list.slots);
  double last = 0;
  for (const bmsim_abi::FormulaOperation& one : list.operations) {
    last = one.number;
    const auto* a = list.arguments.data() + one.first;
    const auto slot = [&](uint32_t k) { return slots[a[k].slot]; };
    if (one.step == bmsim_abi::FORMULA_INPUT) last = inputs[one.which];
    if (one.step == bmsim_abi::FORMULA_POWER) last = std::pow(slot(0), slot(1));
    if (one.step == bmsim_abi::FORMULA_CALL) {
      std::array<double, 4> of{};
      for (uint32_t k = 0; k < one.count; ++k) of[k] = slot(k);
      last = formula::functions()[one.which].value(of.data());
    }
    for (uint32_t k = 0; k < one.count; ++k) {
      if (one.step == bmsim_abi::FORMULA_SUM) last += a[k].weight * slot(k);
      if (one.step == bmsim_abi::FORMULA_PRODUCT) last *= a[k].weight == 1 ? slot(k) : std::pow(slot(k), a[k].weight);
    }
    slots[one.slot] = last;
  }
  return last;
}

/// The forms that an expression takes on the host are worth the same.
void check_forms(const Expression& e, const std::string& text, const Values& values, const Worth& expected) {
  const std::vector<std::string> all = {"x", "t", "a", "b", "L"};
  std::vector<double> inputs;
  for (const std::string& name : all) inputs.push_back(values.at(name));
  const formula::Program program(e, all);
  const double quick = program(0, 0, inputs.data());
  if (!is_near(quick, expected.v, expected.e)) differs("the program", text, values, quick, expected);
  const double listed = evaluate_list(program.list(), inputs);
  if (!is_near(listed, expected.v, expected.e)) differs("the list", text, values, listed, expected);
  try {
    const Expression again = formula::parse(formula::text(e), variables, parameters, parameters, "again");
    const double value = evaluate(again, [&](std::string_view name) { return values.find(name)->second; });
    if (!is_near(value, expected.v, expected.e)) differs("what text() wrote", text, values, value, expected);
  } catch (const Error& error) {
    if (!allowed(error.what())) finding(fmt::format("text() of {}: {}", text, error.what()));
  }
}

void check_tree(Bytes& bytes) {
  Values values = {{"L", 1}};
  for (const char* name : {"x", "t", "a", "b"}) values[name] = value(bytes);
  int room = 40;
  const auto made = tree(bytes, 7, room);
  const std::string text = written(*made);
  Expression e;
  try {
    e = formula::parse(text, variables, parameters, parameters, "formula");
  } catch (const Error& error) {
    if (!allowed(error.what())) finding(fmt::format("a legal formula: {}", error.what()));
    return;
  }
  const Worth expected = worth(*made, values);
  if (!expected.known) return;
  const formula::Lookup lookup = [&](std::string_view name) { return values.find(name)->second; };
  const double got = evaluate(e, lookup);
  if (!is_near(got, expected.v, expected.e)) differs("the value", text, values, got, expected);
  check_forms(e, text, values, expected);
  if (!expected.slope_known) return;
  const double slope = evaluate(derivative(e, "x"), lookup);
  if (!is_near(slope, expected.d, expected.de)) differs("the derivative", text, values, slope, expected);
}

/// A potential and a drive of any text: made, or refused in words.
void check_text(std::string_view text) {
  for (const bool is_drive : {false, true}) {
    try {
      const std::vector<std::string> used = {"a", "L"};
      const formula::Compiled made =
          is_drive ? formula::compile_drive(text, used, "formula") : formula::compile_potential(text, used, "formula");
      const formula::Lookup lookup = [](std::string_view name) { return name == "a" ? 0.7 : 1.3; };
      constant_values(made, lookup, "formula");
      shortest_period(made.phases, lookup);
      energy_at(made, 0.3, 0.2, lookup);
      force_at(made, 0.3, 0.2, lookup);
      switches(made.formula);
      formula::text(made.force);
    } catch (const Error& error) {
      const std::string_view message = error.what();
      if (!message.starts_with("formula: ")) finding(fmt::format("a message without its subject: {}", message));
      check_message(message, text);
    }
  }
}

}  // namespace

void formula(std::string_view input) {
  Bytes bytes(input);
  if (bytes.byte() % 4 == 0)
    check_text(bytes.rest());
  else
    check_tree(bytes);
}

}  // namespace bmsim::fuzz
