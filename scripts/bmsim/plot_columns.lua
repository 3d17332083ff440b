-- bm.plot(columns, fields): a picture of columns that belong to no result, in the words of r:plot; bm.plot(model,
-- fields): of a model's potential.
local errors = require "bmsim.errors"
local model = require "bmsim.model"
local plot = require "bmsim.plot"
local source_of = require "bmsim.plot_source"
local table_of = require "bmsim.plot_table"

return function(columns, fields)
  if not model.is(columns) then return plot.draw(table_of(columns), fields) end
  errors.check_table("plot", fields, "named fields")
  plot.draw(source_of("plot", columns, fields))
end
