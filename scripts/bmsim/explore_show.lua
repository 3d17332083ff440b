-- bm.show(model, { time =, range =, paths = }): under `bmsim explore` a panel with the potential, tilted and modulated
-- as it is, and particles that move in it; of a system of two variables the plane, with the density of their places. In
-- an ordinary run nothing.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local host = require "bmsim.host"
local json = require "bmsim.json"
local model = require "bmsim.model"
local panels = require "bmsim.explore_panels"
local points = require "bmsim.points"

local frames, places, phases, bins = 600, 400, 60, 80
local default_periods, default_time = 40, 10 -- of a model without a time scale
local known = { "time", "range", "paths" }

local function check(made, fields)
  if not model.is(made) then
    errors.raise("show: must be given a model, made by bm.overdamped, bm.underdamped or bm.system, got %s",
      errors.type(made))
  end
  errors.check_fields("show", fields, known)
  for name, value in pairs(fields) do
    if name ~= "range" then errors.check_number("show: " .. name, value) end
  end
  if fields.range ~= nil and (type(fields.range) ~= "table" or #fields.range ~= 2) then
    errors.raise "show: range must be { from, to }"
  end
end

-- Places of the particles at the frames, between 0 and 65535 from `low` to `high`; 0 to 65534, 65535: none.
local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local function base64(bytes, count)
  local out, letters = {}, {}
  for i = 1, 64 do letters[i - 1] = digits:sub(i, i) end
  for i = 0, count - 1, 3 do
    local a, b, c = bytes[i], i + 1 < count and bytes[i + 1] or 0, i + 2 < count and bytes[i + 2] or 0
    local n = a * 65536 + b * 256 + c
    out[#out + 1] = letters[math.floor(n / 262144)]
    out[#out + 1] = letters[math.floor(n / 4096) % 64]
    out[#out + 1] = i + 1 < count and letters[math.floor(n / 64) % 64] or "="
    out[#out + 1] = i + 2 < count and letters[n % 64] or "="
  end
  return table.concat(out)
end

local function packed(values, low, high)
  local count = #values
  local numbers = ffi.new("uint16_t[?]", count)
  for i = 1, count do
    local value = values[i]
    numbers[i - 1] = value == value and math.floor((value - low) / (high - low) * 65534 + 0.5) or 65535
  end
  return { from = low, to = high, data = base64(ffi.cast("uint8_t*", numbers), 2 * count) }
end

local function ends(values)
  local low, high = math.huge, -math.huge
  for _, value in ipairs(values) do
    if value == value then low, high = math.min(low, value), math.max(high, value) end
  end
  if low > high then return 0, 1 end
  if low == high then return low - 0.5, high + 0.5 end
  return low, high
end

-- All but one in a hundred on either side, and some room.
local function most_of(values)
  local sorted = {}
  for i = 1, #values, 7 do
    if values[i] == values[i] then sorted[#sorted + 1] = values[i] end
  end
  if #sorted == 0 then return -1, 1 end
  table.sort(sorted)
  local low, high = sorted[math.ceil(0.01 * #sorted)], sorted[math.ceil(0.99 * #sorted)]
  local room = 0.15 * (high - low) + 1e-9 + (high == low and 1 or 0)
  return low - room, high + room
end

local function recorded(made, fields)
  local run, count = require "bmsim.run", fields.paths or 200
  local function record(time)
    return run({ model = made, paths = count, periods = time == nil and default_periods or nil, time = time,
      transient = 0, device = "cpu", check_step = false, check_transient = false,
      observe = require("bmsim.observables").paths { paths = count, count = frames } }, true)
  end
  if fields.time then return record(fields.time), count end
  local ok, r = pcall(record)
  if ok then return r, count end
  if type(r) ~= "string" or not r:find("time scale", 1, true) then error(r, 0) end
  return record(default_time), count
end

-- V at `places` points from low to high, at each phase of the drives; one row where nothing changes.
local function potential(made, low, high, time)
  local run = ffi.gc(errors.not_null(C.bm_run_new(nil, made.handle)), C.bm_run_free)
  points.functions(run, made, points.sweep(run, nil), {}, {})
  local xs, raw, tilt = ffi.new("double[?]", places + 1), ffi.new("double[?]", places + 1), ffi.new "double[3]"
  for i = 0, places do xs[i] = low + (high - low) * i / places end
  local rows, same = json.list {}, true
  for k = 0, phases - 1 do
    local t = time * k / phases
    errors.check(C.bm_run_energy(run, 0, t, xs, places + 1, raw))
    errors.check(C.bm_run_tilt(run, 0, t, tilt, tilt + 1, tilt + 2))
    local force, factor, constant = tilt[1], tilt[2], made.given.force or 0
    local row = json.list {}
    for i = 0, places do
      local V = (raw[i] + constant * xs[i]) * factor - (constant + force) * xs[i]
      row[i + 1] = tonumber(("%.5g"):format(V)) -- for the eye
      same = same and (k == 0 or row[i + 1] == rows[1][i + 1])
    end
    rows[k + 1] = row
  end
  return same and json.list { rows[1] } or rows
end

local function period_of(made)
  local run = ffi.gc(errors.not_null(C.bm_run_new(nil, made.handle)), C.bm_run_free)
  points.functions(run, made, points.sweep(run, nil), {}, {})
  local period = ffi.new "double[1]"
  errors.check(C.bm_run_tilt(run, 0, 0, period, nil, nil))
  return period[0]
end

-- The values of an array, path after path.
local function flat(r, name) return r:array(name).values[1] end

local function of_one(made, fields)
  local r, count = recorded(made, fields)
  local xs, times = flat(r, "paths_x"), flat(r, "paths_time")
  local period = period_of(made)
  local low, high
  if fields.range then
    low, high = fields.range[1], fields.range[2]
  elseif period > 0 then
    low, high = -1.5 * period, 1.5 * period
  else
    low, high = most_of(xs)
  end
  if period > 0 and not fields.range then -- back by whole widths of the panel, so that steps keep their size
    local width = high - low
    for i, x in ipairs(xs) do xs[i] = x - low - width * math.floor((x - low) / width) + low end
  end
  local duration = times[#times]
  local energies = potential(made, low, high, duration)
  return { kind = "motion", variables = json.list { "x" }, count = count, frames = frames, duration = duration,
           period = period, from = low, to = high, energies = energies, x = packed(xs, ends(xs)),
           wraps = period > 0 and not fields.range }
end

-- How often a place of the plane was visited, as a share of the most visited one.
local function density(xs, ys, x_low, x_high, y_low, y_high)
  local counts, most = {}, 1
  for i = 1, bins * bins do counts[i] = 0 end
  for i = 1, #xs do
    local a = math.floor((xs[i] - x_low) / (x_high - x_low) * bins)
    local b = math.floor((ys[i] - y_low) / (y_high - y_low) * bins)
    if a >= 0 and a < bins and b >= 0 and b < bins then
      local k = b * bins + a + 1
      counts[k] = counts[k] + 1
      most = math.max(most, counts[k])
    end
  end
  local list = json.list {}
  for i, n in ipairs(counts) do list[i] = math.floor(n / most * 1000) / 1000 end
  return list
end

local function of_two(made, fields)
  local r, count = recorded(made, fields)
  local a, b = made.variables[1], made.variables[2] or "v_" .. made.variables[1]
  local xs, ys, times = flat(r, "paths_" .. a), flat(r, "paths_" .. b), flat(r, "paths_time")
  local x_low, x_high = most_of(xs)
  local y_low, y_high = most_of(ys)
  return { kind = "motion", variables = json.list { a, b }, count = count, frames = frames,
           duration = times[#times], from = x_low, to = x_high, y_from = y_low, y_to = y_high, bins = bins,
           density = density(xs, ys, x_low, x_high, y_low, y_high), x = packed(xs, ends(xs)), y = packed(ys, ends(ys)) }
end

local shown = 0

return function(made, fields)
  fields = fields or {}
  check(made, fields)
  if not host.explore then return end
  shown = shown + 1
  local key = ("%d/%d"):format(host.explore.round, shown)
  panels.motion { kind = "motion", key = key }
  if host.explore.remembers(key) then return end
  if not made.system then
    host.explore.remember(key, json.text(of_one(made, fields)))
  elseif #made.variables <= 2 then
    host.explore.remember(key, json.text(of_two(made, fields)))
  else
    errors.raise("show: shows models of one or two variables, this one has %d", #made.variables)
  end
end
