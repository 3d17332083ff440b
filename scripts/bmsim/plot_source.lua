-- What a plot may be of, a result or a table of columns, as plot.lua is shown it.
local errors = require "bmsim.errors"

--- subject: what messages begin with.
return function(subject, value)
  local result = require "bmsim.result" -- which has plots
  if result.is(value) then return result.source(value) end
  if errors.type(value) ~= "table" then
    errors.raise("%s: begins with a result, or a table of columns, got %s", subject, errors.type(value))
  end
  return require "bmsim.plot_table"(value)
end
