#include "check/check.h"

#include "check/checks.h"
#include "error.h"

namespace bmsim {

using namespace checks;

namespace {

Finding check_settings(const Plugin& plugin, const Settings& settings) {
  const char* const what = "values";
  if (!settings.broken.empty()) return problem(what, settings.broken);
  if (!settings.all.empty()) return ok(what, fmt::format("{} sets, at which the rest is checked", settings.all.size()));
  if (plugin->list_count == 0) return problem(what, fmt::format("the defaults are refused: {}", settings.refusal));
  return not_checked(what, fmt::format("none of the lists that were tried is accepted: {}", settings.refusal));
}

/// Why no model can be made of a potential, in the words of evaluate(); "" if one can.
std::string refusal_of(const Plugin& plugin, const Settings& settings) {
  if (plugin->kind != BM_POTENTIAL) return "";
  try {
    for (const Setting& setting : settings.all) evaluate(plain_model(plugin, setting));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

std::string line_of(const Finding& finding) {
  if (finding.verdict == Verdict::ok)
    return fmt::format("{}: ok{}{}", finding.what, finding.words.empty() ? "" : ", ", finding.words);
  const bool is_problem = finding.verdict == Verdict::problem;
  return fmt::format("{}: {}: {}", finding.what, is_problem ? "PROBLEM" : "not checked", finding.words);
}

void check_plugin(const Plugin& plugin, const CheckOptions& options, const std::function<void(const Finding&)>& tell) {
  tell(ok("descriptor"));
  const Settings settings = make_settings(plugin);
  tell(check_settings(plugin, settings));
  if (settings.all.empty()) return;
  tell(check_repeated(plugin, settings.all));
  tell(check_round_trip(plugin, settings.all));
  const Finding time = check_time_scale(plugin, settings.all);
  tell(time);
  if (plugin->kind == BM_POTENTIAL) check_potential(plugin, settings.all, tell);
  if (plugin->kind == BM_DRIVE) tell(check_drive(plugin, settings.all));
  if (time.verdict != Verdict::ok) return tell(not_checked("kernels", "no model can be made without a time scale"));
  if (const std::string why = refusal_of(plugin, settings); !why.empty())
    return tell(not_checked("kernels", "no model can be made: " + why));
  if (!check_kernels(plugin, settings.all, tell)) return;
  if (plugin->kind != BM_NOISE) return tell(check_device_force(plugin, settings.all, options));
  if (plugin.has(BM_EVENTS)) tell(check_groups(plugin, settings.all, options));
  if (plugin->state_count > 0) tell(check_states(plugin, settings.all[0], options));
  check_law(plugin, settings.all, options, tell);
  check_declared_law(plugin, settings.all, tell);
}

}  // namespace bmsim
