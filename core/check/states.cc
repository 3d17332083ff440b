// The check that no state is read before it is set.
#include <cmath>
#include <memory>

#include "check/findings.h"
#include "check/kernels.h"
#include "check/noise.h"

namespace bmsim::checks {
namespace {

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

std::vector<double> ends_of(const Plugin& plugin, const Setting& setting, const CheckOptions& check) {
  const double scale = time_scale(plugin, setting.resolved.values, plugin.full_name());
  RunOptions options;
  options.paths = 64;
  options.precision = "double";
  options.transient = 0;
  options.starts["x"] = StartLaw{};
  options.dt = std::isfinite(scale) ? scale / 10 : 0.1;
  options.time = 40 * *options.dt;
  return run_on_cpu(plain_model(plugin, setting), Sweep(), options, check).end[0];
}

}  // namespace

Finding check_states(const Plugin& plugin, const Setting& setting, const CheckOptions& check) {
  const char* const what = "states";
  const std::vector<double> plain = ends_of(plugin, setting, check);
  for (uint32_t state = 0; state < plugin->state_count; ++state) {
    std::vector<double> filled;
    try {
      filled = ends_of(Filled(plugin, state), setting, check);
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
