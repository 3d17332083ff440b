-- bm.show(model, { time =, range =, paths = }): under `bmsim explore` a panel with the potential, tilted and modulated
-- as it is, and particles that move in it; of a system of two variables the plane, with the density of their places. In
-- an ordinary run nothing. The motion is recorded when the curves of the script are on the page, and then part by part
-- while somebody looks.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local host = require "bmsim.host"
local json = require "bmsim.json"
local model = require "bmsim.model"
local observables = require "bmsim.observables"
local panels = require "bmsim.explore_panels"
local points = require "bmsim.points"

local frames, places, phases, bins = 600, 400, 60, 80 -- of a part of the motion; of V; of the plane
local default_periods, default_time = 40, 10 -- of a model without a time scale
local lasts, lead = 20, 6 -- seconds of a part on the page (see `rate` in motion.js), and of the next one before its end
local most_parts = 8 -- of the same particles: the longer they have moved, the longer the next part takes to make
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

-- Records the motion part by part. A part is a run from the beginning, whose end is kept: the same seed gives the same
-- paths, so that it goes on where the part before has ended. The whole run is recorded, in double precision, since a
-- path depends on the times at which it is recorded, if little.
local function recorder(made, fields)
  local run, count = require "bmsim.run", fields.paths or 200
  local first -- of part 0
  local function record(time, seed, times)
    local options = { model = made, paths = count, seed = seed, periods = time == nil and default_periods or nil,
      time = time, transient = 0, device = "cpu", precision = "double", check_step = false, check_transient = false,
      observe = observables.paths { paths = count, count = not times and frames or nil, times = times } }
    if first then
      options.dt, options.method = first.dt, first.method
      if first.increments ~= "none" then options.increments = first.increments end
    end
    return run(options, true)
  end
  local function begin()
    if fields.time then return record(fields.time) end
    local ok, r = pcall(record)
    if ok then return r end
    if type(r) ~= "string" or not r:find("time scale", 1, true) then error(r, 0) end
    return record(default_time)
  end
  -- The last frames of an array, path after path.
  local function last_of(r, name)
    local all, kept = r:array(name).values[1], {}
    local of_path = #all / count
    for p = 1, count do
      for k = of_path - frames + 1, of_path do kept[#kept + 1] = all[(p - 1) * of_path + k] end
    end
    return kept
  end
  --- A part, and part 0: { from =, duration =, values(name) = frames of a variable, path after path }.
  return function(part)
    if not first then
      local r = begin()
      local times = r:array("paths_time").values[1]
      first = { from = 0, duration = times[#times], dt = r:column("dt")[1], method = r.info.method,
                increments = r.info.increments, values = function(name) return last_of(r, name) end }
    end
    if part == 0 then return first, first end
    local number, seed = part % most_parts, 1 + math.floor(part / most_parts)
    local times, from = {}, number * first.duration
    for i = 0, (number + 1) * (frames - 1) do times[i + 1] = first.duration * i / (frames - 1) end
    local r = record(from + first.duration, seed, times)
    return { from = from, duration = first.duration, values = function(name) return last_of(r, name) end }, first
  end, count
end

-- The model at its values, for bm_run_energy and what goes with it.
local function at_values(made)
  local run = ffi.gc(errors.not_null(C.bm_run_new(nil, made.handle)), C.bm_run_free)
  points.functions(run, made, points.sweep(run, nil), {}, {})
  return run
end

local function period_of(run)
  local period = ffi.new "double[1]"
  errors.check(C.bm_run_tilt(run, 0, 0, period, nil, nil))
  return period[0]
end

-- What noises that modulate the potential add to its factor, on average and in each of their states.
local function levels_of(run)
  local most = 16
  local mean, levels, count = ffi.new "double[1]", ffi.new("double[?]", most), ffi.new "size_t[1]"
  errors.check(C.bm_run_noise_levels(run, 0, mean, levels, most, count))
  local list = json.list {}
  for i = 1, math.min(most, tonumber(count[0])) do list[i] = levels[i - 1] end
  return list, mean[0]
end

local function equal(a, b)
  for i = 1, #a do
    if a[i] ~= b[i] then return false end
  end
  return true
end

-- One row where nothing changes.
local function fewest(rows)
  for i = 2, #rows do
    if not equal(rows[1], rows[i]) then return rows end
  end
  return json.list { rows[1] }
end

-- V at `places` points from low to high, at phases of the time from `from` on, averaged over noises that modulate it;
-- and for each value of these how it differs.
local function potential(run, constant, low, high, from, duration)
  local xs, raw, tilt = ffi.new("double[?]", places + 1), ffi.new("double[?]", places + 1), ffi.new "double[3]"
  for i = 0, places do xs[i] = low + (high - low) * i / places end
  local levels, mean = levels_of(run)
  local average, modulated = json.list {}, json.list {}
  for k = 1, phases do
    local t = from + duration * (k - 1) / phases
    errors.check(C.bm_run_energy(run, 0, t, xs, places + 1, raw))
    errors.check(C.bm_run_tilt(run, 0, t, tilt, tilt + 1, tilt + 2))
    local row, factor = json.list {}, json.list {}
    for i = 0, places do
      local V = raw[i] + constant * xs[i]
      row[i + 1] = tonumber(("%.5g"):format(V * (tilt[2] + mean) - (constant + tilt[1]) * xs[i])) -- for the eye
      factor[i + 1] = tonumber(("%.5g"):format(V))
    end
    average[k], modulated[k] = row, factor
  end
  for i, level in ipairs(levels) do levels[i] = level - mean end
  if #levels == 0 then return fewest(average) end
  return fewest(average), levels, fewest(modulated)
end

local function of_one(made, fields)
  local record, count = recorder(made, fields)
  local run = at_values(made)
  local period = period_of(run)
  local low, high
  if fields.range then
    low, high = fields.range[1], fields.range[2]
  elseif period > 0 then
    low, high = -1.5 * period, 1.5 * period
  end
  return function(part)
    local one, first = record(part)
    local xs = one.values "paths_x"
    if not low then low, high = most_of(first.values "paths_x") end
    if period > 0 and not fields.range then -- into the panel, by whole widths of it
      local width = high - low
      for i, x in ipairs(xs) do xs[i] = x - width * math.floor((x - low) / width) end
    end
    local energies, levels, modulated = potential(run, made.given.force or 0, low, high, one.from, one.duration)
    return { variables = json.list { "x" }, count = count, frames = frames, begin = one.from, duration = one.duration,
             from = low, to = high, energies = energies, levels = levels, modulated = modulated,
             x = packed(xs, ends(xs)), wraps = period > 0 and not fields.range }
  end
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
  local record, count = recorder(made, fields)
  local a, b = made.variables[1], made.variables[2] or "v_" .. made.variables[1]
  local x_low, x_high, y_low, y_high
  return function(part)
    local one, first = record(part)
    local xs, ys = one.values("paths_" .. a), one.values("paths_" .. b)
    if not x_low then
      x_low, x_high = most_of(first.values("paths_" .. a))
      y_low, y_high = most_of(first.values("paths_" .. b))
    end
    return { variables = json.list { a, b }, count = count, frames = frames, begin = one.from,
             duration = one.duration, from = x_low, to = x_high, y_from = y_low, y_to = y_high, bins = bins,
             density = density(xs, ys, x_low, x_high, y_low, y_high),
             x = packed(xs, ends(xs)), y = packed(ys, ends(ys)) }
  end
end

return function(made, fields)
  fields = fields or {}
  check(made, fields)
  if not host.explore then return end
  if made.system and #made.variables > 2 then
    errors.raise("show: shows models of one or two variables, this one has %d", #made.variables)
  end
  local make, where, record = made.system and of_two or of_one, errors.location(), nil
  panels.motion(function(part)
    record = record or make(made, fields)
    local ok, motion = pcall(record, part)
    if not ok then error(where .. "show: " .. tostring(motion), 0) end
    return motion, part == 0 and lasts - lead or lasts
  end)
end
