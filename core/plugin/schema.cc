// Parameters, lists and words by name; bounds of parameters and lists; the values of a component at one point.
#include "plugin/schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "error.h"
#include "nearest_name.h"
#include "numbers.h"

namespace bmsim {

namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) { return std::ranges::count(names, name) > 0; }

/// "lambda, D and a"
std::string listed(const Names& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

size_t combinations(size_t n, size_t k) {
  size_t result = 1;
  for (size_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

[[noreturn]] void fail_linked(std::string_view subject, const Names& given, const Names& linked,
                              const std::vector<Names>& parametrisations) {
  constexpr std::array<std::string_view, 5> words = {"none", "one", "two", "three", "four"};
  std::vector<std::string> sets;
  sets.reserve(parametrisations.size());
  for (const Names& names : parametrisations) sets.push_back(fmt::format("{}", fmt::join(names, " ")));
  const size_t size = parametrisations[0].size();
  const auto same_size = [&](const Names& names) { return names.size() == size; };
  // If any `size` of the names determine the others, this is the shortest text.
  const bool any_choice = size < words.size() && std::ranges::all_of(parametrisations, same_size) &&
                          parametrisations.size() == combinations(linked.size(), size);
  if (any_choice)
    fail("{}: {} are linked: give {} of {} (one of: {})", subject, listed(given), words[size], fmt::join(linked, ", "),
         fmt::join(sets, " | "));
  fail("{}: {} are linked: give one of: {}", subject, listed(given), fmt::join(sets, " | "));
}

/// Index of the first parametrisation that contains every linked parameter given; 0 for a plugin without any.
uint32_t choose(const std::vector<Names>& parametrisations, const Names& linked, const Given& given,
                std::string_view subject) {
  if (parametrisations.empty()) return 0;
  for (uint32_t index = 0; index < parametrisations.size(); ++index) {
    const auto fits = [&](const std::string& name) {
      return contains(parametrisations[index], name) || !given.contains(name);
    };
    if (std::ranges::all_of(linked, fits)) return index;
  }
  Names wanted;
  std::ranges::copy_if(linked, std::back_inserter(wanted), [&](const auto& name) { return given.contains(name); });
  fail_linked(subject, wanted, linked, parametrisations);
}

/// Number of the words that words_in finds.
size_t count_words(std::string_view text) {
  constexpr std::string_view space = " \t\n\v\f\r";
  size_t words = 0;
  for (size_t end = 0, begin; (begin = text.find_first_not_of(space, end)) != text.npos; ++words)
    end = std::min(text.find_first_of(space, begin), text.size());
  return words;
}

/// "must be > 0, got -1"; empty if the value is allowed. The value of a choice is the index of its word.
std::string problem(const bm_parameter& p, double value) {
  if (p.choices) {
    const bool index = value >= 0 && value < static_cast<double>(count_words(p.choices)) && value == std::floor(value);
    return index ? "" : fmt::format("must be {}, got {}", bounds_text(p), value);
  }
  if (std::isnan(value)) {
    const std::string bounds = bounds_text(p);
    return fmt::format("must be {}, got nan", bounds == "any" ? "a number" : bounds);
  }
  const bool above = p.bound & BM_LOWER_OPEN ? value > p.lower : value >= p.lower;
  const bool below = p.bound & BM_UPPER_OPEN ? value < p.upper : value <= p.upper;
  if (!above || !below) return fmt::format("must be {}, got {}", bounds_text(p), value);
  return std::isinf(value) ? fmt::format("must be finite, got {}", value) : "";
}

void derive(const Plugin& plugin, const bm_context& context, std::vector<double>& values, std::string_view subject) {
  context.message[0] = '\0';
  const int status = plugin.derive(context, values.data());
  context.message[context.capacity - 1] = '\0';
  if (status != 0)
    fail("{}: {}", subject, context.message[0] ? context.message : "the values given are refused, without a reason");
}

/// Checks the values that derive has filled in. Linked parameters outside `chosen` follow from those in it. They may be
/// infinite without friction, as the temperature of a noise is.
void check_derived(const Plugin& plugin, const std::vector<double>& values, const Names& linked, const Names& chosen,
                   double gamma, std::string_view subject) {
  for (const bm_parameter& parameter : plugin.parameters()) {
    const std::string what = problem(parameter, values[parameter.slot]);
    if (what.empty()) continue;
    const bool follows = contains(linked, parameter.name) && !contains(chosen, parameter.name);
    const double value = values[parameter.slot];
    if (follows && gamma == 0 && std::isinf(value) && value == parameter.upper) continue;
    if (follows) fail("{}: {} {} (derived from {})", subject, parameter.name, what, fmt::join(chosen, ", "));
    fail("{}: {} {}", subject, parameter.name, what);
  }
  for (const bm_constant& constant : std::span(plugin->constants, plugin->constant_count))
    if (std::isnan(values[constant.slot]))
      fail("{}: the plugin's constant {} must be a number, got nan", subject, constant.name);
}

void check_given(const Plugin& plugin, const Given& given, std::string_view subject) {
  for (const auto& [name, value] : given) {
    const bm_parameter& parameter = find_parameter(plugin, name);
    const std::string what = problem(parameter, value);
    if (!what.empty()) fail("{}: {} {}", subject, name, what);
  }
}

/// The given lists in the order of the descriptor, empty if left out.
std::vector<bm_numbers> checked_lists(const Plugin& plugin, const Lists& given, std::string_view subject) {
  for (const auto& [name, numbers] : given) check_list(subject, find_list(plugin, name), numbers);
  std::vector<bm_numbers> lists;
  for (const bm_list& list : std::span(plugin->lists, plugin->list_count)) {
    const auto found = given.find(std::string_view(list.name));
    if (found == given.end() && list.least > 0)
      fail("{}: {} must be given ({}, {})", subject, list.name, list.doc, length_text(list));
    if (found == given.end())
      lists.push_back({nullptr, 0});
    else
      lists.push_back({found->second.data(), static_cast<uint32_t>(found->second.size())});
  }
  return lists;
}

std::vector<std::vector<double>> make_arrays(const Plugin& plugin, const bm_context& context,
                                             const std::vector<double>& values, std::string_view subject) {
  std::vector<std::vector<double>> arrays;
  for (uint32_t index = 0; index < plugin->array_count; ++index) {
    arrays.push_back(plugin.array(context, values.data(), index));
    if (std::ranges::any_of(arrays.back(), [](double x) { return std::isnan(x); }))
      fail("{}: the plugin's array {} must be numbers, got nan", subject, plugin->arrays[index].name);
  }
  return arrays;
}

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

std::vector<bm_numbers> spans_of(const std::vector<std::vector<double>>& arrays) {
  std::vector<bm_numbers> spans;
  spans.reserve(arrays.size());
  for (const auto& array : arrays) spans.push_back({array.data(), static_cast<uint32_t>(array.size())});
  return spans;
}
std::vector<bm_numbers> Resolved::spans() const { return spans_of(arrays); }

void check_value(std::string_view subject, const bm_parameter& parameter, double value) {
  if (parameter.choices)
    fail("{}: {} must be one of the words {}, got {}", subject, parameter.name,
         fmt::join(choice_words(parameter), ", "), value);
  const std::string what = problem(parameter, value);
  if (!what.empty()) fail("{}: {} {}", subject, parameter.name, what);
}

void check_list(std::string_view subject, const bm_list& list, std::span<const double> numbers) {
  if (numbers.size() < list.least || numbers.size() > list.most)
    fail("{}: {} must have {}, got {}", subject, list.name, length_text(list), numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      fail("{}: {} must be finite numbers, got {} at number {}", subject, list.name, numbers[i], i + 1);
}

Resolved resolve(const Plugin& plugin, const Given& given, const Lists& lists, ModelNumbers numbers,
                 std::string_view subject) {
  check_given(plugin, given, subject);
  const std::vector<bm_numbers> given_lists = checked_lists(plugin, lists, subject);
  const auto& [parametrisations, linked] = plugin.linked();
  const uint32_t index = choose(parametrisations, linked, given, subject);
  static const Names none;
  const Names& chosen = parametrisations.empty() ? none : parametrisations[index];

  Resolved parameters;
  parameters.values.assign(plugin->value_count, nan);
  for (const bm_parameter& parameter : plugin.parameters()) {
    if (contains(linked, parameter.name) && !contains(chosen, parameter.name)) continue;  // derive fills it in
    const auto found = given.find(std::string_view(parameter.name));
    parameters.values[parameter.slot] = found == given.end() ? parameter.value : found->second;
  }
  std::array<char, 256> message{};
  const bm_context context = {index, numbers.gamma, numbers.mass, given_lists.data(), message.data(), message.size()};
  derive(plugin, context, parameters.values, subject);
  check_derived(plugin, parameters.values, linked, chosen, numbers.gamma, subject);
  parameters.arrays = make_arrays(plugin, context, parameters.values, subject);
  return parameters;
}

double time_scale(const Plugin& plugin, std::span<const double> values, std::string_view subject) {
  const double scale = plugin.time_scale(values.data());
  if (!(scale > 0)) fail("{}: its time scale must be > 0, got {}", subject, scale);
  return scale;
}

double period(const Plugin& plugin, std::span<const double> values, std::string_view subject) {
  const double length = plugin.period(values.data());
  if (!(length >= 0 && std::isfinite(length)))
    fail("{}: its period must be > 0 and finite, or 0 for none, got {}", subject, length);
  return length;
}

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
  return words_in(parameter.choices ? parameter.choices : "");
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
