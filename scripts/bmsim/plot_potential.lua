-- bm.plot(model, { xrange = { -1, 1 }, sweep = { "force", { 0, 1 } }, file = }): the potential of a model of one
-- variable as its constant force tilts it, V(x) - force x, a curve for each point of the sweep; and, with path, the
-- places where a recorded path was.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local host = require "bmsim.host"
local options = require "bmsim.plot_options"
local points = require "bmsim.points"
local table_of = require "bmsim.plot_table"

local places = 600 -- parts of a curve
local own = { "sweep", "time", "path" }
local known = { "xrange", "sweep", "time", "path", "yrange", "title", "xlabel", "ylabel", "legend", "log", "size",
                "font", "units", "equal", "inset", "file" }
local is_known = {}
for _, name in ipairs(known) do is_known[name] = true end

local function read_time(subject, fields)
  if fields.time == nil then return 0 end
  return errors.check_number(subject .. ": time", fields.time)
end

-- Places between the ends of xrange.
local function places_of(subject, fields)
  local range = fields.xrange
  if type(range) ~= "table" or #range ~= 2 then
    errors.raise("%s: xrange is missing: the places { from, to } between which V is drawn", subject)
  end
  local from = errors.check_number(subject .. ": xrange", range[1])
  local to = errors.check_number(subject .. ": xrange", range[2])
  local xs = {}
  for i = 0, places do xs[i + 1] = from + (to - from) * i / places end
  return xs
end

-- V at these places of a point, from 0.
local function energies(run, point, time, xs)
  local raw = ffi.new("double[?]", #xs)
  errors.check(C.bm_run_energy(run, point, time, ffi.new("double[?]", #xs, xs), #xs, raw))
  local values = {}
  for i = 1, #xs do values[i] = raw[i - 1] end
  return values
end

-- The places of the first recorded path of a result, as many as lie within the range.
local function path_of(subject, path, range)
  local result = require "bmsim.result"
  if not result.is(path) then errors.raise("%s: path must be a result, got %s", subject, errors.type(path)) end
  local array = path:array "paths_x"
  local last, xs = array.shape[#array.shape], {}
  for i = 1, last do
    local x = array.values[1][i]
    if x >= range[1] and x <= range[2] then xs[#xs + 1] = x end
  end
  return xs
end

local function check_fields(subject, fields)
  for _, name in ipairs(options.known) do
    if fields[name] ~= nil and not is_known[name] then
      errors.raise("%s: the plot of a model's potential has no %s", subject, name)
    end
  end
  errors.check_fields(subject, fields, known)
end

-- Whether a force tilts it at some point.
local function is_tilted(model, swept)
  return model.functions.force ~= nil or swept.force ~= nil or (model.given.force or 0) ~= 0
end

-- A result that knows the symbols of the swept parameters; its step is of no importance.
local function named(run)
  errors.check(C.bm_run_set_text(run, "device", "cpu"))
  for _, name in ipairs { "dt", "time" } do errors.check(C.bm_run_set_number(run, name, 1)) end
  return ffi.gc(errors.not_null(C.bm_run_dry(run)), C.bm_result_free)
end

--- What plot.lua is shown of a model, and the fields that draw it.
return function(subject, model, fields)
  check_fields(subject, fields)
  local time, xs, rest = read_time(subject, fields), places_of(subject, fields), {}
  for key, value in pairs(fields) do rest[key] = value end
  for _, name in ipairs(own) do rest[name] = nil end
  local silent = ffi.gc(errors.not_null(C.bm_session_new()), C.bm_session_free)
  local run = ffi.gc(errors.not_null(C.bm_run_new(silent, model.handle)), C.bm_run_free)
  local axes = points.sweep(run, fields.sweep)
  points.functions(run, model, axes, {}, {})
  local swept, count = points.columns(run, axes)
  local columns, names = { x = {}, V = {} }, errors.sorted_keys(swept)
  for _, name in ipairs(names) do columns[name] = {} end
  for point = 0, count - 1 do
    for i, V in ipairs(energies(run, point, time, xs)) do
      columns.x[#columns.x + 1], columns.V[#columns.V + 1] = xs[i], V
      for _, name in ipairs(names) do table.insert(columns[name], swept[name][point + 1]) end
    end
  end
  local source = table_of(columns)
  source.property = function(name, key)
    if not swept[name] then return ({ symbol = name, unit = "", role = "parameter" })[key] end
    source.named = source.named or named(run)
    return ffi.string(errors.not_null(C.bm_result_column_property(source.named, name, key)))
  end
  local path = fields.path ~= nil and not host.dry_run and path_of(subject, fields.path, fields.xrange)
  source.finish = function(picture)
    for _, curve in ipairs(picture.curves) do curve.marker = nil end
    if path and #path > 0 then
      table.insert(picture.curves, { x = path, y = energies(run, 0, time, path), line = false, marker = 6,
                                     colour = "#000000" })
    end
  end
  rest.x, rest.y, rest.group, rest.lines = "x", "V", #names > 0 and names or nil, true
  local tilt = is_tilted(model, swept) and " − {/:Italic f x}" or ""
  rest.ylabel = rest.ylabel or "{/:Italic V}({/:Italic x})" .. tilt
  return source, rest
end
