#include "engine/tails.h"

#include <algorithm>
#include <cmath>

namespace bmsim {

void set_tail(const Model& model, const ModelValues& values, PointFacts& facts) {
  const auto names = model.parameter_names();
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& one = model.components()[k];
    const double* parameters = values.values[k].data();
    if ((*one.plugin)->kind != BM_NOISE || !std::isnan(one.plugin->intensity(parameters).value_or(0))) continue;
    const auto number = [&](const char* parameter, double otherwise) {
      const std::string name = one.name + "." + parameter;
      return std::find(names.begin(), names.end(), name) == names.end() ? otherwise : value_of(model, values, name);
    };
    facts.tail = std::min(facts.tail, number("alpha", std::isnan(one.plugin->mean(parameters).value_or(0)) ? 0 : 1));
    facts.even_tails = facts.even_tails && number("beta", 1) == 0;
  }
}

}  // namespace bmsim
