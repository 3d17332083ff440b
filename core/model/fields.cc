#include "model/fields.h"

#include <algorithm>

#include "plugin/state_functions.h"

namespace bmsim {

VelocitiesAndFields with_fields(const Model& model, const ModelValues& values, const double* v, const double* x,
                                const double* v_of_all) {
  VelocitiesAndFields all{};
  size_t velocities = 0;
  for (const VariableValues& one : values.variables) velocities += one.inertial ? 1 : 0;
  std::copy_n(v, velocities, all.begin());
  for (size_t k = 0; k < model.components().size(); ++k)
    if ((*model.components()[k].plugin)->kind == field_kind)
      model.components()[k].plugin->state_functions()->add_forces(x, v_of_all, 0, values.values[k].data(), nullptr,
                                                                  all.data() + velocities);
  return all;
}

}  // namespace bmsim
