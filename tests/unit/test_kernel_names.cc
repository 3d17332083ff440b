// No text of a script is in a kernel: names may be anything to a compiler.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include "../physics/systems.h"
#include "compose/composer.h"
#include "formula/functions.h"
#include "message_of.h"
#include "model/formula_plugin.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const std::vector<std::string> keywords = {
    "alignas",    "alignof",    "and",        "and_eq",       "asm",           "auto",          "bitand",
    "bitor",      "bool",       "break",      "case",         "catch",         "char",          "char8_t",
    "char16_t",   "char32_t",   "class",      "compl",        "concept",       "const",         "consteval",
    "constexpr",  "constinit",  "const_cast", "continue",     "co_await",      "co_return",     "co_yield",
    "decltype",   "default",    "delete",     "do",           "double",        "dynamic_cast",  "else",
    "enum",       "explicit",   "export",     "extern",       "false",         "float",         "for",
    "friend",     "goto",       "inline",     "int",          "long",          "mutable",       "namespace",
    "new",        "noexcept",   "not",        "not_eq",       "nullptr",       "operator",      "or",
    "or_eq",      "private",    "protected",  "public",       "register",      "requires",      "restrict",
    "return",     "short",      "signed",     "sizeof",       "static",        "static_assert", "static_cast",
    "struct",     "switch",     "template",   "this",         "thread_local",  "throw",         "true",
    "try",        "typedef",    "typeid",     "typename",     "union",         "unsigned",      "using",
    "virtual",    "void",       "volatile",   "wchar_t",      "while",         "xor",           "xor_eq",
    "__global__", "__device__", "__shared__", "__restrict__", "__attribute__", "__LINE__",      "NULL",
    "NAN",        "INFINITY",   "linux",      "unix",         "errno",         "main",          "std"};
const std::vector<std::string> odd = {"_",  "__",  "_A",    "a__b",     "k0",
                                      "k1", "k99", "t0",    "t1",       "u",
                                      "v",  "w",   "f",     "p",        "x0",
                                      "X",  "T",   "P",     "H",        "N",
                                      "U",  "c0",  "phase", "unused_0", std::string(300, 'l')};

/// All that the composer writes for a model.
std::string generated(const Model& model) {
  std::string all;
  for (const char* name : generated_files)
    all += generated_file(model, {.method = Method::heun, .increments = Increments::gaussian}, name);
  return all;
}

/// A model of one variable with a parameter of this name.
Model formula_model(const std::string& name) {
  Model model = make_model({});
  const std::vector<std::string> parameters = {name, "other"};
  model.add(formula_plugin(BM_POTENTIAL, fmt::format("{0}*x^2/2 - other*cos(x - {0}*t)", name), parameters), "");
  return model;
}

/// A system in which all that a script names has a name that begins with this one.
Model system_model(const std::string& name) {
  const std::string variable = name, parameter = name + "1", field = name + "2", definition = name + "3",
                    event = name + "4", own = name + "5", energy = name + "6";
  Model model = make_model({});
  model.make_system({{variable, true}, {"y"}}, {parameter, "x"}, {{definition, fmt::format("{}^2", variable)}});
  model.add_fields({{field, definition}});
  model.add(BM_NOISE, "gaussian", name + "7", "y");
  model.add_amplitude(name + "7", {"", fmt::format("sqrt(1 + {}*{})", own, definition)}, {own});
  model.add_event({.name = event, .trigger = "rate", .formula = own + "*x", .set = {{variable, own + "*N"}}}, {own});
  model.add_energy(fmt::format("{}*{}*y", energy, variable), std::vector<std::string>{energy}, name + "8");
  model.set_equations({fmt::format("{0}*{1} - x*{2} - v_{2}", parameter, field, variable), "x - y"});
  model.add_observed({{fmt::format("{}*{}", parameter, definition)}});
  return model;
}

std::set<std::string> words_of(const std::string& text) {
  static const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
  std::set<std::string> words;
  for (auto one = std::sregex_iterator(text.begin(), text.end(), word); one != std::sregex_iterator(); ++one)
    words.insert(one->str());
  return words;
}

}  // namespace

TEST_CASE("Kernel names: a kernel does not depend on what a formula's parameters are called") {
  std::set<std::string> words = words_of(compose(formula_model("a"), {}));
  words.insert(keywords.begin(), keywords.end());
  words.insert(odd.begin(), odd.end());
  REQUIRE(words.contains("real"));
  REQUIRE(words.contains("VARIABLES"));
  for (const char* taken : {"x", "t", "pi", "L", "other"}) words.erase(taken);
  for (const std::string& word : words) {
    if (formula::find_function(word) != nullptr) continue;
    CAPTURE(word);
    CHECK(generated(formula_model(word)) == generated(formula_model(word + "_q")));
  }
}

TEST_CASE("Kernel names: nor on the names of a system, its variables, fields, events and definitions") {
  std::vector<std::string> words = odd;
  std::erase_if(words, [](const std::string& word) { return word == "v" || word == "N" || word == "U"; });  // refused
  for (const char* word : {"real", "new", "class", "int", "VARIABLES", "BM_FN", "gather", "Parameters"})
    words.emplace_back(word);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(generated(system_model(word)) == generated(system_model(word + "_q")));
  }
}
