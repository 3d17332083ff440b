-- r:compare: theory beside measurement. r:compare(bm.theory.stratonovich, { of = "diffusion" })
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local theory = require "bmsim.theory"

local subject = "result: compare"

local function wanted(of)
  if of == nil then return nil end
  local list = type(of) == "table" and of or { of }
  errors.check_list(subject .. ": of", list)
  for _, name in ipairs(list) do
    if type(name) ~= "string" then errors.raise("%s: of must be names of observables, got %s", subject, type(name)) end
  end
  return list
end

-- The observables of r, in order: columns with an error.
local function measured(r)
  local is_column, list = {}, {}
  for _, name in ipairs(r:columns()) do is_column[name] = true end
  for _, name in ipairs(r:columns()) do
    if is_column[name .. "_err"] then list[#list + 1] = name end
  end
  return list
end

local function contains(list, name)
  for _, one in ipairs(list) do
    if one == name then return true end
  end
  return false
end

-- A function of the point in place of a theory: quantity -> column.
local function of_function(r, f, of)
  local name = of and of[1] or measured(r)[1]
  if of and #of > 1 then errors.raise("%s: a function is compared with one observable, got %d", subject, #of) end
  local column = {}
  for p in r:rows() do
    column[#column + 1] = f(p)
    local value = column[#column]
    if type(value) ~= "number" then
      errors.raise("%s: the function must return a number, got %s", subject, type(value))
    end
  end
  return { [name] = column }, { name }
end

-- What is asked for, or all that was both measured and calculated.
local function chosen(r, known, of)
  local observed, list = measured(r), {}
  for _, name in ipairs(of or known) do
    if contains(known, name) and contains(observed, name) then
      list[#list + 1] = name
    elseif of then
      local why = contains(known, name) and "was not observed" or "is not what the theory gives"
      errors.raise("%s: of must name an observable that was observed and that the theory gives, got '%s', which %s",
        subject, name, why)
    end
  end
  if #list == 0 then
    errors.raise("%s: the theory gives %s, and the result has %s", subject, table.concat(known, ", "),
      #observed > 0 and table.concat(observed, ", ") or "none of them")
  end
  return list
end

-- The difference of two values of a column; of an angle it is at most half a turn.
local function difference(handle, name)
  local unit = C.bm_result_column_property(handle, name, "unit")
  if unit == nil or ffi.string(unit) ~= "radian" then return function(a, b) return a - b end end
  return function(a, b)
    local turns = (a - b) / (2 * math.pi)
    return 2 * math.pi * (turns - math.floor(turns + 0.5))
  end
end

--- Adds the columns theory and z = (value - theory)/error of the first observable that the theory gives, theory_NAME
--- and z_NAME of the others; of a system theory_NAME and z_NAME of all. which: one of bm.theory, its name, a function
--- of the point, or nil for the exact one.
return function(r, handle, which, options)
  options = options or {}
  errors.check_fields(subject, options, { "of", "from" })
  if options.from ~= nil then errors.check_number(subject .. ": from", options.from) end
  local of = wanted(options.of)
  local columns, known
  if type(which) == "function" and not theory.is(which) then
    columns, known = of_function(r, which, of)
  else
    columns, known = theory.of_result(handle, r.points, which, options.from)
  end
  local named = C.bm_result_is_system(handle) == 1
  for i, name in ipairs(chosen(r, known, of)) do
    local suffix = i == 1 and not named and "" or "_" .. name
    local value, deviation, z, less = r:column(name), r:column(name .. "_err"), {}, difference(handle, name)
    for point = 1, r.points do z[point] = less(value[point], columns[name][point]) / deviation[point] end
    r:add("theory" .. suffix, columns[name])
    r:add("z" .. suffix, z)
  end
  return r
end
