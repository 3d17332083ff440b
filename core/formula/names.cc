// Names in formulas.
#include "formula/names.h"

#include <algorithm>
#include <set>

#include "error.h"
#include "formula/functions.h"

namespace bmsim::formula {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool begins_name(char c) { return c == '_' || (lower(c) >= 'a' && lower(c) <= 'z'); }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }
bool is_name(std::string_view word) {
  return !word.empty() && begins_name(word[0]) && std::ranges::all_of(word, continues_name);
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (size_t at = 0, end = 0; at < text.size(); at = std::max(end, at + 1)) {
    for (end = at; end < text.size() && continues_name(text[end]);) ++end;
    const std::string_view word = text.substr(at, end - at);
    const size_t next = text.find_first_not_of(" \t\r\n", end);
    const bool called = next != text.npos && text[next] == '(';
    if (is_name(word) && !called && known.insert(word).second) names.emplace_back(word);
  }
  return names;
}

void check_parameters(std::span<const std::string> variables, std::span<const std::string> parameters,
                      std::string_view subject) {
  if (parameters.size() > most_parameters)
    fail("{}: there must be at most {} parameters, got {}", subject, most_parameters, parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i];
    if (!is_name(name))
      fail("{}: a parameter's name must be letters, digits and '_', no digit first, got '{}'", subject, name);
    if (find_function(name)) fail("{}: a parameter must not have the name of a function, got '{}'", subject, name);
    if (name == "pi" || name == "x" || name == "t" || std::ranges::count(variables, name))
      fail("{}: a parameter must not be called x, t or pi, got '{}'", subject, name);
    if (std::ranges::count(parameters.first(i), name)) fail("{}: parameter '{}' is there twice", subject, name);
  }
}

void check_names(std::span<const std::string> names, std::string_view subject) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (!is_name(name)) fail("{}: a name must be letters, digits and '_', no digit first, got '{}'", subject, name);
    if (find_function(name)) fail("{}: a name must not be that of a function, got '{}'", subject, name);
    if (name == "pi" || name == "t") fail("{}: a name must not be t or pi, got '{}'", subject, name);
    if (std::ranges::count(names.first(i), name)) fail("{}: '{}' must not be the name of two things", subject, name);
  }
}

}  // namespace bmsim::formula
