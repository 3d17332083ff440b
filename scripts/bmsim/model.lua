-- Models: bm.overdamped { potential =, noise =, drive =, force = }, dx/dt = -V'(x) + force + drives(t) + noises, and
-- bm.underdamped { mass =, gamma =, ... }.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local component = require "bmsim.component"
local errors = require "bmsim.errors"
local events = require "bmsim.events"
local show = require "bmsim.show"
local show_model = require "bmsim.show_model"
local walls = require "bmsim.walls"

local model = {}
local Model = {}
errors.name_kind(Model, "a model")
show.as(Model, show_model.text)

--- One component, or a list of them, as a list.
function model.as_list(subject, kind, value)
  if value == nil then return {} end
  if component.is(value, kind) then return { value } end
  if type(value) ~= "table" or (next(value) ~= nil and #value == 0) then
    errors.raise("%s: %s must be made by bm.%s, or a list of those, got %s", subject, kind, kind, errors.type(value))
  end
  errors.check_list(subject .. ": " .. kind, value)
  for i, item in ipairs(value) do
    if not component.is(item, kind) then
      errors.raise("%s: %s number %d is not made by bm.%s", subject, kind, i, kind)
    end
  end
  return value
end

--- Sets one parameter; a function waits in made.functions for the points of a run.
function model.set(made, parameter, value)
  if type(value) == "function" then
    made.functions[parameter] = value
    return
  end
  if type(value) == "table" then
    errors.check(C.bm_model_set_list(made.handle, parameter, ffi.new("double[?]", #value, value), #value))
  elseif type(value) == "string" then
    errors.check(C.bm_model_set_choice(made.handle, parameter, value))
  else
    errors.check(C.bm_model_set(made.handle, parameter, value))
  end
  made.given[parameter] = value
end

--- The amplitude of a noise. Of a noise given by T it is sqrt(gamma), where gamma is a formula.
function model.amplitude_of(made, part, variable)
  local gamma = made.frictions[variable]
  if not gamma or part.values.T == nil then return part.amplitude end
  if part.amplitude then
    errors.raise("%s: amplitude: noise given by T has sqrt(gamma) where gamma is a formula; give D with an amplitude",
      part.name)
  end
  return { text = ("sqrt(%s)"):format(gamma), parameters = {}, values = {}, thermal = true }
end

--- Adds a component; of a system to a variable, or without one to all.
function model.add(made, subject, part, variable)
  if made.names[part.name] then
    errors.raise("%s: two components are called '%s'; give one of them another: { name = \"...\" }", subject, part.name)
  end
  made.names[part.name] = true
  made.parts[#made.parts + 1] = { part = part, variable = variable }
  errors.check(component.add(made.handle, part, variable, made.system))
  if part.modulates then errors.check(C.bm_model_modulate(made.handle, part.name)) end
  local amplitude = model.amplitude_of(made, part, variable)
  if amplitude then
    made.amplitudes[#made.amplitudes + 1] = { part = part, variable = variable, formula = amplitude }
  end
  for _, parameter in ipairs(errors.sorted_keys(part.values)) do
    model.set(made, part.name .. "." .. parameter, part.values[parameter])
  end
end

--- A model of this handle, without components.
function model.new(handle, given)
  local made = setmetatable({ given = given, functions = {}, names = {}, parts = {}, amplitudes = {},
    shown = {}, -- what print needs
    frictions = {}, -- by variable: formulas of gamma
    variables = { "x" }, starts = { "x", "v", "phase" } }, Model)
  made.handle = ffi.gc(errors.not_null(handle), C.bm_model_free)
  made.system = C.bm_model_is_system(made.handle) == 1
  return made
end

--- Sets the amplitudes of all noises, after the potentials, and what they mean.
function model.set_amplitudes(made, subject, interpretation)
  for _, one in ipairs(made.amplitudes) do
    local part, formula = one.part, one.formula
    local texts = ffi.new("const char*[?]", #made.variables + 1)
    for i, name in ipairs(made.variables) do
      if formula.by_variable then
        local text = formula.by_variable[name]
        texts[i - 1] = text and C.checked(text)
      elseif name == (one.variable or made.variables[1]) then
        texts[i - 1] = C.checked(formula.text)
      end
    end
    for name in pairs(formula.by_variable or {}) do
      errors.check_key(part.name .. ": amplitude", name, made.variables)
    end
    made.names[part.name .. ".amplitude"] = true
    local names = C.texts(formula.parameters)
    errors.check(C.bm_model_set_amplitude(made.handle, part.name, texts, names, #formula.parameters))
    for _, parameter in ipairs(formula.parameters) do
      model.set(made, part.name .. ".amplitude." .. parameter, formula.values[parameter])
    end
  end
  if interpretation == nil then return end
  if type(interpretation) ~= "string" then
    errors.raise("%s: interpretation must be a word, got %s", subject, errors.type(interpretation))
  end
  errors.check(C.bm_model_set_interpretation(made.handle, interpretation))
end

-- The fields of a model with these parameters of its own.
local function fields_with(own)
  local known = { "potential", "noise", "drive", "interpretation", "events", "walls" }
  for _, name in ipairs(own) do known[#known + 1] = name end
  return known
end

-- new: makes the handle, when the fields are known to be right.
local function build(subject, fields, new, own)
  local known = fields_with(own)
  errors.check_dot(subject, fields)
  if type(fields) == "table" and fields.fields ~= nil then
    errors.raise("%s: fields are of bm.system, which may have one variable", subject)
  end
  errors.check_fields(subject, fields, known)
  if fields.potential ~= nil and not component.is(fields.potential, "potential") then
    errors.raise("%s: potential must be made by bm.potential, got %s", subject, errors.type(fields.potential))
  end
  local made = model.new(new(), { force = 0 })
  for _, name in ipairs(own) do -- mass and gamma before the components, which may depend on them
    local value = fields[name]
    if value ~= nil then
      if name == "gamma" and type(value) == "string" then
        errors.raise("%s: gamma must be a number, got '%s'; bm.system takes a formula", subject, value)
      end
      if type(value) ~= "function" then errors.check_number(subject .. ": " .. name, value) end
      model.set(made, name, value)
    end
  end
  for _, kind in ipairs { "potential", "noise", "drive" } do
    for _, part in ipairs(model.as_list(subject, kind, fields[kind])) do model.add(made, subject, part) end
  end
  model.set_amplitudes(made, subject, fields.interpretation)
  events.add(made, subject, fields.events, model.set)
  walls.add(made, subject, fields.walls, model.set)
  show_model.keep(made, fields)
  return made
end

local overdamped_own, underdamped_own = { "force" }, { "mass", "gamma", "force" }

function model.overdamped(fields) return build("overdamped", fields, C.bm_model_new, overdamped_own) end
show.takes(model.overdamped, fields_with(overdamped_own))

--- mass dv/dt = -gamma v - V'(x) + force + drives(t) + noises, dx/dt = v; mass and gamma are 1 where not given.
function model.underdamped(fields)
  local made = build("underdamped", fields, C.bm_model_new_underdamped, underdamped_own)
  made.given.mass = made.given.mass or 1
  made.given.gamma = made.given.gamma or 1
  return made
end
show.takes(model.underdamped, fields_with(underdamped_own))

function model.is(value) return type(value) == "table" and getmetatable(value) == Model end

return model
