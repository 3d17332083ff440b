-- Events of a model: events = { NAME = { rate = "a", set = { theta = "2*pi*U" }, a = 2 } }. An event comes at a rate,
-- after every interval, or when a formula passes 0, and sets variables and velocities. Other fields are the parameters
-- of its formulas.
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"

local events = {}
local triggers = { "rate", "every", "when" }
local own = { rate = true, every = true, when = true, direction = true, set = true }

-- A formula, or a number as one.
local function formula(subject, value)
  if type(value) == "number" then return ("%.17g"):format(value) end
  if type(value) ~= "string" then errors.raise("%s must be a formula, got %s", subject, errors.type(value)) end
  return value
end

-- What the event comes by: the name of the only trigger that is given.
local function trigger_of(subject, fields)
  local given = {}
  for _, trigger in ipairs(triggers) do
    if fields[trigger] ~= nil then given[#given + 1] = trigger end
  end
  if #given ~= 1 then
    errors.raise("%s: give rate, how often it comes per time, every, an interval, or when, a formula that passes 0%s",
      subject, #given > 1 and "; got " .. table.concat(given, " and ") or "")
  end
  if fields.direction ~= nil then
    if given[1] ~= "when" then errors.raise("%s: direction is for events with when", subject) end
    if type(fields.direction) ~= "string" then
      errors.raise("%s: direction must be \"up\", \"down\" or \"both\", got %s", subject, errors.type(fields.direction))
    end
  end
  return given[1]
end

local function add_one(made, name, fields)
  local subject = "events." .. name
  errors.check_table(subject, fields, "rate, every or when, set, and parameters")
  local set = fields.set
  if set == nil then errors.raise('%s: set must be given: what it does, as in { %s = "0" }', subject,
    made.variables[1]) end
  errors.check_table(subject .. ": set", set, "variables with formulas")
  local trigger = trigger_of(subject, fields)
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
  local text = formula(("%s: %s"):format(subject, trigger), fields[trigger])
  errors.check(C.bm_model_add_event(made.handle, name, trigger, text, fields.direction,
    C.texts(targets),
    C.texts(values), #targets, C.texts(parameters),
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
