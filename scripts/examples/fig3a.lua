-- Fig. 3a of Spiechowicz, Kostur, Machura: the current of a Brownian motor driven by white Poissonian noise alone,
-- against the noise intensity D, for two asymmetries a; simulated and exact. The paper's settings, with 4 times its
-- 1024 paths for errors below 0.002. A smaller run: bmsim -D points=5 -D paths=128 -D periods=100 fig3a.lua. One curve
-- by the method that makes no steps: -D a=2.5 -D method=exact.
-- The picture: -D plot=fig3a.svg
local bm = require "bmsim"

local motor = bm.overdamped {
  potential = bm.potential.piecewise_linear {},
  noise = bm.noise.poisson { D = 1, a = 1.5 },
}

local r = bm.run {
  model = motor,
  sweep = { { "poisson.a", bm.args.a and { bm.args.a } or { 1.5, 2.5 } },
            { "poisson.D", bm.logspace(0.1, 10, bm.args.points or bm.args.full and 60 or 20) } },
  paths = bm.args.paths or bm.args.full and 65536 or 4096,
  periods = bm.args.periods or 1000, spp = 400, transient = 0.1, overwrite = true,
  method = bm.args.method or bm.args.full and "exact", -- no steps, and no error of theirs
}

r:add("exact", function(p) return bm.theory.poisson_velocity { D = p.poisson.D, a = p.poisson.a } end)
r:add("z", function(p) return (p.velocity - p.exact) / p.velocity_err end)
r:print { "poisson.a", "poisson.D", "velocity", "velocity_err", "exact", "z" }
r:write "fig3a.csv"
if bm.args.plot then
  r:plot { x = "poisson.D", y = "velocity", group = "poisson.a", theory = "exact", log = "x", file = bm.args.plot }
end

local squares, largest = 0, 0
for p in r:rows() do
  squares = squares + (p.velocity - p.exact) ^ 2
  largest = math.max(largest, math.abs(p.z))
end
print(("rms deviation from the exact curves: %.5f"):format(math.sqrt(squares / r.points)))
print(("largest deviation: %.2f standard errors"):format(largest))
