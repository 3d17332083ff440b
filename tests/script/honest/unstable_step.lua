-- A step four times the relaxation time: named before the run, seen in it, and nothing is extrapolated from it.
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine { V0 = 5 }, noise = bm.noise.gaussian { D = 0.5 },
  force = 10 }
local r = bm.run { model = model, dt = 0.02, time = 200 }
assert(r.info.warnings[1]:find("the step is too long for the motion: dt = 0.02", 1, true), r.info.warnings[1])
assert(r.info.warnings[2]:find("the step makes an error of velocity", 1, true), r.info.warnings[2])
assert(r:column "step_warning"[1] == 1)
r = bm.run { model = model, dt = 0.02, time = 200, step_error = true }
local extrapolated = r:column "velocity_extrapolated"[1]
assert(extrapolated ~= extrapolated, "extrapolated to " .. extrapolated)
assert(table.concat(r.info.warnings, "\n"):find("velocity_extrapolated is nan", 1, true))
