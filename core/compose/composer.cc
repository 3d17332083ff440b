#include "compose/composer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "compose/components.h"
#include "compose/flatten.h"
#include "compose/texts.h"
#include "compose/trajectory.h"
#include "compose/walk_tables.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// Mask of the variables whose whole periods are taken off.
uint32_t folded_mask(const ModelValues& values) {
  uint32_t mask = 0;
  for (size_t i = 0; i < values.variables.size(); ++i)
    if (values.variables[i].folds_with != VariableValues::unfolded) mask |= 1U << i;
  return mask;
}
/// For every variable, the index of the variable with which it folds: "0, 1, 1".
std::string fold_leaders(const ModelValues& values) {
  std::vector<int> leaders;
  for (const VariableValues& variable : values.variables) leaders.push_back(std::max(0, variable.folds_with));
  return fmt::format("{}", fmt::join(leaders, ", "));
}

/// The name of a plugin's file for #line: the folder that it was built in may be called anything.
std::string line_name(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return c == '"' || c == '\\' || c < ' '; }, '_');
  return name;
}

class Writer {
 public:
  Writer(const Model& model, const ModelValues& values, const KernelOptions& options)
      : model_(model),
        values_(values),
        options_(options),
        components_(numbered(model)),
        noises_(of_kind(model, BM_NOISE)) {}

  std::string source() {
    const bool cuda = options_.dialect == Dialect::cuda;
    return flattened(cuda ? "cuda/entry.h" : "cpu/entry.h", cuda ? "cuda" : "cpu",
                     [this](std::string_view name) { return generated(name); });
  }

  /// Text of the generated file of this name; nothing for another name.
  std::optional<std::string> generated(std::string_view name) {
    constexpr std::pair<std::string_view, void (Writer::*)()> files[] = {
        {"settings.h", &Writer::settings}, {"trajectory.h", &Writer::trajectory}, {"model.h", &Writer::model},
        {"calls.h", &Writer::calls},       {"counters.h", &Writer::counters},     {"clock.h", &Writer::clock}};
    for (const auto& [file, write] : files) {
      if (file != name) continue;
      text_ = "#pragma once\n";
      (this->*write)();
      return std::move(text_);
    }
    return {};
  }

 private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  template <class Value> void define(std::string_view name, const Value& value) { line("#define {} {}", name, value); }

  void include(std::string_view name) { line("#include \"{}\"", name); }
  void begin_kernel() { line("\nnamespace bmsim_kernel {{\n"); }
  void end_kernel() { line("\n}}  // namespace bmsim_kernel"); }

  // The structs whose members depend on the model and the run.
  void trajectory() {
    for (const char* name : {"abi.h", "absent.h", "special.h"}) include(name);
    begin_kernel();
    line("using namespace bmsim_abi;\n");
    text_ += trajectory_text(model_, options_);
    end_kernel();
  }

  // The plugins, the struct Parameters, and a type for every noise.
  void model() {
    for (const char* name : {"arrays.h", "random.h", "state.h", "streams.h"}) include(name);
    if (!model_.events().empty()) include("event_numbers.h");
    begin_kernel();
    plugins();
    text_ += ParameterSchema(model_, values_, options_).text();
    if (!model_.events().empty()) text_ += events_text(model_, values_);
    noises();
    phases();
    end_kernel();
  }

  // Functions that the integrators call.
  void calls() {
    include("outside.h");
    begin_kernel();
    text_ += forces_text(model_, options_.method);
    text_ += observed_text(model_);
    text_ += walls_text(model_);
    text_ += fields_text(model_);
    sums();
    text_ += white_noise_text(model_);
    if (options_.vanishing != 0) text_ += noise_drift_text(model_, options_.method);
    text_ += outside_text(model_);
    text_ += step_text(model_);
    end_kernel();
  }

  // The counters of the run: see kernels/counter.h.
  void counters() {
    include("counter.h");
    for (const Counter& counter : options_.counters) include(fmt::format("counters/{}.h", counter.name));
    begin_kernel();
    std::vector<std::string> types;
    for (const Counter& counter : options_.counters) types.push_back(counter.type);
    line("typedef CounterList<{}> Counters;", fmt::join(types, ", "));
    end_kernel();
  }

  // The stepper: whether all trajectories of a point make the same steps, or each makes its own.
  void clock() {
    include(options_.method == Method::exact      ? "exact_clock.h"
            : options_.method == Method::walk     ? "walk_clock.h"
            : options_.method == Method::adaptive ? "adaptive_clock.h"
            : is_on_common_clock()                ? "common_clock.h"
                                                  : "own_clocks.h");
  }
  bool is_on_common_clock() const {
    if (options_.method == Method::paper) return true;
    return options_.method != Method::walk && !has_countdowns(count(model_), options_);
  }

  // Macros that depend on the model and the run.
  void settings() {
    const Counts n = count(model_);
    define("BM_REAL", options_.precision == Precision::single_precision ? "float" : "double");
    define("BM_SINGLE", options_.precision == Precision::single_precision ? 1 : 0);
    define("BM_GROUP", options_.group);
    define("BM_METHOD", method_macro(options_.method));
    define("BM_INCREMENTS", increments_macro(options_.increments));
    define("BM_EVENT_NOISES", n.events);
    define("BM_STATES", n.states);
    define("BM_SETS", n.timed_events);
    define("BM_WALLS", walled(model_) != 0 ? 1 : 0);
    define("BM_ABSORBS", model_.absorbing() != nullptr ? 1 : 0);
    define("BM_WALLED", fmt::format("{}u", walled(model_)));
    define("BM_BOXED", fmt::format("{}u", between_walls(model_)));
    define("BM_VANISHING", fmt::format("{}u", options_.vanishing));
    define("BM_PRESSED", fmt::format("{}u", options_.pressed));
    define("BM_BEHIND", fmt::format("{}u", options_.behind));
    define("BM_ONE_SIDED", options_.one_sided != 0 ? 1 : 0);
    define("BM_STICKY", fmt::format("{}u", n.sticky));
    define("BM_HAZARDS", n.hazards);
    define("BM_FIELDS", n.fields);
    define("BM_BLOCK_THREADS", options_.block_threads);
    define("BM_CROSSINGS", n.crossings);
    define("BM_JUMPS", n.events + n.hazards + n.crossings > 0 ? 1 : 0);
    define("BM_COUNTDOWNS", has_countdowns(n, options_) ? 1 : 0);
    define("BM_COMMON_CLOCK", is_on_common_clock() ? 1 : 0);
    define("BM_RARE_EVENTS", options_.rare_events ? 1 : 0);
    define("BM_GATHERED_IMPULSES", gathers_impulses(model_, n, options_) ? 1 : 0);
    define("BM_FALLS", knows_falls(options_, n) ? std::popcount(n.forced) : 0);
    define("BM_EVOLVING", n.evolving);
    define("BM_AVERAGES", n.averages);
    define("BM_STEP_NUMBERS", n.step_noises);
    define("BM_OWN_INCREMENTS", n.own_increments ? 1 : 0);
    define("BM_DRIFT_VARIES", n.drift_varies ? 1 : 0);
    define("BM_FACTORS", n.factors);
    define("BM_KICK_PHASES", n.kick_phases > 0 ? 1 : 0);
    define("BM_VARIABLES", n.variables);
    define("BM_VELOCITIES", n.velocities);
    define("BM_ONE_POTENTIAL", model_.is_system() ? 0 : 1);
    define("BM_INERTIAL", fmt::format("{}u", n.inertial));
    define("BM_FORCED", fmt::format("{}u", n.forced));
    define("BM_KICKED", fmt::format("{}u", n.kicked));
    define("BM_WHITE", fmt::format("{}u", n.white));
    define("BM_MULTIPLIED", fmt::format("{}u", n.multiplied));
    define("BM_SOURCES", std::max<size_t>(1, n.sources));
    define("BM_MODULATED", n.modulated ? 1 : 0);
    define("BM_PHASES", n.phases);
    define("BM_POTENTIAL_PHASES", n.potential_phases);
    define("BM_RANDOM_PHASES", options_.random_phases && n.phases > 0 ? 1 : 0);
    define("BM_DRIFT_OUTSIDE", drift_is_outside(model_) ? 1 : 0);
    define("BM_PERIODIC", fmt::format("{}u", folded_mask(values_)));
    define("BM_FOLDS_WITH", fold_leaders(values_));
    define("BM_MARKS", options_.marks ? 1 : 0);
    define("BM_FORMULAS", options_.marks ? options_.formulas : 0);
    define("BM_SQUARES", options_.squares && n.velocities > 0 ? 1 : 0);
    define("BM_PUSHED", sums_push(options_) ? 1 : 0);
    define("BM_SEEN", options_.seen.index);
    define("BM_SEEN_FORMULA", options_.seen.of == KernelOptions::Seen::variable         ? "0"
                              : options_.seen.of == KernelOptions::Seen::linear_formula ? "BM_LINEAR"
                                                                                        : "BM_ANY_FORMULA");
    define("BM_SEEN_VARIABLES", fmt::format("{}u", options_.seen.variables));
    define("BM_SEEN_VELOCITIES", fmt::format("{}u", options_.seen.velocities));
    const SeenNoise noise = seen_noise(model_, options_.seen);
    define("BM_SEEN_SOURCES", noise.sources);
    const bool many_lengths = options_.method == Method::adaptive && noise.sources > 0;
    define("BM_SEEN_SPREADS", noise.spreads || many_lengths ? 1 : 0);
    define("BM_HALVES", options_.halves ? 1 : 0);
    define("BM_COARSE", options_.coarse ? 1 : 0);
    const Component* observed = model_.observed();
    define("BM_TIMED", n.timed);
    define("BM_OBSERVED", observed == nullptr ? 0 : observed->plugin->state_functions()->count());
    define("BM_AT_EVENTS", options_.at_events);
    if (options_.integrals.empty()) return;
    std::vector<int> integrands, integrators, rules;
    int next = static_cast<int>(options_.first_integrand);
    for (const KernelOptions::Integral& integral : options_.integrals) {
      integrands.push_back(integral.of == KernelOptions::Integral::formula ? next++ : -integral.of);
      integrators.push_back(integral.over);
      rules.push_back(integral.rule);
    }
    define("BM_INTEGRANDS", fmt::format("{}", fmt::join(integrands, ", ")));
    define("BM_INTEGRATORS", fmt::format("{}", fmt::join(integrators, ", ")));
    define("BM_INTEGRAL_RULES", fmt::format("{}", fmt::join(rules, ", ")));
  }

  // The text of each plugin, once, in its own namespace, with its file name and line numbers.
  void plugins() {
    check_operations(model_);
    std::set<std::string> done;
    for (const Numbered& component : components_) {
      const Plugin& plugin = component.plugin();
      if (!done.insert(component.space()).second) continue;
      std::string body = plugin->source;
      constexpr std::string_view include = "#include <bmsim/plugin.h>";
      if (const auto at = body.find(include); at != std::string::npos) body.replace(at, include.size(), "");
      // The flattener leaves an indented #include alone. These are headers for the plugin's functions on the host.
      constexpr std::string_view own = "\n#include \"";
      for (size_t at = body.find(own); at != body.npos; at = body.find(own, at + 2)) body.insert(at + 1, " ");
      line("namespace {} {{", component.space());
      line("#line 1 \"{}\"", line_name(plugin->source_file));
      text_ += body;
      line("\n#line {} \"model.h\"", std::count(text_.begin(), text_.end(), '\n') + 3);
      line("template <class T> struct State {{");
      for (uint32_t i = 0; i < plugin->state_count; ++i) line("  T {};", plugin->states[i]);
      line("}};\n}}  // namespace");
    }
  }

  // A type for every noise, which knows where the state of the noise is kept.
  void noises() {
    size_t first_state = 0, n = 0;
    std::string event_calls;
    if (is_exact()) line("BM_FN T load_slot(const Slot<real>& slot) {{ return load(slot); }}");
    for (const Numbered& noise : noises_) {
      if (noise.has(BM_EVOLVE)) continue;
      const bm_plugin& plugin = *noise.plugin();
      line("struct Noise{} {{", noise.k);
      line("  static constexpr uint32_t component = {};", noise.k);
      line("  static constexpr int variable = {};", noise.variable());
      line("  static constexpr bool SETS = false;");
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
      if (noise.has(BM_EVENTS)) {
        event_calls += fmt::format("  f(Noise{}(), {});\n", noise.k, n++);
        for (const char* function : {"waiting", "event"})
          line(
              "  static BM_FN_MEMBER real {0}(State& state, const Parameters& p, real e) "
              "{{ return {1}::{0}<real>(state, p.c{2}, e); }}",
              function, noise.space(), noise.k);
        text_ += jump_text(model_, noise);
        if (is_exact()) text_ += exact_events_text(noise, first_state);
      }
      line("}};");
      first_state += plugin.state_count;
    }
    for (const Numbered& event : timed_events(model_))
      event_calls += fmt::format("  f({}(), {});\n", event_type(event), n++);
    line("template <class F> BM_FN void each_event_noise(F f) {{\n{}  (void)f;\n}}", event_calls);
  }

  // Tells phases in turns, which are reduced to [0, 1), from times.
  void phases() {
    uint64_t wrap = 0;
    for (const Numbered& component : components_) {
      const std::vector<bool> wraps = component.plugin().phases_wrap();
      for (size_t i = 0; i < wraps.size(); ++i)
        if (wraps[i]) wrap |= uint64_t{1} << (component.first_phase + i);
    }
    line("constexpr uint64_t PHASES_WRAP = {};", wrap);
  }

  // Sums over the noises.
  void sums() {
    line("BM_FN real model_drift([[maybe_unused]] int variable, Trajectories& s, const Parameters& p, int l) {{");
    line("  real sum = p.variable[variable].force;");
    for (const Numbered& noise : noises_)
      if (is_constant_force(model_, noise)) line("  {}sum += {};", if_on(model_, noise), present_force(noise));
    line("  (void)s, (void)p, (void)l;\n  return sum;\n}}");
    text_ += factors_text(model_);
    if (options_.method == Method::exact) text_ += exact_drift_text(noises_);
    if (options_.method == Method::walk) text_ += walk_state_text(noises_, walk_states(model_, values_));

    line("BM_FN void start_states(Trajectories& s, const Parameters& p, const Launch& launch) {{");
    size_t evolving = 0;
    for (const Numbered& noise : noises_) {
      const uint32_t states = noise.plugin()->state_count;
      if (noise.has(BM_START)) start_state(noise, evolving);
      evolving += noise.has(BM_EVOLVE) ? states : 0;
    }
    line("  (void)s, (void)p, (void)launch;\n}}");
  }

  void start_state(const Numbered& noise, size_t evolving) {
    line("  {{ Slot<real> u, e;");
    line("    draw_uniforms(launch.seed, stream_start({}), 0, launch.trajectory, u);", noise.k);
    line("    draw_uniforms(launch.seed, stream_start({}), 1, launch.trajectory, e);", noise.k);
    line("    for (int l = 0; l < LANES; l++) {{");
    if (noise.has(BM_EVOLVE)) {
      line("      {0}::State<real> state{{}};\n      {0}::start<real>(state, p.c{1}, u[l], -log(e[l]));", noise.space(),
           noise.k);
      for (uint32_t i = 0; i < noise.plugin()->state_count; ++i)
        line("      s.evolving[{}][l] = state.{};", evolving + i, noise.plugin()->states[i]);
      line("    }} }}");
      return;
    }
    line("      auto state = Noise{}::load(s, l);", noise.k);
    line("      {}::start<real>(state, p.c{}, u[l], -log(e[l]));", noise.space(), noise.k);
    line("      Noise{}::save(s, l, state);\n    }} }}", noise.k);
  }

  bool is_exact() const { return options_.method == Method::exact || options_.method == Method::walk; }

  const Model& model_;
  const ModelValues& values_;
  KernelOptions options_;
  std::vector<Numbered> components_, noises_;
  std::string text_;
};

bool any_noise(const Model& model, uint32_t flag) {
  return std::ranges::any_of(of_kind(model, BM_NOISE), [&](const Numbered& noise) { return noise.has(flag); });
}

}  // namespace

bool has_gaussian(const Model& model) { return any_noise(model, BM_SIGMA); }
bool has_events(const Model& model) { return any_noise(model, BM_EVENTS); }

std::string compose(const Model& model, const ModelValues& values, const KernelOptions& options) {
  return Writer(model, values, options).source();
}
std::string compose(const Model& model, const KernelOptions& options) {
  return compose(model, evaluate(model), options);
}

std::string generated_file(const Model& model, const KernelOptions& options, std::string_view name) {
  const ModelValues values = evaluate(model);
  return Writer(model, values, options).generated(name).value();
}

}  // namespace bmsim
