// Findings, and the search for the first problem over the settings of a plugin.
#pragma once
#include <span>
#include <string>
#include <utility>

#include "check/check.h"
#include "check/settings.h"
#include "error.h"

namespace bmsim::checks {

inline Finding ok(std::string what, std::string words = "") { return {std::move(what), Verdict::ok, std::move(words)}; }
inline Finding problem(std::string what, std::string words) {
  return {std::move(what), Verdict::problem, std::move(words)};
}
inline Finding not_checked(std::string what, std::string why) {
  return {std::move(what), Verdict::not_checked, std::move(why)};
}

/// The first problem over all settings. find(setting) returns what is wrong, or "". An Error that it throws is a
/// problem, too.
template <class Find> Finding check_settings(std::string what, std::span<const Setting> settings, const Find& find) {
  for (const Setting& setting : settings) {
    std::string words;
    try {
      words = find(setting);
    } catch (const Error& error) {
      words = error.what();
    }
    if (!words.empty()) return problem(std::move(what), fmt::format("{} ({})", words, setting.words));
  }
  return ok(std::move(what));
}

}  // namespace bmsim::checks
