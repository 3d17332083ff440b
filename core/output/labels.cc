#include "output/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "error.h"
#include "plan/options.h"

namespace bmsim {

namespace {

struct Known {
  std::string_view name, symbol, unit, meaning;
};
constexpr std::array known_labels = {Known{"force", "f", "force", "constant force"},
                                     Known{"mass", "m", "mass", "mass"},
                                     Known{"gamma", "gamma", "mass/time", "friction"},
                                     Known{"steps", "steps", "", "steps per path"},
                                     Known{"transient", "transient", "time", "duration of the transient"},
                                     Known{"paths", "paths", "", "paths of the estimates"},
                                     Known{"reached", "reached", "", "1 where all errors asked for are reached"},
                                     Known{"levels", "levels", "", "step lengths in use"},
                                     Known{"cost", "cost", "", "steps of all paths"}};

/// The parameter "poisson.D", and which component has it.
std::optional<std::pair<const Component*, const bm_parameter*>> parameter_of(const Plan& plan, std::string_view name) {
  for (const Component& component : plan.model.components())
    for (uint32_t i = 0; i < (**component.plugin).parameter_count; ++i) {
      const bm_parameter& parameter = (**component.plugin).parameters[i];
      if (full_name(component, parameter.name) == name) return std::pair(&component, &parameter);
    }
  return std::nullopt;
}

/// "mass_x" of a system: "mass of x".
std::optional<Label> of_variable(const Model& model, std::string_view name) {
  if (!model.is_system()) return {};
  for (const ModelVariable& variable : model.variables())
    for (const Known& known : known_labels)
      if (name == fmt::format("{}_{}", known.name, variable.name) &&
          std::ranges::count(model.equation_parameters(), name))
        return Label{fmt::format("{}_{}", known.symbol, variable.name), std::string(known.unit),
                     fmt::format("{} {} {}", known.meaning, known.name == "force" ? "on" : "of", variable.name),
                     "parameter"};
  return {};
}

bool has_symbol(const Component& component, std::string_view symbol) {
  const bm_plugin& plugin = **component.plugin;
  return std::any_of(plugin.parameters, plugin.parameters + plugin.parameter_count,
                     [&](const bm_parameter& parameter) { return parameter.symbol == symbol; });
}

/// Whether another component of the model, or its equation, has this symbol, too.
bool is_shared(const Plan& plan, const Component& owner, std::string_view symbol) {
  return std::ranges::any_of(plan.model.components(),
                             [&](const Component& other) { return &other != &owner && has_symbol(other, symbol); }) ||
         std::ranges::any_of(known_labels, [&](const Known& known) {
           return known.symbol == symbol && std::ranges::count(plan.model.equation_parameters(), known.name) > 0;
         });
}

/// The columns that belong to a column of an observable: the ends of their names, their symbols and meanings.
struct Derived {
  const char *suffix, *symbol, *meaning;
};
constexpr std::array<Derived, 3> derived = {{{"", "{}", "{}"},
                                             {"_step", "step error of {}", "step error of the {}"},
                                             {"_extrapolated", "extrapolated {}", "{}, extrapolated to steps of 0"}}};

}  // namespace

Label label_of(const Plan& plan, std::string_view name) {
  const auto parameter_label = [&]() -> std::optional<Label> {
    const auto found = parameter_of(plan, name);
    if (!found) return {};
    const auto& [component, parameter] = *found;
    std::string symbol = parameter->symbol;
    if (is_shared(plan, *component, symbol)) symbol += " (" + component->name + ")";
    return Label{std::move(symbol), parameter->unit, parameter->doc, "parameter"};
  };
  if (const auto own = of_variable(plan.model, name)) return *own;
  // Parameters of a system's equations may have the names of quantities of other models.
  if (auto own = parameter_label(); own && plan.model.is_system()) return *own;
  for (const Known& known : known_labels)
    if (known.name == name)
      return {std::string(known.symbol), std::string(known.unit), std::string(known.meaning), "parameter"};
  if (const RunOption* option = run_option(name); option != nullptr && option->per_point)
    return {option->name, option->unit, option->meaning, "parameter"};
  // Scripts choose the names of formulas, so that a column may have the name of another column's error.
  for (const auto& observable : plan.observables)
    for (const std::string& column : observable->columns())
      if (column == name) {
        const ColumnLabel label = observable->label(column);
        return {label.symbol, label.unit, label.meaning, "observable"};
      }
  for (const auto& observable : plan.observables) {
    for (const std::string& column : observable->columns()) {
      const ColumnLabel label = observable->label(column);
      for (const auto& [suffix, symbol, meaning] : derived) {
        const std::string whole = column + suffix, shown = fmt::format(fmt::runtime(symbol), label.symbol);
        const std::string words = fmt::format(fmt::runtime(meaning), label.meaning);
        if (whole == name) return {shown, label.unit, words, "observable"};
        if (whole + "_err" == name)
          return {"err(" + shown + ")", label.unit, "standard error of the " + words, "error"};
      }
    }
  }
  return parameter_label().value_or(Label{std::string(name), "", "", "added"});
}

}  // namespace bmsim
