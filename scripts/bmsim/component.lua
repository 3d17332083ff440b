-- Components of a model: bm.noise.ID { parameter = value, name = "..." }, and the same of bm.potential and bm.drive.
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"

local component = {}
local nan = 0 / 0
local Component = {}

-- Values are checked here and not when the model is built, so that the error is on the line that has the mistake.
local function check_value(kind, id, parameter, value)
  errors.check(C.bm_component_check(kind, id, parameter, nan))
  if type(value) == "function" then return end
  local subject = kind .. "." .. id .. ": " .. parameter
  if type(value) ~= "number" then
    errors.raise("%s must be a number or a function of the other parameters, got %s", subject, type(value))
  end
  if value ~= value then errors.raise("%s must be a number, got nan", subject) end
  errors.check(C.bm_component_check(kind, id, parameter, value))
end

local function construct(kind, id, fields)
  local subject = kind .. "." .. id
  if type(fields) ~= "table" then
    errors.raise("%s: must be given a table of named parameters, got %s", subject, type(fields))
  end
  local made = { kind = kind, id = id, name = id, values = {} }
  for _, key in ipairs(errors.sorted_keys(fields)) do
    local value = fields[key]
    if type(key) ~= "string" then
      errors.raise("%s: parameters are given by name, as in { D = 1 }", subject)
    elseif key == "name" then
      if type(value) ~= "string" or not value:match "^[%a_][%w_]*$" then
        errors.raise("%s: name must be a word of letters, digits and '_', got '%s'", subject, tostring(value))
      end
      made.name = value
    else
      check_value(kind, id, key, value)
      made.values[key] = value
    end
  end
  return setmetatable(made, Component)
end

--- The table bm.noise, bm.potential or bm.drive: an entry for every plugin of that kind.
function component.kind(kind)
  return setmetatable({}, {
    __index = function(_, id)
      errors.check(C.bm_component_check(kind, tostring(id), nil, nan))
      return function(fields) return construct(kind, id, fields or {}) end
    end,
  })
end

function component.is(value, kind)
  return type(value) == "table" and getmetatable(value) == Component and value.kind == kind
end

return component
