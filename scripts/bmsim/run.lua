-- Runs: bm.run { model =, sweep =, paths =, ... } -> a result. What is not given keeps the C API's defaults.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local explore = require "bmsim.explore"
local host = require "bmsim.host"
local model = require "bmsim.model"
local observables = require "bmsim.observables"
local points = require "bmsim.points"
local result = require "bmsim.result"
local show = require "bmsim.show"
local show_model = require "bmsim.show_model"
local options = require("bmsim.words").options

local known = { "model", "sweep", "observe", "initial", "target", "tolerance" }
for i, option in ipairs(options) do known[6 + i] = option.name end

local function set_flag(run, name, value)
  if type(value) ~= "boolean" then errors.raise("run: %s must be true or false, got %s", name, errors.type(value)) end
  errors.check(C.bm_run_set_number(run, name, value and 1 or 0))
end
local function set_text(run, name, value)
  if type(value) ~= "string" then errors.raise("run: %s must be a string, got %s", name, errors.type(value)) end
  errors.check(C.bm_run_set_text(run, name, value))
end

-- Sets an option that is no function.
local function set_option(run, option, value)
  if option.type == "text" or (option.takes_words and type(value) == "string") then
    set_text(run, option.name, value)
  elseif option.type == "flag" then
    set_flag(run, option.name, value)
  elseif type(value) ~= "number" then
    errors.raise("run: %s must be a number, got %s", option.name, errors.got(value))
  else
    errors.check(C.bm_run_set_number(run, option.name, value))
  end
end

-- Sets options; returns the numbers given and the functions that stand for numbers.
local function set_options(run, fields)
  local given, functions = {}, {}
  for _, option in ipairs(options) do
    local name, value = option.name, fields[option.name]
    if type(value) == "function" and option.per_point then
      functions[name] = value
    elseif value ~= nil and not (name == "chunk" and value == "auto") then
      set_option(run, option, value)
      if type(value) == "number" then given[name] = value end
    end
  end
  return given, functions
end

-- initial = { x = 0 | { mean =, sd = } | { from =, to = } | { from =, to =, count = }, v = likewise,
--             phase = "uniform" }
local function set_start(run, variable, law)
  local subject = "run: initial " .. variable
  if type(law) == "number" then law = { mean = law, sd = 0 } end
  local forms = "{ mean =, sd = }, or { from =, to = } with or without count ="
  if errors.type(law) ~= "table" then
    local word = variable:find "^v_?" and "maxwell" or "uniform"
    errors.raise('%s must be a number, "%s", %s, got %s', subject, word, forms, errors.got(law))
  end
  errors.check_fields(subject, law, { "mean", "sd", "from", "to", "count" })
  for _, key in ipairs(errors.sorted_keys(law)) do errors.check_number(subject .. ": " .. key, law[key]) end
  if law.mean ~= nil and law.from == nil and law.to == nil and law.count == nil then
    if law.sd ~= nil and law.sd < 0 then errors.raise("%s: sd must be >= 0, got %g", subject, law.sd) end
    errors.check(C.bm_run_set_start(run, variable, law.mean, 0, law.sd or 0, 0))
  elseif law.from ~= nil and law.to ~= nil and law.mean == nil and law.sd == nil then
    if law.to < law.from then errors.raise("%s: to must be >= from = %g, got %g", subject, law.from, law.to) end
    if law.count ~= nil and law.count < 1 then errors.raise("%s: count must be >= 1, got %g", subject, law.count) end
    errors.check(C.bm_run_set_start(run, variable, (law.from + law.to) / 2, law.to - law.from, 0, law.count or 0))
  else
    errors.raise("%s: give a number, %s", subject, forms)
  end
end

-- Where a variable is called phase, initial.phase is its law; a word that drives have, too, is neither's.
local function phase_of_drives(m, law)
  local is_variable, has_drives = false, false
  for _, name in ipairs(m.variables) do is_variable = is_variable or name == "phase" end
  for _, one in ipairs(m.parts) do has_drives = has_drives or one.part.kind == "drive" end
  if is_variable and has_drives and type(law) == "string" then
    errors.raise("run: initial phase: '%s' may be of the drives or of the variable phase; give the variable another "
      .. "name", law)
  end
  return not is_variable
end

-- Laws with names: x = "uniform" over a period, v = "maxwell", phase = "fixed". The latter two are the defaults.
local function set_initial(run, m, field)
  if field == nil then return end
  errors.check_fields("run: initial", field, m.starts)
  for _, name in ipairs(m.starts) do
    local law, velocity = field[name], name:match "^v_?"
    if law ~= nil and name == "phase" and phase_of_drives(m, law) then
      errors.check(C.bm_run_set_text(run, "phase", tostring(law)))
    elseif law == "uniform" and not velocity then
      errors.check(C.bm_run_set_uniform_start(run, name))
    elseif law ~= nil and not (law == "maxwell" and velocity) then
      set_start(run, name, law)
    end
  end
end

-- target, tolerance = { velocity = { rel = 0.01 }, diffusion = { abs = 0.1 } }
local function set_errors(run, option, field)
  if field == nil then return end
  if errors.type(field) ~= "table" then
    errors.raise("run: %s must be a table of columns, got %s", option, errors.type(field))
  end
  if next(field) == nil then
    errors.raise("run: %s must not be empty: give a column, as in { velocity = { rel = 0.01 } }, or leave it out",
      option)
  end
  for _, column in ipairs(errors.sorted_keys(field)) do
    local target, subject = field[column], "run: " .. option .. ": " .. tostring(column)
    errors.check_fields(subject, target, { "rel", "abs" })
    for _, key in ipairs(errors.sorted_keys(target)) do
      if errors.check_number(subject .. ": " .. key, target[key]) <= 0 then
        errors.raise("%s: %s must be > 0, got %g", subject, key, target[key])
      end
    end
    errors.check(C["bm_run_" .. option](run, tostring(column), target.rel or 0, target.abs or 0))
  end
end

local function observe(run, field)
  if field == nil then return end
  local list = type(field) == "table" and not observables.is(field) and field or { field }
  errors.check_list("run: observe", list)
  for _, one in ipairs(list) do
    if type(one) == "string" then one = observables[one] {} end
    if not observables.is(one) then
      errors.raise("run: observe must be names of observables, or made by bm.observe, got %s", errors.type(one))
    end
    observables.add(run, one)
  end
end

local function build(fields, session)
  local m = fields.model
  session = session or ffi.cast("bm_session*", host.session)
  local run = ffi.gc(errors.not_null(C.bm_run_new(session, m.handle)), C.bm_run_free)
  local axes = points.sweep(run, fields.sweep)
  observe(run, fields.observe)
  set_initial(run, m, fields.initial)
  set_errors(run, "target", fields.target)
  set_errors(run, "tolerance", fields.tolerance)
  local given, functions = set_options(run, fields)
  if fields.kernel_paths then errors.check(C.bm_run_set_number(run, "kernel_paths", fields.kernel_paths)) end
  if host.script then errors.check(C.bm_run_set_text(run, "script", host.script)) end
  points.functions(run, m, axes, functions, given)
  return run
end

-- The same run at other points, of which only the parameters are known: a function of a sweep that gives a result's
-- handle. Nothing is measured, said or written.
local function elsewhere(fields)
  local kept = { model = fields.model, device = "cpu", initial = fields.initial }
  for _, option in ipairs(options) do
    if option.per_point then kept[option.name] = fields[option.name] end
  end
  for _, law in pairs(fields.initial or {}) do
    if type(law) == "table" and law.count ~= nil then kept.paths = fields.paths end -- of a grid
  end
  return function(axes)
    kept.sweep = axes
    local session = ffi.gc(errors.not_null(C.bm_session_new()), C.bm_session_free)
    local run = build(kept, session)
    return ffi.gc(errors.not_null(C.bm_run_dry(run)), C.bm_result_free)
  end
end

-- What the device made of the run, for --verbose.
local function report(info)
  for _, key in ipairs { "device", "no_gpu", "plan_seconds", "kernel", "kernel_source", "kernel_cached",
                         "compile_seconds" } do
    if info[key] ~= nil then io.stderr:write(("bmsim: %-16s %s\n"):format(key, tostring(info[key]))) end
  end
end

-- whole: with all its paths in every pass of `bmsim explore`, whatever its results are for.
local function execute(fields, whole)
  errors.check_fields("run", fields, known)
  if not model.is(fields.model) then
    errors.raise("run: model must be made by bm.overdamped, bm.underdamped or bm.system, got %s",
      errors.type(fields.model))
  end
  host.check_interrupt()
  local asked, fewer = fields, false
  if host.explore and not whole then fields, fewer = explore.of_this_pass(fields) end
  local run = build(fields)
  if host.dry_run then io.write((ffi.string(errors.not_null(C.bm_run_plan(run))):gsub("\n*$", "\n"))) end
  local handle = (host.dry_run and C.bm_run_dry or C.bm_run_execute)(run)
  if handle == nil and fewer and C.bm_last_status() == C.BM_ERROR then -- what it measures may need more paths
    fields, fewer = asked, false
    run = build(fields)
    handle = C.bm_run_execute(run)
  end
  errors.not_null(handle)
  if host.explore then host.check_interrupt() end -- nobody wants a part of it any more
  local made, info = result.new(handle, fields.model.names, { dry = host.dry_run, in_file = fields.output ~= nil,
    model = show_model.name(fields.model), sweep = fields.sweep, elsewhere = elsewhere(fields) })
  if host.verbose and not host.dry_run then report(info) end
  if fewer then explore.made_fewer(fields, made) end
  if host.explore and not fewer and not whole then explore.warn(info.warnings) end
  return made
end

return show.takes(execute, known)
