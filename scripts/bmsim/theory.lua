-- Exact results: bm.theory.NAME { ... } at one point, bm.theory.curve over a sweep, and r:compare, which adds them to a
-- result. The numbers come from the library, for models: what a function is given besides a model makes one.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local component = require "bmsim.component"
local errors = require "bmsim.errors"
local host = require "bmsim.host"
local model = require "bmsim.model"
local points = require "bmsim.points"

local theory = {}
local names = {} -- function -> name of its theory
local nan = 0 / 0
local noise, potential = component.kind "noise", component.kind "potential"

-- Calls write(values) for an array of `count` points; returns quantity -> its array, and the quantities in order.
-- quantities: their names, as C gives them.
local function collect(quantities, count, write)
  local list = {}
  for word in ffi.string(errors.not_null(quantities)):gmatch "%S+" do list[#list + 1] = word end
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

-- A run of a model over a sweep, which is not started, and its axes.
local function run_of(made, sweep)
  local run = ffi.gc(errors.not_null(C.bm_run_new(ffi.cast("bm_session*", host.session), made.handle)), C.bm_run_free)
  local axes = points.sweep(run, sweep)
  points.functions(run, made, axes, {}, {})
  return run, axes
end

-- The same for a model at the points of a sweep, and the swept columns too; the quantities in order; and the number of
-- points.
local function at_points(made, sweep, name, from)
  local run, axes = run_of(made, sweep)
  local swept, count = points.columns(run, axes)
  local columns, list = collect(C.bm_theory_run_quantities(run, name), count, function(raw)
    return C.bm_theory_run(run, name, from or nan, raw)
  end)
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

local function check_model(subject, made)
  if model.is(made) then return end
  errors.raise("%s: model must be made by bm.overdamped, bm.underdamped or bm.system, got %s", subject,
    errors.type(made))
end

-- give: what the function returns of the model; by default the values of its quantities.
local function define(name, build, give)
  local subject = "theory." .. name
  local function call(fields)
    errors.check_table(subject, fields, "named fields")
    local made = fields.model
    if made == nil then
      made = build(subject, fields)
    else
      errors.check_fields(subject, fields, { "model", "from" })
      check_model(subject, made)
    end
    if fields.from ~= nil then errors.check_number(subject .. ": from", fields.from) end
    if give then return give(subject, made) end
    local columns, list = at_points(made, nil, name, fields.from)
    local values = {}
    for i, quantity in ipairs(list) do values[i] = columns[quantity][1] end
    return unpack(values)
  end
  theory[name], names[call] = call, name
end

-- { x = { x = at("x", "x"), y = at("x", "y") }, y = ... }
local function matrix(list, at)
  local made = {}
  for _, a in ipairs(list) do
    made[a] = {}
    for _, b in ipairs(list) do made[a][b] = at(a, b) end
  end
  return made
end

-- The stationary law of a linear model: numbers by the names of variables and velocities, and functions.
local function stationary(subject, made)
  local run = run_of(made)
  local linear = ffi.gc(errors.not_null(C.bm_linear_new(run)), C.bm_linear_free)
  local states, place = {}, {}
  while C.bm_linear_state(linear, #states) ~= nil do
    states[#states + 1] = ffi.string(C.bm_linear_state(linear, #states))
    place[states[#states]] = #states - 1
  end
  local columns = at_points(made, nil, "linear")
  local function value(...)
    local column = columns[table.concat({ ... }, "_")]
    return column and column[1]
  end
  local function pair(quantity)
    return function(a, b) return value(quantity, a, b) or value(quantity, b, a) end
  end
  local law = { mean = {}, velocity = {}, covariance = matrix(states, pair "covariance") }
  for _, name in ipairs(states) do law.mean[name] = value("mean", name) end
  for _, name in ipairs(made.variables) do
    law.velocity[name] = made.system and value("velocity", name) or value "velocity"
  end
  law.diffusion = matrix(made.variables, function(a, b)
    if a ~= b then return pair "diffusion"(a, b) end
    return made.system and value("diffusion", a) or value "diffusion"
  end)

  local n = #states
  local function at(what, write, symbol, x, length, ...)
    local own = ("%s: %s"):format(subject, what)
    errors.check_number(("%s: %s"):format(own, symbol), x)
    for i = 1, length do errors.check_key(own, (select(i, ...)), states) end
    local raw = ffi.new("double[?]", n ^ length)
    errors.check(write(linear, x, raw))
    local index = 0
    for i = 1, length do index = index * n + place[(select(i, ...))] end
    return raw[index]
  end
  function law.correlation(t, a, b)
    return at("correlation", C.bm_linear_correlation, "t", t, 2, a, b == nil and a or b)
  end
  function law.spectrum(f, a) return at("spectrum", C.bm_linear_spectrum, "f", f, 1, a) end
  return law
end

define("poisson_velocity", in_pieces "poisson")
define("dichotomous_velocity", in_pieces "dichotomous")
define("stratonovich", thermal { "potential", "D", "force" })
define("lifson_jackson", thermal { "potential", "D" })
define("kramers", well)
define("master", of_model)
define("inertial", of_model)
define("linear", of_model, stationary)
define("torus", of_model)

-- ---- over a sweep ----

-- "stratonovich", bm.theory.stratonovich, or nil for the exact one, as a name.
local function name_of(subject, which)
  if which == nil then return "auto" end
  if names[which] then return names[which] end
  if type(which) ~= "string" then
    errors.raise("%s: theory must be one of bm.theory, or its name, got %s", subject, errors.type(which))
  end
  return which
end

-- The parameters of a model among a result's columns, swept together.
local function axis_of(made, r)
  local own, columns = { force = true, mass = true, gamma = true }, {}
  for _, name in ipairs(r:columns()) do
    local part = name:match "^([%w_.]+)%.[%w_]+$"
    local is_own = own[name] or made.given[name] ~= nil or (part and made.names[part])
    local swept = is_own and not made.functions[name]
    if swept then columns[#columns + 1] = { name, r:column(name) } end
  end
  return #columns > 0 and require("bmsim.sweep").zip(columns) or nil
end

--- What a theory gives for a model over a sweep, as bm.run takes it, or over the points of a result: a table of
--- columns, the swept ones and one for each quantity of the theory. which: as r:compare takes it.
function theory.curve(made, sweep, which)
  check_model("theory.curve", made)
  if require("bmsim.result").is(sweep) then sweep = axis_of(made, sweep) end
  local columns, _, count = at_points(made, sweep, name_of("theory.curve", which))
  columns.points = count
  return columns
end

-- What r:compare needs: columns by quantity, and the quantities in order. Those that are nan everywhere are left out.
local function of_result(handle, count, which, from)
  local name = name_of("result: compare", which)
  local columns, list = collect(C.bm_theory_result_quantities(handle, name), count, function(raw)
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
