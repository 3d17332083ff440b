-- Host functions: a Lua function of the other parameters that stands for a value, evaluated at every point before the
-- run. It may read other functions' values; a cycle of functions is an error that names it.
local errors = require "bmsim.errors"
local point = require "bmsim.point"

-- Values at one point: functions are called when they are first read.
local function evaluator(index, functions, swept, given, names, components)
  local values, active = {}, {}
  local p
  local function lookup(name)
    local f = functions[name]
    if not f then return swept[name] and swept[name][index] or given[name] end
    if values[name] ~= nil then return values[name] end
    for i, other in ipairs(active) do
      if other == name then
        errors.raise("'%s' depends on itself: %s -> %s", name, table.concat(active, " -> ", i), name)
      end
    end
    active[#active + 1] = name
    local value = f(p)
    if type(value) ~= "number" then
      errors.raise("'%s': its function must return a number, got %s", name, type(value))
    end
    if value ~= value or math.abs(value) == math.huge then
      errors.raise("'%s': its function must return a finite number, got %s (at point %d)", name, tostring(value), index)
    end
    active[#active] = nil
    values[name] = value
    return value
  end
  p = point.new("point " .. index, names, components, lookup)
  return lookup
end

--- name -> array of values, one per point. swept: name -> array; given: name -> number; components: a set of names.
return function(functions, swept, given, components, points)
  local all, columns = {}, {}
  for _, source in ipairs { functions, swept, given } do
    for name in pairs(source) do all[name] = true end
  end
  for name in pairs(functions) do
    if swept[name] then errors.raise("sweep: '%s' is swept, and its value is a function", name) end
    columns[name] = {}
  end
  if next(functions) == nil then return columns end
  local names = errors.sorted_keys(all)
  for index = 1, points do
    local lookup = evaluator(index, functions, swept, given, names, components)
    for _, name in ipairs(errors.sorted_keys(functions)) do columns[name][index] = lookup(name) end
  end
  return columns
end
