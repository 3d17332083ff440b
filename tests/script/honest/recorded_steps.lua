-- The check of the step compares all that a run has: a step that is too long, but not so long that the motion alone
-- tells, is warned of in recordings and arrays of every kind; the default step is not.
local bm = require "bmsim"
local gaussian, observe = bm.noise.gaussian, bm.observe

local function warnings(r) return table.concat(r.info.warnings, "\n") end
local function run(model, dt, options)
  local fields = { model = model, dt = dt, paths = 2048 }
  for key, value in pairs(options) do fields[key] = value end
  return bm.run(fields)
end
-- what: how the message names the number that is wrong.
local function seen(what, model, dt, options)
  local r = run(model, dt, options)
  assert(warnings(r):find("makes an error of " .. what), what .. ": " .. warnings(r) .. "\n" .. r.info.step_check)
  assert(r:column "step_warning"[1] == 1)
  r = run(model, nil, options)
  assert(not warnings(r):find "makes an error", what .. ", default: " .. warnings(r))
  local subject = what:match "^[%w_]+"
  assert(r.info.step_check:find(subject), what .. " is not in: " .. r.info.step_check)
end

local trap = bm.overdamped { potential = bm.potential.harmonic {}, noise = gaussian { D = 1 } }
seen("moments: x_cumulant_1 at t = 1.2", trap, 0.6,
     { time = 6, initial = { x = 3 }, observe = observe.moments { times = { 1.2, 6 } } })
seen("paths: mean of x at t = ", trap, 0.6,
     { time = 6, transient = 0, initial = { x = 3 }, observe = observe.paths { count = 6 } })
seen("density: probability at x < ", trap, 0.6,
     { time = 24, observe = observe.density { range = { -4, 4 }, bins = 40, count = 20 } })
seen("correlation: correlation at lag = ", trap, 0.6,
     { time = 36, observe = observe.correlation { of = "position", step = 1.2, lags = 4, origins = 20 } })
seen("spectrum: mean of the octave at f >= ", trap, 0.6,
     { time = 120, paths = 1024,
       observe = observe.spectrum { of = "position", step = 1.2, samples = 32, segments = 4 } })
local tilted = bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 0.5 }, force = 4 }
seen("current: mean over all places", tilted, 0.008,
     { time = 12, method = "euler", observe = observe.current { bins = 8 } })
local pair = bm.system { variables = { "x", "y" }, equations = { x = "-x", y = "-y + x" },
                         noise = { x = gaussian { D = 1 } } }
seen("density_x_y: probability at y < ", pair, 0.6,
     { time = 24, observe = observe.density { of = { "x", "y" }, range = { x = { -4, 4 }, y = { -4, 4 } }, bins = 20,
                                              count = 20 } })

-- A force that jumps at 0, by which the density there is far too low.
local ramp = bm.system { variables = { "x" }, equations = { x = "-mu*sign(x)" }, parameters = { mu = 4 },
                         noise = { x = gaussian { D = 1 } } }
seen("density_x: probability at x < ", ramp, 0.05,
     { time = 10, initial = { x = 0 }, observe = observe.density { range = { -0.25, 0.25 }, bins = 2, count = 20 } })

-- Times that are no ends of longer steps are left out, and said where nothing is left.
local r = run(trap, 0.6, { time = 6, observe = observe.correlation { of = "position", step = 0.6, lags = 2,
                                                                     origins = 2 } })
assert(r.info.step_check:find "^not checked: nothing that is recorded", r.info.step_check)
r = run(trap, 0.1, { time = 8.1, observe = observe.moments { times = { 2.7, 8.1 } } })
assert(r.info.step_check:find "moments: [xv]_cumulant_%d at t = ", r.info.step_check)
