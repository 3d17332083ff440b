-- The current of a ratchet under Poissonian and thermal noise, to a given relative error: bmsim finds the step and the
-- number of paths at every point by itself. At small D paths are many and steps may be coarse; at large D it is the
-- other way round. The exact velocity is that of the stationary master equation.
local bm = require "bmsim"

local ratchet = bm.overdamped {
  potential = bm.potential.piecewise_linear {},
  noise = { bm.noise.poisson { D = 1, a = 2.5 }, bm.noise.gaussian { D = 0.1 } },
}

local r = bm.run {
  model = ratchet,
  sweep = { { "poisson.D", bm.logspace(0.3, 10, bm.args.points or bm.args.full and 40 or 8) } },
  tolerance = { velocity = { rel = bm.args.rel or bm.args.full and 0.003 or 0.03 } }, limit = 1e7,
  periods = 1000, paths = bm.args.paths or 512,
}

r:compare(bm.theory.master)
r:print { "poisson.D", "velocity", "velocity_err", "velocity_step", "theory", "z", "dt", "levels", "paths", "cost" }
local largest = 0
for _, z in ipairs(r:column "z") do largest = math.max(largest, math.abs(z)) end
print(("largest deviation: %.1f standard errors"):format(largest))
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "poisson.D", y = "velocity", log = "x", file = bm.args.plot,
           theory = bm.theory.curve(ratchet, { "poisson.D", bm.logspace(0.3, 10, 60) }, bm.theory.master) }
end
