#include "model/fields.h"

#include <algorithm>

#include "plugin/state_functions.h"

namespace bmsim {

VelocitiesAndFields with_fields(const Model& model, const ModelValues& values, const double* v, const double* x,
                                const double* v_of_paths) {
  VelocitiesAndFields result{};
  const auto velocities = std::ranges::count_if(values.variables, &VariableValues::inertial);
  std::copy_n(v, velocities, result.begin());
  for (size_t k = 0; k < model.components().size(); ++k)
    if ((*model.components()[k].plugin)->kind == field_kind)
      model.components()[k].plugin->state_functions()->add_forces(x, v_of_paths, 0, values.values[k].data(), nullptr,
                                                                  result.data() + velocities);
  return result;
}

}  // namespace bmsim
