-- Maxwell's law: in equilibrium the velocities of m dv = [-gamma v - V'(x)] dt + sqrt(2 gamma T) dW have a density
-- proportional to exp[-m v^2/(2 T)], whatever V and gamma: <v^2> = T/m. Two masses in V = sin 2 pi x, whose barrier is
-- 2: the law is the same for T above and below it. H. Risken, The Fokker-Planck Equation, section 10.1.
local bm = require "bmsim"

local particle = bm.underdamped {
  mass = 1, gamma = 1,
  potential = bm.potential.sine {},
  noise = bm.noise.gaussian { T = 1 },
}

local r = bm.run {
  model = particle,
  sweep = { { "mass", { 0.5, 2 } }, { "gaussian.T", bm.linspace(0.25, 2, bm.args.points or 8) } },
  observe = { "velocity_squared" },
  paths = bm.args.paths or bm.args.full and 65536 or 2048, time = bm.args.time or 200,
  dt = bm.args.dt or bm.args.full and 0.0025 or 0.01,
}

r:add("exact", function(p) return p.gaussian.T / p.mass end)
r:add("z", function(p) return (p.velocity_squared - p.exact) / p.velocity_squared_err end)
r:print { "mass", "gaussian.T", "velocity_squared", "velocity_squared_err", "exact", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "gaussian.T", y = "velocity_squared", group = "mass", theory = "exact", file = bm.args.plot }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
