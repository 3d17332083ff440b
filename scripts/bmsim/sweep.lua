-- Sweeps: axes { "poisson.D", values } and bm.zip { axis, axis, ... }, whose outer product is the points of a run.
-- The first axis is the slowest.
local errors = require "bmsim.errors"

local sweep = {}
local Zip = {}

-- { name, values } -> name, values, after checking them.
local function check_column(subject, column)
  if type(column) ~= "table" or type(column[1]) ~= "string" or type(column[2]) ~= "table" then
    errors.raise('%s must be a name and its values, as in { "poisson.D", { 0.1, 1, 10 } }', subject)
  end
  for _, key in ipairs(errors.sorted_keys(column)) do
    if key ~= 1 and key ~= 2 then
      errors.raise('%s has more than a name and its values (\'%s\'); to sweep together: bm.zip', subject, tostring(key))
    end
  end
  local name, values = column[1], column[2]
  errors.check_list(("%s: values of '%s'"):format(subject, name), values)
  if #values == 0 then errors.raise("%s: '%s' has no values", subject, name) end
  for i = 1, #values do
    local value = values[i]
    if type(value) ~= "number" or value - value ~= 0 then
      errors.check_number(("%s: value %d of '%s'"):format(subject, i, name), value)
    end
  end
  return name, values
end

--- Columns that are swept together: an axis of one point per row.
function sweep.zip(columns)
  if type(columns) ~= "table" or #columns == 0 then
    errors.raise('zip: must be given columns, as in bm.zip { { "poisson.D", D }, { "poisson.a", a } }')
  end
  errors.check_list("zip", columns)
  local made = setmetatable({ names = {}, columns = {} }, Zip)
  for i, column in ipairs(columns) do
    made.names[i], made.columns[i] = check_column("zip: column " .. i, column)
    made.length = made.length or #made.columns[i]
    if #made.columns[i] ~= made.length then
      errors.raise("zip: columns must be equally long: '%s' has %d values, '%s' has %d", made.names[1], made.length,
        made.names[i], #made.columns[i])
    end
  end
  return made
end

local function is_zip(value) return getmetatable(value) == Zip end

local function axis(index, value)
  if is_zip(value) then return value end
  local name, values = check_column("sweep: axis " .. index, value)
  return { names = { name }, columns = { values }, length = #values }
end

--- The axes of a run's `sweep` field: a list of them, or one.
function sweep.axes(field)
  if field == nil then return {} end
  if is_zip(field) then return { field } end
  if type(field) ~= "table" then errors.raise("sweep: must be a list of axes, got %s", type(field)) end
  if type(field[1]) == "string" then return { axis(1, field) } end
  local named = next(field)
  if #field == 0 and type(named) == "string" then
    errors.raise("sweep: an axis is a list, { \"%s\", { ... } }, but '%s' is a field", named, named)
  end
  errors.check_list("sweep", field)
  if #field == 0 then errors.raise "sweep: there is no axis; leave the field out to run one point" end
  local axes, seen = {}, {}
  for i, value in ipairs(field) do
    axes[i] = axis(i, value)
    for _, name in ipairs(axes[i].names) do
      if seen[name] then errors.raise("sweep: '%s' is on two axes", name) end
      seen[name] = true
    end
  end
  return axes
end

local function check_grid(subject, a, b, n)
  errors.check_number(subject .. ": first", a)
  errors.check_number(subject .. ": last", b)
  errors.check_number(subject .. ": number of values", n)
  if n < 1 or n > 1e7 or n ~= math.floor(n) then
    errors.raise("%s: number of values must be a whole number in [1, 1e7], got %g", subject, n)
  end
end

-- n values from at(0) to at(1); the ends are those given, not what rounding leaves of them.
local function grid(a, b, n, at)
  local values = {}
  for i = 1, n do values[i] = at((i - 1) / math.max(n - 1, 1)) end
  values[n] = b
  values[1] = a
  return values
end

--- n equally spaced values from a to b, both included (n = 1: a).
function sweep.linspace(a, b, n)
  check_grid("linspace", a, b, n)
  return grid(a, b, n, function(u) return a + (b - a) * u end)
end

--- n values from a to b in equal ratios, both included (n = 1: a); a and b > 0.
function sweep.logspace(a, b, n)
  check_grid("logspace", a, b, n)
  if a <= 0 or b <= 0 then errors.raise("logspace: first and last must be > 0, got %g and %g", a, b) end
  return grid(a, b, n, function(u) return a * (b / a) ^ u end)
end

return sweep
