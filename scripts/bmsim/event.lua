-- Short forms of events: bm.event.reset { rate = 2, x = 0 } is { rate = "r", r = 2, set = { x = "to_x" }, to_x = 0 }.
-- Numbers become parameters, which are swept as NAME.r, NAME.tau and NAME.to_x; formulas stay what they are.
local errors = require "bmsim.errors"

local event = {}

-- Puts a value into an event: under `key` where it is a formula, else as the parameter `name`.
local function put(made, into, key, value, name, subject)
  if type(value) == "string" then
    into[key] = value
    return
  end
  if type(value) ~= "number" and type(value) ~= "function" then
    errors.raise("%s must be a number or a formula, got %s", subject, errors.type(value))
  end
  into[key], made[name] = name, value
end

-- Raises unless `fields` is a table that has `needed`.
local function check(subject, fields, needed)
  errors.check_table(subject, fields, "named values")
  if fields[needed] == nil then errors.raise("%s: %s must be given", subject, needed) end
end

--- bm.event.reset { rate =, x =, y =, ... }: at this rate variables are set to these values.
function event.reset(fields)
  local subject = "event.reset"
  check(subject, fields, "rate")
  local made = { set = {} }
  put(made, made, "rate", fields.rate, "r", subject .. ": rate")
  for _, name in ipairs(errors.sorted_keys(fields)) do
    if type(name) ~= "string" then errors.raise("%s: values must be given by variable, as in { x = 0 }", subject) end
    if name ~= "rate" then put(made, made.set, name, fields[name], "to_" .. name, subject .. ": " .. name) end
  end
  if next(made.set) == nil then
    errors.raise("%s: give the values that variables are set to, as in { x = 0 }", subject)
  end
  return made
end

--- bm.event.tumble { rate =, angle = "theta" }: at this rate an angle is drawn anew; sign = "s": 1 or -1 is.
function event.tumble(fields)
  local subject = "event.tumble"
  check(subject, fields, "rate")
  errors.check_fields(subject, fields, { "rate", "angle", "sign" })
  if (fields.angle == nil) == (fields.sign == nil) then
    errors.raise("%s: give angle or sign, the variable that is drawn anew", subject)
  end
  local name = fields.angle or fields.sign
  if type(name) ~= "string" then
    errors.raise("%s: %s must name a variable, got %s", subject, fields.angle and "angle" or "sign", errors.type(name))
  end
  local made = { set = { [name] = fields.angle and "2*pi*U" or "if(U < 0.5, -1, 1)" } }
  put(made, made, "rate", fields.rate, "r", subject .. ": rate")
  return made
end

--- bm.event.look { every =, set = { on = "x > 0" } }: after every interval variables are set to what is seen then.
function event.look(fields)
  local subject = "event.look"
  check(subject, fields, "every")
  errors.check_fields(subject, fields, { "every", "set" })
  errors.check_table(subject .. ": set", fields.set, "variables with formulas, as in { seen = \"x\" }")
  local made = { set = fields.set }
  put(made, made, "every", fields.every, "tau", subject .. ": every")
  return made
end

return errors.strict("bm.event", event)
