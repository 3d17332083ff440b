#include "compose/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "compose/trajectory.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr const char* signature =
    "template <class X, class V, class H{3}>\nBM_FN void {1}(const X (&u)[{0}], const V& v, const Outside<H>& outside, "
    "const Parameters& p, {2}X (&f)[{0}]) {{";

/// Writes the body of a function of the state that sets f[i] for every variable i, or adds to f[i].
class Body {
 public:
  explicit Body(const Model& model) : model_(model), n_(model.variables().size()) {}

  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void set(size_t i, const std::string& value) { line("  f[{}] = {};", i, value); }
  void add(size_t i, const std::string& value) { set(i, fmt::format("f[{}] + {}", i, value)); }
  /// term: a number, or a product that is not multiplied out (kernels/term.h).
  void add_term(size_t i, const std::string& term) { set(i, fmt::format("plus(f[{}], {})", i, term)); }
  void declare(std::string_view name, std::string_view more = "", std::string_view types = "") {
    line(signature, n_, name, more, types);
  }
  void end() { line("  (void)u, (void)v, (void)outside, (void)p, (void)f;\n}}"); }

  /// Declares b1[2 n]: the amplitudes of component 1, then their drifts.
  void amplitudes(const Numbered& amplitude) {
    line("  X b{0}[{1}];\n  {2}::forces(u, v, {3}, p.c{0}, b{0});", amplitude.k, 2 * n_, amplitude.space(),
         phases(amplitude));
  }

  /// Forces of potentials; those of the modulated variable are multiplied by the factor of the potential.
  void system_forces() {
    const auto modulates = [](const Component& component) { return component.modulates; };
    const auto modulating = std::ranges::find_if(model_.components(), modulates);
    const size_t modulated = modulating == model_.components().end() ? n_ : modulating->variable;
    for (const Numbered& potential : of_kind(model_, BM_POTENTIAL)) {
      const StateFunctions* forces = potential.plugin().state_functions();
      if (forces == nullptr) {
        add_term(potential.variable(),
                 fmt::format("{}::force<TermOf<X>>(term_of(u[{}]){}, p.c{}){}", potential.space(), potential.variable(),
                             potential.phases() > 0 ? ", " + phases(potential) : "", potential.k,
                             potential.variable() == modulated ? " * outside.amplitude" : ""));
        continue;
      }
      if (forces->has_text())
        line("  {}::forces(u, v, {}, p.c{}, f);", potential.space(), phases(potential), potential.k);
    }
  }
  /// Forces from outside. With several variables they are part of model_forces; see FORCED_APART of kernels/outside.h.
  void outside_forces() {
    const uint32_t forced = count(model_).forced;
    for (size_t i = 0; i < n_; ++i)
      if (forced >> i & 1) add(i, fmt::format("X(outside.force[{}])", std::popcount(forced & ((1U << i) - 1))));
  }
  /// The force by which the limit of the scheme differs from the chosen interpretation of noise with an amplitude.
  void noise_drifts(Method method) {
    for (const Numbered& amplitude : of_kind(model_, amplitude_kind))
      add_drift(amplitude, model_.part_of_drift(model_.multiplied_by(*amplitude.component)) - limit_of(method));
  }
  /// The force by which the limit of the scheme differs from Ito's interpretation.
  void drifts_from_ito(Method method) {
    line("  BM_UNROLL for (int i = 0; i < VARIABLES; i++) f[i] = X((real)0);");
    for (const Numbered& amplitude : of_kind(model_, amplitude_kind)) add_drift(amplitude, limit_of(method));
  }
  /// The values of noises other than white ones, times their amplitudes.
  void multiplied_noise_forces() {
    size_t n = 0;
    for (const Numbered& noise : multiplied_forces(model_)) {
      const Numbered amplitude = amplitude_of(noise);
      const uint32_t mask = amplitude.plugin().state_functions()->acts_on();
      if (mask != 0) amplitudes(amplitude);
      for (size_t i = 0; i < n_; ++i)
        if (mask >> i & 1) set(i, fmt::format("fma(b{0}[{1}], X(outside.noise[{2}]), f[{1}])", amplitude.k, i, n));
      ++n;
    }
  }
  void multiplied_increments() {
    line("  BM_UNROLL for (int i = 0; i < VARIABLES; i++) f[i] = X(NOTHING);");
    auto source = static_cast<size_t>(std::popcount(count(model_).white));
    for (const Numbered& noise : multiplied_noises(model_)) {
      const Numbered amplitude = amplitude_of(noise);
      const uint32_t mask = amplitude.plugin().state_functions()->acts_on() & ((1U << n_) - 1);
      if (mask != 0) amplitudes(amplitude);
      for (size_t i = 0; i < n_; ++i) {
        if (!(mask >> i & 1)) continue;
        // the source has the deviation of the noise's own variable
        const std::string unit =
            i == noise.variable()
                ? ""
                : fmt::format(" * (p.variable[{}].deviation / p.variable[{}].deviation)", i, noise.variable());
        add(i, fmt::format("b{}[{}] * white.of[{}]{}", amplitude.k, i, source, unit));
      }
      ++source;
    }
    line("  (void)white;");
  }
  std::string text() { return std::move(text_); }

 private:
  Numbered amplitude_of(const Numbered& noise) const {
    return numbered(model_)[model_.index_of(*model_.amplitude_of(*noise.component))];
  }
  /// The interpretation to which the scheme converges, as a part of the drift from Ito's to anti-Ito's. Heun converges
  /// to Stratonovich's, the others to Ito's.
  static double limit_of(Method method) { return method == Method::heun ? 0.5 : 0; }
  void add_drift(const Numbered& amplitude, double factor) {
    const uint32_t drifts = amplitude.plugin().state_functions()->acts_on() >> n_;
    if (drifts == 0 || factor == 0) return;
    amplitudes(amplitude);
    for (size_t i = 0; i < n_; ++i)
      if (drifts >> i & 1) add(i, fmt::format("b{}[{}] * (real){}", amplitude.k, n_ + i, factor));
  }
  static std::string phases(const Numbered& component) { return component.phases_from("outside.phase", "X"); }

  const Model& model_;
  size_t n_;
  std::string text_;
};

}  // namespace

std::string forces_text(const Model& model, Method method) {
  Body body(model);
  body.line("template <class X, class H> BM_FN X model_force(X u, const Outside<H>& outside, const Parameters& p){}",
            model.is_system() ? ";" : " {");
  if (!model.is_system()) {
    const Numbered potential = numbered(model).front();
    body.line("  (void)outside;\n  const X f = {}::force<X>(u{}, p.c{});", potential.space(),
              potential.phases() > 0 ? ", outside.phase" : "", potential.k);
    body.line("  if constexpr (BM_MODULATED) return f * outside.amplitude;\n  return f;\n}}");
  }
  body.declare("model_forces");
  if (model.is_system())
    body.system_forces();
  else
    body.add_term(0, "model_force(term_of(u[0]), outside, p)");
  body.noise_drifts(method);
  body.multiplied_noise_forces();
  if (model.variables().size() > 1) body.outside_forces();
  body.end();
  return body.text();
}

std::string observed_text(const Model& model) {
  if (model.observed() == nullptr)
    return "constexpr int OBSERVED = 1;  // none\n"
           "template <class... A> BM_FN void observed_values(const A&...) {}\n"
           "template <class... A> BM_FN void add_observed_values(const A&...) {}\n";
  const Numbered observed = numbered(model).back();
  return fmt::format(
      "constexpr int OBSERVED = {3};\n"
      "template <class X, class V, class O>\n"
      "BM_FN void observed_values(const X (&u)[{0}], const V& v, [[maybe_unused]] const O& outside, const Parameters& "
      "p, X (&f)[OBSERVED]) {{\n"
      "  BM_UNROLL for (int i = 0; i < OBSERVED; i++) f[i] = X((real)0);\n"
      "  {1}::forces(u, v, {4}, p.c{2}, f);\n}}\n"
      "template <class X, class V, class O>\n"
      "BM_FN void add_observed_values(const X (&u)[{0}], const V& v, [[maybe_unused]] const O& outside, const "
      "Parameters& p, X (&f)[OBSERVED]) {{\n"
      "  {1}::add_forces(u, v, {4}, p.c{2}, f);\n}}\n",
      model.variables().size(), observed.space(), observed.k, observed.plugin().state_functions()->count(),
      fmt::format("{}{}", observed_phases(observed) > 0 ? "outside.observed" : "(const X*)0",
                  observed.plugin().state_functions()->timed() > 0 ? ", outside.timed" : ""));
}

std::string fields_text(const Model& model) {
  if (model.fields().empty()) return "";
  std::string sets, phases;
  for (const Numbered& component : numbered(model)) {
    const std::vector<int> fields = component.plugin().phases_of_fields();
    const bool observed = component.plugin()->kind == observed_kind;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i] < 0) continue;
      sets += fmt::format("  outside.{}[{}] = field[{}];\n", observed ? "observed" : "phase",
                          i + (observed ? 0 : component.first_phase), fields[i]);
      phases += fmt::format("  phase[{}] = field[{}];\n", component.first_phase + i, fields[i]);
    }
  }
  const Numbered field = of_kind(model, field_kind).front();
  return fmt::format(
      "template <class X, class V>\n"
      "BM_FN void field_values(const X (&u)[{0}], const V& v, const Parameters& p, X (&f)[BM_FIELDS]) {{\n"
      "  BM_UNROLL for (int i = 0; i < BM_FIELDS; i++) f[i] = X((real)0);\n"
      "  {1}::forces(u, v, (const real*)0, p.c{2}, f);\n}}\n"
      "template <class O> BM_FN void set_fields(O& outside, const real (&field)[BM_FIELDS]) {{\n{3}"
      "  (void)outside, (void)field;\n}}\n"
      "// The same among all phases.\n"
      "template <class X, int N> BM_FN void set_field_phases(X (&phase)[N], const real (&field)[BM_FIELDS]) {{\n{4}"
      "  (void)phase, (void)field;\n}}\n",
      model.variables().size(), field.space(), field.k, sets, phases);
}

std::string noise_drift_text(const Model& model, Method method) {
  Body body(model);
  body.declare("noise_drift");
  body.drifts_from_ito(method);
  body.end();
  return body.text();
}

std::string if_on(const Model& model, const Numbered& noise) {
  return model.variables().size() == 1 ? "" : fmt::format("if (variable == {}) ", noise.variable());
}

std::string white_noise_text(const Model& model) {
  Body body(model);
  body.line("BM_FN real white_deviation([[maybe_unused]] int variable, const Parameters& p) {{");
  body.line("  real variance = 0;");
  for (const Numbered& noise : of_kind(model, BM_NOISE))
    if (noise.has(BM_SIGMA) && model.amplitude_of(*noise.component) == nullptr)
      body.line("  {2}{{ const real sigma = {0}::sigma<real>(p.c{1}); variance += sigma * sigma; }}", noise.space(),
                noise.k, if_on(model, noise));
  body.line("  return sqrt(variance) * p.variable[variable].deviation;\n}}");

  // One source for each variable that has white noise without an amplitude, then one for each noise with an amplitude.
  const Counts counts = count(model);
  const size_t n = counts.variables;
  const auto has_source = [&](size_t i) { return counts.white >> i & 1; };
  body.line("BM_FN real source_deviation(int source, const Parameters& p) {{");
  size_t source = 0;
  for (size_t i = 0; i < n; ++i)
    if (has_source(i)) body.line("  if (source == {}) return white_deviation({}, p);", source++, i);
  for (const Numbered& noise : multiplied_noises(model))
    body.line("  if (source == {}) return {}::sigma<real>(p.c{}) * p.variable[{}].deviation;", source++, noise.space(),
              noise.k, noise.variable());
  body.line("  (void)source, (void)p;\n  return 0;\n}}");
  body.line("template <class X> BM_FN void white_increments(const White<X>& white, const Parameters&, X (&xi)[{}]) {{",
            n);
  source = 0;
  for (size_t i = 0; i < n; ++i) {
    const bool only = n == 1 && counts.multiplied == 0;  // the one source, with noise or without
    body.line("  xi[{}] = {};", i, has_source(i) || only ? fmt::format("white.of[{}]", source++) : "X(NOTHING)");
  }
  body.line("  (void)white;\n}}");
  body.declare("multiplied_increments", "const White<W>& white, ", ", class W");
  body.multiplied_increments();
  body.end();
  return body.text();
}

}  // namespace bmsim
