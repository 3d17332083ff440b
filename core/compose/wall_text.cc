#include "compose/wall_text.h"

#include <fmt/format.h>

#include "plugin/state_functions.h"

namespace bmsim {

namespace {
/// Mask of the variables with a wall that reflects, or holds, on this side.
uint32_t walled_on(const Model& model, bool WallShape::*side) {
  uint32_t mask = 0;
  for (const Component* one : model.walls())
    if (const WallShape& shape = *one->plugin->state_functions()->wall(); !shape.absorbs && shape.*side)
      mask |= 1U << one->variable;
  return mask;
}
/// The place of a wall, or the adsorption length, in lengths of the variable.
std::string place_of(const Numbered& walls, size_t function) {
  return fmt::format("at{}[{}] * p.variable[{}].per_length", walls.k, function, walls.variable());
}

/// Statements that compute what place_of reads, of all walls that reflect or hold.
std::string wall_places(const std::vector<Numbered>& all) {
  std::string text;
  for (const Numbered& one : all)
    if (const WallShape& shape = *one.plugin().state_functions()->wall(); !shape.absorbs)
      text += fmt::format("  real at{0}[{1}] = {{}};\n  {2}::forces(none, none, (const real*)0, p.c{0}, at{0});\n",
                          one.k, shape.holds ? 3 : 2, one.space());
  return text;
}

/// A function of parameters p and of the f that it calls, both unused where there is no wall.
std::string function(const char* name, const std::string& body) {
  return fmt::format(
      "template <class F> BM_FN void {}([[maybe_unused]] const Parameters& p, [[maybe_unused]] F f) {{\n"
      "  [[maybe_unused]] const real none[VARIABLES] = {{}};\n{}}}\n",
      name, body);
}

std::string sticky_walls_text(const Model& model) {
  const std::vector<Numbered> all = of_kind(model, wall_kind);
  std::string body = wall_places(all);
  for (const Numbered& one : all) {
    const WallShape& shape = *one.plugin().state_functions()->wall();
    for (const size_t side : {0, 1}) {
      if (!shape.holds || !(side == 0 ? shape.low : shape.high)) continue;
      std::string opposite = side == 0 ? "(real)1e30" : "(real)-1e30";
      for (const Numbered& other : all)
        if (const WallShape& its = *other.plugin().state_functions()->wall();
            !its.absorbs && other.variable() == one.variable() && (side == 0 ? its.high : its.low))
          opposite = place_of(other, 1 - side);
      body += fmt::format("  f({}, {}, {}, {}, {});\n", one.variable(), side == 0 ? "false" : "true",
                          place_of(one, side), place_of(one, 2), opposite);
    }
  }
  return function("each_sticky_wall", body);
}
}  // namespace

uint32_t walled(const Model& model) { return walled_on(model, &WallShape::low) | walled_on(model, &WallShape::high); }
uint32_t between_walls(const Model& model) {
  return walled_on(model, &WallShape::low) & walled_on(model, &WallShape::high);
}

std::string walls_text(const Model& model) {
  const std::vector<Numbered> all = of_kind(model, wall_kind);
  std::string body = wall_places(all);
  for (const int side : {0, 1})  // those below first
    for (const Numbered& one : all)
      if (const WallShape& shape = *one.plugin().state_functions()->wall();
          !shape.absorbs && (side == 0 ? shape.low : shape.high))
        body += fmt::format("  f({}, {}, {});\n", one.variable(), side == 0 ? "false" : "true", place_of(one, side));
  return function("each_wall", body) + sticky_walls_text(model);
}

}  // namespace bmsim
