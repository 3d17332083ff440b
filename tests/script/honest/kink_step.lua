-- Steps over a kink: 0.4 % of error is seen where it is eight standard errors and more.
local bm = require "bmsim"
local motor = bm.overdamped { potential = bm.potential.piecewise_linear {},
  noise = bm.noise.poisson { a = 1.2, D = 4 } }
local r = bm.run { model = motor, method = "heun", spp = 100, periods = 500, paths = 24576 }
local exact = bm.theory.poisson_velocity { model = motor }
local off, err = r:column "velocity"[1] - exact, r:column "velocity_err"[1]
assert(math.abs(off) > 5 * err, "the error of the step is not seen in this run")
assert(r:column "step_warning"[1] == 1 and #r.info.warnings == 1, "no warning")
local seen, seen_err = r:column "velocity_step_seen"[1], r:column "velocity_step_seen_err"[1]
assert(seen * off > 0 and math.abs(seen) > 3 * seen_err, ("seen %g +- %g of %g"):format(seen, seen_err, off))
