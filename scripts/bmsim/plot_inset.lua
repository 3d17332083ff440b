-- inset = { x =, y =, at =, size = }: a small plot within a plot, of the same result or of one that comes first. at: a
-- corner, "right top", or the place of its lower left corner, and size: both in parts of the axes around it.
local errors = require "bmsim.errors"
local source_of = require "bmsim.plot_source"

local inset = {}

local corners = { "right top", "left top", "right bottom", "left bottom" }

local function pair(name, value, low)
  errors.check_list("plot: inset: " .. name, value)
  if #value ~= 2 then errors.raise("plot: inset: %s must be a list of two numbers, got %d", name, #value) end
  for i = 1, 2 do
    local part = errors.check_number("plot: inset: " .. name, value[i])
    if part < low or part > 1 then
      errors.raise("plot: inset: %s must be two parts of the axes, from %g to 1, got { %g, %g }", name, low, value[1],
        value[2])
    end
  end
  return value
end

local function read_place(at)
  if at == nil or type(at) == "table" then return at and pair("at", at, 0) end
  for _, corner in ipairs(corners) do
    if at == corner then return at end
  end
  errors.raise("plot: inset: at must be two numbers or a corner, got '%s'%s", tostring(at),
    errors.suggest(tostring(at), corners))
end

--- What the field says, as { picture =, at =, size = }; picture(source, fields): makes one.
function inset.read(source, fields, picture)
  if errors.type(fields) ~= "table" then errors.raise("plot: inset must be a table, got %s", errors.type(fields)) end
  local own = {}
  for key, value in pairs(fields) do own[key] = value end
  for _, key in ipairs { "file", "inset", "title" } do
    if own[key] ~= nil then errors.raise("plot: an inset has no %s", key) end
  end
  local first = own[1]
  own[1], own.at, own.size = nil, nil, nil
  if first ~= nil then source, own = source_of("plot: inset", first, own) end
  return { picture = picture(source, own), at = read_place(fields.at),
           size = fields.size == nil and { 0.45, 0.42 } or pair("size", fields.size, 0.1) }
end

return inset
