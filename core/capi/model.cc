// bm_model_*: models.
#include <cmath>

#include "capi/objects.h"

using namespace bmsim;

extern "C" {

bm_model* bm_model_new() {
  return guarded_pointer([] { return new bm_model; });
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
bm_status bm_model_add(bm_model* model, const char* kind, const char* id, const char* name) {
  return guarded([&] { model->model.add(kind_of(kind), id, name != nullptr ? name : ""); });
}
bm_status bm_model_set(bm_model* model, const char* parameter, double value) {
  return guarded([&] { model->model.set(parameter, value); });
}

}  // extern "C"
