-- An active particle in a ratchet: it swims at speed v0 in the direction theta, which diffuses, through a potential
-- that is asymmetric along x. In equilibrium (v0 = 0) there is no current; self-propulsion rectifies. Without the
-- potential, D_eff = D + v0^2/(2 D_r) along both axes (J. R. Howse et al., Phys. Rev. Lett. 99, 048102, 2007), here
-- along y, where there is none.
local bm = require "bmsim"
local points = bm.args.points or 9
local D, turning = 0.1, 0.5

local swimmer = bm.system {
  variables = { "x", "y", "theta" },
  equations = { x = "v0*cos(theta)", y = "v0*sin(theta)" },
  potential = { x = bm.potential.ratchet { V0 = 0.3 } },
  noise = { x = bm.noise.gaussian { D = D, name = "bath_x" }, y = bm.noise.gaussian { D = D, name = "bath_y" },
            theta = bm.noise.gaussian { D = turning, name = "turning" } },
  period = { theta = "2*pi" },
  parameters = { v0 = 2 },
}
local time = bm.args.time or 100
local r = bm.run {
  model = swimmer, sweep = { "v0", bm.linspace(0, 4, points) }, time = time,
  paths = bm.args.paths or bm.args.full and 65536 or 4096,
  observe = { "velocity", bm.observe.diffusion { of = "y" }, bm.observe.density { of = { "x", "theta" }, bins = 48 } },
}
-- The persistence delays the growth of the variance by a time of order 1/D_r, for which the window is long enough.
local function variance(v0, t) return 2 * D * t + (v0 / turning) ^ 2 * (turning * t - 1 + math.exp(-turning * t)) end
r:add("exact", function(p) return (variance(p.v0, time) - variance(p.v0, time / 10)) / (1.8 * time) end)
r:add("z", function(p) return (p.diffusion_y - p.exact) / p.diffusion_y_err end)
r:print { "v0", "velocity_x", "velocity_x_err", "diffusion_y", "diffusion_y_err", "exact", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { array = "density_x_theta", where = function(p) return p.v0 == 2 end, file = bm.args.plot }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation of the diffusion along y: %.2f standard errors"):format(largest))
