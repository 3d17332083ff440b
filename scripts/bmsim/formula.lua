-- Formulas with parameters of their own: bm.formula { "sqrt(1 + a*cos(2*pi*x))", a = 0.6 }.
local errors = require "bmsim.errors"
local show = require "bmsim.show"

local formula = {}
local Formula = {}
errors.name_kind(Formula, "a formula")
show.as(Formula, function(self)
  local values = {}
  for i, name in ipairs(self.parameters) do values[i] = ("%s = %s"):format(name, show.value(self.values[name])) end
  return ("formula %s%s"):format(self.text, #values > 0 and "; " .. table.concat(values, ", ") or "")
end)

--- bm.formula: a text, and a number or a function for each of its parameters.
function formula.new(fields)
  errors.check_table("formula", fields, "a formula and its parameters")
  if type(fields[1]) ~= "string" then
    errors.raise('formula: must be given a text and its parameters, as in { "1 + a*cos(2*pi*x)", a = 0.5 }')
  end
  local made = { text = fields[1], parameters = {}, values = {} }
  for _, key in ipairs(errors.sorted_keys(fields)) do
    local value = fields[key]
    if type(key) == "string" then
      if type(value) ~= "function" then errors.check_number("formula: " .. key, value) end
      made.parameters[#made.parameters + 1] = key
      made.values[key] = value
    elseif key ~= 1 then
      errors.raise 'formula: parameters are given by name, as in { "1 + a*cos(2*pi*x)", a = 0.5 }'
    end
  end
  return setmetatable(made, Formula)
end

--- What a noise's field `amplitude` stands for: a formula, or a table of texts by variable.
function formula.amplitude(subject, value)
  if type(value) == "string" then value = formula.new { value } end
  if getmetatable(value) == Formula then return value end
  if errors.type(value) ~= "table" or next(value) == nil then
    errors.raise("%s: amplitude must be a formula, or formulas by variable, got %s", subject, errors.type(value))
  end
  local by_variable = {}
  for _, name in ipairs(errors.sorted_keys(value)) do
    if type(name) ~= "string" or type(value[name]) ~= "string" then
      errors.raise("%s: amplitude: must be formulas by variable, as in { x = \"b\" }", subject)
    end
    by_variable[name] = value[name]
  end
  return { by_variable = by_variable, parameters = {}, values = {} }
end

return formula
