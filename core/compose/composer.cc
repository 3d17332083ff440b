// Generates the part of the kernel that depends on the model: defines, parameter structs, calls of the plugins.
#include "compose/composer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <set>

#include "compose/components.h"
#include "compose/exact_text.h"
#include "compose/flatten.h"
#include "compose/time_text.h"
#include "compose/trajectory.h"
#include "plugin/system_forces.h"

namespace bmsim {

namespace {

/// Variables whose whole periods are taken off, and with which of them: "0, 1, 1".
uint32_t folded_mask(const ModelValues& values) {
  uint32_t mask = 0;
  for (size_t i = 0; i < values.variables.size(); ++i)
    if (values.variables[i].folds_with != VariableValues::unfolded) mask |= 1U << i;
  return mask;
}
std::string fold_leaders(const ModelValues& values) {
  std::string list;
  for (const VariableValues& one : values.variables)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", std::max(0, one.folds_with));
  return list;
}

class Writer {
 public:
  Writer(const Model& model, const ModelValues& values, const KernelOptions& options)
      : model_(model), values_(values), options_(options), all_(numbered(model)), noises_(of_kind(model, BM_NOISE)) {}

  std::string source() {
    const bool cuda = options_.dialect == Dialect::cuda;
    return flattened(cuda ? "cuda/entry.h" : "cpu/entry.h", cuda ? "cuda" : "cpu",
                     [this](std::string_view name) { return generated(name); });
  }

  /// Text of the generated file of this name; nothing for another name.
  std::optional<std::string> generated(std::string_view name) {
    text_.clear();
    if (name == "settings.h")
      settings();
    else if (name == "trajectory.h")
      trajectory();
    else if (name == "model.h")
      model();
    else if (name == "calls.h")
      calls();
    else if (name == "counters.h")
      counters();
    else
      return {};
    return std::move(text_);
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

  // Macros that depend on the model and the run.
  void settings() {
    line("#pragma once");
    defines();
  }

  // The structs whose members depend on the model and the run.
  void trajectory() {
    line("#pragma once");
    for (const char* name : {"abi.h", "absent.h", "special.h"}) include(name);
    begin_kernel();
    line("using namespace bmsim_abi;\n");
    text_ += trajectory_text(model_, options_);
    end_kernel();
  }

  // The plugins, the struct Parameters, and a type for every noise.
  void model() {
    line("#pragma once");
    for (const char* name : {"arrays.h", "random.h", "state.h", "streams.h"}) include(name);
    begin_kernel();
    plugins();
    text_ += ParameterSchema(model_, values_, options_).text();
    noises();
    phases();
    end_kernel();
  }

  // Functions that the integrators call.
  void calls() {
    line("#pragma once");
    include("outside.h");
    begin_kernel();
    if (model_.is_system())
      system_forces();
    else
      forces();
    multiplied();
    averages();
    sums();
    text_ += outside_text(model_);
    text_ += step_text(model_);
    end_kernel();
  }

  // The counters of the run: see kernels/counter.h.
  void counters() {
    line("#pragma once");
    include("counter.h");
    std::string types;
    for (const Counter& counter : options_.counters) {
      include(fmt::format("counters/{}.h", counter.name));
      types += (types.empty() ? "" : ", ") + counter.type;
    }
    begin_kernel();
    line("typedef CounterList<{}> Counters;", types);
    end_kernel();
  }

  void defines() {
    const Counts n = count(model_);
    define("BM_REAL", options_.precision == Precision::single_precision ? "float" : "double");
    define("BM_SINGLE", options_.precision == Precision::single_precision ? 1 : 0);
    define("BM_GROUP", options_.group);
    define("BM_METHOD", method_macro(options_.method));
    define("BM_INCREMENTS", increments_macro(options_.increments));
    define("BM_EVENT_NOISES", n.events);
    define("BM_STATES", n.states);
    define("BM_COUNTDOWNS", has_countdowns(n, options_) ? 1 : 0);
    define("BM_GATHERED_IMPULSES", gathers_impulses(model_, n, options_) ? 1 : 0);
    define("BM_EVOLVING", n.evolving);
    define("BM_AVERAGES", n.averages);
    define("BM_STEP_NUMBERS", n.step_noises);
    define("BM_OWN_INCREMENTS", n.own_increments ? 1 : 0);
    define("BM_DRIFT_VARIES", n.drift_varies ? 1 : 0);
    define("BM_AMPLITUDE_VARIES", n.amplitude_varies ? 1 : 0);
    define("BM_VARIABLES", n.variables);
    define("BM_VELOCITIES", n.velocities);
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
    define("BM_SQUARES", options_.squares && n.velocities > 0 ? 1 : 0);
    define("BM_COARSE", options_.coarse ? 1 : 0);
  }

  // The text of each plugin, once, in its own namespace, with its file name and line numbers.
  void plugins() {
    std::set<std::string> done;
    for (const Numbered& one : all_) {
      const Plugin& plugin = one.plugin();
      if (!done.insert(one.space()).second) continue;
      std::string body = plugin->source;
      constexpr std::string_view include = "#include <bmsim/plugin.h>";
      if (const auto at = body.find(include); at != std::string::npos) body.replace(at, include.size(), "");
      // An indented #include is none of ours: headers that the plugin's functions on the host need.
      constexpr std::string_view own = "\n#include \"";
      for (size_t at = body.find(own); at != body.npos; at = body.find(own, at + 2)) body.insert(at + 1, " ");
      line("namespace {} {{", one.space());
      line("#line 1 \"{}\"", plugin->source_file);
      text_ += body;
      line("\n#line {} \"model.h\"", std::count(text_.begin(), text_.end(), '\n') + 3);
      line("template <class T> struct State {{");
      for (uint32_t i = 0; i < plugin->state_count; ++i) line("  T {};", plugin->states[i]);
      line("}};\n}}  // namespace");
    }
  }

  // One type per noise, which knows where the state of the noise is kept.
  void noises() {
    size_t first_state = 0, n = 0;
    std::string each;
    if (options_.method == Method::exact) line("BM_FN T load_slot(const Slot<real>& slot) {{ return load(slot); }}");
    for (const Numbered& noise : noises_) {
      if (noise.has(BM_EVOLVE)) continue;
      const bm_plugin& plugin = *noise.plugin();
      line("struct Noise{} {{", noise.k);
      line("  static constexpr uint32_t component = {};", noise.k);
      line("  static constexpr int variable = {};", noise.variable());
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
        each += fmt::format("  f(Noise{}(), {});\n", noise.k, n++);
        for (const char* function : {"waiting", "event"})
          line(
              "  static BM_FN_MEMBER real {0}(State& state, const Parameters& p, real e) "
              "{{ return {1}::{0}<real>(state, p.c{2}, e); }}",
              function, noise.space(), noise.k);
        if (options_.method == Method::exact) text_ += exact_events_text(noise, first_state);
      }
      line("}};");
      first_state += plugin.state_count;
    }
    line("template <class F> BM_FN void each_event_noise(F f) {{\n{}  (void)f;\n}}", each);
  }

  // Distinguishes phases in turns, which are reduced to [0, 1), from times.
  void phases() {
    uint64_t wrap = 0;
    for (const Numbered& one : all_) {
      const std::vector<bool> wraps = one.plugin().phases_wrap();
      for (size_t i = 0; i < wraps.size(); ++i)
        if (wraps[i]) wrap |= uint64_t{1} << (one.first_phase + i);
    }
    line("constexpr uint64_t PHASES_WRAP = {};", wrap);
  }

  // Forces that depend on the state.
  void forces() {
    const Numbered& potential = all_.front();
    line("template <class X, class H> BM_FN X model_force(X u, const Outside<H>& outside, const Parameters& p) {{");
    line("  (void)outside;\n  const X f = {}::force<X>(u{}, p.c{});", potential.space(),
         potential.phases() > 0 ? ", outside.phase" : "", potential.k);
    line("  if constexpr (BM_MODULATED) return f * outside.amplitude;\n  return f;\n}}");
    line("template <class X, class V, class H>");
    line(
        "BM_FN void model_forces(const X (&u)[1], const V& v, const Outside<H>& outside, const Parameters& p, X "
        "(&f)[1]) "
        "{{");
    line("  (void)v;\n  f[0] = model_force(u[0], outside, p);");
    uint32_t set = 1;
    noise_drifts(set);
    line("}}");
  }

  /// f[i] = force, or f[i] += force if it has been set.
  void add_to(uint32_t& set, size_t i, const std::string& force) {
    line("  f[{0}] = {1}{2};", i, set >> i & 1 ? fmt::format("f[{}] + ", i) : "", force);
    set |= 1U << i;
  }

  // The force by which the scheme's limit differs from the interpretation of noise with an amplitude: integrators
  // converge to Stratonovich's, euler to Ito's.
  void noise_drifts(uint32_t& set) {
    const double alpha = model_.interpretation() == Interpretation::ito            ? 0
                         : model_.interpretation() == Interpretation::stratonovich ? 0.5
                                                                                   : 1;
    const double factor = alpha - (options_.method == Method::euler ? 0 : 0.5);
    if (factor == 0) return;
    const size_t n = model_.variables().size();
    for (const Numbered& one : of_kind(model_, amplitude_kind)) {
      const uint32_t drifts = one.plugin().system_forces()->acts_on() >> n;
      if (drifts == 0) continue;
      amplitudes(one, n);
      for (size_t i = 0; i < n; ++i)
        if (drifts >> i & 1) add_to(set, i, fmt::format("b{}[{}] * (real){}", one.k, n + i, factor));
    }
  }
  void amplitudes(const Numbered& one, size_t n) {
    line("  X b{0}[{1}];\n  {2}::forces(u, v, {3}, p.c{0}, b{0});", one.k, 2 * n, one.space(), phases_of(one));
  }
  static std::string phases_of(const Numbered& one) {
    return one.phases() > 0 ? fmt::format("outside.phase + {}", one.first_phase) : "(const X*)0";
  }

  // Functions of the state that counter Average sums up.
  void averages() {
    if (model_.averages() == nullptr) return;
    const Numbered& one = all_.back();
    const size_t n = model_.variables().size();
    line("template <class X, class V, int M>");
    line("BM_FN void average_values(const X (&u)[{}], const V& v, const Parameters& p, X (&f)[M]) {{", n);
    line("  BM_UNROLL for (int i = 0; i < M; i++) f[i] = X((real)0);\n  {}::forces(u, v, (const X*)0, p.c{}, f);\n}}",
         one.space(), one.k);
  }

  // Increments of white noise that amplitudes multiply.
  void multiplied() {
    const size_t n = model_.variables().size();
    const Counts counts = count(model_);
    line("template <class X, class V, class H>");
    line(
        "BM_FN void multiplied_increments(const X (&u)[{0}], const V& v, const Outside<H>& outside, const Parameters& "
        "p, const White<X>& white, X (&f)[{0}]) {{",
        n);
    uint32_t set = 0;
    auto source = static_cast<size_t>(std::popcount(counts.white));
    for (const Numbered& noise : multiplied_noises(model_)) {
      const Numbered one = amplitude_of(model_, noise);
      const uint32_t mask = one.plugin().system_forces()->acts_on() & ((1U << n) - 1);
      if (mask != 0) amplitudes(one, n);
      for (size_t i = 0; i < n; ++i) {
        if (!(mask >> i & 1)) continue;
        // the source has the deviation of the variable that the noise belongs to
        const std::string unit =
            i == noise.variable()
                ? ""
                : fmt::format(" * (p.variable[{}].deviation / p.variable[{}].deviation)", i, noise.variable());
        add_to(set, i, fmt::format("b{}[{}] * white.of[{}]{}", one.k, i, source, unit));
      }
      ++source;
    }
    line("  (void)u, (void)v, (void)outside, (void)p, (void)white, (void)f;\n}}");
  }

  // The same of a system, with the forces from outside. There is no model_force, which is of one variable.
  void system_forces() {
    const size_t n = model_.variables().size();
    line("template <class X, class H> BM_FN X model_force(X u, const Outside<H>& outside, const Parameters& p);");
    line("template <class X, class V, class H>");
    line(
        "BM_FN void model_forces(const X (&u)[{0}], const V& v, const Outside<H>& outside, const Parameters& p, X "
        "(&f)[{0}]) {{",
        n);
    uint32_t set = 0;
    const auto add = [&](size_t i, const std::string& force) { add_to(set, i, force); };
    for (const Numbered& one : of_kind(model_, BM_POTENTIAL)) {
      const std::string phases = one.phases() > 0 ? ", " + phases_of(one) : "";
      const SystemForces* forces = one.plugin().system_forces();
      if (forces == nullptr) {
        add(one.variable(), fmt::format("{}::force<X>(u[{}]{}, p.c{})", one.space(), one.variable(), phases, one.k));
        continue;
      }
      if (forces->acts_on() == 0) continue;
      line("  X f{}[{}];\n  {}::forces(u, v, {}, p.c{}, f{});", one.k, n, one.space(), phases_of(one), one.k, one.k);
      for (size_t i = 0; i < n; ++i)
        if (forces->acts_on() >> i & 1) add(i, fmt::format("f{}[{}]", one.k, i));
    }
    noise_drifts(set);
    const Counts counts = count(model_);
    for (size_t i = 0; i < n; ++i) {
      if (counts.forced >> i & 1)
        add(i, fmt::format("X(outside.force[{}])", std::popcount(counts.forced & ((1U << i) - 1))));
      if (!(set >> i & 1)) add(i, "X((real)0)");
    }
    line("  (void)u, (void)v, (void)outside, (void)p;\n}}");
  }

  // Sums over the noises.
  void sums() {
    const auto sum_of = [&](std::string_view function, std::string_view first, bool adds) {
      line("BM_FN real {}({}Trajectories& s, const Parameters& p, int l) {{\n  real sum = {};", function,
           adds ? "int variable, " : "", first);
      for (const Numbered& noise : noises_)
        if (noise.has(BM_DRIFT) && !noise.has(BM_EVOLVE) && noise.adds() == adds)
          line("  {2}sum += {0}::drift<real>(Noise{1}::load(s, l), p.c{1});", noise.space(), noise.k,
               adds ? if_on(noise) : "");
      line("  (void)s, (void)p, (void)l;\n  return sum;\n}}");
    };
    sum_of("model_drift", "p.variable[variable].force", true);
    sum_of("model_amplitude", "0", false);
    if (options_.method == Method::exact) text_ += exact_drift_text(noises_);

    line("BM_FN real white_deviation([[maybe_unused]] int variable, const Parameters& p) {{");
    line("  real variance = 0;");
    const auto multiplied_list = multiplied_noises(model_);
    const auto is_multiplied = [&](const Numbered& noise) {
      return std::any_of(multiplied_list.begin(), multiplied_list.end(),
                         [&](const Numbered& one) { return one.k == noise.k; });
    };
    for (const Numbered& noise : noises_)
      if (noise.has(BM_SIGMA) && !is_multiplied(noise))
        line("  {2}{{ const real sigma = {0}::sigma<real>(p.c{1}); variance += sigma * sigma; }}", noise.space(),
             noise.k, if_on(noise));
    line("  return sqrt(variance) * p.variable[variable].deviation;\n}}");
    white();

    line("BM_FN void start_states(Trajectories& s, const Parameters& p, const Launch& launch) {{");
    size_t evolving = 0;
    for (const Numbered& noise : noises_) {
      const uint32_t states = noise.plugin()->state_count;
      if (noise.has(BM_START)) start_state(noise, evolving);
      evolving += noise.has(BM_EVOLVE) ? states : 0;
    }
    line("  (void)s, (void)p, (void)launch;\n}}");
  }

  /// "if (variable == 2) " for a noise of a system.
  std::string if_on(const Numbered& noise) const {
    return model_.variables().size() == 1 ? "" : fmt::format("if (variable == {}) ", noise.variable());
  }

  // One source of white noise for each variable that has some.
  void white() {
    const uint32_t mask = count(model_).white;
    const size_t n = model_.variables().size();
    line("BM_FN real source_deviation(int source, const Parameters& p) {{");
    size_t source = 0;
    for (size_t i = 0; i < n; ++i)
      if (mask >> i & 1) line("  if (source == {}) return white_deviation({}, p);", source++, i);
    for (const Numbered& noise : multiplied_noises(model_))
      line("  if (source == {}) return {}::sigma<real>(p.c{}) * p.variable[{}].deviation;", source++, noise.space(),
           noise.k, noise.variable());
    line("  (void)source, (void)p;\n  return 0;\n}}");
    line("template <class X> BM_FN void white_increments(const White<X>& white, const Parameters&, X (&xi)[{}]) {{", n);
    source = 0;
    for (size_t i = 0; i < n; ++i) {
      if (mask >> i & 1)
        line("  xi[{}] = white.of[{}];", i, source++);
      else
        line("  xi[{}] = {};", i, n == 1 && count(model_).multiplied == 0 ? "white.of[0]" : "X((real)0)");
    }
    line("  (void)white;\n}}");
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

  const Model& model_;
  const ModelValues& values_;
  KernelOptions options_;
  std::vector<Numbered> all_, noises_;
  std::string text_;
};

bool any_noise(const Model& model, uint32_t flag) {
  for (const Numbered& noise : of_kind(model, BM_NOISE))
    if (noise.has(flag)) return true;
  return false;
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
