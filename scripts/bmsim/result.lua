-- Results: columns of one value per point, swept parameters first, and information on the run.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local compare = require "bmsim.compare"
local errors = require "bmsim.errors"
local goes_on = require "bmsim.goes_on"
local host = require "bmsim.host"
local panels = require "bmsim.explore_panels"
local plot = require "bmsim.plot"
local plot_options = require "bmsim.plot_options"
local point = require "bmsim.point"
local source_of = require "bmsim.result_source"
local show = require "bmsim.show"
local show_result = require "bmsim.show_result"
local sweep = require "bmsim.sweep"
local theory = require "bmsim.theory"

local result = {}
local methods = {}
-- Handles are kept apart, so that a result has no fields but the documented ones.
local handles = setmetatable({}, { __mode = "k" })
local made_so_far, any_used, any_incomplete = 0, false, false
local kept -- all results, for a host that asks for them

local Result = {
  __index = function(self, name)
    if methods[name] then return methods[name] end
    local value = handles[self].fields[name]
    if value ~= nil then
      any_used = true
      return value
    end
    local known = errors.sorted_keys(methods)
    known[#known + 1] = "points"
    known[#known + 1] = "info"
    errors.raise("result: unknown field '%s'%s", tostring(name), errors.suggest(name, known))
  end,
}
errors.name_kind(Result, "a result")
function Result.__newindex(_, name)
  errors.raise("result: its fields cannot be set, got '%s'; r:add(name, values) adds a column", tostring(name))
end

local function info_of(handle)
  local info = {}
  for i = 0, tonumber(C.bm_result_info_count(handle)) - 1 do
    local text = ffi.string(C.bm_result_info_value(handle, i))
    local value = tonumber(text)
    if value == nil then value = text end
    if text == "true" or text == "false" then value = text == "true" end
    local key = ffi.string(C.bm_result_info_key(handle, i))
    if key == "warnings" then
      value = {}
      for line in text:gmatch "[^\n]+" do value[#value + 1] = line end
    end
    info[key] = key == "label" and text or value
  end
  return show_result.info(info)
end

--- components: a set of their names. how.dry: the columns that would have been measured are NaN, and nothing is written
--- or printed; how.in_file: it is in a file already; how.model: its model in words; how.sweep: the field of
--- bm.run; how.elsewhere(sweep): a handle of the parameters at other points. Returns the result, and its info.
function result.new(handle, components, how)
  handle = ffi.gc(handle, C.bm_result_free)
  local fields = { points = tonumber(C.bm_result_points(handle)), info = info_of(handle) }
  local made = {}
  made_so_far, any_used = made_so_far + 1, any_used or how.in_file
  handles[made] = { pointer = handle, components = components, dry = how.dry, model = how.model, fields = fields,
    sweep = sweep.axes(how.sweep), elsewhere = how.elsewhere, laws = {}, number = made_so_far, written = how.in_file }
  if kept then kept[#kept + 1] = made end
  any_incomplete = any_incomplete or not (how.dry or fields.info.complete)
  return setmetatable(made, Result), fields.info
end

--- Whether an interrupt has ended a run before its end.
function result.any_incomplete() return any_incomplete end
--- How many results there were so far; whether any of them was looked at.
function result.made() return made_so_far end
function result.any_used() return any_used end
--- Those that are still in memory, as keys.
function result.alive() return handles end
--- From now on results are kept: whoever runs the script gets them.
function result.keep() kept, any_used = {}, true end
function result.kept() return kept end

--- What is in memory and in no file: a list of bm_result, in the order of their runs, and the seconds that these took.
function result.unwritten()
  local states, seconds = {}, 0
  for _, state in pairs(handles) do
    if not (state.dry or state.written) then
      states[#states + 1], seconds = state, seconds + state.fields.info.seconds
    end
  end
  table.sort(states, function(a, b) return a.number < b.number end)
  for i, state in ipairs(states) do states[i] = state.pointer end
  return states, seconds
end

function result.is(value) return type(value) == "table" and handles[value] ~= nil end

local function state_of(self)
  any_used = true
  return handles[self] or errors.raise "result: call its functions with a colon, as in r:column \"velocity\""
end

result.methods = methods
--- The bm_result of a result.
function result.pointer(value) return state_of(value).pointer end

--- The names of the columns, in their order.
function methods:columns()
  local handle, names = state_of(self).pointer, {}
  for i = 0, tonumber(C.bm_result_columns(handle)) - 1 do
    names[i + 1] = ffi.string(C.bm_result_column_name(handle, i))
  end
  return show_result.names(names)
end

-- Raw column: an array of doubles in C, from 0; nil if there is none. Parameters that are not swept are found too.
local function find(self, name)
  local handle = state_of(self).pointer
  if type(name) ~= "string" then errors.raise("result: a column's name must be a string, got %s", type(name)) end
  local values = C.bm_result_column(handle, name)
  return values ~= nil and values or nil
end

local function raw(self, name)
  return find(self, name) or errors.raise_last(C.bm_last_status())
end

--- A column as an array, one value per point.
function methods:column(name)
  local values, column = raw(self, name), {}
  for i = 1, self.points do column[i] = values[i - 1] end
  local unit = C.bm_result_column_property(state_of(self).pointer, name, "unit")
  return show_result.column(column, name, unit ~= nil and ffi.string(unit) or "")
end

-- Index of an array by name; nil if there is none.
local function find_array(handle, name)
  for i = 0, tonumber(C.bm_result_arrays(handle)) - 1 do
    if ffi.string(C.bm_result_array_name(handle, i)) == name then return i end
  end
end

--- The names of the arrays, in their order.
function methods:arrays()
  local handle, names = state_of(self).pointer, {}
  for i = 1, tonumber(C.bm_result_arrays(handle)) do names[i] = ffi.string(C.bm_result_array_name(handle, i - 1)) end
  return show_result.names(names)
end

--- An array: { name =, label =, unit =, dims = { { name =, label =, unit =, values = {...} }, ... }, shape =,
--- values = }, where values[point] is flat, the last dimension varying fastest, and shape leaves out the points.
function methods:array(name)
  local handle = state_of(self).pointer
  local i = find_array(handle, name)
  if not i then errors.raise("result: unknown array '%s'%s", tostring(name), errors.suggest(name, self:arrays())) end
  local made = {
    name = name, label = ffi.string(C.bm_result_array_label(handle, i)),
    unit = ffi.string(C.bm_result_array_unit(handle, i)), dims = {}, shape = {}, values = {},
  }
  local size = 1
  for axis = 0, tonumber(C.bm_result_array_axes(handle, i)) - 1 do
    local length, values = tonumber(C.bm_result_axis_length(handle, i, axis)), {}
    for k = 1, length do values[k] = C.bm_result_axis_values(handle, i, axis)[k - 1] end
    made.dims[axis + 1] = {
      name = ffi.string(C.bm_result_axis_name(handle, i, axis)),
      label = ffi.string(C.bm_result_axis_label(handle, i, axis)),
      unit = ffi.string(C.bm_result_axis_unit(handle, i, axis)), values = values,
    }
    made.shape[axis + 1] = length
    size = size * length
  end
  local all = C.bm_result_array_values(handle, i)
  for p = 1, self.points do
    local flat = {}
    for k = 1, size do flat[k] = all[(p - 1) * size + k - 1] end
    made.values[p] = flat
  end
  return show_result.array_of(made)
end

--- Iterates over the points: for p in r:rows() do print(p.poisson.D, p.velocity) end
function methods:rows()
  local components, names, columns, i = state_of(self).components, self:columns(), {}, 0
  return function()
    i = i + 1
    if i > self.points then return nil end
    local row = i - 1
    return point.new("point " .. i, names, components, function(name)
      columns[name] = columns[name] or find(self, name)
      return columns[name] and columns[name][row]
    end)
  end
end

--- Adds a column: an array of one value per point, or a function of the point. Returns the result.
function methods:add(name, values)
  local handle = state_of(self).pointer
  if type(name) ~= "string" then errors.raise("result: a column's name must be a string, got %s", type(name)) end
  local column, began = {}, os.clock()
  if type(values) == "function" then
    for p in self:rows() do column[#column + 1] = values(p) or errors.raise("result: no value for '%s'", name) end
  elseif type(values) == "table" then
    errors.check_list(("result: column '%s'"):format(name), values)
    column = values
  else
    errors.raise("result: column '%s' must be an array or a function, got %s", name, type(values))
  end
  if #column ~= self.points then
    errors.raise("result: column '%s' must have %d values, one per point, got %d", name, self.points, #column)
  end
  for i, value in ipairs(column) do
    if type(value) ~= "number" then
      errors.raise("result: value %d of column '%s' must be a number, got %s", i, name, type(value))
    end
  end
  errors.check(C.bm_result_add_column(handle, name, ffi.new("double[?]", #column, column), #column))
  if type(values) == "function" then
    state_of(self).laws[name] = { at = values, seconds = (os.clock() - began) / #column }
  end
  return self
end

-- What the columns that r:compare added are at other points.
local function keep_theory(mine, before, which, options, seconds)
  local law = { at = which, seconds = seconds }
  if type(which) ~= "function" or theory.is(which) then
    law.at, law.columns = nil, function(handle, count)
      local columns, names = theory.of_result(handle, count, which, options and options.from)
      local list = {}
      for i, name in ipairs(names) do list[i] = columns[name] end
      return list
    end
  end
  for i = before, tonumber(C.bm_result_columns(mine.pointer)) - 1 do
    local name = ffi.string(C.bm_result_column_name(mine.pointer, i))
    if name:find "^theory" then mine.laws[name] = law end
  end
end

--- Adds columns theory and z, (value - theory)/error: r:compare(), r:compare(bm.theory.master), or a function of the
--- point; see bmsim.compare. Returns the result.
function methods:compare(which, options)
  local mine, began = state_of(self), os.clock()
  local before = tonumber(C.bm_result_columns(mine.pointer))
  compare(self, mine.pointer, which, options)
  keep_theory(mine, before, which, options, (os.clock() - began) / self.points)
  return self
end

--- Writes, by suffix, all columns (.csv, .tsv), everything (.nc), or one array in long form (.csv, .tsv). A dry run
--- only checks that it could.
function methods:write(file, array)
  local handle = state_of(self).pointer
  if type(file) ~= "string" then errors.raise("result: a file's name must be a string, got %s", type(file)) end
  if host.explore then return self end -- it is downloaded from the page
  if array == nil then
    errors.check(C.bm_result_write(handle, file))
  elseif type(array) ~= "string" then
    errors.raise("result: an array's name must be a string, got %s", type(array))
  else
    if not find_array(handle, array) then
      errors.raise("result: unknown array '%s'%s", array, errors.suggest(array, self:arrays()))
    end
    errors.check(C.bm_result_write_array(handle, file, array))
  end
  state_of(self).written = true
  show.tell(self)
  return self
end

--- What plot.lua is shown of a result.
function result.source(self) return source_of(self, state_of(self)) end

--- Draws columns: r:plot { x = "poisson.D", y = "velocity", group = "poisson.a", log = "x", file = "fig3a.svg" }; with
--- z a map; or an array: r:plot { array = "density", file = "density.svg" }. A dry run only checks that it could.
function methods:plot(fields)
  plot.draw(result.source(self), fields)
  show.tell(self)
  return self
end

show.takes(methods.plot, plot_options.known)

--- Prints columns as an aligned table: r:print { "poisson.D", "velocity" }; all of them where none are named.
function methods:print(names)
  local dry = state_of(self).dry
  if names == nil then names = self:columns() end
  if errors.type(names) ~= "table" then
    errors.raise("result: print must be given a list of columns, got %s", errors.type(names))
  end
  if host.explore then
    panels.table(names, function(name) return raw(self, name) end, self.points, result.source(self).save)
    return self
  end
  local lines = show_result.table(names, function(name) return raw(self, name) end, self.points)
  if not dry then io.write(lines, "\n") end
  show.tell(self)
  return self
end

for _, name in ipairs { "compare", "plot", "print", "write" } do methods[name] = goes_on.wrap(methods[name]) end

-- The axes of array i: { { name =, length = }, ... }.
local function axes_of(handle, i)
  local axes = {}
  for axis = 0, tonumber(C.bm_result_array_axes(handle, i)) - 1 do
    axes[axis + 1] = { name = ffi.string(C.bm_result_axis_name(handle, i, axis)),
      length = tonumber(C.bm_result_axis_length(handle, i, axis)) }
  end
  return axes
end

local function text_of(self)
  local mine, arrays = state_of(self), {}
  local handle = mine.pointer
  for i = 0, tonumber(C.bm_result_arrays(handle)) - 1 do
    local name = ffi.string(C.bm_result_array_name(handle, i))
    if not name:find "_err$" then
      arrays[#arrays + 1] = show_result.array(name, ffi.string(C.bm_result_array_label(handle, i)),
        ffi.string(C.bm_result_array_unit(handle, i)), axes_of(handle, i))
    end
  end
  return show_result.text(mine.fields, mine, self:columns(), function(name) return raw(self, name) end,
    function(name) return find(self, name) end, arrays)
end

show.as(Result, text_of, function(_, called)
  local names = errors.sorted_keys(methods)
  if not called then names[#names + 1], names[#names + 2] = "points", "info" end
  return names
end)

-- For completion at the prompt: a field, without an error where there is none; and the names that a method takes.
function Result.__peek(self, name) return handles[self].fields[name] or methods[name] end
function Result.__words(self, method)
  if method == "array" then return self:arrays() end
  local names = self:columns()
  if method == "plot" then
    for _, name in ipairs(self:arrays()) do names[#names + 1] = name end
  end
  return names
end

return result
