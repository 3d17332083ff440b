// The checks of a plugin's host functions, of the law that a noise declares, and of kernels.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "check/check.h"
#include "engine/run.h"
#include "error.h"
#include "plugin/schema.h"

namespace bmsim::checks {

// Values at which a plugin is checked: its defaults, every word of a choice, and sets drawn within the bounds.

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

/// The settings of a plugin, without values that it refuses. Lists get a few numbers, ascending if they must be.
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

inline Finding ok(std::string what, std::string words = "") { return {std::move(what), Verdict::ok, std::move(words)}; }
inline Finding problem(std::string what, std::string words) {
  return {std::move(what), Verdict::problem, std::move(words)};
}
inline Finding not_checked(std::string what, std::string why) {
  return {std::move(what), Verdict::not_checked, std::move(why)};
}

/// The first problem over all settings. find(setting) returns what is wrong, or "". An Error is a problem, too.
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

/// Checks that derive gives the same values when it is called again.
Finding check_repeated(const Plugin& plugin, std::span<const Setting> settings);
/// Checks that values made by one parametrisation are reproduced through the others.
Finding check_round_trip(const Plugin& plugin, std::span<const Setting> settings);
/// Checks that the time scale is > 0, and for a drive finite.
Finding check_time_scale(const Plugin& plugin, std::span<const Setting> settings);

/// Checks the force against differences of V, the period, BM_SMOOTH and the segments. Also of several variables.
void check_potential(const Plugin& plugin, std::span<const Setting> settings,
                     const std::function<void(const Finding&)>& tell);
/// Checks that the force is periodic.
Finding check_drive(const Plugin& plugin, std::span<const Setting> settings);

/// Checks the mean force on a free particle and the growth of its variance against the declared mean and intensity.
void check_law(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check,
               const std::function<void(const Finding&)>& tell);
/// Checks a bm_chain or bm_kicks against the declared mean and intensity, without a run. Else tells nothing.
void check_declared_law(const Plugin& plugin, std::span<const Setting> settings,
                        const std::function<void(const Finding&)>& tell);
/// Checks that no state is read before it is set: runs that begin with other values in the states must give the same.
Finding check_states(const Plugin& plugin, const Setting& setting, const CheckOptions& check);

/// Checks that `waiting` and `event` work for groups of trajectories, for which method exact calls them.
Finding check_groups(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check);

// Checks of the device text: models with the plugin are compiled, and run for a short time on the CPU.

constexpr const char* precisions[] = {"single", "double"};

/// An overdamped model of the plugin at a setting, and nothing else.
Model plain_model(const Plugin& plugin, const Setting& setting);

/// Compiles every distinct text of the settings for the CPU, and one for NVRTC's newest architecture. Returns whether
/// all kernels for the CPU compile.
bool check_kernels(const Plugin& plugin, std::span<const Setting> settings,
                   const std::function<void(const Finding&)>& tell);

/// First and last positions of all paths of a run, in units of length, by point, then by variable.
struct Ends {
  std::vector<std::vector<double>> start, end;
  std::vector<double> duration;
  RunOutcome outcome;
};
Ends run_on_cpu(const Model& model, const Sweep& sweep, RunOptions options, const CheckOptions& check);

/// Checks that a kernel's force of a potential, or of a drive, is the host function's.
Finding check_device_force(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check);

}  // namespace bmsim::checks
