-- Events of a model: events = { NAME = { rate = "a", set = { theta = "2*pi*U" }, a = 2 } }. An event comes at a rate or
-- after every interval, and sets variables and velocities. Other fields are the parameters of its formulas.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"

local events = {}
local own = { rate = true, every = true, set = true }

-- A formula, or a number as one.
local function formula(subject, value)
  if type(value) == "number" then return ("%.17g"):format(value) end
  if type(value) ~= "string" then errors.raise("%s must be a formula, got %s", subject, errors.type(value)) end
  return value
end

local function add_one(made, name, fields)
  local subject = "events." .. name
  errors.check_table(subject, fields, "rate or every, set, and parameters")
  local set = fields.set
  if set == nil then errors.raise('%s: set must be given: what it does, as in { %s = "0" }', subject,
    made.variables[1]) end
  errors.check_table(subject .. ": set", set, "variables with formulas")
  if (fields.rate == nil) == (fields.every == nil) then
    errors.raise("%s: give rate, how often it comes per time, or every, an interval%s", subject,
      fields.rate ~= nil and "; got both" or "")
  end
  local targets, values = errors.sorted_keys(set), {}
  if #targets == 0 then errors.raise("%s: set must not be empty", subject) end
  for i, target in ipairs(targets) do
    if type(target) ~= "string" then
      errors.raise("%s: set must be given by variable, as in { %s = ... }", subject, made.variables[1])
    end
    values[i] = formula(("%s: set.%s"):format(subject, target), set[target])
  end
  local parameters = {}
  for _, key in ipairs(errors.sorted_keys(fields)) do
    if type(key) ~= "string" then errors.raise("%s: unknown field %s", subject, tostring(key)) end
    if not own[key] then parameters[#parameters + 1] = key end
  end
  local trigger = fields.rate ~= nil and "rate" or "every"
  local text = formula(("%s: %s"):format(subject, trigger), fields[trigger])
  errors.check(C.bm_model_add_event(made.handle, name, trigger == "rate" and text or nil,
    trigger == "every" and text or nil, ffi.new("const char*[?]", #targets, targets),
    ffi.new("const char*[?]", #values, values), #targets, ffi.new("const char*[?]", #parameters + 1, parameters),
    #parameters))
  return parameters
end

--- Adds the events of a model, after its noises. set: sets a parameter of it.
function events.add(made, subject, list, set)
  if list == nil then return end
  errors.check_table(subject .. ": events", list, "events by name")
  for _, name in ipairs(errors.sorted_keys(list)) do
    if type(name) ~= "string" then
      errors.raise("%s: events must be given by name, as in { reset = { ... } }", subject)
    end
    if made.names[name] then
      errors.raise("%s: events: '%s' is the name of something else in the model; give the event another", subject, name)
    end
    made.names[name] = true
    for _, parameter in ipairs(add_one(made, name, list[name])) do
      local value = list[name][parameter]
      if type(value) ~= "function" then errors.check_number(("events.%s: %s"):format(name, parameter), value) end
      set(made, name .. "." .. parameter, value)
    end
  end
end

return events
