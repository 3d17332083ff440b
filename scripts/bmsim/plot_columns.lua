-- bm.plot(columns, fields): a picture of columns that belong to no result, in the words of r:plot.
local plot = require "bmsim.plot"
local table_of = require "bmsim.plot_table"

return function(columns, fields) plot.draw(table_of(columns), fields) end
