#include "model/system_plugin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "error.h"
#include "formula/compiled.h"
#include "formula/functions.h"
#include "formula/parse.h"
#include "formula/program.h"
#include "model/formula_plugin.h"
#include "nearest_name.h"
#include "plugin/state_functions.h"

namespace bmsim {
namespace {

using formula::CompiledSystem;
using formula::Expression;
using formula::SystemNames;

/// The inputs of host programs: variables, then velocities, mean fields, parameters, and parameters of the system.
std::vector<std::string> inputs_of(const SystemNames& names) {
  std::vector<std::string> inputs;
  for (const auto& variable : names.variables) inputs.push_back(variable.name);
  for (const auto& variable : names.variables)
    if (!variable.velocity.empty()) inputs.push_back(variable.velocity);
  for (const auto* list : {&names.fields, &names.parameters, &names.shared})
    inputs.insert(inputs.end(), list->begin(), list->end());
  return inputs;
}

class SystemPlugin : public Plugin, public StateFunctions {
 public:
  SystemPlugin(std::unique_ptr<FormulaTexts> texts, const SystemNames& names, CompiledSystem compiled,
               std::vector<std::optional<Expression>> periods, std::optional<EventShape> event)
      : Plugin(&texts->descriptor, {}),
        texts_(std::move(texts)),
        compiled_(std::move(compiled)),
        periods_(std::move(periods)),
        event_(std::move(event)),
        inputs_(inputs_of(names)),
        shared_(names.shared),
        variables_(names.variables.size()) {
    for (const Expression& e : compiled_.functions) programs_.emplace_back(e, inputs_);
    if (((**this).kind != amplitude_kind && (**this).kind != BM_POTENTIAL) || !compiled_.jumps) return;
    const std::span<const std::string> state = state_names();
    const size_t amplitudes = std::min(variables_, compiled_.functions.size());
    for (size_t i = 0; i < amplitudes; ++i) {
      std::vector<bool>& jumps = jumps_with_.emplace_back();
      for (const std::string& name : state)
        jumps.push_back(formula::jumps(compiled_.functions[i], std::span(&name, 1)));
      for (const auto& [argument, whole] : formula::switches(compiled_.functions[i], state))
        switches_.push_back({formula::Program(argument, inputs_), whole});
    }
  }

  const StateFunctions* state_functions() const override { return this; }
  int derive(const bm_context&, double* values) const override {
    // place() computes them
    std::fill_n(values + texts_->names().size(), compiled_.constants.size() + shared_.size(), 0);
    return 0;
  }
  double time_scale(const double* values) const override {
    return formula::shortest_period(compiled_.phases, lookup(values, {}));
  }
  std::vector<double> frequencies(const double* values) const override {
    return formula::frequencies(compiled_.phases, lookup(values, {}));
  }
  std::vector<bool> phases_wrap() const override {
    std::vector<bool> wrap;
    for (const formula::Phase& phase : compiled_.phases) wrap.push_back(phase.reduced);
    return wrap;
  }
  bool reads_phases() const override { return true; }
  size_t operations() const override { return compiled_.operations; }
  std::vector<int> phases_of_fields() const override {
    std::vector<int> fields;
    for (const formula::Phase& phase : compiled_.phases) fields.push_back(phase.field);
    return fields;
  }

  size_t count() const override { return compiled_.functions.size(); }
  const EventShape* event() const override { return event_ ? &*event_ : nullptr; }
  const WallShape* wall() const override { return wall_ ? &*wall_ : nullptr; }
  void make_wall(const WallShape& wall) { wall_ = wall; }
  size_t timed() const override { return compiled_.timed; }
  bool forces_read_phases() const override { return compiled_.reads_phases; }
  uint32_t acts_on() const override { return static_cast<uint32_t>(compiled_.not_zero); }
  bool has_text() const override { return compiled_.in_text != 0; }
  double constant_force(size_t variable, const SystemNumbers& numbers, const double* values) const override {
    return variable < compiled_.offsets.size() ? number_of(compiled_.offsets[variable], values, numbers) : 0;
  }
  bool reads_velocities() const override { return compiled_.reads_velocities != 0; }
  bool depends(size_t function, size_t number) const override { return programs_[function].reads(number); }
  bool hides_shift(uint32_t mask, std::span<const double> lengths) const override {
    std::vector<std::string> names;
    std::vector<double> amounts;
    for (size_t i = 0; i < variables_; ++i)
      if (mask >> i & 1) names.push_back(inputs_[i]), amounts.push_back(lengths[i]);
    return std::ranges::any_of(compiled_.functions,
                               [&](const Expression& e) { return formula::hides_shift(e, names, amounts); });
  }
  uint32_t reads_variables() const override { return compiled_.reads_variables; }
  uint32_t reads_velocities_of() const override { return compiled_.reads_velocities; }
  bool jumps() const override { return compiled_.jumps; }
  std::optional<size_t> not_linear() const override {
    for (size_t i = 0; i < compiled_.functions.size(); ++i)
      if (formula::degree(compiled_.functions[i], state_names()) > 1) return i;
    return {};
  }
  std::optional<double> period_of(size_t variable, const double* values) const override {
    if (variable >= periods_.size() || !periods_[variable]) return {};
    return formula::evaluate(*periods_[variable], lookup(values, {}));
  }
  void place(const SystemNumbers& numbers, double* values) const override {
    double* constant = values + texts_->names().size();
    for (const Expression& e : compiled_.constants) *constant++ = number_of(e, values, numbers);
    for (const std::string& name : shared_) *constant++ = lookup(values, numbers)(name);
  }
  formula::Enclosure bounds(size_t function, const double* x, const double* v, double t, const double* values,
                            std::vector<size_t> varying) const {
    std::vector<double> numbers = {0, t};
    with_inputs(x, v, values,
                [&](const double* inputs) { numbers.insert(numbers.end(), inputs, inputs + inputs_.size()); });
    for (size_t& number : varying) number = number == time_varies ? 1 : 2 + number;
    return {programs_[function], std::move(numbers), std::move(varying)};
  }
  bool jumps_with(size_t variable, size_t number) const override {
    return variable < jumps_with_.size() && jumps_with_[variable][number];
  }
  using Plugin::sides;  // those of one variable
  std::vector<Side> sides(const double* x, const double* v, double t, const double* values) const override {
    std::vector<Side> sides;
    with_inputs(x, v, values, [&](const double* inputs) {
      for (const auto& [argument, whole] : switches_) sides.push_back({argument(0, t, inputs), whole});
    });
    return sides;
  }
  void add_forces(const double* x, const double* v, double t, const double* values, const bm_numbers*,
                  double* f) const override {
    with_inputs(x, v, values, [&](const double* inputs) {
      for (size_t i = 0; i < programs_.size(); ++i)
        if (compiled_.not_zero >> i & 1) f[i] += programs_[i](0, t, inputs);
    });
  }

 private:
  struct Switch {
    formula::Program argument;
    bool whole;
  };
  /// The inputs that are numbers of the state: variables, velocities and mean fields.
  std::span<const std::string> state_names() const {
    return {inputs_.data(), inputs_.size() - texts_->names().size() - shared_.size()};
  }
  /// Calls use(inputs of programs) for a state.
  template <class Use> void with_inputs(const double* x, const double* v, const double* values, Use use) const {
    const size_t own = texts_->names().size(), velocities = state_names().size() - variables_;
    constexpr size_t few = 64;
    std::array<double, few> here;
    std::vector<double> elsewhere(inputs_.size() > few ? inputs_.size() : 0);
    double *const inputs = elsewhere.empty() ? here.data() : elsewhere.data(), *to = std::copy_n(x, variables_, inputs);
    if (velocities > 0) to = std::copy_n(v, velocities, to);
    to = std::copy_n(values, own, to);
    std::copy_n(values + own + compiled_.constants.size(), shared_.size(), to);
    use(inputs);
  }
  double number_of(const Expression& e, const double* values, const SystemNumbers& numbers) const {
    const double number = formula::evaluate(e, lookup(values, numbers));
    if (!std::isfinite(number)) fail("{}: {} must be finite, got {}", texts_->id, formula::text(e), number);
    return number;
  }
  formula::Lookup lookup(const double* values, const SystemNumbers& numbers) const {
    return [this, values, numbers](std::string_view name) {
      for (size_t i = 0; i < numbers.lengths.size(); ++i) {
        if (name == formula::length_name(i)) return numbers.lengths[i];
        if (name == formula::mass_name(i)) return numbers.masses[i];
      }
      if (name == formula::intensity_name) return numbers.intensity;
      for (const auto& [shared, value] : numbers.shared)
        if (shared == name) return value;
      for (size_t i = 0; i < texts_->names().size(); ++i)
        if (texts_->names()[i] == name) return values[i];
      const double* shared = values + texts_->names().size() + compiled_.constants.size();
      for (size_t i = 0; i < shared_.size(); ++i)
        if (shared_[i] == name) return shared[i];  // as place() has computed it
      return std::numeric_limits<double>::quiet_NaN();
    };
  }

  std::unique_ptr<FormulaTexts> texts_;
  CompiledSystem compiled_;
  std::vector<std::optional<Expression>> periods_;
  std::optional<EventShape> event_;
  std::optional<WallShape> wall_{};
  std::vector<std::string> inputs_, shared_;
  std::vector<formula::Program> programs_;
  std::vector<std::vector<bool>> jumps_with_{};  ///< of amplitudes that may jump: by variable, by number of the state
  std::vector<Switch> switches_{};
  size_t variables_;
};

/// subject: of the message that there are too many operations.
std::unique_ptr<SystemPlugin> make_plugin(uint32_t kind, const std::string& subject, const char* id,
                                          const char* summary, const std::string& equation, const SystemNames& names,
                                          std::vector<Expression> functions,
                                          std::vector<std::optional<Expression>> periods,
                                          std::optional<EventShape> event = {}) {
  using formula::FunctionsAre;
  CompiledSystem compiled = formula::compile_system(std::move(functions), names,
                                                    kind == BM_POTENTIAL    ? FunctionsAre::forces
                                                    : kind == observed_kind ? FunctionsAre::observed
                                                                            : FunctionsAre::amplitudes,
                                                    event ? 1 : SIZE_MAX);
  formula::check_operations(compiled.operations, subject);
  auto texts = std::make_unique<FormulaTexts>();
  texts->id = id;
  texts->summary = summary;
  texts->equation = equation;
  const auto function = [](const char* name, bool timed, const std::string& body) {
    return fmt::format(
        "template <class T, int N, int M, class V, class H, class P{0}>\n"
        "BM_FN void {2}(const T (&u)[N], const V& v, const H* phase, {1}const P& p, T (&f)[M]) {{\n"
        "(void)u, (void)v, (void)phase, (void)p, (void)f;\n{3}}}\n",
        timed ? ", class W" : "", timed ? "const W* w, " : "", name, body);
  };
  texts->source = function("forces", compiled.timed > 0, compiled.text);
  if (kind == observed_kind) texts->source += function("add_forces", compiled.timed > 0, compiled.sums_text);
  if (event) texts->source += function("set", false, compiled.later_text);
  if (compiled.timed > 0)
    texts->source += fmt::format(
        "template <class T, int N, class P> BM_FN void timed(const T* phase, const P& p, T (&w)[N]) {{\n"
        "(void)phase, (void)p;\n{}}}\n",
        compiled.timed_text);
  texts->complete(kind, names.parameters, compiled.constants.size() + names.shared.size(), compiled.smooth, true);
  return std::make_unique<SystemPlugin>(std::move(texts), names, std::move(compiled), std::move(periods),
                                        std::move(event));
}

std::string key_of(const char* kind, const SystemNames& names) {
  std::string key = kind;
  for (const auto& [name, velocity, length] : names.variables)
    key += fmt::format("\n{} {} {}", name, velocity, length ? formula::text(*length) : "");
  for (const std::string& name : names.parameters) key += "\np " + name;
  for (const std::string& name : names.shared) key += "\ns " + name;
  for (const auto& [name, text] : names.definitions) key += fmt::format("\nd {} = {}", name, text);
  for (const std::string& name : names.full) key += "\nf " + name;
  for (const std::string& name : names.fields) key += "\nm " + name;
  return key;
}

/// The law of a random number by its name, U, U1, ..., N, ..., E, ...; 0 for other names.
char law_of(std::string_view name) {
  const bool known = (name.size() == 1 || (name.size() == 2 && name[1] >= '1' && name[1] <= '9')) &&
                     (name[0] == 'U' || name[0] == 'N' || name[0] == 'E');
  return known ? name[0] : '\0';
}

/// Adds the random numbers that formulas of `set` use to the variables of `names`.
void add_numbers(SystemNames& names, EventShape& shape, const EventText& text) {
  std::vector<std::string> taken = names.parameters, added;
  taken.insert(taken.end(), names.shared.begin(), names.shared.end());
  for (const auto& [name, formula] : names.definitions) taken.push_back(name);
  for (const auto& variable : names.variables) taken.push_back(variable.name);
  for (const auto& [target, formula] : text.set)
    for (const std::string& word : formula::names_in(formula)) {
      if (law_of(word) == '\0' || std::ranges::count(added, word)) continue;
      if (std::ranges::count(taken, word))
        fail("events.{}: set.{}: {} is a random number here, and the name of something else in the model", text.name,
             target, word);
      added.push_back(word);
      names.variables.push_back({word});
      shape.numbers += law_of(word);
    }
  if (shape.numbers.size() > most_numbers)
    fail("events.{}: set: at most {} random numbers, got {}", text.name, most_numbers, shape.numbers.size());
}

EventShape::Target target_of(const SystemNames& names, const EventText& text, const std::string& name) {
  std::vector<std::string> known;
  for (size_t i = 0; i < names.variables.size(); ++i) {
    const auto& variable = names.variables[i];
    if (variable.name == name) return {i, false};
    if (!variable.velocity.empty() && variable.velocity == name) return {i, true};
    known.push_back(variable.name);
    if (!variable.velocity.empty()) known.push_back(variable.velocity);
  }
  fail("events.{}: set: unknown variable '{}'{}", text.name, name, suggestion(name, known));
}

/// Sets the trigger of an event. fields: whether the model has mean fields; all its paths then share a clock, which no
/// event of a path stops. of_time: whether the trigger depends on t or on fields.
void set_trigger(EventShape& shape, const EventText& text, const std::string& subject, bool of_time, bool fields) {
  const bool constant = shape.reads_variables == 0 && shape.reads_velocities_of == 0 && !of_time;
  if (text.trigger == "rate") {
    shape.trigger = constant && !fields ? EventShape::constant_rate : EventShape::rate;
    return;
  }
  if (text.trigger == "every") {
    shape.trigger = EventShape::interval;
    if (!constant)
      fail("{}: every must be a number or a formula of parameters, got '{}'; rate may depend on variables and t",
           subject, text.formula);
    return;
  }
  if (text.trigger != "when") fail("{}: unknown trigger '{}'; known: rate, every, when", subject, text.trigger);
  if (text.direction != "up" && text.direction != "down" && text.direction != "both")
    fail("{}: direction must be \"up\", \"down\" or \"both\", got '{}'", subject, text.direction);
  shape.trigger = EventShape::zero;
  shape.up = text.direction != "down";
  shape.down = text.direction != "up";
  if (constant) fail("{}: when must depend on variables or t, to pass 0, got '{}'", subject, text.formula);
}

}  // namespace

const Plugin& equations_plugin(const SystemNames& names, const EquationsText& texts) {
  std::string key = key_of("equations", names);
  for (const auto* list : {&texts.equations, &texts.periods, &texts.frictions})
    for (const std::string& text : *list) key += "\n= " + text;
  return only_plugin(key, [&] {
    formula::SystemParser parser(names, "system");
    std::vector<Expression> functions;
    std::vector<std::optional<Expression>> periods;
    std::string equation;
    for (size_t i = 0; i < names.variables.size(); ++i) {
      const auto& [name, velocity, length] = names.variables[i];
      const std::string &text = texts.equations[i], &period = texts.periods[i], &friction = texts.frictions[i];
      Expression force = text.empty() ? Expression(0) : parser.parse(text, "system: equations." + name);
      if (!friction.empty())
        force = force - parser.parse(friction, "system: inertia." + name + ": gamma") * Expression(velocity);
      functions.push_back(force);
      periods.push_back(period.empty() ? std::optional<Expression>()
                                       : parser.parse_constant(period, "system: period." + name));
      const auto tell = [&](const std::string& what, const std::string& formula) {
        if (!formula.empty()) equation += fmt::format("{}{}: {}", equation.empty() ? "" : "; ", what, formula);
      };
      tell(!velocity.empty() ? "force on " + name : "d" + name + "/dt", text);
      tell("gamma of " + name, friction);
    }
    return make_plugin(BM_POTENTIAL, "system: all equations together", "equations",
                       "equations of motion, written in the script", equation, names, std::move(functions),
                       std::move(periods));
  });
}

const Plugin& energy_plugin(const SystemNames& names, const std::string& text) {
  return only_plugin(key_of("energy", names) + "\n" + text, [&] {
    SystemNames own = names;
    for (auto& variable : own.variables) variable.velocity.clear();  // a potential depends on positions alone
    formula::SystemParser parser(own, "potential.formula");
    const Expression V = parser.parse(text, "potential.formula");
    parser.check_all_used();
    std::vector<Expression> functions;
    for (const auto& variable : names.variables) functions.push_back(-formula::derivative(V, variable.name));
    return make_plugin(BM_POTENTIAL, fmt::format("potential.formula: the forces of {}", formula::shortened(text)),
                       "formula", "any potential: a formula of the variables that the script gives", "V = " + text,
                       names, std::move(functions), {});
  });
}

const Plugin& amplitude_plugin(const SystemNames& names, const std::vector<std::string>& formulas, bool white) {
  std::string key = key_of(white ? "amplitude of white noise" : "amplitude", names);
  for (const std::string& text : formulas) key += "\n= " + text;
  return only_plugin(key, [&] {
    formula::SystemParser parser(names, "amplitude");
    const size_t n = names.variables.size();
    std::vector<Expression> functions;
    std::string equation;
    for (size_t i = 0; i < n; ++i) {
      functions.push_back(formulas[i].empty() ? Expression(0) : parser.parse(formulas[i], "amplitude"));
      if (!formulas[i].empty()) equation += (equation.empty() ? "" : ", ") + formulas[i];
    }
    parser.check_all_used();
    for (size_t i = 0; i < n && white; ++i) {
      Expression drift = 0;
      for (size_t j = 0; j < n; ++j) {
        const auto& [name, velocity, length] = names.variables[j];
        const bool inertial = !velocity.empty();
        const Expression slope = formula::derivative(functions[i], inertial ? velocity : name);
        drift = drift + functions[j] * slope / (inertial ? Expression(formula::mass_name(j)) : Expression(1));
      }
      functions.push_back(2 * Expression(formula::intensity_name) * drift);
    }
    SystemNames known = names;
    known.shared.emplace_back(formula::intensity_name);
    for (size_t j = 0; j < n; ++j) known.shared.push_back(formula::mass_name(j));
    return make_plugin(amplitude_kind, "amplitude: " + formula::shortened(equation), "amplitude",
                       "amplitude of a noise, written in the script", equation, known, std::move(functions), {});
  });
}

const Plugin& observed_plugin(const SystemNames& names, const std::vector<ObservedFormula>& formulas) {
  std::string key = key_of("observed", names), equation;
  for (const ObservedFormula& observed : formulas) {
    key += fmt::format("\n{} = {} {}", observed.subject, observed.text, observed.of_time);
    equation += (equation.empty() ? "" : ", ") + observed.text;
  }
  return only_plugin(key, [&] {
    formula::SystemParser parser(names, "observe");
    std::vector<Expression> functions;
    for (const auto& [text, subject, of_time, of_fields] : formulas) {
      functions.push_back(parser.parse(text, subject));
      if (!of_time && formula::depends(functions.back(), "t")) fail("{}: {} must not depend on t", subject, text);
      for (const std::string& field : names.fields)
        if (!of_fields && formula::depends(functions.back(), field))
          fail("{}: {} must not depend on the field {}", subject, text, field);
    }
    SystemNames known = names;
    for (const std::string& name : names.full)
      if (!std::ranges::count(names.shared, name) &&
          std::ranges::any_of(functions, [&](const Expression& e) { return formula::depends(e, name); }))
        known.shared.push_back(name);
    return make_plugin(observed_kind, "observe: " + formula::shortened(equation), "observed", "functions of the state",
                       equation, known, std::move(functions), {});
  });
}

const Plugin& event_plugin(const SystemNames& names, const EventText& text) {
  std::string key =
      fmt::format("{}\n{}\n{} {} {}", key_of("event", names), text.name, text.trigger, text.formula, text.direction);
  for (const auto& [target, formula] : text.set) key += fmt::format("\n{} = {}", target, formula);
  return only_plugin(key, [&] {
    const std::string subject = "events." + text.name;
    if (text.set.size() > most_targets)
      fail("{}: set: at most {} variables, got {}", subject, most_targets, text.set.size());
    EventShape shape;
    SystemNames known = names;
    for (const auto& [target, formula] : text.set) shape.targets.push_back(target_of(names, text, target));
    add_numbers(known, shape, text);
    formula::SystemParser parser(known, subject);
    std::vector<Expression> functions = {parser.parse(text.formula, subject + ": " + text.trigger)};
    for (size_t i = names.variables.size(); i < known.variables.size(); ++i)
      if (formula::depends(functions[0], known.variables[i].name))
        fail("{}: {} must not contain {}: random numbers are for set", subject, text.trigger, known.variables[i].name);
    for (size_t i = 0; i < names.variables.size(); ++i) {
      const auto& [name, velocity, length] = names.variables[i];
      if (formula::depends(functions[0], name)) shape.reads_variables |= 1U << i;
      if (!velocity.empty() && formula::depends(functions[0], velocity)) shape.reads_velocities_of |= 1U << i;
      if (formula::jumps(functions[0], std::array{name, velocity})) shape.jumps_with |= 1U << i;
    }
    const bool of_time =
        formula::depends(functions[0], "t") || std::ranges::any_of(names.fields, [&](const std::string& field) {
          return formula::depends(functions[0], field);
        });
    set_trigger(shape, text, subject, of_time, !names.fields.empty());
    std::string equation = fmt::format("{} {}", text.trigger, text.formula);
    if (shape.trigger == EventShape::zero) equation += text.direction == "both" ? " = 0" : " = 0 " + text.direction;
    for (const auto& [target, formula] : text.set) {
      functions.push_back(parser.parse(formula, fmt::format("{}: set.{}", subject, target)));
      equation += fmt::format("; {} -> {}", target, formula);
    }
    shape.reads_fields = std::ranges::any_of(names.fields, [&](const std::string& field) {
      return std::ranges::any_of(functions, [&](const Expression& e) { return formula::depends(e, field); });
    });
    parser.check_all_used();
    return make_plugin(event_kind, subject + ": its formula", text.name.c_str(), "event, written in the script",
                       equation, known, std::move(functions), {}, std::move(shape));
  });
}

const Plugin& fields_plugin(const SystemNames& names, const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string key = key_of("fields", names);
  for (const auto& [name, text] : fields) key += fmt::format("\n{} = {}", name, text);
  return only_plugin(key, [&] {
    formula::SystemParser parser(names, "system");
    std::vector<Expression> functions;
    std::string equation;
    for (const auto& [name, text] : fields) {
      const std::string subject = "system: fields." + name;
      functions.push_back(parser.parse(text, subject));
      if (formula::depends(functions.back(), "t"))
        fail("{}: {} must not depend on t; forces may multiply it by what does", subject, text);
      equation += fmt::format("{}{} = <{}>", equation.empty() ? "" : ", ", name, text);
    }
    return make_plugin(field_kind, "system: all fields together", "fields", "mean fields: averages over all paths",
                       equation, names, std::move(functions), {});
  });
}

const Plugin& wall_plugin(const SystemNames& names, const WallText& wall) {
  const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", key_of("wall", names), wall.variable, wall.from,
                                      wall.to, wall.absorbs, wall.length);
  return only_plugin(key, [&] {
    const std::string subject = "walls." + wall.variable;
    formula::SystemParser parser(names, subject);
    std::vector<Expression> functions;
    std::string equation;
    for (const auto& [word, text] : {std::pair("from", &wall.from), std::pair("to", &wall.to)}) {
      functions.push_back(text->empty() ? Expression(0)
                                        : parser.parse_constant(*text, fmt::format("{}: {}", subject, word)));
      if (!text->empty()) equation += fmt::format("{}{} {}", equation.empty() ? "" : " ", word, *text);
    }
    const bool holds = !wall.length.empty();
    if (holds) {
      functions.push_back(parser.parse_constant(wall.length, fmt::format("{}: length", subject)));
      equation += " length " + wall.length;
    }
    parser.check_all_used();
    auto plugin = make_plugin(wall_kind, subject,
                              wall.absorbs ? "absorb"
                              : holds      ? "sticky"
                                           : "reflect",
                              wall.absorbs ? "absorbing walls"
                              : holds      ? "sticky walls"
                                           : "reflecting walls",
                              equation, names, std::move(functions), {});
    plugin->make_wall({!wall.from.empty(), !wall.to.empty(), wall.absorbs, holds});
    return plugin;
  });
}

void check_energy(const std::string& text, std::span<const std::string> parameters) {
  formula::check_length(text, "potential.formula");
  std::vector<std::string> names;
  for (const std::string& word : formula::names_in(text))
    if (word != "pi" && word != "t" && !formula::find_function(word) && !std::ranges::count(parameters, word))
      names.push_back(word);
  names.insert(names.end(), {"x", "t"});
  const std::string period[] = {"L"};  // of one variable it need not occur
  formula::parse(text, names, parameters, period, "potential.formula");
}

std::optional<Expression> literal_length(const std::string& text) {
  try {
    return formula::parse(text, {}, {}, {}, "");
  } catch (const Error&) {
    return {};
  }
}

std::optional<formula::Enclosure> function_bounds(const Plugin& plugin, size_t function, const double* x,
                                                  const double* v, double t, const double* values,
                                                  std::vector<size_t> varying) {
  const auto* system = dynamic_cast<const SystemPlugin*>(&plugin);
  if (system == nullptr) return {};
  return system->bounds(function, x, v, t, values, std::move(varying));
}

}  // namespace bmsim
