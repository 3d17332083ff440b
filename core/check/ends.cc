// Checks of a noise that compare where a free particle ends in two runs.
//
// Events in groups: method exact makes the events of a whole group of trajectories by one call, other methods
// trajectory by trajectory. Both draw the same numbers. So the noise must do the same, up to rounding.
//
// States: none is read before it is set.
#include <cmath>

#include "backend/cuda/nvrtc.h"
#include "check/checks.h"
#include "plan/exact.h"

namespace bmsim::checks {
namespace {

/// Options of a run of so many steps of a tenth of the noise's time scale.
RunOptions options_of(const Plugin& plugin, const Setting& setting, const char* precision, uint64_t paths,
                      double steps) {
  const double scale = time_scale(plugin, setting.resolved.values, plugin.full_name());
  RunOptions options;
  options.precision = precision;
  options.paths = paths;
  options.transient = 0;
  options.starts["x"] = StartLaw{};
  options.dt = std::isfinite(scale) ? scale / 10 : 0.1;
  options.time = steps * *options.dt;
  return options;
}
RunOptions options_for_groups(const Plugin& plugin, const Setting& setting, const char* method, const char* precision) {
  RunOptions options = options_of(plugin, setting, precision, 100, 200);
  options.method = method;
  return options;
}

std::string differs(const Plugin& plugin, const Setting& setting, const char* precision, const CheckOptions& check) {
  const auto ends_of = [&](const char* method) {
    const RunOptions options = options_for_groups(plugin, setting, method, precision);
    return run_on_cpu(plain_model(plugin, setting), Sweep(), options, check).end[0];
  };
  const std::vector<double> together = ends_of("exact"), one_by_one = ends_of("heun");
  const double room = *precision == 's' ? 1e-3 : 1e-9;
  double farthest = 0;
  for (const double x : one_by_one) farthest = std::max(farthest, std::abs(x));
  for (size_t i = 0; i < together.size(); ++i) {
    if (std::abs(together[i] - one_by_one[i]) <= room * (1 + farthest)) continue;
    return fmt::format(
        "path {} of a free particle must end at {:.6g} as it does alone, got {:.6g} in a group, in {} "
        "precision",
        i + 1, one_by_one[i], together[i], precision);
  }
  return "";
}

Finding check_cuda(const std::string& what, const Plugin& plugin, const Setting& setting) {
  for (const char* precision : precisions) {
    const Plan plan =
        make_plan(plain_model(plugin, setting), Sweep(), options_for_groups(plugin, setting, "exact", precision));
    KernelOptions kernel = plan.kernel;
    kernel.dialect = Dialect::cuda;
    kernel.group = 1;
    try {
      cuda::compile_only(compose(plan.model, plan.points[0].values, kernel));
    } catch (const Error& error) {
      return problem(what, error.what());
    }
  }
  return ok(what);
}

constexpr double filling = 1.5;  // in a state that would be 0 before it is set

/// The noise with one state filled before its own start function, if any, sets it.
class Filled : public Plugin {
 public:
  Filled(const Plugin& plugin, uint32_t state)
      : Plugin(&descriptor_, plugin.file()), descriptor_(*plugin), text_(plugin->source) {
    text_ = "#define start own_start\n" + text_ + "\n#undef start\n" +
            "template <class T, class S, class P> BM_FN void start(S& state, const P& p, T u, T e) {\n" +
            fmt::format("  state.{} = T({});\n", plugin->states[state], filling);
    if (plugin.has(BM_START)) text_ += "  own_start<T>(state, p, u, e);\n";
    text_ += "  (void)p, (void)u, (void)e;\n}\n";
    descriptor_.source = text_.c_str();
    descriptor_.flags |= BM_START;
  }

 private:
  bm_plugin descriptor_;
  std::string text_;
};

}  // namespace

Finding check_groups(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check) {
  const std::string what = "events in groups";
  if (const std::string why = why_not_exact(plain_model(plugin, settings[0])); !why.empty())
    return not_checked(what, why);
  Finding finding = check_settings(what, settings, [&](const Setting& setting) {
    const std::string words = differs(plugin, setting, "double", check);
    return words.empty() && &setting == settings.data() ? differs(plugin, setting, "single", check) : words;
  });
  if (finding.verdict != Verdict::ok || !cuda::why_no_compiler().empty()) return finding;
  return check_cuda(what, plugin, settings[0]);
}

Finding check_states(const Plugin& plugin, const Setting& setting, const CheckOptions& check) {
  const char* const what = "states";
  const auto ends_of = [&](const Plugin& noise) {
    const RunOptions options = options_of(noise, setting, "double", 64, 40);
    return run_on_cpu(plain_model(noise, setting), Sweep(), options, check).end[0];
  };
  const std::vector<double> plain = ends_of(plugin);
  for (uint32_t state = 0; state < plugin->state_count; ++state) {
    std::vector<double> filled;
    try {
      filled = ends_of(Filled(plugin, state));
    } catch (const Error& error) {
      return not_checked(what, error.what());
    }
    for (size_t i = 0; i < plain.size(); ++i) {
      if (std::abs(filled[i] - plain[i]) <= 1e-9 * (1 + std::abs(plain[i]))) continue;
      if (!plugin.has(BM_START))
        return problem(what,
                       fmt::format("'{}' must be set at t = 0, where it is read: BM_START and start() are missing",
                                   plugin->states[state]));
      return problem(what, fmt::format("'{}' must be set by start(), where it is read before anything sets it",
                                       plugin->states[state]));
    }
  }
  return ok(what);
}

}  // namespace bmsim::checks
