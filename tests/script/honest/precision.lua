-- Where a particle moves less in a step, or between kicks, than single precision resolves, double precision is taken.
local bm = require "bmsim"
local r = bm.run {
  model = bm.overdamped { potential = bm.potential.sine { V0 = 0.1 }, noise = bm.noise.poisson { D = 1e-4 },
    force = 3 },
  paths = 96, time = 2,
}
assert(r.info.precision == "double" and r.info.why_precision, r.info.precision)
-- without noise the current over a sine is the root of F^2 - (2 pi V0)^2
local v, err, near = r:column "velocity"[1], r:column "velocity_err"[1], math.sqrt(9 - (0.2 * math.pi) ^ 2)
assert(math.abs(v - near) < 4 * err + 1e-3, ("%g +- %g, near %g"):format(v, err, near))
r = bm.run { model = bm.overdamped { noise = bm.noise.poisson { D = 1e-7, a = 1 } }, paths = 1024 }
v, err = r:column "velocity"[1], r:column "velocity_err"[1]
assert(r.info.method == "exact" and r.info.precision == "double")
assert(math.abs(v) < 4 * err and err < 0.01, ("%g +- %g, exact 0"):format(v, err))
