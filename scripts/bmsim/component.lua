-- Components of a model: bm.noise.ID { parameter = value, name = "..." }, and the same of bm.potential and bm.drive.
-- A value is a number or a function of the other parameters, one of the parameter's words, or a list of numbers.
-- Noises and drives: modulate = "potential" makes them multiply the potential, V(x) (1 + f(t)), and not add a force.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local formula = require "bmsim.formula"
local show = require "bmsim.show"
local show_model = require "bmsim.show_model"

local component = {}
local nan = 0 / 0
local Component = {}
errors.name_kind(Component, "a component of a model")
show.as(Component, function(self) return show.wrapped(show_model.component(self), "    ") end)

local function check_number(kind, id, parameter, value, subject)
  if type(value) == "function" then return value end
  if type(value) ~= "number" then
    errors.raise("%s must be a number or a function of the other parameters, got %s", subject, errors.got(value))
  end
  if value ~= value then errors.raise("%s must be a number, got nan", subject) end
  errors.check(C.bm_component_check(kind, id, parameter, value))
  return value
end

local function check_word(kind, id, parameter, value, subject)
  if type(value) == "number" then errors.check(C.bm_component_check(kind, id, parameter, value)) end
  if type(value) ~= "string" then errors.raise("%s must be a word, got %s", subject, type(value)) end
  errors.check(C.bm_component_check_word(kind, id, parameter, value))
  return value
end

-- Returns a copy: what the script does to its table later changes nothing.
local function check_numbers(kind, id, parameter, value, subject)
  if type(value) ~= "table" then errors.raise("%s must be a list of numbers, got %s", subject, type(value)) end
  errors.check_list(subject, value)
  local copy = {}
  for i = 1, #value do copy[i] = errors.check_number(("%s: entry %d"):format(subject, i), value[i]) end
  errors.check(C.bm_component_check_list(kind, id, parameter, ffi.new("double[?]", #copy, copy), #copy))
  return copy
end

local checks = { number = check_number, word = check_word, list = check_numbers }

-- Values are checked here and not when the model is built, so that the error is on the line that has the mistake.
local function checked(kind, id, parameter, value)
  local takes = ffi.string(errors.not_null(C.bm_component_takes(kind, id, parameter)))
  return checks[takes](kind, id, parameter, value, kind .. "." .. id .. ": " .. parameter)
end

local function checked_name(subject, value)
  if type(value) ~= "string" or not value:match "^[%a_][%w_]*$" then
    errors.raise("%s: name must be a word of letters, digits and '_', got '%s'", subject, tostring(value))
  end
  return value
end

local function check_modulate(kind, id, value)
  errors.check(C.bm_component_check_modulate(kind, id))
  if value ~= "potential" then
    errors.raise("%s.%s: modulate must be 'potential', got '%s'", kind, id, tostring(value))
  end
end

-- The variables of a potential of several.
local function check_variables(subject, id, list)
  local count = tonumber(C.bm_potential_variables(id))
  if count == 1 then
    if list ~= nil then errors.raise("%s: of: it is a potential of one variable", subject) end
    return nil
  end
  if errors.type(list) ~= "table" or #list ~= count then
    errors.raise('%s: of must name its %d variables, as in of = { "x", "y" }, got %s', subject, count,
      errors.type(list) == "table" and #list or errors.type(list))
  end
  for i, name in ipairs(list) do
    if type(name) ~= "string" then errors.raise("%s: of: entry %d must be a name, got %s", subject, i, type(name)) end
  end
  return { unpack(list) }
end

local function construct(kind, id, fields)
  local subject = kind .. "." .. id
  errors.check_table(subject, fields, "named parameters")
  local made = { kind = kind, id = id, name = id, values = {}, modulates = false }
  for _, key in ipairs(errors.sorted_keys(fields)) do
    local value = fields[key]
    if type(key) ~= "string" then
      errors.raise("%s: parameters are given by name, as in { D = 1 }", subject)
    elseif key == "name" then
      made.name = checked_name(subject, value)
    elseif key == "modulate" then
      check_modulate(kind, id, value)
      made.modulates = true
    elseif key == "of" and kind == "potential" then
      made.of = check_variables(subject, id, value)
    elseif key == "amplitude" and kind == "noise" then
      made.amplitude = formula.amplitude(subject, value)
    else
      made.values[key] = checked(kind, id, key, value)
    end
  end
  if kind == "potential" and not made.of then check_variables(subject, id, nil) end
  return setmetatable(made, Component)
end

-- bm.potential.formula { "V0*sin(2*pi*x/L)", V0 = 1, L = 1 }, and likewise bm.drive: every name of the formula but x, t
-- and pi is a parameter.
local function construct_formula(kind, fields)
  local subject = kind .. ".formula"
  errors.check_dot(subject, fields)
  if errors.type(fields) ~= "table" or type(fields[1]) ~= "string" then
    errors.raise('%s: must be given a formula and its parameters, as in { "V0*sin(2*pi*x/L)", V0 = 1, L = 1 }', subject)
  end
  local made = { kind = kind, id = "formula", name = "formula", formula = fields[1], values = {}, modulates = false }
  made.parameters = {}
  for _, key in ipairs(errors.sorted_keys(fields)) do
    local value = fields[key]
    if key == "name" then
      made.name = checked_name(subject, value)
    elseif key == "modulate" and kind == "drive" then
      if value ~= "potential" then
        errors.raise("%s: modulate must be 'potential', got '%s'", subject, tostring(value))
      end
      made.modulates = true
    elseif type(key) == "string" then
      if type(value) ~= "function" then errors.check_number(subject .. ": " .. key, value) end
      made.parameters[#made.parameters + 1] = key
      made.values[key] = value
    elseif key ~= 1 then
      errors.raise("%s: parameters are given by name, as in { \"V0*sin(2*pi*x/L)\", V0 = 1, L = 1 }", subject)
    end
  end
  local names = C.texts(made.parameters)
  local status = C.bm_formula_check(kind, made.formula, names, #made.parameters)
  if status ~= C.BM_OK then
    -- A potential may be one of several variables, whose names only its system knows.
    if kind ~= "potential" then errors.raise_last(status) end
    made.problem = errors.location() .. ffi.string(C.bm_error())
    errors.check(C.bm_energy_check(made.formula, names, #made.parameters))
  end
  return setmetatable(made, Component)
end

--- Adds a component to a model: to a variable, the only one if none is given; or, without one, to all of a system.
function component.add(model, part, variable, is_system)
  if part.of then
    return C.bm_model_add_joint(model, part.id, part.name, C.texts(part.of), #part.of)
  end
  if not part.formula then return C.bm_model_add_to(model, variable or "", part.kind, part.id, part.name) end
  local names = C.texts(part.parameters)
  if is_system and not variable then
    return C.bm_model_add_energy(model, part.name, part.formula, names, #part.parameters)
  end
  if part.problem then error(part.problem, 0) end
  return C.bm_model_add_formula_to(model, variable or "", part.kind, part.name, part.formula, names, #part.parameters)
end

--- The table bm.noise, bm.potential or bm.drive: an entry for every plugin of that kind.
function component.kind(kind)
  local function names()
    local list = show.plugins(kind)
    if kind ~= "noise" then list[#list + 1] = "formula" end
    return list
  end
  return setmetatable(errors.library({}), show.ours {
    __names = names,
    __fields = function(id) -- of bm.noise.ID { ... }
      local list = { "name" }
      for _, parameter in ipairs(show.plugin(kind, id).parameters) do list[#list + 1] = parameter.name end
      if kind == "noise" then list[#list + 1] = "amplitude" end
      if kind == "potential" and C.bm_potential_variables(id) > 1 then list[#list + 1] = "of" end
      local modulates = kind ~= "potential" and C.bm_component_check_modulate(kind, id) == C.BM_OK
      if modulates then list[#list + 1] = "modulate" end
      return list
    end,
    __tostring = function()
      local lines = {}
      for i, id in ipairs(names()) do lines[i] = ("%-18s %s"):format(id, show.plugin(kind, id).summary) end
      return ("bm.%s:\n  %s"):format(kind, table.concat(lines, "\n  "))
    end,
    __index = function(_, id)
      if id == "formula" then
        return function(fields) return construct_formula(kind, fields) end
      end
      errors.check(C.bm_component_check(kind, tostring(id), nil, nan))
      return function(fields) return construct(kind, id, fields or {}) end
    end,
  })
end

function component.is(value, kind)
  return type(value) == "table" and getmetatable(value) == Component and value.kind == kind
end

return component
