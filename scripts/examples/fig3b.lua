-- Fig. 3b of Spiechowicz, Kostur, Machura: the negative current of a Brownian motor driven by dichotomous noise alone,
-- against its correlation time tau, for two values of Fb at Fa = 3; simulated and exact. Beyond tau = 1 the step of spp
-- = 200 is too coarse for the kinks of this potential. The paper's settings, with 4 times its 1024 paths.
-- The picture: -D plot=fig3b.svg
local bm = require "bmsim"

local motor = bm.overdamped {
  potential = bm.potential.piecewise_linear {},
  noise = bm.noise.dichotomous { Fa = 3, Fb = 1.1, tau = 1 },
}

local r = bm.run {
  model = motor,
  sweep = { { "dichotomous.Fb", { 1.1, 1.6 } },
            { "dichotomous.tau", bm.logspace(0.05, 1, bm.args.points or bm.args.full and 60 or 20) } },
  paths = bm.args.paths or bm.args.full and 65536 or 4096,
  periods = bm.args.periods or 1000, spp = 200, transient = 0.1, overwrite = true,
  method = bm.args.full and "exact", -- no steps, and no error of theirs
}

local exact = bm.theory.dichotomous_velocity
r:add("exact", function(p) return exact { Fa = 3, Fb = p.dichotomous.Fb, tau = p.dichotomous.tau } end)
r:add("z", function(p) return (p.velocity - p.exact) / p.velocity_err end)
r:print { "dichotomous.Fb", "dichotomous.tau", "velocity", "velocity_err", "exact", "z" }
r:write "fig3b.csv"
if bm.args.plot then
  r:plot { x = "dichotomous.tau", y = "velocity", group = "dichotomous.Fb", theory = "exact", log = "x",
           file = bm.args.plot }
end

local squares, largest = 0, 0
for p in r:rows() do
  squares, largest = squares + (p.velocity - p.exact) ^ 2, math.max(largest, math.abs(p.z))
end
print(("rms deviation from the exact curves: %.5f"):format(math.sqrt(squares / r.points)))
print(("largest deviation: %.2f standard errors"):format(largest))
