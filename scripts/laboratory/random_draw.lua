-- Models drawn at random for random_models.lua, each with its reference, by their numbers. The kinds of models:
--   random_grid.lua      one variable without inertia; the Fokker-Planck equation on a grid
--   random_inertial.lua  one variable with inertia; paths of the script's own
--   random_systems.lua   two or three variables, coloured noise, Levy noise; paths of the script's own
--   random_linear.lua    linear systems; exact moments
local terms = require "random_terms"
local draw_grid, draw_inertial = require "random_grid", require "random_inertial"
local systems, draw_linear = require "random_systems", require "random_linear"

-- The model of a number: what it is, in words; kind, "grid", "paths" or "moments", that of its reference; the fields of
-- its run; the values to compare; reference(dt), its values; longer, a factor of the step for a second run, or nil.
return function(number)
  terms.seed_of(number)
  local place = terms.uniform()
  local draw = place < 0.5 and draw_grid or place < 0.65 and draw_inertial or place < 0.8 and systems.system
               or place < 0.9 and systems.particle or draw_linear
  local model = draw()
  model.longer = terms.chance(0.3) and 2 ^ terms.uniform(1, 6) or nil
  return model
end
