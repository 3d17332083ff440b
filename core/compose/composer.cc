// Generates the part of the kernel that depends on the model: defines, parameter structs, calls of the plugins.
#include "compose/composer.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <set>

#include "compose/kernel_texts.h"
#include "error.h"

namespace bmsim {

namespace {

constexpr std::array<std::string_view, 4> method_names = {"heun", "platen", "euler", "paper"};
constexpr std::array<std::string_view, 5> increments_names = {"none", "five_point", "three_point", "near_gaussian",
                                                              "gaussian"};
// The numbers of integrators.h and increments.h.
constexpr std::array<std::string_view, 4> method_macros = {"BM_HEUN", "BM_PLATEN", "BM_EULER", "BM_PAPER"};
constexpr std::array<std::string_view, 5> increments_macros = {"BM_NO_INCREMENTS", "BM_FIVE_POINT", "BM_THREE_POINT",
                                                               "BM_NEAR_GAUSSIAN", "BM_GAUSSIAN"};

std::string name_space(const Plugin& plugin) { return fmt::format("{}_{}", kind_name(plugin->kind), plugin->id); }

/// A component with its number k, which names its parameters (ck) and random streams.
struct Numbered {
  size_t k;
  const Component* component;
  const bm_plugin& plugin() const { return **component->plugin; }
  bool has(uint32_t flag) const { return (plugin().flags & flag) != 0; }
  std::string space() const { return name_space(*component->plugin); }
};

std::vector<Numbered> of_kind(const Model& model, uint32_t kind) {
  std::vector<Numbered> found;
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k)
    if ((*components[k].plugin)->kind == kind) found.push_back({k, &components[k]});
  return found;
}

/// Names of a plugin's values in the order of their slots.
std::vector<std::string> value_names(const bm_plugin& plugin) {
  std::vector<std::string> names(plugin.value_count);
  for (uint32_t i = 0; i < plugin.value_count; ++i) names[i] = fmt::format("unused_{}", i);
  for (uint32_t i = 0; i < plugin.parameter_count; ++i) names[plugin.parameters[i].slot] = plugin.parameters[i].name;
  for (uint32_t i = 0; i < plugin.constant_count; ++i) names[plugin.constants[i].slot] = plugin.constants[i].name;
  return names;
}

class Writer {
 public:
  Writer(const Model& model, const KernelOptions& options)
      : model_(model), options_(options), noises_(of_kind(model, BM_NOISE)), drives_(of_kind(model, BM_DRIVE)) {}

  std::string source() {
    using namespace kernel;
    const bool cuda = options_.dialect == Dialect::cuda;
    defines();
    if (cuda) line("#include <curand_philox4x32_x.h>");
    files(cuda ? Files{&cuda_scalar, &math, &cuda_math, &streams, &cuda_random, &state}
               : Files{&cpu_simd, &cpu_lanes, &cpu_group, &math, &cpu_exponents, &streams, &cpu_random, &state});
    plugins();
    parameters();
    noises();
    calls();
    files({&increments, cuda ? &cuda_increments : &cpu_increments, &integrators, &position,
           cuda ? &cuda_drives : &cpu_drives, &events, &own_clocks, &common_clock, &loop,
           cuda ? &cuda_entry : &cpu_entry});
    return std::move(text_);
  }

 private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  using Files = std::initializer_list<const KernelText*>;
  void files(const Files& texts) {
    for (const auto* text : texts) file(*text);
  }

  // A file of kernels/ under its own name and line numbers.
  void file(const KernelText& kernel) {
    line("#line 1 \"{}\"", kernel.name);
    std::string body(kernel.text);
    constexpr std::string_view once = "#pragma once";
    if (const auto at = body.find(once); at != std::string::npos) body.replace(at, once.size(), "");
    text_ += body;
  }

  void defines() {
    size_t events = 0, states = 0;
    bool varies = false;
    for (const auto& noise : noises_) {
      events += noise.has(BM_EVENTS) ? 1 : 0;
      states += noise.plugin().state_count;
      varies = varies || (noise.has(BM_DRIFT) && noise.plugin().state_count > 0);
    }
    line("#define BM_REAL {}", options_.precision == Precision::single_precision ? "float" : "double");
    line("#define BM_SINGLE {}", options_.precision == Precision::single_precision ? 1 : 0);
    line("#define BM_GROUP {}", options_.group);
    line("#define BM_METHOD {}", method_macros[static_cast<size_t>(options_.method)]);
    line("#define BM_INCREMENTS {}", increments_macros[static_cast<size_t>(options_.increments)]);
    line("#define BM_EVENT_NOISES {}", events);
    line("#define BM_STATES {}", states);
    line("#define BM_DRIVES {}", drives_.size());
    line("#define BM_DRIFT_VARIES {}", varies ? 1 : 0);
    line("#define BM_PERIODIC {}", (*model_.potential().plugin)->period != nullptr ? 1 : 0);
  }

  // Each plugin's file once, in a namespace of its own, with its own name and line numbers.
  void plugins() {
    std::set<std::string> done;
    for (const auto& component : model_.components()) {
      const Plugin& plugin = *component.plugin;
      if (!done.insert(name_space(plugin)).second) continue;
      std::string body = plugin->source;
      constexpr std::string_view include = "#include <bmsim/plugin.h>";
      if (const auto at = body.find(include); at != std::string::npos) body.replace(at, include.size(), "");
      line("namespace {} {{", name_space(plugin));
      line("#line 1 \"{}\"", plugin->source_file);
      text_ += body;
      line("\n#line 1 \"generated\"");
      line("template <class T> struct State {{");
      for (uint32_t i = 0; i < plugin->state_count; ++i) line("  T {};", plugin->states[i]);
      line("}};");
      const std::string values = fmt::format("{}", fmt::join(value_names(*plugin), ", "));
      line("struct Values {{ {} }};", values.empty() ? "" : "real " + values + ";");
      line("}}  // namespace");
    }
  }

  // In the layout that pack_parameters writes.
  void parameters() {
    line("struct Parameters {{");
    line("  double transient_steps, total_steps;");
    if (!drives_.empty()) line("  double turns_per_step[{}];", drives_.size());
    line("  real h, rate, per_length, root_dt, force;  // dt / L, 1 / dt, 1 / L, sqrt(dt)");
    const auto& components = model_.components();
    for (size_t k = 0; k < components.size(); ++k) {
      // a struct without members has size 1 in C++
      if ((*components[k].plugin)->value_count > 0)
        line("  {}::Values c{};", name_space(*components[k].plugin), k);
      else
        line("  static constexpr struct {{}} c{} = {{}};", k);
    }
    line("}};");
  }

  // One type per noise, which knows where its state is kept.
  void noises() {
    size_t first_state = 0;
    for (const auto& noise : noises_) {
      const bm_plugin& plugin = noise.plugin();
      line("struct Noise{} {{", noise.k);
      line("  static constexpr uint32_t component = {};", noise.k);
      line("  typedef {}::State<real> State;", noise.space());
      std::string loads, saves;
      for (uint32_t i = 0; i < plugin.state_count; ++i) {
        loads += fmt::format("{}s.state[{}][l]", i == 0 ? "" : ", ", first_state + i);
        saves += fmt::format("s.state[{}][l] = state.{}; ", first_state + i, plugin.states[i]);
      }
      line("  static BM_FN_MEMBER State load(Trajectories& s, int l) {{ (void)s, (void)l; return {{{}}}; }}", loads);
      line(
          "  static BM_FN_MEMBER void save(Trajectories& s, int l, State state) {{ (void)s, (void)l, (void)state; {}}}",
          saves);
      if (noise.has(BM_EVENTS))
        for (const char* function : {"waiting", "event"})
          line(
              "  static BM_FN_MEMBER real {0}(State& state, const Parameters& p, real e) "
              "{{ return {1}::{0}<real>(state, p.c{2}, e); }}",
              function, noise.space(), noise.k);
      line("}};");
      first_state += plugin.state_count;
    }
    line("template <class F> BM_FN void each_event_noise(F f) {{");
    size_t n = 0;
    for (const auto& noise : noises_)
      if (noise.has(BM_EVENTS)) line("  f(Noise{}(), {});", noise.k, n++);
    line("  (void)f;\n}}");
  }

  void calls() {
    const Numbered potential = of_kind(model_, BM_POTENTIAL).front();
    line("template <class X> BM_FN X model_force(X u, const Parameters& p) {{ return {}::force<X>(u, p.c{}); }}",
         potential.space(), potential.k);

    line("template <class X> BM_FN X model_drive(const X* phase, const Parameters& p) {{");
    line("  X sum = X((real)0);");
    for (size_t d = 0; d < drives_.size(); ++d)
      line("  sum = sum + {}::force<X>(phase[{}], p.c{});", drives_[d].space(), d, drives_[d].k);
    line("  (void)phase, (void)p;\n  return sum;\n}}");

    line("BM_FN real model_drift(Trajectories& s, const Parameters& p, int l) {{");
    line("  real sum = p.force;");
    for (const auto& noise : noises_)
      if (noise.has(BM_DRIFT)) line("  sum += {0}::drift<real>(Noise{1}::load(s, l), p.c{1});", noise.space(), noise.k);
    line("  (void)s, (void)l;\n  return sum;\n}}");

    line("BM_FN real increment_deviation(const Parameters& p) {{");
    line("  real variance = 0;");
    for (const auto& noise : noises_)
      if (noise.has(BM_SIGMA))
        line("  {{ const real sigma = {}::sigma<real>(p.c{}); variance += sigma * sigma; }}", noise.space(), noise.k);
    line("  return sqrt(variance) * p.root_dt * p.per_length;\n}}");

    line("BM_FN void start_states(Trajectories& s, const Parameters& p, const Launch& launch) {{");
    for (const auto& noise : noises_)
      if (noise.has(BM_START)) {
        line("  {{ Slot<real> u;");
        line("    draw_uniforms(launch.seed, stream_start({}), launch.trajectory, u);", noise.k);
        line("    for (int l = 0; l < LANES; l++) {{");
        line("      auto state = Noise{}::load(s, l);", noise.k);
        line("      {}::start<real>(state, p.c{}, u[l]);", noise.space(), noise.k);
        line("      Noise{}::save(s, l, state);\n    }} }}", noise.k);
      }
    line("  (void)s, (void)p, (void)launch;\n}}");
  }

  const Model& model_;
  KernelOptions options_;
  std::vector<Numbered> noises_, drives_;
  std::string text_;
};

template <class Array>
size_t index_of(const Array& names, std::string_view name, std::string_view what, size_t first = 0) {
  for (size_t i = first; i < names.size(); ++i)
    if (names[i] == name) return i;
  fail("run: unknown {} '{}'; known: auto, {}", what, name, fmt::join(names.begin() + first, names.end(), ", "));
}

bool any_noise(const Model& model, uint32_t flag) {
  for (const auto& noise : of_kind(model, BM_NOISE))
    if (noise.has(flag)) return true;
  return false;
}

}  // namespace

std::string_view method_name(Method method) { return method_names[static_cast<size_t>(method)]; }
std::string_view increments_name(Increments increments) { return increments_names[static_cast<size_t>(increments)]; }
Method method_of(std::string_view name) { return static_cast<Method>(index_of(method_names, name, "method")); }
Increments increments_of(std::string_view name) {
  return static_cast<Increments>(index_of(increments_names, name, "increments", 1));
}

bool has_gaussian(const Model& model) { return any_noise(model, BM_SIGMA); }
bool has_events(const Model& model) { return any_noise(model, BM_EVENTS); }

std::string compose(const Model& model, const KernelOptions& options) { return Writer(model, options).source(); }

size_t trajectory_bytes(const Model& model, const KernelOptions& options) {
  const size_t real = options.precision == Precision::single_precision ? sizeof(float) : sizeof(double);
  size_t bytes = 2 * sizeof(double) + real + 1;  // periods, window_start, position, stage
  size_t events = 0;
  for (const auto& noise : of_kind(model, BM_NOISE)) {
    events += noise.has(BM_EVENTS) ? 1 : 0;
    bytes += noise.plugin().state_count * real;
  }
  if (events > 0)
    bytes += sizeof(double) + 2 * real + events * (real + sizeof(uint32_t));  // lag, next, waited, due, used
  return bytes;
}

std::vector<std::byte> pack_parameters(const Model& model, const ModelValues& values, const PointTime& time,
                                       Precision precision) {
  std::vector<std::byte> bytes;
  auto append = [&](auto number) {
    const size_t at = bytes.size();
    bytes.resize(at + sizeof number);
    std::memcpy(bytes.data() + at, &number, sizeof number);
  };
  auto append_real = [&](double number) {
    if (precision == Precision::single_precision)
      append(static_cast<float>(number));
    else
      append(number);
  };
  append(time.transient);
  append(time.steps);
  const auto& components = model.components();
  for (const auto& drive : of_kind(model, BM_DRIVE))
    append(time.dt / drive.plugin().time_scale(values.values[drive.k].data()));
  const double length = values.period > 0 ? values.period : 1;  // the unit of u
  for (const double number : {time.dt / length, 1 / time.dt, 1 / length, std::sqrt(time.dt), values.force})
    append_real(number);
  for (size_t k = 0; k < components.size(); ++k)
    for (const double value : values.values[k]) append_real(value);
  while (bytes.size() % sizeof(double) != 0) bytes.push_back(std::byte{0});
  return bytes;
}

}  // namespace bmsim
