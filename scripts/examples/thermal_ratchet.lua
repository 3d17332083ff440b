-- Poissonian and thermal (Gaussian) noise together: thermal noise lets the particle slip back over the barriers, and
-- weakens the current that the shot noise drives in V = 1 - |x|. Without it the current would be 0.363.
local bm = require "bmsim"

local ratchet = bm.overdamped {
  potential = bm.potential.piecewise_linear {},
  noise = { bm.noise.poisson { D = 1, a = 2.5 },
            bm.noise.gaussian { D = 0.1 } },
}

local r = bm.run {
  model = ratchet,
  sweep = { { "gaussian.D", bm.logspace(0.01, 1, bm.args.points or 7) } },
  observe = { "velocity", "diffusion" },
  paths = bm.args.paths or bm.args.full and 65536 or 1024,
  periods = bm.args.periods or 1000, spp = 100, overwrite = true,
}

r:print { "gaussian.D", "velocity", "velocity_err", "diffusion", "diffusion_err" }
r:write "thermal_ratchet.csv"
if bm.args.plot then
  r:plot { x = "gaussian.D", y = "velocity", log = "x", file = bm.args.plot,
           theory = bm.theory.curve(ratchet, { "gaussian.D", bm.logspace(0.01, 1, 40) }, bm.theory.master) }
end
