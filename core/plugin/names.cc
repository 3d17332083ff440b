// Parameters, lists and words by name.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "error.h"
#include "nearest_name.h"
#include "plugin/schema.h"

namespace bmsim {
namespace {

std::span<const bm_list> lists_of(const Plugin& plugin) { return {plugin->lists, plugin->list_count}; }

const bm_parameter* parameter_named(const Plugin& plugin, std::string_view name) {
  for (const bm_parameter& parameter : plugin.parameters())
    if (parameter.name == name) return &parameter;
  return nullptr;
}

/// "intensity lambda zeta^2, > 0"
std::string meaning(const Plugin& plugin, std::string_view name) {
  if (const bm_list* list = list_named(plugin, name)) return fmt::format("{}, {}", list->doc, length_text(*list));
  const bm_parameter& parameter = *parameter_named(plugin, name);
  const std::string bounds = bounds_text(parameter);
  return bounds == "any" ? parameter.doc : fmt::format("{}, {}", parameter.doc, bounds);
}

[[noreturn]] void fail_unknown(const Plugin& plugin, std::string_view name) {
  std::vector<std::string> known;
  for (const bm_parameter& parameter : plugin.parameters()) known.emplace_back(parameter.name);
  for (const bm_list& list : lists_of(plugin)) known.emplace_back(list.name);
  const std::string unknown = fmt::format("{}: unknown parameter '{}'", plugin.full_name(), name);
  if (known.empty()) fail("{}; it has no parameters", unknown);
  const std::string nearest = nearest_name(name, known);
  if (nearest.empty()) fail("{}; known: {}", unknown, fmt::join(known, ", "));
  fail("{}; did you mean '{}'? ({})", unknown, nearest, meaning(plugin, nearest));
}

}  // namespace

std::string bounds_text(const bm_parameter& p) {
  if (p.choices) return fmt::format("one of {}", fmt::join(choice_words(p), ", "));
  const bool lower_open = p.bound & BM_LOWER_OPEN;
  const bool upper_open = p.bound & BM_UPPER_OPEN;
  if (std::isinf(p.lower) && std::isinf(p.upper)) return "any";
  if (std::isinf(p.upper)) return fmt::format("{} {}", lower_open ? ">" : ">=", p.lower);
  if (std::isinf(p.lower)) return fmt::format("{} {}", upper_open ? "<" : "<=", p.upper);
  return fmt::format("in {}{}, {}{}", lower_open ? '(' : '[', p.lower, p.upper, upper_open ? ')' : ']');
}

std::string length_text(const bm_list& list) {
  if (list.least == list.most) return fmt::format("{} number{}", list.most, list.most == 1 ? "" : "s");
  if (list.most == std::numeric_limits<uint32_t>::max())
    return list.least == 0 ? "any count of numbers" : fmt::format("{} or more numbers", list.least);
  return fmt::format("{} to {} numbers", list.least, list.most);
}

const bm_list* list_named(const Plugin& plugin, std::string_view name) {
  for (const bm_list& list : lists_of(plugin))
    if (list.name == name) return &list;
  return nullptr;
}

const bm_parameter& find_parameter(const Plugin& plugin, std::string_view name) {
  if (const bm_parameter* found = parameter_named(plugin, name)) return *found;
  if (list_named(plugin, name)) fail("{}: {} is a list of numbers, not one number", plugin.full_name(), name);
  fail_unknown(plugin, name);
}

const bm_list& find_list(const Plugin& plugin, std::string_view name) {
  if (const bm_list* found = list_named(plugin, name)) return *found;
  if (const bm_parameter* other = parameter_named(plugin, name))
    fail("{}: {} is one {}, not a list", plugin.full_name(), name, other->choices ? "word" : "number");
  fail_unknown(plugin, name);
}

std::vector<std::string> choice_words(const bm_parameter& parameter) {
  std::istringstream text(parameter.choices ? parameter.choices : "");
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

double choice_value(const Plugin& plugin, std::string_view parameter, std::string_view word, std::string_view subject) {
  const bm_parameter& found = find_parameter(plugin, parameter);
  if (!found.choices) fail("{}: {} must be a number, got '{}'", subject, parameter, word);
  const std::vector<std::string> words = choice_words(found);
  const auto place = std::ranges::find(words, word);
  if (place != words.end()) return static_cast<double>(place - words.begin());
  const std::string nearest = nearest_name(word, words);
  fail("{}: {} must be {}, got '{}'{}", subject, parameter, bounds_text(found), word,
       nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

}  // namespace bmsim
