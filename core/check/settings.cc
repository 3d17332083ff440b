#include "check/checks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <sstream>

#include "error.h"

namespace bmsim::checks {
namespace {

constexpr size_t drawn = 6, attempts = 96, most_lists = 4;

std::span<const bm_list> lists_of(const Plugin& plugin) { return {plugin->lists, plugin->list_count}; }

/// Three digits, so that what is printed is what was tried.
double rounded(double value) { return std::stod(fmt::format("{:.3g}", value)); }

bool inside(const bm_parameter& p, double value) {
  return (p.bound & BM_LOWER_OPEN ? value > p.lower : value >= p.lower) &&
         (p.bound & BM_UPPER_OPEN ? value < p.upper : value <= p.upper);
}

/// A value within the bounds: of the size of the default, anywhere between finite bounds, or a bound itself.
double draw_value(const bm_parameter& p, Draw& draw) {
  if (p.choices) return std::floor(draw(0, static_cast<double>(choice_words(p).size())));
  for (int attempt = 0; attempt < 32; ++attempt) {
    double value = p.value != 0 ? p.value * std::exp2(draw(-1.3, 1.3)) : draw(-1, 1);
    if (p.lower < 0 && draw(0, 1) < 0.3) value = -value;
    if (std::isfinite(p.lower) && std::isfinite(p.upper)) value = draw(p.lower, p.upper);
    if (const double side = draw(0, 1); side < 0.2) value = side < 0.1 ? p.lower : p.upper;
    if (std::isfinite(value) && inside(p, rounded(value))) return rounded(value);
  }
  return p.value;
}

/// Every combination of lists that are left out, hold arbitrary numbers, or hold ascending ones, all of one length.
std::vector<Lists> list_candidates(const Plugin& plugin, Draw& draw) {
  const auto lists = lists_of(plugin).first(std::min<size_t>(plugin->list_count, most_lists));
  std::vector<Lists> combinations = {{}};
  for (const bm_list& list : lists) {
    std::vector<Lists> longer;
    const uint32_t count = std::clamp<uint32_t>(4, list.least, list.most);
    std::vector<double> arbitrary(count), ascending(count);
    for (uint32_t i = 0; i < count; ++i) arbitrary[i] = rounded(draw(-1, 1));
    for (uint32_t i = 0; i < count; ++i) ascending[i] = rounded((i + draw(0, 0.7)) / count);
    for (const Lists& before : combinations) {
      if (list.least == 0) longer.push_back(before);
      for (const auto& numbers : {arbitrary, ascending}) {
        longer.push_back(before);
        longer.back()[list.name] = numbers;
      }
    }
    combinations = std::move(longer);
  }
  return combinations;
}

std::string words_of(const Plugin& plugin, const Given& given, const Lists& lists) {
  std::vector<std::string> words;
  for (const auto& [name, value] : given) {
    const bm_parameter& p = find_parameter(plugin, name);
    if (p.choices)
      words.push_back(fmt::format("{} = {}", name, choice_words(p)[static_cast<size_t>(value)]));
    else
      words.push_back(fmt::format("{} = {}", name, value));
  }
  for (const auto& [name, numbers] : lists) words.push_back(fmt::format("{} = {{{}}}", name, fmt::join(numbers, ", ")));
  return words.empty() ? "defaults" : fmt::format("{}", fmt::join(words, ", "));
}

class Maker {
 public:
  explicit Maker(const Plugin& plugin)
      : plugin_(plugin), sets_(linked_sets(plugin)), candidates_(list_candidates(plugin, draw_)) {}

  Settings make() {
    add_first({}, 3);
    if (settings_.all.empty()) return std::move(settings_);
    settings_.refusal.clear();
    for (const bm_parameter& p : plugin_.parameters()) {
      if (!p.choices) continue;
      for (size_t word = 0; word < choice_words(p).size(); ++word)
        if (static_cast<double>(word) != p.value) add_first({{p.name, static_cast<double>(word)}}, 1);
    }
    size_t found = 0;
    for (size_t attempt = 0; attempt < attempts && found < drawn; ++attempt) {
      const double share = draw_(0, 1) * static_cast<double>(candidates_.size());
      const size_t lists = std::min(candidates_.size() - 1, static_cast<size_t>(share));
      if (add(draw_given(), candidates_[lists])) ++found;
    }
    return std::move(settings_);
  }

 private:
  /// Adds settings with the first `most` combinations of lists that the plugin accepts.
  void add_first(const Given& given, size_t most) {
    size_t found = 0;
    for (const Lists& lists : candidates_)
      if (found < most && add(given, lists)) ++found;
  }

  bool add(const Given& given, const Lists& lists) {
    Setting setting{given, lists, words_of(plugin_, given, lists), {}};
    if (std::ranges::count(settings_.all, setting.words, &Setting::words) > 0) return false;
    try {
      setting.resolved = resolve(plugin_, given, lists, {}, plugin_.full_name());
    } catch (const Error& error) {
      const std::string why = error.what();
      if (settings_.all.empty() && settings_.refusal.empty()) settings_.refusal = why;
      if (settings_.broken.empty() && why.find("the plugin's ") != why.npos)
        settings_.broken = fmt::format("{} ({})", why, setting.words);
      return false;
    }
    settings_.all.push_back(std::move(setting));
    return true;
  }

  /// All parameters of one parametrisation, and half of the independent ones.
  Given draw_given() {
    Given given;
    std::vector<std::string> chosen;
    if (const size_t sets = sets_.size(); sets > 0)
      chosen = sets_[std::min(sets - 1, static_cast<size_t>(draw_(0, static_cast<double>(sets))))];
    for (const bm_parameter& p : plugin_.parameters()) {
      const std::string name = p.name;
      const bool in_set = std::ranges::count(chosen, name) > 0;
      const auto contains_it = [&](const auto& set) { return std::ranges::count(set, name) > 0; };
      if (!in_set && std::ranges::any_of(sets_, contains_it)) continue;
      if (draw_(0, 1) < 0.6)
        given[name] = draw_value(p, draw_);
      else if (in_set)
        given[name] = p.value;
    }
    return given;
  }

  const Plugin& plugin_;
  Draw draw_;
  std::vector<std::vector<std::string>> sets_;  // of linked parameters
  std::vector<Lists> candidates_;
  Settings settings_;
};

}  // namespace

double Draw::operator()(double low, double high) {  // splitmix64
  uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return low + (high - low) * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

std::vector<std::vector<std::string>> linked_sets(const Plugin& plugin) {
  std::vector<std::vector<std::string>> sets;
  for (const bm_parametrisation& parametrisation : std::span(plugin->parametrisations, plugin->parametrisation_count)) {
    std::istringstream names(parametrisation.names);
    sets.emplace_back(std::istream_iterator<std::string>(names), std::istream_iterator<std::string>());
  }
  return sets;
}

Settings make_settings(const Plugin& plugin) { return Maker(plugin).make(); }

}  // namespace bmsim::checks
