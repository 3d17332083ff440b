-- Results: columns of one value per point, swept parameters first, and information on the run.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local point = require "bmsim.point"

local result = {}
local methods = {}
-- Handles are kept apart, so that a result has no fields but the documented ones.
local handles = setmetatable({}, { __mode = "k" })

local Result = {
  __index = function(_, name)
    if methods[name] then return methods[name] end
    local known = errors.sorted_keys(methods)
    known[#known + 1] = "points"
    known[#known + 1] = "info"
    errors.raise("result: unknown field '%s'%s", tostring(name), errors.suggest(name, known))
  end,
}

local function info_of(handle)
  local info = {}
  for i = 0, tonumber(C.bm_result_info_count(handle)) - 1 do
    local text = ffi.string(C.bm_result_info_value(handle, i))
    local value = tonumber(text)
    if value == nil then value = text end
    if text == "true" or text == "false" then value = text == "true" end
    info[ffi.string(C.bm_result_info_key(handle, i))] = value
  end
  return info
end

--- components: a set of their names. dry: the columns that would have been measured are NaN, and nothing is written or
--- printed.
function result.new(handle, components, dry)
  handle = ffi.gc(handle, C.bm_result_free)
  local made = { points = tonumber(C.bm_result_points(handle)), info = info_of(handle) }
  handles[made] = { pointer = handle, components = components, dry = dry }
  return setmetatable(made, Result)
end

local function own(self)
  return handles[self] or errors.raise "result: call its functions with a colon, as in r:column \"velocity\""
end

--- The names of the columns, in their order.
function methods:columns()
  local handle, names = own(self).pointer, {}
  for i = 0, tonumber(C.bm_result_columns(handle)) - 1 do
    names[i + 1] = ffi.string(C.bm_result_column_name(handle, i))
  end
  return names
end

-- Raw column: an array of doubles in C, from 0; nil if there is none. Parameters that are not swept are found too.
local function find(self, name)
  local handle = own(self).pointer
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
  return column
end

--- Iterates over the points: for p in r:rows() do print(p.poisson.D, p.velocity) end
function methods:rows()
  local names, components, columns, i = self:columns(), own(self).components, {}, 0
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
  local handle = own(self).pointer
  if type(name) ~= "string" then errors.raise("result: a column's name must be a string, got %s", type(name)) end
  local column = {}
  if type(values) == "function" then
    for p in self:rows() do column[#column + 1] = values(p) or errors.raise("result: no value for '%s'", name) end
  elseif type(values) == "table" then
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
  return self
end

--- Writes all columns, by suffix: .csv, .tsv. A dry run only checks that it could.
function methods:write(file)
  local mine = own(self)
  if type(file) ~= "string" then errors.raise("result: a file's name must be a string, got %s", type(file)) end
  errors.check(mine.dry and C.bm_output_check(file) or C.bm_result_write(mine.pointer, file))
  return self
end

--- Prints columns as an aligned table: r:print { "poisson.D", "velocity" }; all of them where none are named.
function methods:print(names)
  local mine = own(self)
  if names == nil then names = self:columns() end
  if type(names) ~= "table" then errors.raise("result: print must be given a list of columns, got %s", type(names)) end
  local cells, widths = {}, {}
  for c, name in ipairs(names) do
    local values = raw(self, name)
    cells[c], widths[c] = { name }, #name
    for i = 1, self.points do
      cells[c][i + 1] = ("%.6g"):format(values[i - 1])
      widths[c] = math.max(widths[c], #cells[c][i + 1])
    end
  end
  if mine.dry then return self end
  for row = 1, self.points + 1 do
    local line = {}
    for c = 1, #names do line[c] = (" "):rep(widths[c] - #cells[c][row]) .. cells[c][row] end
    io.write(table.concat(line, "  "), "\n")
  end
  return self
end

return result
