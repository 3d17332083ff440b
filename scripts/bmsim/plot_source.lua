-- What a plot may be of, a result, a table of columns or a model, as plot.lua is shown it.
local errors = require "bmsim.errors"
local model = require "bmsim.model"

--- subject: what messages begin with. Returns the source, and its fields, which for a model are others.
return function(subject, value, fields)
  local result = require "bmsim.result" -- which has plots
  if result.is(value) then return result.source(value), fields end
  if model.is(value) then return require "bmsim.plot_potential"(subject, value, fields) end
  if errors.type(value) ~= "table" then
    errors.raise("%s: begins with a result, a table of columns or a model, got %s", subject, errors.type(value))
  end
  return require "bmsim.plot_table"(value), fields
end
