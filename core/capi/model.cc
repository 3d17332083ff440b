// bm_model_*: models.
#include <cmath>
#include <memory>

#include "capi/objects.h"
#include "model/formula_plugin.h"
#include "model/system_plugin.h"

using namespace bmsim;

namespace {

const char* text_or_empty(const char* text) { return text != nullptr ? text : ""; }

/// One text for each variable of a model; "" for null.
std::vector<std::string> texts_of(const bm_model& model, const char* const* formulas) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < model.model.variables().size(); ++i) texts.emplace_back(text_or_empty(formulas[i]));
  return texts;
}

}  // namespace

extern "C" {

bm_model* bm_model_new() {
  return guarded_pointer([] { return new bm_model; });
}
bm_model* bm_model_new_underdamped() {
  return guarded_pointer([] {
    auto model = std::make_unique<bm_model>();
    model->model.make_underdamped();
    return model.release();
  });
}
bm_model* bm_model_new_system(const char* const* variables, const int* inertial, const char* const* periods,
                              size_t count, const char* const* parameters, size_t parameter_count,
                              const char* const* definitions, const char* const* formulas, size_t definition_count) {
  return guarded_pointer([&] {
    auto model = std::make_unique<bm_model>();
    std::vector<ModelVariable> model_variables;
    for (size_t i = 0; i < count; ++i)
      model_variables.push_back({variables[i], inertial[i] != 0, text_or_empty(periods[i])});
    std::map<std::string, std::string> defined;
    for (size_t i = 0; i < definition_count; ++i) defined[definitions[i]] = formulas[i];
    model->model.make_system(std::move(model_variables), {parameters, parameters + parameter_count},
                             std::move(defined));
    return model.release();
  });
}
bm_status bm_model_add_fields(bm_model* model, const char* const* names, const char* const* formulas, size_t count) {
  return guarded([&] {
    std::vector<std::pair<std::string, std::string>> fields;
    for (size_t i = 0; i < count; ++i) fields.emplace_back(names[i], formulas[i]);
    model->model.add_fields(fields);
  });
}
int bm_model_is_system(const bm_model* model) { return model->model.is_system() ? 1 : 0; }
bm_status bm_model_add_to(bm_model* model, const char* variable, const char* kind, const char* id, const char* name) {
  return guarded([&] { model->model.add(kind_of(kind), id, text_or_empty(name), variable); });
}
bm_status bm_model_add_formula_to(bm_model* model, const char* variable, const char* kind, const char* name,
                                  const char* formula, const char* const* names, size_t count) {
  return guarded([&] {
    const std::vector<std::string> parameters(names, names + count);
    model->model.add(formula_plugin(kind_of(kind), formula, parameters), text_or_empty(name), variable);
  });
}
bm_status bm_model_add_energy(bm_model* model, const char* name, const char* formula, const char* const* names,
                              size_t count) {
  return guarded([&] {
    const std::vector<std::string> parameters(names, names + count);
    model->model.add_energy(formula, parameters, text_or_empty(name));
  });
}
bm_status bm_model_set_equations(bm_model* model, const char* const* equations) {
  return guarded([&] { model->model.set_equations(texts_of(*model, equations)); });
}
bm_status bm_model_add_joint(bm_model* model, const char* id, const char* name, const char* const* of, size_t count) {
  return guarded([&] {
    const std::vector<std::string> variables(of, of + count);
    model->model.add_joint(Registry::instance().find(BM_POTENTIAL, id), variables, text_or_empty(name));
  });
}
size_t bm_potential_variables(const char* id) {
  size_t count = 0;
  guarded([&] {
    const Plugin& plugin = Registry::instance().find(BM_POTENTIAL, id);
    count = plugin.has(BM_SEVERAL) ? plugin->variable_count : 1;
  });
  return count;
}
bm_status bm_model_set_friction(bm_model* model, const char* variable, const char* formula) {
  return guarded([&] { model->model.set_friction(variable, formula); });
}
bm_status bm_model_set_amplitude(bm_model* model, const char* noise, const char* const* formulas,
                                 const char* const* names, size_t count) {
  return guarded([&] { model->model.add_amplitude(noise, texts_of(*model, formulas), {names, names + count}); });
}
bm_status bm_model_add_event(bm_model* model, const char* name, const char* trigger, const char* formula,
                             const char* direction, const char* const* targets, const char* const* values,
                             size_t target_count, const char* const* names, size_t count) {
  return guarded([&] {
    EventText text{name, trigger, formula, direction != nullptr ? direction : "both", {}};
    for (size_t i = 0; i < target_count; ++i) text.set.emplace_back(targets[i], values[i]);
    model->model.add_event(text, {names, names + count});
  });
}
bm_status bm_model_add_walls(bm_model* model, const char* variable, const char* what, const char* from, const char* to,
                             const char* const* names, size_t count) {
  return guarded([&] {
    const std::string word(what);
    if (word != "reflect" && word != "absorb") fail("walls.{}: must reflect or absorb, got '{}'", variable, word);
    model->model.add_walls({variable, text_or_empty(from), text_or_empty(to), word == "absorb"},
                           {names, names + count});
  });
}
bm_status bm_model_add_sticky_walls(bm_model* model, const char* variable, const char* from, const char* to,
                                    const char* length, const char* const* names, size_t count) {
  return guarded([&] {
    model->model.add_walls({variable, text_or_empty(from), text_or_empty(to), false, length}, {names, names + count});
  });
}
bm_status bm_model_set_interpretation(bm_model* model, const char* name) {
  return guarded([&] { model->model.set_interpretation(name); });
}
void bm_model_free(bm_model* model) { delete model; }

bm_status bm_component_check(const char* kind, const char* id, const char* parameter, double value) {
  return guarded([&] {
    const Plugin& plugin = Registry::instance().find(kind_of(kind), id);
    if (parameter == nullptr) return;
    const bm_parameter& found = find_parameter(plugin, parameter);
    if (!std::isnan(value)) check_value(plugin.full_name(), found, value);
  });
}
bm_status bm_component_check_word(const char* kind, const char* id, const char* parameter, const char* word) {
  return guarded([&] {
    const Plugin& plugin = Registry::instance().find(kind_of(kind), id);
    choice_value(plugin, parameter, word, plugin.full_name());
  });
}
bm_status bm_component_check_list(const char* kind, const char* id, const char* parameter, const double* values,
                                  size_t count) {
  return guarded([&] {
    const Plugin& plugin = Registry::instance().find(kind_of(kind), id);
    check_list(plugin.full_name(), find_list(plugin, parameter), {values, count});
  });
}
bm_status bm_component_check_modulate(const char* kind, const char* id) {
  return guarded([&] { check_modulates(Registry::instance().find(kind_of(kind), id)); });
}
const char* bm_component_takes(const char* kind, const char* id, const char* parameter) {
  return guarded_pointer([&] {
    const Plugin& plugin = Registry::instance().find(kind_of(kind), id);
    if (list_named(plugin, parameter) != nullptr) return "list";
    return find_parameter(plugin, parameter).choices != nullptr ? "word" : "number";
  });
}
bm_status bm_formula_check(const char* kind, const char* formula, const char* const* names, size_t count) {
  return guarded([&] { formula_plugin(kind_of(kind), formula, std::vector<std::string>(names, names + count)); });
}
bm_status bm_energy_check(const char* formula, const char* const* names, size_t count) {
  return guarded([&] { check_energy(formula, std::vector<std::string>(names, names + count)); });
}
bm_status bm_model_add_formula(bm_model* model, const char* kind, const char* name, const char* formula,
                               const char* const* names, size_t count) {
  return bm_model_add_formula_to(model, "", kind, name, formula, names, count);
}
bm_status bm_model_add(bm_model* model, const char* kind, const char* id, const char* name) {
  return bm_model_add_to(model, "", kind, id, name);
}
bm_status bm_model_set(bm_model* model, const char* parameter, double value) {
  return guarded([&] { model->model.set(parameter, value); });
}
bm_status bm_model_set_choice(bm_model* model, const char* parameter, const char* word) {
  return guarded([&] { model->model.set_choice(parameter, word); });
}
bm_status bm_model_set_list(bm_model* model, const char* parameter, const double* values, size_t count) {
  return guarded([&] { model->model.set_list(parameter, {values, count}); });
}
bm_status bm_model_modulate(bm_model* model, const char* component) {
  return guarded([&] { model->model.modulate(component); });
}

}  // extern "C"
