#include "check/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "check/findings.h"
#include "check/kernels.h"
#include "plan/tails.h"

namespace bmsim::checks {
namespace {

constexpr uint64_t many_paths = 98304;
constexpr double standard_errors = 5;

/// Options of a run whose steps last `steps` time scales of the noise. A noise without a time scale is white. Its step
/// is not 1, so that a wrong power of h shows.
RunOptions law_options(const Plugin& plugin, const Setting& setting, double steps, double longer) {
  const double scale = time_scale(plugin, setting.resolved.values, plugin.full_name());
  RunOptions options;
  options.paths = many_paths;
  options.precision = "double";
  options.observables = {"velocity", "diffusion"};
  options.starts["x"] = StartLaw{};
  options.dt = std::isfinite(scale) ? scale * steps : 0.37;
  options.time = (std::isfinite(scale) ? 24 * scale : 8) * longer;
  options.transient = plugin->state_count > 0 ? 1.0 / 3 : 0;  // by then correlations with the start have decayed
  return options;
}

struct Measured {
  Estimate mean, intensity;
};

bool agrees(const Estimate& measured, double declared) {
  return std::abs(measured.value - declared) <= standard_errors * measured.error + 1e-3 * std::abs(declared) + 1e-9;
}

class Law {
 public:
  Law(const Plugin& plugin, const CheckOptions& check) : plugin_(plugin), check_(check) {}

  /// Messages about the mean and the intensity; "" if they agree.
  std::pair<std::string, std::string> differ(const Setting& setting) const {
    const double* values = setting.resolved.values.data();
    const std::optional<double> mean = plugin_.mean(values), intensity = plugin_.intensity(values);
    const Declared declared{has_heavy_tails(plugin_, values) ? none : mean.value_or(none), intensity.value_or(none)};
    if (std::isnan(declared.mean) && std::isnan(declared.intensity)) return {};
    std::pair<std::string, std::string> words = differ(setting, declared, plugin_.has(BM_EVOLVE) ? 0.1 : 1);
    // The mean of the drift over a step must be right for long steps, too.
    if (words.first.empty() && words.second.empty() && plugin_.has(BM_AVERAGE)) words = differ(setting, declared, 3);
    return words;
  }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  struct Declared {
    double mean, intensity;  // none: not compared
  };
  std::pair<std::string, std::string> differ(const Setting& setting, const Declared& declared, double steps) const {
    std::pair<std::string, std::string> words;
    // The time scale may be shorter than the correlations: if the law does not agree a longer run decides.
    for (const double longer : {1.0, 8.0}) {
      const Measured got = measure(setting, steps, longer);
      words = {};
      const std::string how = steps > 1 ? fmt::format("a run in steps of {} time scales", steps) : "a run";
      if (!std::isnan(declared.mean) && !agrees(got.mean, declared.mean))
        words.first = fmt::format("the mean force must be {:.6g} as mean() declares, got {:.6g} +- {:.2g} in {}",
                                  declared.mean, got.mean.value, got.mean.error, how);
      if (!std::isnan(declared.intensity) && !agrees(got.intensity, declared.intensity))
        words.second = fmt::format(
            "the variance of its time integral must grow as 2 D t with D = {:.6g} as intensity() declares, got D = "
            "{:.6g} +- {:.2g} in {}",
            declared.intensity, got.intensity.value, got.intensity.error, how);
      if (words.first.empty() && words.second.empty()) break;
    }
    return words;
  }

  Measured measure(const Setting& setting, double steps, double longer) const {
    const RunOptions options = law_options(plugin_, setting, steps, longer);
    const Ends ends = run_on_cpu(plain_model(plugin_, setting), Sweep(), options, check_);
    if (!ends.outcome.diverged.empty()) {
      const Divergence& at = ends.outcome.diverged[0];
      fail("path {} is not a finite number any more by step {}", at.path, at.step);
    }
    return {ends.outcome.estimates[0][0], ends.outcome.estimates[1][0]};
  }

  const Plugin& plugin_;
  const CheckOptions& check_;
};

/// Why a number cannot be checked; "" if it is declared at some setting.
template <class Declared>
std::string not_declared(const Plugin& plugin, std::span<const Setting> settings, const char* name,
                         const Declared& declared) {
  for (const Setting& setting : settings) {
    if (plugin->state_count > 0 && std::isinf(plugin.time_scale(setting.resolved.values.data())))
      return "it has states, but no time_scale that says how long to wait for its stationary law";
    const std::optional<double> value = declared(setting.resolved.values.data());
    if (!value) return fmt::format("{}() is not declared", name);
    if (!std::isnan(*value)) return "";
  }
  return fmt::format("{}() is NAN", name);
}

}  // namespace

void check_law(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check,
               const std::function<void(const Finding&)>& tell) {
  const auto mean = [&](const double* values) { return plugin.mean(values); };
  const auto intensity = [&](const double* values) { return plugin.intensity(values); };
  std::string no_mean = not_declared(plugin, settings, "mean", mean);
  const std::string no_intensity = not_declared(plugin, settings, "intensity", intensity);
  if (no_mean.empty() && std::ranges::all_of(settings, [&](const Setting& setting) {
        return has_heavy_tails(plugin, setting.resolved.values.data());
      }))
    no_mean = "there is no variance, and so no standard error to hold a mean to";
  const Law law(plugin, check);
  std::string wrong_mean, wrong_intensity;
  for (const Setting& setting : settings) {
    if (!no_mean.empty() && !no_intensity.empty()) break;
    if (!wrong_mean.empty() || !wrong_intensity.empty()) break;
    try {
      const auto [of_mean, of_intensity] = law.differ(setting);
      if (!of_mean.empty()) wrong_mean = fmt::format("{} ({})", of_mean, setting.words);
      if (!of_intensity.empty()) wrong_intensity = fmt::format("{} ({})", of_intensity, setting.words);
    } catch (const Error& error) {
      return tell(problem("law", fmt::format("{} ({})", error.what(), setting.words)));
    }
  }
  const auto say = [&](const char* what, const std::string& wrong, const std::string& none) {
    tell(!wrong.empty() ? problem(what, wrong) : !none.empty() ? not_checked(what, none) : ok(what));
  };
  say("mean", wrong_mean, no_mean);
  say("intensity", wrong_intensity, no_intensity);
}

}  // namespace bmsim::checks
