-- The points of a run: its axes, and what functions give at each of them.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local evaluate = require "bmsim.host_functions"
local sweep = require "bmsim.sweep"

local points = {}

local function merge(a, b)
  local both = {}
  for _, t in ipairs { a, b } do
    for key, value in pairs(t) do both[key] = value end
  end
  return both
end

local function add_axes(run, axes)
  for _, axis in ipairs(axes) do
    local values = ffi.new("double[?]", #axis.names * axis.length)
    for i, column in ipairs(axis.columns) do
      for j = 1, axis.length do values[(i - 1) * axis.length + j - 1] = column[j] end
    end
    local names = C.texts(axis.names)
    errors.check(C.bm_run_add_axis(run, names, #axis.names, values, axis.length))
  end
end

--- Adds the axes to a run. Returns what bm.run's field `sweep` stands for.
function points.sweep(run, field)
  local axes = sweep.axes(field)
  add_axes(run, axes)
  return axes
end

--- The number of points of a run, and the values of every swept name: name -> array.
function points.columns(run, axes)
  local count, by_name = tonumber(C.bm_run_points(run)), {}
  for _, axis in ipairs(axes) do
    for _, name in ipairs(axis.names) do
      local values, column = C.bm_run_column(run, name), {}
      for point = 1, count do column[point] = values[point - 1] end
      by_name[name] = column
    end
  end
  return by_name, count
end

--- Sets what the functions of the model, and of the run's options, give at every point; given: the numbers of the run.
function points.functions(run, model, axes, functions, given)
  local swept, count = points.columns(run, axes)
  local columns = evaluate(merge(model.functions, functions), swept, merge(model.given, given), model.names, count)
  for _, name in ipairs(errors.sorted_keys(columns)) do
    local values = columns[name]
    errors.check(C.bm_run_set_column(run, name, ffi.new("double[?]", count, values), count))
  end
end

return points
