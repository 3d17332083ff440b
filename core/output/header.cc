// The origin of numbers: r.info, and the YAML header of files.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>

#include "error.h"
#include "output/table.h"
#include "plan/options.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

void emit_number(YAML::Emitter& out, double value) { out << fmt::format("{}", value); }

/// The value of a parameter, a word if it is a choice, under a key; "varies" if points differ in it.
void emit_value(YAML::Emitter& out, const Plan& plan, const std::string& key, const std::string& name,
                const bm_parameter* parameter) {
  const std::function<double(const ModelValues&)> value_at = value_named(plan.model, name);
  const double value = value_at(plan.points[0].values);
  const auto has_it = [&](const Point& point) { return value_at(point.values) == value; };
  out << YAML::Key << key << YAML::Value;
  if (!std::ranges::all_of(plan.points, has_it))
    out << "varies";
  else if (parameter != nullptr && parameter->choices)
    out << choice_words(*parameter)[static_cast<size_t>(value)];
  else
    emit_number(out, value);
}

/// Lists of numbers by name.
void emit_lists(YAML::Emitter& out, const auto& lists) {
  for (const auto& [name, numbers] : lists) {
    out << YAML::Key << name << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const double number : numbers) emit_number(out, number);
    out << YAML::EndSeq;
  }
}

void emit_component(YAML::Emitter& out, const Plan& plan, const Component& component) {
  const Plugin& plugin = *component.plugin;
  out << YAML::Key << (component.name.empty() ? "equations" : component.name) << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "plugin" << YAML::Value << plugin.full_name();
  out << YAML::Key << "version" << YAML::Value << plugin->version;
  if (plugin.file().empty()) out << YAML::Key << "formula" << YAML::Value << plugin->equation;
  if (plan.model.is_system() && plugin.state_functions() == nullptr)
    out << YAML::Key << "variable" << YAML::Value << plan.model.variables()[component.variable].name;
  if (const StateFunctions* functions = plugin.state_functions(); functions && !functions->given_to().empty()) {
    out << YAML::Key << "of" << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const size_t i : functions->given_to()) out << plan.model.variables()[i].name;
    out << YAML::EndSeq;
  }
  if (component.modulates) out << YAML::Key << "modulate" << YAML::Value << "potential";
  for (const bm_parameter& parameter : plugin.parameters())
    emit_value(out, plan, parameter.name, full_name(component, parameter.name), &parameter);
  emit_lists(out, component.lists);
  out << YAML::EndMap;
}

void emit_variables(YAML::Emitter& out, const Plan& plan) {
  out << YAML::Key << "variables" << YAML::Value << YAML::BeginMap;
  for (const ModelVariable& variable : plan.model.variables()) {
    out << YAML::Key << variable.name << YAML::Value << YAML::Flow << YAML::BeginMap;
    out << YAML::Key << "inertia" << YAML::Value << variable.inertial;
    if (!variable.period.empty()) out << YAML::Key << "period" << YAML::Value << variable.period;
    out << YAML::EndMap;
  }
  out << YAML::EndMap;
  if (!plan.model.fields().empty()) {
    out << YAML::Key << "fields" << YAML::Value << YAML::BeginMap;
    for (const auto& [name, formula] : plan.model.fields()) out << YAML::Key << name << YAML::Value << formula;
    out << YAML::EndMap;
  }
  const auto& definitions = plan.model.definitions();
  if (!definitions.empty()) out << YAML::Key << "define" << YAML::Value << definitions;
}

void emit_start(YAML::Emitter& out, const std::string& key, const StartLaw& law) {
  out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginMap;
  out << YAML::Key << "centre" << YAML::Value << law.centre << YAML::Key << "width" << YAML::Value << law.width;
  out << YAML::Key << "deviation" << YAML::Value << law.deviation << YAML::Key << "count" << YAML::Value << law.count;
  out << YAML::EndMap;
}

/// Names that are swept together form a nested list; names set by functions follow the axes.
void emit_sweep(YAML::Emitter& out, const Sweep& sweep) {
  out << YAML::Key << "sweep" << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const SweepAxis& axis : sweep.axes()) {
    if (axis.names.size() == 1)
      out << axis.names[0];
    else
      out << axis.names;
  }
  out << YAML::EndSeq;
  const std::vector<std::string> functions(sweep.names().begin() + static_cast<long>(sweep.axis_name_count()),
                                           sweep.names().end());
  if (!functions.empty()) out << YAML::Key << "functions" << YAML::Value << YAML::Flow << functions;
}

void emit_options(YAML::Emitter& out, const ObservableRequest& request) {
  out << YAML::Key << request.name << YAML::Value << YAML::Flow << YAML::BeginMap;
  emit_lists(out, request.numbers);
  for (const auto& [name, word] : request.words) out << YAML::Key << name << YAML::Value << word;
  out << YAML::EndMap;
}

/// A map by name, or a list of such maps if a name is there twice, as it may be in systems.
void emit_observables(YAML::Emitter& out, const RunOptions& options) {
  const std::vector<ObservableRequest>& requests = options.observables;
  if (requests.empty()) return;
  std::set<std::string> names;
  for (const ObservableRequest& request : requests) names.insert(request.name);
  out << YAML::Key << "observe" << YAML::Value;
  if (names.size() == requests.size()) {
    out << YAML::BeginMap;
    for (const ObservableRequest& request : requests) emit_options(out, request);
    out << YAML::EndMap;
    return;
  }
  out << YAML::BeginSeq;
  for (const ObservableRequest& request : requests) {
    out << YAML::BeginMap;
    emit_options(out, request);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

void emit_targets(YAML::Emitter& out, const Plan& plan) {
  const RunOptions& options = plan.options;
  if (options.step_error) out << YAML::Key << "step_error" << YAML::Value << true;
  const bool tolerance = !options.tolerances.empty();
  if (options.targets.empty() && !tolerance) return;
  out << YAML::Key << (tolerance ? "tolerance" : "target") << YAML::Value << YAML::BeginMap;
  for (const Target& target : tolerance ? options.tolerances : options.targets) {
    out << YAML::Key << target.column << YAML::Value << YAML::Flow << YAML::BeginMap;
    if (target.relative > 0) out << YAML::Key << "rel" << YAML::Value, emit_number(out, target.relative);
    if (target.absolute > 0) out << YAML::Key << "abs" << YAML::Value, emit_number(out, target.absolute);
    out << YAML::EndMap;
  }
  out << YAML::EndMap << YAML::Key << "limit" << YAML::Value << plan.limit;
}

void emit_warnings(YAML::Emitter& out, const Info& info) {
  for (const auto& [key, value] : info) {
    if (key == "step_check" && !value.empty()) out << YAML::Key << key << YAML::Value << value;
    if (key != "warnings" || value.empty()) continue;
    out << YAML::Key << key << YAML::Value << YAML::BeginSeq;
    for (size_t from = 0; from < value.size();) {
      const size_t end = std::min(value.find('\n', from), value.size());
      out << value.substr(from, end - from);
      from = end + 1;
    }
    out << YAML::EndSeq;
  }
}

bool swept(const Sweep& sweep, std::string_view name) { return std::ranges::count(sweep.names(), name) > 0; }

/// "dt = 0.01", or "dt = (smallest time scale) / 400", or which of the two is swept.
std::string step_rule(const RunOptions& options, const Sweep& sweep) {
  if (swept(sweep, "dt")) return "dt varies";
  if (swept(sweep, "spp")) return "dt = (smallest time scale) / spp, spp varies";
  if (options.dt) return fmt::format("dt = {}", *options.dt);
  if (options.spp) return fmt::format("dt = (smallest time scale) / {}", *options.spp);
  return fmt::format("dt = (smallest time scale) / {}, or shorter as the motion asks", default_spp);
}
std::string duration_rule(const RunOptions& options, const Sweep& sweep) {
  if (swept(sweep, "time")) return "time varies";
  if (swept(sweep, "periods")) return "time = periods (smallest time scale), periods varies";
  if (options.time) return fmt::format("time = {}", *options.time);
  return fmt::format("time = {} (smallest time scale)", options.periods.value_or(default_periods));
}

/// The number of paths of the estimates: "48", or "1024 to 5120" if points differ; before a run the number asked for.
std::string paths_text(const Plan& plan, const RunOutcome& outcome) {
  if (outcome.paths.empty()) return fmt::format("{}", plan.options.paths);
  const auto [least, most] = std::minmax_element(outcome.paths.begin(), outcome.paths.end());
  return *least == *most ? fmt::format("{}", *most) : fmt::format("{} to {}", *least, *most);
}

/// The work of each device, a line each: "cuda:0 (NVIDIA H200): 5.12e+12 steps, 2.13 s".
std::string devices_text(const RunOutcome& outcome) {
  std::vector<std::string> lines;
  for (const DeviceWork& device : outcome.devices)
    lines.push_back(fmt::format("{}: {:.4g} steps", device.name, device.steps) +
                    (device.seconds > 0 ? fmt::format(", {:.3g} s", device.seconds) : ""));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// The interpretation of a model whose noise has an amplitude: anti-Ito if all such noise is heat, else as asked for.
Interpretation in_use(const Model& model) {
  const bool of_heat_alone = std::ranges::all_of(model.components(), [&](const Component& component) {
    if (component.multiplies.empty()) return true;
    const Component& noise = model.multiplied_by(component);
    return !noise.plugin->has(BM_SIGMA) || model.is_thermal(noise);
  });
  return of_heat_alone ? Interpretation::anti_ito : model.interpretation();
}

}  // namespace

Info make_info(const Plan& plan, const RunOutcome& outcome) {
  double least = plan.points[0].time.steps, most = least;
  for (const auto& point : plan.points) {
    least = std::min(least, point.time.steps);
    most = std::max(most, point.time.steps);
  }
  Info info = {
      {"device", outcome.device},
      {"method", std::string(method_name(plan.kernel.method))},
      {"increments", std::string(increments_name(plan.kernel.increments))},
      {"precision", precision_name(plan.kernel.precision)},
      {"points", fmt::format("{}", plan.points.size())},
      {"paths", paths_text(plan, outcome)},
      {"steps", fmt::format("{:.0f}", outcome.steps > 0 ? outcome.steps : plan.total_steps())},
      {"steps_per_path", least == most ? fmt::format("{:.0f}", most) : fmt::format("{:.0f} to {:.0f}", least, most)},
      {"seed", fmt::format("{}", plan.options.seed)},
      {"complete", complete(outcome) ? "true" : "false"},
      {"expected_seconds", fmt::format("{:.2g}", outcome.expected_seconds)},
      {"seconds", fmt::format("{:.6g}", outcome.seconds)},
      {"steps_per_second", fmt::format("{:.6g}", outcome.steps_per_second)},
      {"plan_seconds", fmt::format("{:.6g}", plan.seconds)},
      {"compile_seconds", fmt::format("{:.6g}", outcome.compile_seconds)},
      {"kernel_cached", outcome.kernel_cached ? "true" : "false"},
      {"bytes_per_trajectory", fmt::format("{}", outcome.bytes_per_trajectory)},
      {"batches", fmt::format("{}", outcome.batches)},
      {"launches", fmt::format("{}", outcome.launches)}};
  if (!plan.options.label.empty()) info.emplace_back("label", plan.options.label);
  if (plan.together()) info.emplace_back("replicas", fmt::format("{}", plan.replicas));
  if (plan.local_error > 0) info.emplace_back("local_error", fmt::format("{}", plan.local_error));
  if (outcome.device_seconds > 0) info.emplace_back("device_seconds", fmt::format("{:.6g}", outcome.device_seconds));
  if (!plan.why_method.empty()) info.emplace_back("why_method", plan.why_method);
  if (!plan.why_precision.empty()) info.emplace_back("why_precision", plan.why_precision);
  if (!plan.why_step.empty()) info.emplace_back("why_step", plan.why_step);
  if (!outcome.kernel_details.empty()) info.emplace_back("kernel", outcome.kernel_details);
  if (!outcome.kernel_source.empty()) info.emplace_back("kernel_source", outcome.kernel_source);
  if (!outcome.diverged.empty()) info.emplace_back("diverged", fmt::format("{} points", outcome.diverged.size()));
  if (outcome.ranks > 1) info.emplace_back("ranks", fmt::format("{}", outcome.ranks));
  if (outcome.devices.size() > 1 || outcome.ranks > 1) info.emplace_back("devices", devices_text(outcome));
  if (!outcome.why_cpu.empty()) info.emplace_back("no_gpu", outcome.why_cpu);
  return info;
}

std::string make_header(const Plan& plan, const Sweep& sweep, const Info& info, const std::string& script) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "bmsim" << YAML::Value << bm_version();
  if (!script.empty()) out << YAML::Key << "script" << YAML::Value << script;
  out << YAML::Key << "model" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "dynamics" << YAML::Value
      << (plan.model.is_system()     ? "system"
          : plan.model.underdamped() ? "underdamped"
                                     : "overdamped");
  if (plan.model.is_system()) emit_variables(out, plan);
  if (plan.model.has_white_amplitude())
    out << YAML::Key << "interpretation" << YAML::Value << std::string(interpretation_name(in_use(plan.model)));
  for (const std::string& name : plan.model.equation_parameters()) emit_value(out, plan, name, name, nullptr);
  for (const auto& component : plan.model.components())
    if (&component != plan.model.observed()) emit_component(out, plan, component);
  out << YAML::EndMap;
  for (const auto& [name, law] : plan.starts) emit_start(out, "initial_" + name, law);
  for (const std::string& name : plan.options.uniform_starts)
    out << YAML::Key << "initial_" + name << YAML::Value << "uniform";
  if (plan.options.random_phases) out << YAML::Key << "initial_phase" << YAML::Value << "uniform";
  emit_sweep(out, sweep);
  emit_observables(out, plan.options);
  out << YAML::Key << "step" << YAML::Value << step_rule(plan.options, sweep);
  out << YAML::Key << "duration" << YAML::Value << duration_rule(plan.options, sweep);
  out << YAML::Key << "transient" << YAML::Value;
  if (plan.options.find_transient)
    out << "auto";
  else
    emit_number(out, plan.options.transient);
  emit_targets(out, plan);
  emit_warnings(out, info);
  for (const RunOption& option : run_options())
    for (const auto& [name, value] : info)
      if (option.in_header && name == option.name) out << YAML::Key << option.name << YAML::Value << value;
  out << YAML::EndMap;
  return out.c_str();
}

}  // namespace bmsim
