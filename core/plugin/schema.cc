// Parameters by name, their bounds, and the values of a component at one point.
#include "plugin/schema.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <sstream>

#include "error.h"

namespace bmsim {
namespace {

using Names = std::vector<std::string>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::span<const bm_parameter> parameters_of(const Plugin& plugin) {
  return {plugin->parameters, plugin->parameter_count};
}

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Names> parametrisations_of(const Plugin& plugin) {
  std::vector<Names> all;
  for (const bm_parametrisation& one : std::span(plugin->parametrisations, plugin->parametrisation_count)) {
    std::istringstream text(one.names);
    Names names;
    for (std::string name; text >> name;) names.push_back(name);
    all.push_back(std::move(names));
  }
  return all;
}

/// The linked parameters, in the order of the descriptor.
Names linked_names(const Plugin& plugin, const std::vector<Names>& all) {
  Names linked;
  for (const bm_parameter& parameter : parameters_of(plugin)) {
    const auto has_it = [&](const Names& names) { return contains(names, parameter.name); };
    if (std::any_of(all.begin(), all.end(), has_it)) linked.emplace_back(parameter.name);
  }
  return linked;
}

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
                              const std::vector<Names>& all) {
  constexpr std::array<std::string_view, 5> words = {"none", "one", "two", "three", "four"};
  std::vector<std::string> sets;
  sets.reserve(all.size());
  for (const Names& names : all) sets.push_back(fmt::format("{}", fmt::join(names, " ")));
  const size_t size = all[0].size();
  const auto same_size = [&](const Names& names) { return names.size() == size; };
  // Where every choice of so many determines the others, that is the shortest way to say it.
  const bool any_choice = size < words.size() && std::all_of(all.begin(), all.end(), same_size) &&
                          all.size() == combinations(linked.size(), size);
  if (any_choice)
    fail("{}: {} are linked: give {} of {} (one of: {})", subject, listed(given), words[size], fmt::join(linked, ", "),
         fmt::join(sets, " | "));
  fail("{}: {} are linked: give one of: {}", subject, listed(given), fmt::join(sets, " | "));
}

/// Index of the first parametrisation that contains every linked parameter given; 0 where there is none to choose.
uint32_t choose(const std::vector<Names>& all, const Names& linked, const Given& given, std::string_view subject) {
  if (all.empty()) return 0;
  Names wanted;
  for (const std::string& name : linked)
    if (given.contains(name)) wanted.push_back(name);
  for (uint32_t which = 0; which < all.size(); ++which) {
    const auto in_set = [&](const std::string& name) { return contains(all[which], name); };
    if (std::all_of(wanted.begin(), wanted.end(), in_set)) return which;
  }
  fail_linked(subject, wanted, linked, all);
}

/// "must be > 0, got -1"; empty if the value is allowed.
std::string problem(const bm_parameter& p, double value) {
  const std::string bounds = bounds_text(p);
  if (std::isnan(value)) return fmt::format("must be {}, got nan", bounds == "any" ? "a number" : bounds);
  const bool above = p.bound & BM_LOWER_OPEN ? value > p.lower : value >= p.lower;
  const bool below = p.bound & BM_UPPER_OPEN ? value < p.upper : value <= p.upper;
  if (!above || !below) return fmt::format("must be {}, got {}", bounds, value);
  return std::isinf(value) ? fmt::format("must be finite, got {}", value) : "";
}

void derive(const Plugin& plugin, uint32_t which, std::vector<double>& values, std::string_view subject) {
  if (!plugin->derive) return;
  std::array<char, 256> message{};
  const int status = plugin->derive(which, values.data(), message.data(), message.size());
  message.back() = '\0';
  if (status != 0)
    fail("{}: {}", subject, message[0] ? message.data() : "the values given are refused, without a reason");
}

/// Checks what derive made; linked parameters outside `chosen` follow from those in it.
void check_derived(const Plugin& plugin, const std::vector<double>& values, const Names& linked, const Names& chosen,
                   std::string_view subject) {
  for (const bm_parameter& parameter : parameters_of(plugin)) {
    const std::string what = problem(parameter, values[parameter.slot]);
    if (what.empty()) continue;
    if (contains(linked, parameter.name) && !contains(chosen, parameter.name))
      fail("{}: {} {} (derived from {})", subject, parameter.name, what, fmt::join(chosen, ", "));
    fail("{}: {} {}", subject, parameter.name, what);
  }
  for (const bm_constant& constant : std::span(plugin->constants, plugin->constant_count))
    if (std::isnan(values[constant.slot]))
      fail("{}: the plugin's constant {} must be a number, got nan", subject, constant.name);
}

/// Twice the number of edits (insert, delete, replace, swap neighbours) from a to b; a letter's case is half an edit.
size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = 2 * (i + j);
        continue;
      }
      const size_t replace = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      d[i][j] = std::min({d[i - 1][j] + 2, d[i][j - 1] + 2, d[i - 1][j - 1] + replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 2);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
  std::string nearest;
  size_t least = std::numeric_limits<size_t>::max();
  for (const std::string& candidate : known) {
    const size_t length = std::max(name.size(), candidate.size());
    const size_t distance = edit_distance(name, candidate);
    // One edit in three letters, but never all of them: 'b' is not a misspelt 'a'.
    if (distance > std::max<size_t>(2, 2 * (length / 3)) || distance >= 2 * length || distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string bounds_text(const bm_parameter& p) {
  const bool lower_open = p.bound & BM_LOWER_OPEN;
  const bool upper_open = p.bound & BM_UPPER_OPEN;
  if (std::isinf(p.lower) && std::isinf(p.upper)) return "any";
  if (std::isinf(p.upper)) return fmt::format("{} {}", lower_open ? ">" : ">=", p.lower);
  if (std::isinf(p.lower)) return fmt::format("{} {}", upper_open ? "<" : "<=", p.upper);
  return fmt::format("in {}{}, {}{}", lower_open ? '(' : '[', p.lower, p.upper, upper_open ? ')' : ']');
}

const bm_parameter& find_parameter(const Plugin& plugin, std::string_view name) {
  Names known;
  for (const bm_parameter& parameter : parameters_of(plugin)) {
    if (parameter.name == name) return parameter;
    known.emplace_back(parameter.name);
  }
  const std::string unknown = fmt::format("{}: unknown parameter '{}'", plugin.full_name(), name);
  if (known.empty()) fail("{}; it has no parameters", unknown);
  const std::string nearest = nearest_name(name, known);
  if (nearest.empty()) fail("{}; known: {}", unknown, fmt::join(known, ", "));
  const bm_parameter& meant = find_parameter(plugin, nearest);
  const std::string bounds = bounds_text(meant);
  fail("{}; did you mean '{}'? ({}{})", unknown, nearest, meant.doc, bounds == "any" ? "" : ", " + bounds);
}

void check_value(std::string_view subject, const bm_parameter& parameter, double value) {
  const std::string what = problem(parameter, value);
  if (!what.empty()) fail("{}: {} {}", subject, parameter.name, what);
}

std::vector<double> resolve(const Plugin& plugin, const Given& given, std::string_view subject) {
  for (const auto& [name, value] : given) check_value(subject, find_parameter(plugin, name), value);
  const std::vector<Names> all = parametrisations_of(plugin);
  const Names linked = linked_names(plugin, all);
  const uint32_t which = choose(all, linked, given, subject);
  const Names chosen = all.empty() ? Names() : all[which];

  std::vector<double> values(plugin->value_count, nan);
  for (const bm_parameter& parameter : parameters_of(plugin)) {
    if (contains(linked, parameter.name) && !contains(chosen, parameter.name)) continue;  // derive fills it in
    const auto found = given.find(std::string_view(parameter.name));
    values[parameter.slot] = found == given.end() ? parameter.value : found->second;
  }
  derive(plugin, which, values, subject);
  check_derived(plugin, values, linked, chosen, subject);
  return values;
}

double time_scale(const Plugin& plugin, std::span<const double> values, std::string_view subject) {
  if (!plugin->time_scale) return std::numeric_limits<double>::infinity();
  const double scale = plugin->time_scale(values.data());
  if (!(scale > 0)) fail("{}: its time scale must be > 0, got {}", subject, scale);
  return scale;
}

double period(const Plugin& plugin, std::span<const double> values, std::string_view subject) {
  if (!plugin->period) return 0;
  const double length = plugin->period(values.data());
  if (!(length > 0 && std::isfinite(length))) fail("{}: its period must be > 0 and finite, got {}", subject, length);
  return length;
}

}  // namespace bmsim
