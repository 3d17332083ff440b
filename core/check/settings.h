// Values at which a plugin is checked: its defaults, every word of a choice, and sets drawn within the bounds.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/schema.h"

namespace bmsim::checks {

/// What a script might give, and what follows from it.
struct Setting {
  Given given;
  Lists lists;
  std::string words;  ///< "defaults"; "lambda = 2.1, law = constant"
  Resolved resolved;
};

struct Settings {
  std::vector<Setting> all;  ///< the defaults first
  std::string refusal;       ///< where all is empty: why the defaults are refused
  std::string broken;        ///< what derive left undone at values that it did not refuse, "" for nothing
};

/// Values that the plugin refuses are left out. Lists get a few numbers, ascending ones where no others are accepted.
Settings make_settings(const Plugin& plugin);

/// Uniform numbers that are the same everywhere.
class Draw {
 public:
  double operator()(double low, double high);

 private:
  uint64_t state_ = 1;
};

}  // namespace bmsim::checks
