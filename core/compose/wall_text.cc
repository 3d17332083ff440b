#include "compose/wall_text.h"

#include <fmt/format.h>

#include "plugin/state_functions.h"

namespace bmsim {

uint32_t walled(const Model& model) {
  uint32_t mask = 0;
  for (const Component* one : model.walls())
    if (!one->plugin->state_functions()->wall()->absorbs) mask |= 1U << one->variable;
  return mask;
}

std::string walls_text(const Model& model) {
  if (walled(model) == 0) return "";
  std::string body;
  for (const Numbered& one : of_kind(model, wall_kind)) {
    const WallShape& shape = *one.plugin().state_functions()->wall();
    if (shape.absorbs) continue;
    body += fmt::format("  real at{}[2] = {{}};\n  {}::forces(none, none, (const real*)0, p.c{}, at{});\n", one.k,
                        one.space(), one.k, one.k);
    for (const int side : {0, 1})
      if (side == 0 ? shape.low : shape.high)
        body += fmt::format("  f({0}, {1}, at{2}[{3}] * p.variable[{0}].per_length);\n", one.variable(),
                            side == 0 ? "false" : "true", one.k, side);
  }
  return "template <class F> BM_FN void each_wall(const Parameters& p, F f) {\n  const real none[VARIABLES] = {};\n" +
         body + "}\n";
}

}  // namespace bmsim
