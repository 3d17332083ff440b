-- A model and its components in plain text: the equation, then what is in it.
local errors = require "bmsim.errors"
local show = require "bmsim.show"

local show_model = {}

-- "D = 0.3", "phase (phi) = 0": an equation may call it by its symbol.
local function named(name, value, symbol, equation)
  local also = symbol and symbol ~= name and (" " .. equation .. " "):find("%f[%w_]" .. symbol .. "%f[^%w_]")
  return ("%s%s = %s"):format(name, also and " (" .. symbol .. ")" or "", show.value(value))
end

local function formula_equation(part, variable, variables)
  if part.kind == "drive" then return "f(t) = " .. part.formula end
  return ("V(%s) = %s"):format(variable or table.concat(variables, ", "), part.formula)
end

-- What was given, and what else has a default.
local function values_of(part, plugin, equation)
  local given, defaults, seen = {}, {}, {}
  for _, parameter in ipairs(plugin.parameters) do
    local value = part.values[parameter.name]
    seen[parameter.name] = true
    if value ~= nil then
      given[#given + 1] = named(parameter.name, value, parameter.symbol, equation)
    elseif parameter.default then
      local default = tonumber(parameter.default) or parameter.default
      defaults[#defaults + 1] = named(parameter.name, default, parameter.symbol, equation)
    end
  end
  for _, name in ipairs(errors.sorted_keys(part.values)) do
    if not seen[name] then given[#given + 1] = named(name, part.values[name]) end
  end
  local text = table.concat(given, ", ")
  if #defaults == 0 then return text end
  return ("%s%sby default %s"):format(text, text == "" and "" or "; ", table.concat(defaults, ", "))
end

-- "sqrt(1 + a*x^2)" of an amplitude, or nil where the noise does not act on the variable.
local function amplitude_text(formula, variable)
  if formula.by_variable then return formula.by_variable[variable] end
  return formula.text
end

local function amplitude_line(formula)
  local values = {}
  for _, name in ipairs(formula.parameters) do values[#values + 1] = named(name, formula.values[name]) end
  local text = formula.text
  if formula.by_variable then
    local texts = {}
    for _, name in ipairs(errors.sorted_keys(formula.by_variable)) do
      texts[#texts + 1] = ("%s for %s"):format(formula.by_variable[name], name)
    end
    text = table.concat(texts, ", ")
  end
  return ("; amplitude %s%s"):format(text, #values > 0 and ", " .. table.concat(values, ", ") or "")
end

--- "potential sine: V(x) = V0 sin(2 pi x / L + phi); V0 = 1, L = 1". variables: of its system, or nil.
function show_model.component(part, variable, variables)
  local plugin = part.formula and { parameters = {} } or show.plugin(part.kind, part.id)
  local equation = plugin.equation or formula_equation(part, variable, variables or { "x" })
  local values = values_of(part, plugin, equation)
  local of = part.of and " of " .. table.concat(part.of, ", ") or
    variable and variables and not part.formula and part.kind == "potential" and " of " .. variable or ""
  return ("%s %s%s%s: %s%s%s%s"):format(part.kind, part.id, part.name ~= part.id and ", called " .. part.name or "", of,
    equation, values ~= "" and "; " .. values or "", part.amplitude and amplitude_line(part.amplitude) or "",
    part.modulates and "; multiplies the potential" or "")
end

local function acts_on(part, variable, name, variables)
  if variable then return variable == name end
  if part.of then
    for _, one in ipairs(part.of) do
      if one == name then return true end
    end
    return false
  end
  if part.formula then return part.formula:find("%f[%w_]" .. name .. "%f[^%w_]") ~= nil end
  return name == variables[1]
end

local function is_set(made, parameter) return made.functions[parameter] ~= nil or (made.given[parameter] or 0) ~= 0 end

-- The potential's force on a variable and the factor of what modulates it, other forces, and noises.
local function terms_of(made, name)
  local terms, modulating, has_potential = {}, {}, false
  local amplitudes = {}
  for _, one in ipairs(made.amplitudes) do amplitudes[one.part] = one.formula end
  for _, one in ipairs(made.parts) do
    local part = one.part
    local formula = amplitudes[part]
    local acts = acts_on(part, one.variable, name, made.variables)
    if formula and formula.by_variable then acts = formula.by_variable[name] ~= nil end
    if acts and part.kind == "potential" then
      has_potential = has_potential or part.id ~= "free"
    elseif acts and part.modulates then
      modulating[#modulating + 1] = part.name .. "(t)"
    elseif acts then
      local factor = formula and "(" .. amplitude_text(formula, name) .. ") " or ""
      terms[#terms + 1] = factor .. part.name .. "(t)"
    end
  end
  local factor = #modulating > 0 and (" (1 + %s)"):format(table.concat(modulating, " + ")) or ""
  return terms, has_potential and (made.system and "dV/d" .. name or "V'(x)") .. factor or nil
end

local function add(text, sign, term)
  if text == "" then return sign == "-" and "-" .. term or term end
  return ("%s %s %s"):format(text, sign, term)
end

-- dx/dt = ..., of a variable with inertia mass dv/dt = ...
local function equation_of(made, name)
  local suffix = made.system and "_" .. name or ""
  local inertial = made.given["mass" .. suffix] ~= nil or made.functions["mass" .. suffix] ~= nil
  local text = ""
  if inertial then
    local friction = made.frictions[name]
    text = ("-%s v%s"):format(friction and "(" .. friction .. ")" or "gamma" .. suffix, suffix)
  end
  if made.shown.equations and made.shown.equations[name] then text = add(text, "+", made.shown.equations[name]) end
  local terms, slope = terms_of(made, name)
  if slope then text = add(text, "-", slope) end
  if not made.system or is_set(made, "force" .. suffix) then text = add(text, "+", "force" .. suffix) end
  for _, term in ipairs(terms) do text = add(text, "+", term) end
  if text == "" then text = "0" end
  if not inertial then return ("d%s/dt = %s"):format(name, text) end
  return ("mass%s dv%s/dt = %s, d%s/dt = v%s"):format(suffix, suffix, text, name, suffix)
end

-- The model's own parameters, which belong to no component, event or wall.
local function own_values(made)
  local own = {}
  for _, source in ipairs { made.given, made.functions } do
    for name in pairs(source) do
      if not name:find(".", 1, true) and (not made.system or not name:find "^force_" or is_set(made, name)) then
        own[name] = true
      end
    end
  end
  local texts = {}
  for _, name in ipairs(errors.sorted_keys(own)) do
    local value = made.functions[name]
    if value == nil then value = made.given[name] end
    texts[#texts + 1] = named(name, value)
  end
  return texts
end

local function formulas(lines, word, field)
  for _, name in ipairs(errors.sorted_keys(field or {})) do
    lines[#lines + 1] = ("%s %s = %s"):format(word, name, tostring(field[name]))
  end
end

local words = { rate = "at the rate", every = "after every interval", when = "when 0 is passed by" }

local function parameter_texts(made, prefix)
  local texts = {}
  for _, source in ipairs { made.given, made.functions } do
    for _, name in ipairs(errors.sorted_keys(source)) do
      if name:sub(1, #prefix) == prefix then texts[#texts + 1] = named(name, source[name]) end
    end
  end
  return #texts > 0 and "; " .. table.concat(texts, ", ") or ""
end

local function event_lines(made, lines)
  for _, name in ipairs(errors.sorted_keys(made.shown.events or {})) do
    local fields, sets = made.shown.events[name], {}
    for _, target in ipairs(errors.sorted_keys(fields.set)) do
      sets[#sets + 1] = ("%s = %s"):format(target, tostring(fields.set[target]))
    end
    for trigger, how in pairs(words) do
      if fields[trigger] ~= nil then
        lines[#lines + 1] = ("event %s: %s %s sets %s%s"):format(name, how, tostring(fields[trigger]),
          table.concat(sets, ", "), parameter_texts(made, name .. "."))
      end
    end
  end
end

local function wall_lines(made, lines)
  for _, variable in ipairs(errors.sorted_keys(made.shown.walls or {})) do
    local list = made.shown.walls[variable]
    for _, one in ipairs(type(list[1]) == "table" and list or { list }) do
      local sides = {}
      for _, side in ipairs { "from", "to", "length" } do
        if one[side] ~= nil then sides[#sides + 1] = side .. " = " .. show.value(one[side]) end
      end
      lines[#lines + 1] = ("walls of %s %s: %s"):format(variable, one[1], table.concat(sides, ", "))
    end
  end
end

--- The model in words: "an overdamped model", "a system of x, y".
function show_model.name(made)
  if made.system then return "a system of " .. table.concat(made.variables, ", ") end
  local inertial = made.given.mass ~= nil or made.functions.mass ~= nil
  return inertial and "an underdamped model" or "an overdamped model"
end

--- What print shows of a model.
function show_model.text(made)
  local lines = {}
  for _, name in ipairs(made.variables) do lines[#lines + 1] = equation_of(made, name) end
  formulas(lines, "with", made.shown.define)
  formulas(lines, "mean field", made.shown.fields)
  formulas(lines, "period of", made.shown.period)
  for _, one in ipairs(made.parts) do
    lines[#lines + 1] = show_model.component(one.part, one.variable, made.system and made.variables or nil)
  end
  local given, thermal = false, false
  for _, one in ipairs(made.amplitudes) do
    given, thermal = given or not one.formula.thermal, thermal or one.formula.thermal
  end
  if given then
    lines[#lines + 1] = "interpretation of noise with an amplitude: " .. (made.shown.interpretation or "stratonovich")
  end
  if thermal then lines[#lines + 1] = "interpretation of noise given by T: anti_ito" end
  event_lines(made, lines)
  wall_lines(made, lines)
  local own = own_values(made)
  if #own > 0 then lines[#lines + 1] = table.concat(own, ", ") end
  for i, line in ipairs(lines) do lines[i] = show.wrapped(line, "    ") end
  return show_model.name(made) .. ":\n  " .. table.concat(lines, "\n  ")
end

-- A copy of tables of texts and numbers, which a script may change later.
local function copy(value)
  if type(value) ~= "table" then return value end
  local made = {}
  for key, inner in pairs(value) do made[key] = copy(inner) end
  return made
end

--- Keeps for print what the C API does not give back.
function show_model.keep(made, fields)
  for _, key in ipairs { "equations", "define", "fields", "period", "events", "walls", "interpretation" } do
    made.shown[key] = copy(fields[key])
  end
end

return show_model
