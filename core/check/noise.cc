// Checks of the law that a noise declares: by runs, and from its bm_chain or bm_kicks.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "check/checks.h"
#include "matrices.h"
#include "model/memoryless.h"
#include "plan/results.h"

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

// ---- the bm_chain or bm_kicks of a noise against the mean and the intensity that it declares ----

constexpr double rounding = 1e-9;

bool differ(double a, double b, double size) { return !(std::abs(a - b) <= rounding * std::max(std::abs(b), size)); }

/// What follows from a bm_chain or bm_kicks.
struct Numbers {
  double mean, intensity;
};

/// Mean and intensity of a chain, from its stationary law p. The intensity is the integral of the autocorrelation, the
/// sum of p g h with Q h = -g.
Numbers of_chain(const MemorylessNoise& noise) {
  const auto n = static_cast<Eigen::Index>(noise.force.size());
  Eigen::MatrixXd Q = Eigen::MatrixXd::Zero(n, n), law(n + 1, n), potential(n + 1, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k) {
      if (i == k) continue;
      const double rate =
          noise.rate[static_cast<size_t>(i)] * noise.next[static_cast<size_t>(i)][static_cast<size_t>(k)];
      Q(i, k) += rate;
      Q(i, i) -= rate;
    }
  law.topRows(n) = Q.transpose();
  law.row(n).setOnes();
  const Eigen::VectorXd p = matrices::carefully_solved(law, Eigen::VectorXd::Unit(n + 1, n));
  const Eigen::VectorXd f = Eigen::Map<const Eigen::VectorXd>(noise.force.data(), n);
  const double mean = p.dot(f);
  const Eigen::VectorXd g = f.array() - mean;
  potential.topRows(n) = Q;
  potential.row(n) = p.transpose();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 1);
  right.head(n) = -g;
  const Eigen::VectorXd h = matrices::carefully_solved(potential, right);
  return {mean, (p.array() * g.array() * h.array()).sum()};
}

std::string wrong_states(const MemorylessNoise& noise) {
  constexpr size_t most = 64;
  if (noise.force.size() < 2 || noise.force.size() > most)
    return fmt::format("a chain must have 2 to {} states, got {}", most, noise.force.size());
  for (size_t i = 0; i < noise.force.size(); ++i) {
    if (!std::isfinite(noise.force[i])) return fmt::format("the force of state {} must be finite", i);
    if (!(noise.rate[i] > 0 && std::isfinite(noise.rate[i])))
      return fmt::format("the rate of state {} must be > 0, got {}", i, noise.rate[i]);
    double sum = 0;
    for (const double next : noise.next[i]) {
      if (!(next >= 0)) return fmt::format("the probabilities of state {} must be >= 0, got {}", i, next);
      sum += next;
    }
    if (differ(sum, 1, 0)) return fmt::format("the probabilities of state {} must have the sum 1, got {}", i, sum);
  }
  return "";
}

/// Mean velocity and intensity of kicks. Throws Error if their law is wrong.
Numbers of_kicks(const MemorylessNoise& noise) {
  const MemorylessNoise::Kicks& kicks = *noise.kicks;
  const double z = kicks.zeta, squares = z * z;
  struct Law {
    std::string_view word;
    double mean, half_square;
  };
  const std::array laws = {Law{"exponential", z, squares}, Law{"constant", z, squares / 2},
                           Law{"gaussian", z, (squares + kicks.sigma * kicks.sigma) / 2}, Law{"two_sided", 0, squares},
                           Law{"uniform", z, 2 * squares / 3}};
  const auto* law = std::ranges::find(laws, kicks.law, &Law::word);
  if (law == laws.end()) fail("the law of kicks must be a word of bm_kicks, got '{}'", kicks.law);
  const double rate = noise.rate[0];
  if (!(rate > 0 && std::isfinite(rate))) fail("the rate of kicks must be > 0, got {}", rate);
  if (differ(kicks.a, rate * law->mean, 0))
    fail("the mean of all kicks must be rate times theirs, {:.6g}, got {:.6g}", rate * law->mean, kicks.a);
  return {noise.force[0] + kicks.a, rate * law->half_square};
}

std::string wrong(const Plugin& plugin, const Setting& setting) {
  const std::vector<double>& values = setting.resolved.values;
  const std::optional<MemorylessNoise> noise = memoryless(plugin, values);
  if (!noise) return "";
  if (!noise->kicks)
    if (std::string words = wrong_states(*noise); !words.empty()) return words;
  const Numbers found = noise->kicks ? of_kicks(*noise) : of_chain(*noise);
  const auto [least, most] = std::ranges::minmax(noise->force);
  const double size = std::max(std::abs(least), std::abs(most)), slowest = std::ranges::min(noise->rate);
  const std::optional<double> mean = plugin.mean(values.data()), intensity = plugin.intensity(values.data());
  if (mean && differ(found.mean, *mean, size))
    return fmt::format("it must have the mean {:.6g} as mean() declares, got {:.6g}", *mean, found.mean);
  if (intensity && differ(found.intensity, *intensity, noise->kicks ? 0 : size * size / slowest))
    return fmt::format("it must have the intensity {:.6g} as intensity() declares, got {:.6g}", *intensity,
                       found.intensity);
  return "";
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

void check_declared_law(const Plugin& plugin, std::span<const Setting> settings,
                        const std::function<void(const Finding&)>& tell) {
  if (!is_memoryless(plugin)) return;
  const char* what = plugin.extension(BM_CHAIN) != nullptr ? "chain" : "kicks";
  tell(check_settings(what, settings, [&](const Setting& setting) { return wrong(plugin, setting); }));
}

}  // namespace bmsim::checks
