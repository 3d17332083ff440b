// The check of events in groups. Method exact makes the events of a whole group of trajectories by one call, other
// methods trajectory by trajectory. Both draw the same numbers. So the noise must do the same to a free particle, up to
// rounding.
#include <cmath>

#include "backend/cuda/compile_only.h"
#include "check/findings.h"
#include "check/kernels.h"
#include "check/noise.h"
#include "plan/exact.h"

namespace bmsim::checks {
namespace {

RunOptions options_of(const Plugin& plugin, const Setting& setting, const char* method, const char* precision) {
  const double scale = time_scale(plugin, setting.resolved.values, plugin.full_name());
  RunOptions options;
  options.method = method;
  options.precision = precision;
  options.paths = 100;
  options.transient = 0;
  options.starts["x"] = StartLaw{};
  options.dt = std::isfinite(scale) ? scale / 10 : 0.1;
  options.time = 200 * *options.dt;
  return options;
}

std::string differs(const Plugin& plugin, const Setting& setting, const char* precision, const CheckOptions& check) {
  const auto ends_of = [&](const char* method) {
    const RunOptions options = options_of(plugin, setting, method, precision);
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
    const Plan plan = make_plan(plain_model(plugin, setting), Sweep(), options_of(plugin, setting, "exact", precision));
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

}  // namespace bmsim::checks
