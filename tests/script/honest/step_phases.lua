-- Pulses narrower than a step that was given, which steps twice as long meet at the same phases: the check of the step
-- must see them, and the shortest step that the warnings name must be right.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local sqrt_2pi = math.sqrt(2 * math.pi)

local function advised(r)
  local dt = math.huge
  for _, text in ipairs(r.info.warnings) do dt = math.min(dt, tonumber(text:match "dt = ([%d.e+-]+) would" or dt)) end
  return dt
end
-- x is moved by `exact` in 10 pulses.
local function check(what, drive, exact, dt, follow)
  local model = bm.overdamped { noise = gaussian { D = 0.01 }, drive = drive }
  local function run(step)
    local r = bm.run { model = model, time = 10, dt = step, paths = 256, transient = 0, initial = { x = 0 },
                       observe = bm.observe.moments { times = { 10 } }, check_transient = false }
    return r, r:array "x_cumulant_1".values[1][1], r:array "x_cumulant_1_err".values[1][1]
  end
  local r, value, err = run(dt)
  local wrong, step = math.abs(value - exact) > 4 * err and math.abs(value - exact) > 0.02 * exact, advised(r)
  assert(not wrong or step < dt / 2, ("%s, dt = %g: %g, exact %g: %s"):format(what, dt, value, exact,
                                                                               r.info.step_check))
  if not follow or step == math.huge then return end
  r, value, err = run(step)
  assert(advised(r) == math.huge and math.abs(value - exact) < math.max(4 * err, 0.02 * exact),
         ("%s, dt = %g: %g, exact %g: %s"):format(what, step, value, exact, r.info.step_check))
end

for _, dt in ipairs { 0.05, 0.0307, 0.047, 0.013 } do
  local w = 1e-3
  check("pulses", bm.drive.pulse { amplitude = 1 / w, width = w, period = 1, shape = "gaussian" }, 10 * sqrt_2pi, dt)
  check("formula", bm.drive.formula { ("exp(-((mod(t,1)-0.5)/%g)^2/2)/%g"):format(w, w) }, 10 * sqrt_2pi, dt,
        true)
end
check("rectangles", bm.drive.pulse { amplitude = 500, width = 0.002, period = 1 }, 10, 0.02)
-- one step a period
check("a square of a cosine", bm.drive.formula { "2*cos(2*pi*t/0.05)^2" }, 10, 0.05)
check("a cosine and its mean", bm.drive.formula { "1 + 3*cos(2*pi*t/0.1)" }, 10, 0.1)
