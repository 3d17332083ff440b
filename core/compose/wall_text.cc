#include "compose/wall_text.h"

#include <fmt/format.h>

#include "plugin/state_functions.h"

namespace bmsim {

namespace {
const WallShape& wall_shape(const Numbered& wall) { return *wall.plugin().state_functions()->wall(); }

/// Walls that reflect or hold paths.
std::vector<Numbered> reflecting_walls(const Model& model) {
  return of_kind(model, wall_kind, [](const Numbered& wall) { return !wall_shape(wall).absorbs; });
}

/// Mask of the variables with a wall that reflects, or holds, on this side.
uint32_t walled_on(const Model& model, bool WallShape::*side) {
  uint32_t mask = 0;
  for (const Numbered& wall : reflecting_walls(model))
    if (wall_shape(wall).*side) mask |= 1U << wall.variable();
  return mask;
}
/// Text of the place of a wall, or of the adsorption length, in lengths of the variable.
std::string place_of(const Numbered& wall, size_t function) {
  return fmt::format("at{}[{}] * p.variable[{}].per_length", wall.k, function, wall.variable());
}

/// Statements that compute what place_of reads.
std::string wall_places(const std::vector<Numbered>& walls) {
  std::string text;
  for (const Numbered& wall : walls)
    text += fmt::format("  real at{0}[{1}] = {{}};\n  {2}::forces(none, none, (const real*)0, p.c{0}, at{0});\n",
                        wall.k, wall_shape(wall).holds ? 3 : 2, wall.space());
  return text;
}

/// Text of a function of parameters p and of the f that it calls. Both are unused where there is no wall.
std::string function(const char* name, const std::string& body) {
  return fmt::format(
      "template <class F> BM_FN void {}([[maybe_unused]] const Parameters& p, [[maybe_unused]] F f) {{\n"
      "  [[maybe_unused]] const real none[VARIABLES] = {{}};\n{}}}\n",
      name, body);
}

std::string sticky_walls_text(const Model& model) {
  const std::vector<Numbered> walls = reflecting_walls(model);
  std::string body = wall_places(walls);
  for (const Numbered& wall : walls) {
    const WallShape& shape = wall_shape(wall);
    for (const size_t side : {0, 1}) {
      if (!shape.holds || !(side == 0 ? shape.low : shape.high)) continue;
      std::string opposite = side == 0 ? "(real)1e30" : "(real)-1e30";
      for (const Numbered& other : walls)
        if (other.variable() == wall.variable() && (side == 0 ? wall_shape(other).high : wall_shape(other).low))
          opposite = place_of(other, 1 - side);
      body += fmt::format("  f({}, {}, {}, {}, {});\n", wall.variable(), side == 0 ? "false" : "true",
                          place_of(wall, side), place_of(wall, 2), opposite);
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
  const std::vector<Numbered> walls = reflecting_walls(model);
  std::string body = wall_places(walls);
  for (const int side : {0, 1})  // lower walls first
    for (const Numbered& wall : walls)
      if (side == 0 ? wall_shape(wall).low : wall_shape(wall).high)
        body += fmt::format("  f({}, {}, {});\n", wall.variable(), side == 0 ? "false" : "true", place_of(wall, side));
  return function("each_wall", body) + sticky_walls_text(model);
}

}  // namespace bmsim
