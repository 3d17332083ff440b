-- Walls of a model: walls = { x = { "reflect", from = 0, to = 1 } }, or "absorb", or "sticky" with a length; or a list
-- of these. Each side is a number, which is swept as wall.from or wall.to (of a system wall_x.from; of walls that
-- absorb exit.from; of sticky ones sticky.from and sticky.length), or a formula of the system's parameters.
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"

local walls = {}

local words = { reflect = "wall", absorb = "exit", sticky = "sticky" }
local known = '"reflect", "absorb" or "sticky"'

local function add_one(made, variable, own, fields, set)
  errors.check_table(own, fields, known .. ", from and to")
  local sticky = fields[1] == "sticky"
  local names = sticky and { "from", "to", "length" } or { "from", "to" }
  for key in pairs(fields) do
    if key == "length" and not sticky and words[fields[1]] then
      errors.raise('%s: a length is of walls that are "sticky", got "%s"', own, fields[1])
    end
    if key ~= 1 and key ~= "from" and key ~= "to" and key ~= "length" then
      errors.raise("%s: unknown field '%s'%s", own, tostring(key), errors.suggest(key, names))
    end
  end
  if not words[fields[1]] then
    errors.raise("%s: must begin with what the walls do, %s, got %s", own, known,
      fields[1] == nil and "nothing" or tostring(fields[1]))
  end
  if fields.from == nil and fields.to == nil then errors.raise("%s: give from, to, or both", own) end
  if sticky and fields.length == nil then
    errors.raise("%s: give length, the adsorption length: the mass at the wall over the density before it", own)
  end
  local parameters, texts = {}, {}
  for _, side in ipairs(names) do
    local value = fields[side]
    if type(value) == "string" then
      texts[side] = value
    elseif value ~= nil then
      if type(value) ~= "function" then errors.check_number(("%s: %s"):format(own, side), value) end
      texts[side] = side
      parameters[#parameters + 1] = side
    end
  end
  if sticky then
    errors.check(C.bm_model_add_sticky_walls(made.handle, variable, texts.from, texts.to, texts.length,
      C.texts(parameters), #parameters))
  else
    errors.check(C.bm_model_add_walls(made.handle, variable, fields[1], texts.from, texts.to,
      C.texts(parameters), #parameters))
  end
  local name = words[fields[1]] .. (made.system and "_" .. variable or "")
  made.names[name] = true
  for _, side in ipairs(parameters) do set(made, name .. "." .. side, fields[side]) end
end

--- Adds the walls of a model, after its potentials. set: sets a parameter of it.
function walls.add(made, subject, list, set)
  if list == nil then return end
  errors.check_table(subject .. ": walls", list, "walls by variable")
  for _, variable in ipairs(errors.sorted_keys(list)) do
    local own, fields = "walls." .. tostring(variable), list[variable]
    if type(variable) ~= "string" then
      errors.raise("%s: walls must be given by variable, as in { %s = ... }", subject, made.variables[1])
    end
    errors.check_key(subject .. ": walls", variable, made.variables)
    if type(fields) == "table" and type(fields[1]) == "table" then
      for i, one in ipairs(fields) do add_one(made, variable, ("%s: entry %d"):format(own, i), one, set) end
    else
      add_one(made, variable, own, fields, set)
    end
  end
end

return walls
