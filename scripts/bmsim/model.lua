-- Models: bm.overdamped { potential =, noise =, drive =, force = }, dx/dt = -V'(x) + force + drives(t) + noises.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local component = require "bmsim.component"
local errors = require "bmsim.errors"

local model = {}
local Model = {}

-- One component, or a list of them, as a list.
local function as_list(subject, kind, value)
  if value == nil then return {} end
  if component.is(value, kind) then return { value } end
  if type(value) ~= "table" or (next(value) ~= nil and #value == 0) then
    errors.raise("%s: %s must be made by bm.%s, or a list of those, got %s", subject, kind, kind, type(value))
  end
  errors.check_list(subject .. ": " .. kind, value)
  for i, item in ipairs(value) do
    if not component.is(item, kind) then
      errors.raise("%s: %s number %d is not made by bm.%s", subject, kind, i, kind)
    end
  end
  return value
end

-- Sets one parameter; a function waits in made.functions for the points of a run.
local function set(made, parameter, value)
  if type(value) == "function" then
    made.functions[parameter] = value
  else
    errors.check(C.bm_model_set(made.handle, parameter, value))
    made.given[parameter] = value
  end
end

local function add(made, subject, part)
  if made.names[part.name] then
    errors.raise("%s: two components are called '%s'; give one of them another: { name = \"...\" }", subject, part.name)
  end
  made.names[part.name] = true
  errors.check(C.bm_model_add(made.handle, part.kind, part.id, part.name))
  for _, parameter in ipairs(errors.sorted_keys(part.values)) do
    set(made, part.name .. "." .. parameter, part.values[parameter])
  end
end

function model.overdamped(fields)
  local subject = "overdamped"
  errors.check_fields(subject, fields, { "potential", "noise", "drive", "force" })
  if fields.potential ~= nil and not component.is(fields.potential, "potential") then
    errors.raise("%s: potential must be made by bm.potential, got %s", subject, type(fields.potential))
  end
  local made = setmetatable({ given = { force = 0 }, functions = {}, names = {} }, Model)
  made.handle = ffi.gc(errors.not_null(C.bm_model_new()), C.bm_model_free)
  for _, kind in ipairs { "potential", "noise", "drive" } do
    for _, part in ipairs(as_list(subject, kind, fields[kind])) do add(made, subject, part) end
  end
  if fields.force ~= nil then
    if type(fields.force) ~= "function" then errors.check_number(subject .. ": force", fields.force) end
    set(made, "force", fields.force)
  end
  return made
end

function model.is(value) return type(value) == "table" and getmetatable(value) == Model end

return model
