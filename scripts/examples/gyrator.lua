-- A Brownian gyrator: a particle in the harmonic well V = k (x^2 + y^2)/2 + u x y, with heat baths of different
-- temperatures along x and y. V is not symmetric with respect to the axes of the baths, and so the particle circulates,
-- and exerts a torque on the well, on average
--   <x F_y - y F_x> = u <y^2 - x^2> = u (T_y - T_x)/k,
-- from the Lyapunov equation A C + C A^T = -2 diag(T_x, T_y) of the stationary covariance C. R. Filliger, P. Reimann,
-- Phys. Rev. Lett. 99, 230602 (2007).
local bm = require "bmsim"
local k, T_x = 1, 1

local r = bm.run {
  model = bm.system {
    variables = { "x", "y" },
    equations = { x = "-k*x - u*y", y = "-k*y - u*x" },
    noise = { x = bm.noise.gaussian { D = T_x, name = "bath_x" }, y = bm.noise.gaussian { name = "bath_y" } },
    parameters = { k = k, u = 0.5 },
  },
  sweep = { { "u", { -0.4, 0.4, 0.8 } }, { "bath_y.D", bm.linspace(0, 4, bm.args.points or 9) } },
  paths = bm.args.paths or bm.args.full and 65536 or 4096, time = bm.args.time or 100,
  dt = bm.args.full and 0.01 or nil, -- nil: what the motion asks for
  observe = bm.observe.average { -- the forces are those of the equations
    torque = "x*(-k*y - u*x) - y*(-k*x - u*y)", xy = "x*y",
  },
}
r:add("exact", function(p) return p.u * (p.bath_y.D - T_x) / k end)
r:add("exact_xy", function(p) return -p.u * (p.bath_y.D + T_x) / (2 * (k ^ 2 - p.u ^ 2)) end)
r:add("z", function(p) return (p.torque - p.exact) / p.torque_err end)
r:add("z_xy", function(p) return (p.xy - p.exact_xy) / p.xy_err end)
r:print { "u", "bath_y.D", "torque", "torque_err", "exact", "z", "xy", "xy_err", "exact_xy", "z_xy" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "bath_y.D", y = "torque", group = "u", theory = "exact", xlabel = "{/:Italic T_y}",
           ylabel = "mean torque ⟨{/:Italic x F_y} − {/:Italic y F_x}⟩", file = bm.args.plot }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z), math.abs(p.z_xy)) end
print(("largest deviation: %.2f standard errors"):format(largest))
