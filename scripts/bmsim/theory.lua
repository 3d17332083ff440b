-- Exact results: bm.theory.NAME { ... } at one point, bm.theory.curve over a sweep, and r:compare, which adds them to a
-- result. The numbers come from the library, for models: what a function is given besides a model makes one.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local component = require "bmsim.component"
local errors = require "bmsim.errors"
local model = require "bmsim.model"
local points = require "bmsim.points"

local theory = {}
local names = {} -- function -> name of its theory
local nan = 0 / 0
local noise, potential = component.kind "noise", component.kind "potential"

local function quantities(name)
  local list = {}
  for word in ffi.string(errors.not_null(C.bm_theory_quantities(name))):gmatch "%S+" do list[#list + 1] = word end
  return list
end

-- Calls write(values) for an array of `count` points; returns quantity -> its array, and the quantities in order.
local function collect(name, count, write)
  local list = quantities(name)
  local raw = ffi.new("double[?]", #list * count)
  errors.check(write(raw))
  local columns = {}
  for j, quantity in ipairs(list) do
    local column = {}
    for i = 1, count do column[i] = raw[(i - 1) * #list + j - 1] end
    columns[quantity] = column
  end
  return columns, list
end

-- The same for a model at the points of a sweep, and the swept columns too; the quantities in order; and the number of
-- points.
local function at_points(made, sweep, name, from)
  local run = ffi.gc(errors.not_null(C.bm_run_new(nil, made.handle)), C.bm_run_free)
  local axes = points.sweep(run, sweep)
  points.functions(run, made, axes, {}, {})
  local swept, count = points.columns(run, axes)
  local columns, list = collect(name, count, function(raw) return C.bm_theory_run(run, name, from or nan, raw) end)
  for key, column in pairs(swept) do columns[key] = column end
  return columns, list, count
end

-- ---- at one point ----

local function taken(fields, list)
  local some = {}
  for _, key in ipairs(list) do some[key] = fields[key] end
  return some
end

local function check_given(subject, fields, name)
  if fields[name] == nil then errors.raise("%s: %s is missing", subject, name) end
end

-- Noise of the kind `id` in V, the paper's where none is given: what is not of the model is of the noise.
local function in_pieces(id)
  return function(_, fields)
    local rest = {}
    for key, value in pairs(fields) do rest[key] = value end
    rest.potential, rest.force = nil, nil
    local V = fields.potential == nil and potential.piecewise_linear {} or fields.potential
    return model.overdamped { potential = V, force = fields.force, noise = noise[id](rest) }
  end
end

local function thermal(keys)
  return function(subject, fields)
    errors.check_fields(subject, fields, keys)
    check_given(subject, fields, "potential")
    check_given(subject, fields, "D")
    local heat = noise.gaussian { D = fields.D }
    return model.overdamped { potential = fields.potential, force = fields.force, noise = heat }
  end
end

local function well(subject, fields)
  errors.check_fields(subject, fields, { "potential", "D", "T", "force", "mass", "gamma", "from" })
  check_given(subject, fields, "potential")
  if (fields.D == nil) == (fields.T == nil) then errors.raise("%s: give D or T, and not both", subject) end
  local parts = taken(fields, { "potential", "force", "mass", "gamma" })
  parts.noise = noise.gaussian(taken(fields, { "D", "T" }))
  if fields.mass ~= nil then return model.underdamped(parts) end
  if fields.gamma ~= nil and fields.gamma ~= 1 then -- the overdamped limit, in which the mass is negligible
    errors.check_number(subject .. ": gamma", fields.gamma)
    errors.raise("%s: gamma must be 1 where there is no mass, got %g", subject, fields.gamma)
  end
  parts.gamma = nil
  return model.overdamped(parts)
end

local function of_model(subject, fields)
  errors.check_fields(subject, fields, { "model" })
  errors.raise("%s: model is missing", subject)
end

local function define(name, build)
  local subject = "theory." .. name
  local function call(fields)
    errors.check_table(subject, fields, "named fields")
    local made = fields.model
    if made == nil then
      made = build(subject, fields)
    else
      errors.check_fields(subject, fields, { "model", "from" })
      if not model.is(made) then
        errors.raise("%s: model must be made by bm.overdamped or bm.underdamped, got %s", subject, errors.type(made))
      end
    end
    if fields.from ~= nil then errors.check_number(subject .. ": from", fields.from) end
    local columns, list = at_points(made, nil, name, fields.from)
    local values = {}
    for i, quantity in ipairs(list) do values[i] = columns[quantity][1] end
    return unpack(values)
  end
  theory[name], names[call] = call, name
end

define("poisson_velocity", in_pieces "poisson")
define("dichotomous_velocity", in_pieces "dichotomous")
define("stratonovich", thermal { "potential", "D", "force" })
define("lifson_jackson", thermal { "potential", "D" })
define("kramers", well)
define("master", of_model)
define("inertial", of_model)

-- ---- over a sweep ----

-- "stratonovich", bm.theory.stratonovich, or nil for the exact one, as a name.
local function name_of(subject, which)
  if which == nil then return "auto" end
  if names[which] then return names[which] end
  if type(which) ~= "string" then
    errors.raise("%s: theory must be one of bm.theory, or its name, got %s", subject, errors.type(which))
  end
  errors.not_null(C.bm_theory_quantities(which))
  return which
end

-- The parameters of a model among a result's columns, swept together.
local function axis_of(made, r)
  local own, columns = { force = true, mass = true, gamma = true }, {}
  for _, name in ipairs(r:columns()) do
    local part = name:match "^([%w_]+)%.[%w_]+$"
    local swept = (own[name] or (part and made.names[part])) and not made.functions[name]
    if swept then columns[#columns + 1] = { name, r:column(name) } end
  end
  return #columns > 0 and require("bmsim.sweep").zip(columns) or nil
end

--- What a theory gives for a model over a sweep, as bm.run takes it, or over the points of a result: a table of
--- columns, the swept ones and one for each quantity of the theory. which: as r:compare takes it.
function theory.curve(made, sweep, which)
  if not model.is(made) then
    errors.raise("theory.curve: model must be made by bm.overdamped or bm.underdamped, got %s", errors.type(made))
  end
  if require("bmsim.result").is(sweep) then sweep = axis_of(made, sweep) end
  local columns, _, count = at_points(made, sweep, name_of("theory.curve", which))
  columns.points = count
  return columns
end

-- What r:compare needs: columns by quantity, and the quantities in order. Those that are nan everywhere are left out.
local function of_result(handle, count, which, from)
  local name = name_of("result: compare", which)
  local columns, list = collect(name, count, function(raw)
    return C.bm_theory_result(handle, name, from or nan, raw)
  end)
  local known = {}
  for _, quantity in ipairs(list) do
    for i = 1, count do
      if columns[quantity][i] == columns[quantity][i] then
        known[#known + 1] = quantity
        break
      end
    end
  end
  return columns, known
end

return {
  public = errors.strict("bm.theory", theory),
  of_result = of_result,
  is = function(f) return names[f] ~= nil end,
}
