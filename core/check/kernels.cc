#include <set>

#include "backend/cpu/compiler.h"
#include "backend/cuda/nvrtc.h"
#include "check/checks.h"

namespace bmsim::checks {
namespace {

constexpr uint32_t few_paths = 64;

Component& apply(const Setting& setting, Component& component) {
  component.given = setting.given;
  component.lists = setting.lists;
  return component;
}

/// A system of as many variables as the potential has, x1, x2, ...
Model several(const Plugin& plugin, const Setting& setting, bool inertial) {
  std::vector<ModelVariable> variables;
  std::vector<std::string> names;
  for (uint32_t i = 1; i <= plugin->variable_count; ++i) {
    names.push_back(fmt::format("x{}", i));
    variables.push_back({names.back(), inertial});
  }
  Model model;
  model.make_system(variables);
  apply(setting, model.add_joint(plugin, names, ""));
  model.set_equations(std::vector<std::string>(names.size()));
  return model;
}

/// A model that uses every instance of the device text: with inertia, as force and modulation, with jumps of a noise.
Model full_model(const Plugin& plugin, const Setting& setting) {
  if (plugin.has(BM_SEVERAL)) return several(plugin, setting, true);
  Model model;
  model.make_underdamped();
  apply(setting, model.add(plugin, ""));
  if (plugin->kind == BM_DRIVE || plugin.has(BM_MODULATES))
    apply(setting, model.add(plugin, "modulation")).modulates = true;
  if (!plugin.has(BM_EVENTS)) {
    for (const Plugin* other : Registry::instance().plugins())
      if (other->full_name() == "noise.poisson") model.add(*other, "jumps");
  }
  return model;
}

/// Options of a run of a few paths. With plain models they select the kernels that check_cpu() has compiled.
RunOptions few(const char* precision, const Plugin& plugin) {
  RunOptions options;
  options.method = plugin->kind == BM_NOISE ? "auto" : "euler";
  options.paths = few_paths;
  options.precision = precision;
  options.transient = 0;
  options.device = "cpu";
  options.dt = 1;
  options.time = 1;
  return options;
}

std::string plain_text(const Plugin& plugin, const Setting& setting, const char* precision, const Backend& backend) {
  const Plan plan = make_plan(plain_model(plugin, setting), Sweep(), few(precision, plugin));
  KernelOptions options = plan.kernel;
  options.group = backend.shape(few_paths, options.precision == Precision::double_precision, true).group;
  return compose(plan.model, plan.points[0].values, options);
}
std::string full_text(const Plugin& plugin, const Setting& setting, const char* precision, Dialect dialect) {
  RunOptions run = few(precision, plugin);
  run.method = "auto";
  const Plan plan = make_plan(full_model(plugin, setting), Sweep(), run);
  KernelOptions options = plan.kernel;
  options.dialect = dialect;
  options.group = 1;
  return compose(plan.model, plan.points[0].values, options);
}

Finding check_cpu(const Plugin& plugin, std::span<const Setting> settings, const char* precision) {
  const auto backend = make_backend("cpu", 1);
  std::set<std::string> done;
  return check_settings(fmt::format("kernel for the CPU, {} precision", precision), settings,
                        [&](const Setting& setting) {
                          const std::string text = plain_text(plugin, setting, precision, *backend);
                          if (done.insert(text).second) backend->compile(text, "", true);
                          if (&setting == settings.data() && *precision == 's')
                            backend->compile(full_text(plugin, setting, precision, Dialect::cpu), "", true);
                          return "";
                        });
}

Finding check_cuda(const Plugin& plugin, const Setting& setting, const char* precision) {
  const std::string what = fmt::format("kernel for CUDA, {} precision", precision);
  const std::string why = cuda::why_no_compiler();
  if (!why.empty()) return not_checked(what, why);
  try {
    return ok(what, cuda::compile_only(full_text(plugin, setting, precision, Dialect::cuda)));
  } catch (const Error& error) {
    return problem(what, error.what());
  }
}

/// How the kernel's force of a potential differs from the host function's; "" if it does not. Every path makes one step
/// from its own place, which is so short that it hardly moves.
std::string potential_differs(const Plugin& plugin, const Setting& setting, const char* precision,
                              const CheckOptions& check) {
  const Resolved& r = setting.resolved;
  const auto arrays = r.spans();
  const double period = bmsim::period(plugin, r.values, plugin.full_name()), length = period > 0 ? period : 1;
  const auto force = [&](double x) { return plugin.force(x / length, r.values.data(), arrays.data()); };
  const double width = period > 0 ? length : 4;
  double most = 1e-300;
  for (int i = 0; i < 64; ++i) most = std::max(most, std::abs(force(width * (i / 64.0 - 0.5))));
  RunOptions options = few(precision, plugin);
  options.dt = most > 1e-300 ? 0.02 * length / most : 1;
  options.time = options.dt;
  options.starts["x"] = StartLaw{0.000719 * width, width, 0, few_paths};
  const Ends ends = run_on_cpu(plain_model(plugin, setting), Sweep(), options, check);
  const double room = (*precision == 's' ? 1e-3 : 1e-8) * most;
  for (size_t i = 0; i < ends.start[0].size(); ++i) {
    const double x = ends.start[0][i], got = (ends.end[0][i] - x) / *options.dt, near = 1e-5 * length;
    if (std::abs(got - force(x)) <= room) continue;
    const double left = force(x - near), right = force(x + near);  // at a kink either may come out
    if (std::min(left, right) - room <= got && got <= std::max(left, right) + room) continue;
    return fmt::format("the kernel's force at x = {:.6g} is {:.6g}, the host function's {:.6g}", x, got, force(x));
  }
  return "";
}

/// How the kernel's forces of a potential of several variables differ from the host function's; "" if they do not.
std::string several_differs(const Plugin& plugin, const Setting& setting, const char* precision,
                            const CheckOptions& check) {
  const Resolved& r = setting.resolved;
  const auto arrays = r.spans();
  const size_t n = plugin->variable_count;
  const double period = plugin.periodic_possible() ? bmsim::period(plugin, r.values, plugin.full_name()) : 0;
  const double width = period > 0 ? period : 4;
  std::vector<double> x(n), f(n);
  const auto force = [&](const std::vector<double>& place) {
    plugin->force_of(place.data(), r.values.data(), arrays.data(), f.data());
    return f;
  };
  double most = 1e-300;
  Draw draw;
  for (int trial = 0; trial < 256; ++trial) {
    for (double& coordinate : x) coordinate = draw(-width / 2, width / 2);
    for (const double component : force(x)) most = std::max(most, std::abs(component));
  }
  RunOptions options = few(precision, plugin);
  options.dt = most > 1e-300 ? 0.02 * width / most : 1;
  options.time = options.dt;
  for (size_t i = 1; i <= n; ++i) options.starts[fmt::format("x{}", i)] = StartLaw{0, width, 0, 0};
  const Ends ends = run_on_cpu(plain_model(plugin, setting), Sweep(), options, check);
  const double room = (*precision == 's' ? 1e-3 : 1e-8) * most;
  for (size_t path = 0; path < ends.start[0].size(); ++path) {
    for (size_t i = 0; i < n; ++i) x[i] = ends.start[i][path];
    const std::vector<double> here = force(x);
    for (size_t i = 0; i < n; ++i) {
      const double got = (ends.end[i][path] - x[i]) / *options.dt;
      if (std::abs(got - here[i]) <= room) continue;
      return fmt::format("the kernel's force on x[{}] at ({:.6g}) is {:.6g}, the host function's {:.6g}", i,
                         fmt::join(x, ", "), got, here[i]);
    }
  }
  return "";
}

/// How the kernel's force of a drive differs from the host function's; "" if it does not. The force is what each step
/// adds to the displacement of a free particle.
std::string drive_differs(const Plugin& plugin, const Setting& setting, const char* precision,
                          const CheckOptions& check) {
  constexpr int steps = 61;
  const Resolved& r = setting.resolved;
  const auto arrays = r.spans();
  const double period = time_scale(plugin, r.values, plugin.full_name());
  // With BM_EDGES the kernel's force is the mean over a step around the phase.
  const int samples = plugin.has(BM_EDGES) ? 2000 : 1;
  const auto force = [&](double phase) {
    double sum = 0;
    for (int i = 0; i < samples; ++i)
      sum += plugin.force(phase + ((i + 0.5) / samples - 0.5) / steps, r.values.data(), arrays.data());
    return sum / samples;
  };
  const double near = *precision == 's' ? 1e-5 : 1e-9;
  double most = 0;
  for (int i = 0; i < 4 * steps; ++i) most = std::max(most, std::abs(force(i / (4.0 * steps))));
  RunOptions options = few(precision, plugin);
  options.dt = period / steps;
  options.time.reset();
  options.starts["x"] = StartLaw{};
  std::vector<double> times;
  for (int i = 1; i <= steps; ++i) times.push_back(i * *options.dt);
  Sweep sweep;
  sweep.add_axis({"time"}, {times});
  const Ends ends = run_on_cpu(plain_model(plugin, setting), sweep, options, check);
  const double room = (*precision == 's' ? 1e-3 : 1e-8) * most + (*precision == 's' ? 1e-5 : 1e-13) / *options.dt +
                      (samples > 1 ? 8 * most / samples : 0);
  for (int i = 0; i < steps; ++i) {
    const size_t at = static_cast<size_t>(i);
    const double got = (ends.end[at][0] - (i > 0 ? ends.end[at - 1][0] : 0)) / *options.dt;
    const double phase = static_cast<double>(i) / steps, here = force(phase);
    const double left = force(phase - near), right = force(phase + near);
    if (std::min({here, left, right}) - room <= got && got <= std::max({here, left, right}) + room) continue;
    return fmt::format("the kernel's force at phase {:.6g} is {:.6g}, the host function's {:.6g}", phase, got, here);
  }
  return "";
}

}  // namespace

Model plain_model(const Plugin& plugin, const Setting& setting) {
  if (plugin.has(BM_SEVERAL)) return several(plugin, setting, false);
  Model model;
  apply(setting, model.add(plugin, ""));
  return model;
}

bool check_kernels(const Plugin& plugin, std::span<const Setting> settings,
                   const std::function<void(const Finding&)>& tell) {
  bool compiles = true;
  try {
    const Compiler compiler;
  } catch (const Error& error) {
    tell(not_checked("kernel for the CPU", error.what()));
    compiles = false;
  }
  for (const char* precision : precisions) {
    if (!compiles) break;
    const Finding finding = check_cpu(plugin, settings, precision);
    compiles = finding.verdict == Verdict::ok;
    tell(finding);
  }
  for (const char* precision : precisions) tell(check_cuda(plugin, settings[0], precision));
  return compiles;
}

Ends run_on_cpu(const Model& model, const Sweep& sweep, RunOptions options, const CheckOptions& check) {
  options.device = "cpu";
  options.threads = check.threads;
  Ends ends;
  RunHooks hooks;
  hooks.window = [&](size_t, std::span<const Window> windows) {
    for (const Window& window : windows) {
      ends.start.emplace_back(window.start.begin(), window.start.end());
      ends.end.emplace_back(window.end.begin(), window.end.end());
      ends.duration.push_back(window.duration);
    }
  };
  ends.outcome = run(make_plan(model, sweep, options), hooks);
  return ends;
}

Finding check_device_force(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check) {
  return check_settings("force on the device", settings, [&](const Setting& setting) -> std::string {
    for (const char* precision : precisions) {
      const auto differs = plugin->kind == BM_DRIVE ? drive_differs
                           : plugin.has(BM_SEVERAL) ? several_differs
                                                    : potential_differs;
      const std::string words = differs(plugin, setting, precision, check);
      if (!words.empty()) return fmt::format("{}, in {} precision", words, precision);
    }
    return "";
  });
}

}  // namespace bmsim::checks
