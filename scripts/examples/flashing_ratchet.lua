-- The flashing ratchet: dx/dt = -V'(x) s(t) + Gaussian noise of intensity D, V = V0 [sin 2 pi x + (1/4) sin 4 pi x]
-- switched on and off (s = 1, 0) at the rate mu either way. No force acts but -V', whose mean over a period is zero.
-- The current is largest where the particle can diffuse over the short side of a tooth while V is off, but not over the
-- long one; it vanishes for slow and for fast switching. A. Ajdari, J. Prost, C. R. Acad. Sci. II 315, 1635 (1992). The
-- dichotomous noise of the states -1 and 0 modulates the potential: V (1 + noise). Exact: the stationary master
-- equation.
local bm = require "bmsim"
local V0, b, D = 2, 0.25, 0.2

local particle = bm.overdamped {
  potential = bm.potential.ratchet { V0 = V0, b = b },
  noise = {
    bm.noise.dichotomous { name = "switch", modulate = "potential", Fa = 1, Fb = 0, mu_a = 1,
                           mu_b = function(p) return p.switch.mu_a end },
    bm.noise.gaussian { D = D },
  },
}
local r = bm.run {
  model = particle,
  sweep = { "switch.mu_a", bm.logspace(0.3, 300, bm.args.points or 10) },
  paths = bm.args.paths or bm.args.full and 65536 or 1024, time = bm.args.time or 200,
  dt = bm.args.dt or bm.args.full and 0.0005 or 0.001,
}

r:compare(bm.theory.master)
r:print { "switch.mu_a", "velocity", "velocity_err", "theory", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "switch.mu_a", y = "velocity", log = "x", file = bm.args.plot,
           theory = bm.theory.curve(particle, { "switch.mu_a", bm.logspace(0.3, 300, 60) }, bm.theory.master) }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
