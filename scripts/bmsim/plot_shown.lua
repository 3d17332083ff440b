-- What an axis of a picture of an array shows, value by value: a coordinate of the array, another array, or a column.
--   { kind = "coordinate" | "array" | "column", name =, label =, unit =, dim = the dimension it belongs to, if one,
--     at = function(row, k) }          -- for value number k, from 1, of the point in that row
local choose = require "bmsim.plot_choose"
local errors = require "bmsim.errors"
local labels = require "bmsim.plot_labels"

local shown = {}

--- How many values an array has at a point.
function shown.size(array)
  local size = 1
  for _, n in ipairs(array.shape) do size = size * n end
  return size
end

--- Where value number k is along dimension d, from 0; and how far apart its neighbours along it are.
function shown.place(array, d, k)
  local stride = 1
  for i = d + 1, #array.shape do stride = stride * array.shape[i] end
  return math.floor((k - 1) / stride) % array.shape[d], stride
end

local function dimension(array, name, length)
  for d, dim in ipairs(array.dims) do
    if dim.name == name and (not length or array.shape[d] == length) then return d end
  end
end

-- What one axis shows: { kind, name, label, unit, dim =, at = function(row, k) }.
local function of_dimension(array, d)
  local dim = array.dims[d]
  return { kind = "coordinate", name = dim.name, label = dim.label, unit = dim.unit, dim = d,
           at = function(_, k) return dim.values[shown.place(array, d, k) + 1] end }
end

local function same_shape(array, other)
  if #array.shape ~= #other.shape then return false end
  for d, length in ipairs(array.shape) do
    if other.shape[d] ~= length then return false end
  end
  return true
end

-- Of another array, whose dimensions are among those of the first, or which has as many values along each.
local function of_array(array, other)
  local dims = {}
  for i, dim in ipairs(other.dims) do
    dims[i] = dimension(array, dim.name, other.shape[i])
    if not dims[i] and same_shape(array, other) then
      return { kind = "array", name = other.name, label = other.label, unit = other.unit,
               at = function(row, k) return other.values[row][k] end }
    end
    if not dims[i] then
      errors.raise("plot: '%s' has the coordinate '%s', which '%s' does not have", other.name, dim.name, array.name)
    end
  end
  return { kind = "array", name = other.name, label = other.label, unit = other.unit,
           dim = #dims == 1 and dims[1] or nil,
           at = function(row, k)
             local index = 0
             for i, d in ipairs(dims) do index = index * other.shape[i] + shown.place(array, d, k) end
             return other.values[row][index + 1]
           end }
end

--- What x or y names.
function shown.named(source, array, letter, name)
  local d = dimension(array, name)
  if d then return of_dimension(array, d) end
  local other = source.array(name)
  if other then return of_array(array, other) end
  local column = source.optional_column(name)
  if column then return { kind = "column", name = name, at = function(row) return column[row] end } end
  local known = {}
  for _, dim in ipairs(array.dims) do known[#known + 1] = dim.name end
  for _, list in ipairs { source.arrays(), source.columns() } do
    for _, one in ipairs(list) do known[#known + 1] = one end
  end
  errors.raise("plot: unknown %s '%s'%s", letter, name, errors.suggest(name, known))
end

--- A coordinate; where times differ from point to point, in place of fractions of the window the array of the times.
function shown.coordinate(source, array, d)
  for _, name in ipairs(array.dims[d].name == "fraction" and source.arrays() or {}) do
    local times = name:find "_time$" and source.array(name)
    if times and #times.dims == 1 and times.dims[1].name == "fraction" and times.shape[1] == array.shape[d] then
      return of_array(array, times)
    end
  end
  return of_dimension(array, d)
end

function shown.label(source, chosen, axis)
  if axis.kind == "column" then return choose.label(source, { axis.name }, chosen.units) end
  return labels.axis(labels.symbol(axis.label), chosen.units and axis.unit or "")
end

--- The array's own values.
function shown.values(array)
  return { kind = "array", name = array.name, label = array.label, unit = array.unit,
           at = function(row, k) return array.values[row][k] end }
end

--- Positions modulo chosen.fold, where it is given.
function shown.folded(chosen, axis)
  local L, at = chosen.fold, axis.at
  if not L or axis.unit ~= "length" then return axis end
  axis.folded = true
  axis.at = function(row, k)
    local x = at(row, k)
    return x - L * math.floor(x / L + 0.5)
  end
  return axis
end

return shown
