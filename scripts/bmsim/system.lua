-- Systems: bm.system { variables =, equations =, potential =, noise =, drive =, force =, inertia =, period =,
-- parameters =, define =, fields =, interpretation =, events =, walls = }: models of several variables. What acts on
-- one variable is given under its name.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local component = require "bmsim.component"
local errors = require "bmsim.errors"
local events = require "bmsim.events"
local model = require "bmsim.model"
local show = require "bmsim.show"
local show_model = require "bmsim.show_model"
local walls = require "bmsim.walls"

local known = { "variables", "equations", "potential", "noise", "drive", "force", "inertia", "period", "parameters",
  "define", "fields", "interpretation", "events", "walls" }
local meant = { forces = "equations", drift = "equations", rhs = "equations", masses = "inertia", friction = "inertia",
                periods = "period", vars = "variables", params = "parameters" }

local function words(subject, list)
  errors.check_list(subject, list)
  for i, word in ipairs(list) do
    if type(word) ~= "string" then
      errors.raise("%s: entry %d must be a name, got %s", subject, i, errors.type(word))
    end
  end
  return list
end

-- Raises unless every key of `field` is a variable, or a number where `numbered`.
local function check_keys(subject, field, variables, numbered)
  if errors.type(field) ~= "table" then
    errors.raise("%s: must be a table by variable, as in { %s = ... }, got %s", subject, variables[1],
      errors.type(field))
  end
  local is_variable = {}
  for _, name in ipairs(variables) do is_variable[name] = true end
  for _, key in ipairs(errors.sorted_keys(field)) do
    if type(key) == "number" and not numbered then
      errors.raise("%s: must be given by variable, as in { %s = ... }", subject, variables[1])
    elseif type(key) ~= "number" and not is_variable[key] then
      errors.raise("%s: unknown variable '%s'%s", subject, tostring(key), errors.suggest(key, variables))
    end
  end
  return field
end

-- Formulas by variable as an array of C strings; null where there is none. `keep` holds them.
local function formulas(subject, field, variables)
  local texts = ffi.new("const char*[?]", #variables + 1)
  for i, name in ipairs(variables) do
    local text = field[name]
    if type(text) == "number" then text = ("%.17g"):format(text) end
    if text ~= nil and type(text) ~= "string" then
      errors.raise("%s.%s must be a formula, got %s", subject, name, errors.type(text))
    end
    if text and not text:find "%S" then errors.raise("%s.%s: the formula is empty", subject, name) end
    field[name] = text
    texts[i - 1] = text and C.checked(text)
  end
  return texts
end

local function copy(t)
  local made = {}
  for key, value in pairs(t) do made[key] = value end
  return made
end

-- inertia = { x = { mass = 1, gamma = 0.5 } }; { x = true } for both 1. gamma may be a formula.
local function check_inertia(field, variables)
  check_keys("system: inertia", field, variables)
  for name, value in pairs(field) do
    if value ~= true then errors.check_fields("system: inertia." .. name, value, { "mass", "gamma" }) end
  end
end

local function set_number(made, subject, parameter, value)
  if type(value) ~= "function" then errors.check_number(subject, value) end
  model.set(made, parameter, value)
end

local function add_components(made, kind, field, variables)
  check_keys("system: " .. kind, field, variables, true)
  for _, name in ipairs(variables) do
    for _, part in ipairs(model.as_list("system: " .. kind .. "." .. name, kind, field[name])) do
      if part.of then
        errors.raise("system: potential.%s: potential.%s is of %s: give it without a key", name, part.id,
          table.concat(part.of, ", "))
      end
      model.add(made, "system", part, name)
    end
  end
  for _, part in ipairs(field) do
    if not component.is(part, kind) then
      errors.raise("system: %s: entries must be made by bm.%s, got %s", kind, kind, errors.type(part))
    elseif kind == "noise" and part.amplitude and part.amplitude.by_variable then
      model.add(made, "system", part)
    elseif kind ~= "potential" then
      errors.raise("system: %s: %s.%s must be given to a variable, as in { %s = ... }", kind, kind, part.id,
        variables[1])
    elseif part.of then
      model.add(made, "system", part)
    elseif not part.formula then
      errors.raise("system: potential: potential.%s is of one variable: give it to one, as in { %s = ... }", part.id,
        variables[1])
    end
  end
end

local function add_energies(made, field)
  for _, part in ipairs(field) do
    if not part.of then model.add(made, "system", part) end
  end
end

-- Names and formulas of `define` or `fields`, as arrays of C strings.
local function named_formulas(what, given)
  local names, meanings = errors.sorted_keys(given or {}), {}
  for i, name in ipairs(names) do
    if type(given[name]) ~= "string" then
      errors.raise("system: %s.%s must be a formula, got %s", what, tostring(name), errors.type(given[name]))
    end
    meanings[i] = given[name]
  end
  return C.texts(names), C.texts(meanings), #names
end

return show.takes(function(fields)
  errors.check_fields("system", fields, known, meant)
  if fields.variables == nil then errors.raise 'system: variables must be given, as in { "x", "y" }' end
  local variables = words("system: variables", fields.variables)
  for _, table_of in ipairs { "parameters", "define", "fields" } do
    if fields[table_of] ~= nil then
      errors.check_table("system: " .. table_of, fields[table_of], "named values")
      words("system: " .. table_of, errors.sorted_keys(fields[table_of]))
    end
  end
  local inertia = fields.inertia or {}
  check_inertia(inertia, variables)
  local period = copy(check_keys("system: period", fields.period or {}, variables))
  local constant = check_keys("system: force", fields.force or {}, variables)
  for name, value in pairs(constant) do
    if type(value) == "string" then
      errors.raise("system: force.%s must be a number, got %s; equations.%s takes a formula", name, errors.got(value),
        name)
    end
  end
  local inertial = ffi.new("int[?]", #variables + 1)
  for i, name in ipairs(variables) do inertial[i - 1] = inertia[name] and 1 or 0 end
  local parameters = errors.sorted_keys(fields.parameters or {})
  local definitions, meanings, definition_count = named_formulas("define", fields.define)
  local made = model.new(C.bm_model_new_system(C.texts(variables), inertial,
    formulas("system: period", period, variables), #variables, C.texts(parameters),
    #parameters, definitions, meanings, definition_count), {})
  if fields.fields ~= nil then
    errors.check(C.bm_model_add_fields(made.handle, named_formulas("fields", fields.fields)))
  end
  made.variables = variables
  made.starts = { "phase" }
  for _, name in ipairs(variables) do
    if name ~= "phase" then made.starts[#made.starts + 1] = name end
    made.given["force_" .. name] = 0
    if inertia[name] then
      made.starts[#made.starts + 1] = "v_" .. name
      for _, parameter in ipairs { "mass", "gamma" } do
        local value = inertia[name] ~= true and inertia[name][parameter] or 1
        if parameter == "gamma" and type(value) == "string" then
          errors.check(C.bm_model_set_friction(made.handle, name, value))
          made.frictions[name] = value
        else
          set_number(made, "system: inertia." .. name .. ": " .. parameter, parameter .. "_" .. name, value)
        end
      end
    end
  end
  for _, kind in ipairs { "potential", "noise", "drive" } do
    add_components(made, kind, fields[kind] or {}, variables)
  end
  add_energies(made, fields.potential or {})
  model.set_amplitudes(made, "system", fields.interpretation)
  events.add(made, "system", fields.events, model.set)
  walls.add(made, "system", fields.walls, model.set)
  local equations = copy(check_keys("system: equations", fields.equations or {}, variables))
  errors.check(C.bm_model_set_equations(made.handle, formulas("system: equations", equations, variables)))
  for _, name in ipairs(parameters) do
    set_number(made, "system: parameters." .. name, name, fields.parameters[name])
  end
  for name, value in pairs(constant) do
    set_number(made, "system: force." .. name, "force_" .. name, value)
  end
  show_model.keep(made, fields)
  return made
end, known)
