-- Walls of a model: walls = { x = { "reflect", from = 0, to = 1 } }, or "absorb"; or a list of both. Each side is a
-- number, which is swept as wall.from or wall.to (of a system wall_x.from; of walls that absorb exit.from), or a
-- formula of the system's parameters.
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"

local walls = {}

local words = { reflect = "wall", absorb = "exit" }

local function add_one(made, variable, own, fields, set)
  errors.check_table(own, fields, '"reflect" or "absorb", from and to')
  for key in pairs(fields) do
    if key ~= 1 and key ~= "from" and key ~= "to" then
      errors.raise("%s: unknown field '%s'%s", own, tostring(key), errors.suggest(key, { "from", "to" }))
    end
  end
  if not words[fields[1]] then
    errors.raise('%s: must begin with what the walls do, "reflect" or "absorb", got %s', own,
      fields[1] == nil and "nothing" or tostring(fields[1]))
  end
  if fields.from == nil and fields.to == nil then errors.raise("%s: give from, to, or both", own) end
  local parameters, texts = {}, {}
  for _, side in ipairs { "from", "to" } do
    local value = fields[side]
    if type(value) == "string" then
      texts[side] = value
    elseif value ~= nil then
      if type(value) ~= "function" then errors.check_number(("%s: %s"):format(own, side), value) end
      texts[side] = side
      parameters[#parameters + 1] = side
    end
  end
  errors.check(C.bm_model_add_walls(made.handle, variable, fields[1], texts.from, texts.to,
    C.texts(parameters), #parameters))
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
