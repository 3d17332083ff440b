-- Thermodynamic uncertainty: a particle in V = sin(2 pi x) under a force f. The precision of its displacement X has a
-- price, the entropy S that its bath gains: Var(X) S/<X>^2 >= 2 in any steady state (A. C. Barato, U. Seifert, Phys.
-- Rev. Lett. 114, 158101, 2015). In long windows the product is 2 D_eff f/(T v), with Stratonovich's v and D_eff. Near
-- equilibrium and under strong forces it is 2; towards the critical tilt, 2 pi, diffusion is giant and the product
-- large, the more so the lower the temperature.
local bm = require "bmsim"

local r = bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { T = 1 } },
  sweep = { { "gaussian.T", { 0.2, 0.5, 1 } }, { "force", bm.linspace(1, 14, bm.args.points or 14) } },
  observe = { "velocity", "entropy_production" },
  paths = bm.args.paths or bm.args.full and 65536 or 4096, time = bm.args.time or 40, initial = { x = "uniform" },
  dt = bm.args.dt or bm.args.full and 0.00025 or 0.0005,
}

r:add("sigma", function(p)
  local v = bm.theory.stratonovich { potential = bm.potential.sine {}, D = p.gaussian.T, force = p.force }
  return p.force * v / p.gaussian.T
end)
r:add("exact", function(p)
  local v, D = bm.theory.stratonovich { potential = bm.potential.sine {}, D = p.gaussian.T, force = p.force }
  return 2 * D * p.force / (p.gaussian.T * v)
end)
r:add("z", function(p) return (p.entropy_production - p.sigma) / p.entropy_production_err end)
r:print { "gaussian.T", "force", "entropy_production", "entropy_production_err", "sigma", "z", "uncertainty",
          "uncertainty_err", "exact" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "force", y = "uncertainty", group = "gaussian.T", theory = "exact", log = "y",
           ylabel = "Var({/:Italic X}) {/:Italic S}/⟨{/:Italic X}⟩^2", file = bm.args.plot }
end

local largest = 0
for p in r:rows() do
  if p.z == p.z then largest = math.max(largest, math.abs(p.z)) end
end
print(("largest deviation: %.2f standard errors"):format(largest))
