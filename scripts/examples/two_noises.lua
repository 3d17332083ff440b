-- Noises that combine: two Poissonian noises under names of their own, and a dichotomous one. The bias a of the second
-- is a function of other parameters, so that its mean kick zeta = D/a is that of the first. Two parameters are swept
-- together.
local bm = require "bmsim"

local motor = bm.overdamped {
  potential = bm.potential.piecewise_linear { L = 2, V0 = 1 },
  noise = {
    bm.noise.poisson { name = "strong", D = 1, a = 2.5 },
    bm.noise.poisson { name = "weak", D = 0.1, a = function(p) return p.weak.D * p.strong.a / p.strong.D end },
    bm.noise.dichotomous { Fa = 3, Fb = 1.6, tau = 0.2 },
  },
}

local n = bm.args.points or 5
local r = bm.run {
  model = motor,
  sweep = { bm.zip { { "strong.D", bm.linspace(0.5, 1.5, n) },
                     { "weak.D", bm.linspace(0.15, 0.05, n) } },
            { "dichotomous.tau", { 0.2, 1 } } },
  paths = bm.args.paths or bm.args.full and 65536 or 1024,
  periods = bm.args.periods or 200, spp = 200, overwrite = true,
}

r:print { "strong.D", "weak.D", "weak.a", "dichotomous.tau", "velocity", "velocity_err" }
r:write "two_noises.csv"
if bm.args.plot then
  r:plot { x = "strong.D", y = "velocity", group = "dichotomous.tau", file = bm.args.plot }
end
