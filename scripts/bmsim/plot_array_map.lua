-- Maps of an array: over one of its coordinates and a column, or at one point over two.
local axes = require "bmsim.plot_axes"
local choose = require "bmsim.plot_choose"
local errors = require "bmsim.errors"
local shown = require "bmsim.plot_shown"

-- The values of an axis of a map in rising order, and the number of each.
local function centres(array, quantity, rows, axis)
  local list, numbers = {}, {}
  for _, row in ipairs(rows) do
    for k = 1, quantity.kind == "column" and 1 or shown.size(array) do
      local value = quantity.at(row, k)
      if not axes.shows(axis, value) then
        errors.raise("plot: '%s' must be %s everywhere, got %g", quantity.name, axis.log and "> 0" or "finite", value)
      elseif not numbers[value] then
        list[#list + 1], numbers[value] = value, true
      end
    end
  end
  table.sort(list)
  for i, value in ipairs(list) do numbers[value] = i end
  return list, numbers
end

local function check_map(array, x, y, rows)
  local columns = (x.kind == "column" and 1 or 0) + (y.kind == "column" and 1 or 0)
  if columns == 2 or x.name == y.name then
    errors.raise("plot: a map of '%s' is over its coordinate '%s' and something else, got '%s' and '%s'", array.name,
      array.dims[1].name, x.name, y.name)
  end
  for d, dim in ipairs(array.dims) do
    if d ~= x.dim and d ~= y.dim and array.shape[d] > 1 then
      errors.raise("plot: a map of '%s' over '%s' and '%s' has no place for its coordinate '%s'", array.name, x.name,
        y.name, dim.name)
    end
  end
  if columns == 0 and #rows > 1 then
    errors.raise(
      "plot: a map over two coordinates is of one point, got %d; choose by where = function(p) return ... end", #rows)
  end
end

--- The picture of z, the array's values, over x and y.
return function(chosen, array, x, y, z, rows)
  check_map(array, x, y, rows)
  local made, taken = { z = {} }, {}
  local x_of, y_of
  made.x, x_of = centres(array, x, rows, chosen.axes.x)
  made.y, y_of = centres(array, y, rows, chosen.axes.y)
  for j = 1, #made.y do
    made.z[j] = {}
    for i = 1, #made.x do made.z[j][i] = 0 / 0 end
  end
  for _, row in ipairs(rows) do
    for k = 1, shown.size(array) do
      local i, j = x_of[x.at(row, k)], y_of[y.at(row, k)]
      local cell = j * #made.x + i
      if taken[cell] then
        local column = x.kind == "column" and x.name or y.name
        errors.raise("plot: points %d and %d must differ in '%s'; choose by where = function(p) return ... end",
          taken[cell], row, column)
      end
      taken[cell], made.z[j][i] = row, z.at(row, k)
    end
  end
  return choose.coloured(made, chosen, array.name)
end
