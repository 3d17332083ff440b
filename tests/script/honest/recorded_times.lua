-- Times at which paths are to be recorded are ends of default steps where that costs little: beside an event half a
-- step is a large part of what is recorded.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local trap = { potential = bm.potential.harmonic { k = 1.3 }, noise = gaussian { D = 1 } }

local function run(model, times, fields)
  local options = { model = model, paths = 4096, initial = { x = 0 }, time = times[#times] + 0.037,
                    observe = bm.observe.moments { times = times } }
  for key, value in pairs(fields or {}) do options[key] = value end
  return bm.run(options)
end
local function hits(what, model, times, fields)
  local r = run(model, times, fields)
  local recorded = r:array("x_cumulant_2").dims[1].values
  for i, time in ipairs(times) do
    assert(math.abs(recorded[i] - time) < 1e-9 * time, ("%s: %.9g in place of %g"):format(what, recorded[i], time))
  end
  return r
end
hits("trap", bm.overdamped(trap), { 0.11, 0.26, 1.7 })
hits("thirds", bm.overdamped(trap), { 1 / 3, 2 / 3, 1 })
local pair = bm.system { variables = { "x", "y" }, equations = { x = "-x", y = "-2*y + x" },
                         noise = { x = gaussian { D = 1 } } }
hits("system", pair, { 0.37, 1.1, 2.05 }, { time = 2.13, observe = bm.observe.moments {
      of = "x", times = { 0.37, 1.1, 2.05 } } })

-- Set to 0 after every 0.7: what is recorded is the time since the last event.
local reset = bm.overdamped { potential = trap.potential, noise = trap.noise,
                              events = { reset = { every = 0.7, set = { x = "0" } } } }
local times = { 0.69, 1.41, 2.13 }
local r = hits("events", reset, times)
local variance, err = r:array("x_cumulant_2").values[1], r:array("x_cumulant_2_err").values[1]
for i, time in ipairs(times) do
  local since = time % 0.7
  local exact = (1 - math.exp(-2.6 * since)) / 1.3
  assert(math.abs(variance[i] - exact) < 4 * err[i] + 0.01 * exact,
         ("t = %g: %g +- %g, not %g"):format(time, variance[i], err[i], exact))
end
-- A given step is kept, and what it does to times is said.
r = run(reset, times, { dt = 0.05 })
assert(table.concat(r.info.warnings, "\n"):find("t = 0.69 at 0.7, and events come every 0.7", 1, true))
