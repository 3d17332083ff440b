-- Columns that belong to no result, { N = {...}, speed = {...}, speed_err = {...} }, as plot.lua is shown them. Without
-- gnuplot they are kept as a table, like those of a result.
local errors = require "bmsim.errors"
local host = require "bmsim.host"

local function check(columns)
  if type(columns) ~= "table" then errors.raise("plot: columns must be a table of lists, got %s", type(columns)) end
  local first
  for _, name in ipairs(errors.sorted_keys(columns)) do
    local column = columns[name]
    if type(name) ~= "string" or type(column) ~= "table" then
      errors.raise("plot: columns must be lists by name, got a %s under '%s'", type(column), tostring(name))
    end
    errors.check_list(("plot: column '%s'"):format(name), column)
    for i, value in ipairs(column) do
      if type(value) ~= "number" then
        errors.raise("plot: value %d of '%s' must be a number, got %s", i, name, type(value))
      end
    end
    first = first or name
    if #column ~= #columns[first] then
      errors.raise("plot: columns must have one length, got %d of '%s' and %d of '%s'", #columns[first], first, #column,
        name)
    end
  end
  if not first then errors.raise "plot: there are no columns" end
  return #columns[first]
end

local function save(columns, file)
  local names, out = errors.sorted_keys(columns), assert(io.open(file, "w")) -- a temporary one
  out:write(table.concat(names, ","), "\n")
  for i = 1, #columns[names[1]] do
    local row = {}
    for c, name in ipairs(names) do row[c] = ("%.17g"):format(columns[name][i]) end
    out:write(table.concat(row, ","), "\n")
  end
  out:close()
end

return function(columns)
  local length = check(columns)
  local function column(name)
    return columns[name] or
      errors.raise("plot: unknown column '%s'%s", tostring(name), errors.suggest(name, errors.sorted_keys(columns)))
  end
  return {
    dry = host.dry_run, called = "data", column = column, optional_column = function(name) return columns[name] end,
    columns = function() return errors.sorted_keys(columns) end,
    array = function() return nil end, arrays = function() return {} end,
    property = function(name, key) return ({ symbol = name, unit = "", role = "added" })[key] end,
    rows = function()
      local i = 0
      return function()
        i = i + 1
        local row = i
        return row <= length and setmetatable({}, { __index = function(_, name) return column(name)[row] end }) or nil
      end
    end,
    save = function(file) save(columns, file) end,
  }
end
