#include "observe/of_formula.h"

#include <algorithm>

#include "error.h"
#include "observe/known.h"

namespace bmsim {

namespace {

std::string without_spaces(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

void check_name(const ObservableRequest& request, const std::string& name) {
  if (!is_name(name))
    fail("observe.{}: name must be letters, digits and '_', no digit first, got '{}'", request.name, name);
  if (name.starts_with("v_") || name.ends_with("time") || name.ends_with("err"))
    fail("observe.{}: name must not begin with v_ nor end in time or err, as other results do, got '{}'", request.name,
         name);
}

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, is_word_character);
}

std::vector<std::string> divided(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = without_spaces(part);
  return parts;
}

std::vector<ObservedName> observed_names(const ObservableRequest& request) {
  const auto name_word = request.words.find("name");
  const std::vector<std::string> names =
      name_word == request.words.end() ? std::vector<std::string>() : divided(name_word->second);
  std::vector<ObservedName> observed;
  size_t formulas = 0;
  for (const std::string& text : divided(request.words.at("of"))) {
    if (is_name(text)) {
      observed.push_back({text, text});
      continue;
    }
    if (formulas == names.size())
      fail("observe.{}: of: a formula must be given a name, as in {{ of = \"{}\", name = \"r\" }}", request.name, text);
    check_name(request, names[formulas]);
    observed.push_back({text, names[formulas++]});
  }
  if (formulas < names.size())
    fail("observe.{}: name: there must be as many as formulas in of, {}, got {}", request.name, formulas, names.size());
  return observed;
}

void note_formulas(const ObservableRequest& request, std::vector<ObservedVariable>& variables,
                   std::span<const std::string> definitions) {
  const std::vector<ObservedName> observed = observed_names(request);
  const ObservableKind& kind = observable_kind(request.name);
  for (const auto& [text, name] : observed) {
    const bool formula = text != name;
    const auto variable = std::ranges::find(variables, name, &ObservedVariable::name);
    if (variable != variables.end()) {
      if (!variable->is_formula() && formula)
        fail("observe.{}: name must not be that of a variable, got '{}'", request.name, name);
      if (variable->is_formula() && variable->formula != text)
        fail("observe.{}: name '{}' must stand for one formula, got {} and {}", request.name, name, variable->formula,
             text);
      continue;
    }
    const bool velocity = kind.of_plain_velocities && observed.size() == 1 &&
                          std::ranges::any_of(variables, [&name = name](const ObservedVariable& other) {
                            return other.inertial && name == "v_" + other.name;
                          });
    const bool defined = std::ranges::count(definitions, name) > 0;
    if (!formula && !velocity && !defined) continue;  // unknown, or a velocity by the observable's own word
    if (!kind.of_formulas) {
      std::vector<std::string_view> names_of_kinds;
      for (const ObservableKind* candidate : observable_kinds())
        if (candidate->of_formulas) names_of_kinds.emplace_back(candidate->name);
      std::ranges::sort(names_of_kinds);
      fail("observe.{}: of must be a variable, got the formula {}; of formulas are {}", request.name, text,
           fmt::join(names_of_kinds, ", "));
    }
    if (defined) check_name(request, name);
    variables.push_back({.name = name, .formula = text, .asked_by = request.name});
  }
}

int sample_index(size_t variable, bool velocity, std::span<const ObservedVariable> variables) {
  size_t positions = 0, velocities = 0, before = 0;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].is_formula()) continue;
    ++positions;
    velocities += variables[i].inertial ? 1 : 0;
    before += variables[i].inertial && i < variable ? 1 : 0;
  }
  if (velocity) return static_cast<int>(positions + before);
  return static_cast<int>(variable < positions ? variable : variable + velocities);
}

}  // namespace bmsim
