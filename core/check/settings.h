// Values at which a plugin is checked: its defaults, every word of a choice, and sets drawn within the bounds.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/schema.h"

namespace bmsim::checks {

/// Parameters as a script might give them, and the values that follow from them.
struct Setting {
  Given given;
  Lists lists;
  std::string words;  ///< "defaults"; "lambda = 2.1, law = constant"
  Resolved resolved;
};

struct Settings {
  std::vector<Setting> all;  ///< the defaults first
  std::string refusal;       ///< if `all` is empty: why the defaults are refused
  std::string broken;        ///< what derive left unset at values that it accepted, "" for nothing
};

/// The settings of a plugin, without values that it refuses. Lists get a few numbers, ascending ones if no others are
/// accepted.
Settings make_settings(const Plugin& plugin);

/// The names of linked parameters in each parametrisation.
std::vector<std::vector<std::string>> linked_sets(const Plugin& plugin);

/// Uniform random numbers, the same on every machine.
class Draw {
 public:
  double operator()(double low, double high);

 private:
  uint64_t state_ = 1;
};

}  // namespace bmsim::checks
